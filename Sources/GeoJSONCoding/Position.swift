import Geodesy

/// One position as GeoJSON has it: longitude first, then latitude, then perhaps an altitude.
///
/// Any finite numbers; whether they lie on the Earth is asked by `coordinate()`.
public struct Position: Hashable, Sendable {
  /// Degrees east, as written: perhaps past ±180, and 180 stays 180.
  public var longitude: Double
  /// Degrees north, as written.
  public var latitude: Double
  /// Meters above the ellipsoid; nil where the position has two numbers.
  public var altitude: Double?

  /// Makes a position of degrees and meters, any finite ones.
  public init(longitude: Double, latitude: Double, altitude: Double? = nil) {
    self.longitude = longitude
    self.latitude = latitude
    self.altitude = altitude
  }

  /// Makes a position without altitude.
  public init(_ coordinate: Coordinate) {
    self.init(longitude: coordinate.longitude, latitude: coordinate.latitude)
  }

  /// The position on the Earth; the altitude is left out.
  ///
  /// - Throws: `CoordinateError` where a number is outside its range.
  public func coordinate() throws(CoordinateError) -> Coordinate {
    try Coordinate(latitude: latitude, longitude: longitude)
  }
}
