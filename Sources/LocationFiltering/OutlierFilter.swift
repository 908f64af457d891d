import Geodesy

/// Finds the fixes that those before and after them contradict: a gate's hindsight.
///
/// A gate must answer at once, and cannot know whether a fix far from the last is a slip or somebody
/// who got into a car. Eight fixes later that is plain. Where an answer may wait, as for a track in a
/// file, put this before the gate:
///
///     var filter = OutlierFilter(), gate = LocationGate(.cinema300m)
///     for fix in fixes {
///       if let reviewed = filter.take(fix) { print(gate.judge(reviewed)) }
///     }
///     for reviewed in filter.finish() { print(gate.judge(reviewed)) }
///
/// Fixes come out in the order in which they went in, `lookahead` fixes later. The same fixes give the
/// same outliers, in whatever portions they come. <doc:Hindsight> says what an outlier is, and
/// <doc:Faults> how many it finds. A gate behind it needs no ``GatePolicy/learnsMotion``, which
/// guesses what is known here.
///
/// - Complexity: O(1) a fix, some 0.8 µs; memory for 20 fixes and those that wait.
public struct OutlierFilter: Sendable {
  /// How many fixes are seen before one is judged.
  public let lookahead: Int
  /// What the gate behind it refuses anyway, and says nothing about others.
  private let rules: Rules
  /// Those that wait, the oldest first.
  private var waiting: [Waiting] = []
  /// The way of the usable fixes, the last of those that came out and all that wait.
  private var way = FixWay()

  private struct Waiting {
    var reviewed: ReviewedFix
    /// Whether it has a place on the way.
    let isUsable: Bool
  }

  /// Makes a filter that has seen nothing.
  ///
  /// - Parameters:
  ///   - policy: The policy of the gate behind it: what that refuses for itself (no position, outside
  ///     the region, not accurate enough) is not reviewed, and others are not compared with it.
  ///   - lookahead: How many fixes are seen before one is judged, from 2. Runs of up to
  ///     `lookahead - 3` bad fixes are found, of five at most.
  public init(for policy: GatePolicy = GatePolicy(), lookahead: Int = 8) {
    precondition(lookahead >= 2, "\(lookahead) fixes ahead do not show who is right")
    self.lookahead = lookahead
    rules = Rules(policy)
  }

  /// Takes the next fix and gives back the one `lookahead` before it; nil where there is none yet.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - now: The current time by the clock of the fixes, for rules on age; nil leaves those rules out.
  public mutating func take(_ fix: Fix, now: Double? = nil) -> ReviewedFix? {
    let position = try? rules.position(of: fix)
    let isUsable = position.map { rules.refusals(of: fix, at: $0, now: now) == nil } ?? false
    if isUsable, let position { way.append(fix, at: position) }
    waiting.append(Waiting(reviewed: ReviewedFix(fix, now: now), isUsable: isUsable))
    return waiting.count > lookahead ? release() : nil
  }

  /// Gives back all that wait: no fix follows them.
  public mutating func finish() -> [ReviewedFix] {
    var reviewed: [ReviewedFix] = []
    while !waiting.isEmpty { reviewed.append(release()) }
    way = FixWay()
    return reviewed
  }

  /// Reviews the oldest that waits.
  private mutating func release() -> ReviewedFix {
    var oldest = waiting.removeFirst()
    if oldest.isUsable {
      oldest.reviewed.objection = way.release(longestRun: min(5, max(1, lookahead - 3)))
    }
    return oldest.reviewed
  }
}

/// A fix, seen with those before and after it.
public struct ReviewedFix: Hashable, Sendable {
  /// What was delivered.
  public let fix: Fix
  /// What time it was when it was taken; nil where nobody said.
  public let now: Double?
  /// Why it cannot be right, beside the others; nil where nothing speaks against it.
  public fileprivate(set) var objection: GateReason?

  /// A fix that nobody has reviewed: nothing speaks against it.
  public init(_ fix: Fix, now: Double? = nil) { (self.fix, self.now) = (fix, now) }
}

extension LocationGate {
  /// Judges a fix of which it is known whether those around it contradict it: it is rejected then, and
  /// the gate stays as it was.
  public mutating func judge(_ reviewed: ReviewedFix) -> GateVerdict {
    if let objection = reviewed.objection { return .rejected(GateReasons(objection)) }
    return judge(reviewed.fix, now: reviewed.now)
  }
}
