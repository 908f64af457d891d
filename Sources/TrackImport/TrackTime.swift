import BusinessHours
import GPXCoding
import Geodesy

/// A time in a log.
package struct TrackTime {
  /// Seconds since 1970 in UTC, as which a time without a zone counts.
  package var seconds: Double
  /// Whether the time has a zone; a number of seconds since 1970 needs none.
  var hasZone: Bool

  /// The time of a text; nil if it is none.
  ///
  /// ISO 8601; or seconds, milliseconds, microseconds or nanoseconds since 1970, distinguished by
  /// their size (each unit covers the years 1973 to 5138); or a `LoggedTime`. Eight digits that are
  /// a day, `20260102`, have no time of day.
  package static func read(_ text: String) -> TrackTime? {
    if let time = iso(text) { return time }
    guard let number = finiteNumber(text) else { return LoggedTime.read(text) }
    if LoggedTime.isDay(text) { return nil }
    // As milliseconds, 20260102210405 would be in the year 2612.
    let digits = text.utf8.prefix(while: \.isASCIIDigit).count
    if [12, 14, 17].contains(digits), let written = LoggedTime.read(text) { return written }
    let unit =
      switch abs(number) {
      case ..<1e11: 1.0
      case ..<1e14: 1e3
      case ..<1e17: 1e6
      default: 1e9
      }
    return TrackTime(seconds: number / unit, hasZone: true)
  }

  private static func iso(_ text: String) -> TrackTime? {
    GPXTime.read(text).map { TrackTime(seconds: $0.seconds, hasZone: $0.hasZone) }
  }

  /// The same time, if it has no zone, by the clocks of one; a time that they show twice is the first.
  ///
  /// - Parameter zone: nil if nobody said the zone.
  func by(_ zone: ZoneRules?) -> TrackTime {
    guard !hasZone, let zone else { return self }
    let whole = seconds.rounded(.down)
    let instant = HoursSetting(utcOffset: zone.utcOffset)
      .instant(of: LocalTime(seconds: Int64(whole)))
    return TrackTime(seconds: Double(instant.seconds) + (seconds - whole), hasZone: true)
  }

  /// Whether a time of day is a number of hours, minutes and seconds: 210405.
  ///
  /// So is 95958, for 09:59:58, if the day is a number, too. Beside another day, 34200 may as well count seconds.
  static func isPacked(_ time: String, beside day: String) -> Bool {
    isWhole(time) && (time.utf8.count == 6 || time.utf8.count == 5 && isWhole(day))
  }

  private static func isWhole(_ number: String) -> Bool { number.utf8.allSatisfy(\.isASCIIDigit) }

  /// A separate day and time of day as one text, for either of them may be what cannot be read.
  static func text(_ day: String?, _ time: String?) -> String? {
    let texts = [day, time].compactMap(\.self)
    return texts.isEmpty ? nil : texts.joined(separator: " ")
  }

  /// The time of a separate day and time of day, or of one of them that has both.
  ///
  /// - Parameter arePacked: Whether times of day of this log are such numbers, of which a spreadsheet
  ///   has cut the zeros: 1234 is 00:12:34 there, and 12:34 elsewhere.
  static func read(day: String?, time: String?, arePacked: Bool) -> TrackTime? {
    guard let day else { return time.flatMap(read) }
    guard let time else { return LoggedTime.read(day) }
    let zeros = arePacked && isWhole(time) ? max(0, 6 - time.utf8.count) : 0
    let together = "\(day)T\(String(repeating: "0", count: zeros))\(time)"
    if let read = iso(together) ?? LoggedTime.read(together) { return read }
    // Beside a day, a number too small for this century is a time of day that was not understood.
    if let number = finiteNumber(time), abs(number) < 1e8 { return nil }
    return read(time)
  }
}

/// A date and time of day as people, spreadsheets and loggers in Korea and Japan write it, year
/// first: `2026-1-2 9:04`, `2026/01/02(金) 09:04:05`, `2026. 1. 2. 오후 9:04:05`, `2026年1月2日 21時4分`,
/// `20260102210405`.
///
/// Other orders are refused, because 01/02/2026 is January or February depending on the country.
struct LoggedTime {
  private var rest: ArraySlice<Unicode.Scalar>
  private var hasZone = true

  private init(_ text: String) { rest = Array(text.unicodeScalars)[...] }

  /// The time of a text; nil for anything else.
  static func read(_ text: String) -> TrackTime? {
    var reader = LoggedTime(text)
    return reader.time()
  }

  /// Whether a text is a day without a time of day: `2026-1-2`, `20260102`.
  static func isDay(_ text: String) -> Bool {
    var reader = LoggedTime(text)
    return reader.date() != nil && reader.rest.isEmpty
  }

  private mutating func time() -> TrackTime? {
    guard let days = date() else { return nil }
    if take("(（") {
      // Skip a day of the week.
      rest = rest.drop { $0 != ")" && $0 != "）" }.dropFirst()
    }
    rest = rest.drop { " Tt,_\u{3000}".unicodeScalars.contains($0) }
    guard let second = secondOfDay(), let offset = zone(), rest.isEmpty else { return nil }
    return TrackTime(seconds: Double(days * 86_400 - offset) + second, hasZone: hasZone)
  }

  // MARK: Parts

