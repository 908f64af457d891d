import Geodesy

/// The bytes of a value and the column of each byte; unambiguous characters outside ASCII are
/// replaced by their ASCII forms.
struct HoursScanner {
  let bytes: [UInt8]
  /// The value as it was written.
  private let text: String
  /// The column of each byte, for texts that are not pure ASCII.
  private let columns: [Int32]
  var index = 0
  /// In order of their columns.
  private(set) var warnings: [HoursWarning] = []

  init(_ text: String) {
    self.text = text
    let utf8 = Array(text.utf8)
    guard utf8.contains(where: { $0 >= 0x80 }) else {
      bytes = utf8
      columns = []
      return
    }
    var plain: [UInt8] = []
    var places: [Int32] = []
    var column: Int32 = 0
    var isQuoted = false
    for scalar in text.unicodeScalars {
      column += 1
      if scalar == "\"" { isQuoted.toggle() }
      if !isQuoted, !scalar.isASCII, let ascii = Self.asciiForm(of: scalar) {
        plain.append(ascii)
        places.append(column)
        warnings.append(HoursWarning(kind: .characterForm, column: Int(column)))
      } else {
        for byte in UTF8.encode(scalar)! {
          plain.append(byte)
          places.append(column)
        }
      }
    }
    bytes = plain
    columns = places
  }

  private static func asciiForm(of scalar: Unicode.Scalar) -> UInt8? {
    switch scalar.value {
    case 0x2010...0x2015, 0x2212, 0x301C, 0xFF5E, 0x30FC, 0xFF0D, 0xFF70: 0x2D
    case 0xFF10...0xFF19: UInt8(scalar.value - 0xFF10 + 0x30)
    case 0xFF1A, 0xFE55: 0x3A
    case 0xFF1B: 0x3B
    case 0xFF0C, 0x3001: 0x2C
    case 0x00A0, 0x3000, 0x2009, 0x202F: 0x20
    default: nil
    }
  }

  /// The column of a byte, or of the end of the text.
  func column(_ place: Int) -> Int {
    if columns.isEmpty { return place + 1 }
    return place < columns.count ? Int(columns[place]) : Int(columns.last ?? 0) + 1
  }

  /// The byte `ahead` bytes after the next one; 0 past the end.
  @inline(__always) func peek(_ ahead: Int = 0) -> UInt8 {
    let place = index + ahead
    return place < bytes.count ? bytes[place] : 0
  }

  var isAtEnd: Bool { index >= bytes.count }

  mutating func skipSpaces() {
    while index < bytes.count, bytes[index] == 0x20 || (bytes[index] >= 9 && bytes[index] <= 13) {
      index += 1
    }
  }

  /// Takes a sign if it is next.
  mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: sign) else { return false }
    index += 1
    return true
  }

  /// Takes a sign and the spaces around it; takes nothing if the sign is not next.
  mutating func takeSpaced(_ sign: Unicode.Scalar) -> Bool {
    let start = index
    skipSpaces()
    guard take(sign) else {
      index = start
      return false
    }
    skipSpaces()
    return true
  }

  /// Takes a plus or minus sign, as 1 or −1.
  mutating func takeSign() -> Int? { take("+") ? 1 : take("-") ? -1 : nil }

  /// Takes the given count of digits, which are next.
  mutating func takeNumber(digits: Int) -> Int {
    defer { index += digits }
    return number(from: index, digits: digits)
  }

  mutating func warn(_ kind: HoursWarning.Kind, at place: Int) {
    let warning = HoursWarning(kind: kind, column: column(place))
    warnings.insert(warning, at: warnings.partitioningCount { $0.column <= warning.column })
  }

  /// The number of digits at an index, up to ten.
  func digits(from place: Int) -> Int {
    var end = place
    while end < bytes.count, end - place < 10, bytes[end].isASCIIDigit { end += 1 }
    return end - place
  }

  /// The number written in the given count of digits.
  func number(from place: Int, digits: Int) -> Int {
    var value = 0
    for byte in bytes[place..<place + digits] { value = value * 10 + Int(byte & 15) }
    return value
  }

  /// The first eight letters of a word in lower case, packed with the first letter highest; and the word's length.
  func word(from place: Int) -> (key: UInt64, length: Int) {
    var key: UInt64 = 0
    var length = 0
    while place + length < bytes.count, bytes[place + length].isASCIILetter {
      if length < 8 { key = key << 8 | UInt64(bytes[place + length] | 0x20) }
      length += 1
    }
    return (key, length)
  }

  /// Whether the word has exactly this spelling.
  func isSpelled(_ spelling: String, at place: Int) -> Bool {
    bytes[place...].starts(with: spelling.utf8)
  }

  /// The error that something else was expected at an index.
  func expected(_ what: String, at place: Int) -> HoursError {
    guard place < bytes.count else {
      return HoursError(reason: .expected(what, found: "nothing more"), column: column(place))
    }
    var end = place + 1
    let first = column(place)
    while end < bytes.count, column(end) - first < 24, bytes[end] != 0x20, bytes[end] != 0x3B,
      bytes[end] != 0x2C
    { end += 1 }
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    let found = String(text.unicodeScalars.dropFirst(first - 1).prefix(column(end) - first))
    return HoursError(reason: .expected(what, found: "\"\(found)\""), column: first)
  }

  func outOfRange(_ range: String, _ value: String, at place: Int) -> HoursError {
    HoursError(reason: .outOfRange(range, value: value), column: column(place))
  }

  func ambiguous(_ what: String, remedy: String, at place: Int) -> HoursError {
    HoursError(reason: .ambiguous(what, remedy: remedy), column: column(place))
  }
}

