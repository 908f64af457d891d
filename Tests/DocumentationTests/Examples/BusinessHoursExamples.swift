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

  private func written() {
    let mart = WrittenHours("10:00~23:00", closingDays: "매월 둘째·넷째 일요일")
    let salon = WrittenHours("営業時間 10時〜18時半 定休日：月曜（祝日の場合は翌日）・第３日曜")
    let library = WrittenHours("09:00~18:00", closingDays: "월+법정공휴일+개관기념일")
    print(mart.hours)
    print(salon.hours.state(at: LocalTime(year: 2026, month: 11, day: 15, hour: 12)))
    print(library.hours)
    print(library.doubts[0])
    // 10:00-23:00; Su[2,4] off
    // closed
    // 09:00-18:00 "개관기념일"; Mo,PH off
    // column 9: "개관기념일" does not say which days
  }

  @Test func `read what people write`() {
    let promised = """
      10:00-23:00; Su[2,4] off
      closed
      09:00-18:00 "개관기념일"; Mo,PH off
      column 9: "개관기념일" does not say which days
      """
    #expect(PrintedLines.of(written).joined(separator: "\n") == promised)
  }

  private func closingDates() {
    let announced = WrittenHours("10:00~23:00", closingDays: "매월 둘째·넷째 일요일, 2026-12-25 (금)")
    let yearless = WrittenHours("10:00~23:00 12/13(일) 휴무")
    let slip = WrittenHours("10:00~23:00", closingDays: "2026-12-13 (월)")
    print(announced.hours)
    print(yearless.hours)
    print(slip.hours)
    print(slip.doubts[0])
    // 10:00-23:00; Su[2,4] off; 2026 Dec 25 off
    // 10:00-23:00; Dec 13 Su off
    // 10:00-23:00; 2026 Dec 13,2026 Dec 14,2026 Dec 07 "2026-12-13 (월)"
    // column 1: "2026-12-13 (월)" has a date and a weekday that do not fit; correct one of the two
  }

  @Test func `read the dates on which a mart closes`() {
    let promised = """
      10:00-23:00; Su[2,4] off; 2026 Dec 25 off
      10:00-23:00; Dec 13 Su off
      10:00-23:00; 2026 Dec 13,2026 Dec 14,2026 Dec 07 "2026-12-13 (월)"
      column 1: "2026-12-13 (월)" has a date and a weekday that do not fit; correct one of the two
      """
    #expect(PrintedLines.of(closingDates).joined(separator: "\n") == promised)
  }

  private func recurring() throws {
    let market = try Recurrence(
      """
      DTSTART:20261101T100000
      RRULE:FREQ=MONTHLY;BYDAY=2SU,4SU
      EXDATE:20261213T100000
      """)
    let year = market.occurrences(
      from: LocalTime(year: 2026, month: 11, day: 1),
      before: LocalTime(year: 2027, month: 1, day: 1))
    for time in year { print(time.date.month, time.date.day) }
    // 11 8
    // 11 22
    // 12 27
  }

  @Test func `expand a recurrence`() throws {
    #expect(try PrintedLines.of(recurring) == ["11 8", "11 22", "12 27"])
  }
}
