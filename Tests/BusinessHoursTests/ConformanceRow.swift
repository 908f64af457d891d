import BusinessHours
import Foundation
import Geodesy
import NearbyTestSupport

/// A row of `../shared/conformance/opening_hours`, as JSON.
struct ConformanceRow: Decodable {
  var id: String?
  var value: String?
  var a: String?
  var b: String?
  var equal: Bool?
  var from: String?
  var to: String?
  var at: String?
  var date: String?
  var tz: String?
  var country: String?
  var region: String?
  var lat: Double?
  var lon: Double?
  var strict: Bool?
  var disputed: String?
  var far_range: Bool?
  var intervals: [[String]]?
  var schedule: [[String]]?
  var sun_defaults: [String: String]?
  var tolerance_minutes: Int?
  var expect: String?
  var verdict: String?
  var count: Int?
  var state: String?
  var open_next: String?
  var open_until: String?
  var was_last_open: String?
  var next_change: String?

  static func all(_ name: String) throws -> [ConformanceRow] {
    try SharedFiles.values("conformance/opening_hours/\(name).jsonl")
  }

  /// The setting that the row describes; nil when its holidays are not among those shipped.
  func setting(otherwise holidays: HolidayCalendar? = nil) throws -> HoursSetting {
    let zone = tz.flatMap { TimeZone(identifier: $0) }
    var sun: SunTimes?
    if let lat, let lon {
      sun = .position(try Coordinate(latitude: lat, longitude: lon))
    } else if let times = sun_defaults {
      func minute(_ name: String) -> Int {
        let parts = (times[name] ?? "00:00").split(separator: ":").map { Int($0) ?? 0 }
        return parts[0] * 60 + parts[1]
      }
      sun = .fixed(
        dawn: minute("dawn"), sunrise: minute("sunrise"), sunset: minute("sunset"),
        dusk: minute("dusk"))
    }
    return HoursSetting(
      publicHolidays: country.map { HolidayCalendar.country($0, region: region) } ?? holidays,
      sun: sun,
      utcOffset: { instant in
        zone?.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant.seconds))) ?? 0
      })
  }
}

/// A local time as the rows write it: `2012-10-01T00:00`, with or without seconds, or a date.
func localTime(_ text: String) -> LocalTime {
  let parts = text.split { "-T:".contains($0) }.map { Int($0) ?? 0 } + [0, 0, 0]
  return LocalTime(
    year: parts[0], month: parts[1], day: parts[2], hour: parts[3], minute: parts[4],
    second: parts[5])
}

extension LocalTime {
  /// Noon of a day, given in days since 1970-01-01.
  static func noon(of day: Int) -> LocalTime { LocalTime(day: day, secondOfDay: 43_200) }
}

/// A stretch without its comment, touching ones of one state merged.
struct Stretch: Equatable, CustomStringConvertible {
  var start: LocalTime
  var end: LocalTime
  var state: String
  /// The mapper's words; nil where comments are not compared.
  var comment: String?
  var description: String { "\(ClockText.iso(start))…\(ClockText.iso(end)) \(state)" }

  /// What is not closed between two times.
  static func all(
    of hours: OpeningHours, from start: LocalTime, to end: LocalTime,
    _ setting: HoursSetting = HoursSetting()
  ) -> [Stretch] {
    merged(
      hours.intervals(from: start, to: end, setting: setting).map {
        Stretch(start: $0.start, end: $0.end, state: "\($0.answer.state)")
      })
  }

  static func merged(_ stretches: [Stretch]) -> [Stretch] {
    var result: [Stretch] = []
    for stretch in stretches where stretch.state != "closed" && stretch.start < stretch.end {
      if let last = result.last, last.end == stretch.start, last.state == stretch.state,
        last.comment == stretch.comment
      {
        result[result.count - 1].end = stretch.end
      } else {
        result.append(stretch)
      }
    }
    return result
  }

  /// Whether two lists agree to so many minutes; shorter stretches than that do not count.
  static func agree(_ one: [Stretch], _ other: [Stretch], within minutes: Int) -> Bool {
    let one = one.filter { $0.end.seconds - $0.start.seconds > Int64(minutes) * 60 }
    let other = other.filter { $0.end.seconds - $0.start.seconds > Int64(minutes) * 60 }
    return one.count == other.count
      && zip(one, other).allSatisfy {
        $0.state == $1.state && $0.comment == $1.comment
          && abs($0.start.seconds - $1.start.seconds) <= Int64(minutes) * 60
          && abs($0.end.seconds - $1.end.seconds) <= Int64(minutes) * 60
      }
  }
}
