/// Times in GPX: ISO 8601, `2026-11-22T01:10:00.5Z`.
package enum GPXTime {
  /// Seconds since 1970-01-01T00:00:00Z; nil for anything but a date and a time of day.
  ///
  /// A time without a zone is UTC, as GPX requires of all times. A leap second becomes the next
  /// second.
  package static func seconds(_ text: String) -> Double? {
    var rest = text.utf8[...]
    guard let year = digits(4, &rest), take("-", &rest), let month = digits(2, &rest),
      take("-", &rest), let day = digits(2, &rest), take("T", &rest) || take(" ", &rest),
      let hour = digits(2, &rest), take(":", &rest), let minute = digits(2, &rest),
      take(":", &rest), let second = digits(2, &rest), (1...12).contains(month),
      (1...length(ofMonth: month, year)).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    var fraction = 0.0
    if take(".", &rest) || take(",", &rest) {
      let places = rest.prefix { $0 &- UInt8(ascii: "0") < 10 }
      guard !places.isEmpty, let parsed = Double("0." + String(decoding: places, as: UTF8.self))
      else { return nil }
      fraction = parsed
      rest = rest.dropFirst(places.count)
    }
    guard let offset = offset(&rest), rest.isEmpty else { return nil }
    let whole = days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset
    return Double(whole) + fraction
  }

  /// A time in GPX form, in whole milliseconds: `2026-11-22T01:10:00.5Z`; nil if it has no date.
  package static func text(_ seconds: Double) -> String? {
    guard abs(seconds) < 3e11 else { return nil }
    let milliseconds = Int((seconds * 1_000).rounded())
    let whole = milliseconds >= 0 ? milliseconds / 1_000 : -((999 - milliseconds) / 1_000)
    let fraction = milliseconds - whole * 1_000
    let dayNumber = whole >= 0 ? whole / 86_400 : -((86_399 - whole) / 86_400)
    let second = whole - dayNumber * 86_400
    // Days in eras of 400 years that begin in March.
    let shifted = dayNumber + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
    guard (0...9_999).contains(year) else { return nil }
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
    var text = "\(padded(year, 4))-\(padded(month < 10 ? month + 3 : month - 9, 2))-"
    text += "\(padded(day, 2))T\(padded(second / 3_600, 2)):\(padded(second / 60 % 60, 2)):"
    text += padded(second % 60, 2)
    if fraction > 0 {
      var digits = padded(fraction, 3)
      while digits.hasSuffix("0") { digits.removeLast() }
      text += "." + digits
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
      guard let byte = rest.popFirst(), byte &- UInt8(ascii: "0") < 10 else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }

  private static func take(_ character: Unicode.Scalar, _ rest: inout Substring.UTF8View) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  package static func length(ofMonth month: Int, _ year: Int) -> Int {
    switch month {
    case 2:
      year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970-01-01 in the Gregorian calendar, computed with years that begin in March.
  package static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
