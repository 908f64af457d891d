import AnnotationImport
import Geodesy
import LocationFiltering

/// What became of a track: how many fixes of which verdict and why, and how long it is.
package struct TrackTally {
  package private(set) var summary: TrackSummary
  package private(set) var unread = UnreadValues()
  /// By verdict, then by the first reason.
  package private(set) var counts: [JudgedPoint.Verdict: [String: Int]] = [:]
  /// The way through all fixes that are believed, and through those that are accepted.
  package private(set) var believed = Way(), accepted = Way()
  /// What the fixes are, before a gate saw them: how fast the fastest believed step is.
  package private(set) var greatestBelievedSpeed = 0.0

  /// - Parameter keepsSpeeds: Whether the median speed is asked for, which takes memory for each fix.
  package init(keepsSpeeds: Bool) { summary = TrackSummary(keepsSpeeds: keepsSpeeds) }

  /// A length over parts between which nothing is known of the way.
  package struct Way {
    package private(set) var length = Distance.zero
    private var last: (position: Coordinate, part: Int, time: Double?)?

    /// Adds the next position, and returns the speed at which it was reached.
    package mutating func add(_ position: Coordinate, _ point: TrackPoint) -> Double? {
      defer { last = (position, point.part, point.fix.time) }
      guard let last, last.part == point.part else { return nil }
      let step = last.position.distance(to: position)
      length = length + step
      guard let time = point.fix.time, let before = last.time, time > before else { return nil }
      return step.meters / (time - before)
    }
  }

  /// Counts a fix.
  package mutating func add(_ judged: JudgedPoint) {
    summary.add(judged.point)
    unread.add(judged.point)
    counts[judged.verdict, default: [:]][judged.code, default: 0] += 1
  }

  /// Continues the way with a fix that is believed.
  package mutating func add(believed judged: JudgedPoint) {
    guard let position = judged.point.fix.coordinate else { return }
    if let speed = believed.add(position, judged.point) {
      greatestBelievedSpeed = max(greatestBelievedSpeed, speed)
    }
    if judged.isAccepted { _ = accepted.add(position, judged.point) }
  }

  package func count(_ verdict: JudgedPoint.Verdict) -> Int {
    counts[verdict, default: [:]].values.reduce(0, +)
  }

  /// The reasons of a verdict with their counts, the most frequent first.
  package func reasons(_ verdict: JudgedPoint.Verdict) -> [(code: String, count: Int)] {
    ImportReport.ranked(counts[verdict, default: [:]])
  }

  /// The reasons of a verdict in a line: `speed 3, no-fix 1`.
  ///
  /// - Parameter space: What stands between a reason and its count.
  package func reasonList(_ verdict: JudgedPoint.Verdict, space: String = " ") -> String {
    reasons(verdict).map { "\($0.code)\(space)\(grouped($0.count))" }.joined(separator: ", ")
  }
}

/// The times and accuracies of a track that cannot be read, whether any fix has a time, and how many have one without a
/// zone.
package struct UnreadValues {
  /// What stands in the place of one of the values.
  package struct Texts {
    package private(set) var count = 0
    private var first: (text: String, line: Int)?

    fileprivate mutating func add(_ text: String?, line: Int) {
      guard let text else { return }
      count += 1
      if first == nil { first = (text, line) }
    }

    fileprivate func remark(_ name: String, of fixes: Int, _ consequence: String) -> String? {
      guard let first else { return nil }
      return "note: \(grouped(count)) of \(grouped(fixes, "fix", "fixes")) "
        + "\(count == 1 ? "has" : "have") \(name) that cannot be read, such as "
        + "\"\(first.text)\" in line \(grouped(first.line)); \(consequence)"
    }
  }

  package private(set) var times = Texts(), accuracies = Texts()
  private var hasTimes = false
  private var hasAccuracies = false
  private var assumedCount = 0

  package init() {}

  package mutating func add(_ point: TrackPoint) {
    hasTimes = hasTimes || point.fix.time != nil
    hasAccuracies = hasAccuracies || point.fix.accuracy != nil
    if point.assumesUTC { assumedCount += 1 }
    times.add(point.unreadTime, line: point.line)
    accuracies.add(point.unreadAccuracy, line: point.line)
  }

  /// What to tell about them.
  ///
  /// - Parameters:
  ///   - policy: Its rules do nothing where no fix has what they ask about.
  ///   - timeRules: Other rules that need times.
  package func remarks(
    of fixes: Int, policy: GatePolicy, timeRules: [String] = []
  ) -> [String] {
    let timeRules = policy.timeRules + timeRules
    let withoutTimes: String? =
      fixes > 0 && !hasTimes && times.count == 0 && !timeRules.isEmpty
      ? "note: no fix has a time, so these rules do nothing: " + timeRules.joined(separator: ", ")
        + "; use a track with times or, if it has columns, name the one with times with `timeField`"
      : nil
    let withoutAccuracies: String? =
      fixes > 0 && !hasAccuracies && accuracies.count == 0 && policy.worstAccuracy != nil
      ? "note: no fix has an accuracy in meters, so the rule on it does nothing; "
        + "if the track has a column of them, name it with `accuracyField`"
      : nil
    let unreadTimes = times.remark(
      "a time", of: fixes,
      "rules on order, age and intervals skip them, and rules on speed count them as measured at "
        + "the time of the last good fix; write 2026-11-22T09:00:00Z")
    let unreadAccuracies = accuracies.remark(
      "an accuracy", of: fixes, "a rule on accuracy rejects them; write 12.5 or 12.5m")
    let assumed: String? =
      assumedCount > 0
      ? "note: \(grouped(assumedCount)) of \(grouped(fixes, "fix", "fixes")) "
        + "\(assumedCount == 1 ? "has" : "have") a time without a zone, which is taken as UTC; "
        + "if it is another zone's, name that with `zone`"
      : nil
    return [withoutTimes, withoutAccuracies, assumed, unreadTimes, unreadAccuracies]
      .compactMap(\.self)
  }
}

extension GatePolicy {
  /// The rules that need times, as a message calls them.
  fileprivate var timeRules: [String] {
    [
      ("speed", greatestSpeed != nil || learnsMotion), ("order", rejectsOutOfOrder),
      ("interval", leastInterval != nil), ("age", greatestAge != nil || greatestLead != nil),
    ].filter(\.1).map(\.0)
  }
}
