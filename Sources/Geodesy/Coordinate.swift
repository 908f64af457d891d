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

  /// A longitude moved into −180…180 by whole turns; exact, and ±180 keeps its sign.
  @inlinable
  public static func wrappedLongitude(_ longitude: Double) -> Double {
    // Most longitudes are in range, and `remainder` is a function call.
    abs(longitude) <= 180 ? longitude : longitude.remainder(dividingBy: 360)
  }

  /// Whether this is a pole, where the longitude has no meaning.
  public var isPole: Bool { abs(latitude) == 90 }
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
  /// The south edge of a box lies north of its north edge.
  case boxOrder(south: Double, north: Double)
  /// Not a latitude and a longitude; holds the original text.
  case notAPosition(String)

  /// The code of the error, such as `lat-range`.
  public var code: String {
    switch self {
    case .notANumber: "not-a-number"
    case .latitudeOutOfRange: "lat-range"
    case .longitudeOutOfRange: "lon-range"
    case .looksSwapped: "lat-lon-swapped"
    case .boxOrder: "bbox-order"
    case .notAPosition: "not-a-position"
    }
  }

  /// What is wrong, with the value, and what to do.
  public var description: String {
    switch self {
    case .notANumber(let text):
      text.contains(",")
        ? "\"\(text)\" is not a number; use a dot"
        : "\"\(text)\" is not a number; write degrees, such as 37.5"
    case .latitudeOutOfRange(let value):
      "latitude \(plainDecimal(value)) is outside -90…90; give degrees north, negative in the south"
    case .longitudeOutOfRange(let value):
      "longitude \(plainDecimal(value)) is outside -180…180; give degrees east, negative in the west"
    case .looksSwapped(let latitude, let longitude):
      """
      latitude \(plainDecimal(latitude)) is outside -90…90; these look swapped: try latitude \
      \(plainDecimal(longitude)), longitude \(plainDecimal(latitude))
      """
    case .boxOrder(let south, let north):
      "south \(plainDecimal(south)) lies north of north \(plainDecimal(north)); exchange them"
    case .notAPosition(let text):
      """
      "\(text)" is not a position; write latitude,longitude as 37.57,126.97 or \
      37°34'12"N 126°58'12"E
      """
    }
  }
}
