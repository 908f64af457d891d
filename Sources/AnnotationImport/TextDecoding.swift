import GeoJSONCoding

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
      !bytes.starts(with: [0xEF, 0xBB, 0xBF]), let conversion = TextConversion(from: encoding)
    else { return nil }
    guard case .converted(let text) = conversion.convert(bytes) else { return nil }
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
    guard let offset = UTF8Validation.firstInvalidOffset(in: bytes) else {
      return (.utf8, nil)
    }
    let detected = detected(bytes)
    if asked == nil, let detected {
      return (detected.encoding, remark(detected, source))
    }
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
