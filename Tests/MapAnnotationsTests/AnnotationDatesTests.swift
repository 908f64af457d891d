import BusinessHours
import Foundation
import MapAnnotations
import NearbyTestSupport
import Testing

private func day(_ text: String) -> CalendarDate {
  CalendarDate(text)!
}

@Suite struct AnnotationDatesTests {
  @Test
  func `a run of days is asked as its days one by one, and one of ten thousand years as well`()
    throws
  {
    var generator = SeededGenerator(seed: 31)
    let start = day("2026-01-01")
    func someDay() -> CalendarDate { start.adding(days: .random(in: 0..<120, using: &generator))! }
    func someSpan() -> DateSpan {
      let (a, b) = (someDay(), someDay())
      return DateSpan(
        first: .random(using: &generator) ? min(a, b) : nil,
        last: .random(using: &generator) ? max(a, b) : nil)
    }
    let always = day("0001-01-01")...day("9999-12-31")
    var outcomes: [Bool?: Int] = [:]
    for _ in 0..<3_000 {
      var rules: [AnnotationDates.Rule] = [
        .dayOfMonth([1, 15, 31].randomElement(using: &generator)!),
        .weekday(.random(in: 0..<7, using: &generator)), .span(someSpan()), .everyDay,
        .recurrence(try Recurrence("DTSTART:20260215\nRRULE:FREQ=WEEKLY;INTERVAL=3;COUNT=4")),
      ]
      rules.shuffle(using: &generator)
      let dates = AnnotationDates(
        rules: Array(rules.prefix(.random(in: 0...2, using: &generator))),
        exceptions: (0..<Int.random(in: 0...3, using: &generator)).map { _ in someSpan() },
        unread: .random(in: 0..<4, using: &generator) == 0 ? ["?"] : [])
      let calendar = AnnotationCalendar(
        validDates: .random(using: &generator) ? [someSpan(), someSpan()] : [],
        dates: .random(in: 0..<5, using: &generator) == 0 ? nil : dates)
      let (a, b) = (someDay(), someDay())
      let run = min(a, b)...max(a, b)
      var each: [Bool?] = []
      for number in run.lowerBound.dayNumber...run.upperBound.dayNumber {
        each.append(calendar.holds(on: CalendarDate(dayNumber: number)!))
      }
      let wanted: Bool? = each.contains(true) ? true : each.contains(nil) ? nil : false
      #expect(calendar.holds(in: .during(run), today: start) == wanted, "\(calendar) \(run)")
      outcomes[wanted, default: 0] += 1
      if wanted == true { #expect(calendar.holds(in: .during(always), today: start) == true) }
    }
    #expect(outcomes.values.allSatisfy { $0 > 20 } && outcomes.count == 3)
  }

  @Test(arguments: [
    ("15", "2026-12-15", true), ("15", "2026-12-16", false), ("15日", "2026-12-15", true),
    ("31", "2026-11-30", false), ("31", "2026-12-01", false), ("29", "2027-02-28", false),
    ("29", "2028-02-29", true), ("月曜日", "2026-11-23", true), ("月曜", "2026-11-22", false),
    ("일요일", "2026-11-22", true), ("Sunday", "2026-11-22", true), ("su", "2026-11-22", true),
    ("20261122", "2026-11-22", true), ("2026-11-22", "2026-11-22", true),
    ("2026-11-22", "2026-11-23", false), ("2026-11-01~2026-11-30", "2026-11-30", true),
    ("2026-11-01 ~ 2026-11-30", "2026-12-01", false), ("20261101/20261130", "2026-11-15", true),
    ("2026-11-01..", "2031-01-01", true), ("~2026-11-30", "2026-12-01", false),
    ("daily, !2026-12-25", "2026-12-25", false), ("毎日、!20261225", "2026-12-24", true),
    ("05, 月曜日, 20261203", "2026-12-03", true), ("FREQ=MONTHLY;BYDAY=2SU,4SU", "2026-11-22", true),
    ("FREQ=MONTHLY;BYDAY=2SU,4SU", "2026-11-15", false),
    (
      "DTSTART:20260103 RRULE:FREQ=WEEKLY;INTERVAL=2 EXDATE;VALUE=DATE:20260117", "2026-01-17",
      false
    ),
    (
      "DTSTART:20260103 RRULE:FREQ=WEEKLY;INTERVAL=2 EXDATE;VALUE=DATE:20260117", "2026-01-31", true
    ),
  ])
  func `a deal holds on the days that its words name`(words: String, date: String, holds: Bool) {
    let dates = AnnotationDates(words)
    #expect(dates.unread.isEmpty, "\(dates.unread)")
    #expect(dates.contains(day(date)) == holds)
  }

  @Test(arguments: [
    "32", "2026-02-30", "20261301", "毎月第3", "2026-12-01~2026-11-01", "FREQ=NEVER", "FREQ=WEEKLY",
    "FREQ=DAILY;INTERVAL=2", "soon", "~", "0", "1.5", "every other Friday", "둘째 토요일", "毎月第2 日曜日",
    "1st and 3rd Sunday", "last Sunday", "11월 22일", "11月 22日", "2026년 11월 22일", "Sun 22 Nov",
    "2026 11 22", "11월 22일, 29일", "every 22", "rrule:freq=weekly;interval=2;byday=sa,su",
    "DTSTART:20261122T100000Z RRULE:FREQ=DAILY",
    "DTSTART;TZID=Europe/Berlin:20261122T100000 RRULE:FREQ=DAILY EXDATE:20261122T090000Z",
  ])
  func `words that name no day are kept and leave the day unknown`(words: String) {
    let dates = AnnotationDates(words)
    #expect(!dates.unread.isEmpty)
    #expect(dates.contains(day("2026-11-22")) == nil)
    #expect(AnnotationDates(items: [words, "2026-11-22"]).contains(day("2026-11-22")) == true)
  }

  @Test(arguments: [
    "daily, except Monday", "daily except Monday", "매일 (월요일 제외)", "毎日 月曜日を除く", "매일, 월요일 휴관",
    "2026-11-01~2026-12-31 월요일 휴관", "not 2026-11-22", "日曜日 休み", "2026-11-22, !soon",
  ])
  func `words that may exclude days leave all days unknown`(words: String) {
    let dates = AnnotationDates(words)
    #expect(dates.contains(day("2026-11-22")) == nil && dates.contains(day("2026-11-23")) == nil)
    #expect(dates.next(onOrAfter: day("2026-11-01")) == nil)
    #expect(AnnotationDates(items: ["2026-11-22", words]).contains(day("2026-11-22")) == nil)
  }

  @Test(arguments: [
    ("every Sunday", [22, 29]), ("매주 일요일", [22, 29]), ("毎週 日曜日", [22, 29]), ("매월 22일", [22]),
    ("Mon and Sun", [22, 23, 29, 30]), ("every day, !2026-11-22~2026-11-29", [21, 30]),
    ("2026-11-20~2026-11-23, ! 2026-11-22", [21, 23]),
    ("dtstart:20261121 rrule:freq=daily;count=4 exdate;value=date:20261122", [21, 23, 24]),
    ("DTSTART:20261121T100000 RDATE:20261123T100000", [21, 23]),
    ("DTSTART:20261121T100000 RDATE:20261123T100000 EXDATE:20261121T100000", [23]),
  ])
  func `words are read together, in any case and with blanks`(words: String, days: [Int]) {
    let dates = AnnotationDates(words)
    #expect(dates.unread.isEmpty, "\(dates.unread)")
    #expect((21...30).filter { dates.contains(day("2026-11-\($0)")) == true } == days)
    #expect(!(21...30).contains { dates.contains(day("2026-11-\($0)")) == nil })
  }

  @Test(arguments: [
    ("2026-11-21, 22", ["2026-11-21", "2026-11-22"]),
    ("2026-11-21, 22日、24", ["2026-11-21", "2026-11-22", "2026-11-24"]),
    ("2026-11-21 and 23", ["2026-11-21", "2026-11-23"]),
    // These stand for every month: the tokens of the deals app, an earlier day, one that is said to.
    ("20261121, 22", ["2026-11-21", "2026-11-22", "2026-12-22"]),
    ("2026-11-23, 21", ["2026-11-21", "2026-11-23", "2026-12-21"]),
    ("2026-11-21, 매월 22일", ["2026-11-21", "2026-11-22", "2026-12-22"]),
    (
      "2026-11-21, 月曜日, 22", ["2026-11-21", "2026-11-22", "2026-11-23", "2026-12-21", "2026-12-22"]
    ),
  ])
  func `a later day of the month behind a day with hyphens is one of its month`(
    words: String, days: [String]
  ) {
    let dates = AnnotationDates(words)
    #expect(dates.unread.isEmpty, "\(dates.unread)")
    let asked = ["2026-11", "2026-12"].flatMap { month in (21...24).map { "\(month)-\($0)" } }
    #expect(asked.filter { dates.contains(day($0)) == true } == days)
  }

  @Test func `times of day leave the days certain`() {
    let dates = AnnotationDates("토요일 10:00~12:00")
    #expect(dates.contains(day("2026-11-21")) == true)
    #expect(dates.unread == ["10:00~12:00"])
  }

  @Test(
    arguments: [
      // With the clocks of Korea, 23:59 on the 13th.
      ("Asia/Seoul", "20261213T145959Z", [true, true, true, false, false]),
      ("Asia/Tokyo", "20261213T095959Z", [true, true, false, false, false]),
      // Clocks may be 12 hours behind UTC to 14 hours ahead.
      ("America/New_York", "20261214T045959Z", [true, true, nil, false, false]),
      ("Europe/London", "20261212T235959Z", [true, nil, false, false, false]),
    ] as [(String, String, [Bool?])])
  func `an end in UTC leaves days undecided unless the zone is known`(
    zone: String, end: String, holds: [Bool?]
  ) {
    let words = "DTSTART;TZID=\(zone):20261201T190000 RRULE:FREQ=DAILY;UNTIL=\(end)"
    let calendar = AnnotationCalendar(dates: AnnotationDates(words))
    let days = (11...15).map { day("2026-12-\($0)") }
    #expect(days.map { calendar.holds(on: $0) } == holds)
    #expect(days.map { calendar.holds(in: .during($0...$0), today: $0) } == holds)
    #expect(calendar.unread.isEmpty != holds.contains(nil))
    #expect(calendar.holds(onOrAfter: days[4]) == false)
    for (date, wanted) in zip(days, holds) where wanted == nil {
      #expect(calendar.holds(onOrAfter: date) == nil)
    }
  }

  @Test func `exceptions in UTC are those of the zone if it is known`() {
    let dates = AnnotationDates(
      "DTSTART;TZID=Asia/Seoul:20261201T190000 RRULE:FREQ=DAILY EXDATE:20261203T100000Z")
    #expect(dates.contains(day("2026-12-03")) == false)
    #expect(dates.contains(day("2026-12-04")) == true)
  }

  @Test func `the tokens of the deals app are read as it meant them`() {
    // Day of month, weekday, and one day: any of them.
    let dates = AnnotationDates(items: ["07", "土曜日", "20261225"])
    let december = (1...31).filter {
      dates.contains(day("2026-12-\($0 < 10 ? "0" : "")\($0)")) == true
    }
    #expect(december == [5, 7, 12, 19, 25, 26])
  }

  @Test func `segments are today, tomorrow, the rest of the month and all`() {
    let today = day("2026-11-30")
    #expect(DateSegment.today.days(today: today) == today...today)
    #expect(DateSegment.tomorrow.days(today: today) == day("2026-12-01")...day("2026-12-01"))
    let last = day("9999-12-31")
    #expect(DateSegment.tomorrow.days(today: last) == last...last)
    #expect(
      DateSegment.thisMonth.days(today: day("2028-02-10")) == day("2028-02-10")...day("2028-02-29"))
    #expect(DateSegment.all.days(today: today) == nil)
    let deal = BasicAnnotation(id: "a", properties: ["dates": "2026-11-10"])
    #expect(deal.holds(in: .thisMonth, today: day("2026-11-09")) == true)
    #expect(deal.holds(in: .thisMonth, today: day("2026-11-11")) == false)
    #expect(deal.holds(in: .all, today: today) == true)
    #expect(BasicAnnotation(id: "b").holds(in: .today, today: today) == true)
  }

