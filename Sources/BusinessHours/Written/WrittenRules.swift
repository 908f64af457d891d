/// Makes rules from the facts of a text.
///
/// The order matters: first the times of days, then unknown days, then weekdays that a holiday
/// opens, moves or leaves unknown, then days that are certainly closed.
struct WrittenRules {
  var facts: WrittenFacts
  var doubts: [WrittenDoubt]
  var base: [HoursRule] = []
  var uncertain: [HoursRule] = []
  var moved: [HoursRule] = []
  var closed: [HoursRule] = []

  /// The comment where times are not stated.
  static let notStated = "hours not stated"
  static let holidays: [DaySelector] = [.publicHolidays(offset: 0)]

  init(_ facts: WrittenFacts) {
    self.facts = facts
    doubts = facts.doubts
  }

  /// - Parameters:
  ///   - given: The rules of times; nil to make them from the facts.
  ///   - isInLanguage: Whether the given rules were written in the `opening_hours` language, and
  ///     so have the nights that it gives them.
  mutating func hours(base given: [HoursRule]?, isInLanguage: Bool) -> OpeningHours {
    if let shut = facts.shut, !facts.mayBeOtherwise {
      guard facts.asUsual.isEmpty else {
        contradict(shut)
        return .unknown(shut)
      }
      return OpeningHours(rules: [rule([], .closed, shut)])
    }
    checkHours()
    guard !facts.mayBeOtherwise, !hasContradiction else {
      let words =
        doubts.first { $0.kind == .notUnderstood || $0.kind == .halfOfDay } ?? doubts.first
      return .unknown(words?.text ?? Self.notStated)
    }
    guard facts.saysSomething || given != nil else { return .unknown(Self.notStated) }
    base = given ?? timedRules()
    let asUsual = facts.asUsual.isEmpty ? [] : asUsual(base + moved)
    if facts.mayCloseMore {
      let words = doubts.first { $0.kind == .notUnderstood || $0.kind == .notDated }?.text
      for index in base.indices
      where base[index].state == .open || base[index].comment == Self.notStated {
        if base[index].state == .open { base[index].state = .unknown }
        base[index].comment = words
      }
    } else if let announced = facts.announced {
      for index in base.indices where base[index].state == .open && base[index].comment == nil {
        base[index].comment = announced
      }
    }
    if !isInLanguage { base = keepingNights(base) }
    for item in facts.closings { close(item) }
    joinClosedDays()
    closed = Self.joined(closed)
    uncertain = Self.joined(uncertain)
    let night = uncertain.isEmpty && moved.isEmpty ? nil : self.night
    let added = (uncertain + moved + closed).map { Self.withNight($0, until: night) }
    let rules = base + added + asUsual
    guard rules.count <= OpeningHours.maximumRules else {
      contradict("too many rules")
      return .unknown(Self.notStated)
    }
    return OpeningHours(rules: rules)
  }

  private(set) var hasContradiction = false

  private mutating func contradict(_ words: String) {
    hasContradiction = true
    doubts.append(WrittenDoubt(text: words, kind: .contradiction))
  }

  /// A rule with its days in order; the whole day needs no times.
  func rule(
    _ days: [[DaySelector]], _ state: OpenState, _ comment: String? = nil, times: [TimeSpan] = []
  ) -> HoursRule {
    let times = times == [.wholeDay] ? [] : times
    var rule = HoursRule(days: days, times: times, state: state, comment: comment)
    rule.orderDays()
    return rule
  }

  // MARK: Times

  /// Whether the text closes public holidays or gives them times of their own.
  private var speaksOfHolidays: Bool {
    facts.hours.contains { $0.includesHolidays }
      || facts.closings.contains { $0.days == .publicHolidays }
  }

  private mutating func checkHours() {
    // Merge lunch and dinner times of the same days.
    var joined: [WrittenFacts.Hours] = []
    for hours in facts.hours {
      if let same = joined.firstIndex(where: { $0.isPartOfDay && $0.isOfSameDays(as: hours) }) {
        joined[same].times += hours.times
      } else {
        joined.append(hours)
      }
    }
    facts.hours = joined
    for (index, one) in joined.enumerated() {
      if one.times.contains(where: one.times.haveOther(overlapping:)) {
        return contradict("times that overlap")
      }
      for other in joined[..<index]
      where other.namesDays == one.namesDays && other.mayShareDays(with: one) {
        // `営業時間 9:00-17:00 … 営業時間 9:00-17:00` only repeats itself.
        if !one.namesDays, other.times == one.times { continue }
        if one.weekdays & other.weekdays != 0 || one.includesHolidays && other.includesHolidays {
          return contradict("two sets of times for one day")
        }
      }
    }
    if facts.openDays.contains(where: { !$0.isOfWeekdays && $0.days != .publicHolidays }) {
      contradict("open on dates")
    }
  }

