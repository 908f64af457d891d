import BusinessHours
import Geodesy

/// Closing days as an iCalendar stream: an all-day event for each place and day.
package struct ClosingCalendar {
  /// When it is written.
  package let written: Instant
  /// How many seconds before a closed day begins a reminder is due; nil for none.
  package let alarm: Int64?

  package init(written: Instant, alarm: Int64? = nil) {
    self.written = written
    self.alarm = alarm
  }

  package func bytes(of places: [ClosedPlace]) -> [UInt8] {
    var stream = CalendarStream("closing days", written: written)
    for place in places {
      for day in place.days {
        stream.write(
          CalendarStream.Event(
            uid: "closed-\(CalendarStream.date(day))-\(place.id.percentEncoded(keeping: "-_."))",
            span: .days(day..<day + 1), summary: "\(place.name): closed", description: place.hours,
            coordinate: place.coordinate, alarm: alarm))
      }
    }
    return stream.finished()
  }
}
