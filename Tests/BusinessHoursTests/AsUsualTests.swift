import NearbyTestSupport
import Testing

@testable import BusinessHours

/// Dates that are announced as open: `둘째·넷째 일요일 휴무, 12/13 정상영업`, `12月13日（日）は通常営業`, `open as usual on Dec 13`.
///
/// The texts are put together from hours, closing days and dates that are known, and asked about every day of two years.
@Suite struct AsUsualTests {
  private typealias Day = ClosingDateTests.Day
  private typealias Language = ClosingDateTests.Language

  /// When a place opens on each weekday, 0 being Monday; nil where nothing is said.
  private struct Week {
    var text: String
    /// First and last minute, which may be after midnight.
    var spans: [Range<Int>?]
  }

  private struct Sample {
    var hours = ""
    var closingDays = ""
    var week = Week(text: "", spans: [])
    var isClosed: (Day) -> Bool = { _ in false }
    var isAsUsual: (Day) -> Bool = { _ in false }

    var text: String { "\(hours) | \(closingDays)" }

    /// What the place is at a minute of a day, `before` being the day before.
    func state(_ day: Day, _ before: Day, _ minute: Int) -> OpenState {
      func span(_ day: Day) -> (span: Range<Int>?, isKnown: Bool) {
        if isClosed(day), !isAsUsual(day) { return (nil, true) }
        guard let span = week.spans[day.weekday] else {
          // Open on a day of which no hours are said, or on none.
          return (nil, week.text.isEmpty ? false : !isAsUsual(day))
        }
        return (span, true)
      }
      let own = span(day)
      let night = span(before)
      if own.span?.contains(minute) == true || night.span?.contains(minute + 1440) == true {
        return .open
      }
      return own.isKnown ? .closed : .unknown
    }
  }

  private static func weeks(_ language: Language) -> [Week] {
    let daily = 600..<1380, late = 1080..<1560, office = 600..<1200, weekend = 660..<1080
    func five(_ span: Range<Int>, _ other: Range<Int>?) -> [Range<Int>?] {
      Array(repeating: span, count: 5) + [other, other]
    }
    let (weekdays, both) =
      switch language {
      case .korean: ("월~금", "토,일")
      case .japanese: ("月～金", "土・日")
      case .english: ("Mon-Fri", "Sat-Sun")
      }
    return [
      Week(text: "10:00~23:00", spans: five(daily, daily)),
      Week(text: "18:00~26:00", spans: five(late, late)),
      Week(
        text: "\(weekdays) 10:00~20:00, \(both) 11:00~18:00", spans: five(office, weekend)),
      Week(text: "\(weekdays) 18:00~26:00", spans: five(late, nil)),
      Week(text: "\(weekdays) 10:00~20:00", spans: five(office, nil)),
      Week(text: "", spans: Array(repeating: nil, count: 7)),
    ]
  }

  private static func words(
    _ language: Language, _ dates: [String], isBehind: Bool, using random: inout SeededGenerator
  ) -> String {
    func one(_ list: [String]) -> String { list.randomElement(using: &random)! }
    switch language {
    case .korean:
      let word = one(["정상영업", "정상 영업", "정상운영", "통상영업", "정상영업합니다"])
      let list = dates.joined(separator: one([", ", "·", " 및 "]))
      return isBehind ? "\(list)\(one([" ", "은 ", "에는 ", ""]))\(word)" : "정상영업일: \(list)"
    case .japanese:
      let word = one(["通常営業", "通常通り営業", "平常営業", "休まず営業いたします"])
      let list = dates.joined(separator: one(["、", "・", "と"]))
      return isBehind ? "\(list)\(one(["は", "", " "]))\(word)" : "通常営業日：\(list)"
    case .english:
      let word = one(["open as usual", "normal hours", "Open normally", "regular hours"])
      let list = dates.joined(separator: one([" and ", " & "]))
      return isBehind ? "\(list)\(one([" ", ": "]))\(word)" : "\(word) on \(list)"
    }
  }

