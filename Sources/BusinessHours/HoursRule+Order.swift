extension HoursRule {
  /// The parts of a rule in the specification's order.
  enum Part: Comparable {
    case start, years, dates, weeks, weekdays, times, state, comment
  }

  /// The conditions in the specification's order; those of one part keep theirs.
  var orderedDays: [[DaySelector]] {
    [Part.years, .dates, .weeks, .weekdays].flatMap { part in days.filter { $0.part == part } }
  }

  /// Puts the conditions in the specification's order and into one form, so that different
  /// spellings with the same meaning are equal.
  mutating func orderDays() {
    guard days.count > 1 else { return }
    days = orderedDays
    joinMonthAndWeekday()
    joinYearAndDates()
  }

  /// The index of the only condition of a part; nil if there are several or none.
  private func onlyIndex(of part: Part) -> Int? {
    let places = days.indices.filter { days[$0].part == part }
    return places.count == 1 ? places[0] : nil
  }

  /// `Feb: Su[1]` is the date `Feb Su[1]`.
  private mutating func joinMonthAndWeekday() {
    guard let months = onlyIndex(of: .dates), let weekdays = onlyIndex(of: .weekdays),
      days[months].count == 1, days[weekdays].count == 1,
      case .months(let month, let last) = days[months][0], month == last,
      case .nthWeekdays(let weekday, let nths, let offset) = days[weekdays][0],
      nths.nonzeroBitCount == 1
    else { return }
    let bit = nths.trailingZeroBitCount
    let point = DatePoint(
      day: .nthWeekday(month: month, weekday: weekday, nth: bit < 5 ? bit + 1 : 4 - bit),
      offset: offset)
    days[months] = [.dates(DateRange(start: point))]
    days.remove(at: weekdays)
  }

  /// `Jan 01 2026` is the date `2026 Jan 01`; a year and months stay two conditions.
  private mutating func joinYearAndDates() {
    guard let years = onlyIndex(of: .years), let dates = onlyIndex(of: .dates),
      let year = days[years].onlyYear, days[dates].allSatisfy({ $0.canTake(year: year) }),
      !days[dates].allSatisfy(\.isMonths)
    else { return }
    days[dates] = days[dates].flatMap { $0.inYear(year) }
    days.remove(at: years)
  }
}

extension [DaySelector] {
  /// The part of a rule to which a condition belongs.
  var part: HoursRule.Part {
    switch first {
    case .years?: .years
    case .months?, .dates?: .dates
    case .weeks?: .weeks
    default: .weekdays
    }
  }

  /// The year of a condition that is one year.
  var onlyYear: Int? {
    guard count == 1, case .years(first: let year, last: let last, step: 1) = self[0], year == last
    else { return nil }
    return year
  }
}

extension DaySelector {
  /// One weekday, 0 for Monday to 6 for Sunday.
  static func weekday(_ weekday: Int) -> DaySelector { .weekdays(first: weekday, last: weekday) }

  var isMonths: Bool { if case .months = self { true } else { false } }

  /// Whether a year can be written before the selector: before months, and before a date or span of every year.
  ///
  /// 29 February can only have a leap year.
  fileprivate func canTake(year: Int) -> Bool {
    switch self {
    case .months: return true
    case .dates(let span):
      guard span.start.year == nil, span.isWithinYear else { return false }
      guard case .day(let month, let day) = span.start.day else { return true }
      return CivilDay.exists(year, month, day)
    default: return false
    }
  }

  /// The months, date or span of every year, in one year: the year in which a span begins, and all of the months.
  func inYear(_ year: Int) -> [DaySelector] {
    switch self {
    case .months(let first, let last):
      // As where a year and months are two conditions, `2026 Nov-Feb` is four months of 2026.
      guard first <= last else {
        return DaySelector.months(first: 1, last: last).inYear(year)
          + DaySelector.months(first: first, last: 12).inYear(year)
      }
      let lastDay = CivilDay.daysInMonth(year, last)
      return [
        .dates(
          DateRange(
            start: DatePoint(year: year, day: .day(month: first, day: 1)),
            end: .date(DatePoint(day: .day(month: last, day: lastDay)))))
      ]
    case .dates(var span):
      // For days of one month, both ends have the year.
      if case .day(let month, let first) = span.start.day, case .date(var last) = span.end,
        case .day(month, let day) = last.day, day > first
      {
        last.year = year
        last.day = .day(month: month, day: min(day, CivilDay.daysInMonth(year, month)))
        span.end = .date(last)
      }
      span.start.year = year
      return [.dates(span)]
    default: return [self]
    }
  }
}
