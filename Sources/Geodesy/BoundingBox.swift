/// A box of latitudes and longitudes in degrees, edges included.
///
/// `west > east` means that the box crosses the antimeridian (RFC 7946 §5.2). 180° and −180° are
/// one meridian: a box with an edge there contains positions written either way. A box whose north
/// edge is 90 contains the pole for the longitudes it spans.
///
///     let fiji = try BoundingBox(south: -21, west: 177, north: -12, east: -178)
///     fiji.crossesAntimeridian  // true
public struct BoundingBox: Hashable, Sendable, Encodable {
  /// The southern edge in degrees, −90…`north`.
  public let south: Double
  /// The western edge in degrees, −180…180.
  public let west: Double
  /// The northern edge in degrees, `south`…90.
  public let north: Double
  /// The eastern edge in degrees, −180…180; less than `west` when the box crosses ±180.
  public let east: Double

  /// - Throws: `CoordinateError` when an edge is out of range or `south > north`.
  public init(south: Double, west: Double, north: Double, east: Double) throws(CoordinateError) {
    for latitude in [south, north] {
      guard latitude.isFinite else { throw .notANumber(String(latitude)) }
      guard (-90...90).contains(latitude) else { throw .latitudeOutOfRange(latitude) }
    }
    for longitude in [west, east] {
      guard longitude.isFinite else { throw .notANumber(String(longitude)) }
      guard (-180...180).contains(longitude) else { throw .longitudeOutOfRange(longitude) }
    }
    guard south <= north else { throw .boxOrder(south: south, north: north) }
    self.init(unchecked: south, west, north, east)
  }

  /// For edges already known to be valid.
  package init(unchecked south: Double, _ west: Double, _ north: Double, _ east: Double) {
    self.south = south
    self.west = west
    self.north = north
    self.east = east
  }

  /// The whole Earth.
  public static let world = BoundingBox(unchecked: -90, -180, 90, 180)

  /// Whether the box runs eastward over ±180°.
  public var crossesAntimeridian: Bool { west > east }

  /// The width in degrees of longitude, 0…360.
  public var width: Double { crossesAntimeridian ? east + 360 - west : east - west }

  /// Whether a position lies in the box or on its edge.
  public func contains(_ position: Coordinate) -> Bool {
    guard south <= position.latitude, position.latitude <= north else { return false }
    // −180 is also 180: a box whose east edge is 180 contains it too.
    return containsLongitude(position.longitude)
      || (position.longitude == -180 && containsLongitude(180))
  }

  private func containsLongitude(_ longitude: Double) -> Bool {
    crossesAntimeridian
      ? longitude >= west || longitude <= east : west <= longitude && longitude <= east
  }

  /// Whether every position of `other` lies in this box.
  public func contains(_ other: BoundingBox) -> Bool {
    guard south <= other.south, other.north <= north else { return false }
    // Compare only: sums of edges would be rounded, and a box might not contain its own half.
    let spans = longitudeSpans
    func holds(_ part: ClosedRange<Double>) -> Bool {
      // Longitudes of positions are below 180, so a span of 180 alone contains none.
      part.lowerBound == 180 || spans.first.contains(part) || spans.second?.contains(part) == true
    }
    let parts = other.longitudeSpans
    return holds(parts.first) && parts.second.map(holds) != false
  }

  /// The box as one or two longitude spans inside −180 ≤ longitude < 180, the range of positions.
  ///
  /// A box whose east edge is 180 gets a second span that holds only the meridian −180.
  package var longitudeSpans: (first: ClosedRange<Double>, second: ClosedRange<Double>?) {
    if crossesAntimeridian { return (west...180, -180...east) }
    if east == 180, west > -180 { return (west...180, -180 ... -180) }
    return (west...east, nil)
  }
}

extension BoundingBox: CustomStringConvertible {
  /// West, south, east, north, in the order of GeoJSON and of the command line.
  public var description: String { "\(west),\(south),\(east),\(north)" }
}
