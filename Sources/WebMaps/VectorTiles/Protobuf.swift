import Geodesy

/// Reads the fields of one protocol buffer message in order.
///
/// Nothing is copied, and nothing is read beyond the message's end. Lengths and counts are checked
/// against the available bytes before they are used.
///
/// Source: "Protocol Buffers: Encoding", protobuf.dev/programming-guides/encoding.
struct ProtobufReader {
  private let bytes: [UInt8]
  /// The index of the next byte among all bytes.
  private(set) var position: Int
  let end: Int

  /// The encoding of a field.
  enum WireType: UInt8 {
    case varint = 0
    case eightBytes = 1
    case lengthDelimited = 2
    case fourBytes = 5
  }

  /// The number and encoding of a field.
  struct Field {
    let number: UInt64
    let wireType: WireType
    /// The offset where the field begins.
    let offset: Int
  }

  var isAtEnd: Bool { position == end }

  /// The next field's number and type; nil at the end.
  mutating func field() throws(VectorTileError) -> Field? {
    guard position < end else { return nil }
    let offset = position
    let key = try varint()
    // Groups (3 and 4) were deprecated before vector tiles existed.
    guard let wireType = WireType(rawValue: UInt8(key & 7)) else {
      throw VectorTileError(.wireType("field \(key >> 3)"), at: offset)
    }
    guard key >> 3 > 0 else { throw VectorTileError(.number, at: offset) }
    return Field(number: key >> 3, wireType: wireType, offset: offset)
  }

  /// Reads a varint: 7 bits in each byte, lowest first.
  mutating func varint() throws(VectorTileError) -> UInt64 {
    let offset = position
    var value: UInt64 = 0
    // The tenth byte has room for one bit.
    for shift in stride(from: UInt64(0), through: 63, by: 7) {
      guard position < end else { throw VectorTileError(.cutOff, at: offset) }
      let byte = UInt64(bytes[position])
      position += 1
      guard shift < 63 || byte <= 1 else { break }
      value |= (byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw VectorTileError(.number, at: offset)
  }

  /// The number in a field that must be a varint.
  mutating func varint(
    of field: Field, named name: @autoclosure () -> String
  ) throws(VectorTileError) -> UInt64 {
    try check(field, .varint, name())
    return try varint()
  }

  private func check(
    _ field: Field, _ wireType: WireType, _ name: @autoclosure () -> String
  ) throws(VectorTileError) {
    guard field.wireType == wireType else {
      throw VectorTileError(.wireType(name()), at: field.offset)
    }
  }

  /// The message, text or packed numbers in a field that must have a length.
  mutating func content(
    of field: Field, named name: @autoclosure () -> String
  ) throws(VectorTileError) -> ProtobufReader {
    try check(field, .lengthDelimited, name())
    let length = try varint()
    guard length <= UInt64(end - position) else { throw VectorTileError(.cutOff, at: field.offset) }
    let start = position
    position += Int(length)
    return ProtobufReader(bytes: bytes, position: start, end: position)
  }

  /// The text of a field.
  mutating func text(
    of field: Field, named name: @autoclosure () -> String
  ) throws(VectorTileError) -> String {
    let content = try content(of: field, named: name())
    guard let text = String(validating: content.rest, as: UTF8.self) else {
      throw VectorTileError(.text(name()), at: field.offset)
    }
    return text
  }

  /// The bits of a field of four bytes.
  mutating func fourBytes(
    of field: Field, named name: @autoclosure () -> String
  ) throws(VectorTileError) -> UInt32 {
    try check(field, .fourBytes, name())
    return UInt32(truncatingIfNeeded: try littleEndian(4))
  }

  /// The bits of a field of eight bytes.
  mutating func eightBytes(
    of field: Field, named name: @autoclosure () -> String
  ) throws(VectorTileError) -> UInt64 {
    try check(field, .eightBytes, name())
    return try littleEndian(8)
  }

  /// Appends the numbers of a repeated field, packed or not, as every reader must accept both.
  mutating func append(
    to numbers: inout [UInt32], _ field: Field, named name: @autoclosure () -> String
  ) throws(VectorTileError) {
    guard field.wireType == .lengthDelimited else {
      numbers.append(UInt32(truncatingIfNeeded: try varint(of: field, named: name())))
      return
    }
    var packed = try content(of: field, named: name())
    while !packed.isAtEnd { numbers.append(UInt32(truncatingIfNeeded: try packed.varint())) }
  }

  /// Skips a field that is not used.
  mutating func skip(_ field: Field) throws(VectorTileError) {
    switch field.wireType {
    case .varint: _ = try varint()
    case .eightBytes: _ = try littleEndian(8)
    case .lengthDelimited: _ = try content(of: field, named: "")
    case .fourBytes: _ = try littleEndian(4)
    }
  }

  private var rest: ArraySlice<UInt8> { bytes[position..<end] }

  private mutating func littleEndian(_ count: Int) throws(VectorTileError) -> UInt64 {
    guard end - position >= count else { throw VectorTileError(.cutOff, at: position) }
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(bytes[position + index]) << UInt64(8 * index) }
    position += count
    return value
  }
}

extension ProtobufReader {
  init(_ bytes: [UInt8]) { self.init(bytes: bytes, position: 0, end: bytes.count) }
}

/// Decodes a zigzag code: 0, 1, 2, 3 stand for 0, −1, 1, −2.
@inline(__always)
func unzigzagged(_ code: UInt32) -> Int32 {
  Int32(bitPattern: code >> 1) ^ -Int32(bitPattern: code & 1)
}

/// The zigzag code of a number, small for numbers near 0.
@inline(__always)
func zigzagged(_ number: Int32) -> UInt32 {
  UInt32(bitPattern: number << 1 ^ number >> 31)
}

/// Appends fields of protocol buffer messages.
extension [UInt8] {
  @inline(__always)
  mutating func appendVarint(_ value: UInt32) { appendVarint(UInt64(value)) }

  @inline(__always)
  mutating func appendVarint(_ value: Int) { appendVarint(UInt64(value)) }

  /// Appends a field that holds a varint.
  mutating func appendField(_ number: UInt8, varint value: UInt64) {
    append(number << 3)
    appendVarint(value)
  }

  /// Appends the number of a field and the length of its content.
  mutating func appendField(_ number: UInt8, length: Int) {
    append(number << 3 | 2)
    appendVarint(length)
  }

  /// Appends a field that holds text.
  mutating func appendField(_ number: UInt8, text: String) {
    var text = text
    text.withUTF8 {
      appendField(number, length: $0.count)
      append(contentsOf: $0)
    }
  }

  /// Appends a number in little-endian byte order.
  mutating func appendLittleEndian<Number: FixedWidthInteger>(_ number: Number) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}

/// The number of bytes of a varint: 1…10.
@inline(__always)
func varintLength(_ value: UInt64) -> Int {
  // The bit width times 9 / 64 instead of 1 / 7, rounded up: exact for all widths of 1…64.
  ((64 - (value | 1).leadingZeroBitCount) * 9 + 64) >> 6
}
