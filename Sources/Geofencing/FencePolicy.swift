import Geodesy

/// The rules for entering and leaving a fence.
///
/// The default is the simple rule: inside counts at once. `phone` is for fixes from phones.
///
///     var policy = FencePolicy.phone
///     policy.dwell = 300
public struct FencePolicy: Hashable, Sendable {
  /// How far outside the object must be to have left.
  ///
  /// Hysteresis: an object that moves along a border does not leave and enter at every step. To
  /// enter, it must be inside.
  public var exitBuffer = Distance.zero
  /// Whether leaving also requires a distance outside greater than the fix's accuracy; a fix
  /// without accuracy counts as exact.
  public var exitNeedsAccuracy = false
  /// The confirmation of an entry.
  public var entry = Confirmation.fixes(1)
  /// The confirmation of an exit.
  public var exit = Confirmation.fixes(1)
  /// The seconds inside after which a dwell event is reported, once for each stay; nil for never.
  public var dwell: Double?
  /// Whether to report passing through a fence between two fixes outside.
  public var reportsCrossing = true
  /// The time in seconds between two fixes beyond which the path counts as unknown and no crossing
  /// is reported; nil to always use the shortest line.
  public var greatestCrossingGap: Double?

  /// The confirmation of a change of side.
  public enum Confirmation: Hashable, Sendable {
    /// A number of consecutive fixes; 1 means at once.
    case fixes(Int)
    /// Consecutive fixes that span a number of seconds and agree; fixes without times never confirm
    /// it.
    case seconds(Double)
  }

  /// Makes the simple rule.
  public init() {}

  /// Leaves after two fixes that are outside by more than 25 m plus their accuracy.
  ///
  /// Two, because positions are occasionally 200 m off with a stated accuracy of 2 m.
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
  /// Whether a number of consecutive fixes, and the seconds from the first to the last, are enough.
  func isMet(count: Int, elapsed: Double?) -> Bool {
    switch self {
    case .fixes(let least): count >= least
    case .seconds(let least): least <= 0 || (elapsed.map { $0 >= least } ?? false)
    }
  }
}
