import SystemCalls

/// Converts a text from one encoding to another through the system's iconv, in blocks.
///
/// In addition to the text and the result it needs one block of 64 KiB.
struct TextConversion: ~Copyable {
  /// The result of a conversion.
  enum Outcome {
    case converted([UInt8])
    /// The offset of the first byte that is invalid in the source encoding, or that the other lacks.
    case illegal(offset: Int)
  }

  private let descriptor: iconv_t
  private let source: TextEncoding
  private static let block = 1 << 16

  /// nil if the system does not know an encoding.
  init?(from source: TextEncoding, to target: TextEncoding = .utf8) {
    self.source = source
    for from in source.iconvNames {
      for to in target.iconvNames {
        if let opened = iconv_open(to, from), Int(bitPattern: opened) != -1 {
          descriptor = opened
          return
        }
      }
    }
    return nil
  }

  deinit { iconv_close(descriptor) }

  /// The converted text, or the offset of an invalid byte.
  func convert(_ bytes: UnsafeBufferPointer<UInt8>) -> Outcome {
    var text: [UInt8] = []
    // In Korean and Japanese two bytes become three, and ASCII stays.
    text.reserveCapacity(bytes.count + bytes.count / 4 + 16)
    let block = UnsafeMutableBufferPointer<CChar>.allocate(capacity: TextConversion.block)
    defer { block.deallocate() }
    guard let start = bytes.baseAddress else { return .converted(text) }
    var input: UnsafeMutablePointer<CChar>? = UnsafeMutableRawPointer(mutating: start)
      .assumingMemoryBound(to: CChar.self)
    var left = bytes.count
    while true {
      var output = block.baseAddress
      var room = block.count
      let result = iconv(descriptor, &input, &left, &output, &room)
      let failure = result == -1 ? errno : 0
      UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(block)[..<(block.count - room)])
        .withMemoryRebound(to: UInt8.self) { text += $0 }
      if failure == 0 { break }
      if failure != E2BIG { return .illegal(offset: bytes.count - left) }
    }
    if source.isJapanese { TextConversion.takeSignsOfJIS(&text) }
    return .converted(text)
  }

  /// Replaces full-width signs of Microsoft's tables by the signs of JIS X 0208, of the same size in bytes.
  private static func takeSignsOfJIS(_ text: inout [UInt8]) {
    text.withUnsafeMutableBufferPointer { bytes in
      var at = 0
      while at + 2 < bytes.count {
        if bytes[at] == 0xEF || bytes[at] == 0xE2 {
          switch (bytes[at], bytes[at + 1], bytes[at + 2]) {
          case (0xEF, 0xBD, 0x9E):  // U+FF5E becomes U+301C, the wave dash
            (bytes[at], bytes[at + 1], bytes[at + 2]) = (0xE3, 0x80, 0x9C)
          case (0xEF, 0xBC, 0x8D):  // U+FF0D becomes U+2212, the minus
            (bytes[at], bytes[at + 1], bytes[at + 2]) = (0xE2, 0x88, 0x92)
          case (0xE2, 0x88, 0xA5):  // U+2225 becomes U+2016, the double bar
            (bytes[at], bytes[at + 1], bytes[at + 2]) = (0xE2, 0x80, 0x96)
          default: break
          }
        }
        at += 1
      }
    }
  }
}
