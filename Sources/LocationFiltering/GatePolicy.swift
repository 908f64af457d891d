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

  /// The cinema app's rule: a fix is accepted more than 300 m from the last accepted one.
  ///
  /// The app treats a latitude of 0 as *no position*. Here only 0,0 means that, and other positions
  /// on the equator are valid.
  public static let cinema300m = GatePolicy { $0.movement = .meters(300, .exclusive) }

  /// The mart app's rule as its authors describe it: skip a fix if latitude and longitude both differ by less than
  /// 0.0005° from the last accepted fix, and accept only the app's box of Korea.
  public static let mart0005deg = GatePolicy {
    $0.movement = .degrees(0.0005, axes: .any, .inclusive)
    $0.region = .martAppKorea
  }

  /// The mart app's rule as implemented, for comparison only.
  ///
  /// Only moves to the south and west count, measured from the last fix delivered. So after a bad first fix nothing in
  /// Korea is accepted, and slow drift never is.
  public static let martAsBuilt = GatePolicy {
    $0.movement = .degreesSouthOrWest(0.0005)
    $0.reference = .lastDelivered
    $0.region = .martAppKorea
    $0.allowsNullIsland = true
  }

  /// Accepts every plausible fix, however little it moved: for cleaning a track.
  ///
  /// Fixes must be no faster than 100 m/s, consistent with earlier motion and in order, and the first two must agree.
  public static let careful = GatePolicy {
    $0.greatestSpeed = 100
    $0.learnsMotion = true
    $0.rejectsOutOfOrder = true
    $0.firstFixCount = 2
  }

  private init(_ change: (inout GatePolicy) -> Void) {
    self.init()
    change(&self)
  }

  /// The presets by name.
  public static let presets: [(name: String, policy: GatePolicy)] = [
    ("cinema300m", .cinema300m), ("mart0.0005deg", .mart0005deg), ("martAsBuilt", .martAsBuilt),
    ("careful", .careful),
  ]

  /// The preset with a name, ignoring case; nil for any other name.
  public init?(named name: String) {
    let wanted = name.lowercased()
    guard let preset = GatePolicy.presets.first(where: { $0.name.lowercased() == wanted }) else {
      return nil
    }
    self = preset.policy
  }
}

/// How far a fix must be from the reference fix to be accepted.
public enum MovementRule: Hashable, Sendable {
  /// Meters along the geodesic.
  ///
  /// Lengths are compared in whole micrometers, so that 300 m is 300 m however it was computed.
  case meters(Double, Edge)
  /// Degrees on each axis separately, in any direction, and across ±180° too.
  ///
  /// A box, not a circle: at 37.5° N, 0.0005° is 55 m north and 44 m east. Differences are compared in whole
  /// nanodegrees, 0.1 mm, so that a typed 0.0005 is 0.0005 even if its binary value is not.
  case degrees(Double, axes: Axes, Edge)
  /// More degrees to the south or to the west, strictly, and no move north or east counts: what the
  /// mart app really does. For comparison only.
  case degreesSouthOrWest(Double)

  /// Whether a move of exactly the threshold passes.
  public enum Edge: Hashable, Sendable {
    /// Exactly the threshold does not pass.
    case exclusive
    /// Exactly the threshold passes.
    case inclusive
  }

  /// The axes on which the threshold must be passed.
  public enum Axes: Hashable, Sendable {
    /// At least one axis.
    case any
    /// Both axes.
    case all
  }

  /// The threshold, in its unit.
  public var threshold: Double {
    switch self {
    case .meters(let threshold, _), .degrees(let threshold, _, _),
      .degreesSouthOrWest(let threshold):
      threshold
    }
  }
}

extension MovementRule.Edge {
  /// Whether a move passes the threshold, with both rounded to steps of `resolution`.
  func isPassed(_ move: Double, _ threshold: Double, resolution: Double) -> Bool {
    // Rounding is a function call, and cannot change the order of lengths more than a step apart.
    if abs(move - threshold) > 2 * resolution { return move > threshold }
    let move = (move / resolution).rounded(), threshold = (threshold / resolution).rounded()
    return self == .inclusive ? move >= threshold : move > threshold
  }
}
