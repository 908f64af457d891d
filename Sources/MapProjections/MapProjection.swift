import Geodesy

/// A formula from an ellipsoid to the plane and back.
public protocol MapProjection: Sendable {
  /// Projects a position on the ellipsoid to the plane.
  ///
  /// - Parameter position: A latitude of −90…90 degrees and any longitude.
  /// - Returns: Easting and northing, in meters.
  /// - Throws: `CRSError` outside the domain, or if a number is not finite or the latitude is invalid.
  func forward(_ position: GeodeticPosition) throws(CRSError) -> PlanePosition

  /// Converts a point of the plane to a position on the ellipsoid.
  ///
  /// - Parameter position: Easting and northing, in meters.
  /// - Returns: Degrees; the longitude is −180…180.
  /// - Throws: `CRSError` outside the domain, or if a number is not finite.
  func inverse(_ position: PlanePosition) throws(CRSError) -> GeodeticPosition
}

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

extension GeodeticPosition {
  /// Throws unless both numbers are finite and the latitude is valid.
  @inline(__always)
  func check() throws(CRSError) {
    guard latitude.isFinite, longitude.isFinite else {
      throw .notFinite(PlanePosition(x: longitude, y: latitude))
    }
    guard abs(latitude) <= 90 else { throw .degrees(.latitudeOutOfRange(latitude)) }
  }
}

extension PlanePosition {
  /// Throws unless both numbers are finite.
  @inline(__always)
  func check() throws(CRSError) {
    guard x.isFinite, y.isFinite else { throw .notFinite(self) }
  }

  /// Throws unless these are degrees of a position on the Earth, longitude first, as a `Coordinate` takes them.
  package func checkDegrees() throws(CRSError) {
    try check()
    do throws(CoordinateError) {
      _ = try Coordinate(latitude: y, longitude: x)
    } catch {
      throw .degrees(error)
    }
  }
}
