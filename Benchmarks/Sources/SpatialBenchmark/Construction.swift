import CPeers
import Stopwatches

/// Builds every engine over a data set in turns, times that, and weighs what is built.
struct Construction {
  let data: DataSet
  let kinds: [any PeerKind]
  let stopwatch: Stopwatch
  let report: (String) -> Void

  /// The seconds after which an engine is not built again.
  private static let budget = 20.0

  private static let memoryRow = "mem_bytes_per_point"
  static let timeRows = [timeRow(threads: 1), timeRow(threads: 2)]
  static let rows = timeRows + [memoryRow]

  private static func timeRow(threads: Int) -> String {
    threads == 1 ? "build_ns_per_point" : "build_\(threads)t_ns_per_point"
  }

  /// Returns the rows, and of each engine what it built last.
  func run(rounds: Int) async throws -> (rows: [Row], peers: [any Peer]) {
    var peers: [(any Peer)?] = kinds.map { _ in nil }
    var times: [[Row]] = kinds.map { kind in
      kind.buildThreads.filter { stopwatch.times(threads: $0) }.map {
        row(kind, Construction.timeRow(threads: $0), .nanosecondsPerPoint)
      }
    }
    // The first round tells how much memory is in use; the others run as programs do.
    cpeer_return_large_blocks(true)
    var memory: [Row] = []
    for round in 0..<rounds {
      for (place, kind) in kinds.enumerated() {
        for column in times[place].indices {
          let soFar = times[place][column].samples.reduce(0, +) * Double(data.count) / 1e9
          if soFar > Construction.budget { continue }
          report("\(data.name): building \(kind.name), round \(round + 1)")
          peers[place] = nil
          let before = cpeer_resident_bytes()
          let start = stopwatch.seconds
          peers[place] = try await kind.build(data, threads: kind.buildThreads[column])
          let seconds = stopwatch.seconds(since: start)
          times[place][column].samples.append(seconds * 1e9 / Double(data.count))
          if round == 0, column == 0, before > 0 {
            let growth = Int(cpeer_resident_bytes()) - Int(before)
            var row = row(kind, Construction.memoryRow, .bytesPerPoint)
            row.samples = [Double(peers[place]?.ownBytes ?? growth) / Double(data.count)]
            memory.append(row)
          }
        }
      }
      cpeer_return_large_blocks(false)
    }
    return (Array(times.joined()) + memory, peers.compactMap { $0 })
  }

  private func row(_ kind: any PeerKind, _ name: String, _ unit: Row.Unit) -> Row {
    Row(peer: kind.name, operation: name, name: name, unit: unit)
  }
}
