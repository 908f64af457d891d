#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Converts a text into UTF-8 through the system's iconv, a block at a time.
///
/// Beside the text and what comes out of it, one block of 64 KiB is held.
struct TextConversion: ~Copyable {
  /// What comes out of a conversion.
  enum Outcome {
    case converted([UInt8])
    /// The offset of the first byte that does not fit the encoding.
    case illegal(offset: Int)
  }

  private let descriptor: iconv_t
  private let encoding: TextEncoding
  private static let block = 1 << 16

  /// nil where the system does not know the encoding.
  init?(from encoding: TextEncoding) {
    self.encoding = encoding
    for name in encoding.iconvNames {
      if let opened = iconv_open("UTF-8", name), Int(bitPattern: opened) != -1 {
        descriptor = opened
        return
      }
    }
    return nil
  }

  deinit { iconv_close(descriptor) }

  /// The text in UTF-8, or where it does not fit.
  ///
  /// - Parameter output: Whether the text is wanted; an empty one comes out otherwise.
  func utf8(of bytes: UnsafeBufferPointer<UInt8>, keepsText: Bool = true) -> Outcome {
    var text: [UInt8] = []
    // Two bytes become three in Korean and Japanese, and what is ASCII stays.
    if keepsText { text.reserveCapacity(bytes.count + bytes.count / 4 + 16) }
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
      if keepsText {
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(block)[..<(block.count - room)])
          .withMemoryRebound(to: UInt8.self) { text += $0 }
      }
      if failure == 0 { break }
      if failure != E2BIG { return .illegal(offset: bytes.count - left) }
    }
    if encoding.isJapanese { TextConversion.takeSignsOfJIS(&text) }
    return .converted(text)
  }

  /// Puts the signs of JIS X 0208 where Microsoft's tables have full-width ones, of as many bytes.
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
