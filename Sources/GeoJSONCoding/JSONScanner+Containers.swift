/// Iterates over objects and arrays whose content is read piece by piece.
extension JSONScanner {
  /// Iterates over the members of an object, starting at its brace; `body` reads each value.
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

  /// Iterates over the elements of an array, starting at its bracket; `body` reads each.
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
}
