extension OpeningHours {
  /// Whether a place does not open on a day; nil where the hours do not say.
  ///
  /// A night that began the day before and ends by noon is no opening of the day.
  ///
  /// - Parameters:
  ///   - day: Days since 1970-01-01, by the place's clock.
  ///   - setting: The place's time zone, holidays and times of the sun.
  /// - Complexity: O(spans × rules).
  public func isClosed(on day: Int, setting: HoursSetting = HoursSetting()) -> Bool? {
    let start = LocalTime(day: day, secondOfDay: 0)
    let noon = LocalTime(day: day, secondOfDay: 43_200)
    var stretches = intervals(
      from: start, to: LocalTime(day: day + 1, secondOfDay: 0), setting: setting)[...]
    if let first = stretches.first, first.answer.state != .closed, first.end <= noon,
      state(at: LocalTime(seconds: start.seconds - 60), setting: setting) != .closed
    {
      stretches = stretches.dropFirst()
    }
    if stretches.contains(where: { $0.answer.state == .open }) { return false }
    return stretches.contains { $0.answer.state == .unknown } ? nil : true
  }

  /// The first of some days on which a place does not open, and whether it may be an earlier one.
  ///
  /// - Parameters:
  ///   - day: The first day that is asked, in days since 1970-01-01; it counts.
  ///   - days: How many days are asked.
  ///   - setting: The place's time zone, holidays and times of the sun.
  /// - Returns: `closed` is nil where none of the days is certain to be closed; `unsaid` is the first day before
  ///   `closed` of which the hours do not say, nil where all do.
  /// - Complexity: O(days × spans × rules) up to the closed day.
  public func nextClosing(
    from day: Int, days: Int, setting: HoursSetting = HoursSetting()
  ) -> (closed: Int?, unsaid: Int?) {
    var unsaid: Int?
    for day in day..<day + max(0, days) {
      switch isClosed(on: day, setting: setting) {
      case true?: return (day, unsaid)
      case nil: unsaid = unsaid ?? day
      case false?: continue
      }
    }
    return (nil, unsaid)
  }
}
