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

// The clock of a place, which converts instants to local times and back across clock changes.
//
// `OpeningHoursLanguage.md` says which local times count then. So intervals of instants never overlap.

extension HoursSetting {
  /// The local time of the place at an instant.
  public func localTime(at instant: Instant) -> LocalTime {
    LocalTime(seconds: instant.seconds + Int64(utcOffset(instant)))
  }

  private func offset(at second: Int64) -> Int { utcOffset(Instant(seconds: second)) }

  /// The longest backward change of clocks, in seconds, and the time after it in which a local time
  /// may be repeated.
  private static let window: Int64 = 3 * 3600

  /// The latest local time shown up to an instant.
  func reading(at instant: Instant) -> LocalTime {
    let second = instant.seconds
    let offset = offset(at: second)
    let before = self.offset(at: second - Self.window)
    guard before > offset else { return LocalTime(seconds: second + Int64(offset)) }
    let jump = transition(from: second - Self.window, to: second, before)
    return LocalTime(seconds: max(second + Int64(offset), jump + Int64(before) - 1))
  }

  /// The first instant at which the place's clock shows a time, or jumps past it when clocks go
  /// forward.
  public func instant(of time: LocalTime) -> Instant {
    let seconds = time.seconds
    let before = offset(at: seconds - 86_400)
    let after = offset(at: seconds + 86_400)
    guard before != after else { return Instant(seconds: seconds - Int64(before)) }
    let jump = transition(from: seconds - 86_400, to: seconds + 86_400, before)
    if seconds - Int64(before) < jump { return Instant(seconds: seconds - Int64(before)) }
    return Instant(seconds: max(jump, seconds - Int64(after)))
  }

  /// The first second with an offset other than `before`, by bisection.
  private func transition(from: Int64, to: Int64, _ before: Int) -> Int64 {
    var (low, high) = (from, to)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if offset(at: middle) == before { low = middle } else { high = middle }
    }
    return high
  }
}
