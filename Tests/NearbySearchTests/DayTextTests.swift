import Foundation
import MapAnnotations
import NearbySearch
import NearbyTestSupport
import Testing

@Suite struct `A day label` {
  @Test(arguments: [
    ("2026-12-13", "2026-11-22", ["2026-12-13 (Sun)", "2026-12-13 (일)", "2026-12-13 (日)"]),
    ("2026-11-22", "2026-11-22", ["2026-11-22 (today)", "2026-11-22 (오늘)", "2026-11-22 (今日)"]),
    (
      "2027-01-01", "2026-12-31",
      ["2027-01-01 (tomorrow)", "2027-01-01 (내일)", "2027-01-01 (明日)"]
    ),
    // Yesterday and the day after tomorrow have no word of their own.
    ("2026-11-21", "2026-11-22", ["2026-11-21 (Sat)", "2026-11-21 (토)", "2026-11-21 (土)"]),
    ("2024-03-01", "2024-02-28", ["2024-03-01 (Fri)", "2024-03-01 (금)", "2024-03-01 (金)"]),
  ])
  func `has the weekday, or says today and tomorrow`(
    day: String, today: String, texts: [String]
  ) throws {
    let (day, today) = (try #require(CalendarDate(day)), try #require(CalendarDate(today)))
    #expect(LabelLanguage.allCases.map { DayText(day, today: today, in: $0).description } == texts)
  }

  /// Foundation's calendar and its words are the judge.
  @Test func `has Foundation's weekday in three languages`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    let names = LabelLanguage.allCases.map { language in
      var named = calendar
      named.locale = Locale(identifier: language.rawValue)
      return named.shortWeekdaySymbols
    }
    #expect(names.map(\.count) == [7, 7, 7])
    // Every day of forty years, among them the first and the last of the 400-year cycle, and days before 1970.
    for first in [-719_162, -2_000, 11_016, 20_454] {
      for number in first..<first + 3_653 {
        let date = Date(timeIntervalSince1970: Double(number) * 86_400)
        let weekday = calendar.component(.weekday, from: date) - 1
        let day = try #require(CalendarDate(dayNumber: number))
        for (language, names) in zip(LabelLanguage.allCases, names) {
          let text = DayText(day, today: nil, in: language)
          guard text.word == names[weekday], text.date == day.description else {
            Issue.record("\(text) in \(language), and \(names[weekday])")
            return
          }
        }
      }
    }
  }

  @Test(arguments: UInt64(0)..<4) func `says today of one day and tomorrow of one`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let today = Int.random(in: -100_000..<100_000, using: &random)
      let now = try #require(CalendarDate(dayNumber: today))
      let words = try (today - 10..<today + 10).map {
        DayText(try #require(CalendarDate(dayNumber: $0)), today: now).word
      }
      #expect(words[10] == "today" && words[11] == "tomorrow")
      #expect(!(words[..<10] + words[12...]).contains { $0.hasPrefix("to") })
    }
  }
}
