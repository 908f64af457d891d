import Stopwatches

/// Builds engines over a data set, checks their answers, and times them in turns.
struct Suite {
  let data: DataSet
  let kinds: [any PeerKind]
  let operations: Set<String>
  let rounds: Int
  /// The seconds that one operation may take in one round.
  let budget: Double
  let stopwatch: Stopwatch
  /// Told what is going on.
  let report: (String) -> Void

  /// What a run found out.
  struct Result {
    let data: DataSet
    let kinds: [any PeerKind]
    var rows: [Row]
    /// For each engine and k-nearest row, how many questions have another set of ids than WGS 84.
    var otherSets: [String: [String: Int]]

    /// The rows of one operation, engines in their order.
    func rows(of operation: String) -> [Row] { rows.filter { $0.operation == operation } }

    func row(_ peer: String, _ operation: String) -> Row? {
      rows.first { $0.peer == peer && $0.operation == operation }
    }

    /// How many times as much as this package's index a row took.
    func ratio(_ row: Row) -> Double? {
      self.row(NearbyKind.rowName, row.operation).map { row.best / $0.best }
    }

    /// The operations that at least one engine has, in the order of the tables.
    var operations: [String] {
      Suite.rowNames.filter { name in rows.contains { $0.operation == name } }
    }
  }

  /// All operations by name, building first.
  static let rowNames = Construction.rows + Operation.all.map(\.name)

  /// Runs everything once.
  func run() async throws -> Result {
    let construction = Construction(
      data: data, kinds: kinds, stopwatch: stopwatch, report: report)
    let wantsTimes = Construction.timeRows.contains { wants($0) }
    var (rows, peers) = try await construction.run(rounds: wantsTimes ? 3 : 1)
    rows.removeAll { !wants($0.operation) }
    var lanes = prepare(peers)
    let ids = UnsafeMutablePointer<UInt32>.allocate(
      capacity: max(data.count, data.queryCount * 100))
    defer { ids.deallocate() }

    report("\(data.name): answers")
    for place in lanes.indices {
      await lanes[place].check(data, budget: budget, by: stopwatch, into: ids)
    }
    let answers = lanes.map {
      Judgment.Answers(operation: $0.operation, measure: $0.kind.measure, digest: $0.digest)
    }
    report("\(data.name): judgment")
    for (place, verdict) in Judgment(data: data).verdicts(on: answers).enumerated() {
      lanes[place].row.verdict =
        lanes[place].firstDisorder.map { .wrong("question \($0) is not answered nearest first") }
        ?? verdict
    }
    for round in 0..<rounds {
      report("\(data.name): round \(round + 1) of \(rounds)")
      for place in lanes.indices { await lanes[place].time(by: stopwatch, into: ids) }
    }
    rows += lanes.map(\.row)
    return Result(data: data, kinds: kinds, rows: rows, otherSets: otherSets(lanes))
  }

  private func wants(_ row: String) -> Bool { operations.contains(row) }

  /// Lanes operation by operation, so that what is compared runs within the same seconds.
  private func prepare(_ peers: [any Peer]) -> [Lane] {
    Operation.all.flatMap { operation in
      zip(kinds, peers).compactMap { kind, peer in
        guard wants(operation.name), stopwatch.times(threads: operation.threads),
          let answering = peer.answering(operation)
        else { return nil }
        return Lane(kind: kind, operation: operation, answering: answering)
      }
    }
  }

  private func otherSets(_ lanes: [Lane]) -> [String: [String: Int]] {
    var otherSets: [String: [String: Int]] = [:]
    for exact in lanes where exact.kind.measure == .wgs84 && exact.operation.limit != nil {
      for lane in lanes where lane.operation == exact.operation && lane.kind.measure != .wgs84 {
        otherSets[lane.kind.name, default: [:]][lane.row.operation] =
          lane.digest.differences(from: exact.digest)
      }
    }
    return otherSets
  }
}