  @Test(arguments: UInt64(0)..<20)
  func `the next day is the first that holds`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let words = [
      "31", "29", "月曜日", "FREQ=MONTHLY;BYDAY=5SU", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
      "2027-03-03~2027-03-05", "!2027-03-29~2027-04-03",
    ].shuffled(using: &generator).prefix(2).joined(separator: ",")
    // A rule of iCalendar takes its text for itself.
    let dates = AnnotationDates(
      items: words.contains("FREQ") ? [String(words.split(separator: ",")[0])] : [words])
    var date = try #require(
      CalendarDate(dayNumber: 20_700 + Int.random(in: 0..<900, using: &generator)))
    let next = dates.next(onOrAfter: date)
    for _ in 0..<AnnotationDates.searchedDays {
      if dates.contains(date) == true { break }
      date = try #require(date.adding(days: 1))
    }
    if let next { #expect(next == date, "\(words)") } else { #expect(dates.contains(date) != true) }
  }

  @Test func `a day has a number and a weekday through all its years`() throws {
    var date = try #require(CalendarDate(year: 1999, month: 12, day: 1))
    for number in date.dayNumber..<(date.dayNumber + 1_000) {
      #expect(date.dayNumber == number && CalendarDate(dayNumber: number) == date)
      #expect(date.weekday == (number + 3) % 7)
      date = try #require(date.adding(days: 1))
    }
    #expect(CalendarDate(dayNumber: .max) == nil && CalendarDate(dayNumber: .min) == nil)
    #expect(CalendarDate(year: 9999, month: 12, day: 31)?.adding(days: 1) == nil)
    #expect(CalendarDate(year: 1, month: 1, day: 1)?.adding(days: -1) == nil)
  }

  @Test func `a megabyte is kept as one word that was not read`() {
    let long = String(repeating: "01,", count: 350_000)
    #expect(AnnotationDates(long).rules.isEmpty && AnnotationDates(long).unread.count == 1)
    #expect(SessionTimetable(long).unread.count == 1)
  }
}

