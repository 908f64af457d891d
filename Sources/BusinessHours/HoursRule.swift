import Geodesy

/// One rule of an opening-hours value: on which days, at what times, in which state.
///
/// The parts follow the OpenStreetMap specification of `opening_hours`, version 0.7.3:
/// https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification
public struct HoursRule: Hashable, Sendable {
  /// How a rule combines with the rules before it.
  public enum Operator: Hashable, Sendable {
    /// `;`: on its days, the rule replaces the rules before it.
    case normal
    /// `,`: the rule adds to the rules before it.
    case additional
    /// `||`: the rule applies where the rules before it leave the place closed.
    case fallback
  }

  /// How the rule combines with those before it; ignored for the first rule.
  public var `operator` = Operator.normal
  /// The days: each inner list must have a matching selector; empty means every day.
  public var days: [[DaySelector]] = []
  /// The times on those days; empty means from midnight to midnight.
  public var times: [TimeSpan] = []
  /// The state of the place at those times.
  public var state: OpenState
  /// The comment in the value.
  public var comment: String?
}

/// Whether a place is open: yes, no or unknown.
public enum OpenState: UInt8, Hashable, Sendable {
  /// The place is closed.
  case closed
  /// The place is open.
  case open
  /// Undecided: the value, the holidays or the position do not determine the state.
  case unknown
}

/// A selection of days.
public enum DaySelector: Hashable, Sendable {
  /// Years from first to last, every `step`th. An open end is the year 9999.
  case years(first: Int, last: Int, step: Int)
  /// Months 1 to 12; wraps past December when `last` is less than `first`.
  case months(first: Int, last: Int)
  /// A span of dates.
  case dates(DateRange)
  /// ISO weeks 1 to 53, every `step`th; wraps past the year's end when `last` is less than `first`.
  case weeks(first: Int, last: Int, step: Int)
  /// Weekdays 0 (Monday) to 6 (Sunday); wraps past Sunday when `last` is less than `first`.
  case weekdays(first: Int, last: Int)
  /// The days `offset` days after the nth weekdays of a month: bit n − 1 is the nth from the start
  /// (1 to 5), bit 4 + n the nth from the end.
  case nthWeekdays(weekday: Int, nths: UInt16, offset: Int)
  /// The days `offset` days after public holidays.
  case publicHolidays(offset: Int)
  /// The days `offset` days after days of school holidays.
  case schoolHolidays(offset: Int)
}

/// The dates from one day to another, both included, or a single date.
public struct DateRange: Hashable, Sendable {
  /// The end of the span.
  public enum End: Hashable, Sendable {
    /// No end: a single day.
    case single
    /// A last day.
    case date(DatePoint)
    /// `+`: no end.
    case never
  }

  /// The first day.
  public var start: DatePoint
  /// The end of the span.
  public var end = End.single
  /// The step in days; 1 means every day.
  public var step = 1
}

/// A date of one year or of every year.
public struct DatePoint: Hashable, Sendable {
  /// A day within its year.
  public enum Day: Hashable, Sendable {
    /// A day of a month; a day beyond the month means its last.
    case day(month: Int, day: Int)
    /// The nth weekday of a month, counted from its end when negative; a month without it has no such day.
    case nthWeekday(month: Int, weekday: Int, nth: Int)
    /// Easter Sunday.
    case easter
  }

  /// The year, or nil for every year.
  public var year: Int?
  /// The day within the year.
  public var day: Day
  /// Moves the date to the weekday before or after it; nil for no such move.
  public var weekday: WeekdayStep?
  /// Days added after that.
  public var offset = 0
}

/// A step from a date to a weekday before or after it.
///
/// `Dec 25 -Su` is the Sunday before 25 December: a week before, if the date is a Sunday itself.
public struct WeekdayStep: Hashable, Sendable {
  /// 0 for Monday to 6 for Sunday.
  public var weekday: Int
  /// Whether the step leads to the first such weekday after the date, not to the last one before it.
  public var isAfter: Bool
}

/// A span of time in a day, which may end on the next day.
public struct TimeSpan: Hashable, Sendable {
  /// The end of the span.
  public enum End: Hashable, Sendable {
    /// A time; on the next day when it is not after the start.
    case time(TimePoint)
    /// `+` instead of an end: the end is unknown, and the whole span is *unknown*.
    case open
    /// A time and `+`: open until that time, *unknown* after it.
    case openAfter(TimePoint)
    /// `/hh:mm` or `/minutes`: single times until the end, that many minutes apart; *unknown* throughout.
    case times(until: TimePoint, every: Int)
  }

  /// The start of the span.
  public var start: TimePoint
  /// The end of the span.
  public var end: End

  static let wholeDay = TimeSpan(start: .clock(0), end: .time(.clock(1440)))
  static let daylight = TimeSpan(
    start: .sun(.sunrise, offset: 0), end: .time(.sun(.sunset, offset: 0)))
}

/// A time of day, in minutes, or an event of the sun.
public enum TimePoint: Hashable, Sendable {
  /// Minutes since the midnight that begins the day: 0 to 2880; values above 1440 are on the next day.
  case clock(Int)
  /// A sun event plus an offset in minutes.
  case sun(SunEvent, offset: Int)
}

/// An event of the sun at the horizon.
public enum SunEvent: UInt8, Hashable, Sendable, CaseIterable {
  /// Civil dawn: the sun's center is 6° below the horizon, rising.
  case dawn
  /// The sun's upper rim rises over the horizon.
  case sunrise
  /// The sun's upper rim sinks below the horizon.
  case sunset
  /// Civil dusk: the sun's center is 6° below the horizon, sinking.
  case dusk
}

extension OpenState: Codable {
  /// Encodes a word: `"open"`, `"closed"` or `"unknown"`.
  public func encode(to encoder: any Encoder) throws { try encoder.encodeAlone("\(self)") }

  /// - Throws: `DecodingError` for any other word.
  public init(from decoder: any Decoder) throws {
    let word = try decoder.singleValueContainer().decode(String.self)
    guard let state = [OpenState.open, .closed, .unknown].first(where: { "\($0)" == word }) else {
      throw decoder.refusal("\"\(word)\" is not a state; write open, closed or unknown")
    }
    self = state
  }
}
