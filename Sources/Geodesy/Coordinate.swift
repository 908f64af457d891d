/// A position on the Earth: geodetic latitude and longitude on WGS 84, in degrees.
///
/// A `Coordinate` is always valid: numbers that are not finite or out of range are refused. 180°
/// and −180° are one meridian, stored as −180, so equal places on it compare equal. A pole keeps
/// the longitude it was made with; distances from a pole ignore that longitude.
///
///     let cityHall = try Coordinate(latitude: 37.5666, longitude: 126.9784)
public struct Coordinate: Hashable, Sendable {
  /// Degrees north of the equator, −90…90.
  public let latitude: Double
  /// Degrees east of Greenwich, −180 ≤ longitude < 180.
  public let longitude: Double

  /// Makes a position from degrees.
  ///
  /// - Parameters:
  ///   - latitude: −90…90.
  ///   - longitude: −180…180; 180 is stored as −180.
  /// - Throws: `CoordinateError` with the value, and with a hint if latitude and longitude look
  ///   swapped. Nothing is corrected.
  public init(latitude: Double, longitude: Double) throws(CoordinateError) {
    guard latitude.isFinite else { throw .notANumber(String(latitude)) }
    guard longitude.isFinite else { throw .notANumber(String(longitude)) }
    guard (-90...90).contains(latitude) else {
      let looksSwapped = (-180...180).contains(latitude) && (-90...90).contains(longitude)
      throw looksSwapped
        ? .looksSwapped(latitude: latitude, longitude: longitude) : .latitudeOutOfRange(latitude)
    }
    guard (-180...180).contains(longitude) else { throw .longitudeOutOfRange(longitude) }
    self.init(unchecked: latitude, longitude)
  }

  /// Makes a position from a latitude and any finite longitude, wrapped into range.
  ///
  /// For solvers whose longitudes may have run past ±180: 190 becomes −170, 539 becomes 179.
  ///
  /// - Throws: `CoordinateError`, as `init(latitude:longitude:)` does.
  public init(latitude: Double, wrappingLongitude longitude: Double) throws(CoordinateError) {
    guard longitude.isFinite else { throw .notANumber(String(longitude)) }
    try self.init(
      latitude: latitude, longitude: Coordinate.wrappedLongitude(longitude))
  }

  /// For degrees already known to be valid.
  ///
  /// Adding 0 turns −0 into 0.
  package init(unchecked latitude: Double, _ longitude: Double) {
    self.latitude = latitude + 0
    self.longitude = longitude == 180 ? -180 : longitude + 0
  }

  /// A longitude moved into −180…180 by whole turns; exact, and ±180 and ±0 keep their signs.
  @inlinable
  public static func wrappedLongitude(_ longitude: Double) -> Double {
    // Most longitudes are in range, and `remainder` is a function call.
    abs(longitude) <= 180 ? longitude : longitude.remainder(dividingBy: 360)
  }

  /// Whether this is a pole, where the longitude has no meaning.
  public var isPole: Bool { abs(latitude) == 90 }

  /// Whether degrees are, to 0.0005°, the 0,0 that devices send without a fix.
  @inlinable
  @inline(__always)
  package static func isNullIsland(_ latitude: Double, _ longitude: Double) -> Bool {
    abs(latitude) < 0.0005 && abs(longitude) < 0.0005
  }

  /// Whether the position is, to 0.0005°, the 0,0 that devices send without a fix.
  package var isNullIsland: Bool { Coordinate.isNullIsland(latitude, longitude) }
}

extension Coordinate: CustomStringConvertible {
  /// Latitude and longitude, as `37.5666,126.9784`.
  public var description: String { "\(latitude),\(longitude)" }
}

