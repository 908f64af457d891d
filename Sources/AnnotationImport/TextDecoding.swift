import GeoJSONCoding
import SystemCalls

/// Converts the bytes of a source to UTF-8.
struct TextDecoding {
  /// The text in UTF-8; without a byte order mark if it was converted.
  let text: [UInt8]
  /// A remark about the encoding; nil if no decision was needed.
  private(set) var remark: String?
  /// Whether the bytes were in another encoding.
  private(set) var isConverted = false
}

extension TextDecoding {
  /// - Parameters:
  ///   - asked: nil to use UTF-8 if the bytes are valid, and otherwise to detect the encoding.
  ///   - stated: The charset that a server states, used instead of detection if all of the text fits.
  /// - Throws: `ImportError` with the line of the first invalid byte.
  init(
    _ bytes: consuming [UInt8], _ source: String, asked: TextEncoding?, stated: String? = nil
  ) throws(ImportError) {
    let bytes = bytes
    if asked == nil, let stated, let encoding = TextEncoding(named: stated),
      let converted = bytes.withUnsafeBufferPointer({ TextDecoding.converted($0, stated: encoding) }
      )
    {
      self.init(
        text: converted,
        remark:
          "\(source): read as \(encoding.displayName): the server says \(stated.uppercased())",
        isConverted: true)
      return
    }
    let found = try bytes.withUnsafeBufferPointer {
      (buffer) throws(ImportError) -> Found in try TextDecoding.encoding(buffer, source, asked)
    }
    guard found.encoding != .utf8 else {
      self.init(text: bytes)
      return
    }
    let text = try bytes.withUnsafeBufferPointer { (buffer) throws(ImportError) -> [UInt8] in
      try TextDecoding.converted(buffer, source, from: found.encoding)
    }
    self.init(text: text, remark: found.remark, isConverted: true)
  }

  /// The text in an encoding that a server states; nil if it does not fit, or the bytes show another one.
  ///
  /// Servers state a charset for all their files, right or wrong. Valid UTF-8 and marked or zero-filled UTF-16 are
  /// recognized without them; Windows-1252, which fits nearly any bytes, is what many state by default.
  private static func converted(
    _ bytes: UnsafeBufferPointer<UInt8>, stated encoding: TextEncoding
  ) -> [UInt8]? {
    guard [.cp949, .shiftJIS, .eucJP].contains(encoding), EncodingDetection.utf16(bytes) == nil,
      UTF8Validation.firstInvalidOffset(in: bytes) != nil,
      !bytes.starts(with: [0xEF, 0xBB, 0xBF]), let conversion = TextConversion(from: encoding),
      case .converted(let text) = conversion.convert(bytes)
    else { return nil }
    return text
  }

  private typealias Found = (encoding: TextEncoding, remark: String?)

  private static func encoding(
    _ bytes: UnsafeBufferPointer<UInt8>, _ source: String, _ asked: TextEncoding?
  ) throws(ImportError) -> Found {
    if let asked, asked.isUTF16 { return (try utf16(bytes, source, asked), nil) }
    if let asked, asked != .utf8 { return (asked, nil) }
    if asked == nil, let utf16 = EncodingDetection.utf16(bytes) {
      return (utf16.encoding, remark(utf16, source))
    }
    guard let offset = UTF8Validation.firstInvalidOffset(in: bytes) else { return (.utf8, nil) }
    let detected = detected(bytes)
    if asked == nil, let detected { return (detected.encoding, remark(detected, source)) }
    throw misfit(.utf8, at: offset, bytes, source, detected: detected?.encoding)
  }

  /// UTF-16 as it was asked for, in the byte order of its mark unless that was asked for, too.
  ///
  /// Nearly any bytes are UTF-16, so it is checked here: the mark, or else the zeros, may show the
  /// other order, and without a zero there is neither a line nor a comma.
  private static func utf16(
    _ bytes: UnsafeBufferPointer<UInt8>, _ source: String, _ asked: TextEncoding
  ) throws(ImportError) -> TextEncoding {
    let marked = asked == .utf16 ? TextEncoding.marked(in: bytes) : nil
    let order = marked ?? (asked == .utf16 ? .utf16LittleEndian : asked)
    if let found = EncodingDetection.utf16(bytes)?.encoding {
      guard found == order else { throw misfit(asked, at: 0, bytes, source, detected: found) }
    } else if !bytes.contains(0), !bytes.isEmpty {
      throw misfit(asked, at: 0, bytes, source, detected: fitting(bytes))
    }
    return order
  }

  /// Detects the encoding of a text that is not UTF-8.
  private static func detected(_ bytes: UnsafeBufferPointer<UInt8>) -> EncodingDetection? {
    if let utf16 = EncodingDetection.utf16(bytes) { return utf16 }
    return EncodingDetection.isDamagedUTF8(bytes)
      ? nil : EncodingDetection.legacy(bytes) ?? EncodingDetection.western(bytes)
  }

  /// The encoding that fits a text; nil if none does for certain.
  private static func fitting(_ bytes: UnsafeBufferPointer<UInt8>) -> TextEncoding? {
    UTF8Validation.firstInvalidOffset(in: bytes) == nil ? .utf8 : detected(bytes)?.encoding
  }

  private static func remark(_ found: EncodingDetection, _ source: String) -> String {
    "\(source): read as \(found.encoding.displayName): \(found.evidence)"
  }

  private static func converted(
    _ bytes: UnsafeBufferPointer<UInt8>, _ source: String, from encoding: TextEncoding
  ) throws(ImportError) -> [UInt8] {
    guard let conversion = TextConversion(from: encoding) else {
      throw ImportError(source, .encodingMissing(encoding))
    }
    let start = encoding.isUTF16 && TextEncoding.marked(in: bytes) != nil ? 2 : 0
    let rest = UnsafeBufferPointer(rebasing: bytes[start...])
    switch conversion.convert(rest) {
    case .converted(let text): return text
    case .illegal(let offset):
      throw misfit(encoding, at: start + offset, bytes, source, detected: fitting(bytes))
    }
  }

  private static func misfit(
    _ encoding: TextEncoding, at offset: Int, _ bytes: UnsafeBufferPointer<UInt8>,
    _ source: String, detected: TextEncoding?
  ) -> ImportError {
    ImportError(
      source,
      .encoding(
        encoding, line: encoding.line(of: offset, in: bytes), byteOffset: offset,
        byte: bytes[offset], fits: detected == encoding ? nil : detected))
  }
}

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
