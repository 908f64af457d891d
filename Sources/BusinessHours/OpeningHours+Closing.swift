extension OpeningHours {
  /// Hours that are closed on every day of a range and unchanged on all other days of the years 1900 to 9999, which the
  /// language can name.
  ///
  ///     let mart = OpeningHours.closing(try OpeningHours("10:00-22:00"), from: lastDay + 1, to: nil)
  ///
  /// Hours that begin the evening before the range continue past midnight. The text of the result can be read back,
  /// unless the hours name dates or years themselves.
  ///
  /// - Parameters:
  ///   - hours: The hours on other days; nil for *unknown*.
  ///   - first: The first closed day, in days since 1970-01-01; nil for all days up to `last`.
  ///   - last: The last closed day; nil for all days from `first` on.
  /// - Complexity: O(rules).
  public static func closing(
    _ hours: OpeningHours?, from first: Int?, to last: Int?
  ) -> OpeningHours {
    // The remaining days become one more condition of every rule: where no rule matches, the place
    // is closed, and no fallback matches either.
    var left: [DaySelector] = []
    let start = CivilDay.number(1900, 1, 1)
    let end = dayAfterAll - 1
    if let first, first > start {
      let before = DatePoint(day: min(first - 1, end))
      left.append(.dates(DateRange(start: DatePoint(day: start), end: .date(before))))
    }
    if let last, last < end {
      let after = DatePoint(day: max(last + 1, start))
      left.append(.dates(DateRange(start: after, end: .never)))
    }
    guard !left.isEmpty else { return OpeningHours(rules: [HoursRule(state: .closed)]) }
    var rules = hours?.rules ?? [HoursRule(state: .unknown)]
    for index in rules.indices { rules[index].days.insert(left, at: 0) }
    return OpeningHours(rules: rules)
  }

  /// The day after the year 9999, with which the language and all searches end.
  static let dayAfterAll = CivilDay.number(10_000, 1, 1)
}

extension DatePoint {
  /// One day of one year.
  init(day: Int) {
    let parts = CivilDay.parts(day)
    self.init(year: parts.year, day: .day(month: parts.month, day: parts.day))
  }
}

extension DateRange {
  /// One day of one year, in days since 1970-01-01.
  init(day: Int) { self.init(start: DatePoint(day: day)) }

  /// One day of every year.
  init(month: Int, day: Int) { self.init(start: DatePoint(day: .day(month: month, day: day))) }
}
