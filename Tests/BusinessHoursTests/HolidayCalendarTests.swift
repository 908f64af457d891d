import BusinessHours
import NearbyTestSupport
import Testing

@Suite struct HolidayCalendarTests {
  @Test(
    .enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)),
    arguments: ["KR", "JP", "DE"])
  func `holidays agree with the collected ones, year by year`(country: String) throws {
    let rows = try SharedFiles.rows("conformance/opening_hours/public_holidays.csv")
      .filter { $0["country"] == country }
    let calendar = try #require(HolidayCalendar.country(country))
    let byYear = Dictionary(grouping: rows) { $0["date"]!.prefix(4) }
    #expect(byYear.count == 13)
    for (year, rows) in byYear {
      let expected = Set(rows.map { $0["date"]! })
      // The collected ones are of before Labour Day became one.
      let answered = Set(
        calendar.holidays.filter { !$0.name.hasPrefix("노동절") }.map { ClockText.day($0.day) }
          .filter { $0.hasPrefix(year) })
      #expect(
        answered == expected,
        "\(country) \(year): \(answered.symmetricDifference(expected).sorted())")
    }
  }

  /// As vacanza/holidays 0.109 lists it, with the days that make up for it.
  @Test func `Labour Day is a holiday of Korea from 2026 on`() {
    let days = HolidayCalendar.korea.holidays.filter { $0.name.hasPrefix("노동절") }.map {
      ClockText.day($0.day)
    }
    let substitutes = ["2027-05-03", "2032-05-03", "2033-05-02"]
    #expect(days.sorted() == ((2026...2035).map { "\($0)-05-01" } + substitutes).sorted())
    #expect(!HolidayCalendar.korea.contains(day: LocalTime(year: 2025, month: 5, day: 1).day))
  }

  @Test func `a day beyond the data is unknown, never open`() throws {
    let hours = try OpeningHours("Mo-Fr 09:00-17:00; PH off")
    let setting = HoursSetting(publicHolidays: .korea)
    let monday = LocalTime(year: 2036, month: 3, day: 3, hour: 12)
    #expect(hours.state(at: monday, setting: setting) == .unknown)
    // At night it is closed whether or not it is a holiday.
    let night = LocalTime(year: 2036, month: 3, day: 3, hour: 4)
    #expect(hours.state(at: night, setting: setting) == .closed)
    #expect(hours.state(at: monday) == .unknown)
  }

  @Test func `a holiday and its eve are told apart`() throws {
    let hours = try OpeningHours("10:00-20:00; PH -1 day 10:00-15:00; PH off")
    let setting = HoursSetting(publicHolidays: .korea)
    // Seollal of 2026 is 16 to 18 February.
    let states = [(15, 14), (15, 16), (17, 12), (19, 16)].map { day, hour in
      hours.state(at: .init(year: 2026, month: 2, day: day, hour: hour), setting: setting)
    }
    #expect(states == [.open, .closed, .closed, .open])
  }

  @Test func `a calendar takes more holidays and more years`() {
    let more = HolidayCalendar.korea.adding(
      [.init(year: 2036, month: 1, day: 1, name: "신정")], known: 12_784...24_471)
    let day = LocalTime(year: 2036, month: 1, day: 1).day
    #expect(more.knows(day: day) && more.contains(day: day))
    #expect(!HolidayCalendar.korea.knows(day: day))
    #expect(more.names(on: day) == ["신정"])
    #expect(HolidayCalendar.country("FR") == nil)
    #expect(HolidayCalendar.country("de", region: "DE-XX") == nil)
  }

  @Test func `a listed day is known to be a holiday, whatever range is complete`() throws {
    let monday = LocalTime(year: 2026, month: 11, day: 30).day
    let calendar = HolidayCalendar(
      [.init(day: monday, name: "Fest"), .init(day: monday + 7, name: "Fest")],
      known: monday...monday)
    #expect((-1...8).filter { calendar.knows(day: monday + $0) } == [0, 7])
    let hours = try OpeningHours("Mo-Fr 09:00-18:00; PH off")
    let states = [0, 1, 7, 8].map {
      hours.state(
        at: LocalTime(day: monday + $0, secondOfDay: 36_000),
        setting: HoursSetting(publicHolidays: calendar))
    }
    #expect(states == [.closed, .unknown, .closed, .unknown])
  }

  @Test func `a day a multiple of 16,384 days from a holiday is none`() {
    let first = -7
    let calendar = HolidayCalendar(
      [.init(day: first, name: "a"), .init(day: first, name: "b"), .init(day: 90_000, name: "c")],
      known: -100_000...100_000)
    #expect(calendar.contains(day: first) && calendar.contains(day: 90_000))
    for day in [first - 16_384, first + 16_384, 90_000 - 16_384, first + 64, first + 1] {
      #expect(!calendar.contains(day: day))
    }
  }
}
