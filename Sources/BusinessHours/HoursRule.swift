/// One rule of an opening-hours value: on which days, at what times, in which state.
///
/// The parts follow the OpenStreetMap specification of `opening_hours`, version 0.7.3:
/// https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification
public struct HoursRule: Hashable, Sendable {
  /// How a rule stands to those before it.
  public enum Operator: Hashable, Sendable {
    /// `;`: on the days it names, it stands in place of the rules before it.
    case normal
    /// `,`: it adds to the rules before it.
    case additional
    /// `||`: it speaks where the rules before it leave the place closed.
    case fallback
  }

  /// How the rule stands to those before it; of no meaning in the first.
  public var `operator`: Operator
  /// The days: every list must have a selector that holds; empty means every day.
  public var days: [[DaySelector]]
  /// The times of those days; empty means from midnight to midnight.
  public var times: [TimeSpan]
  /// What the place is then.
  public var state: OpenState
  /// What the mapper says about it.
  public var comment: String?
}

/// Whether a place is open: a fact with three answers.
public enum OpenState: UInt8, Hashable, Sendable {
  /// Nobody is let in.
  case closed
  /// Come in.
  case open
  /// The value, the holidays or the position do not tell.
  case unknown
}

/// A choice of days.
public enum DaySelector: Hashable, Sendable {
  /// Years from first to last, every `step`th. An open end is the year 9999.
  case years(first: Int, last: Int, step: Int)
  /// Months 1 to 12; past December when `last` is less.
  case months(first: Int, last: Int)
  /// Dates from one to another.
  case dates(DateRange)
  /// ISO weeks 1 to 53, every `step`th; past the year's end when `last` is less.
  case weeks(first: Int, last: Int, step: Int)
  /// Weekdays 0 (Monday) to 6 (Sunday); past Sunday when `last` is less.
  case weekdays(first: Int, last: Int)
  /// The days `offset` days after the nth such weekdays of a month: bit n − 1 is the nth from the
  /// start (1 to 5), bit 4 + n the nth from the end.
  case nthWeekdays(weekday: Int, nths: UInt16, offset: Int)
  /// The days `offset` days after public holidays.
  case publicHolidays(offset: Int)
  /// The days `offset` days after days of school holidays.
  case schoolHolidays(offset: Int)
}

/// The dates from one day to another, both in, or one date alone.
public struct DateRange: Hashable, Sendable {
  /// What ends the span.
  public enum End: Hashable, Sendable {
    /// The first day alone.
    case single
    /// A last day.
    case date(DatePoint)
    /// `+`: no end.
    case never
  }

  /// The first day.
  public var start: DatePoint
  /// The last.
  public var end: End
  /// Every how many days; 1 means all of them.
  public var step: Int
}

/// A date of one year or of every year.
public struct DatePoint: Hashable, Sendable {
  /// Which day of its year.
  public enum Day: Hashable, Sendable {
    /// A day of a month; one beyond the month is its last.
    case day(month: Int, day: Int)
    /// The nth weekday of a month, from its end when negative. A month without it has no such day.
    case nthWeekday(month: Int, weekday: Int, nth: Int)
    /// Easter Sunday.
    case easter
  }

  /// The year, or nil for every year.
  public var year: Int?
  /// Which day of it.
  public var day: Day
  /// The weekday before or after that, in place of it; nil for the day itself.
  public var weekday: WeekdayStep?
  /// Days after that.
  public var offset: Int
}

/// From a date to a weekday before or after it: `Dec 25 -Su` is the Sunday before, which is a week before where
/// the date is a Sunday itself.
public struct WeekdayStep: Hashable, Sendable {
  /// 0 for Monday to 6 for Sunday.
  public var weekday: Int
  /// Whether it is the first after the date, and not the last before.
  public var isAfter: Bool
}

/// A stretch of a day, which may end on the next.
public struct TimeSpan: Hashable, Sendable {
  /// What ends the span.
  public enum End: Hashable, Sendable {
    /// A time; past midnight when it is not after the start.
    case time(TimePoint)
    /// `+` in place of an end: nothing is known of it, and the whole is *unknown*.
    case open
    /// A time and `+`: open until then, *unknown* after.
    case openAfter(TimePoint)
    /// `/hh:mm`: single times, that many minutes apart, until then; *unknown* throughout.
    case times(until: TimePoint, every: Int)
  }

  /// When it starts.
  public var start: TimePoint
  /// When it ends.
  public var end: End
}

/// A time of day, in minutes, or an event of the sun.
public enum TimePoint: Hashable, Sendable {
  /// Minutes since the midnight that begins the day: 0 to 2880, those after 1440 being of the next.
  case clock(Int)
  /// An event of the sun and minutes after it.
  case sun(SunEvent, offset: Int)
}

/// What the sun does at the horizon.
public enum SunEvent: UInt8, Hashable, Sendable, CaseIterable {
  /// Civil dawn: the sun's center is 6° below the horizon, rising.
  case dawn
  /// The sun's upper rim rises over the horizon.
  case sunrise
  /// The sun's upper rim goes under the horizon.
  case sunset
  /// Civil dusk: the sun's center is 6° below the horizon, sinking.
  case dusk
}
