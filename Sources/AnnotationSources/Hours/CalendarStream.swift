import BusinessHours
import Geodesy
import MapAnnotations

/// An iCalendar stream of events.
///
/// The same event has the same UID in every run, so that a calendar that reads the file again replaces it.
/// Source: RFC 5545; lines end with CRLF and are folded after 75 bytes, never inside a character.
package struct CalendarStream {
  package struct Event {
    package enum Span {
      /// Whole days since 1970-01-01.
      case days(Range<Int>)
      /// Readings of the place's clock; an end that is not known is left out.
      case times(LocalTime, LocalTime?)
    }
    /// What names it in every run.
    var uid: String
    package var span: Span
    package var summary: String
    package var description: String?
    /// The address.
    package var location: String?
    package var coordinate: Coordinate?
    /// How many seconds before it begins a reminder is due; nil for none.
    package var alarm: Int64?
  }

  private var bytes: [UInt8] = []
  private let stamp: String
  private var used: Set<String> = []

  /// - Parameters:
  ///   - subject: What the calendar is of.
  ///   - written: When it is written.
  package init(_ subject: String, written: Instant) {
    stamp = ClockText.basic(LocalTime(seconds: written.seconds)) + "Z"
    line("BEGIN:VCALENDAR")
    line("VERSION:2.0")
    line("PRODID:-//nearby//\(subject)//EN")
    line("CALSCALE:GREGORIAN")
  }

  /// What names an annotation in the UIDs of its events.
  ///
  /// Ids may repeat from one source or layer to the next; a digest of name and position tells such annotations apart.
  static func name(ofID id: String, _ name: String, at coordinate: Coordinate?) -> String {
    let position = coordinate.map { "\(plainDecimal($0.latitude)),\(plainDecimal($0.longitude))" }
    var digest = ContentDigest()
    Array("\(position ?? "") \(name)".utf8).withUnsafeBytes { digest.update($0) }
    return "\(id.percentEncoded(keeping: "-_."))-\(digest.hexadecimal().prefix(16))"
  }

  package mutating func write(_ event: Event) {
    // Events of the same name and position are counted.
    let uid = event.uid.firstFree("-") { used.insert($0).inserted }
    line("BEGIN:VEVENT")
    line("UID:\(uid)@nearby")
    line("DTSTAMP:\(stamp)")
    switch event.span {
    case .days(let days):
      line("DTSTART;VALUE=DATE:\(ClockText.basic(day: days.lowerBound))")
      // Years have four digits; without an end it is one day.
      if CalendarDate(dayNumber: days.upperBound) != nil {
        line("DTEND;VALUE=DATE:\(ClockText.basic(day: days.upperBound))")
      }
    case .times(let start, let end):
      line("DTSTART:\(ClockText.basic(start))")
      // RFC 5545, section 3.8.2.2: the end is later than the start.
      if let end, end > start { line("DTEND:\(ClockText.basic(end))") }
    }
    line("SUMMARY:\(Self.escaped(event.summary))")
    if let description = event.description { line("DESCRIPTION:\(Self.escaped(description))") }
    if let location = event.location { line("LOCATION:\(Self.escaped(location))") }
    if let coordinate = event.coordinate {
      line("GEO:\(plainDecimal(coordinate.latitude));\(plainDecimal(coordinate.longitude))")
    }
    line("TRANSP:TRANSPARENT")
    if let alarm = event.alarm {
      line("BEGIN:VALARM")
      line("ACTION:DISPLAY")
      line("DESCRIPTION:\(Self.escaped(event.summary))")
      line("TRIGGER:\(Self.before(alarm))")
      line("END:VALARM")
    }
    line("END:VEVENT")
  }

  /// The stream with its end.
  package mutating func finished() -> [UInt8] {
    line("END:VCALENDAR")
    return bytes
  }

  /// So many seconds before, as `-PT13H`; RFC 5545, section 3.3.6.
  private static func before(_ seconds: Int64) -> String {
    let (days, hours, minutes, rest) = (
      seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60
    )
    var time = hours > 0 ? "\(hours)H" : ""
    // A unit between two others may not be left out.
    if minutes > 0 || hours > 0 && rest > 0 { time += "\(minutes)M" }
    if rest > 0 { time += "\(rest)S" }
    if days == 0, time.isEmpty { time = "0S" }
    return "-P" + (days > 0 ? "\(days)D" : "") + (time.isEmpty ? "" : "T\(time)")
  }

  /// A text value: `\`, `;` and `,` are escaped, line breaks are `\n`, other control characters are
  /// left out.
  package static func escaped(_ text: String) -> String {
    var view = String.UnicodeScalarView()
    var isAfterReturn = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ";", ",":
        view.append("\\")
        view.append(scalar)
      case "\n" where isAfterReturn: break
      case "\n", "\r": view.append(contentsOf: "\\n".unicodeScalars)
      case _ where scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F: break
      default: view.append(scalar)
      }
      isAfterReturn = scalar == "\r"
    }
    return String(view)
  }

  /// Appends a line, folded after 75 bytes, with its end.
  private mutating func line(_ text: String) {
    var length = 0
    for scalar in text.unicodeScalars {
      let size = UTF8.width(scalar)
      if length + size > 75 {
        bytes += [0x0D, 0x0A, 0x20]
        length = 1
      }
      bytes += String(scalar).utf8
      length += size
    }
    bytes += [0x0D, 0x0A]
  }
}
