import BusinessHours
import MapAnnotations
import Testing

private func day(_ text: String) -> CalendarDate {
  CalendarDate(text)!
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
      ("2026-11-22T10:30 14:00 Film", [nil, false, false]),
      ("2026.11.22(일) 14:00 Film", [true, false, false]),
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
    // Neither does a day with the weekday of another, nor one whose month nobody can tell from its day.
    for text in ["2026-11-24 (월)", "2026-11-24 (화", "2026-11 (화)", "11/24/2026", "5/6/2026"] {
      let event = BasicAnnotation(id: "w", properties: ["start_date": .string(text)])
      #expect(event.holds(on: day("2026-11-24")) == nil, "\(text)")
    }
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
      (["시작일": "2026.11.24(화)", "종료일": "2026-11-24 (화)"], [false, true, false]),
      (["開始日": "2026年11月24日（火）"], [false, true, true]),
      (["利用開始日": "令和８年１１月２４日", "利用終了日": "Ｒ８．１１．２４"], [false, true, false]),
      (["有効期限": "令和 8年 11月 24日まで"], [true, true, false]),
      (["掲載終了日": "令8.11.24"], [true, true, false]),
      (["終了日": "令和8年10月"], [false, false, false]),
      (["유효기간": "2026-11-24 까지"], [true, true, false]),
      (["expires": "2026-11-24"], [true, true, false]),
      (["start_date": "２０２６－１１－２４", "valid_to": "2026.11.24"], [false, true, false]),
      (["start_date": "20261124 (Tue)"], [false, true, true]),
      (["start_date": "2026-11-24 (화) 19:30"], [false, true, false]),
      (["start_date": "2026-11-24(火)19:30"], [false, true, false]),
      (["start_date": "2026-11-24 19:30 (화)"], [false, true, false]),
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
      ("FREQ=WEEKLY", "2026-11-24", "2026-11-24", [false, true, false, true]),
      ("FREQ=WEEKLY;BYDAY=TU", "2026-11-24T10:00", "2026-11-24T12:00", [false, true, false, true]),
      (
        "DTSTART:20261124T100000 RRULE:FREQ=WEEKLY", "2026-11-24", "2026-11-24",
        [false, true, false, true]
      ),
      (
        "DTSTART:20261124T100000 RRULE:FREQ=WEEKLY", "2026-11-24T10:00:00Z",
        "2026-11-24T11:00:00Z", [false, nil, false, true]
      ),
      // An end on a later day is a limit, and so is a day inside a rule that began before.
      ("FREQ=WEEKLY", "2026-11-24", "2026-11-30", [false, true, false, false]),
      (
        "DTSTART:20261117 RRULE:FREQ=WEEKLY", "2026-11-24", "2026-11-24",
        [false, true, false, false]
      ),
      ("FREQ=WEEKLY;BYDAY=MO,TU", "2026-11", "2026-11", [true, true, false, false]),
      ("火曜日", "2026-11-24", "2026-11-24", [false, true, false, false]),
      ("FREQ=WEEKLY;BYDAY=XX", "2026-11-24", "2026-11-24", [false, nil, nil, nil]),
      ("FREQ=WEEKLY", "2026-11-24", "2026-11-23", [false, nil, false, nil]),
    ] as [(String, String, String, [Bool?])])
  func `a first and a last day limit a rule, unless both are the day on which it begins`(
    rule: String, first: String, last: String, holds: [Bool?]
  ) {
    let event = BasicAnnotation(
      id: "r",
      properties: [
        "rrule": .string(rule), "start_date": .string(first), "end_date": .string(last),
      ])
    let days = ["2026-11-23", "2026-11-24", "2026-11-25", "2026-12-01"].map(day)
    #expect(days.map { event.holds(on: $0) } == holds)
    #expect(days.map { event.holds(in: .during($0...$0), today: $0) } == holds)
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

  @Test(
    arguments: [
      (["dates": "Mon"], [16, 23, 30]), (["dates": .array(["Mon"])], [16, 23, 30]),
      (["rrule": "FREQ=WEEKLY;BYDAY=MO"], [16, 23, 30]),
      // The first day is the start of a rule without one.
      (["rrule": "FREQ=WEEKLY;INTERVAL=2"], [10, 24]),
      (["rrule": "FREQ=WEEKLY;COUNT=2"], [10, 17]),
      (["sessions": "월요일 10:00 A"], [16, 23, 30]), (["dates": "2026-12-07"], []),
    ] as [(Properties, [Int])])
  func `a first and a last day limit other days and sessions`(named: Properties, days: [Int]) {
    var properties = named
    properties.append("start_date", "2026-11-10")
    properties.append("end_date", "2026-11-30")
    let deal = BasicAnnotation(id: "l", properties: properties)
    let asked = day("2026-11-01")...day("2026-12-31")
    #expect(deal.calendar.days(in: asked).map(\.day) == days)
    #expect(deal.calendar.unread.isEmpty)
    #expect(deal.holds(in: .during(asked), today: day("2026-11-01")) == !days.isEmpty)
    #expect(deal.calendar.holds(onOrAfter: day("2026-12-01")) == false)
    #expect(deal.calendar.firstDay(onOrAfter: day("2026-11-01"))?.day == days.first)
    let never = BasicAnnotation(
      id: "n", validDates: [DateSpan(first: day("2026-12-01"), last: nil)], properties: properties)
    #expect(never.calendar.days(in: asked).isEmpty && never.holds(on: day("2026-11-16")) == false)
  }

  @Test func `a last day that cannot be read leaves named days undecided`() {
    let deal = BasicAnnotation(
      id: "u", properties: ["dates": "Mon", "start_date": "2026-11-10", "end_date": "sold out"])
    let days = ["2026-11-09", "2026-11-16", "2026-11-17"].map(day)
    #expect(days.map { deal.holds(on: $0) } == [false, nil, false])
  }

  @Test(arguments: [
    ("START_DATE", "END_DATE"), ("startDate", "endDate"), (" start_date", "End Date"),
    ("開始日", "終了日"), ("시작일자", "종료일자"), ("축제시작일", "축제종료일"), ("Start-Date", "eventEndDate"),
  ])
  func `names of columns are read in any case and with any signs`(first: String, last: String) {
    let text = Properties([
      Properties.Entry(name: first, value: "2026-11-29"),
      Properties.Entry(name: last, value: "2026-11-30"),
    ])
    let event = BasicAnnotation(id: "c", properties: text)
    let held = ["2026-11-28", "2026-11-29", "2026-11-30", "2026-12-24"].map {
      event.holds(on: day($0))
    }
    #expect(held == [false, true, true, false])
    #expect(AnnotationCalendar.isColumn(first) && AnnotationCalendar.isColumn(last))
    #expect(!AnnotationCalendar.isColumn("date"))
  }

  @Test(arguments: [
    ("16:00", "15:30", "16:00"), ("19:30", "15:00", "19:30"), ("22:00", "10:00", "22:00–34:00"),
    ("18:00", "02:00", "18:00–26:00"), ("00:00", "00:00", nil), ("0:00", "09:00", "00:00–09:00"),
  ])
  func `an end before the start is on the next day if that is near`(
    start: String, end: String, session: String?
  ) {
    let show = BasicAnnotation(
      id: "s",
      properties: [
        "행사시작일자": "2023-12-23", "행사종료일자": "2023-12-24", "행사시작시각": .string(start),
        "행사종료시각": .string(end),
      ])
    let held = day("2023-12-24")
    #expect(show.holds(on: held) == true && show.holds(on: day("2023-12-25")) == false)
    #expect(show.calendar.sessions(on: held).map(\.description) == (session.map { [$0] } ?? []))
    #expect((show.calendar.timetable == nil) == (session == nil))
    #expect(show.calendar.unread.isEmpty)
  }

  @Test func `a calendar's start and end over midnight are one event`() {
    func event(_ start: String, _ from: String, _ end: String, _ to: String) -> BasicAnnotation {
      BasicAnnotation(
        id: "s",
        properties: [
          "start_date": .string(start), "start_time": .string(from), "end_date": .string(end),
          "end_time": .string(to),
        ])
    }
    let days = ["2026-12-30", "2026-12-31", "2027-01-01", "2027-01-02"].map(day)
    let night = event("2026-12-31", "22:00", "2027-01-01", "02:00")
    #expect(days.map { night.holds(on: $0) } == [false, true, false, false])
    #expect(night.calendar.sessions(on: days[1]).map(\.description) == ["22:00–26:00"])
    let camp = event("2026-12-30", "18:00", "2027-01-01", "12:00")
    #expect(days.map { camp.holds(on: $0) } == [true, true, true, false])
    #expect(camp.calendar.timetable == nil && camp.calendar.unread.isEmpty)
    let expo = event("2026-12-30", "10:00", "2027-01-01", "18:00")
    #expect(days.map { expo.calendar.sessions(on: $0).count } == [1, 1, 1, 0])
  }

  @Test func `a remark on an event that names days confines it to them`() {
    for (remark, holds) in [
      ("毎週火曜日", [true, false]), ("荒天中止", [true, true]), ("第2・第4火曜日など", [nil, nil]),
    ] {
      let course = BasicAnnotation(
        id: "s",
        properties: [
          "開始日": "2026-12-08", "終了日": "2026-12-22", "開始時間": "10:00", "開始日時特記事項": .string(remark),
        ])
      #expect(["2026-12-08", "2026-12-09"].map { course.holds(on: day($0)) } == holds, "\(remark)")
    }
  }

  @Test func `empty sessions beside dates are those of a table of both`() {
    let days = ["2026-11-29", "2026-11-30"].map(day)
    for empty in [PropertyValue.null, "", .array([])] {
      let deal = BasicAnnotation(id: "e", properties: ["sessions": empty, "dates": "2026-11-29"])
      #expect(days.map { deal.holds(on: $0) } == [true, false])
      let cinema = BasicAnnotation(id: "f", properties: ["sessions": empty, "dates": ""])
      #expect(days.map { cinema.holds(on: $0) } == [false, false])
    }
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
