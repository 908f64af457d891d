import Geodesy
import SystemCalls

/// The supported encodings of texts; all except UTF-8 through the system's iconv.
///
/// CP949 is the encoding of Korean Windows and includes EUC-KR. Shift_JIS means CP932, with the
/// signs of NEC and IBM. In Shift_JIS and EUC-JP, the wave dash, the minus and the double bar are
/// read as in JIS X 0208 (U+301C, U+2212, U+2016).
public enum TextEncoding: String, CaseIterable, Hashable, Sendable {
  case utf8 = "utf-8"
  case cp949
  case shiftJIS = "shift_jis"
  case eucJP = "euc-jp"
  /// UTF-16 in the byte order of its mark, or little-endian without one.
  case utf16 = "utf-16"
  case utf16LittleEndian = "utf-16le"
  case utf16BigEndian = "utf-16be"
  case windows1252 = "windows-1252"

  /// The encoding with a name or a common alias; nil for any other name.
  ///
  /// Case, hyphens and underscores are ignored.
  public init?(named name: String) {
    let key = name.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " }
    guard let encoding = TextEncoding.names[key] else { return nil }
    self = encoding
  }

  private static let names: [String: TextEncoding] = [
    "utf8": .utf8, "utf8sig": .utf8, "ascii": .utf8, "usascii": .utf8,
    "cp949": .cp949, "949": .cp949, "ms949": .cp949, "uhc": .cp949, "euckr": .cp949,
    "ksc56011987": .cp949, "ksc5601": .cp949, "windows949": .cp949,
    "shiftjis": .shiftJIS, "sjis": .shiftJIS, "cp932": .shiftJIS, "ms932": .shiftJIS,
    "932": .shiftJIS, "windows31j": .shiftJIS, "mskanji": .shiftJIS,
    "eucjp": .eucJP, "eucjpms": .eucJP, "eucjpwin": .eucJP, "ujis": .eucJP,
    "utf16": .utf16, "ucs2": .utf16, "utf16le": .utf16LittleEndian, "utf16be": .utf16BigEndian,
    "windows1252": .windows1252, "cp1252": .windows1252, "1252": .windows1252,
    "latin1": .windows1252, "iso88591": .windows1252,
  ]

  /// The name in messages.
  public var displayName: String {
    switch self {
    case .utf8: "UTF-8"
    case .cp949: "CP949"
    case .shiftJIS: "Shift_JIS"
    case .eucJP: "EUC-JP"
    case .utf16: "UTF-16"
    case .utf16LittleEndian: "UTF-16LE"
    case .utf16BigEndian: "UTF-16BE"
    case .windows1252: "Windows-1252"
    }
  }

  /// The names in iconv, best first.
  var iconvNames: [String] {
    switch self {
    case .utf8: ["UTF-8"]
    case .cp949: ["CP949", "UHC"]
    case .shiftJIS: ["CP932", "WINDOWS-31J"]
    // The plain one lacks the signs of NEC and IBM, and is what Darwin has.
    case .eucJP: ["EUC-JP-MS", "EUC-JP"]
    case .utf16, .utf16LittleEndian: ["UTF-16LE"]
    case .utf16BigEndian: ["UTF-16BE"]
    case .windows1252: ["CP1252", "WINDOWS-1252"]
    }
  }

  /// Whether two bytes are one unit, so that a single byte 0x0A is not a line feed.
  var isUTF16: Bool { self == .utf16 || self == .utf16LittleEndian || self == .utf16BigEndian }

  /// Whether signs are read as in JIS X 0208.
  var isJapanese: Bool { self == .shiftJIS || self == .eucJP }

  /// The line of an offset in a text, from 1; as in a table, all lines end as the first one does.
  ///
  /// A line end in a quoted cell is not the first one.
  func line(of offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let width = isUTF16 ? 2 : 1
    let (low, high) = self == .utf16BigEndian ? (1, 0) : (0, 1)
    /// The byte at a place; 0 if it is half of a letter beyond Latin.
    func character(_ place: Int) -> UInt8 {
      guard isUTF16 else { return bytes[place] }
      return bytes[place + high] == 0 ? bytes[place + low] : 0
    }
    let places = stride(from: 0, through: bytes.count - width, by: width)
    var isQuoted = false
    let first = places.first { place in
      let byte = character(place)
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return !isQuoted && (byte == .lineFeed || byte == .carriageReturn)
    }
    var end = UInt8.lineFeed
    if let first, first + width <= bytes.count - width, character(first) == .carriageReturn,
      character(first + width) != .lineFeed
    {
      end = .carriageReturn
    }
    return stride(from: 0, to: offset - (width - 1), by: width).count { character($0) == end } + 1
  }

