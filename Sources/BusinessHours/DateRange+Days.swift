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
      case (_?, _?):
        return holds(day, start.number(in: 0, isStart: true), last.number(in: 0, isStart: false))
      case (let from?, nil):
        // Until the end's first day after the start.
        guard let first = start.number(in: from, isStart: true) else { return false }
        return holds(day, first, self.end(after: first, from: from, last))
      case (nil, let to?):
        // From the start's last day before the end.
        guard let final = last.number(in: to, isStart: false) else { return false }
        for year in [to, to - 1] {
          if let first = start.number(in: year, isStart: true), first <= final {
            return holds(day, first, final)
          }
        }
        return false
      case (nil, nil):
        return (year - 1...year + (start.offset < 0 ? 1 : 0)).contains { candidate in
          guard let first = start.number(in: candidate, isStart: true) else { return false }
          return holds(day, first, self.end(after: first, from: candidate, last))
        }
      }
    }
  }

  private func end(after first: Int, from year: Int, _ last: DatePoint) -> Int? {
    guard let same = last.number(in: year, isStart: false) else { return nil }
    // `Jan Mo[-1]-15` ends in its own month, or never begins.
    return same >= first || isInOneMonth(last) ? same : last.number(in: year + 1, isStart: false)
  }

  private func isInOneMonth(_ last: DatePoint) -> Bool {
    if case .day = start.day, case .day = last.day { return false }
    return start.month != nil && start.month == last.month
      && start.offset == 0 && last.offset == 0
  }

  private func holds(_ day: Int, _ first: Int?, _ last: Int?) -> Bool {
    guard let first, let last else { return false }
    return day >= first && day <= last && (day - first) % step == 0
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
}
