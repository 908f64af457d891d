/// A cursor over the bytes of a JSON text (RFC 8259).
///
/// Every step checks the grammar, so that what was passed over is JSON even where nothing was kept
/// of it. Nothing here recurses: nesting costs a byte a level, up to `depthLimit`.
struct JSONScanner {
  /// Arrays and objects may be nested this deep in one value.
  static let depthLimit = 512
  /// A feature, a row and what stands beside the features may each hold this many values: in memory a
  /// value takes up to forty times the two bytes that it is written with.
  static let valueLimit = 1_000_000
  /// A feature may hold this many positions, which take 32 bytes each, and some time twice.
  static let positionLimit = 10_000_000

  let bytes: UnsafeBufferPointer<UInt8>
  /// The next byte to read.
  var position: Int
  /// Reading stops before this byte, as if the text ended there.
  var end: Int
  /// A place whose line is known, so that records need not count lines from the start.
  private var mark = (offset: 0, line: 1)
  /// Where the last error was, so that the next need not count from the start either.
  private var errorMark = (offset: 0, line: 1, column: 1)

  // Kept between values, so that a value allocates nothing but what it is made of.
  var openContainers: [UInt8] = []
  var tree = JSONTree()
  var decoded: [UInt8] = []
  /// Where the properties of the feature that was read last lie, and of the one before it.
  var properties: [PropertyToken] = []
  var lastProperties: [PropertyToken] = []
  /// Whether the former were read to their end, and no name repeats.
  var arePropertiesWhole = false
  let names = PropertyNames()
  /// How many rings of the record did not end where they start.
  var closedRings = 0
  /// How many containers are open around the value that is read.
  var outerDepth = 0
  /// How many more values and positions may be read before a text is refused for its size.
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
  var next: UInt8? {
    @inline(__always) get { position < end ? bytes[position] : nil }
  }

  /// Passes over spaces, tabs and line ends.
  @inline(__always)
  mutating func skipWhitespace() {
    while position < end {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  /// Passes over `byte` if it comes next.
  @inline(__always)
  mutating func skip(_ byte: UInt8) -> Bool {
    guard position < end, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// Passes over white space and the `:` after a member's name, and the white space after it.
  mutating func skipColon() throws(GeoJSONError) {
    skipWhitespace()
    guard skip(UInt8(ascii: ":")) else { throw unexpected("put a colon after the member's name") }
    skipWhitespace()
  }

  /// Passes over `true`, `false` or `null`, whose first letter is known.
  mutating func skipLiteral(_ literal: StaticString) throws(GeoJSONError) {
    guard matches(literal, position..<min(end, position + literal.utf8CodeUnitCount)) else {
      throw unexpected("write true, false or null, or put text in quotes")
    }
    position += literal.utf8CodeUnitCount
  }

  /// Whether a range of the text is, byte for byte, `text`.
  func matches(_ text: StaticString, _ range: Range<Int>) -> Bool {
    guard range.count == text.utf8CodeUnitCount else { return false }
    for index in 0..<range.count
    where bytes[range.lowerBound + index] != text.utf8Start[index] { return false }
    return true
  }

  /// Checks that nothing but white space is left.
  mutating func expectEnd() throws(GeoJSONError) {
    skipWhitespace()
    guard position == end else { throw unexpected("end the text after its one value") }
  }

  // MARK: Places and errors

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
    // Eight bytes a step: a byte b is zero exactly if neither b nor (b & 0x7F) + 0x7F has its
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

  /// An error at a byte; nothing is thrown yet.
  ///
  /// - Complexity: O(bytes since the last error), so that a text on one line with an error in each
  ///   feature is gone through once.
  mutating func error(
    _ reason: GeoJSONError.Reason, _ message: String, at offset: Int
  ) -> GeoJSONError {
    if offset < errorMark.offset { errorMark = (0, 1, 1) }
    for byte in bytes[errorMark.offset..<offset] {
      if byte == 0x0A {
        errorMark.line += 1
        errorMark.column = 1
      } else if byte & 0xC0 != 0x80 {
        // A scalar has one byte that is not a continuation.
        errorMark.column += 1
      }
    }
    errorMark.offset = offset
    return GeoJSONError(
      reason: reason, message: message, byteOffset: offset, line: errorMark.line,
      column: errorMark.column)
  }

  /// The beginning of the value that comes next, as evidence in an error; a string whole, unless it is long.
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

  /// The error for a byte that may not come next, or for the end of the text.
  mutating func unexpected(_ remedy: String) -> GeoJSONError {
    guard let byte = next else {
      return error(.syntax, "the text ends too early; \(remedy)", at: position)
    }
    let name =
      (0x21...0x7E).contains(byte)
      ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x\(String(byte, radix: 16))"
    return error(.syntax, "\(name) cannot stand here; \(remedy)", at: position)
  }
}
