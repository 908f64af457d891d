import Geodesy
import MapAnnotations

/// Writes compact JSON (RFC 8259) into a byte buffer, piece by piece.
///
///     var writer = JSONWriter()
///     writer.beginObject()
///     writer.member("count", .integer(3))
///     writer.endObject()
///     print(writer.text)  // {"count":3}
///
/// Commas are added automatically. Text stays UTF-8; only quotes, backslashes, control characters
/// and the two line separators that JavaScript once treated as line breaks are escaped.
public struct JSONWriter: Sendable {
  /// The bytes written since the last `removeAll()`.
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false
  private var depth = 0

  /// Makes a writer with an empty buffer.
  public init() {}

  /// The bytes written so far, as text.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Makes room for that many bytes, so that the buffer need not grow bit by bit.
  package mutating func reserveCapacity(_ count: Int) { bytes.reserveCapacity(count) }

  /// Clears the buffer; open objects and arrays stay open.
  public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Writes a line feed, after which another top-level value may follow.
  ///
  /// - Precondition: No object or array is open.
  public mutating func endLine() {
    precondition(depth == 0, "a line cannot end inside \(depth) open objects and arrays")
    bytes.append(0x0A)
    needsComma = false
  }

  /// Starts a new line before the next element of the open array.
  mutating func breakLine() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    bytes.append(0x0A)
    needsComma = false
  }

  /// Writes the byte before each text of a JSON text sequence (RFC 7464).
  package mutating func separateRecord() { bytes.append(JSONScanner.recordSeparator) }

  // MARK: Structure

  /// Opens an object; write its members, then end it.
  public mutating func beginObject() { open(UInt8(ascii: "{")) }

  /// Closes the open object.
  ///
  /// - Precondition: Something is open.
  public mutating func endObject() { close(UInt8(ascii: "}")) }

  /// Opens an array; write its values, then end it.
  public mutating func beginArray() { open(UInt8(ascii: "[")) }

  /// Closes the open array.
  ///
  /// - Precondition: Something is open.
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  private mutating func open(_ byte: UInt8) {
    startValue()
    bytes.append(byte)
    needsComma = false
    depth += 1
  }

  private mutating func close(_ byte: UInt8) {
    precondition(depth > 0, "nothing is open that could be closed")
    bytes.append(byte)
    needsComma = true
    depth -= 1
  }

  /// Writes a member's name; its value must follow.
  public mutating func name(_ name: String) {
    startValue()
    appendQuoted(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a member's name that is already in JSON form with its colon.
  package mutating func name(written name: UnsafeBufferPointer<UInt8>) {
    startValue()
    bytes.append(contentsOf: name)
    needsComma = false
  }

  /// Writes a member's name that is already in JSON form with its colon.
  package mutating func name(written name: StaticString) {
    self.name(
      written: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  private mutating func startValue() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  // MARK: Values

  /// Writes a member of the open object.
  public mutating func member(_ name: String, _ value: PropertyValue) {
    self.name(name)
    self.value(value)
  }

  /// Writes a member of the open object: an array whose elements `write` writes, each at most once.
  package mutating func member<Elements: Sequence>(
    _ name: String, each elements: Elements, _ write: (inout JSONWriter, Elements.Element) -> Void
  ) {
    self.name(name)
    array(elements, write)
  }

  /// Writes an array whose elements `write` writes, each at most once.
  package mutating func array<Elements: Sequence>(
    _ elements: Elements, _ write: (inout JSONWriter, Elements.Element) -> Void
  ) {
    beginArray()
    for element in elements { write(&self, element) }
    endArray()
  }

  /// Writes a value of any kind.
  ///
  /// A number that is not in JSON's grammar is written as a string, and a repeated name in an
  /// object gets `_2`, `_3`, … appended. So the result is always JSON that all readers read alike.
  public mutating func value(_ value: PropertyValue) {
    switch value {
    case .null: null()
    case .bool(let isTrue): bool(isTrue)
    case .number(let text): isJSONNumber(text) ? literal(text) : string(text)
    case .string(let text): string(text)
    case .array(let elements): array(elements) { $0.value($1) }
    case .object(let properties):
      beginObject()
      members(properties)
      endObject()
    }
  }

  /// Writes members into the open object; none of the names may have been written before.
  public mutating func members(_ properties: Properties) {
    for entry in properties.withDistinctNames.entries { member(entry.name, entry.value) }
  }

  /// Writes a string.
  public mutating func string(_ text: String) {
    startValue()
    appendQuoted(text)
  }

  /// Writes a string from bytes that are known to be UTF-8.
  package mutating func string(utf8 text: UnsafeRawBufferPointer) {
    startValue()
    text.withMemoryRebound(to: UInt8.self) { appendQuoted($0) }
  }

  /// Writes the shortest number that reads back as the same double.
  ///
  /// JSON has no infinities and NaN (RFC 8259 §6): they become `null`, as in JavaScript's
  /// `JSON.stringify`.
  public mutating func number(_ value: Double) {
    guard value.isFinite else { return null() }
    let isShortInteger = value == value.rounded(.towardZero) && abs(value) < 1e15
    if isShortInteger, value != 0 || value.sign == .plus {
      literal(String(Int(value)))
    } else if !appendShortDecimal(value) {
      literal(value.description)
    }
  }

  /// Writes a number of at most seven decimals, as most coordinates are, digit by digit; for others
  /// it returns false and writes nothing.
  ///
  /// For a double with fewer than 16 digits, the shortest text that reads back is its decimal form.
  private mutating func appendShortDecimal(_ value: Double) -> Bool {
    let magnitude = abs(value)
    // From 10⁻³ up no exponent is written; below 10⁷ there are at most 14 digits.
    guard magnitude >= 1e-3, magnitude < 1e7 else { return false }
    let scaled = (magnitude * 1e7).rounded(.toNearestOrEven)
    // Both are exact, so their quotient is the double nearest to the decimal.
    guard scaled / 1e7 == magnitude else { return false }
    startValue()
    // At least one digit after the point is not zero.
    appendDigits(
      UInt64(scaled), isNegative: value < 0, decimals: 7, dropsZeros: true, to: &bytes)
    return true
  }

  /// Writes a number with a fixed count of decimals, like `fixedDecimal`.
  package mutating func number(_ value: Double, decimals: Int) {
    startValue()
    appendFixedDecimal(value, decimals: decimals, to: &bytes)
  }

  /// Writes a whole number.
  public mutating func number(_ value: Int) {
    startValue()
    appendDecimal(value, to: &bytes)
  }

  /// Writes `true` or `false`.
  public mutating func bool(_ value: Bool) {
    literal(value ? "true" as StaticString : "false" as StaticString)
  }

  /// Writes `null`.
  public mutating func null() { literal("null" as StaticString) }

  private mutating func literal(_ text: String) {
    startValue()
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  mutating func literal(_ text: StaticString) {
    startValue()
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  // MARK: Text

  private mutating func appendQuoted(_ text: String) {
    var text = text
    text.withUTF8 { appendQuoted($0) }
  }

  private mutating func appendQuoted(_ utf8: UnsafeBufferPointer<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    var plainStart = 0
    var index = firstSuspect(utf8, from: 0)
    while index < utf8.count {
      guard let length = lengthToEscape(utf8, at: index) else {
        index = firstSuspect(utf8, from: index + 1)
        continue
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[plainStart..<index]))
      appendEscape(utf8, at: index)
      index += length
      plainStart = index
      index = firstSuspect(utf8, from: index)
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[plainStart...]))
    bytes.append(UInt8(ascii: "\""))
  }

  /// The first byte at or after an index that may need an escape, or the end; eight bytes in each step.
  ///
  /// As in `skipPlainText`, a bit is set for the lowest hit and perhaps for bytes above it. Bytes with the high bit set
  /// all count as hits; only 0xE2 and DEL matter.
  @inline(__always)
  private func firstSuspect(_ utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs = ones << 7
    let raw = UnsafeRawBufferPointer(utf8)
    var index = start
    while index &+ 8 <= utf8.count {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      func isByte(_ byte: UInt64) -> UInt64 {
        let difference = word ^ (ones &* byte)
        return (difference &- ones) & ~difference
      }
      let hits =
        (isByte(0x22) | isByte(0x5C) | isByte(0x7F) | isByte(0xE2)
          | ((word &- (ones &* 0x20)) & ~word)) & highs
      if hits != 0 { return index &+ hits.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < utf8.count {
      let byte = utf8[index]
      if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F || byte == 0xE2 { break }
      index &+= 1
    }
    return index
  }

  /// The number of bytes from `index` that form one character to escape; nil if none is needed.
  @inline(__always)
  private func lengthToEscape(_ utf8: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
    switch utf8[index] {
    case 0x00...0x1F, 0x22, 0x5C, 0x7F: 1
    // U+2028 and U+2029 are E2 80 A8 and E2 80 A9.
    case 0xE2 where utf8[index + 1] == 0x80 && utf8[index + 2] & 0xFE == 0xA8: 3
    default: nil
    }
  }

  private mutating func appendEscape(_ utf8: UnsafeBufferPointer<UInt8>, at index: Int) {
    bytes.append(UInt8(ascii: "\\"))
    switch utf8[index] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(utf8[index])
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0xE2: bytes.append(contentsOf: (utf8[index + 2] == 0xA8 ? "u2028" : "u2029").utf8)
    case let control: bytes.append(contentsOf: "u\(zeroPadded(control, 4, radix: 16))".utf8)
    }
  }
}

/// Whether a whole text is a number in JSON's grammar.
private func isJSONNumber(_ text: String) -> Bool {
  var text = text
  return text.withUTF8 { utf8 in
    var scanner = JSONScanner(utf8)
    return (try? scanner.numberToken()) == 0..<utf8.count
  }
}
