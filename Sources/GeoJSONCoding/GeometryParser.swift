/// Reads geometries straight from the bytes, with no tree in between.
extension JSONScanner {
  /// Reads a geometry object, whose brace comes next; nil for a point without coordinates, which
  /// RFC 7946 §3.1 allows to take for no geometry.
  ///
  /// - Parameter isMember: Whether it stands in a collection, where no other collection may.
  mutating func geometry(isMember: Bool = false) throws(GeoJSONError) -> Geometry? {
    let start = position
    guard next == UInt8(ascii: "{") else {
      throw error(.type, "a geometry is an object; write one with a \"type\"", at: start)
    }
    var content = GeometryContent(isMember: isMember)
    try forEachMember { (scanner, name) throws(GeoJSONError) in
      try content.readMember(name, from: &scanner)
    }
    guard let type = content.type else {
      throw error(.type, "this geometry has no \"type\"; add one, as \"Point\"", at: start)
    }
    if content.isRead { return content.geometry }
    guard let offset = content.offset(for: type) else {
      let name = type == .geometryCollection ? "geometries" : "coordinates"
      throw error(.member, "this \(type.name) has no \"\(name)\"; add them", at: start)
    }
    // The type came after the coordinates, which could not be understood without it.
    let after = position
    position = offset
    try content.readContent(of: type, from: &self)
    position = after
    return content.geometry
  }
}

/// What is known of a geometry while its members are read, in whatever order they come.
private struct GeometryContent {
  let isMember: Bool
  private(set) var type: GeoJSONType?
  /// What the content said, once that was read; nil for an empty point.
  private(set) var geometry: Geometry?
  private(set) var isRead = false
  private var seen = GeoJSONMemberSet()
  private var coordinatesOffset: Int?
  private var geometriesOffset: Int?

  init(isMember: Bool) { self.isMember = isMember }

  /// Where the content of a geometry of that type stands; nil when there is none.
  func offset(for type: GeoJSONType) -> Int? {
    type == .geometryCollection ? geometriesOffset : coordinatesOffset
  }

  mutating func readMember(
    _ name: JSONStringToken, from scanner: inout JSONScanner
  ) throws(GeoJSONError) {
    let nameStart = name.range.lowerBound - 1
    // Foreign members of geometries are not kept, so it matters little what they say.
    guard let member = scanner.member(named: name) else { return try scanner.skipValue() }
    guard seen.insert(member) else { throw scanner.repeated("\(member.name)", at: nameStart) }
    switch member {
    case .type:
      try readType(from: &scanner)
    case .coordinates:
      coordinatesOffset = scanner.position
      try readOrSkip(type != .geometryCollection, from: &scanner)
    case .geometries:
      geometriesOffset = scanner.position
      try readOrSkip(type == .geometryCollection, from: &scanner)
    case .bbox:
      _ = try scanner.box()
    case .id:
      try scanner.skipValue()
    case .geometry, .properties, .features:
      throw scanner.error(
        .member, "a geometry has no \"\(member.name)\"; take it out", at: nameStart)
    }
  }

  private mutating func readType(from scanner: inout JSONScanner) throws(GeoJSONError) {
    let start = scanner.position
    let type = try scanner.type()
    guard type.isGeometry else {
      throw scanner.error(.type, "a \(type.name) is not a geometry; write one here", at: start)
    }
    guard !(isMember && type == .geometryCollection) else {
      throw scanner.error(
        .nestedCollection, "a geometry collection holds another; put all into one", at: start)
    }
    self.type = type
  }

  private mutating func readOrSkip(
    _ isContent: Bool, from scanner: inout JSONScanner
  ) throws(GeoJSONError) {
    guard isContent, let type else { return try scanner.skipValue() }
    try readContent(of: type, from: &scanner)
  }

  /// Reads the value of `coordinates` or `geometries`.
  mutating func readContent(
    of type: GeoJSONType, from scanner: inout JSONScanner
  ) throws(GeoJSONError) {
    geometry =
      switch type {
      case .point: try scanner.pointPosition().map { .point($0) }
      case .multiPoint: .multiPoint(try scanner.positions())
      case .lineString: .lineString(try scanner.line())
      case .multiLineString: .multiLineString(try scanner.lines())
      case .polygon: .polygon(try scanner.rings())
      case .multiPolygon: .multiPolygon(try scanner.polygons())
      default: .geometryCollection(try scanner.geometries())
      }
    isRead = true
  }
}
