import BusinessHours
import Geodesy

/// Times in HTTP headers (RFC 9110 §5.6.7), in the Gregorian calendar and English.
package enum HTTPDateText {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// A time as `Sat, 21 Nov 2026 10:02:07 GMT`; fractions of a second are dropped.
  package static func text(_ moment: Instant) -> String {
    let time = LocalTime(seconds: moment.seconds)
    let (year, month, day) = time.date
    let clock = [time.clock.hour, time.clock.minute, time.clock.second].map { zeroPadded($0) }
    return "\(weekdays[CivilDay.weekday(time.day)]), \(zeroPadded(day)) \(months[month - 1]) "
      + "\(zeroPadded(year, 4)) \(clock.joined(separator: ":")) GMT"
  }

  /// Reads the form that `text` writes, the only one allowed today; nil for anything else.
  package static func moment(_ text: String) -> Instant? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", words[0].hasSuffix(","),
      let day = Int(words[1]), let month = months.firstIndex(of: String(words[2])),
      let year = Int(words[3]), (1...9999).contains(year), CivilDay.exists(year, month + 1, day)
    else { return nil }
    let time = words[4].split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard time.count == 3, let hour = time[0], let minute = time[1], let second = time[2],
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    let moment = LocalTime(
      year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
    return Instant(seconds: moment.seconds)
  }
}
