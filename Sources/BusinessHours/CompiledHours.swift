/// The rules of a value as flat tables without references, for fast answers.
struct CompiledHours: Sendable {
  /// One rule.
  struct Rule {
    var conditions: Range<Int32>
    var spans: Range<Int32>
    var state: OpenState
    /// Whether the rule replaces the rules before it on its days.
    var clears: Bool
    var isFallback: Bool
    /// Whether the rule has no times and lasts from midnight to midnight.
    var isWholeDay: Bool
    /// Whether the rule closes a day: it removes spans that begin on the day, but not those that continue from the
    /// night before.
    var isDayOff: Bool
    /// How many days after its own day a span may end.
    var spill: Int8
    /// How many days before its own day a span may begin: 1 if the sun begins one.
    var lead: Int8
    /// The years to which the rule applies.
    var years: ClosedRange<Int32>
    /// Whether the rule's days depend on years only.
    var isOfYearsOnly: Bool
  }

  /// One day selector; a rule applies when each group has a matching selector.
  struct Condition {
    enum Kind: UInt8 {
      /// a: bit mask of weekdays.
      case weekdays
      /// a: weekday, b: nths, c: offset.
      case nthWeekdays
      /// a, b, c: first, last, step.
      case years, weeks
      /// a: bit mask of months.
      case months
      /// a, b: first and last as month × 32 + day.
      case monthDays
      /// a: index of the span.
      case dates
      /// a: the month, b: bit mask of its days.
      case daysOfMonth
      /// a: the number of the day.
      case day
      /// a: offset.
      case publicHolidays, schoolHolidays
    }
    var kind: Kind
    var startsGroup: Bool
    var a: Int32 = 0
    var b: Int32 = 0
    var c: Int32 = 0
  }

  /// One span of times.
  struct Span {
    enum Ending: UInt8 { case time, open, openAfter, times }
    /// Minutes, or minutes after the sun's event.
    var start: Int32
    var end: Int32
    var startEvent: SunEvent?
    var endEvent: SunEvent?
    var ending: Ending
    /// Whether the end is on the next day.
    var wraps: Bool
    /// The assumed end of an open-ended span.
    var guess: Int32
    /// The span of the rule that ends the open end, or −1.
    var cut: Int32
  }

  struct Uses: OptionSet {
    let rawValue: UInt8
    static let publicHolidays = Uses(rawValue: 1)
    static let schoolHolidays = Uses(rawValue: 2)
    static let sun = Uses(rawValue: 4)
    /// Conditions other than weekdays and holidays.
    static let dates = Uses(rawValue: 8)
  }

  private(set) var rules: [Rule] = []
  private(set) var conditions: [Condition] = []
  var spans: [Span] = []
  private(set) var dates: [DateRange] = []
  var uses: Uses = []
  /// How many days after its own day a span of any rule may end.
  private(set) var spill = 0
  /// How many days before its own day a span of any rule may begin.
  private(set) var lead = 0
  /// Whether the last rule that applies to a minute decides it: no span continues from another day, no rule depends on
  /// those before it, and few enough holidays are named to try every case.
  private(set) var hasLastWord = false

  init(_ source: [HoursRule]) {
    rules.reserveCapacity(source.count)
    for rule in source { add(rule) }
    spill = Int(rules.lazy.map(\.spill).max() ?? 0)
    lead = Int(rules.lazy.map(\.lead).max() ?? 0)
    for condition in conditions {
      switch condition.kind {
      case .weekdays: continue
      case .publicHolidays: uses.insert(.publicHolidays)
      case .schoolHolidays: uses.insert(.schoolHolidays)
      default: uses.insert(.dates)
      }
    }
    let holidays = conditions.lazy.filter {
      $0.kind == .publicHolidays || $0.kind == .schoolHolidays
    }
    hasLastWord =
      spill == 0 && lead == 0 && !rules.contains(where: \.isFallback)
      && holidays.count <= DayFacts.maximumUnknown
  }

  private mutating func add(_ source: HoursRule) {
    let firstCondition = Int32(conditions.count)
    let firstSpan = Int32(spans.count)
    var years: ClosedRange<Int32> = -100_000...100_000
    for group in source.days {
      let bounds = add(group)
      let first = max(years.lowerBound, bounds.lowerBound)
      years = first...max(first, min(years.upperBound, bounds.upperBound))
    }
    for time in source.times { add(time) }
    setCuts(from: Int(firstSpan))
    let own = spans[Int(firstSpan)...]
    let isWholeDay =
      source.times.isEmpty
      || source.times == [TimeSpan(start: .clock(0), end: .time(.clock(1440)))]
    rules.append(
      Rule(
        conditions: firstCondition..<Int32(conditions.count),
        spans: firstSpan..<Int32(spans.count), state: source.state,
        clears: source.operator == .normal && source.state != .closed,
        isFallback: source.operator == .fallback, isWholeDay: isWholeDay,
        isDayOff: source.times.isEmpty && source.state == .closed
          && source.operator != .fallback,
        spill: Int8(own.map(\.spill).max() ?? 0),
        lead: own.contains { $0.startEvent != nil } ? 1 : 0, years: years,
        isOfYearsOnly: conditions[Int(firstCondition)...].allSatisfy { $0.kind == .years }))
  }

