import BusinessHours
import Geodesy

/// A day of the Gregorian calendar, without time and time zone.
public struct CalendarDate: Hashable, Sendable {
  /// 1…9999.
  public let year: Int
  /// 1…12.
  public let month: Int
  /// 1 to the length of the month.
  public let day: Int

  /// Makes a day; nil if it does not exist: 30 February, month 13, year 0.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), CivilDay.exists(year, month, day) else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Reads `yyyy-MM-dd` or `yyyyMMdd`; nil for anything else.
  public init?(_ text: String) {
    var text = text
    if text.utf8.count == 8 {
      text = "\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.suffix(2))"
    }
    guard let time = try? ISOTime(text), time.secondOfDay == nil, let day = time.day else {
      return nil
    }
    self.init(dayNumber: day)
  }
}

extension CalendarDate: Comparable, CustomStringConvertible {
  /// Whether the left day is earlier.
  public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  /// The day as `yyyy-MM-dd`.
  public var description: String {
    "\(zeroPadded(year, 4))-\(zeroPadded(month))-\(zeroPadded(day))"
  }
}

/// A range of days that includes both ends; either end may be open.
public struct DateSpan: Hashable, Sendable, Encodable {
  /// The first day; nil for an open beginning.
  public let first: CalendarDate?
  /// The last day, included; nil for an open end.
  public let last: CalendarDate?

  /// Makes a range of days; nil leaves that end open.
  ///
  /// - Precondition: `first <= last` if both are given.
  public init(first: CalendarDate?, last: CalendarDate?) {
    if let first, let last { precondition(first <= last, "\(first) lies after \(last)") }
    self.first = first
    self.last = last
  }

  /// Whether a day lies in the range, ends included.
  public func contains(_ day: CalendarDate) -> Bool {
    (first.map { $0 <= day } ?? true) && (last.map { day <= $0 } ?? true)
  }

  /// The days that both ranges have; nil for none.
  func overlap(with other: DateSpan) -> DateSpan? {
    let first = [first, other.first].compactMap(\.self).max()
    let last = [last, other.last].compactMap(\.self).min()
    if let first, let last, last < first { return nil }
    return DateSpan(first: first, last: last)
  }

  /// The days of a range that lie in this one; nil for none.
  func days(of days: ClosedRange<CalendarDate>) -> ClosedRange<CalendarDate>? {
    let first = max(first ?? days.lowerBound, days.lowerBound)
    let last = min(last ?? days.upperBound, days.upperBound)
    return first <= last ? first...last : nil
  }
}

extension CalendarDate {
  /// Days since 1970-01-01, as in `LocalTime.day`.
  public var dayNumber: Int { LocalTime(year: year, month: month, day: day).day }

  /// Makes a day from its days since 1970-01-01; nil outside the years 1 to 9999.
  public init?(dayNumber: Int) {
    // The first and the last day of these years.
    guard (-719_162...2_932_896).contains(dayNumber) else { return nil }
    let date = LocalTime(day: dayNumber, secondOfDay: 0).date
    self.init(year: date.year, month: date.month, day: date.day)
  }

  /// The day a number of days later; nil outside the years 1 to 9999.
  public func adding(days: Int) -> CalendarDate? {
    let (sum, overflows) = dayNumber.addingReportingOverflow(days)
    return overflows ? nil : CalendarDate(dayNumber: sum)
  }

  /// The weekday, 0 for Monday to 6 for Sunday.
  public var weekday: Int { CivilDay.weekday(dayNumber) }

  /// The last day of its month.
  public var endOfMonth: CalendarDate {
    CalendarDate(year: year, month: month, day: CivilDay.daysInMonth(year, month)) ?? self
  }

  /// The days of its month, as on a calendar page.
  public var wholeMonth: ClosedRange<CalendarDate> {
    (CalendarDate(year: year, month: month, day: 1) ?? self)...endOfMonth
  }
}

extension CalendarDate: Codable {
  /// Encodes `"2026-11-23"`.
  public func encode(to encoder: any Encoder) throws { try encoder.encodeAlone("\(self)") }

  /// - Throws: `DecodingError` for a day that does not exist.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let day = CalendarDate(text) else {
      throw decoder.refusal("\"\(text)\" is not a date; write one such as 2026-11-23")
    }
    self = day
  }
}

extension DateSpan: Decodable {
  private enum Key: String, CodingKey { case first, last }

  /// Decodes `{"first": "2026-11-01", "last": "2026-11-30"}`; an open end is omitted.
  ///
  /// - Throws: `DecodingError` for a first day after the last.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let first = try container.decodeIfPresent(CalendarDate.self, forKey: .first)
    let last = try container.decodeIfPresent(CalendarDate.self, forKey: .last)
    if let first, let last, last < first {
      throw decoder.refusal("the first day \(first) lies after the last \(last); swap them")
    }
    self.init(first: first, last: last)
  }
}
