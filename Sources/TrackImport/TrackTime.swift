import GPXCoding

/// Times as logs write them.
enum TrackTime {
  /// Seconds since 1970 in UTC; nil for what is no time.
  ///
  /// ISO 8601; or the seconds, milliseconds, microseconds or nanoseconds since 1970, told apart by their
  /// size: each is a time between 1973 and 5138 in its unit; or a `WrittenTime`. A time without a zone is
  /// taken for UTC.
  static func seconds(_ text: String) -> Double? {
    if let seconds = GPXTime.seconds(text) { return seconds }
    guard let number = Double(text), number.isFinite else { return WrittenTime.seconds(text) }
    // 20260102210405 would be a time of the year 2612 in milliseconds.
    let digits = text.utf8.prefix { $0 &- 0x30 < 10 }.count
    if [12, 14, 17].contains(digits), let written = WrittenTime.seconds(text) { return written }
    switch abs(number) {
    case ..<1e11: return number
    case ..<1e14: return number / 1e3
    case ..<1e17: return number / 1e6
    default: return number / 1e9
    }
  }

  /// Seconds since 1970 of a day and a time of day that stand apart; or of one of them that says both.
  static func seconds(day: String?, time: String?) -> Double? {
    guard let day else { return time.flatMap(seconds) }
    guard let time else { return WrittenTime.seconds(day) }
    let together = "\(day)T\(time)"
    return GPXTime.seconds(together) ?? WrittenTime.seconds(together) ?? seconds(time)
  }
}
