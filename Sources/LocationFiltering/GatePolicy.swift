import Geodesy

/// What a gate lets through.
///
/// Every rule that is nil or false is not asked. The default accepts whatever is a position.
///
///     var policy = GatePolicy.cinema300m
///     policy.region = .southKorea
///     policy.greatestSpeed = 50
public struct GatePolicy: Hashable, Sendable {
  /// How far a fix must have moved to be accepted; nil accepts every good one.
  public var movement: MovementRule?
  /// What the move is measured from.
  public var reference: Reference = .lastAccepted
  /// Whether a move must also be longer than the two accuracies together, where both are known.
  public var needsMoreThanAccuracy = false
  /// The least time between two accepted fixes, in seconds; exactly that much is enough, to a microsecond.
  ///
  /// A fix from before the last accepted one is too soon, too; the `reanchorCount`th of such in a row is
  /// not, so that one time from the future does not hold up all that follows.
  public var leastInterval: Double?
  /// What times are told to, in seconds: those of this century are 0.24 µs apart as `Double` counts them from 1970,
  /// and 0.8 s after another is some less by that.
  static let leastSecond = 1e-6

  /// Where fixes are expected; edges belong to it.
  public var region: Region?
  /// The worst accuracy in meters that is taken; a fix that does not say counts as good.
  public var worstAccuracy: Double?
  /// Whether fixes that a program made up are refused.
  public var rejectsSimulated = false
  /// Whether a fix at 0,0 (both under 0.0005°) is a position like any other.
  public var allowsNullIsland = false
  /// How old a fix may be in seconds, where the caller says what time it is.
  public var greatestAge: Double?
  /// How far in the future a fix may lie in seconds, where the caller says what time it is.
  public var greatestLead: Double?

  /// The fastest that anybody is believed to move, in meters a second, after both accuracies are
  /// taken off the distance.
  public var greatestSpeed: Double?
  /// The longest step that is believed in meters, however long it took, after both accuracies are
  /// taken off: for fixes without times.
  public var greatestJump: Double?
  /// Whether a fix is refused that does not fit how the device has moved so far: much faster than of
  /// late, or far from where it was heading.
  ///
  /// Needs times. Of the first step 10 m/s are believed, and less the more is known. Someone who boards a
  /// train is rejected until `reanchorCount` fixes agree; a fix that may have been reached during a gap of
  /// more than five minutes is held. Give `greatestSpeed`, too: by it the refused ones must agree.
  public var learnsMotion = false
  /// Whether a fix that is older than the last good one is refused.
  public var rejectsOutOfOrder = false
  /// By how much a time may be off in seconds: 1 where times are whole seconds.
  public var timeResolution = 1.0
  /// After how many refused fixes in a row that agree with each other the gate believes them
  /// instead, so that a bad anchor does not refuse everything that follows; 0 for never.
  public var reanchorCount = 3
  /// How many fixes that agree with each other the first acceptance takes.
  public var firstFixCount = 1

  /// What a move is measured from.
  public enum Reference: Hashable, Sendable {
    /// The last accepted fix, so that slow drift adds up.
    case lastAccepted
    /// The last fix that was not rejected, so that it does not.
    case lastSeen
    /// The last fix of all, bad ones too: what the mart app really does. For comparison only.
    case lastDelivered
  }

  /// A gate that accepts whatever is a position.
  public init() {}
}
