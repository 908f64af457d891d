import BusinessHours
import Geodesy

/// A moment as somebody writes it.
package enum TimeText {
  /// `+09:00`, `-0330`, `+9` in seconds; nil for anything else.
  package static func offset(_ text: String) -> Int? {
    guard let sign = text.utf8.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
      return nil
    }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard (1...4).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      text.filter({ $0 == ":" }).count <= 1, let number = Int(digits)
    else { return nil }
    let (hours, minutes) = digits.utf8.count <= 2 ? (number, 0) : (number / 100, number % 100)
    guard hours <= 18, minutes < 60 else { return nil }
    return (hours * 3600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
  }

  /// The instant that a text names.
  ///
  /// - Parameters:
  ///   - text: `now`; `14:00`, today; `2026-11-22`, its midnight; `2026-11-22T14:00`, with seconds,
  ///     `Z` or an offset if need be.
  ///   - name: What the text is called where it is mistaken.
  ///   - setting: Whose clock is read where the text has no offset.
  ///   - now: What `now` and *today* are.
  package static func instant(
    _ text: String, named name: String, setting: HoursSetting, now: Instant
  ) throws(ReportedError) -> Instant {
    if text.lowercased() == "now" { return now }
    func wrong(_ what: String) -> ReportedError {
      ReportedError(
        "bad-time",
        "\(name) \"\(text)\" \(what); write now, 14:00 or 2026-11-22T14:00, with +09:00 if need be",
        fault: .usage)
    }
    var rest = text[...]
    var date = setting.localTime(at: now).date
    if let day = rest.firstIndex(where: { $0 == "T" || $0 == " " || $0 == "t" }) {
      date = try self.date(rest[..<day], wrong)
      rest = rest[rest.index(after: day)...]
    } else if !rest.contains(":") {
      date = try self.date(rest, wrong)
      rest = "00:00"
    }
    var utcOffset: Int?
    if rest.last == "Z" || rest.last == "z" {
      utcOffset = 0
      rest.removeLast()
    } else if let sign = rest.lastIndex(where: { $0 == "+" || $0 == "-" }) {
      utcOffset = offset(String(rest[sign...]))
      if utcOffset == nil { throw wrong("has an invalid UTC offset") }
      rest = rest[..<sign]
    }
    let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.utf8.count <= 2 ? Int($0) : nil }
    guard parts.count == numbers.count, (2...3).contains(numbers.count),
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { throw wrong("is not a time") }
    let second = numbers.count == 3 ? numbers[2] : 0
    guard numbers[0] < 24 || numbers == [24, 0] || numbers == [24, 0, 0], numbers[1] < 60,
      second < 60
    else { throw wrong("is not a time of day") }
    let time = LocalTime(
      year: date.year, month: date.month, day: date.day, hour: numbers[0], minute: numbers[1],
      second: second)
    return utcOffset.map { Instant(seconds: time.seconds - Int64($0)) } ?? setting.instant(of: time)
  }

  private static func date(
    _ text: Substring, _ wrong: (String) -> ReportedError
  ) throws(ReportedError) -> (year: Int, month: Int, day: Int) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    guard parts.count == 3, numbers.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
      numbers.allSatisfy({ $0 >= 0 })
    else { throw wrong("is not a date") }
    let (year, month, day) = (numbers[0], numbers[1], numbers[2])
    guard year >= 1, CivilDay.exists(year, month, day) else {
      throw wrong("is a day that does not exist")
    }
    return (year, month, day)
  }
}

/// A moment as somebody wrote it: an instant once it is known whose clock is meant.
package struct WrittenTime: Sendable {
  private let text: String
  private let name: String
  private let now: Instant

  /// - Parameters:
  ///   - name: What the text is called where it is mistaken.
  ///   - now: What `now` and *today* are.
  package init(_ text: String, named name: String, now: Instant) {
    self.text = text
    self.name = name
    self.now = now
  }

  /// Whether it is the same by every clock.
  package var isNow: Bool { text.lowercased() == "now" }

  /// The instant by a clock.
  package func instant(by setting: HoursSetting) throws(ReportedError) -> Instant {
    try TimeText.instant(text, named: name, setting: setting, now: now)
  }
}