  private static func sample(_ language: Language, using random: inout SeededGenerator) -> Sample {
    var sample = Sample()
    let week = weeks(language).randomElement(using: &random)!
    sample.week = week
    let closing: (text: String, closes: (Day) -> Bool)
    if Bool.random(using: &random) {
      closing = ClosingDateTests.rule(language, using: &random)
    } else {
      let days = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        Day(ClosingDateTests.window.randomElement(using: &random)!.number)
      }
      let texts = days.map {
        ClosingDateTests.spelled(
          $0, hasYear: true, weekday: nil, language, using: &random)
      }
      let numbers = Set(days.map(\.number))
      closing = (texts.joined(separator: ", "), { numbers.contains($0.number) })
    }
    sample.isClosed = closing.closes
    // Days that are closed, most often, and any others.
    let hasYear = Bool.random(using: &random)
    let hasWeekday = Bool.random(using: &random)
    let closed = ClosingDateTests.window.filter(closing.closes)
    let days = (0..<Int.random(in: 1...2, using: &random)).map { _ in
      (Int.random(in: 0..<4, using: &random) == 0 ? ClosingDateTests.window : closed)
        .randomElement(using: &random)!
    }
    let texts = days.map {
      ClosingDateTests.spelled(
        $0, hasYear: hasYear, weekday: hasWeekday ? $0.weekday : nil, language, using: &random)
    }
    sample.isAsUsual = { day in
      days.contains {
        ($0.month, $0.day) == (day.month, day.day)
          && (hasYear ? $0.year == day.year : !hasWeekday || $0.weekday == day.weekday)
      }
    }
    let isBehind = Int.random(in: 0..<3, using: &random) > 0
    let usual = words(language, texts, isBehind: isBehind, using: &random)
    place(usual, beside: closing.text, in: &sample, language, using: &random)
    return sample
  }

  /// Puts the parts into one text or two.
  private static func place(
    _ usual: String, beside closing: String, in sample: inout Sample, _ language: Language,
    using random: inout SeededGenerator
  ) {
    let hours = sample.week.text
    let brackets = ["(\(usual))", " (\(usual))"].randomElement(using: &random)!
    if Bool.random(using: &random) {
      sample.hours = hours
      sample.closingDays = [
        "\(closing), \(usual)", "\(usual); \(closing)", "\(closing); \(usual)",
        "\(closing)\(brackets)",
      ].randomElement(using: &random)!
      return
    }
    let head = hours.isEmpty ? "" : hours + (language == .english ? "; " : " ")
    let tail = hours.isEmpty ? "" : " / " + hours
    switch language {
    case .korean:
      sample.hours = [
        "\(head)\(closing) 휴무, \(usual)", "\(closing) 휴무\(brackets)\(tail)",
        "\(head)정기휴무 \(closing)\(brackets)", "\(head)휴무일: \(closing); \(usual)",
      ].randomElement(using: &random)!
    case .japanese:
      sample.hours = [
        "\(head)\(closing)休業、\(usual)", "\(head)定休日：\(closing)\(brackets)",
        "\(head)定休日 \(closing)（ただし\(usual)）", "\(closing)休み。\(usual)\(tail)",
      ].randomElement(using: &random)!
    case .english:
      sample.hours = [
        "\(head)closed \(closing); \(usual)", "\(head)closed on \(closing)\(brackets)",
        "\(head)closed \(closing), \(usual)", "Closed on \(closing). \(usual)\(tail)",
      ].randomElement(using: &random)!
    }
  }

  @Test(arguments: ClosingDateTests.Language.allCases, [UInt64(1)])
  func `dates that are open as usual have the hours of their weekday`(
    language: ClosingDateTests.Language, seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var texts: Set<String> = []
    var unknown: [String] = []
    var open = 0
    var doubtful = 0
    while texts.count < 500 {
      let sample = Self.sample(language, using: &random)
      guard texts.insert(sample.text).inserted else { continue }
      let hours = WrittenHours(sample.hours, closingDays: sample.closingDays).hours
      if hours.rules.count == 1, hours.rules[0].state == .unknown {
        unknown.append(sample.text)
        continue
      }
      for (before, day) in zip(ClosingDateTests.window, ClosingDateTests.window.dropFirst()) {
        let isNearOne = [before, day].contains { sample.isClosed($0) || sample.isAsUsual($0) }
        for minute in isNearOne ? [30, 720, 1150, 1410] : [720] {
          let expected = sample.state(day, before, minute)
          let state = hours.state(at: LocalTime(day: day.number, secondOfDay: minute * 60))
          if expected != .closed, sample.isClosed(day), sample.isAsUsual(day) {
            open += state == .open ? 1 : 0
            doubtful += state == .unknown && expected == .open ? 1 : 0
          }
          if state == expected || state == .unknown { continue }
          Issue.record(
            "\(sample.text): \(hours), \(expected) on \(day.year)-\(day.month)-\(day.day) at \(minute)"
          )
          return
        }
      }
    }
    print(
      "\(language), seed \(seed): \(unknown.count) of 500 unknown; \(open) open, \(doubtful) not")
    #expect(unknown.count <= 75, "\(unknown.prefix(5))")
    #expect(doubtful * 4 < open, "\(doubtful) of \(open)")
  }

  @Test(arguments: [
    ("12/13(일) 정상영업", "Dec 13 Su 10:00-23:00"), ("12월 25일 정상영업", "Dec 25 10:00-23:00"),
    ("2026-12-13 정상영업", "2026 Dec 13 10:00-23:00"),
    ("둘째·넷째 일요일, 12/13 정상영업", "Su[2,4] off; Dec 13 10:00-23:00"),
    ("둘째·넷째 일요일 휴무, 12/13 정상영업", "Su[2,4] off; Dec 13 10:00-23:00"),
    ("둘째·넷째 일요일 (12/13 정상영업)", "Su[2,4] off; Dec 13 10:00-23:00"),
    ("둘째·넷째 일요일; 정상영업: 12/13, 12/27", "Su[2,4] off; Dec 13,Dec 27 10:00-23:00"),
    ("12/13(일), 12/25(정상영업)", #"Dec 13 Su "12/13(일)"; Dec 25 10:00-23:00"#),
    // The dates before it may be closed or open.
    (
      "2026-12-06, 2026-12-13 정상영업",
      #"2026 Dec 06 "2026-12-06"; 2026 Dec 13 10:00-23:00"#
    ),
    (
      "2026-12-06, 2026-12-13과 12/25 정상영업",
      #"2026 Dec 06 "2026-12-06"; Dec 25 "12/25"; 2026 Dec 13 10:00-23:00; 2026 Dec 25 10:00-23:00"#
    ),
    (
      "2026-12-06, 2026-12-13 및 2026-12-25 정상영업",
      #"2026 Dec 06 "2026-12-06"; 2026 Dec 13 10:00-23:00; 2026 Dec 25 10:00-23:00"#
    ),
    ("2026-12-06; 2026-12-13 정상영업", "2026 Dec 06 off; 2026 Dec 13 10:00-23:00"),
    ("2026-12-13 정상영업, 2026-12-20", "2026 Dec 20 off; 2026 Dec 13 10:00-23:00"),
    // Another weekday: one of three days is meant.
    (
      "매주 일요일, 2026-12-13 (월) 정상영업",
      #"Su off; 2026 Dec 13,2026 Dec 14,2026 Dec 07 "2026-12-13 (월)""#
    ),
    ("定休日 第2・第4日曜日（ただし12/13は通常営業）", "Su[2,4] off; Dec 13 10:00-23:00"),
    ("Sundays; open as usual on Dec 13, 2026", "Su off; 2026 Dec 13 10:00-23:00"),
    // Days without a date, and words that leave open what they are about.
    ("일요일 정상영업", "-"), ("설날 정상영업", "-"), ("매월 5일 정상영업", "-"), ("12/13, 정상영업", "-"),
    ("12/6 정상영업 12/13", "-"), ("12/13 휴무 아님", "-"), ("12/13は休業しません", "-"), ("정상영업", "-"),
    ("정상영업: 12/13; 12/20", "-"), ("임시휴관중, 12/13 정상영업", "-"),
  ]) func `a column of closing days gives the dates that open the value that was decided`(
    text: String, value: String
  ) throws {
    let read = WrittenHours("10:00~23:00", closingDays: text)
    if value == "-" {
      #expect(read.extent == .none && !read.doubts.isEmpty, "\(read.hours)")
    } else {
      #expect(read.hours.description == "10:00-23:00; \(value)")
    }
    #expect(try OpeningHours(read.hours.description) == read.hours)
  }

  @Test(arguments: [
    (
      "매월 둘째·넷째 일요일 휴무 (단, 12/13은 정상영업), 10:00~23:00",
      "10:00-23:00; Su[2,4] off; Dec 13 10:00-23:00"
    ),
    ("정상영업 10:00~23:00", "10:00-23:00"), ("Regular hours: 10:00-18:00", "10:00-18:00"),
    ("10:00~23:00, 12/25 휴무, 정상영업", "10:00-23:00; Dec 25 off"),
    ("12/13(일) 정상영업", #""hours not stated"; Dec 13 Su "hours not stated""#),
    ("10:00~23:00 12/13, 12/27 정상영업", "10:00-23:00; Dec 13,Dec 27 10:00-23:00"),
    (
      "월~금 10:00~20:00, 일 11:00~18:00, 12/13(일) 정상영업",
      "Mo-Fr 10:00-20:00; Su 11:00-18:00; Dec 13 Su 11:00-18:00"
    ),
    // No hours are said of Saturdays: open, nobody says when.
    (
      "월~금 10:00~20:00, 2026-12-12 정상영업",
      #"Mo-Fr 10:00-20:00; 2026 Dec 12 "open as usual""#
    ),
    // A night that began the day before goes on.
    (
      "18:00~02:00, 매주 일요일 휴무, 2026-12-13 정상영업",
      "18:00-02:00; Su off, 2026 Dec 13 18:00-02:00"
    ),
    // The 27th of which month is open, and which is closed?
    (
      "10:00~23:00 12월 13일 정상영업, 27일 휴무",
      ClosingDateTests.everyMonth(27)
        + #" "27일"; Dec 27 off; Dec 13 10:00-23:00"#
    ),
  ]) func `hours and dates that open have one value in one text`(text: String, value: String) throws
  {
    let hours = WrittenHours(text).hours
    #expect(
      hours.description == (value.hasPrefix("Jan 27") ? "10:00-23:00; " : "") + value)
    #expect(try OpeningHours(hours.description) == hours)
  }

  @Test(arguments: [
    "10:00~23:00 12/13 정상영업 12/25 휴무", "정상영업 12/13, 12/25 휴무, 10:00~23:00",
    "12/13 정상영업 10:00~20:00", "10:00~23:00 매주 일요일 정상영업", "12/13(일) 휴무 아님, 10:00~23:00",
    "10:00~22:00 12/13は休みません", "10:00~23:00 12/13 정상영업 안함", "10:00~23:00 12/13은 정상영업하지 않습니다",
    "10:00-20:00 12/30は通常営業しません", "10:00~23:00 12/13 정상영업시간 단축", "10:00~23:00 12/13 오전 정상영업",
    "10:00~23:00 12/13(정상영업) 10:00~20:00", "10:00-20:00; not open as usual on Dec 25",
    "10:00-20:00, Dec 25 normal hours only until noon",
  ]) func `words that leave open which dates open leave the hours unknown`(text: String) {
    let read = WrittenHours(text)
    #expect(read.hours.rules.allSatisfy { $0.state == .unknown }, "\(read.hours)")
    #expect(!read.doubts.isEmpty)
  }

  @Test func `hours in the language open on a date, without the days that they close`() throws {
    let sunday = LocalTime(year: 2026, month: 12, day: 13, hour: 12)
    let mart = WrittenHours("10:00-22:00; Su[2,4] off", closingDays: "2026-12-13 정상영업").hours
    #expect(mart.description == "10:00-22:00; Su[2,4] off; 2026 Dec 13 10:00-22:00")
    #expect(mart.state(at: sunday) == .open)
    let seasons = WrittenHours("Apr-Oct 10:00-22:00; Su off", closingDays: "2026-12-13 정상영업").hours
    #expect(seasons.state(at: sunday) == .unknown)
  }

  @Test func `a column of holidays that only opens a date is one of closing days`() {
    #expect(WrittenHours.namesClosingDays("12/25 정상영업"))
    #expect(!WrittenHours.namesClosingDays("정상영업"))
  }
}
