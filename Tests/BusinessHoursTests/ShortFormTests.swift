import Geodesy
import NearbyTestSupport
import Testing

@testable import BusinessHours

/// Korean hours in short, as shops write them: `월~금 9-18, 토 9-13, 일휴무`.
///
/// The texts are put together from days and times that are known, so that what each means is known
/// without reading it.
@Suite struct ShortFormTests {
  /// What a text means: a course for each weekday, and for a Friday that is a public holiday.
  struct Sample {
    var text = ""
    /// The open minutes of a day, from Monday on; nil where nothing certain is said.
    var days: [[Range<Int>]?] = Array(repeating: [], count: 7)
    /// The state of a public holiday at noon.
    var holiday = OpenState.closed
  }

  private static let names = ["월", "화", "수", "목", "금", "토", "일"]
  private static let dashes = ["~", "-", "∼", "～", "–", " ~ ", " - "]

  /// A text with the times, which are whole hours of which the later is not before 13.
  private static func times(
    _ opens: Int, _ closes: Int, using random: inout SeededGenerator
  ) -> String {
    let dash = dashes.randomElement(using: &random)!
    func half(_ hour: Int) -> String { hour < 12 ? "오전" : "오후" }
    func twelve(_ hour: Int) -> Int { hour % 12 == 0 ? 12 : hour % 12 }
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return "\(zeroPadded(opens))\(dash)\(zeroPadded(closes))"
    case 1: return "\(opens)\(dash)\(closes)시"
    case 2: return "\(opens)시\(dash)\(closes)시"
    case 3: return "\(opens):00\(dash)\(closes):00"
    case 4: return "\(opens):00\(dash)\(closes)"
    case 5 where closes < 24 && opens < 12:
      return "\(half(opens)) \(twelve(opens))\(dash)\(half(closes)) \(twelve(closes))"
    case 6 where closes < 24 && opens < 12:
      return "\(half(opens))\(twelve(opens))시\(dash)\(half(closes))\(twelve(closes))시"
    default: return "\(opens)\(dash)\(closes)"
    }
  }

  private static func name(_ day: Int, using random: inout SeededGenerator) -> String {
    names[day] + (Int.random(in: 0..<4, using: &random) == 0 ? "요일" : "")
  }

  /// Days that follow each other, as people name them.
  private static func name(_ days: ClosedRange<Int>, using random: inout SeededGenerator) -> String
  {
    let (first, last) = (days.lowerBound, days.upperBound)
    if first == last { return name(first, using: &random) }
    if days == 5...6, Bool.random(using: &random) {
      return ["주말", "토일", "토·일", "토,일", "토/일"].randomElement(using: &random)!
    }
    if Int.random(in: 0..<3, using: &random) > 0 {
      return name(first, using: &random) + ["~", "-", "～"].randomElement(using: &random)!
        + name(last, using: &random)
    }
    return days.map { names[$0] }.joined(separator: ["", ",", "·"].randomElement(using: &random)!)
  }

  private static let cuts: [[Int]] = [[5, 6], [5], [6], [4], [3, 6], [4, 5, 6], [5, 6], []]

  /// - Parameter behind: Whether the days stand behind their times, if they are not closed.
  static func sample(behind: Bool = false, using random: inout SeededGenerator) -> Sample {
    var sample = Sample()
    // Runs of days with the same hours.
    let cuts = cuts.randomElement(using: &random)!
    let bounds = [0] + cuts + [7]
    var isClosed = zip(bounds, bounds.dropFirst()).map { _ in
      Int.random(in: 0..<4, using: &random) == 0
    }
    isClosed[0] = false
    let separator = [", ", " / ", " ", "\n", "; ", ","].randomElement(using: &random)!
    let isInBrackets = Bool.random(using: &random)
    var parts: [String] = []
    var closed: [String] = []
    var usesWeekdays = false
    var friday = OpenState.closed
    for (place, (first, end)) in zip(bounds, bounds.dropFirst()).enumerated() {
      let days = first...(end - 1)
      guard !isClosed[place] else {
        closed.append(name(days, using: &random))
        continue
      }
      let opens = Int.random(in: 6...11, using: &random)
      let closes = Int.random(in: 13...24, using: &random)
      var label = name(days, using: &random)
      let isWeekdays = days == 0...4 && Int.random(in: 0..<3, using: &random) == 0
      if isWeekdays { label = "평일" }
      if days == 0...6 { label = ["매일", "월~일", "매일"].randomElement(using: &random)! }
      if days.contains(4) {
        usesWeekdays = isWeekdays
        friday = (opens..<closes).contains(12) ? .open : .closed
      }
      let glue = ["", " ", ": ", " : "].randomElement(using: &random)!
      let times = times(opens, closes, using: &random)
      parts.append(
        !behind ? label + glue + times : isInBrackets ? "\(times)(\(label))" : "\(times) \(label)")
      for day in days { sample.days[day] = [opens * 60..<closes * 60] }
    }
    let closesHolidays = Int.random(in: 0..<3, using: &random) == 0
    if closesHolidays { closed.append("공휴일") }
    sample.holiday = closesHolidays ? .closed : usesWeekdays ? .unknown : friday
    if !closed.isEmpty {
      let words = ["휴무", "휴진", "휴관", "정기휴무", "휴업"].randomElement(using: &random)!
      let list = closed.joined(separator: ["·", ",", "/"].randomElement(using: &random)!)
      let glue = ["", " "].randomElement(using: &random)!
      parts.append(list + glue + words)
    }
    sample.text = parts.joined(separator: separator)
    return sample
  }

  /// Monday, 6 July 2026: a week without holidays.
  private static let monday = LocalTime(year: 2026, month: 7, day: 6).day
  /// Friday, 9 October 2026, 한글날.
  private static let holiday = LocalTime(year: 2026, month: 10, day: 9, hour: 12)
  private static let korea = HoursSetting(publicHolidays: .korea)

  @Test(arguments: [(false, 20), (true, 1_100)])
  func `what short forms mean is read, and never anything else`(behind: Bool, limit: Int) {
    var random = SeededGenerator(seed: 17)
    var texts: Set<String> = []
    var unknown: [String] = []
    while texts.count < 2_000 {
      let sample = Self.sample(behind: behind, using: &random)
      guard texts.insert(sample.text).inserted else { continue }
      let hours = WrittenHours(sample.text).hours
      if hours.rules.allSatisfy({ $0.state == .unknown }) {
        unknown.append(sample.text)
        continue
      }
      for (weekday, spans) in sample.days.enumerated() {
        guard let spans else { continue }
        for minute in stride(from: 15, to: 1440, by: 30) {
          let time = LocalTime(day: Self.monday + weekday, secondOfDay: minute * 60)
          let expected: OpenState = spans.contains { $0.contains(minute) } ? .open : .closed
          guard hours.state(at: time, setting: Self.korea) != expected else { continue }
          Issue.record("\(sample.text): \(hours), on weekday \(weekday) at minute \(minute)")
          return
        }
      }
      #expect(
        hours.state(at: Self.holiday, setting: Self.korea) == sample.holiday,
        "\(sample.text): \(hours), on a holiday")
    }
    #expect(unknown.count <= limit, "\(unknown.count): \(unknown.prefix(5))")
  }

  @Test(arguments: [
    ("토 9-13, 일 휴무", "Sa 09:00-13:00; Su off"),
    ("월~금 9:00-18:00", "Mo-Fr 09:00-18:00"),
    (
      "평일 9-18 토 9-13 일휴무",
      #"Mo-Fr 09:00-18:00; Sa 09:00-13:00; Mo-Fr PH "hours not stated"; Su off"#
    ),
    ("월-금 9~18시", "Mo-Fr 09:00-18:00"),
    ("월수금 10-19", "Mo,We,Fr 10:00-19:00"),
    ("연중무휴 10-22", "10:00-22:00"),
    ("매일 11:30-22", "Mo-Su 11:30-22:00"),
    ("월~금 오전 9-오후 6, 토 오전 9-12", "Mo-Fr 09:00-18:00; Sa 09:00-12:00"),
    ("월~토 18-2, 일 휴무", "Mo-Sa 18:00-02:00; Su off"),
    ("화~일 9-12 13-18 월 휴무", "Tu-Su 09:00-12:00,13:00-18:00; Mo off"),
    ("월~금 9-18 일·공휴일 휴진", "Mo-Fr 09:00-18:00; Su,PH off"),
    ("월~금 9-18 (점심 12-13)", "Mo-Fr 09:00-12:00,13:00-18:00"),
    ("매일 11-21 브레이크 15-17", "Mo-Su 11:00-15:00,17:00-21:00"),
    ("OPEN 9-18", "09:00-18:00"),
    ("月〜金 9-18 土 9-12 日休み", "Mo-Fr 09:00-18:00; Sa 09:00-12:00; Su off"),
  ]) func `a short form has the value that a reader finds in it`(text: String, value: String) {
    expect(text, isReadAs: value)
  }

  @Test(arguments: [
    // Of which half of the day?
    "평일 9-6", "토 9-1", "월~금 9~6시", "일 1-5", "매일 5-12", "월~금 9-오후 6", "토 12-9", "월~금 13-6",
    // Dates, numbers of things, addresses and telephones.
    "9-13 일 휴무", "월~금 9-13일", "5-7월", "매일 10-20% 할인", "매일 10-20 % 할인", "월 1-15회",
    "지하 1-13", "월요일 02-123-4567", "월 2-13-5", "No.9-13", "周二至周日 9-17", "周二至周日 9:00-17:00",
    "매일 2024-11-12", "월 25-31", "토 1-13층",
    // Open, or closed then? Hours, or a break in them?
    "토 9-13 휴무", "토 9:00-13:00 휴무", "월~금 9-18 (12-13)",
  ]) func `a text with two meanings is unknown`(text: String) {
    let hours = WrittenHours(text).hours
    #expect(hours.rules.allSatisfy { $0.state != .open }, "\(hours)")
  }
}
