import Geodesy

/// Finds fixes that the fixes before and after them contradict, with hindsight.
///
/// A gate must answer at once and cannot know whether a fix far from the last is an error or the
/// start of a car ride. Eight fixes later that is clear. If the answer may wait, as for a track in
/// a file, put this filter before the gate:
///
///     var filter = OutlierFilter(), gate = LocationGate(.cinema300m)
///     for fix in fixes {
///       if let reviewed = filter.take(fix) { print(gate.judge(reviewed)) }
///     }
///     for reviewed in filter.finish() { print(gate.judge(reviewed)) }
///
/// Fixes come out in their order, `lookahead` fixes later. The same fixes give the same outliers,
/// however they are split into portions. <doc:Hindsight> defines outliers, and <doc:Faults> says
/// how many are found. A gate behind this filter does not need ``GatePolicy/learnsMotion``, which
/// only guesses what the filter knows.
///
/// - Complexity: O(1) for each fix, about 0.8 µs; memory for 20 fixes and those that wait.
public struct OutlierFilter: Sendable {
  /// How many later fixes are seen before a fix is judged.
  public let lookahead: Int
  /// The gate's rules: fixes that they refuse anyway are not compared with others.
  private let rules: Rules
  /// The waiting fixes, oldest first.
  private var waiting: [Waiting] = []
  /// The path of the usable fixes: the most recent ones that came out, and all that wait.
  private var way = FixWay()

  private struct Waiting {
    var reviewed: ReviewedFix
    /// Whether the fix has a place on the path.
    let isUsable: Bool
  }

  /// Makes a filter without any fixes.
  ///
  /// - Parameters:
  ///   - policy: The policy of the gate behind the filter: fixes that it refuses on their own (no
  ///     position, outside the region, too inaccurate) are not reviewed or compared with others.
  ///   - lookahead: How many later fixes are seen before a fix is judged, at least 2. Runs of up to
  ///     `lookahead - 3` bad fixes are found, but of no more than five.
  public init(for policy: GatePolicy = GatePolicy(), lookahead: Int = 8) {
    precondition(lookahead >= 2, "\(lookahead) fixes ahead do not show who is right")
    self.lookahead = lookahead
    rules = Rules(policy)
  }

  /// Takes the next fix and returns the one `lookahead` before it; nil if there is none yet.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - now: The current time on the clock of the fixes, for rules about age; nil to skip them.
  public mutating func take(_ fix: Fix, now: Double? = nil) -> ReviewedFix? {
    let position = try? rules.position(of: fix)
    let isUsable = position.map { rules.refusals(of: fix, at: $0, now: now) == nil } ?? false
    if isUsable, let position { way.append(fix, at: position) }
    waiting.append(Waiting(reviewed: ReviewedFix(fix, now: now), isUsable: isUsable))
    return waiting.count > lookahead ? release() : nil
  }

  /// Returns all waiting fixes, at the end of the input.
  public mutating func finish() -> [ReviewedFix] {
    var reviewed: [ReviewedFix] = []
    while !waiting.isEmpty { reviewed.append(release()) }
    way = FixWay()
    return reviewed
  }

  /// Reviews the oldest waiting fix.
  private mutating func release() -> ReviewedFix {
    var oldest = waiting.removeFirst()
    if oldest.isUsable {
      oldest.reviewed.objection = way.release(longestRun: min(5, max(1, lookahead - 3)))
    }
    return oldest.reviewed
  }
}