  private mutating func timedRules() -> [HoursRule] {
    let openDays = facts.openDays.flatMap { days($0).joined() }
    guard !facts.hours.isEmpty else {
      return [rule(openDays.isEmpty ? [] : [openDays], .unknown, Self.notStated)]
    }
    // Rules for all days first, then those that exclude holidays.
    let ordered =
      facts.hours.filter { !$0.namesDays }
      + facts.hours.filter { $0.namesDays && $0.excludesHolidays && !$0.includesHolidays }
      + facts.hours.filter { $0.namesDays && !($0.excludesHolidays && !$0.includesHolidays) }
    var rules: [HoursRule] =
      leavesSaturdaysOpen
      ? [rule([[.weekday(5)]], .unknown, Self.notStated)] : []
    if facts.otherMonths != 0 {
      rules.append(rule([Self.months(facts.otherMonths)], .unknown, Self.notStated))
    }
    for hours in ordered {
      var days = Self.days(hours)
      if !hours.namesDays, !openDays.isEmpty { days = [openDays] }
      rules.append(rule(days, .open, times: Self.merged(hours.times)))
      if hours.excludesHolidays, !hours.includesHolidays, !speaksOfHolidays {
        moved.append(
          rule([Self.selectors(hours.weekdays), Self.holidays], .unknown, Self.notStated))
      }
    }
    return rules
  }

  /// Whether the text gives weekdays and Sundays or holidays, as in
  /// `平日 11:00~21:30 日祝 11:00~20:30`, and leaves Saturdays undecided.
  private var leavesSaturdaysOpen: Bool {
    func hasSaturdays(_ days: UInt8) -> Bool { days >> 5 & 1 == 1 }
    func isOfSaturdays(_ item: WrittenFacts.Item) -> Bool {
      if case .weekdays(let days, nths: _) = item.days { return hasSaturdays(days) }
      return false
    }
    return facts.hours.contains(where: \.excludesHolidays)
      && facts.hours.contains { $0.weekdays >> 6 & 1 == 1 || $0.includesHolidays }
      && facts.hours.allSatisfy { $0.namesDays && !hasSaturdays($0.weekdays) }
      && !facts.openDays.contains(where: isOfSaturdays)
      && !facts.closings.contains(where: isOfSaturdays)
  }

  /// Merges the weekdays and holidays that are closed unconditionally.
  private mutating func joinClosedDays() {
    var weekdays: UInt8 = 0
    var nths: [UInt16] = Array(repeating: 0, count: 7)
    var hasHolidays = false
    var others: [HoursRule] = []
    for rule in closed {
      guard rule.days.count == 1, rule.comment == nil, let group = rule.days.first,
        group.allSatisfy({ $0.isPlainDay })
      else {
        others.append(rule)
        continue
      }
      for selector in group {
        switch selector {
        case .weekdays: weekdays |= selector.weekdayMask
        case .nthWeekdays(let weekday, let more, _): nths[weekday] |= more
        default: hasHolidays = true
        }
      }
    }
    var list = Self.selectors(weekdays)
    for weekday in 0..<7 where nths[weekday] != 0 && weekdays >> UInt8(weekday) & 1 == 0 {
      list.append(.nthWeekdays(weekday: weekday, nths: nths[weekday], offset: 0))
    }
    if hasHolidays { list.append(.publicHolidays(offset: 0)) }
    closed = (list.isEmpty ? [] : [rule([list], .closed)]) + others
  }

  private static func merged(_ times: [TimeSpan]) -> [TimeSpan] {
    var seen: [TimeSpan] = []
    for time in times where !seen.contains(time) { seen.append(time) }
    return seen
  }

  static func days(_ hours: WrittenFacts.Hours) -> [[DaySelector]] {
    let months = hours.months == 0 ? [] : [months(hours.months)]
    if !hours.namesDays { return months }
    var days = selectors(hours.weekdays, nths: hours.nths)
    if hours.includesHolidays { days.append(.publicHolidays(offset: 0)) }
    return months + [days]
  }

  static let allMonths: UInt16 = 0x1FFE

  /// Months as ranges, one of which may pass December.
  private static func months(_ months: UInt16) -> [DaySelector] {
    func has(_ month: Int) -> Bool { months >> UInt16(month) & 1 == 1 }
    // No month of the whole year has one before it that is left out.
    if months == allMonths { return [.months(first: 1, last: 12)] }
    return (1...12).filter { has($0) && !has(($0 + 10) % 12 + 1) }.map { first in
      var last = first
      while has(last % 12 + 1) { last = last % 12 + 1 }
      return .months(first: first, last: last)
    }
  }

  /// Weekdays as ranges.
  static func selectors(_ days: UInt8, nths: UInt16 = 0) -> [DaySelector] {
    var result: [DaySelector] = []
    for weekday in 0..<7 where days >> UInt8(weekday) & 1 == 1 {
      if nths != 0 {
        result.append(.nthWeekdays(weekday: weekday, nths: nths, offset: 0))
      } else if case .weekdays(let first, let last)? = result.last, last == weekday - 1 {
        result[result.count - 1] = .weekdays(first: first, last: weekday)
      } else {
        result.append(.weekday(weekday))
      }
    }
    // Two days in a row are written one by one.
    return result.flatMap { selector -> [DaySelector] in
      guard case .weekdays(let first, let last) = selector, last == first + 1 else {
        return [selector]
      }
      return [.weekday(first), .weekday(last)]
    }
  }
}

extension WrittenFacts.Hours {
  fileprivate func isOfSameDays(as other: WrittenFacts.Hours) -> Bool {
    namesDays == other.namesDays && weekdays == other.weekdays && nths == other.nths
      && months == other.months
      && includesHolidays == other.includesHolidays && excludesHolidays == other.excludesHolidays
  }
}

extension DaySelector {
  /// Whether the selector is a weekday, an nth weekday or a public holiday without an offset.
  fileprivate var isPlainDay: Bool {
    switch self {
    case .weekdays(let first, let last): first <= last
    case .nthWeekdays(_, _, 0), .publicHolidays(0): true
    default: false
    }
  }
}
