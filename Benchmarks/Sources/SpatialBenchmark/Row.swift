/// One engine, one operation, one data set: the times, and what is known of the answers.
struct Row {
  let peer: String
  /// The operation, by which engines are compared.
  let operation: String
  /// The row's name: of two measures with different answers each has its own.
  let name: String
  let unit: Unit
  /// One for each round.
  var samples: [Double] = []
  var checksum: UInt64 = 0
  /// How many answers the verdict is about.
  var checked = 0
  var verdict = Verdict.unjudged

  enum Unit {
    case nanoseconds, nanosecondsPerPoint, bytesPerPoint
  }

  /// The figure of the row.
  var best: Double { samples.min() ?? .nan }

  var median: Double {
    let sorted = samples.sorted()
    guard !sorted.isEmpty else { return .nan }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  /// By how much the slowest round was slower than the fastest, as a part of the fastest.
  var spread: Double { ((samples.max() ?? .nan) - best) / best }
}

/// What is known of the answers that were timed.
enum Verdict: Equatable {
  /// They have no answers (building), or nobody could tell.
  case unjudged
  case right(by: String)
  /// So many questions are answered otherwise than by the geodesic; known of the engine.
  case inexact(differences: Int, of: Int)
  case wrong(String)

  var isWrong: Bool { if case .wrong = self { true } else { false } }
}
