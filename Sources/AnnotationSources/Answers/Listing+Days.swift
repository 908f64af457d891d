import BusinessHours
import GeoJSONCoding
import Geodesy
import MapAnnotations

// A listing day by day: as a page of a calendar, as a page of showings, as an iCalendar stream.

extension Listing {
  /// Of several days, which rows hold on each; of days with sessions, what is on, film by film.
  func writeDays(to writer: inout JSONWriter) {
    guard let dates = query.dates else { return }
    if dates.day == nil {
      var ids: [CalendarDate: [PropertyValue]] = [:]
      for row in rows {
        guard let days = dates.days(of: row.annotation) else { return }
        for day in days { ids[day, default: []].append(.string(row.annotation.id.text)) }
      }
      let days = ids.sorted { $0.key < $1.key }
      writer.member(
        "calendar",
        .array(days.map { .object(["day": .string("\($0.key)"), "ids": .array($0.value)]) }))
    }
    let showings = rows.flatMap { row in
      (dates.sessions(of: row.annotation) ?? []).map { (row: row, session: $0) }
    }
    guard !showings.isEmpty else { return }
    let titles = Session.byTitle(showings) { $0.session }
    writer.member(
      "titles",
      .array(
        titles.map { title, showings in
          .object([
            "title": .text(title),
            "sessions": .array(
              showings.map { showing in
                var members: Properties = ["id": .string(showing.row.annotation.id.text)]
                members.entries += Listing.members(of: showing.session).entries.filter {
                  $0.name != "title"
                }
                return .object(members)
              }),
          ])
        }))
  }

  /// An event for each session, and for each day of what has none: a run of days would be called after its first
  /// one, which depends on the days that were asked for.
  ///
  /// - Returns: nil where no days were asked for, or days that have no end.
  package func calendar(written: Instant) -> [UInt8]? {
    guard let dates = query.dates else { return nil }
    var stream = CalendarStream("days", written: written)
    for row in rows {
      let annotation = row.annotation
      let name = annotation.name ?? annotation.id.text
      let id = CalendarStream.name(ofID: annotation.id.text, name, at: annotation.coordinate)
      guard let days = dates.days(of: annotation) else { return nil }
      var event = CalendarStream.Event(
        uid: "", span: .days(0..<0), summary: name, description: nil,
        coordinate: annotation.coordinate, alarm: nil)
      if annotation.calendar.timetable != nil {
        for session in days.flatMap({ annotation.calendar.sessions(on: $0) }) {
          // By the business day, whose sessions are in the calendar together or not at all.
          let start = ClockText.basic(session.start, of: session.day.dayNumber)
          event.uid = "session-\(start)-\(id)"
          event.span = .times(session.start, session.end)
          event.summary = session.title.map { "\($0), \(name)" } ?? name
          stream.write(event)
        }
      } else {
        for day in days.map(\.dayNumber) {
          event.uid = "on-\(ClockText.basic(day: day))-\(id)"
          event.span = .days(day..<day + 1)
          stream.write(event)
        }
      }
    }
    return stream.finished()
  }
}
