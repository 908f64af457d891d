// Makes rules of closing days.

extension WrittenRules {
  mutating func close(_ item: WrittenFacts.Item) {
    let found = doubtWords(of: item)
    if item.isUncertain, item.days != .substitutes {
      uncertain.append(rule(days(item), .unknown, found))
      return
    }
    let words = found ?? ""
    switch item.days {
    case .weekdays(let days, let nths):
      if item.hasDoubtfulNths { uncertain.append(rule([Self.selectors(days)], .unknown, words)) }
      if let onHoliday = item.onHoliday { return move(days, nths, onHoliday) }
      let shut = rule([Self.selectors(days, nths: nths)], .closed)
      guard item.excludesHolidays, !closesHolidays else { return closed.append(shut) }
      // `평일 휴관, 추석 휴관`: days that other words close stay closed.
      moved += [shut, rule([Self.selectors(days), Self.holidays], .unknown, Self.notStated)]
    case .publicHolidays: closeHolidays(item)
    case .holidaysOn(let days):
      closed.append(rule([Self.selectors(days), Self.holidays], .closed))
    case .substitutes: closeSubstitutes(item)
    case .nationalDays: closeNationalDays(item)
    case .feast(let feast, let days, let includesSubstitutes):
      close(feast, days, includesSubstitutes: includesSubstitutes)
    case .dates, .daysOfMonth: closed.append(rule(days(item), .closed))
    case .newYear(let isYearEnd): closeNewYear(isYearEnd, words)
    case .bon:
      // Mostly the 13th to the 16th; some places also close on days around them.
      uncertain.append(rule([[.dates(Self.range(8, 8, 8, 20))]], .unknown, words))
    }
  }

  /// Merges rules that differ in their dates alone, if these are of one year, or closed and on one weekday.
  static func joined(_ rules: [HoursRule]) -> [HoursRule] {
    guard rules.count > 1 else { return rules }
    var result: [HoursRule] = []
    result.reserveCapacity(rules.count)
    var places: [HoursRule: Int] = [:]
    for rule in rules {
      guard let likeness = likeness(of: rule) else {
        result.append(rule)
        continue
      }
      if let place = places[likeness] {
        for selector in rule.days[0] where !result[place].days[0].contains(selector) {
          result[place].days[0].append(selector)
        }
      } else {
        places[likeness] = result.count
        result.append(rule)
      }
    }
    return result
  }

  /// What is equal for rules that may be merged: a rule with its year or weekday alone; nil for a rule of its own.
  private static func likeness(of rule: HoursRule) -> HoursRule? {
    guard rule.times.isEmpty, rule.operator == .normal,
      case .dates(let first)? = rule.days.first?.first
    else { return nil }
    var likeness = rule
    if let year = first.start.year, rule.days.count == 1 {
      likeness.days = [[.years(first: year, last: year, step: 1)]]
      return likeness
    }
    guard rule.days.count == 2, rule.state == .closed else { return nil }
    likeness.days[0] = []
    return likeness
  }

  /// The words that leave an item undecided; nil if there are none.
  func doubtWords(of item: WrittenFacts.Item) -> String? {
    let words = HoursComment.cleaned(doubts.first { covers($0, item) }?.text ?? "")
    return words.isEmpty ? nil : words
  }

  private mutating func doubt(
    _ words: String, _ item: WrittenFacts.Item, _ kind: WrittenDoubt.Kind
  ) {
    doubts.append(WrittenDoubt(text: words, column: item.place.lowerBound + 1, kind: kind))
  }

  private func covers(_ doubt: WrittenDoubt, _ item: WrittenFacts.Item) -> Bool {
    doubt.column > item.place.lowerBound && doubt.column <= item.place.upperBound + 1
      || doubt.column - 1 == item.place.upperBound
  }

  /// The days of an item that is uncertain or consists of dates.
  func days(_ item: WrittenFacts.Item) -> [[DaySelector]] {
    let weekday = item.onWeekday == 0 ? [] : [Self.selectors(item.onWeekday)]
    return switch item.days {
    case .weekdays(let days, let nths): [Self.selectors(days, nths: nths)]
    case .publicHolidays, .holidaysOn, .substitutes, .nationalDays: [Self.holidays]
    case .dates(let ranges): [ranges.map { .dates($0) }] + weekday
    case .daysOfMonth(let days): [days.flatMap { Self.everyMonth($0) }] + weekday
    case .feast, .newYear, .bon: []
    }
  }

  private var closesHolidays: Bool {
    facts.closings.contains { $0.days == .publicHolidays && !$0.isUncertain }
  }

