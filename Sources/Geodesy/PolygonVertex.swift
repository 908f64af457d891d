/// A vertex of a polygon's ring, in degrees.
///
/// Unlike a `Coordinate`, it distinguishes 180 from −180: the edge from −180 to 180 along a
/// parallel goes once round the Earth, and a ring cut at ±180° says on which side it is.
public struct PolygonVertex: Hashable, Sendable {
  /// Degrees north of the equator, −90…90.
  public let latitude: Double
  /// Degrees east of Greenwich, −180…180.
  public let longitude: Double

  /// - Throws: `CoordinateError`, as `Coordinate(latitude:longitude:)` does.
  public init(latitude: Double, longitude: Double) throws(CoordinateError) {
    _ = try Coordinate(latitude: latitude, longitude: longitude)
    self.latitude = latitude + 0
    self.longitude = longitude + 0
  }

  /// For degrees already known to be valid.
  init(unchecked latitude: Double, _ longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The vertex at a position; at ±180° its longitude is −180.
  public init(_ position: Coordinate) {
    latitude = position.latitude
    longitude = position.longitude
  }
}
