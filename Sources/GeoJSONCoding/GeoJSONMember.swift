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

  /// Notes where a foreign member's value is, read up to here, if it is the first `crs`.
  mutating func noteCRS(_ name: JSONStringToken, from start: Int) {
    if firstCRS == nil, matches("crs", name.range) { firstCRS = start..<position }
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
      throw error(
        .type,
        "GeoJSON has no type \(excerpt); its names are case-sensitive, such as Feature or Point",
        at: start)
    }
    return type
  }
}
