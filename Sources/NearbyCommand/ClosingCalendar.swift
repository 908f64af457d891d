import BusinessHours
import Geodesy

/// Closing days as an iCalendar stream: an all-day event for each place and day.
///
/// An event of the same place and day has the same UID in every run, so that a calendar that reads
/// the file again replaces it. Source: RFC 5545; lines end with CRLF and are folded after 75 bytes,
/// never inside a character.
struct ClosingCalendar {
  /// When it is written, in seconds since 1970-01-01T00:00Z.
  let written: Int64
  /// How many seconds before a closed day begins a reminder is due; nil for none.
  let alarm: Int64?

  init(written: Int64, alarm: Int64? = nil) {
    self.written = written
    self.alarm = alarm
  }

  func bytes(of places: [ClosedPlace]) -> [UInt8] {
    var bytes: [UInt8] = []
    func line(_ text: String) { Self.append(text, to: &bytes) }
    line("BEGIN:VCALENDAR")
    line("VERSION:2.0")
    line("PRODID:-//nearby//closing days//EN")
    line("CALSCALE:GREGORIAN")
    let stamp = Self.stamp(written)
    var used: Set<String> = []
    for place in places {
      for day in place.days {
        let date = Self.date(day)
        // Ids may repeat in a source; the later ones are counted.
        var uid = "closed-\(date)-\(Self.encoded(place.id))"
        var number = 2
        while !used.insert(uid).inserted {
          uid = "closed-\(date)-\(Self.encoded(place.id))-\(number)"
          number += 1
        }
        line("BEGIN:VEVENT")
        line("UID:\(uid)@nearby")
        line("DTSTAMP:\(stamp)")
        line("DTSTART;VALUE=DATE:\(date)")
        line("DTEND;VALUE=DATE:\(Self.date(day + 1))")
        line("SUMMARY:\(Self.escaped("\(place.name): closed"))")
        if let hours = place.hours { line("DESCRIPTION:\(Self.escaped(hours))") }
        if let coordinate = place.coordinate {
          line("GEO:\(plainDecimal(coordinate.latitude));\(plainDecimal(coordinate.longitude))")
        }
        line("TRANSP:TRANSPARENT")
        if let alarm {
          line("BEGIN:VALARM")
          line("ACTION:DISPLAY")
          line("DESCRIPTION:\(Self.escaped("\(place.name): closed"))")
          line("TRIGGER:\(Self.before(alarm))")
          line("END:VALARM")
        }
        line("END:VEVENT")
      }
    }
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

  /// `20261122`.
  private static func date(_ day: Int) -> String {
    TimeText.day(LocalTime(day: day, secondOfDay: 0)).filter { $0 != "-" }
  }

  private static func stamp(_ instant: Int64) -> String {
    let time = LocalTime(seconds: instant)
    let (hour, minute, second) = time.clock
    return date(time.day) + "T" + [hour, minute, second].map(TimeText.two).joined() + "Z"
  }

  /// An id with every byte but letters, digits, `-`, `_` and `.` as `%XX`.
  private static func encoded(_ id: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in id.utf8 {
      if (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
        || "-_.".utf8.contains(byte)
      {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A text value: `\`, `;` and `,` are escaped, line breaks are `\n`, other control characters are
  /// left out.
  static func escaped(_ text: String) -> String {
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
  private static func append(_ text: String, to bytes: inout [UInt8]) {
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
