import BusinessHours
import Testing

@testable import MapAnnotations

/// Which columns are read as closing days, and what they say together.
@Suite struct ClosingDayColumnsTests {
  @Test(arguments: [
    "closing_days", "closingDays", "Closing Days", "CLOSED_DATES", "closed-days", "휴무일", "휴무일 ",
    "\u{3000}휴무일", "휴무일_2", "휴무일(정기)", "휴 무 일", "정기 휴무", "휴관요일",
    "임시휴무일", "쉬는 날", "휴관정보", "定休日（備考）", "定 休 日", "定休日等", "休業曜日", "Closed Days ", "정기휴무",
    "의무휴업일",
    "定休日", "休業日", "休館日", "holidays", "Holidays", "휴일", "Days Closed", "Ruhetag", "휴업일정", "店休曜日",
    "お休みの日", "\u{1112}\u{1172}\u{1106}\u{116E}\u{110B}\u{1175}\u{11AF}",
  ]) func `a column of closing days is known by its name`(name: String) {
    #expect(ClosingDayColumns.text(of: [name: "2026-12-13 (일)"]) == "2026-12-13 (일)")
  }

  @Test(arguments: [
    "opening_hours", "closing", "closed_date", "폐업일자", "name", "", "휴업시작일자", "휴업일자",
  ])
  func `other columns are not`(name: String) {
    #expect(ClosingDayColumns.text(of: [name: "2026-12-13"]) == nil)
  }

  @Test func `a list counts with all its values, and what is no text stays`() {
    #expect(
      ClosingDayColumns.text(of: [
        "holidays": .array(["2018-10-28 (일)", .null, "2018-11-11 (일)"])
      ])
        == "2018-10-28 (일), 2018-11-11 (일)")
    #expect(ClosingDayColumns.text(of: ["closing_days": .number("20261213")]) == "20261213")
    #expect(ClosingDayColumns.text(of: ["closing_days": .array([])]) == nil)
    let odd = ClosingDayColumns.text(of: [
      "closing_days": .array(["2026-12-13", .object(["a": 1])])
    ])
    #expect(odd == "2026-12-13, ?")
    #expect(WrittenHours("10:00~23:00", closingDays: odd ?? "").extent != .whole)
  }

  @Test func `columns of one place add up`() {
    let text = ClosingDayColumns.text(of: [
      "정기휴무": "매월 둘째·넷째 일요일", "holidays": .array(["2026-12-25"]), "closing_days": "2026-12-25",
    ])
    #expect(text == "매월 둘째·넷째 일요일; 2026-12-25")
    #expect(
      WrittenHours("10:00~23:00", closingDays: text ?? "").hours.description
        == "10:00-23:00; Su[2,4] off; 2026 Dec 25 off")
  }

  @Test(arguments: ["10:00-18:00", "일요일 10:00-18:00", "yes", "closed", "휴무", "", "true"])
  func `a column that may be of something else counts where it names days`(text: String) {
    for name in ["holidays", "휴일", "closed"] {
      let isOfHolidays = name == "holidays" && ["closed", "휴무"].contains(text)
      #expect(
        ClosingDayColumns.text(of: [name: .string(text)])
          == (isOfHolidays ? "public holidays" : nil))
    }
  }

  @Test(
    arguments: [
      ("일요일", "휴무", "일요일"), ("공휴일", "휴진", "공휴일"), ("日曜日", "定休日", "日曜"),
      ("Sunday", "CLOSED", "sunday"),
      ("holidays", "closed", "public holidays"), ("일요일휴무", "Y", "일요일"), ("일요일 휴무여부", "1", "일요일"),
      ("closed_on_sunday", "true", "sunday"), ("일요일", "10:00~14:00", nil), ("일요일", "Y", nil),
      ("일요일휴무", "N", nil), ("일요일휴무", "휴무", "일요일"), ("일요일휴무", "2,4째주 일요일", "2,4째주 일요일"),
      ("Sunday", "open", nil), ("일", "휴무", nil),
    ] as [(String, String, String?)])
  func `a column that is a day counts where it says closed`(
    name: String, text: String, days: String?
  ) {
    #expect(ClosingDayColumns.text(of: [name: .string(text)]) == days)
  }

  @Test func `a mark of JSON is a mark`() {
    #expect(ClosingDayColumns.text(of: ["일요일휴무": true]) == "일요일")
    #expect(ClosingDayColumns.text(of: ["일요일휴무": false]) == nil)
    #expect(ClosingDayColumns.text(of: ["closing_days": true, "휴일": true, "일요일": true]) == nil)
  }
}
