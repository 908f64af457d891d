/// A date and time on a wall clock, without a time zone, to the second.
///
///     let noon = LocalTime(year: 2026, month: 11, day: 22, hour: 12, minute: 0)
///
/// Initializers limit it to ±300 million years, more than an `Instant` can be from 1970.
public struct LocalTime: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01.
  public var day: Int
  /// Seconds since midnight, 0..<86400.
  public var secondOfDay: Int

  /// Makes a local time from day and second; seconds outside the day carry into other days.
  public init(day: Int, secondOfDay: Int) {
    let midnight = Int64(min(max(day, -Self.farthestDay), Self.farthestDay)) * 86_400
    let (seconds, isBeyond) = midnight.addingReportingOverflow(Int64(secondOfDay))
    self.init(seconds: isBeyond ? (secondOfDay < 0 ? .min : .max) : seconds)
  }

  /// 300 million years, in days.
  private static let farthestDay = 300_000_000 / 400 * 146_097

  /// Makes a local time from a Gregorian date.
  ///
  /// Days and hours beyond their month and day carry over.
  ///
  /// - Precondition: `month` is 1 to 12, `year` 0 to 99999, and the others are within ±10¹².
  public init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    precondition((1...12).contains(month), "month \(month) is not 1 to 12")
    precondition((0...99_999).contains(year), "year \(year) is not 0 to 99999")
    self.init(
      day: CivilDay.number(year, month, 1) + day - 1,
      secondOfDay: hour * 3600 + minute * 60 + second)
  }

  /// Makes a local time from the seconds since 1970-01-01T00:00 on the same wall clock.
  public init(seconds: Int64) {
    // One day more, so that the last day has an end.
    let limit = Int64(Self.farthestDay + 1) * 86_400
    let seconds = min(max(seconds, -limit), limit)
    let (days, remainder) = seconds.quotientAndRemainder(dividingBy: 86_400)
    secondOfDay = Int(remainder < 0 ? remainder + 86_400 : remainder)
    day = Int(remainder < 0 ? days - 1 : days)
  }

  /// The seconds since 1970-01-01T00:00 on the same wall clock.
  public var seconds: Int64 { Int64(day) * 86_400 + Int64(secondOfDay) }

  /// Year, month and day of the month.
  public var date: (year: Int, month: Int, day: Int) { CivilDay.parts(day) }

  /// Hour, minute and second.
  public var clock: (hour: Int, minute: Int, second: Int) {
    (secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60)
  }

  /// Whether the first time is earlier.
  public static func < (one: LocalTime, other: LocalTime) -> Bool { one.seconds < other.seconds }

  init(minutes: Int) { self.init(seconds: Int64(minutes) * 60) }
}
