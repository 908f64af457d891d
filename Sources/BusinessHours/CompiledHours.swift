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
    let kind: Kind
    var startsGroup = false
    let a: Int32
    var b: Int32
    let c: Int32

    /// - Parameter b: As a mask, it may use all 32 bits.
    init(_ kind: Kind, _ a: Int, _ b: Int = 0, _ c: Int = 0) {
      self.kind = kind
      self.a = Int32(a)
      self.b = Int32(truncatingIfNeeded: b)
      self.c = Int32(c)
    }
  }

  /// One span of times.
  struct Span {
    enum Ending: UInt8 { case time, open, openAfter, times }
    /// Minutes, or minutes after the sun's event.
    var start: Int32 = 0
    var end: Int32 = 0
    var startEvent: SunEvent?
    var endEvent: SunEvent?
    var ending = Ending.time
    /// Whether the end is on the next day.
    var wraps = false
    /// The assumed end of an open-ended span.
    var guess: Int32 = 0
    /// The span of the rule that ends the open end, or −1.
    var cut: Int32 = -1
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
    var years = Self.always
    for group in source.days {
      let bounds = add(group)
      let first = max(years.lowerBound, bounds.lowerBound)
      years = first...max(first, min(years.upperBound, bounds.upperBound))
    }
    for time in source.times { add(time) }
    setCuts(from: Int(firstSpan))
    let own = spans[Int(firstSpan)...]
    let isWholeDay = source.times.isEmpty || source.times == [.wholeDay]
    rules.append(
      Rule(
        conditions: firstCondition..<Int32(conditions.count),
        spans: firstSpan..<Int32(spans.count), state: source.state,
        clears: source.operator == .normal && source.state != .closed,
        isFallback: source.operator == .fallback, isWholeDay: isWholeDay,
        isDayOff: source.times.isEmpty && source.state == .closed
          && source.operator != .fallback,
        spill: Int8(own.map(\.spill).max() ?? 0),
        lead: own.contains { $0.startEvent != nil } ? 1 : 0,
        years: Int32(years.lowerBound)...Int32(years.upperBound),
        isOfYearsOnly: conditions[Int(firstCondition)...].allSatisfy { $0.kind == .years }))
  }

  /// Every year that a value can mean.
  fileprivate static let always = -100_000...100_000

  /// Adds a group, and returns the years in which it can match.
  private mutating func add(_ group: [DaySelector]) -> ClosedRange<Int> {
    let start = conditions.count
    var first = Self.always.upperBound
    var last = Self.always.lowerBound
    // Plain weekdays and months become one mask each.
    var weekdays = 0
    var months = 0
    for selector in group {
      var reach = Self.always
      switch selector {
      case .weekdays(let from, let to): weekdays |= Self.mask(from, to, of: 0...6)
      case .months(let from, let to): months |= Self.mask(from, to, of: 1...12)
      case .nthWeekdays(let weekday, let nths, let offset):
        conditions.append(Condition(.nthWeekdays, weekday, Int(nths), offset))
      case .years(let from, let to, let step):
        conditions.append(Condition(.years, from, to, step))
        reach = from...to
      case .weeks(let from, let to, let step): conditions.append(Condition(.weeks, from, to, step))
      case .publicHolidays(let offset): conditions.append(Condition(.publicHolidays, offset))
      case .schoolHolidays(let offset): conditions.append(Condition(.schoolHolidays, offset))
      case .dates(let span):
        add(span, toGroupFrom: start)
        reach = span.years
      }
      first = min(first, reach.lowerBound)
      last = max(last, reach.upperBound)
    }
    if weekdays == 0x7F || months == 0x1FFE {
      // The mask has every day.
      conditions.removeLast(conditions.count - start)
      return Self.always
    }
    // Masks first, since they are the fastest to test.
    if weekdays != 0 { conditions.insert(Condition(.weekdays, weekdays), at: start) }
    if months != 0 { conditions.insert(Condition(.months, months), at: start) }
    conditions[start].startsGroup = true
    return first...max(first, last)
  }

  /// Adds dates to the group of conditions that begins at an index.
  private mutating func add(_ span: DateRange, toGroupFrom start: Int) {
    guard let keys = span.monthDayKeys else {
      if let day = span.onlyDay {
        conditions.append(Condition(.day, day))
      } else {
        conditions.append(Condition(.dates, dates.count))
        dates.append(span)
      }
      return
    }
    guard keys.first == keys.last else {
      conditions.append(Condition(.monthDays, keys.first, keys.last))
      return
    }
    let day = Condition(.daysOfMonth, keys.first / 32, 1 << (keys.first % 32))
    // Days of one month become one mask.
    if let last = conditions[start...].last, last.kind == .daysOfMonth, last.a == day.a {
      conditions[conditions.count - 1].b |= day.b
    } else {
      conditions.append(day)
    }
  }

  /// The bits of the numbers from `first` to `last`; past the end of the range if the last is less.
  static func mask(_ first: Int, _ last: Int, of range: ClosedRange<Int>) -> Int {
    var mask = 0
    for number in range
    where first <= last ? number >= first && number <= last : number >= first || number <= last {
      mask |= 1 << number
    }
    return mask
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
  fileprivate var onlyDay: Int? {
    guard end == .single, start.year != nil else { return nil }
    return start.number(in: 0, isStart: true)
  }

  /// The years that the span can reach.
  fileprivate var years: ClosedRange<Int> {
    let always = CompiledHours.always
    let margin = 2
    switch end {
    case .single:
      guard let year = start.year else { return always }
      // Only an offset or a weekday can move the date out of its year.
      let reach = start.isShifted ? margin : 0
      return (year - reach)...(year + reach)
    case .never: return ((start.year ?? always.lowerBound) - margin)...always.upperBound
    case .date(let last):
      guard let from = start.year ?? last.year, let to = last.year ?? start.year else {
        return always
      }
      return (from - margin)...(to + margin)
    }
  }
}

