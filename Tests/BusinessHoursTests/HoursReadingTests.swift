import BusinessHours
import Geodesy
import NearbyTestSupport
import Testing

/// What values of the language mean; the expected stretches were written by hand from the specification and
/// `OpeningHoursLanguage.md`.
@Suite struct HoursReadingTests {
  /// What is not closed, as `day.month. hh:mm-day.month. hh:mm state`.
  private func stretches(
    _ value: String, _ start: LocalTime, _ end: LocalTime, _ setting: HoursSetting = HoursSetting()
  ) throws -> [String] {
    let hours = try OpeningHours(value)
    func text(_ time: LocalTime) -> String {
      let (_, month, day) = time.date
      let (hour, minute, _) = time.clock
      return "\(day).\(month). \(hour):\(zeroPadded(minute))"
    }
    return hours.intervals(from: start, to: end, setting: setting).filter {
      $0.answer.state != .closed
    }.map { "\(text($0.start))-\(text($0.end)) \($0.answer.state)" }
  }

  @Test func `between instants a part of a second belongs to its state`() throws {
    let hours = try OpeningHours("10:00-20:00")
    let setting = HoursSetting(utcOffset: { _ in 0 })
    let closing = Instant(seconds: 1_767_643_200)  // 20:00 on a Monday.
    func spans(from start: Int64, to end: Int64) -> [String] {
      hours.intervals(
        from: closing.advanced(by: .milliseconds(start)),
        to: closing.advanced(by: .milliseconds(end)), setting: setting
      ).map {
        let (from, to) = ($0.start.milliseconds, $0.end.milliseconds)
        return "\(from - closing.milliseconds)-\(to - closing.milliseconds) \($0.answer.state)"
      }
    }
    #expect(spans(from: -400, to: 400) == ["-400-0 open", "0-400 closed"])
    #expect(spans(from: 200, to: 500) == ["200-500 closed"])
    #expect(spans(from: 0, to: 1) == ["0-1 closed"] && spans(from: -1, to: 0) == ["-1-0 open"])
    #expect(spans(from: 0, to: 0) == [])
  }

  // 5 January 2026 is a Monday.
  private let monday = LocalTime(year: 2026, month: 1, day: 5)
  private let thursday = LocalTime(year: 2026, month: 1, day: 8)

  @Test(
    arguments: [
      ("Mo 10:00-24:00+", ["5.1. 10:00-6.1. 0:00 open", "6.1. 0:00-6.1. 8:00 unknown"]),
      ("Mo 22:00-04:00+", ["5.1. 22:00-6.1. 4:00 open", "6.1. 4:00-6.1. 12:00 unknown"]),
      ("Mo 22:00-28:00+", ["5.1. 22:00-6.1. 4:00 open", "6.1. 4:00-6.1. 12:00 unknown"]),
      ("Mo 22:00-04:00 +", ["5.1. 22:00-6.1. 4:00 open", "6.1. 4:00-6.1. 12:00 unknown"]),
      ("Mo 10pm-4am+", ["5.1. 22:00-6.1. 4:00 open", "6.1. 4:00-6.1. 12:00 unknown"]),
      ("Mo 10:00-40:00+", ["5.1. 10:00-6.1. 16:00 open", "6.1. 16:00-7.1. 0:00 unknown"]),
      ("Mo 10:00-48:00+", ["5.1. 10:00-7.1. 0:00 open", "7.1. 0:00-7.1. 8:00 unknown"]),
      ("Mo 13:00-17:00+", ["5.1. 13:00-5.1. 17:00 open", "5.1. 17:00-6.1. 3:00 unknown"]),
      ("Mo 13:00-16:59+", ["5.1. 13:00-5.1. 16:59 open", "5.1. 16:59-6.1. 0:00 unknown"]),
      // The rule's next span ends it, whatever its day and though it begins at once.
      (
        "Mo,Tu 20:00-02:00+,05:00-06:00; We-Su off",
        [
          "5.1. 5:00-5.1. 6:00 open", "5.1. 20:00-6.1. 2:00 open", "6.1. 2:00-6.1. 5:00 unknown",
          "6.1. 5:00-6.1. 6:00 open", "6.1. 20:00-7.1. 2:00 open", "7.1. 2:00-7.1. 10:00 unknown",
        ]
      ),
      ("Mo 09:30-22:00+,22:00-01:00", ["5.1. 9:30-6.1. 1:00 open"]),
      ("Mo 22:00-04:00+ off", []),
    ] as [(String, [String])])
  func `an open end lasts eight hours from midnight on`(value: String, expected: [String]) throws {
    #expect(try stretches(value, monday, thursday) == expected)
  }

