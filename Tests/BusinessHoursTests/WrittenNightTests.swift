import Testing

@testable import BusinessHours

/// Days that may be closed, where hours pass midnight.
@Suite struct WrittenNightTests {
  private static let setting = HoursSetting(publicHolidays: .korea)

  private func state(_ text: String, _ month: Int, _ day: Int, _ hour: Int) -> OpenState {
    let time = LocalTime(year: 2026, month: month, day: day, hour: hour)
    return WrittenHours(text).hours.state(at: time, setting: Self.setting)
  }

  /// Seollal of 2026 is 17 February; of the 16th and the 18th the text leaves open whether they are meant.
  @Test(arguments: [
    (15, 1, OpenState.open), (15, 20, .open), (16, 20, .unknown), (17, 1, .unknown),
    (17, 3, .closed), (17, 20, .closed), (18, 20, .unknown), (19, 1, .unknown), (19, 3, .closed),
    (19, 20, .open), (20, 1, .open),
  ]) func `the night behind a day in doubt is in doubt, too`(
    day: Int, hour: Int, expected: OpenState
  ) {
    #expect(state("18:00~02:00, 설날 휴무", 2, day, hour) == expected)
  }

  /// 2 March 2026, a Monday, makes up for the 1st; nothing is said of such weekdays.
  @Test(arguments: [
    (1, 23, OpenState.closed), (2, 20, .unknown), (3, 1, .unknown), (3, 20, .open), (4, 1, .open),
  ]) func `holidays of which nothing is said have nights, too`(
    day: Int, hour: Int, expected: OpenState
  ) {
    #expect(state("평일 18:00~02:00, 토,일 12:00~20:00", 3, day, hour) == expected)
  }

  @Test func `without a night a day in doubt ends at midnight`() {
    let hours = WrittenHours("10:00~23:00, 설날 휴무").hours
    #expect(hours.description.contains("2026 Feb 16,2026 Feb 18 \"명절 연휴\";"))
    #expect(state("10:00~23:00, 설날 휴무", 2, 17, 1) == .closed)
    // And the text of one that has a night is read as it is written.
    let night = WrittenHours("18:00~02:00, 설날 휴무").hours
    #expect(night.description.contains("2026 Feb 16,2026 Feb 18 00:00-26:00 \"명절 연휴\";"))
    #expect((try? OpeningHours(night.description)) == night)
  }
}
