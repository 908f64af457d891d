import CPeers

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
  static let rowNames = buildRows + Operation.all.map(\.name)

  /// How often an index is built, and the seconds after which it is not built again.
  private static let buildRounds = 3, buildBudget = 20.0

  /// Runs everything once.
  func run() async throws -> Result {
    var (rows, peers) = try await build()
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
      lanes[place].row.verdict = verdict
    }
    for round in 0..<rounds {
      report("\(data.name): round \(round + 1) of \(rounds)")
      for place in lanes.indices { await lanes[place].time(by: stopwatch, into: ids) }
    }
    rows += lanes.map(\.row)
    return Result(data: data, kinds: kinds, rows: rows, otherSets: otherSets(lanes))
  }

  private func wants(_ row: String) -> Bool { operations.contains(row) }

  private func times(threads: Int) -> Bool { threads == 1 || stopwatch == .clock }

  // MARK: Building

  private func build() async throws -> (rows: [Row], peers: [any Peer]) {
    var peers: [(any Peer)?] = kinds.map { _ in nil }
    var rows: [[Row]] = kinds.map { kind in
      kind.buildThreads.map { threads in
        Row(
          peer: kind.name, operation: Suite.buildRow(threads), name: Suite.buildRow(threads),
          unit: .nanosecondsPerPoint)
      }
    }
    var memory: [Row] = []
    let wantsTimes = rows.joined().contains { wants($0.operation) }
    for round in 0..<(wantsTimes ? Suite.buildRounds : 1) {
      for (place, kind) in kinds.enumerated() {
        for (column, threads) in kind.buildThreads.enumerated() where times(threads: threads) {
          let soFar = rows[place][column].samples.reduce(0, +) * Double(data.count) / 1e9
          if soFar > Suite.buildBudget { continue }
          report("\(data.name): building \(kind.name), round \(round + 1)")
          peers[place] = nil
          let before = cpeer_resident_bytes()
          let start = stopwatch.seconds
          peers[place] = try await kind.build(data, threads: threads)
          let seconds = stopwatch.seconds(since: start)
          rows[place][column].samples.append(seconds * 1e9 / Double(data.count))
          // Only the first build meets a heap that no build has used.
          if round == 0, column == 0, before > 0 {
            var row = Row(
              peer: kind.name, operation: Suite.memoryRow, name: Suite.memoryRow,
              unit: .bytesPerPoint)
            row.samples = [
              Double(max(0, cpeer_resident_bytes() - before)) / Double(data.count)
            ]
            memory.append(row)
          }
        }
      }
    }
    return (
      (Array(rows.joined()) + memory).filter { wants($0.operation) && !$0.samples.isEmpty },
      peers.compactMap { $0 }
    )
  }

  /// The rows that building gives.
  static let buildRows = [buildRow(1), buildRow(2), memoryRow]

  private static let memoryRow = "mem_bytes_per_point"

  private static func buildRow(_ threads: Int) -> String {
    threads == 1 ? "build_ns_per_point" : "build_\(threads)t_ns_per_point"
  }

  // MARK: Asking

  /// What takes its turn: one engine at one operation.
  private struct Lane {
    let kind: any PeerKind
    let operation: Operation
    let answering: Answering
    var row: Row
    var digest = AnswerDigest()
    /// How many questions fit into the budget.
    var queries = 0

    /// Answers the first thousand questions for their digest, and sees how long one takes.
    mutating func check(
      _ data: DataSet, budget: Double, by stopwatch: Stopwatch,
      into ids: UnsafeMutablePointer<UInt32>
    ) async {
      let available = operation.queryCount(in: data)
      let checked = min(AnswerDigest.queryLimit, available)
      let start = stopwatch.seconds
      switch answering {
      case .each(let answer):
        for query in 0..<checked {
          let count = answer(query, ids)
          digest.append(UnsafeBufferPointer(start: ids, count: count), of: data)
        }
      case .all(let answer):
        let count = await answer(checked, ids)
        for query in 0..<checked {
          digest.append(UnsafeBufferPointer(start: ids + query * count, count: count), of: data)
        }
      }
      let each = stopwatch.seconds(since: start) / Double(max(1, checked))
      queries = max(1, min(available, Int(budget / each)))
      row.checksum = digest.total
    }

    mutating func time(
      by stopwatch: Stopwatch, into ids: UnsafeMutablePointer<UInt32>
    ) async {
      var found = 0
      let start = stopwatch.seconds
      switch answering {
      case .each(let answer):
        for query in 0..<queries { found &+= answer(query, ids) }
      case .all(let answer):
        found = await answer(queries, ids)
      }
      let seconds = stopwatch.seconds(since: start)
      precondition(found >= 0, "an engine found \(found) ids")
      row.samples.append(seconds * 1e9 / Double(queries))
    }
  }

  /// Lanes operation by operation, so that what is compared runs within the same seconds.
  private func prepare(_ peers: [any Peer]) -> [Lane] {
    Operation.all.flatMap { operation in
      zip(kinds, peers).compactMap { kind, peer in
        guard wants(operation.name), times(threads: operation.threads),
          let answering = peer.answering(operation)
        else { return nil }
        let row = Row(
          peer: kind.name, operation: operation.name, name: operation.rowName(kind.measure),
          unit: .nanoseconds)
        return Lane(kind: kind, operation: operation, answering: answering, row: row)
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
