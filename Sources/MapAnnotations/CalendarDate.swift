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
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let digits: [Substring]
    switch parts.count {
    case 3: digits = parts
    case 1 where text.utf8.count == 8:
      digits = [text.prefix(4), text.dropFirst(4).prefix(2), text.suffix(2)]
    default: return nil
    }
    guard
      zip(digits, [4, 2, 2]).allSatisfy({ part, length in
        part.utf8.count == length && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
      }), let year = Int(digits[0]), let month = Int(digits[1]), let day = Int(digits[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
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
}
