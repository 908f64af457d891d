import Foundation
import Geodesy
import NearbyTestSupport
import Testing

@testable import BusinessHours

/// Lists of closing dates, as marts announce them: `2026-12-13 (일)`, `12/13(일), 12/27(일) 휴무`, `closed Dec 13 and 27`.
///
/// The texts are put together from dates and rules that are known, so that what each closes is known without
/// reading it. Foundation's calendar says which weekday a date is.
@Suite struct ClosingDateTests {
  /// A text, and what it says of the days of 2026 and 2027.
  struct Sample {
    var hours = ""
    var closingDays = ""
    /// Days that are closed.
    var closed: Set<Int> = []
    /// Dates whose weekday is another, and the days that they can be instead.
    var contradicted: Set<Int> = []
    var near: Set<Int> = []
    /// Where in `closingDays` a contradiction stands; nil where there is none, or in another text.
    var column: Int?
  }

  enum Language: CaseIterable {
    case korean, japanese, english
  }

  static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: "UTC")!
    return calendar
  }()

  /// A day as Foundation counts it.
  struct Day: Hashable {
    let year: Int
    let month: Int
    let day: Int
    /// 0 is Monday.
    let weekday: Int
    /// Days since 1970-01-01.
    let number: Int

    init(_ number: Int) {
      let date = Date(timeIntervalSince1970: Double(number) * 86_400)
      let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: date)
      (year, month, day) = (parts.year!, parts.month!, parts.day!)
      weekday = (parts.weekday! + 5) % 7
      self.number = number
    }
  }

  static func number(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let date = calendar.date(from: DateComponents(year: year, month: month, day: day))!
    return Int(date.timeIntervalSince1970) / 86_400
  }

  /// The window in which every day is asked about.
  static let window = (number(2026, 1, 1)..<number(2028, 1, 1)).map { Day($0) }

  // MARK: Spellings

  static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  static func weekday(_ day: Int, _ language: Language, isLong: Bool) -> String {
    let short = Array("월화수목금토일").map(String.init)[day]
    let kanji = Array("月火水木金土日").map(String.init)[day]
    let english = [
      "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ][day]
    return switch language {
    case .korean: isLong ? short + "요일" : short
    case .japanese: isLong ? kanji + "曜日" : kanji
    case .english: isLong ? english : String(english.prefix(3))
    }
  }

  private static func wide(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
      (0x30...0x39).contains(scalar.value) || scalar == "/"
        ? Unicode.Scalar(scalar.value + 0xFEE0)! : scalar
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// A date, with its year or without, and a weekday beside it unless that is nil.
  static func spelled(
    _ day: Day, hasYear: Bool, weekday: Int?, _ language: Language,
    using random: inout SeededGenerator
  ) -> String {
    let (year, month, number) = (day.year, day.month, day.day)
    let (mm, dd) = (zeroPadded(month), zeroPadded(number))
    let iso = "\(year)-\(mm)-\(dd)"
    let compact = "\(year)\(mm)\(dd)"
    var forms: [String]
    switch language {
    case .korean:
      forms =
        hasYear
        ? [
          iso, compact, "\(year).\(mm).\(dd)", "\(year). \(month). \(number).",
          "\(year)/\(mm)/\(dd)", "\(year)년 \(month)월 \(number)일",
          "\(year)년\(mm)월\(dd)일",
        ]
        : [
          "\(month)/\(number)", "\(mm)/\(dd)", "\(month)월 \(number)일",
          "\(month)월\(number)일", "\(month).\(number).",
        ]
      if !hasYear, weekday != nil { forms.append("\(month).\(number)") }
    case .japanese:
      forms =
        hasYear
        ? [
          iso, compact, "\(year)年\(month)月\(number)日", "\(year)/\(month)/\(number)",
          wide("\(year)年\(month)月\(number)日"), "\(year).\(mm).\(dd)",
        ]
        : ["\(month)/\(number)", "\(month)月\(number)日", wide("\(month)月\(number)日")]
    case .english:
      let long = months[month - 1]
      let short = String(long.prefix(3))
      let suffix =
        [1: "st", 21: "st", 31: "st", 2: "nd", 22: "nd", 3: "rd", 23: "rd"][number] ?? "th"
      forms =
        hasYear
        ? [
          iso, compact, "\(short) \(number), \(year)", "\(long) \(number), \(year)",
          "\(number) \(short) \(year)", "\(short). \(number)\(suffix), \(year)",
          "\(long) \(number) \(year)",
        ]
        : [
          "\(short) \(number)", "\(long) \(number)", "\(number) \(long)",
          "\(short). \(number)\(suffix)", "\(number)\(suffix) of \(long)",
        ]
    }
    let form = forms.randomElement(using: &random)!
    guard let weekday else { return form }
    let isLong = Bool.random(using: &random)
    let name = Self.weekday(weekday, language, isLong: isLong)
    let isBare = Int.random(in: 0..<4, using: &random) == 0 && !form.hasSuffix(".\(number)")
    switch language {
    case .korean:
      if isBare { return "\(form) \(name)" }
      return form + ["(\(name))", " (\(name))"].randomElement(using: &random)!
    case .japanese:
      return form
        + (isBare && isLong ? name : ["(\(name))", "（\(name)）"].randomElement(using: &random)!)
    case .english:
      if isBare, form.first!.isLetter || hasYear && form.contains(" ") {
        return "\(name) \(form)"
      }
      return form + " (\(name))"
    }
  }

  // MARK: What closes

  /// A rule of weekdays, and whether it closes a day.
  static func rule(
    _ language: Language, using random: inout SeededGenerator
  ) -> (text: String, closes: (Day) -> Bool) {
    let weekday = Int.random(in: 0..<7, using: &random)
    let name = Self.weekday(weekday, language, isLong: true)
    if Bool.random(using: &random) {
      let first = Int.random(in: 1...2, using: &random)
      let other = first + 2
      let words = ["첫째", "둘째", "셋째", "넷째"]
      let texts =
        switch language {
        case .korean:
          [
            "매월 \(words[first - 1])·\(words[other - 1]) \(name)", "\(first),\(other)째주 \(name)",
            "매월 \(first), \(other)번째 \(name)",
          ]
        case .japanese: ["第\(first)・第\(other)\(name)", "毎月第\(first)・\(other)\(name)"]
        case .english:
          first == 1
            ? ["1st and 3rd \(name)s", "first and third \(name)"]
            : ["2nd & 4th \(name)s", "every second and fourth \(name)"]
        }
      return (
        texts.randomElement(using: &random)!,
        { $0.weekday == weekday && [first, other].contains(($0.day + 6) / 7) }
      )
    }
    let text =
      switch language {
      case .korean: "매주 \(name)"
      case .japanese: "毎週\(name)"
      case .english: ["\(name)s", "every \(name)"].randomElement(using: &random)!
      }
    return (text, { $0.weekday == weekday })
  }

  static func sample(_ language: Language, using random: inout SeededGenerator) -> Sample {
    var sample = Sample()
    let hasYear = Bool.random(using: &random)
    let hasWeekdays = Bool.random(using: &random)
    var parts: [String] = []
    var isPlainList = true
    var wrongPart: Int?
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      // A date of the window, the year before it or the year behind.
      let day = Day(
        Int.random(in: number(2025, 1, 1)..<number(2029, 1, 1), using: &random))
      var weekday = hasWeekdays ? day.weekday : nil
      let isWrong =
        hasYear && hasWeekdays && wrongPart == nil && Int.random(in: 0..<12, using: &random) == 0
      if isWrong { weekday = (day.weekday + Int.random(in: 1...6, using: &random)) % 7 }
      let spelled = Self.spelled(
        day, hasYear: hasYear, weekday: weekday, language, using: &random)
      if isWrong, let weekday {
        wrongPart = parts.count
        sample.contradicted.insert(day.number)
        let ahead = (weekday - day.weekday + 7) % 7
        sample.near.formUnion([day.number + ahead, day.number + ahead - 7])
        parts.append(spelled)
        continue
      }
      let length = Int.random(in: 1...9, using: &random)
      let last = Day(day.number + length)
      // The end of February is asked for elsewhere; so is an English range without names.
      let isRange =
        Int.random(in: 0..<6, using: &random) == 0 && !(day.month == 2 && last.month == 3)
      if isRange {
        let end = Self.spelled(
          last, hasYear: hasYear, weekday: hasWeekdays ? last.weekday : nil, language,
          using: &random)
        parts.append(spelled + ["~", " ~ ", "〜", "–"].randomElement(using: &random)! + end)
        isPlainList = false
      } else {
        parts.append(spelled)
      }
      let run = (0...(isRange ? length : 0)).map { Day(day.number + $0) }
      for other in window {
        let closes = run.contains { named in
          (other.month, other.day) == (named.month, named.day)
            && (hasYear ? other.year == named.year : !hasWeekdays || other.weekday == named.weekday)
        }
        if closes { sample.closed.insert(other.number) }
      }
      // Another day of the same month, which only the first names.
      let second = day.day + Int.random(in: 1...9, using: &random)
      if !isRange, second <= 28, Int.random(in: 0..<5, using: &random) == 0 {
        let next = Day(day.number + second - day.day)
        let weekday = hasWeekdays ? "(\(Self.weekday(next.weekday, language, isLong: false)))" : ""
        let text = parts[parts.count - 1]
        switch language {
        case .korean where text.contains("월"): parts[parts.count - 1] += ", \(second)일\(weekday)"
        case .japanese where text.contains("月"): parts[parts.count - 1] += "・\(second)日\(weekday)"
        case .english where !hasYear && !hasWeekdays && text.last!.isNumber:
          parts[parts.count - 1] += " and \(second)"
        default: continue
        }
        isPlainList = false
        for other in window
        where (other.month, other.day) == (next.month, next.day)
          && (hasYear ? other.year == next.year : !hasWeekdays || other.weekday == next.weekday)
        {
          sample.closed.insert(other.number)
        }
      }
    }
    if Int.random(in: 0..<3, using: &random) == 0 {
      let rule = rule(language, using: &random)
      let isFirst = Bool.random(using: &random)
      parts.insert(rule.text, at: isFirst ? 0 : parts.count)
      if isFirst, let place = wrongPart { wrongPart = place + 1 }
      for day in window where rule.closes(day) { sample.closed.insert(day.number) }
      isPlainList = false
    }
    let separators: [String] =
      switch language {
      case .korean: [", ", ",", "; ", ";", " · ", "·", " / ", "+"]
      case .japanese: ["、", "・", "，", ", ", "/", "；"]
      case .english: [", ", "; ", " and ", " & "]
      }
    let separator = separators.randomElement(using: &random)!
    let list = parts.joined(separator: separator)
    let hours = ["10:00~23:00", "10:00-23:00"].randomElement(using: &random)!
    let isJSON = isPlainList && Int.random(in: 0..<5, using: &random) == 0
    if isJSON || Bool.random(using: &random) {
      sample.hours = hours
      let quoted = "[" + parts.map { "\"\($0)\"" }.joined(separator: ",") + "]"
      sample.closingDays = isJSON ? quoted : list
      if let wrongPart {
        let before = parts[..<wrongPart].map(\.unicodeScalars.count).reduce(0, +)
        sample.column =
          before + 1 + (isJSON ? 2 + wrongPart * 3 : separator.unicodeScalars.count * wrongPart)
      }
      return sample
    }
    let word =
      switch language {
      case .korean: ["휴무", "휴점", "휴업"].randomElement(using: &random)!
      case .japanese: ["休業", "休み", "定休"].randomElement(using: &random)!
      case .english: ""
      }
    let texts =
      switch language {
      case .korean:
        [
          "\(hours) \(list) \(word)", "\(hours), 휴무일: \(list)", "\(list) \(word), \(hours)",
          "영업시간 \(hours) / 정기휴무 \(list)",
        ]
      case .japanese:
        [
          "\(hours) 定休日：\(list)", "\(hours) \(list)\(word)", "営業時間 \(hours) 休業日 \(list)",
          "\(list)\(word)　\(hours)",
        ]
      case .english:
        [
          "\(hours), closed \(list)", "\(hours); closed on \(list)",
          "Open \(hours). Closed: \(list)", "Closed on \(list). Hours: \(hours)",
        ]
      }
    sample.hours = texts.randomElement(using: &random)!
    return sample
  }

  // MARK: The claims

  @Test(arguments: Language.allCases, [UInt64(1)])
  func `lists of closing dates close those dates and no others`(
    language: Language, seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var texts: Set<String> = []
    var unknown: [String] = []
    var doubtful = 0
    while texts.count < 500 {
      let sample = Self.sample(language, using: &random)
      let text = "\(sample.hours) | \(sample.closingDays)"
      guard texts.insert(text).inserted else { continue }
      let read = WrittenHours(sample.hours, closingDays: sample.closingDays)
      if read.hours.rules.allSatisfy({ $0.state == .unknown }) {
        unknown.append(text)
        continue
      }
      // Words that can be read in two ways leave more days open.
      let hasDoubts = read.doubts.contains { $0.kind != .otherWeekday }
      doubtful += hasDoubts ? 1 : 0
      for day in Self.window {
        let state = read.hours.state(at: LocalTime.noon(of: day.number))
        let expected: OpenState =
          sample.closed.contains(day.number)
          ? .closed : sample.contradicted.contains(day.number) ? .unknown : .open
        if state == expected { continue }
        if state == .unknown, hasDoubts || sample.near.contains(day.number) { continue }
        Issue.record("\(text): \(read.hours), \(expected) on \(day.year)-\(day.month)-\(day.day)")
        return
      }
      if !sample.contradicted.isEmpty {
        let doubt = read.doubts.first { $0.kind == .otherWeekday }
        #expect(doubt != nil && read.extent == .part, "\(text): \(read.doubts)")
        if let column = sample.column { #expect(doubt?.column == column, "\(text)") }
      }
    }
    print("\(language), seed \(seed): \(unknown.count) of 500 unknown, \(doubtful) with doubts")
    #expect(unknown.count <= 5, "\(unknown.count): \(unknown.prefix(5))")
    #expect(doubtful <= 50)
  }

  @Test(arguments: [
    // A weekday beside a date checks it.
    ("12/13(일)", "Dec 13 Su off"), ("12월 13일(일), 27일(일)", "Dec 13,Dec 27 Su off"),
    ("12/13 일요일", "Dec 13 Su off"), ("12/13（日・祝）", "Dec 13 Su off"), ("12/13[일]", "Dec 13 Su off"),
    ("2026-12-13 (일)", "2026 Dec 13 off"), ("2026-12-13 일요일", "2026 Dec 13 off"),
    ("20261213(일),20261227(일)", "2026 Dec 13,2026 Dec 27 off"),
    ("12/13(일)~12/15(화)", "Dec 13 Su off; Dec 14 Mo off; Dec 15 Tu off"),
    ("12/31(목)~1/2(토)", "Dec 31 Th off; Jan 01 Fr off; Jan 02 Sa off"),
    ("12/13(일)~12/15(수)", #"Dec 13-Dec 15 "12/13(일)~12/15(수)""#),
    ("Sunday, Dec 13, 2026", "2026 Dec 13 off"), ("Sun Dec 13", "Dec 13 Su off"),
    // Where they disagree the date is unknown, and so are the days next to it that have the weekday.
    ("2026-12-13 (월)", #"2026 Dec 13,2026 Dec 14,2026 Dec 07 "2026-12-13 (월)""#),
    // A weekday that may be a rule of its own.
    (
      "1월 1일 일요일",
      #"Su "1월 1일 일요일"; Jan 01 "1월 1일 일요일"; Jan 01 Su off"#
    ),
    ("일요일 12/13", #"Su "일요일 12/13"; Dec 13 "일요일 12/13"; Dec 13 Su off"#),
    ("12/13일", #"Dec 13 "12/13일"; Dec 13 Su off"#),
    ("매주 일요일, 12/14(월)", "Su off; Dec 14 Mo off"), ("12/13, 일요일", "Su off; Dec 13 off"),
    ("Sundays, Dec 14", "Su off; Dec 14 off"),
    ("Sun, Dec 14", #"Su "Sun, Dec 14"; Dec 14 "Sun, Dec 14"; Dec 14 Su off"#),
    ("Aug 6, 2nd & 4th Saturdays", "Sa[2,4] off; Aug 06 off"),
    ("Dec 2nd Sunday", "-"), ("12/13(토,일)", "-"), ("12월 둘째 일요일", "-"),
    // A day alone is of the month before it; a date alone of the year.
    ("2026년 12월 13일(일), 27일(일)", "2026 Dec 13,2026 Dec 27 off"),
    ("2026년 12월 13·27일", "2026 Dec 13,2026 Dec 27 off"),
    ("Dec 13 and 27, 2026", "2026 Dec 13,2026 Dec 27 off"),
    // The last day of a range may be in the next month, if that is soon.
    ("12월 30일~3일", "Dec 30-Jan 03 off"), ("12月30〜3、5日", "Dec 30-Jan 03 off; Jan 05 off"),
    ("8月30日から2日まで", "Aug 30-Sep 02 off"), ("Dec 25-02", "Dec 25-Jan 02 off"),
    ("2026년 12월 30일~3일", "2026 Dec 30-2027 Jan 03 off"),
    ("1월 3일~2일", "-"), ("Aug 20-10", "-"), ("8月20日〜8月10日", "-"), ("2026/8/20~8/10", "-"),
    ("12월 13일, 매월 5일", "Dec 13 off; " + everyMonth(5) + " off"),
    ("12월 13일+5일", everyMonth(5) + #" "5일"; Dec 13 off; Dec 05 off"#),
    ("2026-12-13, 12/27", #"Dec 27 "12/27"; 2026 Dec 13,2026 Dec 27 off"#),
    ("27일(일)", everyMonth(27) + #" Su "27일(일)""#),
    // Month and day, or day and month?
    ("closed 12/11", #"Dec 11 "12/11"; Nov 12 "12/11""#), ("12/11", "Dec 11 off"),
    // No such dates, and no dates.
    ("2026-02-29", "-"), ("20261313", "-"), ("2026-12-13T00:00:00", "-"), ("12/13/2026", "-"),
    ("2026-12-15~2026-12-13", "-"), ("2026-12-13부터", "-"),
  ]) func `a date in a column of closing days has the value that was decided`(
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

  static func everyMonth(_ day: Int) -> String {
    months.map { "\($0.prefix(3)) \(zeroPadded(day))" }.joined(separator: ",")
  }

  @Test(arguments: [
    ("10:00~23:00 12/13(일) 휴무", "10:00-23:00; Dec 13 Su off"),
    ("12월 13일(일) 휴무", #""hours not stated"; Dec 13 Su off"#),
    ("10:00~22:00 12/13(日)休業", "10:00-22:00; Dec 13 Su off"),
    ("10:00~23:00 12월 13일, 27일 휴무", "10:00-23:00; Dec 13 off; Dec 27 off"),
    ("10:00~23:00, closed on Sundays", "10:00-23:00; Su off"),
    (
      "10:00~22:00 12/13 木曜定休",
      #"10:00-22:00; Th "12/13 木曜"; Dec 13 "12/13 木曜"; Dec 13 Th off"#
    ),
    (
      "10:00-22:00; closed Sun, Dec 13",
      #"10:00-22:00; Su "Sun, Dec 13"; Dec 13 "Sun, Dec 13"; Dec 13 Su off"#
    ),
    ("Mondays: 10:00~18:00", "Mo 10:00-18:00"),
    ("10:00-22:00 closed Mon", "10:00-22:00; Mo off"),
    ("10:00-22:00 closed Dec 25", "10:00-22:00; Dec 25 off"),
    ("10:00〜19:00 12月30日〜3日休業", "10:00-19:00; Dec 30-Jan 03 off"),
    ("dec 25-jan 02 off; 10:00-12:00", "10:00-12:00; Dec 25-Jan 02 off"),
  ]) func `hours and closing dates in one text have one value`(text: String, value: String) {
    expect(text, isReadAs: value)
  }

  @Test(arguments: [
    // Neither 9 to 13, with Saturdays and Sundays closed, nor open every day.
    "9-13(토) 일 휴무", "10:00~23:00 12-13(일) 휴무", "10:00~18:00 sonntags geschlossen",
    "10:00~18:00 weather permitting", "10:00~23:00 closed Dec 2nd Sunday",
  ]) func `words that may be about days leave the hours unknown`(text: String) {
    let read = WrittenHours(text)
    #expect(read.hours.rules.allSatisfy { $0.state == .unknown }, "\(read.hours)")
    #expect(!read.doubts.isEmpty)
  }

  @Test func `a date of a year that is past closes no other`() {
    let hours = WrittenHours("10:00~23:00", closingDays: #"["2018-10-28 (일)"]"#).hours
    #expect(hours.description == "10:00-23:00; 2018 Oct 28 off")
    let states = Self.window.map {
      hours.state(at: LocalTime.noon(of: $0.number))
    }
    #expect(states.allSatisfy { $0 == .open })
  }
}
