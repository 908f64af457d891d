import GPXCoding
import Geodesy

/// Times in logs.
package enum TrackTime {
  /// Seconds since 1970 in UTC; nil for anything else.
  ///
  /// ISO 8601; or seconds, milliseconds, microseconds or nanoseconds since 1970, distinguished by
  /// their size (each unit covers the years 1973 to 5138); or a `LoggedTime`. A time without a
  /// zone is UTC. Eight digits that are a day, `20260102`, have no time of day.
  package static func seconds(_ text: String) -> Double? {
    if let seconds = GPXTime.seconds(text) { return seconds }
    guard let number = finiteNumber(text) else { return LoggedTime.seconds(text) }
    if LoggedTime.isDay(text) { return nil }
    // As milliseconds, 20260102210405 would be in the year 2612.
    let digits = text.utf8.prefix(while: \.isASCIIDigit).count
    if [12, 14, 17].contains(digits), let written = LoggedTime.seconds(text) { return written }
    switch abs(number) {
    case ..<1e11: return number
    case ..<1e14: return number / 1e3
    case ..<1e17: return number / 1e6
    default: return number / 1e9
    }
  }

  /// Whether a time of day is a number of hours, minutes and seconds: 210405.
  ///
  /// So is 95958, for 09:59:58, if the day is a number, too. Beside another day, 34200 may as well count seconds.
  static func isPacked(_ time: String, beside day: String) -> Bool {
    isWhole(time) && (time.utf8.count == 6 || time.utf8.count == 5 && isWhole(day))
  }

  private static func isWhole(_ number: String) -> Bool {
    number.utf8.allSatisfy(\.isASCIIDigit)
  }

  /// Seconds since 1970 from a separate day and time of day, or from one of them that has both.
  ///
  /// - Parameter arePacked: Whether times of day of this log are such numbers, of which a spreadsheet
  ///   has cut the zeros: 1234 is 00:12:34 there, and 12:34 elsewhere.
  static func seconds(day: String?, time: String?, arePacked: Bool) -> Double? {
    guard let day else { return time.flatMap(seconds) }
    guard let time else { return LoggedTime.seconds(day) }
    let zeros = arePacked && isWhole(time) ? max(0, 6 - time.utf8.count) : 0
    let together = "\(day)T\(String(repeating: "0", count: zeros))\(time)"
    if let seconds = GPXTime.seconds(together) ?? LoggedTime.seconds(together) { return seconds }
    // Beside a day, a number too small for this century is a time of day that was not understood.
    if let number = finiteNumber(time), abs(number) < 1e8 { return nil }
    return seconds(time)
  }
}
