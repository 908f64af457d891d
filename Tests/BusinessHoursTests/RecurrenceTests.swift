import BusinessHours
import Foundation
import NearbyTestSupport
import Testing

/// A row of `../shared/conformance/rrule`.
private struct RecurrenceRow: Decodable {
  var name: String?
  var opening_hours: String?
  var year: Int?
  var dates: [String]?
  var dtstart: String?
  var rrule: String
  var expected: [String]?
  var complete: Bool?
  var dateutil_agrees: Bool?

  static func all(_ name: String) throws -> [RecurrenceRow] {
    try SharedFiles.values("conformance/rrule/\(name).jsonl")
  }
}

/// A reading as iCalendar writes it, `Z` or not.
func reading(_ text: String) -> LocalTime {
  let digits = text.filter(\.isNumber)
  func number(_ from: Int, _ length: Int) -> Int {
    Int(digits.dropFirst(from).prefix(length)) ?? 0
  }
  return LocalTime(
    year: number(0, 4), month: number(4, 2), day: number(6, 2), hour: number(8, 2),
    minute: number(10, 2), second: number(12, 2))
}

@Suite struct RecurrenceTests {
  @Test func `months before the year 0 are months like others`() throws {
    // 12 December of the year −1.
    let start = LocalTime(
      day: LocalTime(year: 0, month: 1, day: 1).day - 20, secondOfDay: 10 * 3600)
    let times = try RecurrenceRule("FREQ=MONTHLY;COUNT=3").occurrences(startingAt: start)
    #expect(
      times.map { [$0.date.year, $0.date.month, $0.date.day, $0.clock.hour] } == [
        [-1, 12, 12, 10], [0, 1, 12, 10], [0, 2, 12, 10],
      ])
  }

  @Test(.enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)))
  func `every row on which the libraries agree is expanded as they expand it`() throws {
    var (rows, left) = (0, 0)
    for row in try RecurrenceRow.all("rules") {
      guard row.dateutil_agrees != false else {
        left += 1
        continue
      }
      rows += 1
      let expected = try #require(row.expected).map(reading)
      let rule = try RecurrenceRule(row.rrule)
      let start = reading(try #require(row.dtstart))
      let found = Array(
        rule.occurrences(startingAt: start).prefix(expected.count + (row.complete == true ? 1 : 0)))
      #expect(found == expected, "\(row.rrule) from \(row.dtstart ?? "")")
      #expect(try RecurrenceRule(rule.description) == rule, "\(row.rrule)")
    }
    print("rrule: \(rows) rows, \(left) on which the libraries differ left out")
    #expect(rows == 162 && left == 10)
  }

  @Test(.enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)))
  func `nth weekdays close on the same dates in three languages`() throws {
    let rows = try RecurrenceRow.all("nth_weekday_years")
    #expect(rows.count == 6)
    for row in rows {
      let year = try #require(row.year)
      let dates = try #require(row.dates).map { reading($0).day }
      let start = LocalTime(year: year, month: 1, day: 1)
      let end = LocalTime(year: year + 1, month: 1, day: 1)
      let closing = Recurrence(start: start, rules: [try RecurrenceRule(row.rrule)])
      #expect(closing.occurrences(from: start, before: end).map(\.day) == dates)
      let hours = try OpeningHours("24/7; \(try #require(row.opening_hours))")
      let weekday = try #require(row.name).contains("Monday") ? "월요일" : "일요일"
      let written = WrittenHours("24시간", closingDays: "매월 둘째·넷째 \(weekday)").hours
      for value in [hours, written] {
        let closed = (start.day..<end.day).filter {
          value.state(at: LocalTime.noon(of: $0)) == .closed
        }
        #expect(closed == dates, "\(value)")
      }
    }
  }

  /// A rule of days, judged day by day over some years.
  private static func bruteForce(
    _ rule: RecurrenceRule, from start: LocalTime, years: Int
  ) -> [Int] {
    let calendar = LocalTime(year: start.date.year + years, month: 1, day: 1)
    var found: [Int] = []
    for day in start.day..<calendar.day {
      let (year, month, date) = LocalTime(day: day, secondOfDay: 0).date
      // Day 32 is in the month behind it.
      let daysInMonth = 32 - LocalTime(year: year, month: month, day: 32).date.day
      let weekday = ((day + 3) % 7 + 7) % 7
      let (firstYear, firstMonth, _) = start.date
      switch rule.frequency {
      case .daily: guard (day - start.day) % rule.interval == 0 else { continue }
      case .weekly:
        func week(_ day: Int) -> Int {
          let shifted = day + 3 - rule.weekStart
          return (shifted - ((shifted % 7) + 7) % 7) / 7
        }
        guard (week(day) - week(start.day)) % rule.interval == 0 else { continue }
      case .monthly:
        guard ((year - firstYear) * 12 + month - firstMonth) % rule.interval == 0 else { continue }
      default: guard (year - firstYear) % rule.interval == 0 else { continue }
      }
      if !rule.months.isEmpty, !rule.months.contains(month) { continue }
      if !rule.monthDays.isEmpty,
        !rule.monthDays.contains(date), !rule.monthDays.contains(date - daysInMonth - 1)
      {
        continue
      }
      if !rule.weekdays.isEmpty {
        let fits = rule.weekdays.contains { wanted in
          guard wanted.weekday == weekday else { return false }
          guard let nth = wanted.nth else { return true }
          // Counted one by one.
          let ofMonth = rule.frequency == .monthly || !rule.months.isEmpty
          let all = stride(from: day - 364, through: day + 364, by: 7).filter { other in
            let (otherYear, otherMonth, _) = LocalTime(day: other, secondOfDay: 0).date
            return otherYear == year && (!ofMonth || otherMonth == month)
          }
          let place = nth > 0 ? nth - 1 : all.count + nth
          return all.indices.contains(place) && all[place] == day
        }
        guard fits else { continue }
      }
      found.append(day)
    }
    return found
  }

  @Test(arguments: UInt64(0)..<40)
  func `rules of days agree with a day by day judge`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func some(_ range: ClosedRange<Int>, signed: Bool) -> String {
      (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        let number = Int.random(in: range, using: &generator)
        return String(signed && Bool.random(using: &generator) ? -number : number)
      }.joined(separator: ",")
    }
    let frequency = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"].randomElement(using: &generator)!
    let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
    var text = "FREQ=\(frequency);INTERVAL=\(Int.random(in: 1...4, using: &generator))"
    let isNumbered = frequency == "MONTHLY" || frequency == "YEARLY"
    if Bool.random(using: &generator) {
      let days = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        let number = Int.random(in: 1...5, using: &generator)
        let prefix =
          isNumbered && Bool.random(using: &generator)
          ? (Bool.random(using: &generator) ? "-\(number)" : "\(number)") : ""
        return prefix + names.randomElement(using: &generator)!
      }
      text += ";BYDAY=" + days.joined(separator: ",")
    } else {
      text += ";BYMONTHDAY=" + some(1...31, signed: true)
    }
    if Bool.random(using: &generator) { text += ";BYMONTH=" + some(1...12, signed: false) }
    if Bool.random(using: &generator) { text += ";WKST=" + names.randomElement(using: &generator)! }
    let rule = try RecurrenceRule(text)
    let start = LocalTime(
      year: 2000 + Int.random(in: 0...30, using: &generator),
      month: Int.random(in: 1...12, using: &generator),
      day: Int.random(in: 1...28, using: &generator), hour: 9)
    let judged = Self.bruteForce(rule, from: start, years: 3)
    let end = LocalTime(year: start.date.year + 3, month: 1, day: 1)
    let recurrence = Recurrence(start: start, rules: [rule])
    let found = recurrence.occurrences(from: start, before: end).map(\.day)
    #expect(found == judged, "\(text) from \(start.date)")
    // What is skipped is what would have been walked through.
    let middle = LocalTime(day: (start.day + end.day) / 2, secondOfDay: 0)
    let late = recurrence.occurrences(from: middle, before: end).map(\.day)
    #expect(late == judged.filter { $0 >= middle.day }, "\(text) from \(middle.date)")
  }

  @Test(arguments: [
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;BYMONTH=4;BYMONTHDAY=31",
    "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MINUTELY;BYSECOND=60",
    "FREQ=HOURLY;INTERVAL=24;BYHOUR=3", "FREQ=SECONDLY;INTERVAL=86400;BYMINUTE=1",
    "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2", "FREQ=MONTHLY;BYDAY=5SU;BYMONTHDAY=1",
  ])
  func `a rule that never occurs ends`(text: String) throws {
    let rule = try RecurrenceRule(text)
    let start = LocalTime(year: 2026, month: 1, day: 1, hour: 9)
    #expect(Array(rule.occurrences(startingAt: start).prefix(1)).isEmpty, "\(text)")
  }

  @Test(arguments: [
    "", "FREQ=", "FREQ=SOMETIMES", "BYDAY=MO", "FREQ=DAILY;COUNT=0", "FREQ=DAILY;INTERVAL=0",
    "FREQ=DAILY;COUNT=3;UNTIL=20261231", "FREQ=DAILY;UNTIL=20260230", "FREQ=MONTHLY;BYDAY=0MO",
    "FREQ=WEEKLY;BYDAY=2MO", "FREQ=DAILY;BYHOUR=24", "FREQ=YEARLY;BYMONTH=13",
    "FREQ=DAILY;FREQ=DAILY", "FREQ=DAILY;BYMONTHDAY=", "FREQ=DAILY;BYMONTHDAY=1,,2",
    "FREQ=DAILY;OWN=1", "FREQ=DAILY;SKIP=FORWARD", "FREQ=DAILY;COUNT=99999999999999999999",
    "FREQ=DAILY;BYSETPOS=0",
    "FREQ=DAILY;WKST=XX",
  ])
  func `what RFC 5545 does not allow is refused with a remedy`(text: String) {
    let error = #expect(throws: RecurrenceError.self) { try RecurrenceRule(text) }
    #expect(error?.description.contains("; ") == true && error?.code == "recurrence-syntax")
  }

  @Test func `parts and lines that change nothing are passed over`() throws {
    let rule = try RecurrenceRule("RSCALE=GREGORIAN;FREQ=WEEKLY;SKIP=OMIT;X-OWN=1;BYDAY=MO")
    #expect(rule.description == "FREQ=WEEKLY;BYDAY=MO")
    let recurrence = try Recurrence(
      """
      DTSTART;TZID="(UTC-05:00) Eastern Time":20261103T090000
      DTEND;TZID="(UTC-05:00) Eastern Time":20261103T113000
      X-MICROSOFT-CDO-BUSYSTATUS:BUSY
      RRULE:FREQ=WEEKLY
      """)
    #expect(recurrence.start == reading("20261103T090000") && recurrence.days == 1)
    #expect(recurrence.rules.map(\.description) == ["FREQ=WEEKLY"])
  }

  @Test(arguments: [
    ("DTSTART;VALUE=DATE:20261129\nDTEND;VALUE=DATE:20261202", [29, 30, 31]),
    ("DTSTART;VALUE=DATE:20261129\nDTEND;VALUE=DATE:20261130", [29]),
    ("DTSTART;VALUE=DATE:20261129\nDURATION:P2D", [29, 30]),
    ("DTSTART:20261129T180000\nDTEND:20261201T090000", [29, 30, 31]),
    // A night is one of its first day.
    ("DTSTART:20261129T180000\nDTEND:20261130T180000", [29]),
    ("DTSTART:20261129T180000\nDURATION:PT8H30M", [29]),
    ("DTSTART:20261129T180000\nDURATION:P1DT12H", [29, 30, 31]),
    ("DTSTART;VALUE=DATE:20261128\nDURATION:P2D\nRRULE:FREQ=DAILY;INTERVAL=3", [28, 29, 31, 32]),
  ])
  func `an occurrence of several days covers each of them`(text: String, days: [Int]) throws {
    let recurrence = try Recurrence(text)
    let first = LocalTime(year: 2026, month: 11, day: 1).day - 1
    #expect((26...32).filter { recurrence.occurs(on: first + $0) } == days)
    #expect(recurrence.firstDay(from: first + 1, before: first + 99) == first + days[0])
    let last = first + (days.last ?? 0)
    #expect(recurrence.firstDay(from: last, before: last + 1) == last)
  }

  @Test(arguments: ["", "2H", "P", "PT", "P2H", "PT2", "P1Y", "-PT2H", "P9999999999D"])
  func `a duration that cannot be read is refused with a remedy`(duration: String) {
    let error = #expect(throws: RecurrenceError.self) {
      try Recurrence("DTSTART:20261129T180000\nDURATION:\(duration)")
    }
    #expect(error?.description.hasSuffix("write a length such as PT2H or P3D") == true)
  }

  @Test func `an occurrence of more than a year is refused with the limit`() {
    let error = #expect(throws: RecurrenceError.self) {
      try Recurrence("DTSTART:20261129T180000\nDURATION:P9999W")
    }
    #expect(
      error?.description.hasSuffix("write an end at most \(Recurrence.maximumDays) days later")
        == true)
  }

  @Test(arguments: [
    "DTSTART:20261129T100000\nDTEND:20261128T100000",
    "DTSTART:20261129T100000\nDTEND:20261129T090000\nRRULE:FREQ=DAILY",
    "DTSTART;VALUE=DATE:20261202\nDTEND;VALUE=DATE:20261129",
  ])
  func `an end before the start is refused with a remedy`(text: String) {
    let error = #expect(throws: RecurrenceError.self) { try Recurrence(text) }
    #expect(error?.description.hasSuffix("write a time that is not before DTSTART") == true)
  }

  @Test(arguments: ["DTEND;VALUE=DATE:20261129", "DTEND:20261129T100000"])
  func `an end on the day or at the time of the start is none before it`(end: String) throws {
    #expect(try Recurrence("DTSTART:20261129T100000\n\(end)").days == 1)
  }

  @Test func `midnight in UTC ends a rule of whole days with that day`() throws {
    let rule = "RRULE:FREQ=DAILY;UNTIL=20261202T000000Z"
    let days = try Recurrence("DTSTART;VALUE=DATE:20261201\n\(rule)")
    #expect(days.rules.map(\.description) == ["FREQ=DAILY;UNTIL=20261202T235959"])
    let times = try Recurrence("DTSTART:20261201T100000\n\(rule)")
    #expect(times.rules.map(\.description) == ["FREQ=DAILY;UNTIL=20261202T000000Z"])
  }

  @Test func `a megabyte is refused unread`() {
    let long = "FREQ=DAILY;BYMONTHDAY=" + String(repeating: "1,", count: 500_000) + "1"
    #expect(throws: RecurrenceError.self) { try RecurrenceRule(long) }
    #expect(throws: RecurrenceError.self) { try Recurrence(long) }
  }

  @Test func `exceptions take single occurrences and whole days away, additions add`() throws {
    let recurrence = try Recurrence(
      """
      DTSTART;TZID=Asia/Seoul:20260103T090000
      RRULE:FREQ=WEEKLY;BYDAY=SA;UNTIL=20260131T235959Z
      EXDATE:20260110T090000
      EXDATE;VALUE=DATE:20260124
      RDATE:20260112T140000,20260117T090000
      """)
    let month = recurrence.occurrences(
      from: LocalTime(year: 2026, month: 1, day: 1), before: LocalTime(year: 2026, month: 3, day: 1)
    )
    #expect(month.map { $0.date.day } == [3, 12, 17, 31])
    #expect(recurrence.occurs(on: LocalTime(year: 2026, month: 1, day: 12).day))
    #expect(!recurrence.occurs(on: LocalTime(year: 2026, month: 1, day: 10).day))
    #expect(throws: RecurrenceError.self) { try Recurrence("EXDATE:20260230") }
    #expect(throws: RecurrenceError.self) { try Recurrence("RRULE:FREQ=DAILY") }
  }

  @Test func `without a rule the start is an occurrence like the additions`() throws {
    let days = try ["", "\nEXDATE:20261205T100000", "\nEXDATE:20261201T100000"].map { exception in
      try Recurrence("DTSTART:20261201T100000\nRDATE:20261205T100000" + exception)
        .occurrences(
          from: LocalTime(year: 2026, month: 1, day: 1),
          before: LocalTime(year: 2027, month: 1, day: 1)
        ).map { $0.date.day }
    }
    #expect(days == [[1, 5], [1], [5]])
  }

  @Test func `times in UTC are converted in Korea and Japan, and refused elsewhere`() throws {
    func days(_ zone: String) throws -> [Int] {
      try Recurrence(
        """
        DTSTART;TZID=\(zone):20261201T190000
        RRULE:FREQ=DAILY;UNTIL=20261205T145959Z
        EXDATE:20261203T100000Z
        RDATE:20261207T150000Z
        """
      ).occurrences(
        from: LocalTime(year: 2026, month: 12, day: 1),
        before: LocalTime(year: 2027, month: 1, day: 1)
      ).map { $0.date.day }
    }
    #expect(try days("Asia/Seoul") == [1, 2, 4, 5, 8])
    #expect(try days("\"Asia/Tokyo\"") == [1, 2, 4, 5, 8])
    #expect(throws: RecurrenceError.self) { try days("America/New_York") }
    #expect(throws: RecurrenceError.self) {
      try Recurrence("DTSTART:20261201T160000Z\nRRULE:FREQ=DAILY")
    }
    let rule = try RecurrenceRule("FREQ=DAILY;UNTIL=20261205T145959Z")
    #expect(rule.description == "FREQ=DAILY;UNTIL=20261205T145959Z")
  }
}
