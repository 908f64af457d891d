/// A position as a CRS writes it: easting and northing in the CRS's unit, or longitude and latitude
/// in degrees.
///
/// East comes first always, whatever order the CRS itself is defined in: nearly all Korean and
/// Japanese grids are northing first, and call the northing X.
public struct PlanePosition: Hashable, Sendable {
  /// The easting, or the longitude.
  public var x: Double
  /// The northing, or the latitude.
  public var y: Double

  /// A position of two numbers, which may be any.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A position on the ellipsoid of a datum, in degrees.
///
/// A `Coordinate` is one on WGS 84; this one is on whatever datum its CRS has, up to 500 m away for
/// the same numbers.
public struct GeodeticPosition: Hashable, Sendable {
  /// Degrees north, −90…90.
  public var latitude: Double
  /// Degrees east.
  public var longitude: Double

  /// A position of two numbers, which may be any.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}
