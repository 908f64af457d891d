/// A GeoJSON geometry (RFC 7946 §3.1).
///
/// A geometry that was read has closed rings of four or more positions and lines of two or more;
/// one whose `coordinates` array is empty keeps its type and holds nothing.
public enum Geometry: Hashable, Sendable {
  case point(Position)
  case multiPoint([Position])
  case lineString([Position])
  case multiLineString([[Position]])
  /// The exterior ring, then the holes.
  case polygon([[Position]])
  case multiPolygon([[[Position]]])
  /// Never holds another collection when it was read.
  case geometryCollection([Geometry])

  /// The name that GeoJSON gives this geometry.
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

  /// Whether it holds no position at all.
  public var isEmpty: Bool {
    switch self {
    case .point: false
    case .multiPoint(let positions), .lineString(let positions): positions.isEmpty
    case .multiLineString(let parts), .polygon(let parts): parts.allSatisfy(\.isEmpty)
    case .multiPolygon(let polygons): polygons.allSatisfy { $0.allSatisfy(\.isEmpty) }
    case .geometryCollection(let members): members.allSatisfy(\.isEmpty)
    }
  }
}