  private var closesSundays: Bool { facts.closings.contains { $0.certainWeekdays >> 6 == 1 } }

  private static let allButSunday: UInt8 = 0b0111111

  /// Closes public holidays, and handles Sundays among them.
  private mutating func closeHolidays(_ item: WrittenFacts.Item) {
    let closesTogether = facts.closings.contains { $0.days == .holidaysOn(1 << 6) }
    switch item.sundays {
    case .notSaid where item.isOfDecree && !closesSundays, .included where !closesSundays:
      doubt("공휴일", item, .sundays)
      uncertain.append(rule([[.weekday(6)]], .unknown, "일요일"))
      closed.append(rule([Self.holidays], .closed))
    case .excepted where !closesSundays && !closesTogether:
      doubt("공휴일", item, .sundays)
      uncertain.append(rule([[.weekday(6)], Self.holidays], .unknown, "일요일"))
      closed.append(rule([Self.selectors(Self.allButSunday), Self.holidays], .closed))
    default: closed.append(rule([Self.holidays], .closed))
    }
  }

  /// Closes the substitute holidays of Korea; a calendar does not say which holidays of Japan are such.
  private mutating func closeSubstitutes(_ item: WrittenFacts.Item) {
    guard !closesHolidays else { return }
    if item.isUncertain {
      let words = "振替休日"
      doubt(words, item, .ambiguous)
      uncertain.append(rule([Self.holidays], .unknown, words))
    } else {
      closed += KoreanFeasts.rules(.closed, nil) { $0.isSubstitute }
      // Any day of a year without data may be one.
      uncertain.append(rule([KoreanFeasts.yearsBeyond], .unknown, "대체공휴일"))
    }
  }

  /// Closes 1 March, 15 August, 3 and 9 October; the fifth national day, 17 July, was not a holiday
  /// from 2008 to 2025, and some texts use 국경일 for every holiday.
  private mutating func closeNationalDays(_ item: WrittenFacts.Item) {
    let dates = [(3, 1), (8, 15), (10, 3), (10, 9)].map { month, day in
      DaySelector.dates(DateRange(month: month, day: day))
    }
    closed.append(rule([dates], .closed))
    uncertain.append(rule([[.dates(DateRange(month: 7, day: 17))]], .unknown, "국경일"))
    doubt("국경일", item, .ambiguous)
    if !closesHolidays { uncertain.append(rule([Self.holidays], .unknown, "국경일")) }
  }

  // MARK: Holidays that open or move a closing day

  private mutating func move(
    _ days: UInt8, _ nths: UInt16, _ onHoliday: WrittenFacts.Item.OnHoliday
  ) {
    let dayAfter: [DaySelector] = [.publicHolidays(offset: 1)]
    let shut = rule([Self.selectors(days, nths: nths)], .closed)
    moved += keepingNights([shut] + opened(days, nths))
    guard case .next(let isWorkday, let words) = onHoliday else { return }
    let weekdays = (0..<7).filter { days >> UInt8($0) & 1 == 1 }
    guard weekdays.count == 1, let weekday = weekdays.first, weekday < 4 else {
      // Moved into a weekend or onto another closing day: unknown.
      let after = isWorkday ? ~days & 0x7F : WrittenReader.after(days)
      moved.append(rule([Self.selectors(after), dayAfter], .unknown, words))
      return
    }
    // Before Friday, so the next days are of the same week.
    let next = DaySelector.weekday(weekday + 1)
    let moves = nths == 0 ? next : .nthWeekdays(weekday: weekday, nths: nths, offset: 1)
    moved.append(rule([[moves], dayAfter], .closed))
    // The next day is a holiday itself: either that day or a later one is closed. The language looks back one day only.
    moved.append(rule([[next], dayAfter, Self.holidays], .unknown, words))
    let last = isWorkday ? max(4, weekday + 2) : weekday + 2
    let later = Self.selectors((weekday + 2...last).reduce(0) { $0 | 1 << UInt8($1) })
    moved.append(rule([later, dayAfter], .unknown, words))
  }

