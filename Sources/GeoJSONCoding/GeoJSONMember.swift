import MapAnnotations

/// The member names of RFC 7946; every other member is foreign.
enum GeoJSONMember: UInt8, CaseIterable {
  case type, geometry, properties, id, bbox, coordinates, geometries, features

  // Stored, because the synthesized property makes an array each time.
  static let allCases: [GeoJSONMember] = [
    .type, .geometry, .properties, .id, .bbox, .coordinates, .geometries, .features,
  ]

  var name: StaticString {
    switch self {
    case .type: "type"
    case .geometry: "geometry"
    case .properties: "properties"
    case .id: "id"
    case .bbox: "bbox"
    case .coordinates: "coordinates"
    case .geometries: "geometries"
    case .features: "features"
    }
  }
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

/// The values of `type`.
enum GeoJSONType: CaseIterable {
  case point, multiPoint, lineString, multiLineString, polygon, multiPolygon, geometryCollection
  case feature, featureCollection

  // Frequent ones first.
  static let allCases: [GeoJSONType] = [
    .feature, .point, .featureCollection, .polygon, .multiPolygon, .lineString, .multiLineString,
    .multiPoint, .geometryCollection,
  ]

  var name: StaticString {
    switch self {
    case .point: "Point"
    case .multiPoint: "MultiPoint"
    case .lineString: "LineString"
    case .multiLineString: "MultiLineString"
    case .polygon: "Polygon"
    case .multiPolygon: "MultiPolygon"
    case .geometryCollection: "GeometryCollection"
    case .feature: "Feature"
    case .featureCollection: "FeatureCollection"
    }
  }

  var isGeometry: Bool { self != .feature && self != .featureCollection }
}

extension JSONScanner {
  /// The first of `cases` whose name equals a string.
  private mutating func first<Case>(
    of cases: some Sequence<Case>, named token: JSONStringToken, by name: (Case) -> StaticString
  ) -> Case? {
    if token.hasEscapes {
      let text = text(of: token)
      return cases.first { text == "\(name($0))" }
    }
    return cases.first { matches(name($0), token.range) }
  }

  /// The member of RFC 7946 with a name; nil for a foreign one.
  mutating func member(named token: JSONStringToken) -> GeoJSONMember? {
    first(of: GeoJSONMember.allCases, named: token, by: \.name)
  }

  /// Notes a foreign member's value, read up to here, if it is the first `crs` other than WGS 84.
  mutating func noteCRS(_ name: JSONStringToken, from start: Int) {
    guard firstCRS == nil, matches("crs", name.range),
      let value = try? PropertyValue(json: UnsafeBufferPointer(rebasing: bytes[start..<position]))
    else { return }
    if value.isForeignCRS { firstCRS = value }
  }

  /// The type of RFC 7946 with a name; nil for any other.
  mutating func type(named token: JSONStringToken) -> GeoJSONType? {
    first(of: GeoJSONType.allCases, named: token, by: \.name)
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
