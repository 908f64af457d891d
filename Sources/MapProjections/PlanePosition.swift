/// A position in a CRS: easting and northing in the CRS's unit, or longitude and latitude in
/// degrees.
///
/// East always comes first, whatever the axis order of the CRS: nearly all Korean and Japanese
/// grids have the northing first, and call it X.
public struct PlanePosition: Hashable, Sendable {
  /// The easting, or the longitude.
  public var x: Double
  /// The northing, or the latitude.
  public var y: Double

  /// Makes a position from any two numbers.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A position on the ellipsoid of a datum, in degrees.
///
/// A `Coordinate` is on WGS 84; this position is on the datum of its CRS, up to 500 m away for the
/// same numbers.
public struct GeodeticPosition: Hashable, Sendable {
  /// Degrees north, −90…90.
  public var latitude: Double
  /// Degrees east.
  public var longitude: Double

  /// Makes a position from any two numbers.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}
