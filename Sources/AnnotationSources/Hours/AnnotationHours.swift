import AnnotationImport
import BusinessHours
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbySearch
import TextMaps

/// The hours of annotations at a moment and on the days around it, each different text read once.
package final class AnnotationHours {
  package let clocks: PlaceClocks
  package let instant: Instant
  let filter: OpenFilter<ImportedAnnotation>

  package init(_ clocks: PlaceClocks, at instant: Instant) {
    self.clocks = clocks
    self.instant = instant
    filter = OpenFilter(OpenCondition(at: instant), reader: clocks.reader, from: nil)
  }

  private var plan: OpenPlan {
    OpenPlan(condition: filter.condition, clocks: clocks, own: clocks.settings[0])
  }

  /// Annotations with their states, a line each.
  package func text(_ items: [ImportedAnnotation]) -> [UInt8] {
    var text = ""
    for item in items {
      let name = TerminalText.sanitized(item.name ?? item.id.text)
      let words = plan.words(filter.status(of: item), of: item)
      text += "\(name): \(TerminalText.sanitized(words))\n"
    }
    return Array(text.utf8)
  }

  package func json(_ items: [ImportedAnnotation]) -> [UInt8] {
    let results = items.map { item -> PropertyValue in
      let members = plan.members(of: filter.status(of: item), of: item)
      return .object(Listing.members(of: item, keeping: nil, open: members))
    }
    return PropertyValue.object(["results": .array(results)]).jsonLine
  }

  /// Those that do not open on one of some days, and how many do not say.
  ///
  /// - Parameters:
  ///   - first: The first of the days, by the number of today at a place; both are days since 1970-01-01.
  ///   - nextOnly: Of each only the first of the days, those that are soonest first.
  package func closed(
    _ items: [ImportedAnnotation], first: (_ today: Int) -> Int, days count: Int,
    nextOnly: Bool = false
  ) -> (places: [ClosedPlace], unknown: Int) {
    var places: [ClosedPlace] = []
    var unknown = 0
    // Each is worked out once.
    var known: [ObjectIdentifier: ClosedDays] = [:]
    for item in items {
      let entry = filter.entry(of: item)
      let day = first(entry.setting.localTime(at: instant).day)
      let found =
        known[ObjectIdentifier(entry)]
        ?? closedDays(of: entry, from: day, days: count, nextOnly: nextOnly)
      known[ObjectIdentifier(entry)] = found
      if found.isUnknown { unknown += 1 }
      guard !found.days.isEmpty else { continue }
      var place = ClosedPlace(
        id: item.id.text, name: item.name ?? item.id.text, days: found.days)
      place.unsaid = found.unsaid
      place.business = CalendarDate(dayNumber: day).map(entry.business.status(on:)) ?? .unknown
      place.annotation = item
      place.hours =
        HoursColumns.isCells(item)
        ? entry.hours.map { "\($0)" }
        : ClosedPlace.text(item.openingHours, closed: item.closingDays)
      place.opens = found.opens
      places.append(place)
    }
    // Those of one day stay in their order, as sorting is stable.
    if nextOnly { places.sort { $0.days[0] < $1.days[0] } }
    return (places, unknown)
  }

  /// The days on which hours are closed.
  private struct ClosedDays {
    var days: [Int] = []
    var unsaid: Int?
    /// Whether the hours say of none of the days asked about whether they are closed.
    var isUnknown = false
    var opens: String?
  }

  private func closedDays(
    of entry: HoursEntry, from day: Int, days count: Int, nextOnly: Bool
  ) -> ClosedDays {
    let setting = entry.setting
    guard let hours = entry.hours else { return ClosedDays(isUnknown: true) }
    var found = ClosedDays()
    if nextOnly {
      let next = hours.nextClosing(from: day, days: count, setting: setting)
      found.days = next.closed.map { [$0] } ?? []
      found.unsaid = next.unsaid
      found.isUnknown = next.closed == nil && next.unsaid != nil
    } else {
      let answers = (day..<day + count).map { ($0, hours.isClosed(on: $0, setting: setting)) }
      found.days = answers.filter { $0.1 == true }.map(\.0)
      found.isUnknown = answers.allSatisfy { $0.1 == nil }
    }
    guard let last = found.days.last else { return found }
    let end = LocalTime(day: last, secondOfDay: 86_399)
    found.opens = hours.nextChange(
      after: setting.instant(of: end), of: .openOrNot, setting: setting
    ).map { ClockText.iso($0, setting) }
    return found
  }
}

/// An annotation that is closed on some days.
package struct ClosedPlace {
  package let id: String
  package let name: String
  /// Days since 1970-01-01, ascending.
  package let days: [Int]
  /// nil for hours that stand alone.
  var annotation: ImportedAnnotation?
  /// The hours and the closing days as they are written.
  package var hours: String?
  /// Whether it is in business at all on the first day that is asked about.
  package var business = BusinessStatus.unknown
  /// When it opens after the last of the days.
  package var opens: String?
  /// A day before those of which the hours do not say.
  var unsaid: Int?

  package init(id: String, name: String, days: [Int]) {
    self.id = id
    self.name = name
    self.days = days
  }

  /// Written hours with the closing days of a column of their own; nil without both.
  static func text(_ hours: String?, closed days: String?) -> String? {
    let parts = [hours, days.map { "closed: \($0)" }].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  package static func text(_ places: [ClosedPlace], width: Int) -> [UInt8] {
    var text = ""
    for place in places {
      func named(_ day: Int) -> String { "\(HoursPage.weekday(day)) \(ClockText.day(day))" }
      let perhaps =
        place.unsaid.map { "; whether it is closed on \(named($0)) is not known" } ?? ""
      let words =
        place.business.words
        ?? "closed \(place.days.map(named).joined(separator: ", "))\(perhaps)"
      let line = "\(place.name): \(words)"
      text += TerminalText.sanitized(line) + "\n"
    }
    return Array(text.utf8)
  }

  /// An iCalendar stream of all-day events, one for each place and day.
  ///
  /// - Parameter alarm: How many seconds before a closed day begins a reminder is due; nil for none.
  package static func calendar(
    _ places: [ClosedPlace], written: Instant, alarm: Int64?
  ) -> [UInt8] {
    var stream = CalendarStream("closing days", written: written)
    for place in places {
      let name = CalendarStream.name(ofID: place.id, place.name, at: place.annotation?.coordinate)
      for day in place.days {
        stream.write(
          CalendarStream.Event(
            uid: "closed-\(ClockText.basic(day: day))-\(name)",
            span: .days(day..<day + 1), summary: "\(place.name): closed", description: place.hours,
            location: place.annotation?.address, coordinate: place.annotation?.coordinate,
            alarm: alarm))
      }
    }
    return stream.finished()
  }

  package static func json(_ places: [ClosedPlace], unknown: Int) -> [UInt8] {
    PropertyValue.object([
      "closed": .array(
        places.map { place in
          var members = Properties(
            id: place.id, name: place.name, kind: place.annotation?.kind,
            at: place.annotation?.coordinate)
          members.append("days", .array(place.days.map { .string(ClockText.day($0)) }))
          members.append("opensAt", .text(place.opens))
          members.append("hours", .text(place.hours))
          if let unsaid = place.unsaid { members.append("unsaid", .string(ClockText.day(unsaid))) }
          members.entries += place.business.members.entries
          return .object(members)
        }), "unknown": .integer(unknown),
    ]).jsonLine
  }
}