  /// Days since 1970: `2026-1-2`, `2026. 1. 2.`, `2026年1月2日`, or eight digits.
  private mutating func date() -> Int? {
    var written = digits(atMost: 8)
    var month: Int?
    var day: Int?
    if written.count == 8 {
      // Other numbers of at least eight digits are seconds.
      guard written.starts(with: "19".unicodeScalars) || written.starts(with: "2".unicodeScalars)
      else { return nil }
      (month, day) = (LoggedTime.number(written[4..<6]), LoggedTime.number(written[6...]))
      written = Array(written[..<4])
    } else if written.count == 4, take("-/.年년") {
      month = number(atMost: 2)
      guard take("-/.月월") else { return nil }
      day = number(atMost: 2)
      _ = take(".日일")
    }
    guard let year = LoggedTime.number(written[...]), let month, let day,
      CivilDay.exists(year, month, day)
    else { return nil }
    return CivilDay.number(year, month, day)
  }

  /// `9:04`, `09:04:05.5`, `오후 9:04`, `9:04 PM`, `21時4分5秒`, or four, six or nine digits.
  private mutating func secondOfDay() -> Double? {
    let half = half()
    let written = digits(atMost: 9)
    var parts: [Int?] = []
    var fraction = 0.0
    if [4, 6, 9].contains(written.count) {
      parts = stride(from: 0, to: min(written.count, 6), by: 2).map {
        LoggedTime.number(written[$0..<$0 + 2])
      }
      if written.count == 9 { fraction = Double(LoggedTime.number(written[6...]) ?? 0) / 1_000 }
    } else {
      guard (1...2).contains(written.count), take(":時시") else { return nil }
      parts = [LoggedTime.number(written[...]), number(atMost: 2)]
      if take(":") {
        parts.append(number(atMost: 2))
      } else if take("分분"), let second = number(atMost: 2) {
        parts.append(second)
      }
    }
    if parts.count == 3, written.count < 9, take(".,") {
      guard let parsed = Double("0." + String(String.UnicodeScalarView(digits(atMost: 12)))) else {
        return nil
      }
      fraction = parsed
    }
    _ = take("秒초")
    guard var hour = parts[0], let minute = parts[1], let second = parts.count > 2 ? parts[2] : 0,
      minute < 60, second <= 60
    else { return nil }
    if let half = half ?? self.half() {
      guard hour <= 12 else { return nil }
      hour = hour % 12 + (half == .afternoon ? 12 : 0)
    }
    let seconds = Double(hour * 3_600 + minute * 60 + second) + fraction
    // 24:00 is the midnight that ends the day.
    guard hour < 24 || seconds == 86_400 else { return nil }
    return seconds
  }

  private enum Half { case morning, afternoon }

  private mutating func half() -> Half? {
    for word in ["오전", "午前", "AM", "am"] where take(word: word) { return .morning }
    for word in ["오후", "午後", "PM", "pm"] where take(word: word) { return .afternoon }
    return nil
  }

  /// The offset from UTC in seconds: nothing, `Z`, `UTC`, `KST`, `JST`, `+9`, `+09:00`, `+0900`, `UTC+9`.
  private mutating func zone() -> Int? {
    if take(word: "KST") || take(word: "JST") { return 9 * 3_600 }
    if take("Zz") { return 0 }
    if rest.isEmpty {
      hasZone = false
      return 0
    }
    let isNamed = take(word: "UTC") || take(word: "GMT")
    if isNamed, rest.isEmpty { return 0 }
    let isWest = rest.first == "-"
    guard take("+-") else { return nil }
    let written = digits(atMost: 4)
    guard !written.isEmpty, written.count != 3 else { return nil }
    let hours = LoggedTime.number(written.prefix(2)) ?? 0
    var minutes = LoggedTime.number(written.dropFirst(2)) ?? 0
    if written.count < 3, take(":") {
      guard let said = number(atMost: 2) else { return nil }
      minutes = said
    }
    guard hours <= 14, minutes < 60 else { return nil }
    return (hours * 3_600 + minutes * 60) * (isWest ? -1 : 1)
  }

  // MARK: Characters

  private mutating func skipBlanks() {
    rest = rest.drop { $0 == " " || $0 == "\u{A0}" || $0 == "\u{202F}" }
  }

  /// Takes one of several characters, and the spaces around it.
  private mutating func take(_ characters: String) -> Bool {
    skipBlanks()
    guard let first = rest.first, characters.unicodeScalars.contains(first) else { return false }
    rest.removeFirst()
    skipBlanks()
    return true
  }

  private mutating func take(word: String) -> Bool {
    skipBlanks()
    guard rest.starts(with: word.unicodeScalars) else { return false }
    rest = rest.dropFirst(word.unicodeScalars.count)
    skipBlanks()
    return true
  }

  private mutating func digits(atMost count: Int) -> [Unicode.Scalar] {
    let digits = rest.prefix(count).prefix(while: \.isASCIIDigit)
    rest = rest.dropFirst(digits.count)
    return Array(digits)
  }

  private mutating func number(atMost count: Int) -> Int? {
    LoggedTime.number(digits(atMost: count)[...])
  }

  private static func number(_ digits: ArraySlice<Unicode.Scalar>) -> Int? {
    Int(String(String.UnicodeScalarView(digits)))
  }
}
