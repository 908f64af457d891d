import Geodesy

/// The text forms of iCalendar.
enum RecurrenceText {
  /// `MO` to `SU`.
  static let weekdayNames = HoursWord.weekdayNames.map { $0.uppercased() }

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
    var rest = Array(text.utf8)[...]
    guard rest.take("P") else { return nil }
    var seconds: Int?
    var isTime = false
    while !rest.isEmpty {
      if !isTime, rest.take("T") {
        isTime = true
        continue
      }
      let units: [Unicode.Scalar: Int] =
        isTime ? ["H": 3600, "M": 60, "S": 1] : ["W": 604_800, "D": 86_400]
      guard let number = rest.takeNumber(1...9), let letter = rest.popFirst(),
        let unit = units[Unicode.Scalar(letter)]
      else { return nil }
      seconds = (seconds ?? 0) + number * unit
    }
    return seconds
  }

  /// Reads `19970902`, `19970902T090000` or either with `Z`, by which a time is in UTC; nil for any other text or an
  /// invalid date.
  static func time(_ text: some StringProtocol) -> (time: LocalTime, isDate: Bool, isUTC: Bool)? {
    var rest = Array(text.utf8)[...]
    let isUTC = rest.last == UInt8(ascii: "Z")
    if isUTC { rest.removeLast() }
    guard let year = rest.takeNumber(4...4), let month = rest.takeNumber(2...2),
      let day = rest.takeNumber(2...2), year >= 1, CivilDay.exists(year, month, day)
    else { return nil }
    guard !rest.isEmpty else {
      return (LocalTime(year: year, month: month, day: day), true, false)
    }
    guard rest.take("T"), let hour = rest.takeNumber(2...2), let minute = rest.takeNumber(2...2),
      let second = rest.takeNumber(2...2), rest.isEmpty, hour < 24, minute < 60, second <= 60
    else { return nil }
    return (
      LocalTime(
        year: year, month: month, day: day, hour: hour, minute: minute, second: min(second, 59)),
      false, isUTC
    )
  }
}
