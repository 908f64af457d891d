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

  @Test(arguments: [
    ("월~목 18:00~02:00 금~토 18:00~04:00 일 휴무", "Mo-Th 18:00-02:00 open, Fr,Sa 18:00-04:00; Su off"),
    // The weekday that is named has its times instead of those of every day.
    ("18:00~02:00 토 12:00~02:00", "Mo-Fr,Su 18:00-02:00 open, Sa 12:00-02:00"),
    ("金土 18:00～3:00 日〜木 18:00～24:00", "Fr,Sa 18:00-03:00 open, Mo-Th,Su 18:00-24:00"),
    // Holidays are no weekdays: their times replace others, and leave the night before.
    (
      "平日18:00～2:00 土日祝 12:00～20:00",
      "Mo-Fr 18:00-02:00; Sa,Su,PH off, Sa,Su,PH 12:00-20:00"
    ),
    // Nothing is said of Saturdays, which may have nights as well.
    (
      "平日 18:00~02:00 日祝 12:00~20:00",
      #"Sa 00:00-26:00 "hours not stated", Mo-Fr 18:00-02:00; Su,PH off, Su,PH 12:00-20:00"#
    ),
    // Without a night the rules stay as they are.
    ("월~금 10:00~20:00, 일 11:00~18:00", "Mo-Fr 10:00-20:00; Su 11:00-18:00"),
  ]) func `days with times of their own leave the night before in the value`(
    text: String, value: String
  ) throws {
    let hours = WrittenHours(text).hours
    #expect(hours.description == value)
    #expect(try OpeningHours(hours.description) == hours)
  }

  /// 27 November 2026 is a Friday, 25 December a Friday and a public holiday.
  @Test(
    arguments: [
      ("월~목 18:00~02:00 금~토 18:00~04:00 일 휴무", 11, 27, 1, OpenState.open),
      ("월~목 18:00~02:00 금~토 18:00~04:00 일 휴무", 11, 27, 3, .closed),
      ("월~목 18:00~02:00 금~토 18:00~04:00 일 휴무", 11, 28, 3, .open),
      ("월~목 18:00~02:00 금~토 18:00~04:00 일 휴무", 11, 29, 3, .open),
      ("월~목 18:00~02:00 금~토 18:00~04:00 일 휴무", 11, 30, 1, .closed),
      ("18:00~02:00 토 12:00~02:00", 11, 28, 1, .open),
      ("18:00~02:00 토 12:00~02:00", 11, 28, 13, .open),
      ("18:00~02:00 토 12:00~02:00", 11, 29, 1, .open),
      ("18:00~02:00 토 12:00~02:00", 11, 29, 13, .closed),
      ("金土 18:00～3:00 日〜木 18:00～24:00", 11, 29, 1, .open),
      ("金土 18:00～3:00 日〜木 18:00～24:00", 11, 30, 1, .closed),
      ("平日18:00～2:00 土日祝 12:00～20:00", 11, 28, 1, .open),
      ("平日18:00～2:00 土日祝 12:00～20:00", 12, 25, 1, .open),
      ("平日18:00～2:00 土日祝 12:00～20:00", 12, 25, 13, .open),
      ("平日18:00～2:00 土日祝 12:00～20:00", 12, 25, 21, .closed),
      ("平日18:00～2:00 土日祝 12:00～20:00", 12, 26, 1, .closed),
      ("平日 18:00~02:00 日祝 12:00~20:00", 11, 29, 1, .unknown),
    ] as [(String, Int, Int, Int, OpenState)])
  func `a night goes on into a day with times of its own, and into no other`(
    text: String, month: Int, day: Int, hour: Int, expected: OpenState
  ) {
    #expect(state(text, month, day, hour) == expected)
  }

  /// 12 January 2026, a Monday, is a holiday in Japan.
  @Test(arguments: [
    (12, 1, OpenState.open), (12, 20, .open), (13, 1, .open), (13, 20, .closed), (14, 1, .closed),
  ]) func `a holiday that opens on its closing day keeps the night before`(
    day: Int, hour: Int, expected: OpenState
  ) {
    let hours = WrittenHours("営業時間 18:00〜2:00 定休日 月曜（祝日の場合は翌日休）").hours
    let time = LocalTime(year: 2026, month: 1, day: day, hour: hour)
    #expect(hours.state(at: time, setting: HoursSetting(publicHolidays: .japan)) == expected)
  }

  @Test func `columns of classes of days keep the night before a Saturday and a holiday`() throws {
    let parking = WrittenHours(
      weekdays: WrittenTimes("09:00", "01:00"), saturdays: WrittenTimes("09:00", "15:00"),
      holidays: WrittenTimes("10:00", "15:00")
    ).hours
    #expect(
      parking.description
        == "Mo-Fr 09:00-01:00 open, Sa 09:00-15:00; Su,PH off, Su,PH 10:00-15:00")
    #expect(try OpeningHours(parking.description) == parking)
    func state(_ month: Int, _ day: Int, _ hour: Int) -> OpenState {
      parking.state(
        at: LocalTime(year: 2026, month: month, day: day, hour: hour), setting: Self.setting)
    }
    // Friday's night, the one before a holiday, and the holiday, which has none.
    #expect(state(11, 28, 0) == .open)
    #expect(state(12, 25, 0) == .open)
    #expect(state(12, 26, 0) == .closed)
  }

  @Test func `columns that may mean a night leave the morning of the next day unknown`() throws {
    let parking = WrittenHours(
      weekdays: WrittenTimes("09:00", "08:00"), saturdays: WrittenTimes("09:00", "18:00"),
      holidays: WrittenTimes("09:00", "18:00")
    ).hours
    #expect(try OpeningHours(parking.description) == parking)
    // Friday to Sunday.
    let states = [(27, 12), (28, 1), (28, 8), (28, 9), (28, 18), (29, 1)].map { day, hour in
      parking.state(
        at: LocalTime(year: 2026, month: 11, day: day, hour: hour), setting: Self.setting)
    }
    #expect(states == [.unknown, .unknown, .closed, .open, .closed, .closed])
  }

  @Test func `values in the language keep the nights that it gives them`() {
    let hours = WrittenHours("Mo-Fr 18:00-02:00; Sa 12:00-20:00", closingDays: "2026-12-25").hours
    #expect(hours.description == "Mo-Fr 18:00-02:00; Sa 12:00-20:00; 2026 Dec 25 off")
  }
}
