extension DateRange {
  /// Whether the span contains a day of a year.
  func contains(_ day: Int, year: Int) -> Bool {
    switch end {
    case .single:
      if start.year != nil { return start.number(in: 0, isStart: true) == day }
      // An offset or a weekday may move a date into another year.
      let reach = start.isShifted ? start.yearsReached : 0
      return (year - reach...year + reach).contains { candidate in
        start.number(in: candidate, isStart: true, isAlone: true) == day
      }
    case .never:
      guard let first = start.number(in: year, isStart: true) else { return false }
      return day >= first
    case .date(let last):
      let years = yearsToEnd(last)
      if let from = start.year ?? last.year.map({ $0 - years }) {
        return holds(day, from, last, from + years)
      }
      // Offsets may move the ends into other years.
      let later = start.isShifted ? start.yearsReached : 0
      let earlier = years + max(later, last.isShifted ? last.yearsReached : 0)
      return (year - earlier...year + later).contains { holds(day, $0, last, $0 + years) }
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
  /// A typical year decides for every year.
  func yearsToEnd(_ last: DatePoint) -> Int {
    // Within one month, what can end in the same year does: `Apr Su[2]-Apr 10` has no days in most years.
    if mayEndInItsMonth(last) { return 0 }
    let first = start.usualDay
    let final = last.usualDay
    return final >= first ? 0 : final + 366 >= first ? 1 : 2
  }

  /// Whether both ends are in one month, and the last is not before the first in all years.
  private func mayEndInItsMonth(_ last: DatePoint) -> Bool {
    guard start.month != nil, start.month == last.month, !start.isShifted, !last.isShifted,
      let first = start.daysOfMonth, let final = last.daysOfMonth
    else { return false }
    return first.lowerBound <= final.upperBound
  }
}

extension DatePoint {
  /// The day number in a year (the date's own year, if it has one); nil if that year has no such day.
  ///
  /// As the last day of a span, a day beyond its month means the last of that month; as the first day, the first of the
  /// next month.
  func number(in other: Int, isStart: Bool, isAlone: Bool = false) -> Int? {
    let year = self.year ?? other
    let date: Int?
    switch self.day {
    case .easter: date = CivilDay.easter(year)
    case .nthWeekday(let month, let weekday, let nth):
      date = CivilDay.nthWeekday(nth, weekday, year, month)
    case .day(let month, let day):
      let length = CivilDay.daysInMonth(year, month)
      if day > length && isAlone { return nil }
      date = CivilDay.number(year, month, isStart ? day : min(day, length))
    }
    guard let date else { return nil }
    if let weekday { return weekday.day(from: date) + offset }
    // As in opening_hours.js, a span to easter ends when that day begins.
    return date + offset - (day == .easter && !isStart ? 1 : 0)
  }

  /// Whether a weekday or an offset moves the date.
  var isShifted: Bool { weekday != nil || offset != 0 }

  /// How many years the date can be moved at most.
  var yearsReached: Int { (abs(offset) + (weekday == nil ? 0 : 7) + 364) / 365 }

  /// The typical day in a leap year, counted from 1, as <doc:OpeningHoursLanguage> says under *Easter*; likewise for a
  /// weekday before or after a date.
  var usualDay: Int {
    let usual =
      switch day {
      case .easter: Self.dayOfLeapYear(4, 9)
      case .day(let month, let day): Self.dayOfLeapYear(month, day)
      case .nthWeekday(let month, _, let nth) where nth > 0:
        Self.dayOfLeapYear(month, 7 * nth - 3)
      case .nthWeekday(let month, _, let nth):
        Self.dayOfLeapYear(month, CivilDay.daysInMonth(2000, month) + 7 * nth + 4)
      }
    let step = weekday.map { $0.isAfter ? 4 : -4 } ?? 0
    return usual + step + offset
  }

  /// The days of a month on which the date can fall, without offsets; nil for Easter.
  fileprivate var daysOfMonth: ClosedRange<Int>? {
    switch day {
    case .easter: return nil
    case .day(_, let day): return day...day
    case .nthWeekday(_, _, let nth) where nth > 0: return 7 * nth - 6...7 * nth
    case .nthWeekday(let month, _, let nth):
      let end = CivilDay.daysInMonth(2000, month) + 7 * (nth + 1)
      return end - 6...end
    }
  }

  private static func dayOfLeapYear(_ month: Int, _ day: Int) -> Int {
    (month <= 2 ? 31 * (month - 1) : 60 + (153 * (month - 3) + 2) / 5) + day
  }
}

extension WeekdayStep {
  /// The first such weekday after a day, or the last before it; never that day itself.
  ///
  /// Source: Netzwolf, "Explanation of time domain value evaluation", the basis of the `opening_hours` specification:
  /// "Date as day of week after or before another Date". Opening-hours-rs also accepts the day itself.
  func day(from day: Int) -> Int {
    let today = CivilDay.weekday(day)
    return isAfter ? day + (weekday - today + 6) % 7 + 1 : day - (today - weekday + 6) % 7 - 1
  }
}
