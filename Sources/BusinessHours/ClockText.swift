import Geodesy

/// Times as programs read them: ISO 8601, by a place's clock.
package enum ClockText {
  /// An instant by a clock, with its offset: `2026-11-22T14:00+09:00`, with seconds where there are
  /// any, and `Z` for none ahead.
  package static func iso(_ instant: Instant, _ setting: HoursSetting) -> String {
    let offset = setting.utcOffset(instant)
    let local = LocalTime(seconds: instant.seconds + Int64(offset))
    let minutes = abs(offset) / 60
    return iso(local)
      + (offset == 0
        ? "Z" : "\(offset < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))")
  }

  /// A reading of a clock: `2026-11-22T14:00`.
  package static func iso(_ time: LocalTime) -> String { "\(day(time))T\(clock(time))" }

  /// `2026-11-22`.
  package static func day(_ time: LocalTime) -> String {
    let (year, month, day) = time.date
    let digits = String(year)
    return String(repeating: "0", count: max(0, 4 - digits.count))
      + "\(digits)-\(two(month))-\(two(day))"
  }

  /// `14:00`, or `14:00:07`.
  package static func clock(_ time: LocalTime) -> String {
    let (hour, minute, second) = time.clock
    return "\(two(hour)):\(two(minute))" + (second == 0 ? "" : ":\(two(second))")
  }

  /// With a zero in front where it has one digit.
  package static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
