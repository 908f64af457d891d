import Complaints
import NearbyKit
import SeededNumbers
import Stopwatches

/// What watching fences costs: one object among 10,000 fences, and fleets of 1,000, 10,000 and 100,000
/// among them, every answer checked against a look at all fences.
///
///     swift run -c release --package-path Benchmarks fence-speed
@main
struct FenceSpeed {
  static func main() {
    Complaint.ending("usage: fence-speed, without arguments") { arguments in
      _ = try arguments.operands(0...0)
      run()
    }
  }

  private static func run() {
    let fences = City.fences(10_000)
    let index = FenceIndex(fences)
    let all = AllFences(fences)
    print("fences 10000, of them polygons \(fences.count { $0.isPolygon })")
    for pace in City.paces { single(pace, index, all) }
    for count in [1_000, 10_000, 100_000] { fleet(count, index, all) }
    pairs()
  }

  /// One object.
  private static func single(_ pace: City.Pace, _ index: FenceIndex, _ all: AllFences) {
    let way = City.way(pace, steps: pace.steps, seed: 7)
    var best = Double.infinity
    var rounds: [Double] = []
    var events = 0
    for _ in 0..<3 {
      var monitor = FenceMonitor(index)
      let seconds = Stopwatch.processor.measure {
        for (number, place) in way.enumerated() {
          _ = monitor.take(place, time: Double(number))
        }
      }
      events = monitor.eventCount
      rounds.append(seconds / Double(way.count) * 1e9)
      best = min(best, seconds)
    }
    // The judge looks at every hundredth fix, which takes it long enough.
    var monitor = FenceMonitor(index)
    for (number, place) in way.enumerated() {
      _ = monitor.take(place, time: Double(number))
      if number % (way.count / 50) == 0 {
        guard monitor.inside == all.containing(place) else {
          fatalError("\(pace.name): the monitor is wrong at fix \(number), \(place)")
        }
      }
    }
    let plain = way.prefix(200)
    var hits = 0
    let brute = Stopwatch.processor.measure {
      for place in plain { hits += all.containing(place).count }
    }
    report(
      "one object, \(pace.name)", rounds, "\(events) events in \(way.count) fixes",
      "a look at every fence \(rounded(brute / Double(plain.count) * 1e9)) ns")
  }

  /// Many objects, each with a monitor of its own.
  private static func fleet(_ count: Int, _ index: FenceIndex, _ all: AllFences) {
    let steps = 20
    let ways = (0..<count).map { City.way(City.paces[1], steps: steps, seed: UInt64($0)) }
    var rounds: [Double] = []
    var events = 0
    for _ in 0..<3 {
      var monitors = Array(repeating: FenceMonitor(index), count: count)
      // The first fix of each finds its neighborhood.
      for number in 0..<count { _ = monitors[number].take(ways[number][0], time: 0) }
      let seconds = Stopwatch.processor.measure {
        for step in 1..<steps {
          for number in 0..<count {
            _ = monitors[number].take(ways[number][step], time: Double(step))
          }
        }
      }
      rounds.append(seconds / Double(count * (steps - 1)) * 1e9)
      events = monitors.reduce(0) { $0 + $1.eventCount }
      for number in stride(from: 0, to: count, by: max(1, count / 100)) {
        guard monitors[number].inside == all.containing(ways[number][steps - 1]) else {
          fatalError("object \(number) of \(count): the monitor is wrong")
        }
      }
    }
    report("\(count) objects, \(City.paces[1].name)", rounds, "\(events) events", "")
  }

  /// People near people: batches of moves, and the pairs within 200 m.
  private static func pairs() {
    for count in [1_000, 10_000, 100_000] {
      let live = LiveIndex()
      // The larger the city the more people, so that each has about as many near.
      let extent = 0.1 * (Double(count) / 10_000).squareRoot()
      var numbers = SplitMix64(seed: 3)
      var places: [Coordinate] = (0..<count).map { _ in
        City.place(extent: extent, using: &numbers)
      }
      var pairs = RoamingPairs(within: .meters(50), until: .meters(60))
      var events = pairs.apply(
        places.enumerated().map { .put(LiveObject(id: UInt64($0), at: $1)) }, to: live
      ).count
      let batches: [[LiveChange]] = (0..<20).map { _ in
        (0..<1_000).map { _ in
          let number = Int.random(in: 0..<count, using: &numbers)
          places[number] = places[number].destination(
            bearing: Double.random(in: 0..<360, using: &numbers), distance: .meters(15))
          return .put(LiveObject(id: UInt64(number), at: places[number]))
        }
      }
      let seconds = Stopwatch.processor.measure {
        for batch in batches { events += pairs.apply(batch, to: live).count }
      }
      // The judge looks at everybody near a hundredth of them.
      for number in stride(from: 0, to: count, by: count / 100) {
        let near = pairs.partners(of: UInt64(number))
        let judged = places.indices.filter {
          $0 != number && places[$0].distance(to: places[number]).meters <= 50
        }
        guard Set(judged.map { UInt64($0) }).isSubset(of: near),
          near.allSatisfy({ places[Int($0)].distance(to: places[number]).meters <= 60 })
        else { fatalError("the pairs of \(number) are wrong") }
      }
      report(
        "pairs of \(count), a move", [seconds / 20_000 * 1e9], "\(events) events",
        "\(pairs.pairs.count) pairs")
    }
  }

  private static func rounded(_ value: Double) -> Int { Int(value.rounded()) }

  private static func report(_ name: String, _ rounds: [Double], _ remarks: String...) {
    let (least, most) = (rounds.min() ?? 0, rounds.max() ?? 0)
    let spread = rounds.count > 1 ? " (to \(rounded(most)))" : ""
    let said = remarks.filter { !$0.isEmpty }.joined(separator: ", ")
    print("\(name): \(rounded(least))\(spread) ns; \(said)")
  }
}
