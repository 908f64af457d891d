/// The rules of a value as flat tables without references, for answering.
struct CompiledHours: Sendable {
  /// One rule.
  struct Rule {
    var conditions: Range<Int32>
    var spans: Range<Int32>
    var state: OpenState
    /// It stands in place of the rules before it, on its days.
    var clears: Bool
    var isFallback: Bool
    /// No times: from midnight to midnight.
    var isWholeDay: Bool
    /// A closed day: takes away what begins on it, and leaves what the night before brought.
    var isDayOff: Bool
    /// How many days after its own a span may end.
    var spill: Int8
    /// The years outside which it says nothing.
    var years: ClosedRange<Int32>
    /// Nothing but years decides it.
    var isOfYearsOnly: Bool
  }

  /// One selector of days; a rule holds when every group has one that holds.
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
    /// The end is on the next day.
    var wraps: Bool
    /// The guessed end of an open one.
    var guess: Int32
    /// The span of the rule that ends the guess, or −1.
    var cut: Int32
  }

  struct Uses: OptionSet {
    let rawValue: UInt8
    static let publicHolidays = Uses(rawValue: 1)
    static let schoolHolidays = Uses(rawValue: 2)
    static let sun = Uses(rawValue: 4)
  }

  private(set) var rules: [Rule] = []
  private(set) var conditions: [Condition] = []
  private(set) var spans: [Span] = []
  private(set) var dates: [DateSpan] = []
  private(set) var uses: Uses = []

  init(_ source: [HoursRule]) {
    rules.reserveCapacity(source.count)
    for rule in source { add(rule) }
    for condition in conditions {
      if condition.kind == .publicHolidays { uses.insert(.publicHolidays) }
      if condition.kind == .schoolHolidays { uses.insert(.schoolHolidays) }
    }
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
        spill: Int8(own.map(\.spill).max() ?? 0), years: years,
        isOfYearsOnly: conditions[Int(firstCondition)...].allSatisfy { $0.kind == .years }))
  }

  /// Adds a group, and gives the years that it can hold in.
  private mutating func add(_ group: [DaySelector]) -> ClosedRange<Int32> {
    let start = conditions.count
    var first: Int32 = 100_000
    var last: Int32 = -100_000
    func widen(_ range: ClosedRange<Int>) {
      first = min(first, Int32(range.lowerBound))
      last = max(last, Int32(range.upperBound))
    }
    let always = -100_000...100_000
    // Plain weekdays and months become one mask.
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
        if let keys = span.monthDayKeys {
          condition.kind = .monthDays
          (condition.a, condition.b) = (Int32(keys.first), Int32(keys.last))
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
      // Every day.
      conditions.removeLast(conditions.count - start)
      return -100_000...100_000
    }
    if weekdays != 0 {
      conditions.append(Condition(kind: .weekdays, startsGroup: false, a: weekdays))
    }
    if months != 0 { conditions.append(Condition(kind: .months, startsGroup: false, a: months)) }
    conditions[start].startsGroup = true
    return first...max(first, last)
  }

  private mutating func add(_ time: TimeSpan) {
    var span = Span(
      start: 0, end: 0, startEvent: nil, endEvent: nil, ending: .time, wraps: false, guess: 0,
      cut: -1)
    func take(_ point: TimePoint) -> (Int32, SunEvent?) {
      switch point {
      case .clock(let minute): return (Int32(minute), nil)
      case .sun(let event, let offset):
        uses.insert(.sun)
        return (Int32(offset), event)
      }
    }
    (span.start, span.startEvent) = take(time.start)
    let end: TimePoint
    switch time.end {
    case .time(let point): end = point
    case .open:
      span.ending = .open
      end = time.start
    case .openAfter(let point):
      span.ending = .openAfter
      end = point
    case .times(let point, _):
      span.ending = .times
      end = point
    }
    (span.end, span.endEvent) = take(end)
    if span.ending != .open {
      let isEqual = end.nominal == time.start.nominal
      span.wraps =
        end.nominal < time.start.nominal
        || (isEqual && span.startEvent == nil && span.endEvent == nil)
    }
    span.guess = Int32(Self.guessedEnd(after: end.nominal + (span.wraps ? 1440 : 0)))
    spans.append(span)
  }

  /// Until when a place with an open end may be open: midnight by day, ten hours on from 17:00,
  /// eight from 22:00. All of that time is *unknown*, so the guess only bounds it.
  private static func guessedEnd(after minute: Int) -> Int {
    switch minute % 1440 {
    case ..<1020: minute - minute % 1440 + 1440
    case ..<1320: minute + 600
    default: minute + 480
    }
  }

  /// An open end is over when the rule's next span starts.
  private mutating func setCuts(from first: Int) {
    for index in spans.indices[first...] where spans[index].ending != .time {
      let end = spans[index].nominalEnd
      var cut: Int?
      for other in spans.indices[first...] where other != index {
        let start = spans[other].nominalStart
        if start > end, cut.map({ start < spans[$0].nominalStart }) ?? true { cut = other }
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

  /// How many days after its own the span may end.
  fileprivate var spill: Int {
    let last = ending == .open || ending == .openAfter ? Int(guess) : nominalEnd
    // The sun may set hours after its nominal time.
    let sure = startEvent == nil && endEvent == nil ? last : last + 720
    return min(2, max(0, (sure - 1) / 1440))
  }
}

extension DateSpan {
  /// First and last as month × 32 + day, when every year has the same.
  fileprivate var monthDayKeys: (first: Int, last: Int)? {
    guard step == 1, start.year == nil, start.offset == 0, case .day(let month, let day) = start.day
    else { return nil }
    let first = month * 32 + day
    switch end {
    case .single: return (first, first)
    case .date(let last):
      guard last.year == nil, last.offset == 0, case .day(let month, let day) = last.day else {
        return nil
      }
      return (first, month * 32 + day)
    case .never: return nil
    }
  }

  /// The years that the span can reach into.
  fileprivate var years: ClosedRange<Int> {
    let margin = 2
    switch end {
    case .single:
      return start.year.map { ($0 - margin)...($0 + margin) } ?? -100_000...100_000
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