  /// Adds a group, and returns the years in which it can match.
  private mutating func add(_ group: [DaySelector]) -> ClosedRange<Int32> {
    let start = conditions.count
    var first: Int32 = 100_000
    var last: Int32 = -100_000
    func widen(_ range: ClosedRange<Int>) {
      first = min(first, Int32(range.lowerBound))
      last = max(last, Int32(range.upperBound))
    }
    let always = -100_000...100_000
    // Merge plain weekdays and months into one mask each.
    var weekdays: Int32 = 0
    var months: Int32 = 0
    for selector in group {
      var condition = Condition(kind: .weekdays, startsGroup: false)
      var reach = always
      switch selector {
      case .weekdays(let from, let to):
        var day = from
        while true {
          weekdays |= 1 << Int32(day)
          if day == to { break }
          day = (day + 1) % 7
        }
        widen(always)
        continue
      case .months(let from, let to):
        var month = from
        while true {
          months |= 1 << Int32(month)
          if month == to { break }
          month = month % 12 + 1
        }
        widen(always)
        continue
      case .nthWeekdays(let weekday, let nths, let offset):
        condition.kind = .nthWeekdays
        (condition.a, condition.b, condition.c) = (Int32(weekday), Int32(nths), Int32(offset))
      case .years(let from, let to, let step):
        condition.kind = .years
        (condition.a, condition.b, condition.c) = (Int32(from), Int32(to), Int32(step))
        reach = from...to
      case .weeks(let from, let to, let step):
        condition.kind = .weeks
        (condition.a, condition.b, condition.c) = (Int32(from), Int32(to), Int32(step))
      case .publicHolidays(let offset):
        condition.kind = .publicHolidays
        condition.a = Int32(offset)
      case .schoolHolidays(let offset):
        condition.kind = .schoolHolidays
        condition.a = Int32(offset)
      case .dates(let span):
        if let keys = span.monthDayKeys, keys.first == keys.last {
          let days = Int32(bitPattern: 1 << UInt32(keys.first % 32))
          condition.kind = .daysOfMonth
          (condition.a, condition.b) = (Int32(keys.first / 32), days)
          // Merge days of one month into one mask.
          if let last = conditions[start...].last, last.kind == .daysOfMonth,
            last.a == condition.a
          {
            conditions[conditions.count - 1].b |= days
            continue
          }
        } else if let keys = span.monthDayKeys {
          condition.kind = .monthDays
          (condition.a, condition.b) = (Int32(keys.first), Int32(keys.last))
        } else if let day = span.onlyDay {
          condition.kind = .day
          condition.a = day
          reach = span.years
        } else {
          condition.kind = .dates
          condition.a = Int32(dates.count)
          dates.append(span)
          reach = span.years
        }
      }
      widen(reach)
      conditions.append(condition)
    }
    if weekdays == 0x7F || months == 0x1FFE {
      // The mask has every day.
      conditions.removeLast(conditions.count - start)
      return -100_000...100_000
    }
    // Weekdays first, since they are the fastest to test.
    if weekdays != 0 {
      conditions.insert(Condition(kind: .weekdays, startsGroup: false, a: weekdays), at: start)
    }
    if months != 0 {
      conditions.insert(Condition(kind: .months, startsGroup: false, a: months), at: start)
    }
    conditions[start].startsGroup = true
    return first...max(first, last)
  }
}

extension DateRange {
  /// First and last as month × 32 + day, if they are the same in every year.
  fileprivate var monthDayKeys: (first: Int, last: Int)? {
    guard step == 1, start.year == nil, !start.isShifted, case .day(let month, let day) = start.day
    else { return nil }
    let first = month * 32 + day
    switch end {
    case .single: return (first, first)
    case .date(let last):
      guard last.year == nil, !last.isShifted, case .day(let month, let day) = last.day else {
        return nil
      }
      return (first, month * 32 + day)
    case .never: return nil
    }
  }

  /// The number of the only day in the span; nil if it has several days or none.
  fileprivate var onlyDay: Int32? {
    guard end == .single, start.year != nil else { return nil }
    return start.number(in: 0, isStart: true).flatMap { Int32(exactly: $0) }
  }

  /// The years that the span can reach.
  fileprivate var years: ClosedRange<Int> {
    let margin = 2
    switch end {
    case .single:
      guard let year = start.year else { return -100_000...100_000 }
      // Only an offset or a weekday can move the date out of its year.
      let reach = start.isShifted ? margin : 0
      return (year - reach)...(year + reach)
    case .never: return ((start.year ?? -100_000) - margin)...100_000
    case .date(let last):
      switch (start.year, last.year) {
      case (let from?, let to?): return (from - margin)...(to + margin)
      case (let from?, nil): return (from - margin)...(from + margin)
      case (nil, let to?): return (to - margin)...(to + margin)
      case (nil, nil): return -100_000...100_000
      }
    }
  }
}
