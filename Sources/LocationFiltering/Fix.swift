import Geodesy

/// One measured location, as a device delivers it; nothing about it is known to be true.
///
/// Degrees are kept as delivered, even out of range or not a number, so that a gate can say what is
/// wrong with them. A fix without degrees was delivered without a position.
public struct Fix: Hashable, Sendable {
  /// Degrees north as delivered; nil without a position.
  public var latitude: Double?
  /// Degrees east as delivered; nil without a position.
  public var longitude: Double?
  /// The time of measurement in seconds since an instant that the caller chooses; nil if unknown.
  public var time: Double?
  /// The accuracy as a radius in meters; nil if unknown.
  ///
  /// A negative value means that the position is invalid, as in Core Location.
  public var accuracy: Double?
  /// Whether a program simulated the fix, as far as the device knows.
  public var isSimulated: Bool

  /// Makes a fix from delivered values, valid or not.
  public init(
    latitude: Double?, longitude: Double?, time: Double? = nil, accuracy: Double? = nil,
    isSimulated: Bool = false
  ) {
    self.latitude = latitude
    self.longitude = longitude
    self.time = time
    self.accuracy = accuracy
    self.isSimulated = isSimulated
  }

  /// Makes a fix at a position.
  public init(_ position: Coordinate, time: Double? = nil, accuracy: Double? = nil) {
    self.init(
      latitude: position.latitude, longitude: position.longitude, time: time, accuracy: accuracy)
  }

  /// The position, if the degrees are valid.
  public var coordinate: Coordinate? {
    guard let latitude, let longitude else { return nil }
    return try? Coordinate(latitude: latitude, longitude: longitude)
  }
}

// MARK: - With hindsight

/// A fix reviewed in the light of those before and after it.
public struct ReviewedFix: Hashable, Sendable {
  /// The fix as delivered.
  public let fix: Fix
  /// The time when the fix was taken; nil if the caller did not pass it.
  public let now: Double?
  /// Why the fix cannot be right beside the others; nil if nothing speaks against it.
  public internal(set) var objection: GateReason?

  /// Makes an unreviewed fix, without objection.
  public init(_ fix: Fix, now: Double? = nil) { (self.fix, self.now) = (fix, now) }
}

extension LocationGate {
  /// Judges a reviewed fix; one with an objection is rejected and leaves the gate unchanged.
  public mutating func judge(_ reviewed: ReviewedFix) -> GateVerdict {
    if let objection = reviewed.objection { return .rejected(GateReasons(objection)) }
    return judge(reviewed.fix, now: reviewed.now)
  }
}
