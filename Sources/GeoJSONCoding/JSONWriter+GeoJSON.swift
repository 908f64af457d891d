import Geodesy
import MapAnnotations

extension JSONWriter {
  /// Writes a position: longitude, latitude, and the altitude if it is finite.
  public mutating func position(_ position: Position) {
    beginArray()
    number(position.longitude)
    number(position.latitude)
    if let altitude = position.altitude, altitude.isFinite { number(altitude) }
    endArray()
  }

  /// Writes a geometry object; `null` for one with a position that is not finite.
  public mutating func geometry(_ geometry: Geometry) {
    guard !geometry.contains(where: { !$0.isFinite }) else { return null() }
    beginObject()
    member("type", .string(geometry.type))
    if case .geometryCollection(let members) = geometry {
      name("geometries")
      array(members) { writer, member in writer.geometry(member) }
    } else {
      name("coordinates")
      coordinates(of: geometry)
    }
    endObject()
  }

  private mutating func coordinates(of geometry: Geometry) {
    switch geometry {
    case .point(let position): self.position(position)
    case .multiPoint(let positions), .lineString(let positions): self.positions(positions)
    case .multiLineString(let parts), .polygon(let parts): nested(parts)
    case .multiPolygon(let polygons): array(polygons) { $0.nested($1) }
    case .geometryCollection: null()
    }
  }

  private mutating func nested(_ parts: [[Position]]) { array(parts) { $0.positions($1) } }
  private mutating func positions(_ positions: [Position]) { array(positions) { $0.position($1) } }

  /// Writes a `bbox` member: west, south, east, north, or six numbers with heights; nothing if one
  /// of them is not finite.
  mutating func bbox(_ edges: [Double]) {
    guard edges.allSatisfy(\.isFinite) else { return }
    name("bbox")
    array(edges) { $0.number($1) }
  }

  /// Writes a feature object: type, id, bbox, geometry, properties, then the foreign members.
  public mutating func feature(_ feature: Feature) {
    beginObject()
    member("type", "Feature")
    if let id = feature.id { member("id", id) }
    if let bbox = feature.bbox { self.bbox(bbox) }
    name("geometry")
    if let geometry = feature.geometry { self.geometry(geometry) } else { null() }
    name("properties")
    value(feature.properties.map(PropertyValue.object) ?? .null)
    members(feature.foreignMembers)
    endObject()
  }
}

extension Position {
  fileprivate var isFinite: Bool { longitude.isFinite && latitude.isFinite }
}
