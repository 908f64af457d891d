import BusinessHours
import Geodesy
import MapAnnotations

/// Offsets of clocks as somebody writes them.
package enum TimeText {
  /// `+09:00`, `-0330`, `+9` in seconds; nil for anything else.
  package static func offset(_ text: String) -> Int? {
    guard let sign = text.utf8.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
      return nil
    }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard (1...4).contains(digits.utf8.count), text.filter({ $0 == ":" }).count <= 1,
      let number = wholeNumber(digits)
    else { return nil }
    let (hours, minutes) = digits.utf8.count <= 2 ? (number, 0) : (number / 100, number % 100)
    guard hours <= 18, minutes < 60 else { return nil }
    return (hours * 3600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
  }
}

/// A moment as somebody wrote it: an instant once it is known whose clock is meant.
package struct WrittenTime: Sendable {
  private let text: String
  private let name: String
  private let now: Instant

  /// - Parameters:
  ///   - text: `now`; `14:00`, today; `2026-11-22`, its midnight; `2026-11-22T14:00`, with seconds,
  ///     `Z` or an offset if need be.
  ///   - name: What the text is called where it is mistaken.
  ///   - now: What `now` and *today* are.
  package init(_ text: String, named name: String, now: Instant) {
    self.text = text
    self.name = name
    self.now = now
  }

  /// Whether it is the same by every clock.
  package var isNow: Bool { text.lowercased() == "now" }

  /// The instant by a clock, which counts only where the text has no offset; with one, today is the day at that
  /// offset.
  package func instant(by setting: HoursSetting) throws(ReportedError) -> Instant {
    if isNow { return now }
    var rest = text[...]
    var day: Int?
    if let end = rest.firstIndex(where: { $0 == "T" || $0 == " " || $0 == "t" }) {
      day = try dayNumber(rest[..<end])
      rest = rest[rest.index(after: end)...]
    } else if !rest.contains(":") {
      day = try dayNumber(rest)
      rest = "00:00"
    }
    var utcOffset: Int?
    if rest.last == "Z" || rest.last == "z" {
      utcOffset = 0
      rest.removeLast()
    } else if let sign = rest.lastIndex(where: { $0 == "+" || $0 == "-" }) {
      utcOffset = TimeText.offset(String(rest[sign...]))
      if utcOffset == nil { throw wrong("has an invalid UTC offset") }
      rest = rest[..<sign]
    }
    let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.utf8.count <= 2 ? wholeNumber(String($0)) : nil }
    guard parts.count == numbers.count, (2...3).contains(numbers.count) else {
      throw wrong("is not a time")
    }
    let second = numbers.count == 3 ? numbers[2] : 0
    guard numbers[0] < 24 || numbers == [24, 0] || numbers == [24, 0, 0], numbers[1] < 60,
      second < 60
    else { throw wrong("is not a time of day") }
    // A time of day is one of today by the same clock.
    let clock = utcOffset.map { offset in HoursSetting { _ in offset } } ?? setting
    let time = LocalTime(
      day: day ?? clock.localTime(at: now).day,
      secondOfDay: numbers[0] * 3_600 + numbers[1] * 60 + second)
    return clock.instant(of: time)
  }

  private func dayNumber(_ date: Substring) throws(ReportedError) -> Int {
    guard
      date.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count) == [4, 2, 2],
      date.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: "-") })
    else { throw wrong("is not a date") }
    guard let day = CalendarDate(String(date)) else { throw wrong("is a day that does not exist") }
    return day.dayNumber
  }

  private func wrong(_ what: String) -> ReportedError {
    ReportedError(
      "bad-time",
      "\(name) \"\(text)\" \(what); write now, 14:00 or 2026-11-22T14:00, with +09:00 if need be",
      fault: .usage)
  }
}

extension ClockText {
  /// For a person who reads it at another instant: the time alone on the same day, `tomorrow`, the
  /// weekday within a week, and else the date.
  static func brief(_ instant: Instant, seenFrom now: Instant, _ setting: HoursSetting) -> String {
    let (time, today) = (setting.localTime(at: instant), setting.localTime(at: now))
    switch time.day - today.day {
    case 0: return clock(time)
    case 1: return "tomorrow \(clock(time))"
    case 2...6:
      let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
      return "\(names[CivilDay.weekday(time.day)]) \(clock(time))"
    default: return "\(day(time)) \(clock(time))"
    }
  }
}
