import Geodesy

/// Times in HTTP headers (RFC 9110 §5.6.7), in the Gregorian calendar and English.
package enum HTTPDateText {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let secondsPerDay: Int64 = 86_400

  /// A time as `Sat, 21 Nov 2026 10:02:07 GMT`; fractions of a second are dropped.
  package static func text(_ moment: Instant) -> String {
    let seconds = floorDivided(moment.milliseconds, by: 1000)
    let days = floorDivided(seconds, by: secondsPerDay)
    let time = seconds - days * secondsPerDay
    let (year, month, day) = civil(daysSince1970: days)
    // 1 January 1970 was a Thursday.
    let weekday = Int(days - floorDivided(days, by: 7) * 7)
    let yearText = String(year)
    return "\(weekdays[weekday]), \(two(day)) \(months[month - 1]) "
      + String(repeating: "0", count: max(0, 4 - yearText.count)) + yearText
      + " \(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60)) GMT"
  }

  /// Reads the form that `text` writes, the only one allowed today; nil for anything else.
  package static func moment(_ text: String) -> Instant? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", words[0].hasSuffix(","),
      let day = Int64(words[1]), let month = months.firstIndex(of: String(words[2])),
      let year = Int64(words[3]), (1...9999).contains(year), (1...31).contains(day)
    else { return nil }
    let time = words[4].split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
    guard time.count == 3, let hour = time[0], let minute = time[1], let second = time[2],
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    let days = daysSince1970(year: year, month: Int64(month) + 1, day: day)
    return Instant(seconds: days * secondsPerDay + hour * 3600 + minute * 60 + second)
  }

  // Years begin in March below, so that the leap day is the last day of its year. Source: H.
  // Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013.

  private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = floorDivided(year, by: 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(daysSince1970 days: Int64) -> (year: Int64, month: Int, day: Int64) {
    let shifted = days + 719_468
    let era = floorDivided(shifted, by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, Int(month), dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  private static func floorDivided(_ number: Int64, by divisor: Int64) -> Int64 {
    number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
  }

  private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
