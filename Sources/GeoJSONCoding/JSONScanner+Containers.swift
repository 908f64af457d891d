/// Iterates over objects and arrays whose content is read piece by piece.
extension JSONScanner {
  /// Iterates over the members of an object, starting at its brace; `body` reads each value.
  mutating func forEachMember(
    _ body: (inout JSONScanner, JSONStringToken) throws(GeoJSONError) -> Void
  ) throws(GeoJSONError) {
    guard hasElement(before: UInt8(ascii: "}")) else { return }
    repeat {
      let name = try stringToken()
      try skipColon()
      try body(&self, name)
    } while try hasNextElement(before: UInt8(ascii: "}"), "members")
  }

  /// Iterates over the elements of an array, starting at its bracket; `body` reads each.
  @inline(__always)
  mutating func forEachElement(
    _ body: (inout JSONScanner) throws(GeoJSONError) -> Void
  ) throws(GeoJSONError) {
    guard hasElement(before: UInt8(ascii: "]")) else { return }
    repeat { try body(&self) } while try hasNextElement(before: UInt8(ascii: "]"))
  }

  /// Moves from the bracket or brace that is next to the first element; behind the container if that is empty.
  @inline(__always)
  mutating func hasElement(before closing: UInt8) -> Bool {
    position += 1
    skipWhitespace()
    return !skip(closing)
  }

  /// Moves from behind an element to the next one; behind the container if there is none.
  ///
  /// - Parameter elements: What the container holds, for the error.
  @inline(__always)
  mutating func hasNextElement(
    before closing: UInt8, _ elements: StaticString = "elements"
  ) throws(GeoJSONError) -> Bool {
    skipWhitespace()
    if skip(closing) { return false }
    guard skip(UInt8(ascii: ",")) else { throw unexpectedInside(closing, elements) }
    skipWhitespace()
    return true
  }

  mutating func unexpectedInside(
    _ closing: UInt8, _ elements: StaticString = "elements"
  ) -> GeoJSONError {
    unexpected(
      "put a comma between \(elements), or close with \(Character(Unicode.Scalar(closing)))")
  }
}