/// An error in numbers or text that should be a position or a box.
public enum CoordinateError: CodedError, Hashable {
  /// Not a finite decimal number; holds the original text.
  case notANumber(String)
  /// A latitude outside −90…90, in degrees.
  case latitudeOutOfRange(Double)
  /// A longitude outside −180…180, in degrees.
  case longitudeOutOfRange(Double)
  /// The latitude is out of range, and swapping it with the longitude would be valid.
  case looksSwapped(latitude: Double, longitude: Double)
  /// An edge of a box in the text is out of range, and the box is valid with latitudes and longitudes
  /// exchanged; holds the edge and that box.
  indirect case boxLooksSwapped(latitude: Double, BoundingBox)
  /// The south edge of a box lies north of its north edge.
  case boxOrder(south: Double, north: Double)
  /// Not a latitude and a longitude; holds the original text.
  case notAPosition(String)
  /// Not four edges; holds the original text.
  case notABox(String)

  /// The code of the error, such as `lat-range`.
  public var code: String {
    switch self {
    case .notANumber: "not-a-number"
    case .latitudeOutOfRange: "lat-range"
    case .longitudeOutOfRange: "lon-range"
    case .looksSwapped, .boxLooksSwapped: "lat-lon-swapped"
    case .boxOrder: "bbox-order"
    case .notAPosition: "not-a-position"
    case .notABox: "bad-bbox"
    }
  }

  /// Whether a text is a number with commas between thousands and a decimal point behind them.
  private static func hasThousands(_ text: String) -> Bool {
    guard let point = text.firstIndex(of: "."), text[..<point].suffix(4).first == "," else {
      return false
    }
    return finiteNumber(text.filter { $0 != "," }) != nil
  }

  /// What is wrong, with the value, and what to do.
  public var description: String {
    switch self {
    case .notANumber(let text):
      text.contains(",")
        ? "\"\(text)\" is not a number; "
          + (CoordinateError.hasThousands(text)
            ? "write it without commas between thousands" : "use a dot")
        : "\"\(text)\" is not a number; write degrees, such as 37.5"
    case .latitudeOutOfRange(let value):
      "latitude \(plainDecimal(value)) is outside -90…90; give degrees north, negative in the south"
    case .longitudeOutOfRange(let value) where value > 180 && value <= 360:
      // As oceanographers count, from 0 to 360.
      """
      longitude \(plainDecimal(value)) is outside -180…180; write \
      \(plainDecimal(((value - 360) * 1e9).rounded() / 1e9)), which is the same
      """
    case .longitudeOutOfRange(let value):
      "longitude \(plainDecimal(value)) is outside -180…180; give degrees east, negative in the west"
    case .looksSwapped(let latitude, let longitude):
      """
      latitude \(plainDecimal(latitude)) is outside -90…90; these look swapped: try latitude \
      \(plainDecimal(longitude)), longitude \(plainDecimal(latitude))
      """
    case .boxLooksSwapped(let latitude, let box):
      "latitude \(plainDecimal(latitude)) is outside -90…90; these look swapped: try "
        + box.edges.map(plainDecimal).joined(separator: ",")
    case .boxOrder(let south, let north):
      "south \(plainDecimal(south)) lies north of north \(plainDecimal(north)); swap them"
    case .notAPosition(let text) where MapLink(text)?.isToMap == true:
      """
      the link \(text) does not contain exactly one position; open it in a browser, and copy the \
      coordinates or the long address
      """
    case .notAPosition(let text):
      """
      "\(text)" is not a position; write latitude,longitude as 37.57,126.97 or \
      37°34'12"N 126°58'12"E
      """
    case .notABox(let text):
      "\"\(text)\" is not a box; write west,south,east,north, for example 126.9,37.4,127.1,37.6"
    }
  }
}

