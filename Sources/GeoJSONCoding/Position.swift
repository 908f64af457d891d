import Geodesy

/// A position in GeoJSON order: longitude, latitude, and optionally an altitude.
///
/// Any finite numbers; `coordinate()` checks whether they lie on the Earth.
public struct Position: Hashable, Sendable {
  /// Degrees east, as written: possibly past ±180, and 180 stays 180.
  public var longitude: Double
  /// Degrees north, as written.
  public var latitude: Double
  /// Meters above the ellipsoid; nil for a position of two numbers.
  public var altitude: Double?

  /// Makes a position from any finite degrees and meters.
  public init(longitude: Double, latitude: Double, altitude: Double? = nil) {
    self.longitude = longitude
    self.latitude = latitude
    self.altitude = altitude
  }

  /// Makes a position without altitude.
  public init(_ coordinate: Coordinate) {
    self.init(longitude: coordinate.longitude, latitude: coordinate.latitude)
  }

  /// The position on the Earth, without the altitude.
  ///
  /// - Throws: `CoordinateError` if a number is out of range.
  public func coordinate() throws(CoordinateError) -> Coordinate {
    try Coordinate(latitude: latitude, longitude: longitude)
  }
}