// Compiles the times of rules into table rows.

extension CompiledHours {
  mutating func add(_ time: TimeSpan) {
    var span = Span()
    func take(_ point: TimePoint) -> (Int32, SunEvent?) {
      switch point {
      case .clock(let minute): return (Int32(minute), nil)
      case .sun(let event, let offset):
        uses.insert(.sun)
        return (Int32(offset), event)
      }
    }
    (span.start, span.startEvent) = take(time.start)
    let end = time.lastPoint ?? time.start
    (span.end, span.endEvent) = take(end)
    span.ending =
      switch time.end {
      case .time: .time
      case .open: .open
      case .openAfter: .openAfter
      case .times: .times
      }
    if span.ending != .open {
      let isEqual = end.nominal == time.start.nominal
      span.wraps =
        end.nominal < time.start.nominal
        || (isEqual && span.startEvent == span.endEvent)
    }
    span.guess = Int32(Self.guessedEnd(after: end.nominal + (span.wraps ? 1440 : 0)))
    spans.append(span)
  }

  /// The latest end assumed for an open-ended span: midnight by day, ten hours later from 17:00,
  /// eight hours later from 22:00 and from any time of the next days.
  ///
  /// All of that time is *unknown*, so the guess only bounds it.
  private static func guessedEnd(after minute: Int) -> Int {
    switch minute {
    case ..<1020: 1440
    case ..<1320: minute + 600
    default: minute + 480
    }
  }

  /// Ends each open-ended span where the rule's next span starts.
  mutating func setCuts(from first: Int) {
    for index in spans.indices[first...] where spans[index].ending != .time {
      let end = spans[index].nominalEnd
      var cut: Int?
      for other in spans.indices[first...] where other != index {
        let start = spans[other].nominalStart
        // `13:00-17:00+,17:00+` is one open end written as two spans.
        let isNext = start > end || start == end && spans[other].ending == .time
        if isNext, cut.map({ start < spans[$0].nominalStart }) ?? true { cut = other }
      }
      if let cut { spans[index].cut = Int32(cut) }
    }
  }
}

extension CompiledHours.Span {
  private func nominal(_ event: SunEvent?, _ minutes: Int32) -> Int {
    event.map { TimePoint.sun($0, offset: Int(minutes)).nominal } ?? Int(minutes)
  }
  fileprivate var nominalStart: Int { nominal(startEvent, start) }
  fileprivate var nominalEnd: Int { nominal(endEvent, end) + (wraps ? 1440 : 0) }

  /// How many days after its own day the span may end.
  var spill: Int {
    let last = ending == .open || ending == .openAfter ? Int(guess) : nominalEnd
    // Sunset may be hours after its nominal time.
    let sure = startEvent == nil && endEvent == nil ? last : last + 720
    return min(2, max(0, (sure - 1) / 1440))
  }
}