@Suite struct SessionTests {
  private static let timetable = SessionTimetable(
    """
    2026-11-22 14:00-16:10,10:30-12:40 어쩔수가없다; 2026-11-22 25:10 심야
    2026-11-24~2026-11-26 19:00 하얼빈 | 2026-12-01T09:30 조조; soon 10:00 X
    """)

  private static func time(_ month: Int, _ day: Int, _ hour: Int, _ minute: Int) -> LocalTime {
    LocalTime(year: 2026, month: month, day: day, hour: hour, minute: minute)
  }

  @Test func `the sessions of a day stand in order, a late show on its business day`() {
    let sessions = Self.timetable.sessions(on: day("2026-11-22"))
    #expect(
      sessions.map(\.description) == [
        "10:30–12:40 어쩔수가없다", "14:00–16:10 어쩔수가없다", "25:10 심야",
      ])
    #expect(sessions[2].start == Self.time(11, 23, 1, 10))
    #expect(Self.timetable.sessions(on: day("2026-11-23")).isEmpty)
    #expect(Self.timetable.sessions(on: day("2026-11-25")).map(\.title) == ["하얼빈"])
    #expect(Self.timetable.unread == ["soon 10:00 X"])
  }

  @Test func `the first business day is the first with a session`() {
    #expect(Self.timetable.firstDay(onOrAfter: day("2026-01-01")) == day("2026-11-22"))
    #expect(Self.timetable.firstDay(onOrAfter: day("2026-11-23")) == day("2026-11-24"))
    #expect(Self.timetable.firstDay(onOrAfter: day("2026-12-02")) == nil)
    #expect(SessionTimetable("").firstDay(onOrAfter: day("2026-01-01")) == nil)
  }

  @Test func `the next session after an instant may be last night's late show`() {
    func next(_ time: LocalTime) -> String? {
      Self.timetable.next(after: time).map { "\($0.day) \($0)" }
    }
    #expect(next(Self.time(11, 1, 0, 0)) == "2026-11-22 10:30–12:40 어쩔수가없다")
    #expect(next(Self.time(11, 22, 10, 30)) == "2026-11-22 14:00–16:10 어쩔수가없다")
    #expect(next(Self.time(11, 23, 0, 30)) == "2026-11-22 25:10 심야")
    #expect(next(Self.time(11, 23, 1, 10)) == "2026-11-24 19:00 하얼빈")
    #expect(next(Self.time(12, 1, 9, 30)) == nil)
  }

  @Test func `objects of GeoJSON are sessions, too`() {
    let value: PropertyValue = .array([
      .object(["start": "2026-11-22T10:30", "end": "2026-11-22T12:40", "title": "A"]),
      .object(["date": "2026-11-22", "times": .array(["14:00", "16:00"]), "name": "B"]),
      .object(["dates": "日曜日", "start": "09:00", "title": "매주"]),
      .string("2026-11-22 20:00 C"), .object(["start": "2026-11-22T10:30:00Z"]),
      .object(["title": "nothing"]), 7,
    ])
    let timetable = SessionTimetable(value)
    #expect(
      timetable.sessions(on: day("2026-11-22")).map(\.description) == [
        "09:00 매주", "10:30–12:40 A", "14:00 B", "16:00 B", "20:00 C",
      ])
    #expect(timetable.unread.count == 3)
  }

  @Test func `something with sessions holds on the days that have one`() {
    let cinema = BasicAnnotation(
      id: "c", properties: ["sessions": "2026-11-22 10:30 A; 2026-11-24 10:00 B"])
    #expect(cinema.holds(on: day("2026-11-22")) == true)
    #expect(cinema.holds(on: day("2026-11-23")) == false)
    #expect(
      BasicAnnotation(id: "d", properties: ["sessions": .null]).holds(on: day("2026-11-22"))
        == false)
    #expect(
      BasicAnnotation(id: "e", properties: ["sessions": "soon"]).holds(on: day("2026-11-22")) == nil
    )
    let closed = BasicAnnotation(
      id: "f",
      validDates: [DateSpan(first: day("2026-11-23"), last: nil)],
      properties: ["sessions": "2026-11-22 10:30 A; 2026-11-24 10:00 B"])
    #expect(closed.holds(on: day("2026-11-22")) == false)
    #expect(closed.calendar.firstDay(onOrAfter: day("2026-11-01")) == day("2026-11-24"))
  }

  @Test(
    arguments: [
      // The days 22, 23 and 30: nil where the text may say so.
      ("2026-11-22", [nil, false, false]), ("2026-11-22 14:60 A", [nil, false, false]),
      ("2026-11-22 14:00pm", [nil, false, false]), ("2026-11-22~2026-11-23", [nil, nil, false]),
      ("2026-11-22; 2026-11-23 10:00 A", [nil, true, false]),
      ("2026-11-22 14:00, 16:00 Multi", [true, false, false]),
      ("2026-11-22 10:30 PM Film", [nil, false, false]),
      ("2026-11-22 10:30 오후 영화", [nil, false, false]),
      ("2026-11-22 10:30 14:00 Film", [nil, false, false]),
      ("2026-11-22T10:30 PM Film", [nil, false, false]),
      ("2026-11-22T10:30-12:40 Film", [nil, false, false]),
      ("2026-11-22T15:00+00:00 Film", [nil, nil, nil]),
      // More days may stand behind the first.
      ("2026-11-22 ~ 2026-11-30 14:00", [nil, nil, nil]), ("2026-11-22 부터", [nil, nil, nil]),
      ("2026-11-22, 2026-11-30 14:00", [nil, nil, nil]),
      ("2026-11-22 14:60 2026-11-30", [nil, nil, nil]),
      ("soon", [nil, nil, nil]),
    ] as [(String, [Bool?])])
  func `a text whose days are read leaves no other days undecided`(text: String, holds: [Bool?]) {
    let annotation = BasicAnnotation(id: "u", properties: ["sessions": .string(text)])
    let days = ["2026-11-22", "2026-11-23", "2026-11-30"].map(day)
    #expect(days.map { annotation.holds(on: $0) } == holds)
    #expect(days.map { annotation.holds(in: .during($0...$0), today: days[0]) } == holds)
    let calendar = annotation.calendar
    #expect((calendar.holds(onOrAfter: days[2]) == nil) == (holds[2] == nil))
    #expect(calendar.holds(onOrAfter: days[0]) == (holds.contains(true) ? true : nil))
  }

  @Test func `times may have blanks behind their commas`() {
    let timetable = SessionTimetable("2026-11-22 14:00-15:00, 16:00,  18:00 Multi  Plex")
    #expect(
      timetable.sessions(on: day("2026-11-22")).map(\.description) == [
        "14:00–15:00 Multi  Plex", "16:00 Multi  Plex", "18:00 Multi  Plex",
      ])
    #expect(timetable.unread.isEmpty)
  }

  @Test(arguments: [
    ("2026-11-22 10:30 - 12:40 Film", "10:30–12:40 Film"),
    ("2026-11-22 10:30 ~ 12:40", "10:30–12:40"), ("2026-11-22 10:30 – Film", "10:30 Film"),
    ("2026-11-22T10:30 - Film", "10:30 Film"), ("2026-11-22T10:30+09:00 Film", "10:30 Film"),
    ("2026-11-22T10:30-05:00", "10:30"), ("2026-11-22T10:30+0545", "10:30"),
  ])
  func `a dash joins two times or sets off a title`(text: String, session: String) {
    let timetable = SessionTimetable(text)
    #expect(timetable.sessions(on: day("2026-11-22")).map(\.description) == [session])
    #expect(timetable.unread.isEmpty)
  }

  @Test func `an object whose times are not read leaves its days undecided`() {
    let object: PropertyValue = .object(["date": "2026-11-22", "start": "afternoon"])
    let annotation = BasicAnnotation(id: "o", properties: ["sessions": object])
    #expect(annotation.holds(on: day("2026-11-22")) == nil)
    #expect(annotation.holds(on: day("2026-11-23")) == false)
  }

  @Test func `the columns of Korean event data are days and sessions`() {
    let event = BasicAnnotation(
      id: "g",
      properties: [
        "행사시작일자": "2025-05-03", "행사종료일자": "2025-05-05", "행사시작시각": "19:30", "행사종료시각": "21:00",
      ])
    #expect(
      event.holds(on: day("2025-05-04")) == true && event.holds(on: day("2025-05-06")) == false)
    #expect(event.calendar.sessions(on: day("2025-05-05")).map(\.description) == ["19:30–21:00"])
    // An end before the start says nothing certain.
    let wrong = BasicAnnotation(
      id: "h", properties: ["축제시작일자": "2023-05-05", "축제종료일자": "2023-05-01"])
    #expect(wrong.holds(on: day("2023-05-05")) == nil)
  }

  @Test(
    arguments: [
      (["end_date": "2026-11-24"], [true, true, false]),
      (["start_date": "2026-11-24"], [false, true, true]),
      (["행사시작일자": "", "행사종료일자": "20261124"], [true, true, false]),
      (["start_date": .null, "end_date": .null], [true, true, true]),
      (["start_date": "1999", "end_date": "2025"], [false, false, false]),
      (["start_date": "2026-11", "end_date": "2026-11"], [true, true, true]),
      (["start_date": "2026-11-24", "start_time": "19:30"], [false, true, false]),
      (["end_date": "2026-11-24", "start_time": "19:30"], [true, true, false]),
      (["start_date": "2026-11-24T19:30"], [false, true, false]),
      (["start_date": "2026-11-24 00:00:00"], [false, true, true]),
      (["start_date": "2026-11-23T22:00", "end_date": "2026-11-24T02:00"], [true, false, false]),
      (["start_date": "2026-11-23T22:00", "end_date": "2026-11-24T22:00"], [true, true, false]),
    ] as [(Properties, [Bool])])
  func `a first day without a last one leaves the end open, and the other way round`(
    properties: Properties, holds: [Bool]
  ) {
    let event = BasicAnnotation(id: "i", properties: properties)
    let days = ["2026-11-23", "2026-11-24", "2026-11-25"].map(day)
    #expect(days.map { event.holds(on: $0) } == holds)
    #expect(days.map { event.holds(in: .during($0...$0), today: days[0]) } == holds)
  }

  @Test(
    arguments: [
      ("2026-11-22T19:00", "", "19:00"), ("2026-11-22 9:05:30", "2026-11-22", "09:05"),
      ("2026-11-22T19:00:00.000+09:00", "2026-11-22T21:00:00+09:00", "19:00–21:00"),
      ("2026.11.22. 22:00", "2026.11.23. 02:00", "22:00–26:00"),
      ("20261122T19:00", "2026-11-23T00:00", "19:00–24:00"),
      ("20261122T190000", "20261122T2130", "19:00–21:30"), ("20261122T190000+0900", "", "19:00"),
      ("2026-11-22T19:00", "2026-11-22T19:00", "19:00"),
      ("2026-11-22 10:00-12:00", "", "10:00–12:00"),
      ("2026-11-22 09:00-18:00", "2026-11-22", "09:00–18:00"),
      // Not a span of hours but an offset.
      ("2026-11-22T10:00-12:00", "", "10:00"), ("2026-11-22 04:00:00-05", "", "04:00"),
      // Neither midnight nor more than a day is a session.
      ("2026-11-22T00:00", "2026-11-22T21:00", nil), ("20261122T000000", "2026-11-22", nil),
      ("2026-11-22 24:00", "2026-11-22", nil), ("2026-11-22T19:00", "2026-11-24T21:00", nil),
      ("2026-11-22T19:00", "2026-11", nil), ("2026-11-22T19:00", "soon", nil),
    ] as [(String, String, String?)])
  func `an event of less than a day with a time in its first day is a session`(
    first: String, last: String, session: String?
  ) {
    let event = BasicAnnotation(
      id: "k", properties: ["start_date": .string(first), "end_date": .string(last)])
    let sessions = event.calendar.sessions(on: day("2026-11-22")).map(\.description)
    #expect(sessions == (session.map { [$0] } ?? []))
    #expect(event.holds(on: day("2026-11-22")) == (last == "soon" ? nil : true))
    #expect(session == nil || event.holds(on: day("2026-11-23")) == false)
  }

  @Test(
    arguments: [
      // In Korea the 6th and 7th.
      (
        ["start_date": "2026-12-05T15:00:00.000Z", "end_date": "2026-12-07T14:59:59.000Z"],
        [nil, true, true, nil, false]
      ),
      (
        ["start_date": "2026-12-06T00:00:00Z", "end_date": "2026-12-07"],
        [false, true, true, false, false]
      ),
      (["start_date": "2026-12-07T01:00:00+00:00"], [false, nil, nil, false, false]),
      (
        ["start_date": "2026-12-06", "end_date": "2026-12-07", "start_time": "9시"],
        [false, nil, nil, false, false]
      ),
      (
        ["start_date": "2026-12-06", "end_date": "2026-12-07", "start_time": "1000"],
        [false, nil, nil, false, false]
      ),
      (["start_date": "2026.12.06", "start_time": "10:00"], [false, true, false, false, false]),
    ] as [(Properties, [Bool?])])
  func `days of events in UTC and times that are not read leave few days undecided`(
    properties: Properties, holds: [Bool?]
  ) {
    let event = BasicAnnotation(id: "j", properties: properties)
    let days = (5...9).map { day("2026-12-0\($0)") }
    #expect(days.map { event.holds(on: $0) } == holds)
    #expect(days.map { event.holds(in: .during($0...$0), today: $0) } == holds)
    #expect(event.calendar.unread.isEmpty != holds.contains(nil))
  }

  @Test(arguments: [
    "2026-02-30 10:00 A", "2026-11-22 24:60 A", "2026-11-22 A", "10:00 A", "2026-11-22 10:00-",
    "2026-11-22 48:00",
  ])
  func `sessions that cannot be are kept as words`(words: String) {
    let timetable = SessionTimetable(words)
    #expect(timetable.isEmpty && timetable.unread == [words])
  }
}
