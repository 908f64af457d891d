import BusinessHours
import Geodesy

/// Times in GPX: ISO 8601, `2026-11-22T01:10:00.5Z`.
package enum GPXTime {
  /// Seconds since 1970-01-01T00:00:00Z; nil for anything but a date and a time of day.
  ///
  /// A time without a zone is UTC, as GPX requires of all times. A leap second becomes the next
  /// second, and 24:00:00 is the midnight that ends the day.
  package static func seconds(_ text: String) -> Double? {
    var rest = text.utf8[...]
    guard let year = digits(4, &rest), take("-", &rest), let month = digits(2, &rest),
      take("-", &rest), let day = digits(2, &rest), take("T", &rest) || take(" ", &rest),
      let hour = digits(2, &rest), take(":", &rest), let minute = digits(2, &rest),
      take(":", &rest), let second = digits(2, &rest), CivilDay.exists(year, month, day),
      hour <= 24, minute < 60, second <= 60
    else { return nil }
    var fraction = 0.0
    if take(".", &rest) || take(",", &rest) {
      let places = rest.prefix(while: \.isASCIIDigit)
      guard !places.isEmpty, let parsed = Double("0." + String(decoding: places, as: UTF8.self))
      else { return nil }
      fraction = parsed
      rest = rest.dropFirst(places.count)
    }
    guard hour < 24 || (minute == 0 && second == 0 && fraction == 0) else { return nil }
    guard let offset = offset(&rest), rest.isEmpty else { return nil }
    let days = CivilDay.number(year, month, day)
    let whole = days * 86_400 + hour * 3_600 + minute * 60 + second - offset
    return Double(whole) + fraction
  }

  /// A time in GPX form, in whole milliseconds: `2026-11-22T01:10:00.5Z`; nil if it has no date.
  package static func text(_ seconds: Double) -> String? {
    guard abs(seconds) < 3e11 else { return nil }
    let instant = Instant(milliseconds: Int64((seconds * 1_000).rounded()))
    let fraction = instant.milliseconds - instant.seconds * 1_000
    let time = LocalTime(seconds: instant.seconds)
    guard (0...9_999).contains(time.date.year) else { return nil }
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

  /// The offset from UTC in seconds, positive in the east: `Z`, `+09:00`, `+0900`, `+09`, or nothing.
  private static func offset(_ rest: inout Substring.UTF8View) -> Int? {
    if rest.isEmpty || take("Z", &rest) || take("z", &rest) { return 0 }
    let isWest = rest.first == UInt8(ascii: "-")
    // No clock is further than 14 hours from UTC.
    guard take("+", &rest) || take("-", &rest), let hours = digits(2, &rest), hours <= 14 else {
      return nil
    }
    var minutes = 0
    if !rest.isEmpty {
      _ = take(":", &rest)
      guard let given = digits(2, &rest), given < 60 else { return nil }
      minutes = given
    }
    return (hours * 3_600 + minutes * 60) * (isWest ? -1 : 1)
  }

  private static func digits(_ count: Int, _ rest: inout Substring.UTF8View) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let byte = rest.popFirst(), byte.isASCIIDigit else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }

  private static func take(_ character: Unicode.Scalar, _ rest: inout Substring.UTF8View) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }
}
