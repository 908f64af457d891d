extension DateRange {
  /// Whether the span holds a day of a year.
  func contains(_ day: Int, year: Int) -> Bool {
    switch end {
    case .single:
      if start.year != nil { return start.number(in: 0, isStart: true) == day }
      // An offset may carry a date into the next year or back.
      return (year - 1...year + 1).contains { candidate in
        (start.offset != 0 || candidate == year)
          && start.number(in: candidate, isStart: true, isAlone: true) == day
      }
    case .never:
      guard let first = start.number(in: year, isStart: true) else { return false }
      return day >= first
    case .date(let last):
      switch (start.year, last.year) {
      case (let from?, let to?): return holds(day, from, last, to)
      case (let from?, nil): return holds(day, from, last, from + yearsToEnd(last))
      case (nil, let to?): return holds(day, to - yearsToEnd(last), last, to)
      case (nil, nil):
        let years = yearsToEnd(last)
        // Offsets carry the ends into other years.
        let later = (max(0, -start.offset) + 364) / 365
        let earlier = years + (max(0, start.offset, last.offset) + 364) / 365
        return (year - earlier...year + later).contains { holds(day, $0, last, $0 + years) }
      }
    }
  }

  private func holds(_ day: Int, _ from: Int, _ last: DatePoint, _ to: Int) -> Bool {
    guard let first = start.number(in: from, isStart: true), day >= first,
      let final = last.number(in: to, isStart: false), day <= final
    else { return false }
    return (day - first) % step == 0
  }

  /// How many years after its start the span ends: 1 for `Dec 25-easter`.
  ///
  /// A usual year decides for every year, so that `easter-Apr 20` has no day in a year whose Easter is later, where it
  /// would else last until the next April.
  private func yearsToEnd(_ last: DatePoint) -> Int {
    // `Jan Mo[-1]-15` ends in its own month, or never begins.
    if isInOneMonth(last) { return 0 }
    let first = start.usualDay
    let final = last.usualDay
    return final >= first ? 0 : final + 366 >= first ? 1 : 2
  }

  private func isInOneMonth(_ last: DatePoint) -> Bool {
    if case .day = start.day, case .day = last.day { return false }
    return start.month != nil && start.month == last.month
      && start.offset == 0 && last.offset == 0
  }
}

extension DateRange {
  /// Whether both ends are days of one month, in order.
  var isInOneMonth: Bool {
    guard case .day(let month, let day) = start.day, case .date(let last) = end,
      case .day(month, let lastDay) = last.day
    else { return false }
    return lastDay > day
  }
}

extension DatePoint {
  /// The day in a year, or in its own; nil where that year lacks it.
  ///
  /// A last day beyond its month is the month's last; a first one the next month's first.
  func number(in other: Int, isStart: Bool, isAlone: Bool = false) -> Int? {
    let year = self.year ?? other
    switch self.day {
    case .easter:
      // As in opening_hours.js, a span to easter ends as that day begins.
      return CivilDay.easter(year) + offset - (isStart ? 0 : 1)
    case .nthWeekday(let month, let weekday, let nth):
      return CivilDay.nthWeekday(nth, weekday, year, month).map { $0 + offset }
    case .day(let month, let day):
      let length = CivilDay.daysInMonth(year, month)
      if day > length && isAlone { return nil }
      return CivilDay.number(year, month, isStart ? day : min(day, length)) + offset
    }
  }

  /// The day of a leap year on which it usually is, counted from 1: Easter on 9 April, as it is by then in half
  /// of the years; an nth weekday in the middle of the week in which it can be.
  var usualDay: Int {
    switch day {
    case .easter: Self.dayOfLeapYear(4, 9) + offset
    case .day(let month, let day): Self.dayOfLeapYear(month, day) + offset
    case .nthWeekday(let month, _, let nth) where nth > 0:
      Self.dayOfLeapYear(month, 7 * nth - 3) + offset
    case .nthWeekday(let month, _, let nth):
      Self.dayOfLeapYear(month, CivilDay.daysInMonth(2000, month) + 7 * nth + 4) + offset
    }
  }

  private static func dayOfLeapYear(_ month: Int, _ day: Int) -> Int {
    (month <= 2 ? 31 * (month - 1) : 60 + (153 * (month - 3) + 2) / 5) + day
  }
}
