/// The names that RFC 7946 gives a meaning; every other member is foreign.
enum GeoJSONMember: UInt8, CaseIterable {
  case type, geometry, properties, id, bbox, coordinates, geometries, features

  // Stored, because the synthesized one makes an array each time.
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

/// Which of those names an object has used.
struct GeoJSONMemberSet {
  private var bits: UInt8 = 0

  func contains(_ member: GeoJSONMember) -> Bool { bits & (1 << member.rawValue) != 0 }

  /// Returns whether the member is new.
  mutating func insert(_ member: GeoJSONMember) -> Bool {
    defer { bits |= 1 << member.rawValue }
    return !contains(member)
  }
}

/// The values that `type` may have.
enum GeoJSONType: CaseIterable {
  case point, multiPoint, lineString, multiLineString, polygon, multiPolygon, geometryCollection
  case feature, featureCollection

  // The frequent ones first.
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
  /// The first of `cases` whose name a string is.
  private mutating func first<Case>(
    of cases: some Sequence<Case>, named token: JSONStringToken, by name: (Case) -> StaticString
  ) -> Case? {
    if token.hasEscapes {
      let text = text(of: token)
      return cases.first { text == "\(name($0))" }
    }
    return cases.first { matches(name($0), token.range) }
  }

  /// Which of RFC 7946's members a name is; nil for a foreign one.
  mutating func member(named token: JSONStringToken) -> GeoJSONMember? {
    first(of: GeoJSONMember.allCases, named: token, by: \.name)
  }

  /// Reads the value of a `type` member.
  mutating func type() throws(GeoJSONError) -> GeoJSONType {
    let start = position
    guard next == UInt8(ascii: "\"") else {
      // What is not even JSON is better called so.
      try skipValue()
      throw error(.type, "\"type\" is not a string; name one of GeoJSON's types", at: start)
    }
    let token = try stringToken()
    guard let type = first(of: GeoJSONType.allCases, named: token, by: \.name) else {
      throw error(
        .type, "GeoJSON has no type \"\(text(of: token))\"; its names heed case, as Feature or Point",
        at: start)
    }
    return type
  }

  /// Goes through the members of an object, whose brace comes next. `body` reads each value.
  mutating func forEachMember(
    _ body: (inout JSONScanner, JSONStringToken) throws(GeoJSONError) -> Void
  ) throws(GeoJSONError) {
    position += 1
    skipWhitespace()
    guard !skip(UInt8(ascii: "}")) else { return }
    while true {
      let name = try stringToken()
      try skipColon()
      try body(&self, name)
      skipWhitespace()
      if skip(UInt8(ascii: "}")) { return }
      guard skip(UInt8(ascii: ",")) else {
        throw unexpected("put a comma between members, or close with }")
      }
      skipWhitespace()
    }
  }

  /// Goes through the elements of an array, whose bracket comes next. `body` reads each.
  @inline(__always)
  mutating func forEachElement(
    _ body: (inout JSONScanner) throws(GeoJSONError) -> Void
  ) throws(GeoJSONError) {
    position += 1
    skipWhitespace()
    guard !skip(UInt8(ascii: "]")) else { return }
    while true {
      try body(&self)
      skipWhitespace()
      if skip(UInt8(ascii: "]")) { return }
      guard skip(UInt8(ascii: ",")) else {
        throw unexpected("put a comma between elements, or close with ]")
      }
      skipWhitespace()
    }
  }

  /// Reads a `bbox`: four or six numbers.
  mutating func box() throws(GeoJSONError) -> [Double] {
    let start = position
    guard next == UInt8(ascii: "[") else {
      throw error(.box, "a bbox is an array; write four or six numbers", at: start)
    }
    var edges: [Double] = []
    try forEachElement { (scanner) throws(GeoJSONError) in
      edges.append(try scanner.finiteNumber(.box, "bbox"))
    }
    guard edges.count == 4 || edges.count == 6 else {
      throw error(.box, "this bbox has \(edges.count) numbers; write four or six", at: start)
    }
    return edges
  }

  /// Reads a number that a double can hold.
  @inline(__always)
  mutating func finiteNumber(
    _ reason: GeoJSONError.Reason, _ place: StaticString
  ) throws(GeoJSONError) -> Double {
    let start = position
    guard let byte = next, startsNumber(byte) else {
      throw error(reason, "this \(place) holds something else than numbers; write numbers", at: start)
    }
    let value = try double()
    guard value.isFinite else {
      throw error(reason, "this \(place) holds a number too large; write degrees", at: start)
    }
    return value
  }
}
