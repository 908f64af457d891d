import Foundation
import NearbyTestSupport
import Testing

@testable import BusinessHours

@Suite struct WrittenHoursTests {
  private static let korea = HoursSetting(publicHolidays: .korea)
  private static let japan = HoursSetting(publicHolidays: .japan)

  private static func noon(_ year: Int, _ month: Int, _ day: Int) -> LocalTime {
    LocalTime(year: year, month: month, day: day, hour: 12)
  }

  /// The dates of a year that are closed from midnight to midnight.
  private static func closedDates(_ text: String, _ year: Int) -> Set<String> {
    let hours = WrittenHours("", closingDays: text).hours
    let first = LocalTime(year: year, month: 1, day: 1).day
    var dates = Set<String>()
    for day in first..<LocalTime(year: year + 1, month: 1, day: 1).day {
      let start = LocalTime(day: day, secondOfDay: 0)
      let end = LocalTime(day: day + 1, secondOfDay: 0)
      let states = hours.intervals(from: start, to: end, setting: korea).map(\.answer.state)
      if states == [.closed] { dates.insert(ClockText.day(start)) }
    }
    return dates
  }

  /// The sample's lines: column, text and value.
  private static let sample: [(column: String, text: String, value: String)] =
    (writtenSample + "\n" + secondWrittenSample).split(separator: "\n").map { line in
      let parts = line.split(separator: "|").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      return (parts[0], parts[1], parts[2])
    }

  @Test func `no text of the sample is read wrongly`() throws {
    #expect(Self.sample.count >= 420)
    for (column, text, value) in Self.sample {
      let read =
        column == "closing" ? WrittenHours("", closingDays: text) : WrittenHours(text)
      if value == "-" {
        #expect(read.extent == .none, "\(text)")
        #expect(read.hours.rules.allSatisfy { $0.state == .unknown }, "\(text): \(read.hours)")
        #expect(!read.doubts.isEmpty, "\(text)")
      } else {
        #expect(read.hours.description == value, "\(text)")
      }
      #expect(try OpeningHours(read.hours.description) == read.hours, "\(text)")
    }
  }

