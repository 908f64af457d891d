extension OpeningHours {
  /// Whether a place does not open on a day; nil if the hours leave it undecided.
  ///
  /// A night that began the day before and ends by noon does not count as opening.
  ///
  /// - Parameters:
  ///   - day: Days since 1970-01-01, in local time.
  ///   - setting: The place's time zone, holidays and times of the sun.
  /// - Complexity: O(spans × rules).
  public func isClosed(on day: Int, setting: HoursSetting = HoursSetting()) -> Bool? {
    let start = LocalTime(day: day, secondOfDay: 0)
    let noon = LocalTime(seconds: start.seconds + 43_200)
    var stretches = intervals(
      from: start, to: LocalTime(seconds: start.seconds + 86_400), setting: setting)[...]
    if let first = stretches.first, first.answer.state != .closed, first.end <= noon,
      state(at: LocalTime(seconds: start.seconds - 60), setting: setting) != .closed
    {
      stretches = stretches.dropFirst()
    }
    if stretches.contains(where: { $0.answer.state == .open }) { return false }
    return stretches.contains { $0.answer.state == .unknown } ? nil : true
  }

  /// The first day in a range on which a place does not open, and the first undecided day before it.
  ///
  /// - Parameters:
  ///   - day: The first day of the range, in days since 1970-01-01.
  ///   - days: The number of days in the range, which ends with the year 9999 at the latest.
  ///   - setting: The place's time zone, holidays and times of the sun.
  /// - Returns: `closed` is nil if no day is certain to be closed; `unsaid` is the first undecided day before `closed`,
  ///   or nil.
  /// - Complexity: O(days × spans × rules) up to the closed day.
  public func nextClosing(
    from day: Int, days: Int, setting: HoursSetting = HoursSetting()
  ) -> (closed: Int?, unsaid: Int?) {
    var unsaid: Int?
    let (sum, isBeyond) = day.addingReportingOverflow(max(0, days))
    let end = isBeyond ? OpeningHours.dayAfterAll : min(sum, OpeningHours.dayAfterAll)
    for day in day..<max(day, end) {
      switch isClosed(on: day, setting: setting) {
      case true?: return (day, unsaid)
      case nil: unsaid = unsaid ?? day
      case false?: continue
      }
    }
    return (nil, unsaid)
  }
}
