/// The occurrences of a rule in order, computed one at a time.
///
/// The sequence ends with the rule's own end, with the year 9999, or after ``maximumEmptyPeriods``
/// consecutive periods without an occurrence: `BYMONTH=2;BYMONTHDAY=30` ends at once.
public struct RecurrenceOccurrences: Sequence, IteratorProtocol {
  /// The maximum number of consecutive empty periods: 547 years of days, more than the 400 years
  /// after which the Gregorian calendar repeats.
  public static let maximumEmptyPeriods = 200_000

  private let rule: RecurrenceRule
  private let start: LocalTime
  /// The start of the requested span.
  private let first: LocalTime
  /// The end of the requested span, excluded.
  private let end: LocalTime?
  private let days: RecurrenceDays
  private let times: RecurrenceTimes
  /// The number of the next period, counted from the start's; a multiple of the interval.
  private var period = 0
  /// The days of the current period in order, and the index of its next occurrence among their times.
  private var found: [Int] = []
  private var place = 0
  /// The selected occurrences of the current period, last first, for a rule with positions.
  private var waiting: [LocalTime] = []
  private var remaining: Int
  private var isOver = false
  /// How many days and occurrences were examined.
  private(set) var steps = 0
  /// The number of steps after which the search gives up.
  private let maximumSteps: Int

  init(
    _ rule: RecurrenceRule, startingAt start: LocalTime, from first: LocalTime? = nil,
    before end: LocalTime? = nil, maximumSteps: Int = .max
  ) {
    self.rule = rule
    self.start = start
    self.end = end
    self.maximumSteps = maximumSteps
    days = RecurrenceDays(rule, startingAt: start)
    times = RecurrenceTimes(rule, startingAt: start)
    remaining = rule.count ?? .max
    // With a count, every earlier occurrence must be counted.
    self.first = rule.count == nil ? Swift.max(first ?? start, start) : start
    isOver = times.count == 0
    if self.first > start { skip(to: self.first) }
  }

  /// Whether the sequence stopped at ``maximumSteps`` before the rule ended.
  var isGivenUp: Bool { steps >= maximumSteps }

  /// The next occurrence; nil after the last.
  ///
  /// - Complexity: O(days of a period) if the next period has one.
  public mutating func next() -> LocalTime? {
    guard remaining > 0, !isGivenUp else { return nil }
    var empty = 0
    while true {
      if let time = takeNext() {
        if rule.until.map({ time > $0 }) ?? false || end.map({ time >= $0 }) ?? false {
          remaining = 0
          return nil
        }
        steps += 1
        if remaining != .max { remaining -= 1 }
        return time
      }
      guard !isOver, empty < Self.maximumEmptyPeriods, !isGivenUp else { return nil }
      if rule.frequency.unit == nil { fillDays() } else { fillWithinDay() }
      empty += 1
    }
  }

  /// The next remaining occurrence of the current period.
  private mutating func takeNext() -> LocalTime? {
    if let time = waiting.popLast() { return time }
    guard place < found.count * times.count else { return nil }
    defer { place += 1 }
    return time(at: place)
  }

  private func time(at place: Int) -> LocalTime {
    LocalTime(day: found[place / times.count], secondOfDay: times.second(at: place % times.count))
  }

  // MARK: Days

  private static let lastDay = CivilDay.number(9999, 12, 31)

  /// The days of a period; period 0 contains the start.
  private func daysOfPeriod(_ number: Int) -> Range<Int> {
    switch rule.frequency {
    case .yearly:
      let year = start.date.year + number
      return CivilDay.number(year, 1, 1)..<CivilDay.number(year + 1, 1, 1)
    case .monthly:
      let (year, month, _) = start.date
      let months = year * 12 + month - 1 + number
      // Before the year 0, the remainder is negative.
      let rest = (months % 12 + 12) % 12
      let first = CivilDay.number((months - rest) / 12, rest + 1, 1)
      return first..<(first + CivilDay.daysInMonth((months - rest) / 12, rest + 1))
    case .weekly:
      let own = rule.beginningOfWeek(start.day)
      return (own + 7 * number)..<(own + 7 * number + 7)
    default: return (start.day + number)..<(start.day + number + 1)
    }
  }

  /// Whether a day is beyond the requested span.
  private func isBehindEnd(_ day: Int) -> Bool {
    day > Self.lastDay || rule.until.map { day > $0.day } ?? false
      || end.map { LocalTime(day: day, secondOfDay: 0) >= $0 } ?? false
  }

