/// The rules that apply to a day, to the two days before it, whose nights may continue, and to the day after it, whose
/// sun may rise before midnight.
///
/// Unknown holidays make several cases. Each case is one bit of a word: the word says in which
/// cases a rule applies, and is 0 or all ones if that does not depend on holidays.
struct DayFacts {
  /// The day after, the day and the two before it: −1 to 2 days back.
  static let days = 4
  /// These days and one more, whose sun ends a night that begins on the day after: −2 to 2 days back.
  private static let sunDays = days + 1
  /// The maximum number of unknown holidays for which every case is tried; six make the 64 bits of a word.
  static let maximumUnknown = 6

  let day: Int
  /// One word for each rule and day, then the sun's times of each day, then the holidays asked about.
  private let words: UnsafeMutableBufferPointer<UInt64>
  private let ruleCount: Int
  /// How many unknown holidays were asked about.
  private(set) var unknownCount = 0
  /// The times of each span on each day; nil to compute them on demand.
  var times: UnsafePointer<HoursEvaluator.Times?>?
  /// Whether more unknown holidays were asked about than ``maximumUnknown``.
  private(set) var isOverfull = false

  /// The place of a rule or span and a day in a table of all of them.
  static func place(_ index: Int, _ back: Int) -> Int { index * days + 1 + back }

  static func capacity(rules: Int) -> Int { rules * days + 4 * sunDays + maximumUnknown }

  init(day: Int, words: UnsafeMutableBufferPointer<UInt64>, rules: Int) {
    self.day = day
    self.words = words
    ruleCount = rules
    words.update(repeating: 0)
  }

  /// The cases in which a rule applies to the day `back` days before this one.
  subscript(rule: Int, back: Int) -> UInt64 {
    get { words[Self.place(rule, back)] }
    nonmutating set { words[Self.place(rule, back)] = newValue }
  }

  /// Whether a rule applies in one case.
  func holds(_ rule: Int, _ back: Int, _ number: Int) -> Bool {
    self[rule, back] &>> UInt64(number) & 1 == 1
  }

  /// A key that is equal for days with the same answers, once the sun's times are computed.
  var signature: [UInt64] {
    Array(words[..<firstHoliday]) + [UInt64(unknownCount), isOverfull ? 1 : 0]
  }

  /// Where the holidays begin, behind the rules and the sun's times.
  private var firstHoliday: Int { ruleCount * Self.days + 4 * Self.sunDays }

  /// The minute of an event of the sun, computed once.
  func sunMinute(_ event: SunEvent, _ back: Int, _ reckon: () -> Int?) -> Int? {
    let place = ruleCount * Self.days + (back + 2) * 4 + Int(event.rawValue)
    // 0 means not computed yet, 1 means no event.
    if words[place] == 0 {
      words[place] = reckon().map { UInt64(min(max($0, -100_000), 100_000) + 200_000) } ?? 1
    }
    return words[place] == 1 ? nil : Int(words[place]) - 200_000
  }

  /// The cases in which a day is a holiday, if the calendar does not know.
  mutating func cases(ofHoliday day: Int, isSchool: Bool) -> UInt64 {
    let key = UInt64(bitPattern: Int64(day * 2 + (isSchool ? 1 : 0)))
    let first = firstHoliday
    for number in 0..<unknownCount where words[first + number] == key { return Self.cases[number] }
    guard unknownCount < Self.maximumUnknown else {
      isOverfull = true
      return 0
    }
    words[first + unknownCount] = key
    unknownCount += 1
    return Self.cases[unknownCount - 1]
  }

  /// The cases in which the nth holiday is one: the case numbers with bit n set.
  private static let cases: [UInt64] = [
    0xAAAA_AAAA_AAAA_AAAA, 0xCCCC_CCCC_CCCC_CCCC, 0xF0F0_F0F0_F0F0_F0F0, 0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000, 0xFFFF_FFFF_0000_0000,
  ]
}

