import BusinessHours
import Geodesy

/// A moment as somebody wrote it: an instant once it is known whose clock is meant.
package struct WrittenMoment: Sendable {
  private let text: String
  private let name: String
  private let now: Instant

  /// - Parameters:
  ///   - text: `now`; `14:00`, today; `2026-11-22`, its midnight; `2026-11-22T14:00`, with seconds,
  ///     `Z` or an offset if need be.
  ///   - name: What the text is called where it is mistaken.
  ///   - now: What `now` and *today* are.
  package init(_ text: String, named name: String, now: Instant) {
    self.text = text
    self.name = name
    self.now = now
  }

  /// Whether it is the same by every clock.
  package var isNow: Bool { text.lowercased() == "now" }

  /// The instant by a clock, which counts only where the text has no offset; with one, today is the day at that
  /// offset.
  package func instant(by setting: HoursSetting) throws(ReportedError) -> Instant {
    if isNow { return now }
    do throws(ISOTime.Fault) {
      return try ISOTime(text).instant(by: setting, now: now)
    } catch {
      let fault = error == .date ? "is neither a time nor a date" : error.rawValue
      throw ReportedError(
        "bad-time",
        "\(name) \"\(text)\" \(fault); write now, 14:00 or 2026-11-22T14:00, with +09:00 if needed",
        fault: .usage)
    }
  }
}

extension ClockText {
  /// For a person who reads it at another instant: the time alone on the same day, `tomorrow`, the
  /// weekday within a week, and else the date.
  static func brief(_ instant: Instant, seenFrom now: Instant, _ setting: HoursSetting) -> String {
    let (time, today) = (setting.localTime(at: instant), setting.localTime(at: now))
    switch time.day - today.day {
    case 0: return clock(time)
    case 1: return "tomorrow \(clock(time))"
    case 2...6:
      let weekday = CivilDay.weekdayNames[CivilDay.weekday(time.day)]
      return "\(weekday.prefix(3)) \(clock(time))"
    default: return "\(day(time)) \(clock(time))"
    }
  }
}
