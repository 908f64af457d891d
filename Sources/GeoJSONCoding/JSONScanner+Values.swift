import Geodesy
import MapAnnotations

extension JSONScanner {
  // MARK: Skipping

  /// Skips one value of any kind, with the same checks as if it were decoded, but for halves of
  /// surrogate pairs.
  mutating func skipValue() throws(GeoJSONError) {
    openContainers.removeAll(keepingCapacity: true)
    repeat {
      skipWhitespace()
      let isOpened = try skipScalarOrOpen()
      if !isOpened { try skipToNextElement() }
    } while !openContainers.isEmpty
  }

  /// Skips a scalar or an empty container, or opens a container and skips its first member's name;
  /// returns whether it opened one.
  private mutating func skipScalarOrOpen() throws(GeoJSONError) -> Bool {
    switch next {
    case UInt8(ascii: "{"):
      try open(UInt8(ascii: "}"))
      guard !skip(UInt8(ascii: "}")) else { return closed() }
      try skipName()
      return true
    case UInt8(ascii: "["):
      try open(UInt8(ascii: "]"))
      return skip(UInt8(ascii: "]")) ? closed() : true
    case UInt8(ascii: "\""): _ = try stringToken(isDecoded: false)
    case UInt8(ascii: "t"): try skipLiteral("true")
    case UInt8(ascii: "f"): try skipLiteral("false")
    case UInt8(ascii: "n"): try skipLiteral("null")
    default: _ = try numberToken()
    }
    return false
  }

  private mutating func open(_ closing: UInt8) throws(GeoJSONError) {
    guard openContainers.count + outerDepth < JSONScanner.depthLimit else { throw tooDeep() }
    openContainers.append(closing)
    position += 1
    skipWhitespace()
  }

  private mutating func closed() -> Bool {
    openContainers.removeLast()
    return false
  }

  private mutating func skipName() throws(GeoJSONError) {
    _ = try stringToken(isDecoded: false)
    try skipColon()
  }

  /// After a value: closes the containers that end here, and stops before the next element, if any.
  private mutating func skipToNextElement() throws(GeoJSONError) {
    while let closing = openContainers.last {
      skipWhitespace()
      if skip(UInt8(ascii: ",")) {
        skipWhitespace()
        if closing == UInt8(ascii: "}") { try skipName() }
        return
      }
      guard skip(closing) else { throw unexpectedInside(closing) }
      openContainers.removeLast()
    }
  }

  // MARK: Decoding

  /// Decodes one value of any kind.
  ///
  /// - Parameter duplicates: Whether an object may repeat a member name.
  mutating func value(duplicates: DuplicateMembers) throws(GeoJSONError) -> PropertyValue {
    tree.removeAll()
    while true {
      skipWhitespace()
      guard var value = try scalarOrOpen() else { continue }
      while true {
        guard let closing = tree.closing else { return value }
        tree.append(value)
        try countValue()
        skipWhitespace()
        if skip(UInt8(ascii: ",")) {
          skipWhitespace()
          if closing == UInt8(ascii: "}") { try readName() }
          break
        }
        guard skip(closing) else { throw unexpectedInside(closing) }
        value = try close(duplicates)
      }
    }
  }

  /// Decodes a scalar or an empty container; or opens a container, reads its first member's name
  /// and returns nil.
  private mutating func scalarOrOpen() throws(GeoJSONError) -> PropertyValue? {
    switch next {
    case UInt8(ascii: "\""):
      let token = try stringToken()
      return .string(text(of: token))
    case UInt8(ascii: "{"):
      try openTree(UInt8(ascii: "}"))
      if skip(UInt8(ascii: "}")) { return tree.close() }
      try readName()
      return nil
    case UInt8(ascii: "["):
      try openTree(UInt8(ascii: "]"))
      if skip(UInt8(ascii: "]")) { return tree.close() }
      return nil
    case UInt8(ascii: "t"):
      try skipLiteral("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try skipLiteral("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try skipLiteral("null")
      return .null
    default:
      let range = try numberToken()
      return .number(
        String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self))
    }
  }

  private mutating func openTree(_ closing: UInt8) throws(GeoJSONError) {
    guard tree.depth + outerDepth < JSONScanner.depthLimit else { throw tooDeep() }
    tree.open(closing, at: position)
    position += 1
    skipWhitespace()
  }

  private mutating func readName() throws(GeoJSONError) {
    let token = try stringToken()
    let name = text(of: token)
    // For fast inequality tests.
    let fingerprint =
      token.hasEscapes
      ? decoded.fnvHash : UnsafeBufferPointer(rebasing: bytes[token.range]).fnvHash
    tree.name(name, fingerprint: fingerprint)
    try skipColon()
  }

  private mutating func close(_ duplicates: DuplicateMembers) throws(GeoJSONError) -> PropertyValue
  {
    if duplicates == .rejected, let name = tree.repeatedName {
      throw repeated(name, at: tree.start)
    }
    return tree.close()
  }

  // MARK: Errors

  /// Counts a value toward the limit.
  @inline(__always)
  mutating func countValue() throws(GeoJSONError) {
    valuesLeft -= 1
    if valuesLeft < 0 { throw tooMany("values", JSONScanner.valueLimit) }
  }

  /// Counts a position toward the limit.
  @inline(__always)
  mutating func countPosition() throws(GeoJSONError) {
    positionsLeft -= 1
    if positionsLeft < 0 { throw tooMany("positions", JSONScanner.positionLimit) }
  }

  private mutating func tooMany(_ what: String, _ limit: Int) -> GeoJSONError {
    error(
      .size, "there are more than \(grouped(limit)) \(what) in one piece; split it, or thin it out",
      at: position)
  }

  private mutating func tooDeep() -> GeoJSONError {
    error(
      .depth,
      "arrays and objects are nested more than \(JSONScanner.depthLimit) deep; flatten them",
      at: position)
  }

  mutating func repeated(_ name: String, at offset: Int) -> GeoJSONError {
    let start = String(String.UnicodeScalarView(name.unicodeScalars.prefix(32)))
    return error(
      .duplicateMember, "an object names its member \"\(start)\" twice; keep one of them",
      at: offset)
  }
}

/// How repeated member names are treated.
enum DuplicateMembers {
  /// Keep all of them, in order: RFC 8259 only discourages repeated names.
  case kept
  /// An error: it is unclear which one the writer meant.
  case rejected
}
