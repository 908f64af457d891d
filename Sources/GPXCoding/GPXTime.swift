import BusinessHours
import Geodesy

/// Times in GPX: ISO 8601, `2026-11-22T01:10:00.5Z`.
package enum GPXTime {
  /// Seconds since 1970-01-01T00:00:00Z; nil for anything but a date and a time of day.
  ///
  /// A time without a zone is UTC, as GPX requires of all times.
  package static func seconds(_ text: String) -> Double? { read(text)?.seconds }

  /// The same, and whether the text has a zone.
  package static func read(_ text: String) -> (seconds: Double, hasZone: Bool)? {
    guard let time = try? ISOTime(text), let day = time.day, let second = time.secondOfDay else {
      return nil
    }
    let seconds = Double(day * 86_400 + second - (time.utcOffset ?? 0)) + time.fraction
    return (seconds, time.utcOffset != nil)
  }

  /// A time in GPX form, in whole milliseconds: `2026-11-22T01:10:00.5Z`; nil if it has no date.
  package static func text(_ seconds: Double) -> String? {
    guard abs(seconds) < 3e11 else { return nil }
    let instant = Instant(milliseconds: Int64((seconds * 1_000).rounded()))
    let fraction = instant.milliseconds - instant.seconds * 1_000
    let time = LocalTime(seconds: instant.seconds)
    guard (1...9_999).contains(time.date.year) else { return nil }
    let (hour, minute, second) = time.clock
    var text = "\(ClockText.day(time))T\(zeroPadded(hour)):\(zeroPadded(minute))"
    text += ":\(zeroPadded(second))"
    if fraction > 0 {
      var digits = zeroPadded(fraction, 3)
      while digits.hasSuffix("0") { digits.removeLast() }
      text += ".\(digits)"
    }
    return text + "Z"
  }
}