  /// The variant of UTF-16 whose byte order mark is at the start of a text; nil without one.
  package static func marked(in bytes: some Collection<UInt8>) -> TextEncoding? {
    // FF FE 00 00 would be UTF-32; a text in UTF-16 does not begin with U+0000.
    if bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFF, 0xFE, 0, 0]) {
      return .utf16LittleEndian
    }
    return bytes.starts(with: [0xFE, 0xFF]) ? .utf16BigEndian : nil
  }
}

// MARK: - To UTF-8

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
    let converted = try bytes.withUnsafeBufferPointer {
      (buffer) throws(ImportError) -> TextDecoding? in
      if asked == nil, let stated, let encoding = TextEncoding(named: stated),
        let text = TextDecoding.converted(buffer, stated: encoding)
      {
        let remark =
          "\(source): read as \(encoding.displayName): the server says \(stated.uppercased())"
        return TextDecoding(text: text, remark: remark, isConverted: true)
      }
      let found = try TextDecoding.encoding(buffer, source, asked)
      if found.encoding == .utf8 { return nil }
      let text = try TextDecoding.converted(buffer, source, from: found.encoding)
      return TextDecoding(text: text, remark: found.remark, isConverted: true)
    }
    self = converted ?? TextDecoding(text: bytes)
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
    guard let offset = UTF8Validation.firstInvalidOffset(in: bytes) else {
      if asked == nil, let escape = EncodingDetection.firstEscape(bytes) {
        let line = TextEncoding.utf8.line(of: escape.offset, in: bytes)
        throw ImportError(
          source,
          .unreadable(
            code: "encoding",
            message:
              "line \(line) is in \(escape.encoding), which cannot be read; convert the file "
              + "with iconv -f \(escape.encoding) -t UTF-8"))
      }
      return (.utf8, nil)
    }
    let detected = detected(bytes)
    if asked == nil, let detected { return (detected.encoding, remark(detected, source)) }
    if asked == nil, let damaged = EncodingDetection.damaged(bytes) {
      throw misfit(damaged.encoding, at: damaged.offset, bytes, source, detected: damaged.encoding)
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
      let fitting = fitting(bytes) ?? EncodingDetection.damaged(bytes)?.encoding
      throw misfit(encoding, at: start + offset, bytes, source, detected: fitting)
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
        byte: bytes[offset], fits: detected))
  }
}

extension EncodingDetection {
  /// UTF-16, by its mark or by the zeros next to commas, digits and line ends.
  static func utf16(_ bytes: UnsafeBufferPointer<UInt8>) -> EncodingDetection? {
    if let encoding = TextEncoding.marked(in: bytes) {
      return EncodingDetection(encoding: encoding, evidence: "by its byte order mark")
    }
    let sample = bytes.prefix(4_096)
    guard sample.count >= 4, sample.contains(0) else { return nil }
    var zeros = (even: 0, odd: 0)
    for (place, byte) in sample.enumerated() where byte == 0 {
      if place.isMultiple(of: 2) { zeros.even += 1 } else { zeros.odd += 1 }
    }
    // A text in UTF-16 has a zero next to each ASCII character, always on the same side.
    let most = max(zeros.even, zeros.odd)
    guard min(zeros.even, zeros.odd) * 50 <= most, most * 20 >= sample.count else { return nil }
    // UTF-8 may have some zeros, too. UTF-16 is valid UTF-8 only where it is all ASCII, and then half of it is zeros.
    if most * 4 < sample.count, String(validating: bytes, as: UTF8.self) != nil { return nil }
    let encoding: TextEncoding =
      zeros.even > zeros.odd ? .utf16BigEndian : .utf16LittleEndian
    return EncodingDetection(
      encoding: encoding,
      evidence: "\(grouped(most)) of its first \(grouped(sample.count)) bytes are zeros in "
        + "\(zeros.even > zeros.odd ? "even" : "odd") places")
  }
}

extension EncodingDetection {
  /// The first switch to two-byte characters of seven bits, which would pass for ASCII; nil if there is none.
  static func firstEscape(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> (encoding: String, offset: Int)? {
    guard let start = UnsafeRawPointer(bytes.baseAddress) else { return nil }
    var at = 0
    while let escape = memchr(start + at, 0x1B, bytes.count - at) {
      let offset = UnsafeRawPointer(escape) - start
      at = offset + 1
      let rest = bytes[at...]
      if rest.starts(with: "$B".utf8) || rest.starts(with: "$@".utf8) {
        return ("ISO-2022-JP", offset)
      }
      if rest.starts(with: "$)C".utf8) { return ("ISO-2022-KR", offset) }
    }
    return nil
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
