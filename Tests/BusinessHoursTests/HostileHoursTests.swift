import BusinessHours
import Geodesy
import Testing

/// Long values that never change.
///
/// A search for their next change looks at forty years. If it did not pass over days that are alike, each would take half a
/// minute or more.
@Suite struct HostileHoursTests {
  private static func joined(_ parts: [String], by separator: String) -> String {
    var text = ""
    for part in parts where text.utf8.count + part.utf8.count < OpeningHours.maximumLength - 10 {
      text += (text.isEmpty ? "" : separator) + part
    }
    return text
  }

  private static func value(_ name: String) -> String {
    switch name {
    case "spans":
      let spans = stride(from: 0, to: 1438, by: 4).map { minute -> String in
        "\(ClockText.clock(minutes: minute))-\(ClockText.clock(minutes: minute + 1))"
      }
      return joined(spans, by: ",") + " off"
    case "nights":
      return joined(
        (0..<48).map { "22:\(zeroPadded($0))-46:\(zeroPadded($0))+ off" }, by: ";")
    default:
      let rules = (0..<12).map { minute -> String in
        "PH,SH,PH -1 day 22:\(zeroPadded(minute))-47:\(zeroPadded(minute)) off;PH off"
      }
      return joined(rules, by: ";")
    }
  }

  @Test(arguments: ["spans", "nights", "holidays"])
  func `a long value that never changes is searched through`(name: String) throws {
    let hours = try OpeningHours(Self.value(name))
    let start = LocalTime(year: 2026, month: 1, day: 1)
    #expect(hours.nextChange(after: start) == nil)
    #expect(hours.state(at: start) == .closed)
  }

  @Test func `a change late in a long search is found`() throws {
    // Days alike are passed over; the day that differs is not.
    let hours = try OpeningHours(
      "22:00-47:00 off; 2061 Dec 24 Sa 10:00-12:00; Mo off; Tu 00:00-01:00 off")
    let start = LocalTime(year: 2026, month: 1, day: 1)
    #expect(
      hours.nextChange(after: start) == LocalTime(year: 2061, month: 12, day: 24, hour: 10))
  }
}
