/// What is known of the encoding of a text before it is read: so far, that it must be UTF-8.
enum TextEncoding {
  /// The length of a UTF-8 byte order mark at the start, 3 or 0.
  static func byteOrderMarkLength(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Throws with the line of the first byte that is not UTF-8.
  static func checkUTF8(
    _ bytes: UnsafeBufferPointer<UInt8>, source: String
  ) throws(ImportError) {
    guard let offset = UTF8Validation.firstInvalidOffset(in: bytes) else { return }
    let line = bytes[..<offset].count { $0 == .lineFeed } + 1
    let looksLikeUTF16 =
      bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    throw ImportError(
      source,
      .encoding(
        line: line, byteOffset: offset, byte: bytes[offset], looksLikeUTF16: looksLikeUTF16))
  }
}
