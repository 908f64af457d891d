/// The bytes before a text that identify its encoding.
enum ByteOrderMark {
  /// The length of a UTF-8 byte order mark at the start, 3 or 0.
  static func length(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The UTF-16 variant of a mark at the start; nil without one.
  static func utf16(_ bytes: UnsafeBufferPointer<UInt8>) -> TextEncoding? {
    // FF FE 00 00 would be UTF-32; a text in UTF-16 does not begin with U+0000.
    if bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFF, 0xFE, 0, 0]) {
      return .utf16LittleEndian
    }
    return bytes.starts(with: [0xFE, 0xFF]) ? .utf16BigEndian : nil
  }
}
