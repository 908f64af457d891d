import Geodesy

/// When somebody counts as having entered or left a fence.
///
/// The default is the plain rule: inside is inside, at once. `phone` is for what phones deliver.
///
///     var policy = FencePolicy.phone
///     policy.dwell = 300
public struct FencePolicy: Hashable, Sendable {
  /// How far outside somebody must be to have left.
  ///
  /// Hysteresis: somebody who walks along a border does not leave and enter at every step. To
  /// enter, one must be inside.
  public var exitBuffer = Distance.zero
  /// Whether leaving takes being outside by more than the fix's accuracy, besides the buffer; a fix
  /// that does not state it counts as accurate.
  public var exitNeedsAccuracy = false
  /// What confirms having entered.
  public var entry = Confirmation.fixes(1)
  /// What confirms having left.
  public var exit = Confirmation.fixes(1)
  /// After how many seconds inside dwelling is reported, once for each stay; nil for never.
  public var dwell: Double?
  /// Whether passing through between two fixes outside is reported.
  public var reportsCrossing = true
  /// After how many seconds between two fixes the path between them counts as unknown, so that no
  /// crossing is reported; nil to always use the shortest line.
  public var greatestCrossingGap: Double?

  /// What makes a change of side believed.
  public enum Confirmation: Hashable, Sendable {
    /// So many fixes in a row; 1 is at once.
    case fixes(Int)
    /// Fixes over so many seconds, the first and the last of which agree; fixes without times never
    /// confirm it.
    case seconds(Double)
  }

  /// The plain rule.
  public init() {}

  /// Leaves after two fixes that are outside by more than 25 m and their accuracy.
  ///
  /// Two, because positions are now and then 200 m off with a stated accuracy of 2 m.
  ///
  /// Source: Tracelet's issues 274 and 294 for the rule; the 25 m are ours.
  public static let phone: FencePolicy = {
    var policy = FencePolicy()
    policy.exitBuffer = .meters(25)
    policy.exitNeedsAccuracy = true
    policy.exit = .fixes(2)
    return policy
  }()
}

extension FencePolicy.Confirmation {
  /// Whether so many fixes in a row, the first so many seconds before the last, are enough.
  func isMet(count: Int, elapsed: Double?) -> Bool {
    switch self {
    case .fixes(let least): count >= least
    case .seconds(let least): least <= 0 || (elapsed.map { $0 >= least } ?? false)
    }
  }
}
