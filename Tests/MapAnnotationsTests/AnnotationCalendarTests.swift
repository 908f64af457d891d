import BusinessHours
import Foundation
import MapAnnotations
import NearbyTestSupport
import Testing

@Suite struct AnnotationCalendarTests {
  private static let december = CalendarDate("2026-12-24")!.wholeMonth

  @Test func `a month has all of its days`() {
    #expect("\(Self.december)" == "2026-12-01...2026-12-31")
    for (text, last) in [
      ("2028-02-10", "2028-02-29"), ("2027-02-28", "2027-02-28"), ("9999-12-31", "9999-12-31"),
    ] {
      let month = CalendarDate(text)!.wholeMonth
      #expect(month.lowerBound.day == 1 && "\(month.upperBound)" == last)
    }
  }

  /// Foundation's Gregorian calendar is the judge.
  @Test(arguments: UInt64(0)..<50)
  func `the days of a run are those that the words name`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var gregorian = Calendar(identifier: .gregorian)
    gregorian.timeZone = .gmt
    let monthDay = Int.random(in: 1...31, using: &random)
    let weekday = Int.random(in: 0..<7, using: &random)  // 0 is Monday
    let start = Int.random(in: 20_000..<25_000, using: &random)
    let excepted = start + Int.random(in: 0..<60, using: &random)
    let words =
      "\(monthDay)日, \(["月", "火", "水", "木", "金", "土", "日"][weekday])曜日, !\(CalendarDate(dayNumber: excepted)!)"
    let run = CalendarDate(dayNumber: start)!...CalendarDate(dayNumber: start + 59)!
    let calendar = AnnotationCalendar(dates: AnnotationDates(words))
    #expect(calendar.unread.isEmpty)
    let expected = (start..<start + 60).filter { number in
      let date = Date(timeIntervalSince1970: Double(number) * 86_400)
      let parts = gregorian.dateComponents([.day, .weekday], from: date)
      return number != excepted && (parts.day == monthDay || parts.weekday == (weekday + 1) % 7 + 1)
    }
    #expect(calendar.days(in: run).map(\.dayNumber) == expected)
    #expect(!expected.isEmpty)
  }

  @Test func `what is not understood names no day, and bounds hold`() {
    let calendar = AnnotationCalendar(
      validDates: [DateSpan(first: CalendarDate("2026-12-20"), last: nil)],
      dates: AnnotationDates("月曜日, 祝日"))
    #expect(calendar.days(in: Self.december).map(\.day) == [21, 28])
    #expect(!calendar.unread.isEmpty)
    #expect(AnnotationCalendar().days(in: Self.december).count == 31)
  }

  @Test(
    arguments: [
      ("2026-12-20", "until sold out", [false, nil, nil, nil]),
      ("soon", "2026-12-24", [nil, nil, false, false]),
      ("soon", "-", [nil, nil, nil, nil]), ("2026-12-24", "2026-12-20", [nil, nil, nil, nil]),
      ("2026-12-20", "NULL", [false, true, true, true]),
      ("", "2026-12-24", [true, true, false, false]),
    ] as [(String, String, [Bool?])])
  func `a limit that cannot be read leaves days undecided that the other does not exclude`(
    from: String, until: String, holds: [Bool?]
  ) {
    let limits = ValidDates(
      from: NullText.isNull(from) ? nil : from, until: NullText.isNull(until) ? nil : until)
    let deal = BasicAnnotation(
      id: "d", validDates: limits.spans,
      properties: ["valid_from": .string(from), "valid_until": .string(until)])
    let days = ["2026-12-19", "2026-12-24", "2026-12-25", "2030-01-01"].map { CalendarDate($0)! }
    #expect(days.map { deal.holds(on: $0) } == holds)
    #expect(days.map { deal.holds(in: .during($0...$0), today: $0) } == holds)
    let isRead = !holds.contains(nil)
    #expect(deal.calendar.unread.isEmpty == isRead)
    #expect((deal.calendar.firstDay(onOrAfter: days[0]) != nil) == isRead)
    #expect(deal.calendar.holds(onOrAfter: days[1]) == holds[1])
    #expect(deal.calendar.days(in: Self.december).isEmpty != isRead)
  }

  @Test(
    arguments: [
      // 23:59:59 of the 29th in Korea, but the 30th further east.
      (nil, "2026-11-29T14:59:59Z", [true, true, nil, false]),
      (nil, "2026-11-29T09:59:59Z", [true, nil, false, false]),
      (nil, "2026-11-29T00:00:00Z", [true, true, false, false]),
      ("2026-11-29T15:00:00Z", nil, [false, nil, true, true]),
      ("2026-11-29T15:00:00Z", "2026-11-30", [false, nil, true, false]),
      ("2026-11-29T15:00:00Z", "2026-11-30T09:00:00Z", [false, nil, nil, false]),
      ("2026-11-29T00:00:00+09:00", "2026-11-29T23:59:59+09:00", [false, true, false, false]),
    ] as [(String?, String?, [Bool?])])
  func `a limit in UTC leaves the days undecided that clocks decide`(
    from: String?, until: String?, holds: [Bool?]
  ) {
    let limits = ValidDates(from: from, until: until)
    #expect(limits.problem == nil)
    let deal = BasicAnnotation(
      id: "d", validDates: limits.spans,
      properties: [
        "valid_from": from.map { .string($0) } ?? .null,
        "valid_until": until.map { .string($0) } ?? .null,
      ])
    let days = (0...3).map { CalendarDate("2026-11-28")!.adding(days: $0)! }
    #expect(days.map { deal.holds(on: $0) } == holds)
    #expect(days.map { deal.holds(in: .during($0...$0), today: $0) } == holds)
    #expect(deal.calendar.unread.isEmpty != holds.contains(nil))
    let run = days[0]...days[3]
    #expect(deal.calendar.days(in: run) == zip(days, holds).filter { $1 == true }.map(\.0))
    #expect(deal.holds(in: .during(run), today: days[0]) == (holds.contains(true) ? true : nil))
    #expect(deal.calendar.holds(onOrAfter: days[0]) == (holds.contains(true) ? true : nil))
  }

  @Test func `a list without days names none, as an empty text does`() {
    let day = CalendarDate("2026-11-23")!
    for empty: PropertyValue in ["", nil, "-", .array([]), .array([""]), .array([nil, "-"])] {
      let deal = BasicAnnotation(id: 1, properties: ["dates": empty])
      #expect(deal.holds(on: day) == true && deal.calendar.unread.isEmpty, "\(empty)")
      let dated = BasicAnnotation(id: 1, properties: ["dates": empty, "valid_dates": "2026-11-24"])
      #expect(dated.holds(on: day) == false, "\(empty)")
    }
    let odd = BasicAnnotation(id: 1, properties: ["dates": .array([.object(["day": 1]), "24"])])
    #expect(odd.holds(on: day) == nil && odd.holds(on: day.adding(days: 1)!) == true)
  }

  @Test func `showings of a day come by film, the first to start first`() {
    let day = CalendarDate("2026-11-22")!
    let calendar = AnnotationCalendar(
      timetable: SessionTimetable(
        """
        2026-11-22 14:00 하얼빈; 2026-11-22 10:30 어쩔수가없다; 2026-11-22 19:00 하얼빈; 2026-11-22 14:00 가타카; \
        2026-11-22 25:10 어쩔수가없다; 2026-11-23 09:00 하얼빈
        """))
    let sessions = calendar.sessions(on: day)
    let titles = Session.byTitle(sessions.reversed()) { $0 }
    #expect(titles.map(\.title) == ["어쩔수가없다", "가타카", "하얼빈"])
    #expect(
      titles.map { $0.elements.map(\.description) } == [
        ["10:30 어쩔수가없다", "25:10 어쩔수가없다"], ["14:00 가타카"], ["14:00 하얼빈", "19:00 하얼빈"],
      ])
    #expect(titles.flatMap(\.elements).sorted() == sessions)
    #expect(Session.byTitle(calendar.sessions(on: CalendarDate("2026-11-24")!)) { $0 }.isEmpty)
  }

  @Test func `of two different sessions one comes first`() {
    let days = ["2026-11-22", "2026-11-23"].map { CalendarDate($0)! }
    // 25:00 of the first day, and 01:00 of the second.
    let start = LocalTime(year: 2026, month: 11, day: 23, hour: 1)
    var sessions: [Session] = []
    for end in [nil, LocalTime(seconds: start.seconds + 3600)] {
      for title in [nil, "", "하얼빈"] {
        sessions += days.map { Session(day: $0, start: start, end: end, title: title) }
      }
    }
    for (place, one) in sessions.enumerated() {
      for (otherPlace, other) in sessions.enumerated() {
        #expect((one < other) == (place < otherPlace), "\(one) \(one.day), \(other) \(other.day)")
      }
    }
  }
}
