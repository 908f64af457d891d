import Geodesy

/// A GeoJSON geometry (RFC 7946 §3.1).
///
/// A geometry that was read has closed rings of at least four positions and lines of at least two;
/// one whose `coordinates` array is empty keeps its type and has no positions.
public enum Geometry: Hashable, Sendable {
  case point(Position)
  case multiPoint([Position])
  case lineString([Position])
  case multiLineString([[Position]])
  /// The exterior ring, then the holes.
  case polygon([[Position]])
  case multiPolygon([[[Position]]])
  /// Never contains another collection if it was read.
  case geometryCollection([Geometry])

  /// The geometry's name in GeoJSON.
  public var type: String {
    switch self {
    case .point: "Point"
    case .multiPoint: "MultiPoint"
    case .lineString: "LineString"
    case .multiLineString: "MultiLineString"
    case .polygon: "Polygon"
    case .multiPolygon: "MultiPolygon"
    case .geometryCollection: "GeometryCollection"
    }
  }

  /// Whether the geometry has no position.
  public var isEmpty: Bool { !contains { _ in true } }
}

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

extension Geometry {
  /// The polygons among its parts, whatever else it contains, as in `polygons`.
  public var areas: [[[Position]]] {
    guard case .geometryCollection(let members) = self else { return polygons ?? [] }
    return members.flatMap(\.areas)
  }

  /// The polygons of the geometry, each an exterior ring and its holes, as written; nil if it
  /// contains anything else.
  ///
  /// Written longitudes distinguish −180 from 180, so a ring round the whole world stays one. After
  /// `wrapped` all are within ±180°, as `PolygonVertex` requires.
  public var polygons: [[[Position]]]? {
    switch self {
    case .polygon(let rings): return [rings]
    case .multiPolygon(let polygons): return polygons
    case .geometryCollection(let members):
      return members.allSatisfy { $0.polygons != nil } ? areas : nil
    case .point, .multiPoint, .lineString, .multiLineString: return nil
    }
  }

  /// Whether a position fulfills a condition; asks no more after one that does.
  @inlinable
  package func contains(where isMatch: (Position) -> Bool) -> Bool {
    switch self {
    case .point(let position): isMatch(position)
    case .multiPoint(let path), .lineString(let path): path.contains(where: isMatch)
    case .multiLineString(let paths), .polygon(let paths):
      paths.contains { $0.contains(where: isMatch) }
    case .multiPolygon(let polygons):
      polygons.contains { $0.contains { $0.contains(where: isMatch) } }
    case .geometryCollection(let members): members.contains { $0.contains(where: isMatch) }
    }
  }

  /// Calls a closure with each line and ring in order, and with each point alone.
  @inlinable
  package func forEachPath<Failure: Error>(
    _ body: ([Position]) throws(Failure) -> Void
  ) throws(Failure) {
    switch self {
    case .point(let position): try body([position])
    case .multiPoint(let positions): for position in positions { try body([position]) }
    case .lineString(let path): try body(path)
    case .multiLineString(let paths), .polygon(let paths): for path in paths { try body(path) }
    case .multiPolygon(let polygons):
      for rings in polygons { for ring in rings { try body(ring) } }
    case .geometryCollection(let members): for member in members { try member.forEachPath(body) }
    }
  }

  /// The geometry with every position replaced.
  @inlinable
  package func mapPositions<Failure: Error>(
    _ change: (Position) throws(Failure) -> Position
  ) throws(Failure) -> Geometry {
    func path(_ positions: [Position]) throws(Failure) -> [Position] {
      try positions.map { (position) throws(Failure) in try change(position) }
    }
    func paths(_ parts: [[Position]]) throws(Failure) -> [[Position]] {
      try parts.map { (part) throws(Failure) in try path(part) }
    }
    switch self {
    case .point(let position): return .point(try change(position))
    case .multiPoint(let positions): return .multiPoint(try path(positions))
    case .lineString(let positions): return .lineString(try path(positions))
    case .multiLineString(let parts): return .multiLineString(try paths(parts))
    case .polygon(let rings): return .polygon(try paths(rings))
    case .multiPolygon(let polygons):
      return .multiPolygon(try polygons.map { (rings) throws(Failure) in try paths(rings) })
    case .geometryCollection(let members):
      return .geometryCollection(
        try members.map { (member) throws(Failure) in try member.mapPositions(change) })
    }
  }
}
