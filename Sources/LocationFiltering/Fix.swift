import Geodesy

/// One measured location, as a device delivers it: nothing about it is known to be true.
///
/// Degrees are kept as they came, out of range or not a number, so that a gate can say what is wrong
/// with them. A fix without numbers is one that a device delivered without a position.
public struct Fix: Hashable, Sendable {
  /// Degrees north as delivered; nil where there is no position.
  public var latitude: Double?
  /// Degrees east as delivered; nil where there is no position.
  public var longitude: Double?
  /// When it was measured, in seconds from whatever instant the caller counts from; nil when not said.
  public var time: Double?
  /// The radius in meters within which the device believes to be; nil when not said.
  ///
  /// Negative means that the position is not valid, as Core Location has it.
  public var accuracy: Double?
  /// Whether a program made it up, as far as the device knows.
  public var isSimulated: Bool

  /// Takes what was delivered, good or bad.
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

  /// A fix at a position.
  public init(_ position: Coordinate, time: Double? = nil, accuracy: Double? = nil) {
    self.init(
      latitude: position.latitude, longitude: position.longitude, time: time, accuracy: accuracy)
  }

  /// The position, where the numbers are one.
  public var coordinate: Coordinate? {
    guard let latitude, let longitude else { return nil }
    return try? Coordinate(latitude: latitude, longitude: longitude)
  }
}
