import BusinessHours
import Geodesy
import Testing

/// Days before and after all that rules can name.
@Suite struct FarDayTests {
  /// A Monday.
  private static let today = LocalTime(year: 2026, month: 11, day: 23).day

  @Test func `a local time stays within 300 million years`() {
    let first = LocalTime(day: .min, secondOfDay: 0), last = LocalTime(day: .max, secondOfDay: 0)
    #expect(first.date.year == -299_998_030 && last.date.year == 300_001_970)
    #expect(LocalTime(seconds: .min) < first && last < LocalTime(seconds: .max))
    #expect(LocalTime(day: .max, secondOfDay: .max) == LocalTime(seconds: .max))
    #expect(LocalTime(day: .min, secondOfDay: .min) == LocalTime(seconds: .min))
    // No instant is farther away.
    for instant in [Instant(milliseconds: .min), Instant(milliseconds: .max)] {
      #expect(HoursSetting().localTime(at: instant).seconds == instant.seconds)
    }
  }

  @Test(arguments: [Int64.min, .max])
  func `any local time has an answer`(seconds: Int64) throws {
    let hours = try OpeningHours("Jan 01 off; sunrise-sunset")
    let time = LocalTime(seconds: seconds)
    #expect(hours.state(at: time) == .closed)
    #expect(hours.isClosed(on: time.day) == true)
    #expect(hours.isClosed(on: seconds < 0 ? .min : .max) == true)
  }

  @Test func `far from today the times of the sun are unknown`() throws {
    let hours = try OpeningHours("sunrise-sunset")
    let seoul = HoursSetting(
      sun: .position(try Coordinate(latitude: 37.5, longitude: 127)), utcOffset: { _ in 9 * 3600 })
    for time in [
      LocalTime(seconds: .min), LocalTime(seconds: .max),
      LocalTime(day: -99_999_999, secondOfDay: 0),
      LocalTime(day: 99_999_999, secondOfDay: 0),
      LocalTime(year: 10_000, month: 6, day: 1, hour: 12),
    ] {
      #expect(hours.state(at: time, setting: seoul) == .unknown, "\(time.date)")
    }
    for year in [1, 1900, 2026, 9999] {
      let noon = LocalTime(year: year, month: 6, day: 1, hour: 12)
      #expect(hours.state(at: noon, setting: seoul) == .open, "\(year)")
    }
  }

  @Test func `the next change after the first instant is found soon`() throws {
    let hours = try OpeningHours("2026 Dec 24 10:00-12:00")
    let opening = LocalTime(year: 2026, month: 12, day: 24, hour: 10)
    #expect(hours.nextChange(after: LocalTime(seconds: .min)) == opening)
    let next = hours.nextChange(after: Instant(milliseconds: .min), setting: HoursSetting())
    #expect(next == Instant(seconds: opening.seconds))
    #expect(hours.nextChange(after: LocalTime(seconds: .max)) == nil)
    // In a year with rules the search goes on day by day.
    let later = try OpeningHours("2026+ Mo 10:00-12:00")
    #expect(
      later.nextChange(after: LocalTime(seconds: .min))
        == LocalTime(year: 2026, month: 1, day: 5, hour: 10))
  }

  @Test func `a search for a closed day may have no end`() throws {
    let hours = try OpeningHours("Mo-Sa 10:00-22:00")
    #expect(hours.nextClosing(from: Self.today, days: .max).closed == Self.today + 6)
    #expect(hours.nextClosing(from: Self.today, days: .min).closed == nil)
    #expect(hours.nextClosing(from: .max, days: .max).closed == nil)
  }

  @Test(arguments: [Int.min, -1_000_000, -50_000])
  func `hours may be closed since before all days`(day: Int) throws {
    let always = try OpeningHours("24/7")
    let closed = OpeningHours.closing(always, from: day, to: nil)
    #expect(closed.state(at: .noon(of: Self.today)) == .closed)
    let reopened = OpeningHours.closing(always, from: day, to: Self.today - 1)
    #expect(reopened.state(at: .noon(of: Self.today - 1)) == .closed)
    #expect(reopened.state(at: .noon(of: Self.today)) == .open)
    let never = OpeningHours.closing(always, from: nil, to: day)
    #expect(never.state(at: .noon(of: Self.today)) == .open)
  }

  @Test(arguments: [Int.max, 100_000_000, 3_000_000])
  func `hours may be closed until after all days, or only from then on`(day: Int) throws {
    let always = try OpeningHours("24/7")
    let closed = OpeningHours.closing(always, from: nil, to: day)
    #expect(closed.state(at: .noon(of: Self.today)) == .closed)
    let open = OpeningHours.closing(always, from: day, to: nil)
    #expect(open.state(at: .noon(of: Self.today)) == .open)
    let closing = OpeningHours.closing(always, from: Self.today, to: day)
    #expect(closing.state(at: .noon(of: Self.today - 1)) == .open)
    #expect(closing.state(at: .noon(of: Self.today)) == .closed)
  }

  @Test(arguments: ["10:00-22:00", "24/7", "Mo-Sa 10:00-22:00; Su off"])
  func `hours that close for some days or for good are written as they are read`(
    text: String
  ) throws {
    for last in [Self.today + 9, nil] {
      let hours = OpeningHours.closing(try OpeningHours(text), from: Self.today, to: last)
      #expect(try OpeningHours(hours.description) == hours, "\(hours)")
    }
  }

  @Test func `a calendar may know all years`() {
    for years in [1...Int.max, Int.min...2026] {
      let calendar = HolidayCalendar([], knownYears: years)
      #expect(calendar.knows(day: Self.today) && !calendar.contains(day: Self.today))
    }
    #expect(!HolidayCalendar([], knownYears: 2027...Int.max).knows(day: Self.today))
  }
}
