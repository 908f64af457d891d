/// Seollal and Chuseok as dated rules, from the days that ``HolidayCalendar/korea`` knows.
///
/// The `opening_hours` language has no lunar calendar, so each year has a rule of its own, and what lies
/// beyond the data is *unknown* in the weeks in which the feasts can be.
enum KoreanFeasts {
  struct Day {
    var day: Int
    var name: String

    /// `설날 대체 휴일`, but also `어린이날 대체 휴일`.
    var isSubstitute: Bool { name.hasSuffix("대체 휴일") }
    var isFeastItself: Bool { name == "설날" || name == "추석" }
    func belongs(to feast: KoreanFeast) -> Bool {
      switch feast {
      case .seollal: name.hasPrefix("설날")
      case .chuseok: name.hasPrefix("추석")
      case .both: name.hasPrefix("설날") || name.hasPrefix("추석")
      }
    }
  }

  private static let days = HolidayCalendar.korea.holidays.map { Day(day: $0.day, name: $0.name) }

  /// A rule for each year that has such days.
  static func rules(
    _ state: OpenState, _ comment: String?, _ isIncluded: (Day) -> Bool
  ) -> [HoursRule] {
    var rules: [HoursRule] = []
    var list: [DaySelector] = []
    var listYear: Int?
    func flush() {
      guard !list.isEmpty else { return }
      rules.append(
        HoursRule(operator: .normal, days: [list], times: [], state: state, comment: comment))
      list = []
    }
    for day in days where isIncluded(day) {
      let parts = CivilDay.parts(day.day)
      if listYear != parts.year { flush() }
      listYear = parts.year
      let point = DatePoint(
        year: parts.year, day: .day(month: parts.month, day: parts.day), offset: 0)
      let selector = DaySelector.dates(DateRange(start: point, end: .single, step: 1))
      if list.last != selector { list.append(selector) }
    }
    flush()
    return rules
  }

  /// Makes one rule of the dates of a year that have the same state and words.
  static func joined(_ rules: [HoursRule]) -> [HoursRule] {
    var result: [HoursRule] = []
    var places: [HoursRule: Int] = [:]
    for rule in rules {
      guard let year = year(of: rule) else {
        result.append(rule)
        continue
      }
      // The rule with its year for days.
      var key = rule
      key.days = [[.years(first: year, last: year, step: 1)]]
      if let place = places[key] {
        for selector in rule.days[0] where !result[place].days[0].contains(selector) {
          result[place].days[0].append(selector)
        }
      } else {
        places[key] = result.count
        result.append(rule)
      }
    }
    return result
  }

  /// The year that all the days of a rule name; nil for a rule of other days.
  private static func year(of rule: HoursRule) -> Int? {
    guard rule.days.count == 1, case .dates(let first)? = rule.days[0].first,
      let year = first.start.year
    else { return nil }
    return year
  }

  /// The weeks in which the feasts can be, in the years without data.
  static func beyond(of feast: KoreanFeast?, _ words: String) -> [HoursRule] {
    let known = HolidayCalendar.shippedYears
    var weeks: [DaySelector] = []
    if feast != .chuseok { weeks.append(.dates(WrittenRules.range(1, 19, 2, 24))) }
    if feast != .seollal { weeks.append(.dates(WrittenRules.range(9, 5, 10, 12))) }
    let years: [DaySelector] = [
      .years(first: 1900, last: known.lowerBound - 1, step: 1),
      .years(first: known.upperBound + 1, last: 9999, step: 1),
    ]
    return [
      HoursRule(
        operator: .normal, days: [years, weeks], times: [], state: .unknown, comment: words)
    ]
  }
}
