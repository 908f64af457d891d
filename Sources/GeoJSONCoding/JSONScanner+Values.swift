import Geodesy
import MapAnnotations

extension JSONScanner {
  // MARK: Values

  /// Skips one value of any kind, with the same checks as if it were decoded, but for halves of
  /// surrogate pairs.
  mutating func skipValue() throws(GeoJSONError) { _ = try walk(nil) }

  /// Decodes one value of any kind.
  ///
  /// - Parameter duplicates: Whether an object may repeat a member name.
  mutating func value(duplicates: DuplicateMembers) throws(GeoJSONError) -> PropertyValue {
    try walk(duplicates)
  }

  /// Decodes one value; or skips it and returns null, if nothing is said about repeated names.
  @inline(__always)
  private mutating func walk(_ duplicates: DuplicateMembers?) throws(GeoJSONError) -> PropertyValue
  {
    tree.removeAll()
    while true {
      skipWhitespace()
      guard var value = try scalarOrOpen(isKept: duplicates != nil) else { continue }
      while true {
        guard let closing = tree.closing else { return value }
        if duplicates != nil {
          tree.append(value)
          try countValue()
        }
        skipWhitespace()
        if skip(UInt8(ascii: ",")) {
          skipWhitespace()
          if closing == UInt8(ascii: "}") { try readName(isKept: duplicates != nil) }
          break
        }
        guard skip(closing) else { throw unexpectedInside(closing) }
        if duplicates == .rejected, let name = tree.repeatedName {
          throw repeated(name, at: tree.start)
        }
        value = tree.close()
      }
    }
  }

  /// Reads a scalar or an empty container; or opens a container, reads its first member's name
  /// and returns nil.
  ///
  /// - Parameter isKept: Whether the scalar is decoded; null is returned otherwise.
  @inline(__always)
  private mutating func scalarOrOpen(isKept: Bool) throws(GeoJSONError) -> PropertyValue? {
    switch next {
    case UInt8(ascii: "\""):
      let token = try stringToken(isDecoded: isKept)
      return isKept ? .string(text(of: token)) : .null
    case UInt8(ascii: "{"):
      try open(UInt8(ascii: "}"))
      if skip(UInt8(ascii: "}")) { return tree.close() }
      try readName(isKept: isKept)
      return nil
    case UInt8(ascii: "["):
      try open(UInt8(ascii: "]"))
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
      let digits = UnsafeBufferPointer(rebasing: bytes[try numberToken()])
      return isKept ? .number(String(decoding: digits, as: UTF8.self)) : .null
    }
  }

  private mutating func open(_ closing: UInt8) throws(GeoJSONError) {
    guard tree.depth + outerDepth < JSONScanner.depthLimit else { throw tooDeep() }
    tree.open(closing, at: position)
    position += 1
    skipWhitespace()
  }

  @inline(__always)
  private mutating func readName(isKept: Bool) throws(GeoJSONError) {
    let token = try stringToken(isDecoded: isKept)
    if isKept {
      let name = text(of: token)
      // For fast inequality tests.
      let fingerprint =
        token.hasEscapes
        ? decoded.fnvHash : UnsafeBufferPointer(rebasing: bytes[token.range]).fnvHash
      tree.name(name, fingerprint: fingerprint)
    }
    try skipColon()
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
