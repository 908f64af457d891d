extension HoursRule {
  /// Puts the conditions in the specification's order and into one form, so that different
  /// spellings with the same meaning are equal.
  mutating func orderDays() {
    guard days.count > 1 else { return }
    var ordered: [[DaySelector]] = []
    for kind in 0...3 { ordered += days.filter { $0.kind == kind } }
    days = ordered
    joinMonthAndWeekday()
    joinYearAndDates()
  }

  /// `Feb: Su[1]` is the date `Feb Su[1]`.
  private mutating func joinMonthAndWeekday() {
    let months = days.indices.filter { days[$0].kind == 1 }
    let weekdays = days.indices.filter { days[$0].kind == 3 }
    guard months.count == 1, weekdays.count == 1, days[months[0]].count == 1,
      days[weekdays[0]].count == 1, case .months(let month, let last) = days[months[0]][0],
      month == last,
      case .nthWeekdays(let weekday, let nths, let offset) = days[weekdays[0]][0],
      nths.nonzeroBitCount == 1
    else { return }
    let bit = nths.trailingZeroBitCount
    let point = DatePoint(
      day: .nthWeekday(month: month, weekday: weekday, nth: bit < 5 ? bit + 1 : 4 - bit),
      offset: offset)
    days[months[0]] = [.dates(DateRange(start: point))]
    days.remove(at: weekdays[0])
  }

  /// `Jan 01 2026` is the date `2026 Jan 01`.
  private mutating func joinYearAndDates() {
    let years = days.indices.filter { days[$0].kind == 0 }
    let dates = days.indices.filter { days[$0].kind == 1 }
    guard years.count == 1, dates.count == 1, days[years[0]].count == 1,
      case .years(let year, let last, let step) = days[years[0]][0], year == last, step == 1,
      days[dates[0]].allSatisfy({ $0.isDateOfEveryYear })
    else { return }
    days[dates[0]] = days[dates[0]].map { $0.withYear(year) }
    days.remove(at: years[0])
  }
}

extension [DaySelector] {
  /// The rank of a condition in the specification's order: years, dates, weeks, weekdays.
  var kind: Int {
    switch first {
    case .years?: 0
    case .months?, .dates?: 1
    case .weeks?: 2
    default: 3
    }
  }
}

extension DaySelector {
  var isMonths: Bool { if case .months = self { true } else { false } }

  /// Whether the selector is a date or span that can take a year before it.
  fileprivate var isDateOfEveryYear: Bool {
    guard case .dates(let span) = self, span.start.year == nil else { return false }
    switch span.end {
    case .single: return true
    case .date(let last): return last.year == nil
    case .never: return false
    }
  }

  /// The same date in one year, or in every year.
  func withYear(_ year: Int?) -> DaySelector {
    guard case .dates(var span) = self else { return self }
    let known = span.start.year
    span.start.year = year
    // For days of one month, both ends have the year.
    if case .date(var last) = span.end, last.year == known, known != nil || span.isInOneMonth {
      last.year = year
      span.end = .date(last)
    }
    return .dates(span)
  }
}
