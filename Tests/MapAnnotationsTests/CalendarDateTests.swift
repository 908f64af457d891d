import MapAnnotations
import Testing

@Suite struct CalendarDateTests {
  @Test(arguments: [
    ("2026-11-21", 2026, 11, 21), ("20261121", 2026, 11, 21), ("2024-02-29", 2024, 2, 29),
    ("2000-02-29", 2000, 2, 29), ("0001-01-01", 1, 1, 1), ("99991231", 9999, 12, 31),
  ])
  func `a day is read with hyphens or without`(text: String, year: Int, month: Int, day: Int) throws
  {
    let date = try #require(CalendarDate(text))
    #expect((date.year, date.month, date.day) == (year, month, day))
    #expect(date == CalendarDate(year: year, month: month, day: day))
    #expect(CalendarDate(date.description) == date)
  }

  @Test(arguments: [
    "", "2026", "2026-11", "2026-11-21T00:00", "2026-1-2", "26-11-21", "2026/11/21", "2026-11-2 ",
    "2026-13-01", "2026-00-10", "2026-02-29", "1900-02-29", "2026-04-31", "2026-01-00",
    "0000-01-01",
    "+026-01-01", "2026-+1-01", "2026-11-21-", "--", "202611212", "2026112", "２０２６-11-21", "오늘의",
  ])
  func `what is no day is nil`(text: String) {
    #expect(CalendarDate(text) == nil)
  }

  @Test func `every month has its length`() {
    let lengths = (1...12).map { month in
      (1...32).prefix { CalendarDate(year: 2026, month: month, day: $0) != nil }.count
    }
    #expect(lengths == [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
  }

  @Test func `days are in the order of the calendar, as their texts are`() throws {
    let texts = [
      "0987-12-31", "1999-12-31", "2000-01-01", "2000-01-31", "2000-02-01", "2026-11-21",
    ]
    let days = try texts.map { try #require(CalendarDate($0)) }
    #expect(days.reversed().sorted() == days)
    #expect(days.map(\.description) == texts)
  }
}

@Suite struct DateSpanTests {
  private func day(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

  @Test func `both ends belong to a span`() throws {
    let span = DateSpan(first: try day("2026-11-01"), last: try day("2026-11-30"))
    for (text, expected) in [
      ("2026-10-31", false), ("2026-11-01", true), ("2026-11-15", true), ("2026-11-30", true),
      ("2026-12-01", false),
    ] {
      #expect(span.contains(try day(text)) == expected, "\(text)")
    }
  }

  @Test func `an open end holds all time`() throws {
    let first = try day("0001-01-01"), last = try day("9999-12-31"), today = try day("2026-11-21")
    #expect(DateSpan(first: nil, last: nil).contains(first))
    #expect(DateSpan(first: nil, last: nil).contains(last))
    #expect(DateSpan(first: today, last: nil).contains(last))
    #expect(!DateSpan(first: today, last: nil).contains(first))
    #expect(DateSpan(first: nil, last: today).contains(first))
    #expect(!DateSpan(first: nil, last: today).contains(last))
    #expect(DateSpan(first: today, last: today).contains(today))
  }

  @Test func `an annotation is valid on the days it names, or always`() throws {
    let summer = DateSpan(first: try day("2026-06-01"), last: try day("2026-08-31"))
    let winter = DateSpan(first: try day("2026-12-01"), last: nil)
    let deal = BasicAnnotation(id: 1, validDates: [summer, winter])
    #expect(try deal.holds(on: day("2026-07-15")) == true)
    #expect(try deal.holds(on: day("2026-10-01")) == false)
    #expect(try deal.holds(on: day("2030-01-01")) == true)
    #expect(try BasicAnnotation(id: 2).holds(on: day("0001-01-01")) == true)
  }
}
