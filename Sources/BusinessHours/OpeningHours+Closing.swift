extension OpeningHours {
  /// Hours that end, or rest: closed on every day from one to another, and as they were on all others.
  ///
  ///     let mart = OpeningHours.closing(try OpeningHours("10:00-22:00"), from: lastDay + 1, to: nil)
  ///
  /// What begins the evening before goes on past midnight.
  ///
  /// - Parameters:
  ///   - hours: The hours otherwise; nil for *unknown*.
  ///   - first: The first closed day, in days since 1970-01-01; nil for all days before `last`.
  ///   - last: The last closed day; nil for all days from `first` on.
  /// - Complexity: O(rules).
  public static func closing(
    _ hours: OpeningHours?, from first: Int?, to last: Int?
  ) -> OpeningHours {
    // The days that are left, as one more condition on every rule: where no rule speaks, it is closed,
    // and no fallback speaks either.
    var left: [DaySelector] = []
    if let first {
      left.append(
        .dates(
          DateRange(
            start: DatePoint(day: CivilDay.number(1, 1, 1)), end: .date(DatePoint(day: first - 1)),
            step: 1)))
    }
    if let last {
      left.append(.dates(DateRange(start: DatePoint(day: last + 1), end: .never, step: 1)))
    }
    guard !left.isEmpty else {
      return OpeningHours(rules: [
        HoursRule(operator: .normal, days: [], times: [], state: .closed, comment: nil)
      ])
    }
    let rules =
      hours?.rules ?? [
        HoursRule(operator: .normal, days: [], times: [], state: .unknown, comment: nil)
      ]
    return OpeningHours(
      rules: rules.map { rule in
        var rule = rule
        rule.days.insert(left, at: 0)
        return rule
      })
  }
}

extension DatePoint {
  /// One day of one year.
  fileprivate init(day: Int) {
    let parts = CivilDay.parts(day)
    self.init(year: parts.year, day: .day(month: parts.month, day: parts.day), offset: 0)
  }
}
