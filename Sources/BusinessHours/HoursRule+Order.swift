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

  /// `Jan 01 2026` is the date `2026 Jan 01`.
  private mutating func joinYearAndDates() {
    guard let years = onlyIndex(of: .years), let dates = onlyIndex(of: .dates),
      days[years].count == 1,
      case .years(let year, let last, let step) = days[years][0], year == last, step == 1,
      days[dates].allSatisfy({ $0.isDateOfEveryYear })
    else { return }
    days[dates] = days[dates].map { $0.withYear(year) }
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
}

extension DaySelector {
  /// One weekday, 0 for Monday to 6 for Sunday.
  static func weekday(_ weekday: Int) -> DaySelector { .weekdays(first: weekday, last: weekday) }

  var isMonths: Bool { if case .months = self { true } else { false } }

  /// Whether the selector is a date or span that can take a year before it.
  fileprivate var isDateOfEveryYear: Bool {
    guard case .dates(let span) = self else { return false }
    return span.start.year == nil && span.isWithinYear
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
