import MapAnnotations

extension JSONScanner {
  /// Reads a feature object.
  mutating func feature() throws(GeoJSONError) -> ScannedFeature {
    let start = position
    guard next == UInt8(ascii: "{") else {
      throw error(
        .type, "a feature is an object; write one with \"type\": \"Feature\"", at: start)
    }
    valuesLeft = JSONScanner.valueLimit
    positionsLeft = JSONScanner.positionLimit
    var content = FeatureContent()
    try forEachMember { (scanner, name) throws(GeoJSONError) in
      try content.readMember(name, from: &scanner)
    }
    return try content.feature(startingAt: start, in: &self)
  }

  /// Skips the value of `properties`; returns whether it is not null.
  fileprivate mutating func featureProperties() throws(GeoJSONError) -> Bool {
    let start = position
    switch next {
    case UInt8(ascii: "{"):
      try scanProperties()
      return true
    case UInt8(ascii: "n"):
      try skipLiteral("null")
      return false
    default: break
    }
    throw error(
      .properties, "\"properties\" is neither an object nor null; write one of them", at: start)
  }

  /// Reads the value of a feature's `geometry`; nil for null.
  fileprivate mutating func featureGeometry() throws(GeoJSONError) -> Geometry? {
    guard next == UInt8(ascii: "n") else { return try geometry() }
    try skipLiteral("null")
    return nil
  }

  /// Reads the value of a feature's `id`.
  fileprivate mutating func featureID() throws(GeoJSONError) -> PropertyToken.Value {
    guard let byte = next, byte == UInt8(ascii: "\"") || startsNumber(byte) else {
      let shown =
        next == UInt8(ascii: "{") ? "{…}" : next == UInt8(ascii: "[") ? "[…]" : excerpt
      throw error(
        .id, "the id \(shown) is neither a string nor a number; write one, or leave it out",
        at: position)
    }
    return try scannedValue()
  }
}

/// The members of a feature read so far, in any order.
private struct FeatureContent {
  private var seen = GeoJSONMemberSet()
  private var id: PropertyToken.Value?
  private var geometry: Geometry?
  private var hasProperties = false
  private var bbox: [Double]?
  private var foreignMembers = Properties()

  mutating func readMember(
    _ name: JSONStringToken, from scanner: inout JSONScanner
  ) throws(GeoJSONError) {
    let nameStart = name.range.lowerBound - 1
    guard let member = scanner.member(named: name) else {
      let text = scanner.text(of: name)
      let start = scanner.position
      foreignMembers.append(text, try scanner.value(duplicates: .rejected))
      scanner.noteCRS(name, from: start)
      return try scanner.countValue()
    }
    guard seen.insert(member) else { throw scanner.repeated("\(member.name)", at: nameStart) }
    switch member {
    case .type: try readType(from: &scanner)
    case .geometry: geometry = try scanner.featureGeometry()
    case .properties: hasProperties = try scanner.featureProperties()
    case .id: id = try scanner.featureID()
    case .bbox: bbox = try scanner.box()
    case .coordinates, .geometries, .features:
      throw scanner.error(
        .member, "a feature has no \"\(member.name)\"; take it out", at: nameStart)
    }
  }

  private func readType(from scanner: inout JSONScanner) throws(GeoJSONError) {
    let start = scanner.position
    let type = try scanner.type()
    guard type == .feature else {
      throw scanner.error(
        .type, "a \(type.name) stands where a feature should; wrap it in one", at: start)
    }
  }

  /// Makes the feature, once all its members were read.
  func feature(
    startingAt start: Int, in scanner: inout JSONScanner
  ) throws(GeoJSONError) -> ScannedFeature {
    guard seen.contains(.type) else {
      throw scanner.error(.type, "this feature has no \"type\"; add \"Feature\"", at: start)
    }
    guard seen.contains(.geometry), seen.contains(.properties) else {
      let missing = seen.contains(.geometry) ? "properties" : "geometry"
      throw scanner.error(
        .member, "this feature has no \"\(missing)\"; add it, null if unknown", at: start)
    }
    if let name = firstRepeatedName(in: foreignMembers.entries[...]) {
      throw scanner.repeated(name, at: start)
    }
    return ScannedFeature(
      geometry: geometry, bbox: bbox, foreignMembers: foreignMembers, id: id,
      properties: hasProperties ? scanner.properties : nil, names: scanner.names,
      bytes: scanner.bytes)
  }
}
