/// The days that a rule allows; omitted parts are taken from its start.
struct RecurrenceDays {
  let rule: RecurrenceRule
  private let months: UInt16
  private let monthDays: [Int]
  /// The weekdays without a number.
  private let weekdays: UInt8
  private let hasNths: Bool

  init(_ rule: RecurrenceRule, startingAt start: LocalTime) {
    self.rule = rule
    var months = rule.months
    var monthDays = rule.monthDays
    var weekdays: UInt8 = 0
    for day in rule.weekdays where day.nth == nil { weekdays |= 1 << UInt8(day.weekday) }
    let date = start.date
    if rule.weeks.isEmpty, rule.yearDays.isEmpty, monthDays.isEmpty, rule.weekdays.isEmpty {
      switch rule.frequency {
      case .yearly:
        if months.isEmpty { months = [date.month] }
        monthDays = [date.day]
      case .monthly: monthDays = [date.day]
      case .weekly: weekdays = 1 << UInt8(CivilDay.weekday(start.day))
      default: break
      }
    }
    self.months = months.reduce(0) { $0 | 1 << UInt16($1) }
    self.monthDays = monthDays
    self.weekdays = weekdays
    hasNths = rule.weekdays.contains { $0.nth != nil }
  }

  /// Whether the rule allows any day of a month; if not, the month can be skipped.
  func allows(month: Int) -> Bool { months == 0 || months >> UInt16(month) & 1 == 1 }

  func contains(_ day: Int, _ date: CivilDay.Parts) -> Bool {
    guard allows(month: date.month) else { return false }
    if !monthDays.isEmpty {
      let length = CivilDay.daysInMonth(date.year, date.month)
      guard Self.isNamed(date.day, of: length, in: monthDays) else { return false }
    }
    if weekdays != 0 || hasNths {
      guard weekdays >> UInt8(CivilDay.weekday(day)) & 1 == 1 || hasNths && isNth(day, date)
      else { return false }
    }
    if !rule.yearDays.isEmpty {
      let (first, length) = Self.year(date.year)
      guard Self.isNamed(day - first + 1, of: length, in: rule.yearDays) else { return false }
    }
    if !rule.weeks.isEmpty {
      let (week, count) = week(of: day)
      guard Self.isNamed(week, of: count, in: rule.weeks) else { return false }
    }
    return true
  }

  /// Whether numbers, some of which may count from the end, name a place among `count`.
  private static func isNamed(_ place: Int, of count: Int, in numbers: [Int]) -> Bool {
    numbers.contains { $0 == place || $0 == place - count - 1 }
  }

  /// Whether a day is one of the nth of its weekday: in its year, or in its month if the rule is
  /// monthly or names months.
  private func isNth(_ day: Int, _ date: CivilDay.Parts) -> Bool {
    var (first, length) = Self.year(date.year)
    if rule.frequency == .monthly || !rule.months.isEmpty {
      (first, length) = (day - date.day + 1, CivilDay.daysInMonth(date.year, date.month))
    }
    let weekday = CivilDay.weekday(day)
    let fromStart = (day - first) / 7 + 1
    let fromEnd = -((first + length - 1 - day) / 7 + 1)
    return rule.weekdays.contains {
      $0.weekday == weekday && ($0.nth == fromStart || $0.nth == fromEnd)
    }
  }

  /// The first day and the number of days of a year.
  private static func year(_ year: Int) -> (first: Int, length: Int) {
    (CivilDay.number(year, 1, 1), CivilDay.isLeap(year) ? 366 : 365)
  }

  /// The week number of a day and the number of weeks in its year; week 1 has at least four days of the year.
  private func week(of day: Int) -> (week: Int, count: Int) {
    // The fourth day of a week decides its year.
    let start = rule.beginningOfWeek(day)
    let year = CivilDay.parts(start + 3).year
    let first = firstWeek(of: year)
    return ((start - first) / 7 + 1, (firstWeek(of: year + 1) - first) / 7)
  }

