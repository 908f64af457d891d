import Geodesy

/// The fixes of a track at which something stands for the time that nobody can read: no rule on speed,
/// order or age sees these, which somebody should know who counts on the rules.
package struct UnreadTimes {
  package private(set) var count = 0
  private var first: (text: String, line: Int)?

  package init() {}

  package mutating func add(_ point: TrackPoint) {
    guard let text = point.unreadTime else { return }
    count += 1
    if first == nil { first = (text, point.line) }
  }

  /// What to tell about them; nil where there are none.
  package func remark(of fixes: Int) -> String? {
    guard let first else { return nil }
    return "note: \(grouped(count)) of \(grouped(fixes, "fix", "fixes")) "
      + "\(count == 1 ? "has" : "have") a time that cannot be read, as "
      + "\"\(first.text)\" in line \(grouped(first.line)); rules on speed, order and age skip them; "
      + "write 2026-11-22T09:00:00Z"
  }
}