extension HoursEvaluator {
  /// The rules that apply to a day and the days around it; `words` needs ``DayFacts/capacity(rules:)`` words.
  func facts(of day: Int, in words: UnsafeMutableBufferPointer<UInt64>) -> DayFacts {
    var facts = DayFacts(day: day, words: words, rules: rules.count)
    for back in -lead...spill {
      let parts = date(of: day - back)
      // A rule that closes a day removes spans that began on it.
      var isTakenAway: UInt64 = 0
      for index in (0..<rules.count).reversed() {
        let rule = rules[index]
        let isReached = back <= Int(rule.spill) && back >= -Int(rule.lead)
        guard isReached || rule.isDayOff else { continue }
        let holds = self.cases(of: rule, day - back, parts, &facts)
        if back == 0 {
          facts[index, 0] = holds
        } else if rule.isDayOff {
          isTakenAway |= holds
        } else {
          facts[index, back] = holds & ~isTakenAway
        }
      }
    }
    return facts
  }

  /// The date of a day; an arbitrary date if no condition needs it.
  func date(of day: Int) -> CivilDay.Parts {
    asksForDates ? CivilDay.parts(day) : (year: 1970, month: 1, day: 1)
  }

  /// The cases in which a rule applies to a day.
  func cases(
    of rule: CompiledHours.Rule, _ day: Int, _ parts: CivilDay.Parts, _ facts: inout DayFacts
  ) -> UInt64 {
    guard rule.years.contains(Int32(parts.year)) else { return 0 }
    var cases = ~UInt64(0)
    var index = Int(rule.conditions.lowerBound)
    let end = Int(rule.conditions.upperBound)
    while index < end {
      var group: UInt64 = 0
      repeat {
        if group != ~0 { group |= self.cases(of: conditions[index], day, parts, &facts) }
        index += 1
      } while index < end && !conditions[index].startsGroup
      cases &= group
      if cases == 0 { return 0 }
    }
    return cases
  }

  private func cases(
    of condition: CompiledHours.Condition, _ day: Int, _ parts: CivilDay.Parts,
    _ facts: inout DayFacts
  ) -> UInt64 {
    let offset = Int(condition.a)
    switch condition.kind {
    case .publicHolidays:
      return cases(ofHoliday: day - offset, setting.pointee.publicHolidays, isSchool: false, &facts)
    case .schoolHolidays:
      return cases(ofHoliday: day - offset, setting.pointee.schoolHolidays, isSchool: true, &facts)
    default: return holds(condition, day, parts) ? ~0 : 0
    }
  }

  private func cases(
    ofHoliday day: Int, _ calendar: HolidayCalendar?, isSchool: Bool, _ facts: inout DayFacts
  ) -> UInt64 {
    if let calendar, calendar.knows(day: day) { return calendar.contains(day: day) ? ~0 : 0 }
    return facts.cases(ofHoliday: day, isSchool: isSchool)
  }

  private func holds(
    _ condition: CompiledHours.Condition, _ day: Int, _ parts: CivilDay.Parts
  ) -> Bool {
    let (a, b, c) = (Int(condition.a), Int(condition.b), Int(condition.c))
    switch condition.kind {
    case .weekdays: return a >> CivilDay.weekday(day) & 1 == 1
    case .months: return a >> parts.month & 1 == 1
    case .monthDays:
      let key = parts.month * 32 + parts.day
      return a <= b ? key >= a && key <= b : key >= a || key <= b
    case .years: return parts.year >= a && parts.year <= b && (parts.year - a) % c == 0
    case .weeks:
      let week = CivilDay.isoWeek(day)
      if a <= b { return week >= a && week <= b && (week - a) % c == 0 }
      return (week >= a && (week - a) % c == 0) || (week <= b && (week + 53 - a) % c == 0)
    case .nthWeekdays:
      let base = day - c
      guard CivilDay.weekday(base) == a else { return false }
      let date = c == 0 ? parts : CivilDay.parts(base)
      let fromStart = (date.day - 1) / 7
      let fromEnd = (CivilDay.daysInMonth(date.year, date.month) - date.day) / 7
      return b >> fromStart & 1 == 1 || b >> (5 + fromEnd) & 1 == 1
    case .dates: return dates[a].contains(day, year: parts.year)
    case .daysOfMonth: return parts.month == a && b >> parts.day & 1 == 1
    case .day: return day == a
    case .publicHolidays, .schoolHolidays: return false
    }
  }
}
