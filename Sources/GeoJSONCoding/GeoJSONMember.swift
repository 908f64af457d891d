import MapAnnotations

/// The member names of RFC 7946; every other member is foreign.
enum GeoJSONMember: Int {
  case type, geometry, properties, id, bbox, coordinates, geometries, features

  /// In the order of the cases.
  static let names: [StaticString] = [
    "type", "geometry", "properties", "id", "bbox", "coordinates", "geometries", "features",
  ]

  var name: StaticString { GeoJSONMember.names[rawValue] }
}

extension PropertyValue {
  /// The name in the value of a member `crs` of 2008; nil if it links to a CRS, or says anything else.
  package var crsName: String? {
    // Some write the name alone.
    if case .string(let name) = self { return name }
    guard case .object(let members) = self, case .object(let properties)? = members["properties"]
    else { return nil }
    // Before 2008 it was a code of EPSG.
    return properties["name"]?.text
      ?? properties["code"]?.text.map { $0.contains(":") ? $0 : "EPSG:\($0)" }
  }

  /// The name in the value of a member `crs`, or what it says in its place, for messages.
  package var crsText: String {
    if let crsName { return crsName }
    let written = jsonText
    return written.count > 100 ? "\(written.prefix(99))…" : written
  }

  /// Whether the value of a member `crs` says anything other than WGS 84.
  package var isForeignCRS: Bool {
    if case .null = self { return false }
    if case .object(let members) = self, members.isEmpty { return false }
    guard let name = crsName?.uppercased() else { return true }
    return !["CRS84", ":4326", "/4326"].contains { name.hasSuffix($0) }
      && !["WGS84", "WGS 84"].contains(name)
  }
}

/// The member names that an object has used.
struct GeoJSONMemberSet {
  private var bits: UInt8 = 0

  func contains(_ member: GeoJSONMember) -> Bool { bits & (1 << member.rawValue) != 0 }

  /// Adds a member; returns whether it is new.
  mutating func insert(_ member: GeoJSONMember) -> Bool {
    defer { bits |= 1 << member.rawValue }
    return !contains(member)
  }
}

/// The values of `type`, frequent ones first.
enum GeoJSONType: Int {
  case feature, point, featureCollection, polygon, multiPolygon, lineString, multiLineString
  case multiPoint, geometryCollection

  /// In the order of the cases.
  static let names: [StaticString] = [
    "Feature", "Point", "FeatureCollection", "Polygon", "MultiPolygon", "LineString",
    "MultiLineString", "MultiPoint", "GeometryCollection",
  ]

  var name: StaticString { GeoJSONType.names[rawValue] }

  var isGeometry: Bool { self != .feature && self != .featureCollection }
}

extension JSONScanner {
  /// The index of the name that equals a string; nil if none does.
  private mutating func index(of token: JSONStringToken, in names: [StaticString]) -> Int? {
    guard token.hasEscapes else { return names.firstIndex { matches($0, token.range) } }
    let text = text(of: token)
    return names.firstIndex { text == "\($0)" }
  }

  /// The member of RFC 7946 with a name; nil for a foreign one.
  mutating func member(named token: JSONStringToken) -> GeoJSONMember? {
    index(of: token, in: GeoJSONMember.names).flatMap(GeoJSONMember.init)
  }

  /// The type of RFC 7946 with a name; nil for any other.
  mutating func type(named token: JSONStringToken) -> GeoJSONType? {
    index(of: token, in: GeoJSONType.names).flatMap(GeoJSONType.init)
  }

  /// Notes a foreign member's value, read up to here, if it is the first `crs` other than WGS 84.
  mutating func noteCRS(_ name: JSONStringToken, from start: Int) {
    guard firstCRS == nil, matches("crs", name.range),
      let value = try? PropertyValue(json: UnsafeBufferPointer(rebasing: bytes[start..<position]))
    else { return }
    if value.isForeignCRS { firstCRS = value }
  }

  /// Reads the value of a `type` member.
  mutating func type() throws(GeoJSONError) -> GeoJSONType {
    let start = position
    guard next == UInt8(ascii: "\"") else {
      // If the value is not even JSON, report that instead.
      try skipValue()
      throw error(.type, "\"type\" is not a string; name one of GeoJSON's types", at: start)
    }
    let token = try stringToken()
    guard let type = type(named: token) else {
      position = start
      guard text(of: token) != "Topology" else {
        throw error(
          .type,
          "this is TopoJSON; convert it to GeoJSON, for example with ogr2ogr places.geojson places.topojson",
          at: start)
      }
      throw error(
        .type,
        "GeoJSON has no type \(excerpt); its names are case-sensitive, such as Feature or Point",
        at: start)
    }
    return type
  }
}
