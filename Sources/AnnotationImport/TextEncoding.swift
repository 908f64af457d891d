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
  static func marked(in bytes: UnsafeBufferPointer<UInt8>) -> TextEncoding? {
    // FF FE 00 00 would be UTF-32; a text in UTF-16 does not begin with U+0000.
    if bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFF, 0xFE, 0, 0]) {
      return .utf16LittleEndian
    }
    return bytes.starts(with: [0xFE, 0xFF]) ? .utf16BigEndian : nil
  }
}
