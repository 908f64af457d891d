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
    ("2026.12.13, 2026.12.27", "2026-12-27", true), ("2026.11.29 ~ 2026.12.02", "2026-11-30", true),
    ("2026-11-29~12-02", "2026-12-02", true), ("2026-11-29~12-02", "2026-12-03", false),
    ("2026/11/29, 2026年12月1日", "2026-12-01", true), ("R8.11.29", "2026-11-29", true),
    ("2026-11-29T00:00:00Z", "2026-11-29", true), ("2026-11-29T19:00", "2026-11-29", true),
    ("2026-12-13 (일)", "2026-12-13", true), ("2026年12月13日（日）", "2026-12-13", true),
    ("2026-12-13(Sun)~2026-12-15 (火)", "2026-12-14", true),
    ("05, 月曜日, 20261203", "2026-12-03", true), ("05 月曜日 20261203 火曜日", "2026-12-01", true),
    ("FREQ=MONTHLY;BYDAY=2SU,4SU", "2026-11-22", true),
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
    "1st and 3rd Sunday", "last Sunday", "11월 22일", "11月 22日", "Sun 22 Nov", "11월 22일 ~ 29일",
    "第2・第4日曜", "2026-11-23 Sunday", "일요일 2026-11-23", "2026-11-01~2026-11-30 매주 일요일",
    "every Sunday 2026-11-01/2026-11-30", "~2026-11-30 토,일", "2026-11-01~2026-11-30 15일",
    "Sunday, in November",
    "일요일, 첫째", "일요일, 방학중", "Nov 22-24, 2026", "土日祝", "평일",
    "2026 11 22", "11월 22일, 29일", "every 22", "2026-11-21 (일)", "2026-11", "2026-11-29~01-02",
    "2026-11-22T15:00:00Z", "2026.11.20~22", "rrule:freq=weekly;interval=2;byday=sa,su",
    "DTSTART:20261122T100000Z RRULE:FREQ=DAILY",
    "DTSTART;TZID=Europe/Berlin:20261122T100000 RRULE:FREQ=DAILY EXDATE:20261122T090000Z",
    "Sunday, November 22, 2026", "Sun, 22 Nov 2026", "11월 22일, 일요일", "일요일, 격주",
    "Sunday, until 2026-12-10",
    "日曜日、12月末まで",
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
    ("Mon and Sun", [22, 23, 29, 30]), ("2026-11-22 Sunday", [22]), ("日曜日 2026年11月22日", [22]),
    ("2026-11-22, Sunday, 2026-11-24", [22, 24]), ("Sunday, 2026-11-22", [22]),
    ("2026-11-22, every Sunday", [22, 29]),
    ("2026-11-21~2026-11-22, Sunday", [21, 22, 29]), ("2026년 11월 22일", [22]),
    ("2026년 11월 22일 ~ 2026년 11월 24일", [22, 23, 24]), ("2026년 11월 22일~24일", [22, 23, 24]),
    ("2026年11月22日〜11月24日", [22, 23, 24]), ("2026-11-22 to 2026-11-24", [22, 23, 24]),
    ("2026-11-22 - 2026-11-24", [22, 23, 24]), ("2026/11/22-2026/11/24", [22, 23, 24]),
    ("20261122-20261124", [22, 23, 24]), ("토~월", [21, 22, 23, 28, 29, 30]),
    ("Sat-Mon", [21, 22, 23, 28, 29, 30]), ("Saturday to Monday", [21, 22, 23, 28, 29, 30]),
    ("토·일", [21, 22, 28, 29]), ("月・日", [22, 23, 29, 30]), ("weekends", [21, 22, 28, 29]),
    ("주말", [21, 22, 28, 29]), ("Sundays", [22, 29]), ("毎週日曜", [22, 29]), ("매주토요일", [21, 28]),
    ("every day, !2026-11-22~2026-11-29", [21, 30]),
    ("2026-11-20~2026-11-23, ! 2026-11-22", [21, 23]),
    ("dtstart:20261121 rrule:freq=daily;count=4 exdate;value=date:20261122", [21, 23, 24]),
    ("DTSTART:20261121T100000 RDATE:20261123T100000", [21, 23]),
    ("DTSTART;VALUE=DATE:20261129 DTEND;VALUE=DATE:20261201", [29, 30]),
    (
      "DTSTART;TZID=Korea Standard Time:20261121T100000 RRULE:FREQ=WEEKLY EXDATE:20261128T010000Z",
      [21]
    ),
    ("DTSTART;VALUE=DATE:20261121 RRULE:FREQ=DAILY;UNTIL=20261123T000000Z", [21, 22, 23]),
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
    ("2026.11.21, 22", ["2026-11-21", "2026-11-22"]),
    ("2026-11-21~11-22, 24", ["2026-11-21", "2026-11-22", "2026-11-24"]),
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

  @Test func `words that only add days leave the others certain`() {
    let dates = AnnotationDates("토, 일, 공휴일")
    #expect((20...23).map { dates.contains(day("2026-11-\($0)")) } == [nil, true, true, nil])
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
