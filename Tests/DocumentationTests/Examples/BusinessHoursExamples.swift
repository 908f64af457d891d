import NearbyKit
import Testing

@Suite struct `Examples of BusinessHours` {
  private func mart() throws {
    let hours = try OpeningHours("mo-su 10:00-23:00; Su[2,4] off; PH -1 day 10:00-18:00")
    let setting = HoursSetting(publicHolidays: .korea, utcOffset: { _ in 9 * 3600 })
    let sunday = LocalTime(year: 2026, month: 11, day: 22, hour: 12)
    let eve = LocalTime(year: 2026, month: 12, day: 24, hour: 19)
    print(hours)
    print(hours.warnings[0])
    print(hours.state(at: sunday, setting: setting), hours.state(at: eve, setting: setting))
    if let change = hours.nextChange(after: sunday, setting: setting) {
      print(change.date.day, change.clock.hour)
    }
    // Mo-Su 10:00-23:00; Su[2,4] off; PH -1 day 10:00-18:00
    // column 1: a word not spelled as specified
    // closed closed
    // 23 10
  }

  @Test func `print what they say they print`() throws {
    let promised = """
      Mo-Su 10:00-23:00; Su[2,4] off; PH -1 day 10:00-18:00
      column 1: a word not spelled as specified
      closed closed
      23 10
      """
    #expect(try PrintedLines.of(mart).joined(separator: "\n") == promised)
  }
}
