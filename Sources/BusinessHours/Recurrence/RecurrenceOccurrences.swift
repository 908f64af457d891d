/// The occurrences of a rule in their order, made one after the other.
///
/// They end with the rule's own end, with the year 9999, or after ``maximumEmptyPeriods`` periods in a row without
/// an occurrence: `BYMONTH=2;BYMONTHDAY=30` ends at once.
public struct RecurrenceOccurrences: Sequence, IteratorProtocol {
  /// How many periods may be empty one after the other: 547 years of days, more than the 400 after which the
  /// Gregorian calendar repeats.
  public static let maximumEmptyPeriods = 200_000

  private let rule: RecurrenceRule
  private let start: LocalTime
  private let days: RecurrenceDays
  /// Seconds of the day at which a day's occurrences are, for periods of days and longer.
  private let times: [Int]
  /// The number of the next period, from that of the start, a multiple of the interval.
  private var period = 0
  /// The occurrences of the last period, last first.
  private var waiting: [LocalTime] = []
  private var remaining: Int
  private var isOver = false

  init(_ rule: RecurrenceRule, startingAt start: LocalTime, from first: LocalTime?) {
    self.rule = rule
    self.start = start
    days = RecurrenceDays(rule, startingAt: start)
    remaining = rule.count ?? .max
    times = Self.times(rule, start)
    // With a count every occurrence before has to be counted.
    if let first, first > start, rule.count == nil { skip(to: first) }
  }

  private static func times(_ rule: RecurrenceRule, _ start: LocalTime) -> [Int] {
    guard rule.frequency.rawValue >= RecurrenceRule.Frequency.daily.rawValue else { return [] }
    let clock = start.clock
    var times: [Int] = []
    for hour in rule.hours.isEmpty ? [clock.hour] : rule.hours {
      for minute in rule.minutes.isEmpty ? [clock.minute] : rule.minutes {
        for second in rule.seconds.isEmpty ? [clock.second] : rule.seconds where second < 60 {
          times.append(hour * 3600 + minute * 60 + second)
        }
      }
    }
    return times.sorted()
  }

  /// The next occurrence; nil behind the last.
  ///
  /// - Complexity: O(days of a period × times of a day) where the next period has one.
  public mutating func next() -> LocalTime? {
    guard remaining > 0 else { return nil }
    var empty = 0
    while waiting.isEmpty {
      guard !isOver, empty < Self.maximumEmptyPeriods else { return nil }
      fill()
      empty += 1
    }
    let time = waiting.removeLast()
    if let until = rule.until, time > until {
      remaining = 0
      return nil
    }
    if remaining != .max { remaining -= 1 }
    return time
  }

  // MARK: Periods

  private static let lastDay = CivilDay.number(9999, 12, 31)

  /// Gathers the occurrences of the next period.
  private mutating func fill() {
    switch rule.frequency {
    case .secondly, .minutely, .hourly: fillWithinDay()
    default: fillDays()
    }
  }

  /// The days of a period, from that of the start on.
  private func daysOfPeriod(_ number: Int) -> Range<Int> {
    switch rule.frequency {
    case .yearly:
      let year = start.date.year + number
      return CivilDay.number(year, 1, 1)..<CivilDay.number(year + 1, 1, 1)
    case .monthly:
      let (year, month, _) = start.date
      let months = year * 12 + month - 1 + number
      let first = CivilDay.number(months / 12, months % 12 + 1, 1)
      return first..<(first + CivilDay.daysInMonth(months / 12, months % 12 + 1))
    case .weekly:
      let own = start.day - (CivilDay.weekday(start.day) - rule.weekStart + 7) % 7
      return (own + 7 * number)..<(own + 7 * number + 7)
    default: return (start.day + number)..<(start.day + number + 1)
    }
  }