  /// The first day of week 1 of a year.
  private func firstWeek(of year: Int) -> Int { rule.beginningOfWeek(CivilDay.number(year, 1, 4)) }
}

extension RecurrenceRule {
  /// The first day of the week of a day.
  func beginningOfWeek(_ day: Int) -> Int { day - (CivilDay.weekday(day) - weekStart + 7) % 7 }
}

/// The times of day of a rule, without listing every combination of hour, minute and second.
struct RecurrenceTimes {
  /// Numbers of 0 to 59 in order.
  struct Numbers {
    let numbers: [Int]
    private let mask: UInt64

    init(_ numbers: [Int]) {
      let mask = numbers.reduce(0 as UInt64) { $0 | 1 << UInt64($1) }
      self.numbers = (0..<60).filter { mask >> UInt64($0) & 1 == 1 }
      self.mask = mask
    }

    var count: Int { numbers.count }
    func contains(_ number: Int) -> Bool { mask >> UInt64(number) & 1 == 1 }
    func count(below number: Int) -> Int { (mask & (1 << UInt64(number) - 1)).nonzeroBitCount }
  }

  let hours: Numbers
  let minutes: Numbers
  let seconds: Numbers
  /// The number of times in a day; 0 if none can ever occur.
  let count: Int

  init(_ rule: RecurrenceRule, startingAt start: LocalTime) {
    let clock = start.clock
    // An omitted part finer than the period is taken from the start; an omitted coarser part allows any value.
    func numbers(
      _ list: [Int], _ own: Int, _ all: Range<Int>, finer: RecurrenceRule.Frequency
    ) -> Numbers {
      if !list.isEmpty { return Numbers(list.filter { $0 < all.upperBound }) }
      return Numbers(rule.frequency.rawValue > finer.rawValue ? [own] : Array(all))
    }
    hours = numbers(rule.hours, clock.hour, 0..<24, finer: .hourly)
    minutes = numbers(rule.minutes, clock.minute, 0..<60, finer: .minutely)
    seconds = numbers(rule.seconds, clock.second, 0..<60, finer: .secondly)
    let count = hours.count * minutes.count * seconds.count
    self.count = Self.areReached(hours, minutes, seconds, rule, start) ? count : 0
  }

  /// The second of the nth time of a day.
  func second(at place: Int) -> Int {
    hours.numbers[place / (minutes.count * seconds.count)] * 3600
      + minutes.numbers[place / seconds.count % minutes.count] * 60
      + seconds.numbers[place % seconds.count]
  }

  /// The number of times before a second of the day.
  func count(before second: Int) -> Int {
    let (hour, minute) = (second / 3600, second / 60 % 60)
    var count = hours.count(below: hour) * minutes.count * seconds.count
    guard hours.contains(hour) else { return count }
    count += minutes.count(below: minute) * seconds.count
    return minutes.contains(minute) ? count + seconds.count(below: second % 60) : count
  }

  /// Whether periods of hours, minutes or seconds ever reach one of the times: they reach exactly the times of day that
  /// differ from the start by a multiple of the gcd of their length and a day.
  private static func areReached(
    _ hours: Numbers, _ minutes: Numbers, _ seconds: Numbers, _ rule: RecurrenceRule,
    _ start: LocalTime
  ) -> Bool {
    guard let unit = rule.frequency.unit else { return true }
    var (common, rest) = (86_400, unit * rule.interval)
    while rest != 0 { (common, rest) = (rest, common % rest) }
    let origin = start.secondOfDay - start.secondOfDay % unit
    let rests = Set((unit == 1 ? seconds.numbers : [0]).map { $0 % common })
    return hours.numbers.contains { hour in
      (unit < 3600 ? minutes.numbers : [0]).contains { minute in
        let wanted = (origin - hour * 3600 - minute * 60) % common
        return rests.contains((wanted + common) % common)
      }
    }
  }
}
