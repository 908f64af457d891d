import MapAnnotations

extension GeoJSONReading {
  /// Reads the root object: a collection member by member, passing on its features, or a feature or
  /// geometry as one record.
  mutating func readRoot() throws(GeoJSONError) -> GeoJSONDocument {
    let start = scanner.position
    let type = try rootType()
    scanner.position = start
    guard type == .featureCollection else {
      try readRecord(of: type, isLast: true)
      return GeoJSONDocument(form: type == .feature ? .feature : .geometry)
    }
    let root = try readCollection()
    if !isStopped { try scanner.expectEnd() }
    return root
  }

  /// Finds the `type` of the next object, skipping the members before it.
  private mutating func rootType() throws(GeoJSONError) -> GeoJSONType {
    let start = scanner.position
    var names: [String] = []
    guard scanner.next == UInt8(ascii: "{") else {
      try scanner.skipValue()
      throw scanner.error(
        .type, "GeoJSON is an object; write one, such as a FeatureCollection", at: start)
    }
    if scanner.hasElement(before: UInt8(ascii: "}")) {
      repeat {
        let name = try scanner.stringToken()
        try scanner.skipColon()
        if scanner.member(named: name) == .type { return try scanner.type() }
        if names.count < 5 { names.append(scanner.text(of: name)) }
        try scanner.skipValue()
      } while try scanner.hasNextElement(before: UInt8(ascii: "}"), "members")
    }
    throw scanner.error(
      .type,
      "this object has no \"type\"\(names.isEmpty ? "" : ", only \(names.joined(separator: ", "))"); "
        + "give GeoJSON, such as a \"FeatureCollection\", or an array of objects", at: start)
  }

  private mutating func readCollection() throws(GeoJSONError) -> GeoJSONDocument {
    let start = scanner.position
    var root = GeoJSONDocument(form: .featureCollection)
    var seen = GeoJSONMemberSet()
    var isMember = scanner.hasElement(before: UInt8(ascii: "}"))
    while isMember {
      let name = try scanner.stringToken()
      try scanner.skipColon()
      try readCollectionMember(name, &seen, into: &root)
      if isStopped { return root }
      isMember = try scanner.hasNextElement(before: UInt8(ascii: "}"), "members")
    }
    guard seen.contains(.features) else {
      throw scanner.error(
        .member, "this collection has no \"features\"; add them, an empty array if none", at: start)
    }
    if let name = firstRepeatedName(in: root.foreignMembers.entries[...]) {
      throw scanner.repeated(name, at: start)
    }
    return root
  }

  private mutating func readCollectionMember(
    _ name: JSONStringToken, _ seen: inout GeoJSONMemberSet, into root: inout GeoJSONDocument
  ) throws(GeoJSONError) {
    let nameStart = name.range.lowerBound - 1
    let member = scanner.member(named: name)
    guard let member, member != .id else {
      let text = scanner.text(of: name)
      scanner.valuesLeft = foreignValuesLeft
      let start = scanner.position
      let value = try scanner.value(duplicates: .rejected)
      scanner.noteCRS(name, from: start)
      try scanner.countValue()
      foreignValuesLeft = scanner.valuesLeft
      return root.foreignMembers.append(text, value)
    }
    guard seen.insert(member) else { throw scanner.repeated("\(member.name)", at: nameStart) }
    switch member {
    case .type: _ = try scanner.type()
    case .features: try readFeatures()
    case .bbox: root.bbox = try scanner.box()
    default:
      throw scanner.error(
        .member, "a feature collection has no \"\(member.name)\"; take it out", at: nameStart)
    }
  }

  private mutating func readFeatures() throws(GeoJSONError) {
    guard scanner.next == UInt8(ascii: "[") else {
      throw scanner.error(
        .member, "\"features\" is not an array; write one", at: scanner.position)
    }
    guard scanner.hasElement(before: UInt8(ascii: "]")) else { return }
    repeat {
      try readRecord()
      if isStopped { return }
    } while try scanner.hasNextElement(before: UInt8(ascii: "]"), "features")
  }
}