  @Test(.enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)))
  func `the closing days of Korean libraries are understood or named`() throws {
    var rows: [WrittenHours.Extent: Int] = [:]
    var texts: [WrittenHours.Extent: Int] = [:]
    for line in try SharedFiles.text("data/kr-libraries/closing-day-values.csv")
      .split(separator: "\n").dropFirst()
    {
      let comma = try #require(line.lastIndex(of: ","))
      let text = line[..<comma].trimmingCharacters(in: ["\""])
        .replacingOccurrences(of: "\"\"", with: "\"")
      let count = try #require(Int(line[line.index(after: comma)...].filter(\.isNumber)))
      let read = WrittenHours("", closingDays: text)
      rows[read.extent, default: 0] += count
      texts[read.extent, default: 0] += 1
      #expect(try OpeningHours(read.hours.description) == read.hours, "\(text)")
      #expect(read.extent == .whole || !read.doubts.isEmpty, "\(text)")
    }
    let all = rows.values.reduce(0, +)
    print("kr-libraries closing days: rows \(rows), texts \(texts)")
    #expect(all == 3_795)
    #expect(Double(rows[.whole, default: 0]) >= 0.97 * Double(all))
  }

  @Test(arguments: [
    "매월 둘째·넷째 일요일", "2,4째주 일요일", "둘째, 넷째 일요일", "매월 2, 4번째 일요일", "매월 둘째주 넷째주 일요일",
    "일(둘째 주+넷째 주)", "매월 2째 4째주 일요일",
  ])
  func `second and fourth Sundays have one value however they are written`(text: String) {
    #expect(
      WrittenHours("10:00~23:00", closingDays: text).hours.description == "10:00-23:00; Su[2,4] off"
    )
    #expect(
      WrittenHours("10:00~23:00 휴무일: \(text)").hours.description == "10:00-23:00; Su[2,4] off")
  }

  @Test func `a month without a fifth Sunday closes on none, and the next month on none for it`() {
    let closed = Self.closedDates("다섯째주 일요일", 2026)
    #expect(closed == ["2026-03-29", "2026-05-31", "2026-08-30", "2026-11-29"])
  }

  @Test(.enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)))
  func `nth weekdays agree with the seed's strict cases`() throws {
    let korean = [
      "mon": "월", "tue": "화", "wed": "수", "thu": "목", "fri": "금", "sat": "토", "sun": "일",
    ]
    let lines = try SharedFiles.text("data/seeds/nth_weekday_cases.csv").split(separator: "\n")
    var cases = 0
    for line in lines.dropFirst() {
      // Lists stand in quotes.
      var cells: [String] = [""]
      var isQuoted = false
      for character in line {
        switch character {
        case "\"": isQuoted.toggle()
        case "," where !isQuoted: cells.append("")
        default: cells[cells.count - 1].append(character)
        }
      }
      let days = cells[1].split(separator: ",").compactMap { korean[String($0)] }
      let weeks = cells[0].split(separator: ",").map { "\($0)째주" }.joined(separator: ",")
      let text = days.map { "\(weeks) \($0)요일" }.joined(separator: "+")
      let start = localTime(cells[2])
      let window = try #require(Int(cells[3]))
      var found: [String] = []
      let hours = WrittenHours("", closingDays: text).hours
      for day in start.day...(start.day + window) {
        let time = LocalTime.noon(of: day)
        if hours.state(at: time) == .closed { found.append(ClockText.day(time)) }
      }
      #expect(found.joined(separator: ";") == cells[4], "\(text) from \(cells[2])")
      cases += 1
    }
    #expect(cases == 12)
  }

  @Test func `Seollal and Chuseok close on their lunar dates, in doubt on the days around them`() {
    let alone = Self.closedDates("설·추석 당일", 2026)
    #expect(alone == ["2026-02-17", "2026-09-25"])
    let holidays = Self.closedDates("설 연휴+추석 연휴", 2026)
    #expect(
      holidays == [
        "2026-02-16", "2026-02-17", "2026-02-18", "2026-09-24", "2026-09-25", "2026-09-26",
      ])
    let feast = WrittenHours("10:00~22:00", closingDays: "설날+추석").hours
    #expect(feast.state(at: Self.noon(2026, 2, 17)) == .closed)
    #expect(feast.state(at: Self.noon(2026, 2, 16)) == .unknown)
    #expect(feast.state(at: Self.noon(2026, 2, 19)) == .open)
    // Beyond the almanac nobody knows the weeks in which it can be.
    #expect(feast.state(at: Self.noon(2040, 2, 12)) == .unknown)
    #expect(feast.state(at: Self.noon(2040, 6, 12)) == .open)
  }

  @Test func `a Monday that is a holiday opens, and its Tuesday closes`() {
    let hours = WrittenHours("営業時間 10:00〜18:00 定休日 月曜（祝日の場合は翌日休）").hours
    func state(_ month: Int, _ day: Int) -> OpenState {
      hours.state(at: Self.noon(2026, month, day), setting: Self.japan)
    }
    #expect(state(1, 5) == .closed)
    #expect(state(1, 6) == .open)
    // 12 January 2026 is a holiday.
    #expect(state(1, 12) == .open)
    #expect(state(1, 13) == .closed)
    #expect(state(1, 14) == .open)
    // 4 and 5 May are: who knows which day makes up for the Monday.
    #expect(state(5, 4) == .open)
    #expect(state(5, 5) == .unknown)
  }

  @Test func `times that nobody states are unknown on days that are not closed`() {
    let hours = WrittenHours("", closingDays: "年中無休").hours
    #expect(hours.answer(at: Self.noon(2026, 11, 22)).comment == "hours not stated")
    #expect(WrittenHours("").extent == .none)
  }

  @Test func `columns of three classes of days are one value`() {
    let library = WrittenHours(
      weekdays: WrittenTimes("09:00", "22:00"), saturdays: WrittenTimes("09:00", "18:00"),
      holidays: WrittenTimes("09:00", "18:00"), closingDays: "월+법정공휴일")
    #expect(
      library.hours.description == "Mo-Fr 09:00-22:00; Sa-Su,PH 09:00-18:00; Mo,PH off")
    let parking = WrittenHours(
      weekdays: WrittenTimes("00:00", "23:59"), saturdays: WrittenTimes("00:00", "24:00"),
      holidays: WrittenTimes("12:00", "11:59"), operatingDays: "평일+토요일+공휴일")
    #expect(parking.hours.description == "24/7")
    let empty = WrittenHours(
      weekdays: WrittenTimes("09:00", "18:00"), saturdays: WrittenTimes("00:00", "00:00"),
      holidays: WrittenTimes("00:00", "00:00"), operatingDays: "평일+토요일")
    #expect(
      empty.hours.description == "Mo-Fr 09:00-18:00; Sa \"토요일 00:00~00:00\"; Su,PH off")
    #expect(empty.doubts.map(\.kind) == [.emptyTimes])
  }

  @Test(
    arguments: [
      ("abc", "def", .notUnderstood), ("25:00", "26:00", .notUnderstood),
      ("휴무", "휴무", .notUnderstood),
      ("09:00", "", .notUnderstood), ("09:00", "08:00", .notUnderstood), ("", "", .emptyTimes),
      ("00:00", "00:00", .emptyTimes), ("9:00", "09:00", .emptyTimes),
    ] as [(String, String, WrittenDoubt.Kind)])
  func `cells that are no times are not understood, and the same time twice has two meanings`(
    opens: String, closes: String, kind: WrittenDoubt.Kind
  ) {
    let hours = WrittenHours(
      weekdays: WrittenTimes(opens, closes), saturdays: WrittenTimes("09:00", "18:00"),
      holidays: WrittenTimes("09:00", "18:00"))
    #expect(hours.doubts.map(\.kind) == [kind])
    #expect(hours.extent == (kind == .emptyTimes ? .whole : .part))
    #expect(hours.hours.state(at: Self.noon(2026, 11, 24)) == .unknown)
  }

  @Test(arguments: [("2일+7일", 2), ("5일+10일", 5), ("3일, 8일", 3), ("4일,9일", 4)])
  func `a five-day market is held by the last digit, in no month on a day it lacks`(
    text: String, digit: Int
  ) {
    let hours = WrittenHours(text).hours
    let first = LocalTime(year: 2027, month: 1, day: 1).day
    for day in first..<(first + 365) {
      let time = LocalTime.noon(of: day)
      let isHeld = time.date.day % 5 == digit % 5 && time.date.day != 31
      #expect((hours.state(at: time) == .unknown) == isHeld, "\(text) on \(ClockText.iso(time))")
    }
  }

  @Test func `what a person cannot be certain of is unknown`() {
    #expect(WrittenHours("9:00-6:00").extent == .none)
    #expect(
      WrittenHours("", closingDays: "격주 월요일").hours.description
        == "\"hours not stated\"; Mo \"격주 월요일\"")
    #expect(
      WrittenHours("", closingDays: "둘째,넷째주 수요일, 일요일").hours.description
        == "\"hours not stated\"; Su \"일요일\"; We[2,4],Su[2,4] off")
    #expect(WrittenHours("", closingDays: "2월 30일").extent == .none)
    #expect(WrittenHours("25:70~26:99").extent == .none)
  }

  @Test(arguments: [
    "10:00〜20:00 土曜休みなし", "10:00〜20:00 土日休みなし", "10:00〜20:00 日曜休なし", "10:00〜20:00 日曜定休なし",
    "10:00〜20:00 日曜休業なし", "10:00〜20:00 日曜 休み無し", "10:00〜20:00 日曜・祝日休みなし", "10:00〜20:00 日曜は休まない",
    "10:00〜20:00 日曜休みではない", "10:00〜20:00 日曜休みじゃない", "10:00〜20:00 月曜休（祝日は休みなし）",
    "10:00~20:00 일요일 휴관 없음", "10:00~20:00 일요일 휴업 없음", "10:00~20:00 일요일 쉬는날 없음",
    "10:00~20:00 일요일 휴무 없음", "10:00~20:00 일요일 휴무 없습니다", "10:00~20:00 일요일 휴무X",
    "10:00~20:00 일요일 휴무일 아님", "10:00~20:00 일요일은 휴무일이 아닙니다", "10:00~20:00 일요일 휴무 취소",
    "10:00~20:00 일요일 휴무 해제", "일요일 없음 10:00~20:00", "土曜なし 10:00〜20:00", "토요일 휴무 없음 10:00~20:00",
    "일요일 무휴 10:00~20:00", "공휴일 무휴 10:00~20:00", "土曜無休 10:00〜20:00", "일요일 연중무휴 10:00~20:00",
  ])
  func `days that are said not to be closed are neither closed nor the only ones`(text: String) {
    let read = WrittenHours(text)
    #expect(read.extent == .none, "\(read.hours)")
    #expect(!read.doubts.isEmpty)
  }

  @Test(arguments: ["일요일 휴무 없음", "일요일 무휴", "일요일 휴관 없음", "日曜休みなし", "日曜 無休", "일요일 휴무 해제"])
  func `a column of closing days can say that a day is none`(text: String) {
    #expect(WrittenHours("10:00~20:00", closingDays: text).extent == .none)
  }

  @Test(arguments: [
    ("월~일 연중무휴 10:00~22:00", "Mo-Su 10:00-22:00"), ("10:00~20:00 정기휴무 없음", "10:00-20:00"),
    ("10:00〜20:00 定休日なし", "10:00-20:00"), ("10:00〜20:00 日曜休み 駐車場なし", "10:00-20:00; Su off"),
    ("10:00~20:00 일요일 휴무합니다", "10:00-20:00; Su off"),
    ("10:00〜20:00 日曜定休 無料駐車場", "10:00-20:00; Su off"),
  ])
  func `words that deny something else leave the days certain`(text: String, value: String) {
    expect(text, isReadAs: value)
  }

  @Test(arguments: ["일요일; 없음", "일요일; 휴무 없음", "일요일; 휴관일 없음", "일요일; 연중무휴"])
  func `a second column without closing days leaves those of the first`(text: String) {
    #expect(
      WrittenHours("10:00~20:00", closingDays: text).hours.description == "10:00-20:00; Su off")
  }

  @Test(
    arguments: [
      ("営業時間 午前11時〜午後12時 月曜定休", nil), ("午後12時〜午後8時", nil), ("午前12時30分〜午後8時", nil),
      ("午前0時〜午後12時", "24/7"), ("오전 11시~오후 12시", "11:00-12:00"), ("오후 6시~12시", "18:00-24:00"),
      ("午後10時〜12時", "22:00-24:00"),
    ] as [(String, String?)])
  func `twelve o'clock is midnight or noon, and either in Japanese`(text: String, value: String?) {
    expect(text, isReadAs: value)
  }

  @Test(
    arguments: [
      ("月曜の祝日は休み 9:00〜18:00", "09:00-18:00; Mo PH off"),
      ("祝日の月曜休み 9:00〜18:00", "09:00-18:00; Mo PH off"),
      ("平日の祝日は休み 9:00〜18:00", "09:00-18:00; Mo-Fr PH off"),
      ("공휴일의 월요일 휴무 9:00~18:00", "09:00-18:00; Mo PH off"),
      ("월요일 공휴일 휴무 9:00~18:00", "09:00-18:00; Mo,PH off"),
      ("평일 공휴일 휴무 9:00~18:00", nil), ("月・火の祝日は休み 9:00〜18:00", nil), ("祝日の月・火休み 9:00〜18:00", nil),
      ("第2月曜の祝日は休み 9:00〜18:00", nil),
    ] as [(String, String?)])
  func `holidays that a particle joins to weekdays are those on these weekdays`(
    text: String, value: String?
  ) {
    expect(text, isReadAs: value)
  }

  @Test func `substitute holidays of Japan are holidays, and nobody knows which`() {
    #expect(
      WrittenHours("9:00〜18:00 定休日 日曜、振替休日").hours.description
        == #"09:00-18:00; PH "振替休日"; Su off"#)
    let covered = WrittenHours("9:00〜18:00 定休日 日曜、祝日、振替休日")
    #expect(covered.hours.description == "09:00-18:00; Su,PH off")
    #expect(covered.doubts.isEmpty)
  }

  /// In 2026 Japan has holidays from Monday 4 to Wednesday 6 May, and from Monday 21 to Wednesday 23 September.
  @Test(arguments: [(5, 7), (9, 24)])
  func `the next workday behind holidays in a row may be the closing day`(month: Int, day: Int) {
    let hours = WrittenHours("9:00〜17:00 休館日 月曜（祝日の場合は翌平日）").hours
    #expect(hours.state(at: Self.noon(2026, month, day), setting: Self.japan) == .unknown)
    #expect(hours.state(at: Self.noon(2026, month, day + 1), setting: Self.japan) == .open)
    // 12 October is a holiday, the day after it none.
    #expect(hours.state(at: Self.noon(2026, 10, 13), setting: Self.japan) == .closed)
    #expect((try? OpeningHours(hours.description)) == hours)
  }

  @Test func `a day of the month is that of every month if the text says so`() {
    let every = WrittenHours("10:00~18:00 매월 3일 휴무")
    #expect(every.hours.state(at: Self.noon(2026, 11, 3)) == .closed)
    for text in ["10:00~18:00 3일 휴무", "10:00〜18:00 3日休み"] {
      #expect(WrittenHours(text).hours.state(at: Self.noon(2026, 11, 3)) == .unknown)
      #expect(WrittenHours(text).hours.state(at: Self.noon(2026, 11, 4)) == .open)
    }
    let column = WrittenHours("10:00-18:00", closingDays: "3일")
    #expect(column.hours.state(at: Self.noon(2026, 11, 3)) == .closed)
  }

  @Test(arguments: [
    ("10:00〜20:00 火・水（第2・4）休", "10:00-20:00; Tu \"火\"; Tu[2,4],We[2,4] off"),
    ("10:00~20:00 화·수(둘째·넷째) 휴무", "10:00-20:00; Tu \"화\"; Tu[2,4],We[2,4] off"),
    ("10:00~20:00 화 휴무, 수(둘째) 휴무", "10:00-20:00; Tu,We[2] off"),
    ("10:00~20:00 휴무일: 화+수(둘째)", "10:00-20:00; Tu,We[2] off"),
  ])
  func `nths in a bracket may be those of the days joined to its own`(text: String, value: String) {
    expect(text, isReadAs: value)
  }

  @Test(arguments: [
    (
      "10:00〜20:00 月・火（祝日の場合は営業）休",
      "10:00-20:00; Mo off; Mo PH 10:00-20:00; Tu off; Tu PH 10:00-20:00"
    ),
    (
      "10:00~20:00 월, 화(공휴일인 경우 영업) 휴무",
      "10:00-20:00; Mo off; Mo PH 10:00-20:00; Tu off; Tu PH 10:00-20:00"
    ),
    (
      "10:00〜20:00 月・第3火（祝日の場合は営業）休",
      "10:00-20:00; Mo off; Mo PH 10:00-20:00; Tu[3] off; Tu[3] PH 10:00-20:00"
    ),
    ("10:00〜20:00 月・火（火曜が祝日の場合は営業）休", "10:00-20:00; Tu off; Tu PH 10:00-20:00; Mo off"),
    ("10:00〜20:00 月休、火（祝日の場合は営業）休", "10:00-20:00; Tu off; Tu PH 10:00-20:00; Mo off"),
    (
      "10:00〜20:00 定休日：月・祝日・火（祝日の場合は営業）",
      "10:00-20:00; Tu off; Tu PH 10:00-20:00; Mo,PH off"
    ),
  ])
  func `holidays in a bracket are those of the days joined to its own`(text: String, value: String)
  {
    expect(text, isReadAs: value)
  }

  @Test(arguments: UInt64(0)..<20)
  func `texts of random words are read in bounded time, and their values read back`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let words = [
      "월요일", "둘째", "넷째주", "일", "공휴일", "(", ")", "+", ",", "제외", "설", "추석", "연휴", "당일", "단", "경우",
      "매주",
      "10:00", "~", "18시 30분", "오후", "휴무", "영업시간", "第2・4", "火曜", "祝日", "の場合は", "翌日", "定休日", "：",
      "24時間", "年末年始", "9", "12月31日", "5일", "名", "\"", ";", " ", "연중무휴", "개관기념일", "夜", "LO", "不定休",
    ]
    for _ in 0..<300 {
      let length = Int.random(in: 1...14, using: &generator)
      let text = (0..<length).map { _ in words.randomElement(using: &generator)! }.joined()
      for read in [
        WrittenHours(text), WrittenHours("", closingDays: text),
        WrittenHours(text, closingDays: text),
      ] {
        let spelled = read.hours.description
        if spelled.utf8.count <= OpeningHours.maximumLength {
          #expect(try OpeningHours(spelled) == read.hours, "\(text): \(spelled)")
        }
        #expect(
          read.extent != .none || !read.doubts.isEmpty
            || !read.hours.rules.contains { $0.state == .open }, "\(text)")
      }
    }
  }

  @Test(arguments: [
    "10:00~22:00 (15:00~17:00)", "営業時間 11:00〜22:00（15:00〜17:00）", "월-금 10:00~22:00 15:00~17:00",
    "10:00-19:00 12:00-13:00", "15:00~17:00 (10:00~22:00)", "18:00~03:00 (00:30~01:00)",
    "10:00~ (15:00~17:00)", "昼 月 11:00〜17:00 夜 月 16:30〜22:00", "10:00~22:00 영업 15:00~17:00",
    "영업시간 10:00~22:00 영업시간 15:00~17:00",
  ])
  func `a second time within the first may be a break, so that nothing is known`(text: String) {
    let read = WrittenHours(text)
    #expect(read.extent == .none, "\(read.hours)")
    #expect(read.hours.rules.allSatisfy { $0.state == .unknown }, "\(read.hours)")
    #expect(!read.doubts.isEmpty)
  }

  @Test(
    arguments: [
      "전화문의", "10:00~20:00 (주방 15:00~17:00)", "10-20시(12-13)", "10:00~22:00 (15:00~17:00)",
      "월~금 10:00~20:00 (직원 휴게시간 15:00~17:00)", "weather permitting",
    ], ["월요일", "매월 둘째·넷째 일요일", "2026-12-14 (월)", "Mondays"])
  func `closing days hold beside hours that are not understood`(
    text: String, closingDays: String
  ) {
    expect(text, isReadAs: nil)
    let read = WrittenHours(text, closingDays: closingDays)
    let alone = WrittenHours("", closingDays: closingDays)
    #expect(read.extent == .part && !read.doubts.isEmpty, "\(read.hours)")
    let first = Self.noon(2026, 12, 1).day
    let states = [read, alone].map { written in
      (first..<first + 62).map {
        written.hours.state(at: LocalTime.noon(of: $0), setting: Self.korea)
      }
    }
    #expect(states[0] == states[1] && Set(states[0]) == [.closed, .unknown], "\(read.hours)")
  }

  @Test(arguments: [
    "10:00~20:00 공휴일은 영업, 점심 12-13", "10:00~20:00 (점심 12-13) 일요일도 영업", "월요일 휴무 (공휴일은 영업), 점심 12-13",
    "10:00~20:00 12/13 정상영업 12/25 휴무", "10:00~20:00 (12-13), 연중무휴",
  ])
  func `hours that may open a closing day leave it unknown if they are not understood`(
    text: String
  ) {
    let read = WrittenHours(text, closingDays: "일요일")
    #expect(read.extent == .none)
    #expect(read.hours.rules.allSatisfy { $0.state == .unknown }, "\(read.hours)")
  }

  @Test func `a weekday within an unknown word does not cut it`() {
    #expect(
      WrittenHours("전화문의").doubts
        == [WrittenDoubt(text: "전화문의", column: 1, kind: .notUnderstood)])
  }

  @Test func `a time that overlaps another is pointed to`() {
    #expect(
      WrittenHours("10:00~22:00 (15:00~17:00)").doubts
        == [WrittenDoubt(text: "15:00~17:00", column: 14, kind: .notUnderstood)])
  }

  @Test func `two times are open in both, unless they overlap`() {
    let clocks = Array(stride(from: 10, through: 22, by: 2))
    let spans = clocks.flatMap { first in clocks.filter { $0 > first }.map { first..<$0 } }
    func clock(_ span: Range<Int>) -> String { "\(span.lowerBound):00〜\(span.upperBound):00" }
    let day = Self.noon(2026, 11, 25).day
    for one in spans {
      for other in spans {
        let read = WrittenHours("営業時間 \(clock(one))（\(clock(other))）")
        guard one == other || !one.overlaps(other) else {
          #expect(read.extent == .none, "\(one) \(other)")
          continue
        }
        let open = (0..<24).filter {
          read.hours.state(at: LocalTime(day: day, secondOfDay: $0 * 3600 + 1800)) == .open
        }
        #expect(
          open == (0..<24).filter { one.contains($0) || other.contains($0) }, "\(one) \(other)")
      }
    }
  }

  @Test func `a megabyte and deep brackets are unknown at once`() {
    for text in [
      String(repeating: "월+", count: 400_000), String(repeating: "(", count: 1_000_000),
      String(repeating: "매월 둘째 ", count: 200_000),
    ] {
      let read = WrittenHours(text, closingDays: text)
      #expect(read.extent == .none)
      #expect(read.hours.description.utf8.count < 400)
    }
    let deep = String(repeating: "(", count: 2_000) + "월" + String(repeating: ")", count: 2_000)
    #expect(WrittenHours("", closingDays: deep).hours.rules.count >= 1)
  }
}

/// Expects that a text is read as a value, or not at all where that is nil.
func expect(
  _ text: String, isReadAs value: String?, sourceLocation: SourceLocation = #_sourceLocation
) {
  let read = WrittenHours(text)
  if let value {
    #expect(read.hours.description == value, sourceLocation: sourceLocation)
  } else {
    #expect(read.extent == .none, "\(read.hours)", sourceLocation: sourceLocation)
  }
}