extension Coordinate {
  /// The length of the shortest line on the WGS 84 ellipsoid; accurate to about 15 nm.
  ///
  ///     let walk = cityHall.distance(to: harbor)
  ///
  /// Bit for bit the same in both directions. Exactly 0 between equal positions, and between a pole
  /// and itself whatever its longitude.
  ///
  /// - Complexity: O(1): 0.1 to 0.2 µs for neighbors, 0.5 µs for far points. Allocates nothing.
  public func distance(to other: Coordinate) -> Distance {
    .meters(
      Geodesic.distance(
        latitude1: latitude, longitude1: longitude,
        latitude2: other.latitude, longitude2: other.longitude))
  }

  /// The distance along a great circle of the mean sphere (radius 6,371,008.7714 m).
  ///
  /// Differs by up to 0.56 % from the distance on WGS 84; for comparison with programs that use a
  /// sphere. Use `distance(to:)` for the distance on the ground.
  ///
  /// - Complexity: O(1), about 40 ns.
  ///
  /// Source: R. W. Sinnott, "Virtues of the Haversine", Sky and Telescope 68(2), 1984, in the form
  /// with atan2, which is also accurate for antipodes.
  public func greatCircleDistance(to other: Coordinate) -> Distance {
    let halfLatitude = sine(radians(other.latitude - latitude) / 2)
    let halfLongitude = sine(radians(other.longitude - longitude) / 2)
    let haversine =
      halfLatitude * halfLatitude
      + cosine(radians(latitude)) * cosine(radians(other.latitude)) * halfLongitude * halfLongitude
    return .meters(WGS84.meanRadius * angle(ofHaversine: haversine))
  }

  /// The direction of the shortest line to another position at its start, in degrees clockwise from
  /// north, 0 ≤ bearing < 360.
  ///
  /// - Returns: `nil` where there is no direction: when the distance is 0, and from a pole, where
  ///   every direction is south (or north).
  /// - Complexity: O(1), about 0.1 µs up to 10 km, 0.5 µs beyond. Allocates nothing.
  public func initialBearing(to other: Coordinate) -> Double? {
    guard !isPole else { return nil }
    let near = LineOrigin(self).nearAzimuth(latitude: other.latitude, longitude: other.longitude)
    guard let azimuth = near ?? farAzimuth(to: other) else { return nil }
    let bearing = azimuth < 0 ? azimuth + 360 : azimuth
    // A tiny negative azimuth plus 360 is rounded to 360.
    return bearing == 360 ? 0 : bearing
  }

  private func farAzimuth(to other: Coordinate) -> Double? {
    let line = Geodesic.inverse(from: self, to: other)
    return line.distance > .zero ? line.azimuth1 : nil
  }

  /// The end of the geodesic with this bearing and length.
  ///
  ///     let anHourEast = station.destination(bearing: 90, distance: .kilometers(5))
  ///
  /// A pole has no bearings of its own: they are measured from the meridian that the pole was made
  /// with. A negative distance leads backwards.
  ///
  /// - Precondition: `bearing` and `distance` are finite.
  /// - Complexity: O(1), about 0.3 µs.
  public func destination(bearing: Double, distance: Distance) -> Coordinate {
    precondition(bearing.isFinite, "bearing \(bearing) is not finite")
    precondition(distance.meters.isFinite, "distance \(distance) is not finite")
    let end = Geodesic.direct(
      latitude: latitude, longitude: longitude, azimuth: bearing, distance: distance.meters)
    return Coordinate(unchecked: end.latitude, end.longitude)
  }

  /// The position halfway along the shortest line to another.
  public func midpoint(to other: Coordinate) -> Coordinate {
    let line = Geodesic.inverse(from: self, to: other)
    guard line.distance > .zero else { return self }
    return destination(bearing: line.azimuth1, distance: line.distance / 2)
  }
}

/// The angle in radians, 0…π, from its haversine sin²(angle / 2).
@inline(__always)
func angle(ofHaversine haversine: Double) -> Double {
  // At antipodes rounding can make 1 − h slightly negative.
  2 * arcTangent(y: haversine.squareRoot(), x: max(0, 1 - haversine).squareRoot())
}
