import NearbyTestSupport
import Testing

@testable import BusinessHours

private let everyMinute = (0..<60).map { "\($0)" }.joined(separator: ",")
private let everyHour = (0..<24).map { "\($0)" }.joined(separator: ",")

/// Rules whose text is short and whose occurrences are many.
@Suite struct RecurrenceLimitTests {
  private static let start = LocalTime(year: 2020, month: 1, day: 1)
  private static let today = LocalTime(year: 2026, month: 11, day: 22).day

  @Test(arguments: [
    "FREQ=SECONDLY;COUNT=1000000000", "FREQ=DAILY;COUNT=1000000000",
    "FREQ=YEARLY;COUNT=1000000;BYHOUR=\(everyHour);BYMINUTE=\(everyMinute);BYSECOND=\(everyMinute);BYDAY=MO,TU",
    "FREQ=HOURLY;COUNT=60000", "FREQ=MONTHLY;INTERVAL=3;COUNT=999999;BYMONTHDAY=-1",
  ])
  func `a count that is too far away is an error that says the limit`(rule: String) {
    let error = #expect(throws: RecurrenceError.self) {
      try Recurrence("DTSTART:20200101T000000\nRRULE:\(rule)")
    }
    #expect(error?.code == "recurrence-limit")
    #expect(error?.description.contains("\(Recurrence.maximumSteps)") == true)
  }

  @Test func `a count of seconds that are seldom takes few steps`() throws {
    let minutes = try Recurrence(
      "DTSTART:20260101T000000\nRRULE:FREQ=SECONDLY;BYSECOND=0;COUNT=5000")
    let start = LocalTime(year: 2026, month: 1, day: 1)
    let all = minutes.occurrences(from: start, before: LocalTime(year: 2026, month: 2, day: 1))
    #expect(all.map(\.seconds) == (0..<Int64(5_000)).map { start.seconds + 60 * $0 })
  }

  @Test func `a rule that never occurs may have a count`() throws {
    let recurrence = try Recurrence(
      """
      DTSTART:20260101T090000
      RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=3
      RDATE:20260105T090000
      """)
    let start = LocalTime(year: 2026, month: 1, day: 1).day
    #expect(recurrence.firstDay(from: start, before: start + 3_653) == start + 4)
    #expect(recurrence.firstDay(from: start + 5, before: start + 3_653) == nil)
  }

  @Test func `a recurrence has sixteen rules at most, and their counts one limit`() throws {
    let rule = "RRULE:FREQ=DAILY;COUNT=2000\n"
    let text = "DTSTART:20200101\n"
    _ = try Recurrence(text + String(repeating: rule, count: 12))
    for bad in [
      String(repeating: "RRULE:FREQ=DAILY\n", count: 17),
      String(repeating: "RRULE:FREQ=DAILY;COUNT=4000\n", count: 16),
    ] {
      let error = #expect(throws: RecurrenceError.self) { try Recurrence(text + bad) }
      #expect(error?.code == "recurrence-limit")
    }
  }

  // Looked at are days and occurrences, so that the bound is a number and no time.
  @Test(arguments: [
    "FREQ=SECONDLY", "FREQ=SECONDLY;INTERVAL=2;BYSECOND=1", "FREQ=SECONDLY;INTERVAL=1000000",
    "FREQ=HOURLY;INTERVAL=1000000", "FREQ=YEARLY;INTERVAL=1000000",
    "FREQ=DAILY;UNTIL=99991231T235959", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=YEARLY;BYHOUR=\(everyHour);BYMINUTE=\(everyMinute);BYSECOND=\(everyMinute);BYDAY=MO,TU,WE,TH,FR,SA,SU",
    "FREQ=YEARLY;BYHOUR=\(everyHour);BYMINUTE=\(everyMinute);BYSECOND=\(everyMinute);BYDAY=SU;BYSETPOS=1,-1,366",
    "FREQ=MINUTELY;BYSECOND=\(everyMinute);BYSETPOS=-1",
    "FREQ=WEEKLY;BYMINUTE=\(everyMinute);BYSETPOS=9",
  ])
  func `a day is answered in a year of steps`(text: String) throws {
    let rule = try RecurrenceRule(text)
    var all = RecurrenceOccurrences(
      rule, startingAt: Self.start, from: LocalTime(day: Self.today, secondOfDay: 0),
      before: LocalTime(day: Self.today + 1, secondOfDay: 0))
    var count = 0
    while count < 5, all.next() != nil { count += 1 }
    #expect(all.steps <= 366 + 10, "\(text): \(all.steps)")
  }

  /// Second by second, whether a rule of hours, minutes or seconds occurs.
  private static func occurs(_ rule: RecurrenceRule, _ second: Int64, _ start: LocalTime) -> Bool {
    let time = LocalTime(seconds: start.seconds + second)
    let unit: Int64 = rule.frequency == .hourly ? 3600 : rule.frequency == .minutely ? 60 : 1
    guard (time.seconds / unit - start.seconds / unit) % Int64(rule.interval) == 0 else {
      return false
    }
    func fits(_ list: [Int], _ value: Int, otherwise own: Int?) -> Bool {
      list.isEmpty ? own == nil || own == value : list.contains(value)
    }
    return fits(rule.hours, time.clock.hour, otherwise: nil)
      && fits(rule.minutes, time.clock.minute, otherwise: unit < 3600 ? nil : start.clock.minute)
      && fits(rule.seconds, time.clock.second, otherwise: unit < 60 ? nil : start.clock.second)
  }

  @Test(arguments: UInt64(0)..<20)
  func `rules of hours, minutes and seconds agree with a second by second judge`(seed: UInt64)
    throws
  {
    var generator = SeededGenerator(seed: seed)
    func list(_ name: String, _ range: Range<Int>) -> String {
      guard Bool.random(using: &generator) else { return "" }
      let numbers = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        String(Int.random(in: range, using: &generator))
      }
      return ";\(name)=" + numbers.joined(separator: ",")
    }
    let frequency = ["HOURLY", "MINUTELY", "SECONDLY"].randomElement(using: &generator)!
    let interval = [1, 2, 7, 8, 50, 90, 3600, 4001].randomElement(using: &generator)!
    let text =
      "FREQ=\(frequency);INTERVAL=\(interval)" + list("BYHOUR", 0..<24) + list("BYMINUTE", 0..<60)
      + list("BYSECOND", 0..<60)
    let rule = try RecurrenceRule(text)
    let start = LocalTime(
      year: 2026, month: 2, day: 27, hour: Int.random(in: 0..<24, using: &generator),
      minute: Int.random(in: 0..<60, using: &generator),
      second: Int.random(in: 0..<60, using: &generator))
    let length: Int64 = 130_000
    let judged = (0..<length).filter { Self.occurs(rule, $0, start) }
    let end = LocalTime(seconds: start.seconds + length)
    let recurrence = Recurrence(start: start, rules: [rule])
    let found = recurrence.occurrences(from: start, before: end, limit: .max)
    #expect(found.map { $0.seconds - start.seconds } == judged, "\(text)")
    // The whole days within.
    let days = Set(judged.map { LocalTime(seconds: start.seconds + $0).day })
    for day in start.day..<end.day {
      #expect(recurrence.occurs(on: day) == days.contains(day), "\(text), \(day - start.day)")
    }
  }

  @Test func `a count ends where counting ends`() throws {
    for text in [
      "FREQ=WEEKLY;BYDAY=MO,SA;COUNT=9", "FREQ=MONTHLY;BYMONTHDAY=31;COUNT=5",
      "FREQ=HOURLY;INTERVAL=5;COUNT=30", "FREQ=YEARLY;BYDAY=SU;BYSETPOS=1,-1;COUNT=7",
      "FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0,30;COUNT=13",
    ] {
      let rule = try RecurrenceRule(text)
      let all = Array(rule.occurrences(startingAt: Self.start))
      #expect(all.count == rule.count)
      let days = Set(all.map(\.day))
      let recurrence = Recurrence(start: Self.start, rules: [rule])
      let last = try #require(all.last?.day)
      for day in Self.start.day...(last + 400) {
        #expect(recurrence.occurs(on: day) == days.contains(day), "\(text)")
      }
      #expect(
        recurrence.occurrences(from: Self.start, before: LocalTime(day: last + 400, secondOfDay: 0))
          == all)
    }
  }

  @Test func `the next day is found behind excepted days and readings`() throws {
    let recurrence = try Recurrence(
      """
      DTSTART:20260101T090000
      RRULE:FREQ=DAILY
      RRULE:FREQ=SECONDLY;BYHOUR=3
      EXDATE;VALUE=DATE:20260105,20260106
      RDATE:20250601T120000
      """)
    let fifth = LocalTime(year: 2026, month: 1, day: 5).day
    #expect(recurrence.firstDay(from: fifth, before: fifth + 10) == fifth + 2)
    #expect(recurrence.firstDay(from: fifth, before: fifth + 2) == nil)
    let june = LocalTime(year: 2025, month: 6, day: 1).day
    #expect(recurrence.firstDay(from: june - 30, before: fifth) == june)
  }

  @Test func `a search for the next day may have no end, and a list no place`() throws {
    let market = try Recurrence("DTSTART:20260103T090000\nRRULE:FREQ=WEEKLY;BYDAY=SA")
    // Today is a Sunday.
    #expect(market.firstDay(from: Self.today, before: .max) == Self.today + 6)
    let first = LocalTime(year: 2026, month: 1, day: 3).day
    #expect(market.firstDay(from: .min, before: .max) == first)
    #expect(market.firstDay(from: .max, before: .max) == nil)
    for day in [Int.max, .max - 1, .min] { #expect(!market.occurs(on: day)) }
    let start = LocalTime(day: Self.today, secondOfDay: 0)
    let end = LocalTime(day: Self.today + 30, secondOfDay: 0)
    for limit in [-1, .min, 0] {
      #expect(market.occurrences(from: start, before: end, limit: limit).isEmpty)
    }
  }
}
