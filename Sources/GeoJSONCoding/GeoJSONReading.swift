import MapAnnotations

/// One pass of a `GeoJSONReader` over a text.
struct GeoJSONReading {
  var scanner: JSONScanner
  /// How many more values are allowed outside the features.
  var foreignValuesLeft = JSONScanner.valueLimit
  private(set) var recordCount = 0
  private(set) var isStopped = false
  private let receive: (ScannedRecord) -> GeoJSONReader.NextStep

  init(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ receive: @escaping (ScannedRecord) -> GeoJSONReader.NextStep
  ) {
    scanner = JSONScanner(bytes)
    self.receive = receive
  }

  mutating func read(_ framing: GeoJSONReader.Framing) throws(GeoJSONError) -> GeoJSONDocument {
    try scanner.expectContent()
    let isSequence =
      switch framing {
      case .automatic: scanner.looksLikeSequence
      case .document: false
      case .sequence: true
      }
    var document = isSequence ? readSequence() : try readRoot()
    document.recordCount = recordCount
    document.isComplete = !isStopped
    document.firstCRS = scanner.firstCRS
    return document
  }

  // MARK: Records

  /// Reads the next feature or geometry as one record.
  ///
  /// - Parameter isLast: Whether nothing may follow it.
  /// - Throws: `GeoJSONError` if it is not JSON, so that nothing after it can be found.
  mutating func readRecord(
    of type: GeoJSONType = .feature, isLast: Bool = false
  ) throws(GeoJSONError) {
    let start = scanner.position
    let line = scanner.line(at: start)
    let result: Result<ScannedFeature, GeoJSONError>
    do throws(GeoJSONError) {
      result = .success(try feature(of: type))
    } catch {
      scanner.position = start
      try scanner.skipValue()
      result = .failure(error)
    }
    let range = start..<scanner.position
    if isLast { try scanner.expectEnd() }
    deliver(result, range, line)
  }

  private mutating func feature(of type: GeoJSONType) throws(GeoJSONError) -> ScannedFeature {
    guard type.isGeometry else { return try scanner.feature() }
    scanner.positionsLeft = JSONScanner.positionLimit
    return ScannedFeature(
      geometry: try scanner.geometry(), bbox: nil, foreignMembers: Properties(), id: nil,
      properties: nil, names: scanner.names, bytes: scanner.bytes)
  }

  mutating func deliver(
    _ feature: Result<ScannedFeature, GeoJSONError>, _ byteRange: Range<Int>, _ line: Int
  ) {
    recordCount += 1
    let record = ScannedRecord(
      number: recordCount, feature: feature, byteRange: byteRange, line: line,
      closedRings: scanner.closedRings)
    scanner.closedRings = 0
    isStopped = receive(record) == .stop
  }

  // MARK: The root

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

extension JSONScanner {
  static let recordSeparator: UInt8 = 0x1E

  /// Whether the text is a sequence of features; see `GeoJSONReader.Framing.automatic`.
  ///
  /// - Complexity: O(first line).
  var looksLikeSequence: Bool {
    if next == JSONScanner.recordSeparator { return true }
    guard next == UInt8(ascii: "{"), let lineEnd = index(of: 0x0A, from: position) else {
      return false
    }
    var following = self
    following.position = lineEnd
    following.skipWhitespace()
    return following.next == UInt8(ascii: "{")
      && closesBraces(bytes[position..<lineEnd], countingBrackets: true)
  }

  /// The first index of a byte at or after `start`; nil if there is none.
  func index(of byte: UInt8, from start: Int) -> Int? {
    bytes[start..<bytes.count].firstIndex(of: byte)
  }

  /// Moves to the next piece of the text that is not blank, and ends the text behind it, before the
  /// separator and white space.
  ///
  /// - Parameter start: Where to look for it; afterwards, where to look for the one behind it.
  /// - Returns: Whether there is one.
  mutating func beginPiece(at start: inout Int, before separator: UInt8) -> Bool {
    while start < bytes.count {
      position = start
      end = index(of: separator, from: start) ?? bytes.count
      start = end + 1
      skipWhitespace()
      guard position < end else { continue }
      while isWhitespace(bytes[end - 1]) { end -= 1 }
      return true
    }
    return false
  }
}

/// Whether as many braces close as open, apart from those in strings; also brackets, if they count.
@inlinable
package func closesBraces(
  _ line: some Sequence<UInt8>, countingBrackets: Bool = false
) -> Bool {
  var depth = 0
  var isString = false, isEscaped = false
  for byte in line {
    switch byte {
    case _ where isEscaped: isEscaped = false
    case UInt8(ascii: "\\"): isEscaped = isString
    case UInt8(ascii: "\""): isString.toggle()
    case UInt8(ascii: "{") where !isString: depth += 1
    case UInt8(ascii: "}") where !isString: depth -= 1
    case UInt8(ascii: "[") where !isString && countingBrackets: depth += 1
    case UInt8(ascii: "]") where !isString && countingBrackets: depth -= 1
    default: break
    }
  }
  return depth == 0 && !isString
}

extension GeoJSONReading {
  /// Reads records up to the end; an invalid one does not affect the others.
  mutating func readSequence() -> GeoJSONDocument {
    let separator: UInt8 =
      scanner.next == JSONScanner.recordSeparator ? JSONScanner.recordSeparator : 0x0A
    var place = scanner.position
    while !isStopped, scanner.beginPiece(at: &place, before: separator) { readSequenceRecord() }
    return GeoJSONDocument(form: .sequence)
  }

  /// Reads the text between two separators, which is a record even if it is not JSON.
  private mutating func readSequenceRecord() {
    let start = scanner.position
    let line = scanner.line(at: start)
    do throws(GeoJSONError) {
      _ = try readRoot()
    } catch {
      deliver(.failure(error), start..<scanner.end, line)
    }
  }
}