/// The words of the language, identified by their first eight letters in lower case and their length.
enum HoursWord: Equatable {
  case weekday(Int)
  case month(Int)
  case publicHoliday, schoolHoliday
  case sun(SunEvent)
  case easter, week, day
  case open, closed, off, unknown
  case am, pm, to

  /// Recognizes a word; nil for any other.
  ///
  /// English names only, in full or by two or three letters, because names in other languages
  /// collide (`Do` is Thursday in German and Sunday in Portuguese).
  init?(key: UInt64, length: Int) {
    guard length >= 2, length <= 9, let word = Self.words[Entry(key: key, length: length)] else {
      return nil
    }
    self = word
  }

  /// The specification's spelling of the word.
  var spelling: String {
    switch self {
    case .weekday(let weekday): Self.weekdayNames[weekday]
    case .month(let month): Self.monthNames[month - 1]
    case .publicHoliday: "PH"
    case .schoolHoliday: "SH"
    case .sun(let event): Self.sunNames[Int(event.rawValue)]
    case .easter: "easter"
    case .week: "week"
    case .day: "day"
    case .open: "open"
    case .closed: "closed"
    case .off: "off"
    case .unknown: "unknown"
    case .am: "am"
    case .pm: "pm"
    case .to: "-"
    }
  }

  /// `Mo` to `Su`.
  static let weekdayNames = CivilDay.weekdayNames.map { String($0.prefix(2)) }
  /// `Jan` to `Dec`.
  static let monthNames = CivilDay.monthNames.map { String($0.prefix(3)) }
  static let sunNames = ["dawn", "sunrise", "sunset", "dusk"]

  private struct Entry: Hashable {
    let key: UInt64
    let length: Int
  }

  private static let words: [Entry: HoursWord] = {
    var words: [Entry: HoursWord] = [:]
    func add(_ spelling: String, _ word: HoursWord) {
      var key: UInt64 = 0
      for byte in spelling.utf8.prefix(8) { key = key << 8 | UInt64(byte | 0x20) }
      words[Entry(key: key, length: spelling.utf8.count)] = word
    }
    for (number, name) in CivilDay.weekdayNames.enumerated() {
      for length in [2, 3, name.count] { add(String(name.prefix(length)), .weekday(number)) }
    }
    for (number, name) in CivilDay.monthNames.enumerated() {
      for length in [3, name.count] { add(String(name.prefix(length)), .month(number + 1)) }
    }
    let others: [HoursWord] = [
      .publicHoliday, .schoolHoliday, .easter, .week, .day, .open, .closed, .off, .unknown, .am,
      .pm,
    ]
    for word in SunEvent.allCases.map(HoursWord.sun) + others { add(word.spelling, word) }
    add("days", .day)
    add("to", .to)
    return words
  }()
}
