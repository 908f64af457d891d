import Geodesy

extension GatePolicy {
  /// The cinema app's rule: a fix counts when it lies more than 300 m from the last that counted.
  ///
  /// The app takes a latitude of 0 for *no position*; here that is 0,0, and what lies on the equator
  /// is a place.
  public static let cinema300m: GatePolicy = {
    var policy = GatePolicy()
    policy.movement = .meters(300, .exclusive)
    return policy
  }()

  /// The mart app's rule as its authors describe it: skip a fix when latitude and longitude both
  /// differ by less than 0.0005° from the last that counted, and keep to its box of Korea.
  public static let mart0005deg: GatePolicy = {
    var policy = GatePolicy()
    policy.movement = .degrees(0.0005, axes: .any, .inclusive)
    policy.region = .martAppKorea
    return policy
  }()

  /// The mart app's rule as it was built, for comparison only: moves count to the south and west
  /// alone, and from the last fix delivered, so that after a bad first fix nothing in Korea counts
  /// and slow drift never does.
  public static let martAsBuilt: GatePolicy = {
    var policy = GatePolicy()
    policy.movement = .degreesSouthOrWest(0.0005)
    policy.reference = .lastDelivered
    policy.region = .martAppKorea
    policy.allowsNullIsland = true
    return policy
  }()

  /// Believes what fits: for cleaning a track, where every good fix counts however little it moved.
  ///
  /// No faster than 100 m/s, like the fixes before, in order, and not before two agree.
  public static let careful: GatePolicy = {
    var policy = GatePolicy()
    policy.greatestSpeed = 100
    policy.learnsMotion = true
    policy.rejectsOutOfOrder = true
    policy.firstFixCount = 2
    return policy
  }()

  /// The presets by name.
  public static let presets: [(name: String, policy: GatePolicy)] = [
    ("cinema300m", .cinema300m), ("mart0.0005deg", .mart0005deg), ("martAsBuilt", .martAsBuilt),
    ("careful", .careful),
  ]

  /// The preset of a name; nil for any other.
  public init?(named name: String) {
    guard let preset = GatePolicy.presets.first(where: { $0.name == name }) else { return nil }
    self = preset.policy
  }
}
