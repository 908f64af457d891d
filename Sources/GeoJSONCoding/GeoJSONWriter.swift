import Geodesy
import MapAnnotations

/// Writes features as GeoJSON (RFC 7946), one by one.
///
///     var writer = GeoJSONWriter(.featureCollection)
///     writer.begin()
///     for feature in features {
///       writer.write(feature)
///       send(writer.takeBytes())
///     }
///     writer.end()
///     send(writer.takeBytes())
///
/// The same features give the same bytes. Each feature is on its own line.
public struct GeoJSONWriter: Sendable {
  /// How the features are arranged.
  public enum Format: Hashable, Sendable {
    /// One feature collection.
    case featureCollection
    /// One feature on each line; with separators, each after byte 0x1E (RFC 8142).
    case sequence(recordSeparators: Bool)
  }

  /// How the features are arranged.
  public let format: Format
  private var json = JSONWriter()

  /// Makes a writer with an empty buffer.
  public init(_ format: Format) { self.format = format }

  /// The bytes written since `takeBytes()` was last called.
  public var bytes: [UInt8] { json.bytes }

  /// Returns and clears the bytes written so far.
  public mutating func takeBytes() -> [UInt8] {
    defer { json.removeAll() }
    return json.bytes
  }

  /// Writes the text before the first feature; nothing in a sequence.
  ///
  /// - Parameters:
  ///   - bbox: The box around all features; see `BoundingBox.init(around:)`.
  ///   - members: Further members of the collection, such as `validRadius`; their names must not be
  ///     those of RFC 7946.
  public mutating func begin(bbox: BoundingBox? = nil, members: Properties = Properties()) {
    guard format == .featureCollection else { return }
    json.beginObject()
    json.member("type", "FeatureCollection")
    if let bbox { json.bbox(bbox.edges) }
    json.members(members)
    json.name("features")
    json.beginArray()
  }

  /// Writes a feature.
  public mutating func write(_ feature: Feature) {
    switch format {
    case .featureCollection:
      json.breakLine()
      json.feature(feature)
    case .sequence(let recordSeparators):
      if recordSeparators { json.separateRecord() }
      json.feature(feature)
      json.endLine()
    }
  }

  /// Writes the text after the last feature; nothing in a sequence.
  public mutating func end() {
    guard format == .featureCollection else { return }
    json.endArray()
    json.endObject()
    json.endLine()
  }

  /// Features as one text.
  public static func bytes(
    of features: some Sequence<Feature>, as format: Format = .featureCollection,
    bbox: BoundingBox? = nil, members: Properties = Properties()
  ) -> [UInt8] {
    var writer = GeoJSONWriter(format)
    writer.begin(bbox: bbox, members: members)
    for feature in features { writer.write(feature) }
    writer.end()
    return writer.takeBytes()
  }
}

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
  package mutating func bbox(_ edges: [Double]) {
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
