import Geodesy

/// What the rules of a place refer to beside its own value: holidays, the sun and the zone.
///
///     let setting = HoursSetting(publicHolidays: .korea, utcOffset: { _ in 9 * 3600 })
public struct HoursSetting: Sendable {
  /// Public holidays (`PH`); nil when they are not known, and then days on which they would change
  /// the answer are *unknown*.
  public var publicHolidays: HolidayCalendar?
  /// School holidays (`SH`), likewise.
  public var schoolHolidays: HolidayCalendar?
  /// Times of the sun; nil makes the rules that need them *unknown*.
  public var sun: SunTimes?
  /// Seconds that the zone's clocks are ahead of UTC at an instant.
  ///
  /// The package reads no zone data; the system's are one closure away.
  public var utcOffset: @Sendable (Instant) -> Int

  /// A setting; what is left out is not known, and the clocks show UTC.
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
  /// What the place's clock shows at an instant.
  public func localTime(at instant: Instant) -> LocalTime {
    LocalTime(seconds: instant.seconds + Int64(utcOffset(instant)))
  }

  /// The first instant at which the place's clock shows a time, or has passed it where the clock is
  /// put forward over it.
  public func instant(of time: LocalTime) -> Instant {
    ZoneClock(self).instant(of: time)
  }
}
