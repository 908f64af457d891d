/// The days that a rule allows; omitted parts are taken from its start.
struct RecurrenceDays {
  let rule: RecurrenceRule
  private let months: UInt16
  private let monthDays: Set<Int>
  private let weekdays: UInt8
  private let yearDays: Set<Int>
  private let weeks: Set<Int>
  /// The nth numbers of each weekday, if the rule has any.
  private let numbered: [Set<Int>]

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
    self.monthDays = Set(monthDays)
    self.weekdays = weekdays
    yearDays = Set(rule.yearDays)
    weeks = Set(rule.weeks)
    var numbered = [Set<Int>](repeating: [], count: 7)
    for day in rule.weekdays {
      if let nth = day.nth { numbered[day.weekday].insert(nth) }
    }
    self.numbered = rule.weekdays.contains { $0.nth != nil } ? numbered : []
  }

  /// Whether the rule allows any day of a month; if not, the month can be skipped.
  func allows(month: Int) -> Bool { months == 0 || months >> UInt16(month) & 1 == 1 }

  func contains(_ day: Int, _ date: CivilDay.Parts) -> Bool {
    guard allows(month: date.month) else { return false }
    if !monthDays.isEmpty {
      let length = CivilDay.daysInMonth(date.year, date.month)
      guard monthDays.contains(date.day) || monthDays.contains(date.day - length - 1) else {
        return false
      }
    }
    let weekday = CivilDay.weekday(day)
    if weekdays != 0 || !numbered.isEmpty {
      guard
        weekdays >> UInt8(weekday) & 1 == 1
          || !numbered.isEmpty && isNth(numbered[weekday], day, date)
      else { return false }
    }
    if !yearDays.isEmpty {
      let first = CivilDay.number(date.year, 1, 1)
      let length = CivilDay.isLeap(date.year) ? 366 : 365
      let place = day - first + 1
      guard yearDays.contains(place) || yearDays.contains(place - length - 1) else {
        return false
      }
    }
    if !weeks.isEmpty {
      let (week, count) = week(of: day)
      guard weeks.contains(week) || weeks.contains(week - count - 1) else { return false }
    }
    return true
  }

  /// Whether a day is one of the nth of its weekday: in its year, or in its month if the rule is
  /// monthly or names months.
  private func isNth(_ nths: Set<Int>, _ day: Int, _ date: CivilDay.Parts) -> Bool {
    guard !nths.isEmpty else { return false }
    let first: Int
    let length: Int
    if rule.frequency == .monthly || !rule.months.isEmpty {
      first = day - date.day + 1
      length = CivilDay.daysInMonth(date.year, date.month)
    } else {
      first = CivilDay.number(date.year, 1, 1)
      length = CivilDay.isLeap(date.year) ? 366 : 365
    }
    return nths.contains((day - first) / 7 + 1)
      || nths.contains(-((first + length - 1 - day) / 7 + 1))
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
  private func firstWeek(of year: Int) -> Int {
    rule.beginningOfWeek(CivilDay.number(year, 1, 4))
  }
}

extension RecurrenceRule {
  /// The first day of the week of a day.
  func beginningOfWeek(_ day: Int) -> Int { day - (CivilDay.weekday(day) - weekStart + 7) % 7 }
}