  /// Rules that open holidays on some weekdays, with the times of those days.
  private func opened(_ days: UInt8, _ nths: UInt16) -> [HoursRule] {
    func unknown(_ days: UInt8) -> HoursRule {
      rule([Self.selectors(days, nths: nths), Self.holidays], .unknown, Self.notStated)
    }
    guard !facts.hours.isEmpty, facts.openDays.isEmpty, !facts.mayCloseMore else {
      return [unknown(days)]
    }
    var rules: [HoursRule] = []
    var covered: UInt8 = 0
    for hours in facts.hours {
      var own = hours.weekdays & days
      if hours.excludesHolidays || hours.nths != 0 || hours.months != 0 { own = 0 }
      if hours.includesHolidays, hours.months == 0 { own = days }
      guard own != 0 else { continue }
      covered |= own
      rules.append(
        rule([Self.selectors(own, nths: nths), Self.holidays], .open, times: hours.times))
    }
    return covered == days ? rules : rules + [unknown(days & ~covered)]
  }

  // MARK: Feasts and dates

  private mutating func close(
    _ feast: KoreanFeast, _ days: WrittenFacts.Item.FeastDays, includesSubstitutes: Bool
  ) {
    guard !closesHolidays else { return }
    let name = feast == .seollal ? "설날" : feast == .chuseok ? "추석" : "명절"
    closed += KoreanFeasts.rules(.closed, nil) { day in
      day.belongs(to: feast)
        && (day.isFeastItself || (day.isSubstitute ? includesSubstitutes : days == .all))
    }
    switch days {
    case .all:
      guard !includesSubstitutes, !facts.closings.contains(where: { $0.days == .substitutes })
      else { break }
      uncertain += KoreanFeasts.rules(.unknown, "명절 대체공휴일") {
        $0.belongs(to: feast) && $0.isSubstitute
      }
    case .dayAlone: break
    case .notSaid:
      // The feast day alone, or the holidays around it.
      uncertain += KoreanFeasts.rules(.unknown, "명절 연휴") {
        $0.belongs(to: feast) && !$0.isFeastItself
      }
    }
    uncertain.append(KoreanFeasts.beyond(of: feast, name))
  }

  private mutating func closeNewYear(_ isYearEnd: Bool, _ words: String) {
    closed.append(
      rule([[.dates(Self.range(isYearEnd ? 12 : 1, isYearEnd ? 31 : 1, 1, 1))]], .closed))
    uncertain.append(
      rule(
        [[.dates(isYearEnd ? Self.range(12, 26, 1, 7) : Self.range(1, 2, 1, 7))]], .unknown, words))
  }

  static func range(_ month: Int, _ day: Int, _ lastMonth: Int, _ lastDay: Int) -> DateRange {
    let end = DatePoint(day: .day(month: lastMonth, day: lastDay))
    var range = DateRange(month: month, day: day)
    if range.start != end { range.end = .date(end) }
    return range
  }

  /// A day of every month that has it.
  static func everyMonth(_ day: Int) -> [DaySelector] {
    (1...12).filter { day <= CivilDay.daysInMonth(2000, $0) }.map {
      .dates(DateRange(month: $0, day: day))
    }
  }
}

/// Seollal and Chuseok as dated rules, one for each year of ``HolidayCalendar/korea``, and what is *unknown* beyond it.
enum KoreanFeasts {
  struct Day {
    /// nil for other holidays.
    let feast: KoreanFeast?
    /// Whether this is the feast day itself, not a day around it.
    let isFeastItself: Bool
    /// Whether this is a substitute day: `설날 대체 휴일`, but also `어린이날 대체 휴일`.
    let isSubstitute: Bool
    let year: Int
    let selector: DaySelector

    init(_ holiday: HolidayCalendar.Holiday) {
      let name = holiday.name
      feast = name.hasPrefix("설날") ? .seollal : name.hasPrefix("추석") ? .chuseok : nil
      isFeastItself = name == "설날" || name == "추석"
      isSubstitute = name.hasSuffix("대체 휴일")
      year = CivilDay.parts(holiday.day).year
      selector = .dates(DateRange(day: holiday.day))
    }

    func belongs(to other: KoreanFeast) -> Bool { feast == other || feast != nil && other == .both }
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

  /// The years without data.
  static let yearsBeyond: [DaySelector] = [
    .years(first: 1900, last: HolidayCalendar.shippedYears.lowerBound - 1, step: 1),
    .years(first: HolidayCalendar.shippedYears.upperBound + 1, last: 9999, step: 1),
  ]

  /// A rule for the weeks in which a feast can fall, in years without data.
  static func beyond(of feast: KoreanFeast, _ words: String) -> HoursRule {
    var weeks: [DaySelector] = []
    if feast != .chuseok { weeks.append(.dates(WrittenRules.range(1, 19, 2, 24))) }
    if feast != .seollal { weeks.append(.dates(WrittenRules.range(9, 5, 10, 12))) }
    return HoursRule(days: [yearsBeyond, weeks], state: .unknown, comment: words)
  }
}
