/// Finds the first byte of a text that is not well-formed UTF-8.
package enum UTF8Validation {
  /// The offset of the first ill-formed sequence; nil if there is none.
  ///
  /// Overlong forms, surrogates and scalars beyond U+10FFFF are ill-formed, and so is a sequence
  /// cut off by the end.
  ///
  /// - Complexity: O(*n*), eight ASCII bytes at a time.
  ///
  /// Source: The Unicode Standard 15, table 3-7.
  package static func firstInvalidOffset(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    let raw = UnsafeRawBufferPointer(bytes)
    let count = bytes.count
    var at = 0
    while at < count {
      if bytes[at] < 0x80 {
        while at + 8 <= count,
          raw.loadUnaligned(fromByteOffset: at, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        { at += 8 }
        while at < count, bytes[at] < 0x80 { at += 1 }
        continue
      }
      let length = sequenceLength(bytes, at)
      if length == 0 { return at }
      at += length
    }
    return nil
  }

  /// The length of the well-formed sequence of two to four bytes at an offset; 0 if there is none.
  @inlinable @inline(__always)
  package static func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int {
    let lead = bytes[at]
    let length: Int
    // The second byte has a narrower range after lead bytes whose sequences could be overlong,
    // surrogates or too large.
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0:
      length = 3
      second = 0xA0...0xBF
    case 0xED:
      length = 3
      second = 0x80...0x9F
    case 0xE1...0xEF: length = 3
    case 0xF0:
      length = 4
      second = 0x90...0xBF
    case 0xF4:
      length = 4
      second = 0x80...0x8F
    case 0xF1...0xF3: length = 4
    default: return 0
    }
    guard at + length <= bytes.count, second.contains(bytes[at + 1]) else { return 0 }
    for next in 2..<max(length, 2) where bytes[at + next] & 0xC0 != 0x80 { return 0 }
    return length
  }
}
