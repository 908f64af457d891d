import Geodesy

/// The text forms of iCalendar.
enum RecurrenceText {
  static let weekdayNames = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

  /// A local time as `19970902T090000`.
  static func written(_ time: LocalTime) -> String {
    let (year, month, day) = time.date
    let (hour, minute, second) = time.clock
    let clock = [hour, minute, second].map { zeroPadded($0) }.joined()
    return "\(zeroPadded(year, 4))\(zeroPadded(month))\(zeroPadded(day))T\(clock)"
  }

  /// The UTC offset in seconds of the zone of a line, `DTSTART;TZID=Asia/Seoul:20261122T090000`; nil if this program does
  /// not know it without the time zone database.
  static func utcOffset(ofLine upper: String) -> Int? {
    let parameters = upper[..<(colon(ofLine: upper) ?? upper.endIndex)].split(separator: ";")
    guard let zone = parameters.first(where: { $0.hasPrefix("TZID=") }) else { return nil }
    return offsets[String(zone.dropFirst(5).filter { $0 != "\"" })]
  }

  /// Zones whose clocks have not changed since 1988, the last two by the names of Windows.
  private static let offsets = [
    "ASIA/SEOUL": 9 * 3600, "ASIA/TOKYO": 9 * 3600, "KOREA STANDARD TIME": 9 * 3600,
    "TOKYO STANDARD TIME": 9 * 3600,
  ]

  /// Where the value of a line begins: behind the first colon outside quotation marks, which the name of a zone may have.
  static func colon(ofLine line: String) -> String.Index? {
    var isQuoted = false
    return line.firstIndex { character in
      if character == "\"" { isQuoted.toggle() }
      return character == ":" && !isQuoted
    }
  }

  /// The seconds of `PT2H30M`, `P3D` or `P1W`; nil for any other text.
  ///
  /// Source: RFC 5545, section 3.3.6.
  static func duration(_ text: Substring) -> Int? {
    guard text.first == "P" else { return nil }
    var seconds: Int?
    var isTime = false
    var digits = ""
    for character in text.dropFirst() {
      if character == "T", digits.isEmpty, !isTime {
        isTime = true
      } else if character.isASCII, character.isNumber {
        digits.append(character)
      } else {
        let units: [Character: Int] =
          isTime ? ["H": 3600, "M": 60, "S": 1] : ["W": 604_800, "D": 86_400]
        guard digits.utf8.count <= 9, let number = Int(digits), let unit = units[character] else {
          return nil
        }
        seconds = (seconds ?? 0) + number * unit
        digits = ""
      }
    }
    return digits.isEmpty ? seconds : nil
  }

  /// Reads `19970902`, `19970902T090000` or either with `Z`, by which a time is in UTC; nil for any other text or an
  /// invalid date.
  static func time(_ text: some StringProtocol) -> (time: LocalTime, isDate: Bool, isUTC: Bool)? {
    var bytes = Array(text.utf8)
    let isUTC = bytes.last == UInt8(ascii: "Z")
    if isUTC { bytes.removeLast() }
    guard bytes.count == 8 || bytes.count == 15 && bytes[8] == UInt8(ascii: "T") else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for byte in bytes[range] {
        guard byte.isASCIIDigit else { return nil }
        value = value * 10 + Int(byte & 15)
      }
      return value
    }
    guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8), year >= 1,
      CivilDay.exists(year, month, day)
    else { return nil }
    guard bytes.count == 15 else {
      return (LocalTime(year: year, month: month, day: day), true, false)
    }
    guard let hour = number(9..<11), let minute = number(11..<13), let second = number(13..<15),
      hour < 24, minute < 60, second <= 60
    else { return nil }
    return (
      LocalTime(
        year: year, month: month, day: day, hour: hour, minute: minute, second: min(second, 59)),
      false, isUTC
    )
  }
}
