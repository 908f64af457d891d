import BusinessHours
import Geodesy
import MapAnnotations

/// Clocks with the name they go by.
package struct NamedZone: Sendable {
  package let name: String
  package let rules: ZoneRules
  /// The country of the zone, as far as the program knows its holidays.
  package var country: String?

  /// What hours there refer to beside themselves.
  package func setting(adding holidays: [HolidayCalendar.Holiday] = []) -> HoursSetting {
    var calendar = country.flatMap { HolidayCalendar.country($0) }
    if let first = holidays.first {
      // Where the program has no calendar, it knows of no other day whether it is a holiday.
      calendar =
        calendar?.adding(holidays) ?? HolidayCalendar(holidays, known: first.day...first.day)
    }
    return HoursSetting(publicHolidays: calendar, utcOffset: rules.utcOffset)
  }

  package init(name: String, rules: ZoneRules, country: String? = nil) {
    self.name = name
    self.rules = rules
    self.country = country
  }

  package static let korea = fixed("Asia/Seoul", country: "KR")
  package static let japan = fixed("Asia/Tokyo", country: "JP")

  /// Both have been nine hours ahead since 1988, so that no file is needed for them.
  private static func fixed(_ name: String, country: String) -> NamedZone {
    NamedZone(name: name, rules: ZoneRules(fixed: 9 * 3600), country: country)
  }

  /// The zone of a country whose places are known by their positions; nil elsewhere.
  package static func zone(at position: Coordinate) -> NamedZone? {
    if Region.southKorea.contains(position) { return korea }
    return Region.japan.contains(position) ? japan : nil
  }

  /// The zone of the country in whose language hours are written; nil for any other.
  package static func zone(ofHours text: String) -> NamedZone? {
    switch WrittenLanguage(of: text) {
    case .korean?: korea
    case .japanese?: japan
    case nil: nil
    }
  }
}