  @Test(
    arguments: [
      ("10:00-12:00 || \"by appointment\"; We off", []),
      ("10:00-12:00 || \"by appointment\", We off", []),
      ("10:00-12:00 || \"by appointment\" || open; We closed \"holiday\"", []),
      (
        "10:00-12:00 || \"by appointment\"; We 11:00-15:00 off",
        [
          "7.1. 0:00-7.1. 10:00 unknown", "7.1. 10:00-7.1. 11:00 open",
          "7.1. 15:00-8.1. 0:00 unknown",
        ]
      ),
      // What Tuesday night brought stays.
      ("10:00-12:00 || 20:00-26:00 unknown; We off", ["7.1. 0:00-7.1. 2:00 unknown"]),
      // A fallback behind the closed day speaks again, and one behind a closing fallback does not.
      ("10:00-12:00 || \"by appointment\"; We off || unknown", ["7.1. 0:00-8.1. 0:00 unknown"]),
      ("10:00-12:00 || Mo-Fr off || unknown", ["7.1. 10:00-7.1. 12:00 open"]),
      (
        "10:00-12:00 || off, We 14:00-15:00 open",
        ["7.1. 10:00-7.1. 12:00 open", "7.1. 14:00-7.1. 15:00 open"]
      ),
    ] as [(String, [String])])
  func `a day that is off is off for the fallbacks before it`(value: String, expected: [String])
    throws
  {
    let wednesday = LocalTime(year: 2026, month: 1, day: 7)
    #expect(try stretches(value, wednesday, thursday) == expected)
  }

  @Test func `a holiday that is off is off for the fallback, and unknown where nobody knows it`()
    throws
  {
    let newYear = LocalTime(year: 2026, month: 1, day: 1)
    let next = LocalTime(year: 2026, month: 1, day: 2)
    let value = "10:00-12:00 || \"by appointment\"; PH off"
    #expect(try stretches(value, newYear, next, HoursSetting(publicHolidays: .korea)).isEmpty)
    #expect(try stretches(value, newYear, next) == ["1.1. 0:00-2.1. 0:00 unknown"])
    // Today and tomorrow are asked about apart: today may be one and tomorrow none, and then it is closed.
    let eve = "10:00-12:00; PH off; PH -1 day 10:00-12:00"
    #expect(try stretches(eve, newYear, next) == ["1.1. 10:00-1.1. 12:00 unknown"])
  }

