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
    for event in SunEvent.allCases { add(sunNames[Int(event.rawValue)], .sun(event)) }
    let others: [(String, HoursWord)] = [
      ("ph", .publicHoliday), ("sh", .schoolHoliday), ("easter", .easter), ("week", .week),
      ("day", .day), ("days", .day), ("open", .open), ("closed", .closed), ("off", .off),
      ("unknown", .unknown), ("am", .am), ("pm", .pm), ("to", .to),
    ]
    for (spelling, word) in others { add(spelling, word) }
    return words
  }()
}
