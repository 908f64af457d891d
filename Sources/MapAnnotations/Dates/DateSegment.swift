/// Which days a list or map is of: the deals of today, of tomorrow, of this month, or all.
public enum DateSegment: Hashable, Sendable {
  /// The day that it is.
  case today
  /// The day after.
  case tomorrow
  /// From today to the end of the month.
  case thisMonth
  /// One day.
  case on(CalendarDate)
  /// A run of days, both ends in it: a week of a calendar, or ``CalendarDate/wholeMonth``.
  case during(ClosedRange<CalendarDate>)
  /// Every day: nothing is left out.
  case all

  /// The days of the segment; nil for all.
  ///
  /// - Parameter today: The place's own date; nobody here asks a clock.
  public func days(today: CalendarDate) -> ClosedRange<CalendarDate>? {
    switch self {
    case .today: return today...today
    case .tomorrow:
      guard let day = today.adding(days: 1) else { return today...today }
      return day...day
    case .thisMonth: return today...today.endOfMonth
    case .on(let day): return day...day
    case .during(let days): return days
    case .all: return nil
    }
  }
}
