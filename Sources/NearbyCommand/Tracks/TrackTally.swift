import Geodesy
import LocationFiltering
import TrackImport

/// What became of a track: how many fixes of which verdict and why, and how long it is.
struct TrackTally {
  private(set) var summary: TrackSummary
  private(set) var unreadTimes = UnreadTimes()
  /// By verdict, then by the first reason.
  private(set) var counts: [String: [String: Int]] = [:]
  /// The way through all fixes that are believed, and through those that are accepted.
  private(set) var believed = Way(), accepted = Way()
  /// What the fixes are, before a gate saw them: how fast the fastest believed step is.
  private(set) var greatestBelievedSpeed = 0.0

  /// - Parameter keepsSpeeds: Whether the median speed is asked for, which takes memory for each fix.
  init(keepsSpeeds: Bool) { summary = TrackSummary(keepsSpeeds: keepsSpeeds) }

  static let verdicts = ["accepted", "held", "rejected"]

  /// A length over parts between which nothing is known of the way.
  struct Way {
    private(set) var length = Distance.zero
    private var last: (position: Coordinate, part: Int, time: Double?)?

    /// Adds the next position, and returns the speed at which it was reached.
    mutating func add(_ position: Coordinate, _ point: TrackPoint) -> Double? {
      defer { last = (position, point.part, point.fix.time) }
      guard let last, last.part == point.part else { return nil }
      let step = last.position.distance(to: position)
      length = .meters(length.meters + step.meters)
      guard let time = point.fix.time, let before = last.time, time > before else { return nil }
      return step.meters / (time - before)
    }
  }

  mutating func add(_ judged: JudgedPoint) {
    summary.add(judged.point)
    unreadTimes.add(judged.point)
    counts[judged.verdict, default: [:]][judged.reasons.first?.code ?? "", default: 0] += 1
    guard !judged.isRejected, !judged.isDoubted, let position = judged.point.fix.coordinate else {
      return
    }
    if let speed = believed.add(position, judged.point) {
      greatestBelievedSpeed = max(greatestBelievedSpeed, speed)
    }
    if judged.isAccepted { _ = accepted.add(position, judged.point) }
  }

  func count(_ verdict: String) -> Int { counts[verdict, default: [:]].values.reduce(0, +) }

  /// The reasons of a verdict with their counts, the most frequent first.
  func reasons(_ verdict: String) -> [(code: String, count: Int)] {
    counts[verdict, default: [:]].map { (code: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.code) < ($0.count, $1.code) }
  }

  /// The reasons of a verdict in a line: `speed 3, no-fix 1`.
  ///
  /// - Parameter space: What stands between a reason and its count.
  func reasonList(_ verdict: String, space: String = " ") -> String {
    reasons(verdict).map { "\($0.code)\(space)\(grouped($0.count))" }.joined(separator: ", ")
  }
}
