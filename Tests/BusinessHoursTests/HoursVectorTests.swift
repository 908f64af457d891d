import BusinessHours
import Foundation
import NearbyTestSupport
import Testing

/// `Tests/Vectors`: opening hours by opening-hours-rs, recurrences by dateutil, holidays by holidays.
@Suite struct HoursVectorTests {
  @Test func `hours agree with opening-hours-rs over nine days`() throws {
    let rows: [ConformanceRow] = try Vectors.values("opening_hours.jsonl")
    #expect(rows.count == 28)
    for row in rows {
      let hours = try OpeningHours(try #require(row.value))
      let answered = Stretch.all(
        of: hours, from: localTime(try #require(row.from)), to: localTime(try #require(row.to)))
      let expected = Stretch.merged(
        try #require(row.intervals).map {
          Stretch(start: localTime($0[0]), end: localTime($0[1]), state: $0[2])
        })
      #expect(answered == expected, "\(row.value ?? "")")
    }
  }

  private struct RecurrenceRow: Decodable {
    var dtstart: String
    var rrule: String
    var expected: [String]
  }

  @Test func `recurrences fall where dateutil has them`() throws {
    let rows: [RecurrenceRow] = try Vectors.values("recurrences.jsonl")
    #expect(rows.count == 20)

    for row in rows {
      let found = Array(
        try RecurrenceRule(row.rrule).occurrences(startingAt: reading(row.dtstart))
          .prefix(row.expected.count + 1))
      #expect(found == row.expected.map(reading), "\(row.rrule)")
    }
  }

  @Test(arguments: ["KR", "JP"])
  func `public holidays of four years are those that holidays lists`(country: String) throws {
    let expected = try Vectors.rows("public_holidays.csv").filter { $0["country"] == country }
      .compactMap { $0["date"] }
    #expect(expected.count > 60)
    let calendar = try #require(HolidayCalendar.country(country))
    let answered = Set(
      calendar.holidays.map { ClockText.day($0.day) }.filter { $0 > "2024" && $0 < "2028" })
    #expect(answered.sorted() == expected)
  }
}
