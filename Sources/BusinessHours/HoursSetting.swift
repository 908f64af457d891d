import Geodesy

/// What the rules depend on besides the value: holidays, the sun and the time zone.
///
///     let setting = HoursSetting(publicHolidays: .korea, utcOffset: { _ in 9 * 3600 })
public struct HoursSetting: Sendable {
  /// Public holidays (`PH`); if nil, days on which they would change the answer are *unknown*.
  public var publicHolidays: HolidayCalendar?
  /// School holidays (`SH`); nil works as for public holidays.
  public var schoolHolidays: HolidayCalendar?
  /// Times of the sun; if nil, rules that need them are *unknown*.
  public var sun: SunTimes?
  /// The UTC offset of the zone's clocks at an instant, in seconds, positive east of Greenwich.
  ///
  /// The package reads no zone data; a closure can pass the system's.
  public var utcOffset: @Sendable (Instant) -> Int

  /// Makes a setting; omitted values are unknown, and the default zone is UTC.
  public init(
    publicHolidays: HolidayCalendar? = nil, schoolHolidays: HolidayCalendar? = nil,
    sun: SunTimes? = nil, utcOffset: @escaping @Sendable (Instant) -> Int = { _ in 0 }
  ) {
    self.publicHolidays = publicHolidays
    self.schoolHolidays = schoolHolidays
    self.sun = sun
    self.utcOffset = utcOffset
  }
}

extension HoursSetting {
  /// The local time of the place at an instant.
  public func localTime(at instant: Instant) -> LocalTime {
    LocalTime(seconds: instant.seconds + Int64(utcOffset(instant)))
  }
}
