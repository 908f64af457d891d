import GPXCoding

/// Times as logs write them.
enum TrackTime {
  /// Seconds since 1970 in UTC; nil for what is no time.
  ///
  /// ISO 8601, also with a blank for the `T` and with slashes in the date; a time without a zone is
  /// taken for UTC. Or the seconds, milliseconds, microseconds or nanoseconds since 1970, told apart
  /// by their size: each is a time between 1973 and 5138 in its unit.
  static func seconds(_ text: String) -> Double? {
    if let seconds = GPXTime.seconds(text) { return seconds }
    if let number = Double(text), number.isFinite {
      switch abs(number) {
      case ..<1e11: return number
      case ..<1e14: return number / 1e3
      case ..<1e17: return number / 1e6
      default: return number / 1e9
      }
    }
    guard text.contains("/") else { return nil }
    return GPXTime.seconds(String(text.map { $0 == "/" ? "-" : $0 }))
  }

  /// Seconds since 1970 of a day and a time of day that stand apart.
  static func seconds(day: String, time: String) -> Double? { seconds("\(day)T\(time)") }
}
