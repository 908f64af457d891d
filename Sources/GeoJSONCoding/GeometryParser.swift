/// Reads geometries directly from the bytes, without a tree.
extension JSONScanner {
  /// Reads a geometry object, starting at its brace; nil for a point without coordinates, which RFC
  /// 7946 §3.1 allows to treat as no geometry.
  ///
  /// - Parameter isMember: Whether it is in a collection, where another collection is not allowed.
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
      throw error(.type, "this geometry has no \"type\"; add one, such as \"Point\"", at: start)
    }
    if content.isRead { return content.geometry }
    guard let offset = content.offset(for: type) else {
      let name = type == .geometryCollection ? "geometries" : "coordinates"
      throw error(.member, "this \(type.name) has no \"\(name)\"; add them", at: start)
    }
    // The type came after the coordinates, which need it to be read.
    let after = position
    position = offset
    try content.readContent(of: type, from: &self)
    position = after
    return content.geometry
  }
}

/// The members of a geometry read so far, in any order.
private struct GeometryContent {
  let isMember: Bool
  private(set) var type: GeoJSONType?
  /// The decoded content; nil for an empty point.
  private(set) var geometry: Geometry?
  private(set) var isRead = false
  private var seen = GeoJSONMemberSet()
  private var coordinatesOffset: Int?
  private var geometriesOffset: Int?

  init(isMember: Bool) { self.isMember = isMember }

  /// The offset of the content for a type of geometry; nil if there is none.
  func offset(for type: GeoJSONType) -> Int? {
    type == .geometryCollection ? geometriesOffset : coordinatesOffset
  }

  mutating func readMember(
    _ name: JSONStringToken, from scanner: inout JSONScanner
  ) throws(GeoJSONError) {
    let nameStart = name.range.lowerBound - 1
    // Foreign members of geometries are not kept, so they are not decoded.
    guard let member = scanner.member(named: name) else {
      let start = scanner.position
      try scanner.skipValue()
      return scanner.noteCRS(name, from: start)
    }
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