  @inline(never)  // Compiled once, not in every loop over occurrences: it is called once a period.
  private mutating func fillDays() {
    var range = daysOfPeriod(period)
    guard !isBehindEnd(range.lowerBound) else {
      isOver = true
      return
    }
    period += rule.interval
    if rule.positions.isEmpty {
      // Positions count from the period's beginning; without positions only the requested span is examined.
      range = range.clamped(to: first.day..<Swift.max(first.day, end.map { $0.day + 1 } ?? .max))
    }
    found.removeAll(keepingCapacity: true)
    var day = range.lowerBound
    while day < range.upperBound {
      steps += 1
      // Skip whole months.
      let date = CivilDay.parts(day)
      if !days.allows(month: date.month) {
        day += CivilDay.daysInMonth(date.year, date.month) - date.day + 1
        continue
      }
      if days.contains(day, date) { found.append(day) }
      day += 1
    }
    gather()
  }

  /// Keeps the occurrences of the period, or only those at the rule's positions.
  private mutating func gather() {
    let count = found.count * times.count
    place = 0
    guard !rule.positions.isEmpty else {
      if let day = found.first, day == first.day { place = times.count(before: first.secondOfDay) }
      return
    }
    let places = selected(of: count)
    steps += places.count
    waiting = places.reversed().map { time(at: $0) }
    waiting.removeAll { $0 < first }
    place = count
  }

  /// The places to keep of a period's occurrences, in order: all, or those at the rule's positions.
  private func selected(of count: Int) -> [Int] {
    guard !rule.positions.isEmpty else { return Array(0..<count) }
    let places = Set(rule.positions.map { $0 > 0 ? $0 - 1 : count + $0 })
    return places.filter { $0 >= 0 && $0 < count }.sorted()
  }

  // MARK: Hours, minutes and seconds

  private var unit: Int { rule.frequency.unit ?? 1 }

  /// The start of the first period, in seconds.
  private var origin: Int64 { start.seconds - Int64(start.secondOfDay % unit) }

  @inline(never)  // As above.
  private mutating func fillWithinDay() {
    steps += 1
    let time = LocalTime(seconds: origin + Int64(period) * Int64(unit))
    guard !isBehindEnd(time.day), rule.until.map({ time <= $0 }) ?? true,
      end.map({ time < $0 }) ?? true
    else {
      isOver = true
      return
    }
    guard days.contains(time.day, CivilDay.parts(time.day)) else {
      skip(toSeconds: (Int64(time.day) + 1) * 86_400)
      return
    }
    // The times of the day from the first in this period to the first after it.
    let start = times.count(before: time.secondOfDay)
    let count = times.count(before: time.secondOfDay + unit) - start
    guard count > 0 else {
      let next = start < times.count ? times.second(at: start) : 86_400
      skip(toSeconds: Int64(time.day) * 86_400 + Int64(next - next % unit))
      return
    }
    period += rule.interval
    waiting = selected(of: count).reversed().map {
      LocalTime(day: time.day, secondOfDay: times.second(at: start + $0))
    }
    waiting.removeAll { $0 < first }
  }

  /// Advances to the first period that begins at or after a second, by at least one period.
  private mutating func skip(toSeconds target: Int64) {
    let step = Int64(rule.interval) * Int64(unit)
    let steps = (target - origin + step - 1) / step
    period = Swift.max(period + rule.interval, Int(steps) * rule.interval)
  }

  /// Advances to the period that contains a local time.
  private mutating func skip(to first: LocalTime) {
    let number: Int
    switch rule.frequency {
    case .yearly: number = first.date.year - start.date.year
    case .monthly:
      number = (first.date.year - start.date.year) * 12 + first.date.month - start.date.month
    case .weekly: number = (first.day - daysOfPeriod(0).lowerBound) / 7
    case .daily: number = first.day - start.day
    case .hourly, .minutely, .secondly: number = Int((first.seconds - origin) / Int64(unit))
    }
    period = number / rule.interval * rule.interval
  }
}

extension RecurrenceRule {
  /// The occurrences from a start on.
  ///
  /// As in dateutil, the start itself counts only if it matches the rule.
  public func occurrences(startingAt start: LocalTime) -> RecurrenceOccurrences {
    RecurrenceOccurrences(self, startingAt: start)
  }
}
