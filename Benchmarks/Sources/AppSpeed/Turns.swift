import Complaints
import NearbyKit
import Stopwatches

/// What an answer adds up to, the same for equal answers.
struct Sum: Equatable {
  private(set) var value: UInt64 = 0

  init() {}
  init(_ count: Int) { value = UInt64(count) }

  /// An answer in any order.
  mutating func add(_ number: Int) { value &+= UInt64(number) &* 0x9E37_79B9 ^ 0x55 }

  /// One of an answer in order.
  mutating func add(_ number: Int, _ rank: Int, _ distance: Distance) {
    value &+= UInt64(number) &* UInt64(rank + 1) &+ distance.meters.bitPattern
  }
}

/// Two ways to one answer, whose processor time in this thread is measured by turns.
enum Turns {
  static let rounds = 15

  static func compare(
    _ name: String, questions: Int, _ bare: () -> Sum, beside: () -> Sum
  ) {
    var times: (bare: [Double], app: [Double]) = ([], [])
    for round in 0...rounds {
      let (wanted, first) = timed(bare)
      let (found, second) = timed(beside)
      guard found == wanted else { Complaint("\(name): answers differ", .badData).end() }
      // The first round brings everything into the caches.
      guard round > 0 else { continue }
      times.bare.append(first)
      times.app.append(second)
    }
    func median(_ list: [Double]) -> Double { list.sorted()[list.count / 2] / Double(questions) }
    let (one, other) = (median(times.bare), median(times.app))
    print(
      "\(name): \(micro(one)) bare, \(micro(other)) as annotations, \(hundredths(other / one)) times"
    )
  }

  private static func timed(_ body: () -> Sum) -> (Sum, Double) {
    let start = Stopwatch.thread.seconds
    let sum = body()
    return (sum, Stopwatch.thread.seconds(since: start))
  }

  private static func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
  private static func micro(_ seconds: Double) -> String { "\(hundredths(seconds * 1e6)) µs" }
}