  private mutating func fillDays() {
    let range = daysOfPeriod(period)
    guard range.lowerBound <= Self.lastDay else {
      isOver = true
      return
    }
    if let until = rule.until, range.lowerBound > until.day {
      isOver = true
      return
    }
    period += rule.interval
    var found: [LocalTime] = []
    var day = range.lowerBound
    while day < range.upperBound {
      if rule.frequency == .yearly {
        // Whole months can be left out.
        let date = CivilDay.parts(day)
        if date.day == 1, !days.allows(month: date.month) {
          day += CivilDay.daysInMonth(date.year, date.month)
          continue
        }
      }
      if days.contains(day) {
        for time in times { found.append(LocalTime(day: day, secondOfDay: time)) }
      }
      day += 1
    }
    keep(found)
  }

  /// Keeps the positions that the rule names, from the start on.
  private mutating func keep(_ found: [LocalTime]) {
    var kept = found
    if !rule.positions.isEmpty {
      kept = found.enumerated().filter { place, _ in
        rule.positions.contains(place + 1) || rule.positions.contains(place - found.count)
      }.map(\.element)
    }
    waiting = kept.filter { $0 >= start }.reversed()
  }

  // MARK: Hours, minutes and seconds

  private var unit: Int {
    switch rule.frequency {
    case .hourly: 3600
    case .minutely: 60
    default: 1
    }
  }

  /// Where the period of the start begins.
  private var origin: Int64 {
    start.seconds - (start.seconds % Int64(unit) + Int64(unit)) % Int64(unit)
  }

  private mutating func fillWithinDay() {
    let place = origin + Int64(period) * Int64(unit)
    let time = LocalTime(seconds: place)
    guard time.day <= Self.lastDay, rule.until.map({ time <= $0 }) ?? true else {
      isOver = true
      return
    }
    guard days.contains(time.day) else {
      skip(toSeconds: (Int64(time.day) + 1) * 86_400)
      return
    }
    let clock = time.clock
    if !rule.hours.isEmpty, !rule.hours.contains(clock.hour) {
      skip(toSeconds: place - place % 3600 + 3600)
      return
    }
    if unit < 3600, !rule.minutes.isEmpty, !rule.minutes.contains(clock.minute) {
      skip(toSeconds: place - place % 60 + 60)
      return
    }
    period += rule.interval
    if unit == 1, !rule.seconds.isEmpty, !rule.seconds.contains(clock.second) { return }
    let own = start.clock
    var found: [LocalTime] = []
    let minutes =
      unit < 3600 ? [clock.minute] : rule.minutes.isEmpty ? [own.minute] : rule.minutes.sorted()
    let seconds =
      unit < 60 ? [clock.second] : rule.seconds.isEmpty ? [own.second] : rule.seconds.sorted()
    for minute in minutes {
      for second in seconds where second < 60 {
        found.append(
          LocalTime(day: time.day, secondOfDay: clock.hour * 3600 + minute * 60 + second))
      }
    }
    keep(found)
  }

  /// Goes on to the first period that begins at some second or after it, at least one on.
  private mutating func skip(toSeconds target: Int64) {
    let step = Int64(rule.interval) * Int64(unit)
    let steps = (target - origin + step - 1) / step
    period = Swift.max(period + rule.interval, Int(steps) * rule.interval)
  }

  /// Goes on to the period that holds a reading.
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
  /// As in dateutil, the start counts only where it fits the rule.
  public func occurrences(startingAt start: LocalTime) -> RecurrenceOccurrences {
    RecurrenceOccurrences(self, startingAt: start, from: nil)
  }

  /// The occurrences from one reading to before another, of a rule that starts at a third.
  ///
  /// - Parameter limit: How many at most.
  /// - Complexity: Without ``count`` what lies before `first` is skipped; with it, it is counted.
  public func occurrences(
    startingAt start: LocalTime, from first: LocalTime, before end: LocalTime, limit: Int = .max
  ) -> [LocalTime] {
    var found: [LocalTime] = []
    for time in RecurrenceOccurrences(self, startingAt: start, from: first) {
      guard time < end, found.count < limit else { break }
      if time >= first { found.append(time) }
    }
    return found
  }
}
