import Geodesy

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

extension VectorTileValue {
  /// Appends the value as the message in a layer, preceded by its length.
  func append(to bytes: inout [UInt8]) {
    switch self {
    case .string(let text):
      let count = text.utf8.count
      bytes.appendVarint(1 + varintLength(UInt64(count)) + count)
      bytes.appendField(1, text: text)
    case .float(let value):
      bytes.append(5)
      bytes.append(2 << 3 | 5)
      bytes.appendLittleEndian(value.bitPattern)
    case .double(let value):
      bytes.append(9)
      bytes.append(3 << 3 | 1)
      bytes.appendLittleEndian(value.bitPattern)
    case .integer(let value) where value >= 0:
      bytes.appendVarint(1 + varintLength(UInt64(value)))
      bytes.appendField(4, varint: UInt64(value))
    case .integer(let value):
      // As a plain varint, every negative number takes ten bytes.
      let code = UInt64(bitPattern: value << 1 ^ value >> 63)
      bytes.appendVarint(1 + varintLength(code))
      bytes.appendField(6, varint: code)
    case .unsigned(let value):
      bytes.appendVarint(1 + varintLength(value))
      bytes.appendField(5, varint: value)
    case .bool(let value):
      bytes.append(2)
      bytes.appendField(7, varint: value ? 1 : 0)
    }
  }
}
