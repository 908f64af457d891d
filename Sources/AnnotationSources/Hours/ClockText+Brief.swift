import BusinessHours
import Geodesy

extension ClockText {
  /// For a person who reads it at another instant: the time alone on the same day, `tomorrow`, the
  /// weekday within a week, and else the date.
  static func brief(_ instant: Instant, seenFrom now: Instant, _ setting: HoursSetting) -> String {
    let (time, today) = (setting.localTime(at: instant), setting.localTime(at: now))
    switch time.day - today.day {
    case 0: return clock(time)
    case 1: return "tomorrow \(clock(time))"
    case 2...6:
      let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
      return "\(names[CivilDay.weekday(time.day)]) \(clock(time))"
    default: return "\(day(time)) \(clock(time))"
    }
  }
}
