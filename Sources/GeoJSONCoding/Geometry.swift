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
