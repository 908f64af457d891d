/// The days that a list or map covers: today, tomorrow, this month, or all.
public enum DateSegment: Hashable, Sendable {
  /// The current day.
  case today
  /// The next day; on 9999-12-31, the last date, the same day.
  case tomorrow
  /// From today to the end of the month.
  case thisMonth
  /// One day.
  case on(CalendarDate)
  /// A range of days, both ends included: a week of a calendar, or ``CalendarDate/wholeMonth``.
  case during(ClosedRange<CalendarDate>)
  /// Every day.
  case all

  /// The days of the segment; nil for all.
  ///
  /// - Parameter today: The place's own date; no function here reads a clock.
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
