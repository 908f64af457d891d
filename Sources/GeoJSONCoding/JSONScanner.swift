import MapAnnotations

/// A cursor over the bytes of a JSON text (RFC 8259).
///
/// Every step checks the grammar, so skipped text is valid JSON too. Nothing here recurses: nesting
/// takes 24 bytes for each level, up to `depthLimit`.
struct JSONScanner {
  /// The maximum nesting depth of arrays and objects in one value.
  static let depthLimit = 512
  /// The maximum number of values in a feature, in a row, or outside the features: a value takes up
  /// to forty times the memory of the two bytes it may be written with.
  static let valueLimit = 1_000_000
  /// The maximum number of positions in a feature; each takes 32 bytes, temporarily twice.
  static let positionLimit = 10_000_000

  let bytes: UnsafeBufferPointer<UInt8>
  /// The next byte to read.
  var position: Int
  /// Reading stops before this byte, as if the text ended there.
  var end: Int
  /// An offset whose line is known, so that lines need not be counted from the start for each record.
  private var mark = (offset: 0, line: 1)
  /// The location of the last error, so that the next need not be counted from the start.
  private var errorMark = (offset: 0, line: 1, column: 1)

  // Reused between values to avoid allocations.
  var tree = JSONTree()
  var decoded: [UInt8] = []
  /// The properties of the feature read last, and of the one before it.
  var properties: [PropertyToken] = []
  var lastProperties: [PropertyToken] = []
  /// Whether the former are complete and no name repeats.
  var arePropertiesWhole = false
  let names = PropertyNames()
  /// How many rings of the current record did not end where they start.
  var closedRings = 0
  /// The first member `crs` other than WGS 84, in a collection, a feature or a geometry.
  var firstCRS: PropertyValue?
  /// How many containers are open around the current value.
  var outerDepth = 0
  /// How many more values and positions are allowed before a text is refused for its size.
  var valuesLeft = Int.max
  var positionsLeft = Int.max

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    end = bytes.count
    position = 0
    // RFC 8259 §8.1 lets a reader ignore a byte order mark; files made on Windows have one.
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { position = 3 }
  }

  // MARK: Single bytes

  /// The next byte; nil at the end.
  var next: UInt8? { @inline(__always) get { position < end ? bytes[position] : nil } }

  /// Skips spaces, tabs and line breaks.
  @inline(__always)
  mutating func skipWhitespace() {
    while position < end, isWhitespace(bytes[position]) { position += 1 }
  }

  /// Whether a byte is a space, a tab or part of a line break.
  @inline(__always)
  func isWhitespace(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x0A, 0x0D, 0x09: true
    default: false
    }
  }

  /// Skips `byte` if it is next.
  @inline(__always)
  mutating func skip(_ byte: UInt8) -> Bool {
    guard position < end, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// Skips white space and the `:` after a member's name, and the white space after it.
  mutating func skipColon() throws(GeoJSONError) {
    skipWhitespace()
    guard skip(UInt8(ascii: ":")) else { throw unexpected("put a colon after the member's name") }
    skipWhitespace()
  }

  /// Skips `true`, `false` or `null`, whose first letter is known.
  mutating func skipLiteral(_ literal: StaticString) throws(GeoJSONError) {
    guard matches(literal, position..<min(end, position + literal.utf8CodeUnitCount)) else {
      throw unexpected("write true, false or null, or put text in quotes")
    }
    position += literal.utf8CodeUnitCount
  }

  /// Whether a range of the text equals `text` byte for byte.
  func matches(_ text: StaticString, _ range: Range<Int>) -> Bool {
    guard range.count == text.utf8CodeUnitCount else { return false }
    for index in 0..<range.count
    where bytes[range.lowerBound + index] != text.utf8Start[index] { return false }
    return true
  }

  /// Checks that only white space is left.
  mutating func expectEnd() throws(GeoJSONError) {
    skipWhitespace()
    guard position == end else { throw unexpected("end the text after its one value") }
  }

  // MARK: Locations and errors

  /// The line of a byte at or after the last one asked for, from 1.
  ///
  /// - Complexity: O(bytes since the last one asked for).
  mutating func line(at offset: Int) -> Int {
    mark = (offset, mark.line + lineFeeds(in: mark.offset..<offset))
    return mark.line
  }

  private func lineFeeds(in range: Range<Int>) -> Int {
    let raw = UnsafeRawBufferPointer(bytes)
    var count = 0
    var index = range.lowerBound
    // Eight bytes in each step: a byte b is zero exactly if neither b nor (b & 0x7F) + 0x7F has its
    // high bit set, and no carry leaves a byte.
    let sevens: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    while index &+ 8 <= range.upperBound {
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ 0x0A0A_0A0A_0A0A_0A0A
      let zeros = ~(((word & sevens) &+ sevens) | word | sevens)
      if zeros != 0 { count += zeros.nonzeroBitCount }
      index += 8
    }
    return count + bytes[index..<max(index, range.upperBound)].count { $0 == 0x0A }
  }

  /// Makes an error at a byte, without throwing it.
  ///
  /// - Complexity: O(bytes since the last error), so that a one-line text with an error in each
  ///   feature is read only once.
  mutating func error(
    _ reason: GeoJSONError.Reason, _ message: String, at offset: Int
  ) -> GeoJSONError {
    if offset < errorMark.offset { errorMark = (0, 1, 1) }
    for byte in bytes[errorMark.offset..<offset] {
      if byte == 0x0A {
        errorMark.line += 1
        errorMark.column = 1
      } else if byte & 0xC0 != 0x80 {
        // Each scalar has exactly one byte that is not a continuation.
        errorMark.column += 1
      }
    }
    errorMark.offset = offset
    return GeoJSONError(
      reason: reason, message: message, byteOffset: offset, line: errorMark.line,
      column: errorMark.column)
  }

  /// The beginning of the next value, as evidence in an error; a short string as a whole.
  var excerpt: String {
    let quote = UInt8(ascii: "\"")
    if position < end, bytes[position] == quote {
      let text = bytes[position + 1..<min(end, position + 81)].prefix { $0 != quote }
      let isWhole = text.endIndex < end && bytes[text.endIndex] == quote
      return "\"\(String(decoding: text, as: UTF8.self))\(isWhole ? "" : "…")\""
    }
    let ends: Set<UInt8> = [UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), 0x0A, 0x0D]
    let start = bytes[position..<min(end, position + 32)].prefix { !ends.contains($0) }
    return String(decoding: start, as: UTF8.self)
  }

  /// The error for an unexpected byte, or for the end of the text.
  mutating func unexpected(_ remedy: String) -> GeoJSONError {
    guard let byte = next else {
      return error(.syntax, "the text ends too early; \(remedy)", at: position)
    }
    let name =
      (0x21...0x7E).contains(byte)
      ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x\(String(byte, radix: 16))"
    return error(.syntax, "\(name) cannot stand here; \(remedy)", at: position)
  }

  // MARK: Containers

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