  // Easter was 24 April 2011, 8 April 2012, 31 March 2013, 21 April 2019 and 23 March 2008.
  @Test(
    arguments: [
      ("easter-Apr 20", 2011...2012, ["8.4. 0:00-21.4. 0:00 open"]),
      ("easter-Apr 20", 2019...2019, []),
      ("2019 easter-Apr 20", 2019...2020, []),
      ("easter +1 day-Apr 20", 2012...2012, ["9.4. 0:00-21.4. 0:00 open"]),
      ("easter -1 day-Apr 20", 2019...2019, ["20.4. 0:00-21.4. 0:00 open"]),
      ("easter-Apr 02", 2012...2012, ["1.1. 0:00-3.4. 0:00 open", "8.4. 0:00-1.1. 0:00 open"]),
      ("Dec 25-easter", 2012...2012, ["1.1. 0:00-8.4. 0:00 open", "25.12. 0:00-1.1. 0:00 open"]),
      (
        "Dec 25-easter -2 days", 2012...2012,
        ["1.1. 0:00-6.4. 0:00 open", "25.12. 0:00-1.1. 0:00 open"]
      ),
      ("Apr 05-easter -1 day", 2012...2012, ["5.4. 0:00-7.4. 0:00 open"]),
      ("Mar 25-easter", 2008...2009, ["25.3. 0:00-12.4. 0:00 open"]),
      ("easter-easter +7 days", 2012...2012, ["8.4. 0:00-15.4. 0:00 open"]),
      ("Feb 29-31/2", 2023...2024, ["29.2. 0:00-1.3. 0:00 open"]),
      (
        "Oct,Mar Mo[2]", 2026...2026, ["9.3. 0:00-10.3. 0:00 open", "12.10. 0:00-13.10. 0:00 open"]
      ),
    ] as [(String, ClosedRange<Int>, [String])])
  func `a range to or from Easter has its order from a usual year`(
    value: String, years: ClosedRange<Int>, expected: [String]
  ) throws {
    #expect(
      try stretches(
        value, LocalTime(year: years.lowerBound, month: 1, day: 1),
        LocalTime(year: years.upperBound + 1, month: 1, day: 1)) == expected)
  }

  @Test(arguments: [
    ("Mo 12:00-14:00 16:00-18:00", "Mo 12:00-14:00,16:00-18:00"),
    (
      "Jan Mo-We 09:00-10:00 11:00-12:00 13:00+ \"x\"; Su off",
      "Jan Mo-We 09:00-10:00,11:00-12:00,13:00+ \"x\"; Su off"
    ),
    ("12:00-14:00　17：00～21：00", "12:00-14:00,17:00-21:00"),
    ("PH 08:00-12:00 (sunset-01:00)-22:00 off", "PH 08:00-12:00,(sunset-01:00)-22:00 off"),
  ])
  func `spans with a blank between them are two spans`(text: String, canonical: String) throws {
    let hours = try OpeningHours(text)
    #expect(hours.description == canonical)
    #expect(hours.rules.map(\.description).joined(separator: "; ") == canonical)
    #expect(hours.warnings.contains { $0.kind == .blankBetweenSpans })
    #expect(try OpeningHours(canonical) == hours)
  }

  /// No day is of both, so that the value would never be open.
  @Test(arguments: [
    ("2026 2027 Jul Mo-Fr 09:00-17:00", 6), ("2026 2027 off", 6), ("2026: 2027: 10:00-12:00", 7),
    ("Jul 2026 2027 10:00-12:00", 10), ("2026 Jul 2027 Aug 10:00-12:00", 10),
    ("2026 2027 Dec 25 off", 6), ("2026 Dec 25 2027 off", 13), ("Jul Aug 10:00-12:00", 5),
    ("2026 Jul Aug 10:00-12:00", 10), ("Dec 25 Jan 01 off", 8), ("week 01 week 02 off", 9),
  ])
  func `two sets of years, months, dates or weeks side by side are refused at the second`(
    text: String, column: Int
  ) throws {
    let error = #expect(throws: HoursError.self) { try OpeningHours(text) }
    #expect(error?.column == column, "\(error!)")
  }

  @Test(arguments: [
    ("2026,2027 Jul 10:00-12:00", 62), ("2026 Jul,2027 Aug 10:00-12:00", 62),
    ("Jan-Feb Jan 09-15 10:00-12:00", 28), ("2026 Jul week 30 10:00-12:00", 7),
  ])
  func `years in a list, dates within months and weeks within a year are read`(
    value: String, count: Int
  ) throws {
    #expect(openDays(try OpeningHours(value)).count == count)
  }

  @Test(arguments: [
    ("Jan 5-5", "Jan 05-Jan 05", 4), ("2026 Jan 5-5", "2026 Jan 05-2026 Jan 05", 1),
    ("Feb 29-29", "Feb 29-Feb 29", 1), ("2026-2026", "2026", 365), ("2026-2026/2", "2026", 365),
  ])
  func `a span that ends where it begins is one day or year`(
    value: String, canonical: String, count: Int
  ) throws {
    let hours = try OpeningHours(value + " 10:00-12:00")
    #expect(hours.warnings.map(\.kind).contains(.spanOfOne) && openDays(hours).count == count)
    #expect(hours.description == canonical + " 10:00-12:00")
    #expect(try OpeningHours(hours.description) == hours)
  }

  @Test(arguments: [
    ("Mo 10:00-18:00 12:00-13:00", 16), ("Mo 10:00-12:00 Tu 14:00-15:00", 16),
    ("10:00-12:00 Mo 14:00-15:00", 16), ("Mo 10:00-12:00 \"x\" 14:00-15:00", 20),
    ("10:00-12:00 14:00", 13), ("10:00-12:00 24/7", 13), ("22:00-04:00 05:00-06:00", 13),
    ("10:00-12:00 Jan 14:00-15:00", 17),
  ])
  func `a blank between anything else is refused at its column`(text: String, column: Int) throws {
    let error = #expect(throws: HoursError.self) { try OpeningHours(text) }
    #expect(error?.column == column, "\(error!)")
  }

  @Test(arguments: [
    (#""Kitchen": 10:00-12:00"#, #"10:00-12:00 open "Kitchen""#),
    (#""Kitchen" : Mo 10:00-12:00; Tu off"#, #"Mo 10:00-12:00 open "Kitchen"; Tu off"#),
    (#""Kitchen": Su off"#, #"Su off "Kitchen""#),
  ]) func `a comment before a colon is a label and says nothing of the state`(
    text: String, canonical: String
  ) throws {
    let hours = try OpeningHours(text)
    #expect(hours.description == canonical)
    #expect(try OpeningHours(canonical) == hours)
  }

  @Test(arguments: [#""Kitchen":"#, #""Kitchen": ; Mo 10:00-12:00"#, #""Kitchen"::10:00-12:00"#])
  func `a label alone is no rule`(text: String) {
    #expect(throws: HoursError.self) { try OpeningHours(text) }
  }

  @Test(arguments: [
    ("Mar 10+", 68, 68), ("easter+", 94, 86), ("Dec 31+", 364, 364), ("Jan 01+", 0, 0),
  ]) func `a date without a year and without an end lasts until the end of each year`(
    value: String, first: Int, firstOfNext: Int
  ) throws {
    // Easter is on 5 April 2026 and on 28 March 2027.
    let hours = try OpeningHours(value + " 10:00-12:00")
    #expect(try OpeningHours(hours.description) == hours)
    for (year, first) in [(2026, first), (2027, firstOfNext)] {
      let newYear = LocalTime(year: year, month: 1, day: 1).day
      for day in 0..<365 {
        let state = hours.state(at: LocalTime(day: newYear + day, secondOfDay: 39_600))
        #expect(state == (day >= first ? .open : .closed), "day \(day) of \(year)")
      }
    }
  }

  /// The days from 2025 to 2028 on which hours are open at eleven.
  private func openDays(_ hours: OpeningHours) -> [Int] {
    let first = LocalTime(year: 2025, month: 1, day: 1).day
    let end = LocalTime(year: 2029, month: 1, day: 1).day
    return (first..<end).filter {
      hours.state(at: LocalTime(day: $0, secondOfDay: 39_600)) == .open
    }
  }

  @Test(
    arguments: [
      (
        "2026 Aug,2027 Sep", "2026 Aug 01-Aug 31,2027 Sep 01-Sep 30",
        ["2026-08-01/2026-08-31", "2027-09-01/2027-09-30"]
      ),
      (
        "2026 Dec 25,2027 Aug", "2026 Dec 25,2027 Aug 01-Aug 31",
        ["2026-12-25/2026-12-25", "2027-08-01/2027-08-31"]
      ),
      (
        "2026 Dec 25,2027 Jan 01,Aug", "2026 Dec 25,2027 Jan 01,2027 Aug 01-Aug 31",
        ["2026-12-25/2026-12-25", "2027-01-01/2027-01-01", "2027-08-01/2027-08-31"]
      ),
      (
        "2026 Dec 24-26,31,2027 Jan 1,6",
        "2026 Dec 24-2026 Dec 26,2026 Dec 31,2027 Jan 01,2027 Jan 06",
        ["2026-12-24/2026-12-26", "2026-12-31/2027-01-01", "2027-01-06/2027-01-06"]
      ),
      (
        "2026 Dec 25,2026 Dec 28-2027 Jan 03,2026 Aug",
        "2026 Dec 25,2026 Dec 28-2027 Jan 03,2026 Aug 01-Aug 31",
        ["2026-08-01/2026-08-31", "2026-12-25/2026-12-25", "2026-12-28/2027-01-03"]
      ),
      (
        "2026 Aug,2026 Dec 28-2027 Jan 03", "2026 Aug 01-Aug 31,2026 Dec 28-2027 Jan 03",
        ["2026-08-01/2026-08-31", "2026-12-28/2027-01-03"]
      ),
      (
        "2026 Aug,2027 Jan 03", "2026 Aug 01-Aug 31,2027 Jan 03",
        ["2026-08-01/2026-08-31", "2027-01-03/2027-01-03"]
      ),
      (
        "2026 Dec 28-Jan 03,Aug", "2026 Dec 28-Jan 03,2026 Aug 01-Aug 31",
        ["2026-08-01/2026-08-31", "2026-12-28/2027-01-03"]
      ),
      // A day is of the month and year of the date before it.
      (
        "2026 Dec 28-Jan 03,6", "2026 Dec 28-Jan 03,2027 Jan 06",
        ["2026-12-28/2027-01-03", "2027-01-06/2027-01-06"]
      ),
      (
        "Dec 28-2027 Jan 03,6", "Dec 28-2027 Jan 03,2027 Jan 06",
        ["2026-12-28/2027-01-03", "2027-01-06/2027-01-06"]
      ),
      // What has no year before it, or only a span in two years, is of every year.
      (
        "Aug,2027 Sep", "Aug,2027 Sep 01-Sep 30",
        [
          "2025-08-01/2025-08-31", "2026-08-01/2026-08-31", "2027-08-01/2027-09-30",
          "2028-08-01/2028-08-31",
        ]
      ),
      (
        "2026 Dec 28-2027 Jan 03,Aug", "2026 Dec 28-2027 Jan 03,Aug",
        [
          "2025-08-01/2025-08-31", "2026-08-01/2026-08-31", "2026-12-28/2027-01-03",
          "2027-08-01/2027-08-31", "2028-08-01/2028-08-31",
        ]
      ),
      (
        "2026 Aug,Oct-Nov", "2026 Aug,Oct-Nov",
        ["2026-08-01/2026-08-31", "2026-10-01/2026-11-30"]
      ),
      (
        "2026 Aug,Dec 01", "2026 Aug 01-Aug 31,2026 Dec 01",
        ["2026-08-01/2026-08-31", "2026-12-01/2026-12-01"]
      ),
      // Months stay in their year, also where the last is before the first.
      ("2026 Nov-Feb", "2026 Nov-Feb", ["2026-01-01/2026-02-28", "2026-11-01/2026-12-31"]),
      (
        "2026 Nov-Feb,2027 Aug", "2026 Jan 01-Feb 28,2026 Nov 01-Dec 31,2027 Aug 01-Aug 31",
        ["2026-01-01/2026-02-28", "2026-11-01/2026-12-31", "2027-08-01/2027-08-31"]
      ),
      (
        "2026 Nov-Feb Su[1]", "2026 Nov-Feb Su[1]",
        [
          "2026-01-04/2026-01-04", "2026-02-01/2026-02-01", "2026-11-01/2026-11-01",
          "2026-12-06/2026-12-06",
        ]
      ),
    ] as [(String, String, [String])])
  func `a year in a list applies to its own date or months, and to those after it without one`(
    value: String, canonical: String, runs: [String]
  ) throws {
    let hours = try OpeningHours(value + " 10:00-12:00")
    #expect(hours.description == canonical + " 10:00-12:00")
    let again = try OpeningHours(hours.description)
    #expect(again == hours && again.warnings.isEmpty)
    var found: [ClosedRange<Int>] = []
    for day in openDays(hours) {
      if let last = found.last, last.upperBound == day - 1 {
        found[found.count - 1] = last.lowerBound...day
      } else {
        found.append(day...day)
      }
    }
    let written = found.map { "\(ClockText.day($0.lowerBound))/\(ClockText.day($0.upperBound))" }
    #expect(written == runs)
  }

  @Test(arguments: UInt64(0)..<40)
  func `a list of several years has the days of its entries`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var entries: [String] = []
    for _ in 0..<Int.random(in: 2...4, using: &generator) {
      let year = Int.random(in: 2025...2027, using: &generator)
      let entry = [
        "Aug", "Sep-Oct", "Nov-Feb", "Dec 24", "Feb 10-20", "Dec 28-Jan 03",
        "Dec 30-\(year + 1) Jan 05", "easter -2 days", "Mar Su[1]-Apr 05",
      ].randomElement(using: &generator)!
      entries.append("\(year) \(entry)")
    }
    if Bool.random(using: &generator) {
      entries.insert(["May", "May 01"].randomElement(using: &generator)!, at: 0)
    }
    let value = entries.joined(separator: ",")
    let hours = try OpeningHours(value + " 10:00-12:00")
    let days = try entries.map { try Set(openDays(OpeningHours($0 + " 10:00-12:00"))) }
    #expect(Set(openDays(hours)) == days.reduce(Set<Int>()) { $0.union($1) }, "\(value)")
    let again = try OpeningHours(hours.description)
    #expect(again == hours && again.warnings.isEmpty, "\(value): \(hours)")
  }

  @Test(
    arguments: [
      ("Aug,2027 Sep 2026", "2026: Aug,2027 Sep 01-Sep 30", 31),
      ("Aug,Dec 24-26 2026", "2026 Aug 01-Aug 31,2026 Dec 24-2026 Dec 26", 34),
      ("Nov-Feb 2026", "2026 Nov-Feb", 120), ("Mar 10+ 2026", "2026: Mar 10+", 297),
      ("Dec 24,2027 Jan 05 2026", "2026: Dec 24,2027 Jan 05", 1),
      ("Feb 20-29 2027", "2027 Feb 20-2027 Feb 28", 9), ("Feb 29 2027", "2027: Feb 29", 0),
      ("Feb 29 2028", "2028 Feb 29", 1), ("Sep,Oct 2026", "2026 Sep,Oct", 61),
      ("2026: Aug,2027 Sep", "2026: Aug,2027 Sep 01-Sep 30", 31),
    ] as [(String, String, Int)])
  func `a year apart from its dates is written so that it stays apart, or joins them`(
    value: String, canonical: String, count: Int
  ) throws {
    let hours = try OpeningHours(value + " 10:00-12:00")
    #expect(hours.description == canonical + " 10:00-12:00")
    let again = try OpeningHours(hours.description)
    #expect(again == hours && again.warnings.isEmpty)
    #expect(openDays(hours).count == count)
  }

  @Test(arguments: [
    "Dec 25+PH", "Dec 25 - Su", "Dec 25 -Su[1]", "Dec 25 -Su-Mo", "Dec 25 -Su,Mo", "Dec 25 -Su -Mo",
    "Dec -Su",
  ])
  func `what is no weekday before or after a date is refused, not read as something else`(
    value: String
  ) {
    #expect(throws: HoursError.self) { try OpeningHours(value) }
  }

  /// Read as the language, each says the opposite, or something that adds nothing.
  @Test(
    arguments: [
      ("Sunday closed, 9:00-17:00", "09:00-17:00; Su off"),
      ("Mon closed, 10-18", "10:00-18:00; Mo off"),
      ("Monday closed; 10:00-18:00", "10:00-18:00; Mo off"),
      (
        "10am-6pm Monday-Friday, 10am-4pm Saturday, Sunday closed",
        "Mo-Fr 10:00-18:00; Sa 10:00-16:00; Su off"
      ),
      ("10am-10pm, Sunday 11am-6pm", "10:00-22:00; Su 11:00-18:00"),
      ("10:00-18:00, Sat 10:00-14:00, Sun closed", "10:00-18:00; Sa 10:00-14:00; Su off"),
      ("Mon-Sat 10am-8pm, Sat 10am-6pm", nil), ("10:00-18:00, 10:00-14:00 Sat", nil),
      ("Closed Sunday", "\"hours not stated\"; Su off"),
      ("Mon: Closed", "\"hours not stated\"; Mo off"),
      ("Mon-Sat, Sunday closed", "Mo-Sa \"hours not stated\"; Su off"),
      ("월~토, 일 휴무", "Mo-Sa \"hours not stated\"; Su off"),
      ("월~금, 토 휴무 10:00~18:00", "Mo-Fr 10:00-18:00; Sa off"),
      ("10:00~18:00 월~금, 토 휴무", nil),
      ("월~수 6~14 / 목~토,일 휴진", "Mo-We 06:00-14:00; Th-Su off"),
      ("Sat, Sun closed", "\"hours not stated\"; Sa,Su off"), ("Mo-Sa, Su off", "Mo-Sa,Su off"),
      ("Mon-Fri", nil), ("Mon-Fri 9am-5pm, Sat", nil), ("Mon-Fri 24/7", "Mo-Fr"),
      // Google's spans in one half of the day.
      (
        "Tuesday: 8:00 – 11:00\u{202F}AM, 5:00\u{2009}–\u{2009}9:00\u{202F}PM",
        "Tu 08:00-11:00,17:00-21:00"
      ),
      ("Monday: 12:00 – 2:30 PM", "Mo 12:00-14:30"), ("Monday: 9:00 – 5:00 PM", nil),
      ("Monday: 5-9 PM", nil), ("Monday: 5:00 - 9:00 PM", nil),
      // A clock of twelve hours.
      ("Mon-Sat 11:00-10:00", nil), ("Mon-Thu 10:00-8:00", nil), ("7:00-7:00", nil),
      ("Mon-Fri 9:00-12:00, 1:00-5:00", nil), ("Sun 1:00-5:00", nil),
      ("Fri-Sat 18:00-2:00", "Fr-Sa 18:00-02:00"), ("Mon 15:00-2:00", "Mo 15:00-02:00"),
      ("Mo-Fr 6:00-12:00", "Mo-Fr 06:00-12:00"), ("Mon-Fri 10:00-01:00", "Mo-Fr 10:00-01:00"),
      ("Mo-Sa 11:00-10:00", "Mo-Sa 11:00-10:00"), ("Mo-Su 11:00-1:00", "Mo-Su 11:00-01:00"),
      ("10:00-2:00", nil), ("Su off", "Su off"), ("Mo-Fr", "Mo-Fr"),
      // Written as specified, or without such a doubt.
      ("Su off; 09:00-17:00", "Su off; 09:00-17:00"),
      ("Mo-Su 10:00-22:00, Su 11:00-18:00", "Mo-Su 10:00-22:00 open, Su 11:00-18:00"),
      ("Mon-Fri 9am-5pm, Sat 10am-2pm", "Mo-Fr 09:00-17:00 open, Sa 10:00-14:00"),
      ("Mo-Fr 10-18; 12:00-13:00 Mo-Fr off", "Mo-Fr 10:00-18:00; Mo-Fr 12:00-13:00 off"),
      ("Mo-Fr 10-12, Mo-Fr 14-18", "Mo-Fr 10:00-12:00 open, Mo-Fr 14:00-18:00"),
      ("Su-Th 9am-11pm, Fr 1.30pm-11pm", "Su-Th 09:00-23:00 open, Fr 13:30-23:00"),
      (
        "Apr-Oct mo-sa 13:30-18:30; Nov-Mar mo-sa 09:00-12:00, tu-sa 14:00-15:00",
        "Apr-Oct Mo-Sa 13:30-18:30; Nov-Mar Mo-Sa 09:00-12:00 open, Tu-Sa 14:00-15:00"
      ),
    ] as [(String, String?)])
  func `English is not read as the language where that means something else`(
    text: String, value: String?
  ) {
    expect(text, isReadAs: value)
  }

  @Test(arguments: ["24/7 Su off", "24/7 closed Sun"])
  func `what would be closed every day is refused`(value: String) {
    #expect(throws: HoursError.self) { try OpeningHours(value) }
  }

  @Test(arguments: [
    ("Su", "10:00-20:00; Su off"), ("Mo,Tu", "10:00-20:00; Mo,Tu off"),
    ("Su[2,4]; PH", "10:00-20:00; Su[2,4] off; PH off"), ("Sa-Su", "10:00-20:00; Sa-Su off"),
  ])
  func `closing days may be in the words of the language`(days: String, value: String) {
    #expect(WrittenHours("10:00-20:00", closingDays: days).hours.description == value)
    #expect(WrittenHours("by chance", closingDays: days).hours.description.hasSuffix("off"))
  }
}
