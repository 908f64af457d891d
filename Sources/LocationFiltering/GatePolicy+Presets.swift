import Geodesy

extension GatePolicy {
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
