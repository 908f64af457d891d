import Geodesy

/// Times as programs read them: ISO 8601, in local time.
package enum ClockText {
  /// An instant in local time with its UTC offset: `2026-11-22T14:00+09:00`, with seconds if they
  /// are not 0, and `Z` for an offset of 0.
  package static func iso(_ instant: Instant, _ setting: HoursSetting) -> String {
    let offset = setting.utcOffset(instant)
    let local = LocalTime(seconds: instant.seconds + Int64(offset))
    return iso(local)
      + (offset == 0 ? "Z" : "\(offset < 0 ? "-" : "+")\(clock(minutes: abs(offset) / 60))")
  }

  /// A local time: `2026-11-22T14:00`.
  package static func iso(_ time: LocalTime) -> String { "\(day(time))T\(clock(time))" }

  /// `2026-11-22`.
  package static func day(_ time: LocalTime) -> String { day(time.day) }

  /// The day by its number, the days since 1970-01-01.
  package static func day(_ number: Int) -> String {
    let (year, month, day) = CivilDay.parts(number)
    return "\(zeroPadded(year, 4))-\(zeroPadded(month))-\(zeroPadded(day))"
  }

  /// Minutes as hours and minutes; hours of the next day continue after 24.
  package static func clock(minutes: Int) -> String {
    "\(zeroPadded(minutes / 60)):\(zeroPadded(minutes % 60))"
  }

  /// `14:00`, or `14:00:07`.
  package static func clock(_ time: LocalTime) -> String {
    let second = time.clock.second
    return clock(minutes: time.secondOfDay / 60) + (second == 0 ? "" : ":\(zeroPadded(second))")
  }
}
