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

// MARK: - The calendar

/// A day of the Gregorian calendar as a number: the days since 1970-01-01, which is 0.
///
/// The calendar is extended without limit in both directions (proleptic). Source: Hinnant,
/// "chrono-Compatible Low-Level Date Algorithms", 2013, for the day numbers.
package enum CivilDay {
  /// A day as year, month and day.
  package typealias Parts = (year: Int, month: Int, day: Int)

  /// The weekdays in English, Monday first; shorter names are their first letters: `Mo`, `Mon`.
  package static let weekdayNames = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]
  /// The months in English; shorter names are their first three letters.
  package static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// The number of the day with a date.
  package static func number(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = floorDivide(shifted, 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The year, month and day of a day number.
  package static func parts(_ number: Int) -> Parts {
    let shifted = number + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  /// The weekday of a day number: 0 for Monday to 6 for Sunday.
  package static func weekday(_ number: Int) -> Int {
    let shifted = (number + 3) % 7
    return shifted < 0 ? shifted + 7 : shifted
  }

  /// The length of a month, 28 to 31.
  package static func daysInMonth(_ year: Int, _ month: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Whether a month of a year has a day: not for 30 February or month 13.
  package static func exists(_ year: Int, _ month: Int, _ day: Int) -> Bool {
    (1...12).contains(month) && (1...daysInMonth(year, month)).contains(day)
  }

  static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  /// The ISO 8601 week: weeks begin on Monday, and week 1 contains the year's first Thursday.
  static func isoWeek(_ number: Int) -> Int {
    let thursday = number - weekday(number) + 3
    return (thursday - self.number(parts(thursday).year, 1, 1)) / 7 + 1
  }

  /// The day number of Easter Sunday in the western churches.
  ///
  /// Source: Meeus, "Astronomical Algorithms", 2nd ed., chapter 8.
  static func easter(_ year: Int) -> Int {
    let a = year % 19
    let b = year / 100
    let c = year % 100
    let h = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30
    let l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7
    let m = (a + 11 * h + 22 * l) / 451
    let sum = h + l - 7 * m + 114
    return number(year, sum / 31, sum % 31 + 1)
  }

  /// The nth weekday of a month, counted from its end when negative; nil if the month has none.
  static func nthWeekday(_ nth: Int, _ weekday: Int, _ year: Int, _ month: Int) -> Int? {
    let first = number(year, month, 1)
    let length = daysInMonth(year, month)
    if nth > 0 {
      let day = (weekday - self.weekday(first) + 7) % 7 + 7 * (nth - 1)
      return day < length ? first + day : nil
    }
    let last = first + length - 1
    let back = (self.weekday(last) - weekday + 7) % 7 + 7 * (-nth - 1)
    return back < length ? last - back : nil
  }

  private static func floorDivide(_ value: Int, _ divisor: Int) -> Int {
    value >= 0 ? value / divisor : (value - divisor + 1) / divisor
  }
}
