import BusinessHours
import Geodesy

/// A source's information on whether a place is in business, and when it is not.
///
///     let record = mart.business
///     record.status(on: CalendarDate("2026-11-23")!)  // .closedDown(since: 2015-08-27)
///
/// It does not depend on today's date: ask it about any day.
public struct BusinessRecord: Hashable, Sendable {
  /// How a place is out of business.
  public enum Absence: Hashable, Sendable {
    /// Temporarily.
    case suspended
    /// Permanently.
    case closedDown
  }

  /// How the place is out of business on some days; nil if the source says nothing about that.
  public var absence: Absence?
  /// The days of the absence, with open ends if none is given; unused without an absence.
  public var days: DateSpan
  /// Whether the source gives the first of these days itself, not only its month or year.
  public var namesFirstDay: Bool
  /// Whether the source says that the place is in business on other days.
  public var saysInBusiness: Bool

  /// Makes a record; without arguments it says nothing.
  public init(
    absence: Absence? = nil, days: DateSpan = DateSpan(first: nil, last: nil),
    namesFirstDay: Bool = true, saysInBusiness: Bool = false
  ) {
    self.absence = absence
    self.days = days
    self.namesFirstDay = namesFirstDay
    self.saysInBusiness = saysInBusiness
  }

  /// Whether the place is in business on a day.
  public func status(on day: CalendarDate) -> BusinessStatus {
    switch absence {
    case .suspended? where days.contains(day): .suspended
    case .closedDown? where days.contains(day):
      .closedDown(since: namesFirstDay ? days.first : nil)
    default:
      // A place that closes later is still in business.
      saysInBusiness || absence != nil && days.first.map({ day < $0 }) ?? false
        ? .inBusiness : .unknown
    }
  }

  /// Whether the place is in business at an instant, in its own time zone.
  public func status(at instant: Instant, setting: HoursSetting) -> BusinessStatus {
    guard absence != nil else { return saysInBusiness ? .inBusiness : .unknown }
    return CalendarDate(dayNumber: setting.localTime(at: instant).day).map(status(on:)) ?? .unknown
  }

  /// The opening hours with this record applied: closed on the days when the place is out of business.
  ///
  /// - Parameter hours: The hours on other days; nil if unknown.
  /// - Returns: The same hours if the record has no absence.
  public func applied(to hours: OpeningHours?) -> OpeningHours? {
    guard absence != nil else { return hours }
    return .closing(hours, from: days.first?.dayNumber, to: days.last?.dayNumber)
  }
}
