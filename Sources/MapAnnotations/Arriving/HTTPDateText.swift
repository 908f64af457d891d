import BusinessHours
import Geodesy

/// Times in HTTP headers (RFC 9110 §5.6.7), in the Gregorian calendar and English.
package enum HTTPDateText {
  private static let months = CivilDay.monthNames.map { String($0.prefix(3)) }
  private static let weekdays = CivilDay.weekdayNames.map { String($0.prefix(3)) }

  /// A time as `Sat, 21 Nov 2026 10:02:07 GMT`; fractions of a second are dropped.
  package static func text(_ moment: Instant) -> String {
    let time = LocalTime(seconds: moment.seconds)
    let (year, month, day) = time.date
    let clock = [time.clock.hour, time.clock.minute, time.clock.second].map { zeroPadded($0) }
    return "\(weekdays[CivilDay.weekday(time.day)]), \(zeroPadded(day)) \(months[month - 1]) "
      + "\(zeroPadded(year, 4)) \(clock.joined(separator: ":")) GMT"
  }

  /// Reads the form that `text` writes, and the two obsolete ones that recipients must accept: `Saturday, 21-Nov-26
  /// 10:02:07 GMT` and `Sat Nov 21 10:02:07 2026`; nil for anything else.
  ///
  /// A year of two digits is in 1969…2068, as in POSIX.
  package static func moment(_ text: String) -> Instant? {
    let words = text.split(separator: " ")
    let hasComma = words.first?.hasSuffix(",") == true
    switch (words.count, hasComma) {
    case (6, true) where words[5] == "GMT":
      guard let year = Int(words[3]) else { return nil }
      return moment(words[1], words[2], year, words[4])
    case (4, true) where words[3] == "GMT":
      let date = words[1].split(separator: "-", omittingEmptySubsequences: false)
      guard date.count == 3, date[2].utf8.count == 2, let year = Int(date[2]), year >= 0 else {
        return nil
      }
      return moment(date[0], date[1], year + (year < 69 ? 2000 : 1900), words[2])
    case (5, false):
      guard let year = Int(words[4]) else { return nil }
      return moment(words[2], words[1], year, words[3])
    default: return nil
    }
  }

  private static func moment(
    _ day: Substring, _ month: Substring, _ year: Int, _ clock: Substring
  ) -> Instant? {
    guard let day = Int(day), let month = months.firstIndex(of: String(month)),
      (1...9999).contains(year), CivilDay.exists(year, month + 1, day)
    else { return nil }
    let time = clock.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard time.count == 3, let hour = time[0], let minute = time[1], let second = time[2],
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    let moment = LocalTime(
      year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
    return Instant(seconds: moment.seconds)
  }
}
