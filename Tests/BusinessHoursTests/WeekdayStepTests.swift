import BusinessHours
import Foundation
import Geodesy
import Testing

/// Weekdays before and after dates, judged by Foundation's calendar, day by day.
@Suite struct WeekdayStepTests {
  private func date(_ year: Int, _ month: Int, _ day: Int) throws -> Date {
    try #require(
      ClosingDateTests.calendar.date(
        from: DateComponents(year: year, month: month, day: day, hour: 12)))
  }

  private func moved(_ date: Date, _ days: Int) throws -> Date {
    try #require(ClosingDateTests.calendar.date(byAdding: .day, value: days, to: date))
  }

  /// Goes day by day until one has the weekday, the date itself left out.
  private func stepped(_ date: Date, to weekday: Int, by days: Int) throws -> Date {
    var day = try moved(date, days)
    // Of Calendar, 1 is Sunday.
    while ClosingDateTests.calendar.component(.weekday, from: day) != (weekday + 1) % 7 + 1 {
      day = try moved(day, days)
    }
    return day
  }

  /// The days of some years on which hours are open at noon.
  private func openDays(_ hours: OpeningHours, years: ClosedRange<Int>) throws -> Set<Date> {
    var days: Set<Date> = []
    var day = try date(years.lowerBound, 1, 1)
    while ClosingDateTests.calendar.component(.year, from: day) <= years.upperBound {
      let parts = ClosingDateTests.calendar.dateComponents([.year, .month, .day], from: day)
      let year = try #require(parts.year), month = try #require(parts.month)
      let noon = LocalTime(year: year, month: month, day: try #require(parts.day), hour: 12)
      if hours.state(at: noon) == .open { days.insert(day) }
      day = try moved(day, 1)
    }
    return days
  }

  private static let names = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]

  @Test(arguments: [(1, 1), (1, 5), (3, 31), (7, 4), (12, 25), (12, 31)], [-1, 1])
  func `the weekday before or after a date agrees with the calendar of Foundation`(
    date monthDay: (month: Int, day: Int), sign: Int
  ) throws {
    let years = 2015...2027
    let month = ClosingDateTests.months[monthDay.month - 1].prefix(3)
    for (weekday, name) in Self.names.enumerated() {
      for days in [0, -21, 3] {
        let value =
          "\(month) \(zeroPadded(monthDay.day)) \(sign < 0 ? "-" : "+")\(name)"
          + (days == 0 ? "" : days < 0 ? " \(days) days" : " +\(days) days")
        let hours = try OpeningHours(value + " 10:00-14:00")
        #expect(hours.description == value + " 10:00-14:00")
        #expect(try OpeningHours(hours.description) == hours)
        let expected = try (2014...2028).map { year in
          let step = try stepped(
            try date(year, monthDay.month, monthDay.day), to: weekday, by: sign)
          return try moved(step, days)
        }.filter { years.contains(ClosingDateTests.calendar.component(.year, from: $0)) }
        #expect(expected.count >= years.count - 1)
        #expect(try openDays(hours, years: years) == Set(expected), "\(value)")
      }
    }
  }

  @Test(arguments: [
    // The first Sunday of Advent to Christmas Eve, and over New Year.
    ("Dec 25 -Su -21 days-Dec 24", 0), ("Dec 25-Su-21 days - Dec 24", 0),
    ("Dec 25 -Su-Jan 06 +Su", 1),
  ]) func `a span between weekdays beside dates agrees with the calendar of Foundation`(
    value: String, yearsLater: Int
  ) throws {
    let years = 2015...2027
    let hours = try OpeningHours(value + " 10:00-14:00")
    #expect(try OpeningHours(hours.description) == hours)
    var expected: Set<Date> = []
    for year in 2014...2028 {
      let before = try stepped(try date(year, 12, 25), to: 6, by: -1)
      var day = yearsLater == 0 ? try moved(before, -21) : before
      let last =
        yearsLater == 0
        ? try date(year, 12, 24) : try stepped(try date(year + 1, 1, 6), to: 6, by: 1)
      while day <= last {
        if years.contains(ClosingDateTests.calendar.component(.year, from: day)) {
          expected.insert(day)
        }
        day = try moved(day, 1)
      }
    }
    #expect(expected.count > 13 * 20)
    #expect(try openDays(hours, years: years) == expected)
  }

  @Test(arguments: [
    ("2022 Dec 25 -Su", "2022-12-18"), ("2023 Dec 25-Su", "2023-12-24"),
    ("2026 easter +Mo", "2026-04-06"), ("2026 easter -Fr", "2026-04-03"),
    ("2026 Mar Su[-1] -Sa", "2026-03-28"), ("2024 Jan 01 -Mo", "2023-12-25"),
  ]) func `a weekday beside a date of one year is one day`(value: String, day: String) throws {
    let hours = try OpeningHours(value + " 10:00-14:00")
    let days = try openDays(hours, years: 2021...2027)
    let expected = day.split(separator: "-").compactMap { Int($0) }
    #expect(days == [try date(expected[0], expected[1], expected[2])])
  }

  @Test func `a plus with a blank behind it is an end left open, and the weekday a condition`()
    throws
  {
    let hours = try OpeningHours("Dec 20+ Su 10:00-14:00")
    let days = try openDays(hours, years: 2026...2026)
    #expect(days == [try date(2026, 12, 20), try date(2026, 12, 27)])
  }

  @Test func `a span that comes back to its own month crosses New Year if it must`() throws {
    for (value, count) in [
      ("Apr Su[-1]-Apr 03", 343), ("Dec Su[-1]-Dec Su[1]", 345), ("Jan 21-Jan Fr[2]", 354),
    ] {
      let days = try openDays(try OpeningHours(value + " 10:00-14:00"), years: 2026...2026)
      #expect(days.count == count, "\(value)")
      #expect(days.isSuperset(of: [try date(2026, 1, 1), try date(2026, 12, 31)]))
    }
    // The second Sunday is the 8th in 2029, and otherwise later than the 10th.
    let short = try openDays(try OpeningHours("Apr Su[2]-Apr 08 10:00-14:00"), years: 2026...2029)
    #expect(short == [try date(2029, 4, 8)])
  }
}
