import Stopwatches

/// Sides that do the same work in turns, so that a machine that slows down slows all of them.
struct Contest {
  private struct Side {
    let name: String
    let repetitions: Int
    let body: () -> Double
  }

  private var sides: [Side] = []
  /// What the sides computed, so that none of it can be left out.
  private(set) var total = 0.0

  /// Adds a side that does something `repetitions` times.
  mutating func add(_ name: String, repetitions: Int, _ body: @escaping () -> Double) {
    sides.append(Side(name: name, repetitions: repetitions, body: body))
  }

  /// Runs all sides `rounds` times in turns.
  ///
  /// - Returns: For each side its name and the microseconds of one repetition: the median of the
  ///   rounds, the least and the most.
  mutating func run(rounds: Int) -> [(name: String, median: Double, least: Double, most: Double)] {
    var times = [[Double]](repeating: [], count: sides.count)
    for _ in 0..<rounds {
      for (place, side) in sides.enumerated() {
        let start = Stopwatch.clock.seconds
        total += side.body()
        let seconds = Stopwatch.clock.seconds(since: start)
        times[place].append(seconds * 1e6 / Double(side.repetitions))
      }
    }
    return zip(sides, times).map { side, times in
      let sorted = times.sorted()
      return (side.name, sorted[rounds / 2], sorted[0], sorted[rounds - 1])
    }
  }
}
