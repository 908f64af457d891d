/// Seollal and Chuseok as dated rules, one for each year of ``HolidayCalendar/korea``, and what is *unknown* beyond it.
enum KoreanFeasts {
  struct Day {
    let day: Int
    /// nil for other holidays.
    let feast: KoreanFeast?
    /// Whether this is the feast day itself, not a day around it.
    let isFeastItself: Bool
    /// Whether this is a substitute day: `설날 대체 휴일`, but also `어린이날 대체 휴일`.
    let isSubstitute: Bool
    let year: Int
    let selector: DaySelector

    init(_ holiday: HolidayCalendar.Holiday) {
      day = holiday.day
      let name = holiday.name
      feast = name.hasPrefix("설날") ? .seollal : name.hasPrefix("추석") ? .chuseok : nil
      isFeastItself = name == "설날" || name == "추석"
      isSubstitute = name.hasSuffix("대체 휴일")
      year = CivilDay.parts(day).year
      selector = .dates(DateRange(day: day))
    }

    func belongs(to other: KoreanFeast) -> Bool {
      feast == other || feast != nil && other == .both
    }
  }

  /// The feast days and substitute days of the calendar.
  private static let days = HolidayCalendar.korea.holidays.map { Day($0) }
    .filter { $0.feast != nil || $0.isSubstitute }

  /// One rule for each year that has such days.
  static func rules(
    _ state: OpenState, _ comment: String?, _ isIncluded: (Day) -> Bool
  ) -> [HoursRule] {
    var rules: [HoursRule] = []
    var year: Int?
    for day in days where isIncluded(day) {
      if year != day.year { rules.append(HoursRule(days: [[]], state: state, comment: comment)) }
      year = day.year
      let place = rules.count - 1
      if rules[place].days[0].last != day.selector { rules[place].days[0].append(day.selector) }
    }
    return rules
  }

  /// Rules for the weeks in which the feasts can fall, in years without data.
  static func beyond(of feast: KoreanFeast?, _ words: String) -> [HoursRule] {
    let known = HolidayCalendar.shippedYears
    var weeks: [DaySelector] = []
    if feast != .chuseok { weeks.append(.dates(WrittenRules.range(1, 19, 2, 24))) }
    if feast != .seollal { weeks.append(.dates(WrittenRules.range(9, 5, 10, 12))) }
    let years: [DaySelector] = [
      .years(first: 1900, last: known.lowerBound - 1, step: 1),
      .years(first: known.upperBound + 1, last: 9999, step: 1),
    ]
    return [HoursRule(days: [years, weeks], state: .unknown, comment: words)]
  }
}
