import Geodesy

/// The fixes of a track at which something stands for a value that nobody can read, which somebody
/// should know who counts on the rules that need it.
package struct UnreadValues {
  /// What cannot be read.
  package enum Kind { case time, accuracy }

  private let kind: Kind
  package private(set) var count = 0
  private var first: (text: String, line: Int)?

  package init(_ kind: Kind) { self.kind = kind }

  package mutating func add(_ point: TrackPoint) {
    guard let text = kind == .time ? point.unreadTime : point.unreadAccuracy else { return }
    count += 1
    if first == nil { first = (text, point.line) }
  }

  /// What to tell about them; nil where there are none.
  package func remark(of fixes: Int) -> String? {
    guard let first else { return nil }
    let (name, consequence) =
      switch kind {
      case .time:
        (
          "a time",
          "rules on order, age and intervals skip them, and rules on speed count them as measured at "
            + "the time of the last good fix; write 2026-11-22T09:00:00Z"
        )
      case .accuracy:
        ("an accuracy", "a rule on accuracy rejects them; write 12.5 or 12.5m")
      }
    return "note: \(grouped(count)) of \(grouped(fixes, "fix", "fixes")) "
      + "\(count == 1 ? "has" : "have") \(name) that cannot be read, as "
      + "\"\(first.text)\" in line \(grouped(first.line)); \(consequence)"
  }
}
