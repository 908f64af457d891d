import Geodesy

/// The rules of a gate.
///
/// A rule that is nil or false is off. The default accepts every valid position.
///
///     var policy = GatePolicy.cinema300m
///     policy.region = .southKorea
///     policy.greatestSpeed = 50
public struct GatePolicy: Hashable, Sendable {
  /// How far a fix must have moved to be accepted; nil accepts every good fix.
  public var movement: MovementRule?
  /// The fix from which moves are measured.
  public var reference: Reference = .lastAccepted
  /// Whether a move must also exceed the sum of both accuracies, if both are known.
  public var needsMoreThanAccuracy = false
  /// The least time between two accepted fixes, in seconds; exactly that time is enough, to a microsecond.
  ///
  /// A fix from before the last accepted one is also too soon. The `reanchorCount`th such fix in a row is not, so that
  /// one time in the future does not block all later fixes.
  public var leastInterval: Double?
  /// The resolution for comparing times, in seconds: `Double` times of this century, counted from
  /// 1970, are 0.24 µs apart, so a difference of 0.8 s can come out slightly smaller.
  static let leastSecond = 1e-6

  /// The area where fixes are expected; its edges are included.
  public var region: Region?
  /// The worst accuracy accepted, in meters; a fix of unknown accuracy passes.
  public var worstAccuracy: Double?
  /// Whether simulated fixes are refused.
  public var rejectsSimulated = false
  /// Whether a fix at 0,0 (both under 0.0005°) is a valid position.
  public var allowsNullIsland = false
  /// The maximum age of a fix in seconds, if the caller passes the current time.
  public var greatestAge: Double?
  /// How far in the future a fix may be in seconds, if the caller passes the current time.
  public var greatestLead: Double?

  /// The maximum speed believed, in meters per second, after subtracting both accuracies from the
  /// distance.
  public var greatestSpeed: Double?
  /// The longest step believed, in meters, however long it took, after subtracting both accuracies:
  /// for fixes without times.
  public var greatestJump: Double?
  /// Whether to refuse a fix that does not fit the device's motion so far: much faster than recently, or far from where
  /// the device was heading.
  ///
  /// Needs times. Before the first step 10 m/s are believed, and less as more is known. After boarding a train, fixes
  /// are rejected until `reanchorCount` of them agree. A fix that may have been reached during a gap of more than five
  /// minutes is held. Also set `greatestSpeed`, which refused fixes must satisfy to agree.
  public var learnsMotion = false
  /// Whether to refuse a fix that is older than the last good one.
  public var rejectsOutOfOrder = false
  /// The maximum error of a time in seconds: 1 for times in whole seconds.
  ///
  /// Each step counts as that much longer than its times say, so that no step is refused that may have been slow
  /// enough: two fixes whose whole seconds are one apart may be almost two apart. With 1, a device that measures every
  /// second may so be almost twice as fast as `greatestSpeed`. Set less for times with fractions.
  public var timeResolution = 1.0
  /// How many consecutive refused fixes must agree with each other before the gate believes them,
  /// so that a bad anchor does not refuse all later fixes; 0 for never.
  public var reanchorCount = 3
  /// How many fixes must agree with each other before the first is accepted.
  public var firstFixCount = 1

  /// The fix from which moves are measured.
  public enum Reference: Hashable, Sendable {
    /// The last accepted fix: slow drift adds up.
    case lastAccepted
    /// The last fix that was not rejected: slow drift does not add up.
    case lastSeen
    /// The last fix delivered, even a bad one, as the mart app really does. For comparison only.
    ///
    /// If it is not a position, meters are measured from the last fix that was not rejected.
    case lastDelivered
  }

  /// Makes a policy that accepts every valid position.
  public init() {}
}
