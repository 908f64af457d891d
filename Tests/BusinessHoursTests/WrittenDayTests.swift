import Testing

@testable import BusinessHours

/// Days and months of hours: nths, seasons, lists, days that are left out.
@Suite struct WrittenDayTests {
  @Test(arguments: [
    ("매월 둘째 토요일 10:00~17:00", "Sa[2] 10:00-17:00"),
    ("둘째·넷째 토요일만 운영 10:00~17:00", "Sa[2,4] 10:00-17:00"),
    ("First Sunday of the month 10am-4pm", "Su[1] 10:00-16:00"),
    ("월~금 09:00~18:00, 둘째 토 10:00~15:00", "Mo-Fr 09:00-18:00; Sa[2] 10:00-15:00"),
    ("첫째·셋째 토 10:00~17:00, 둘째·넷째 토 10:00~15:00", "Sa[1,3] 10:00-17:00; Sa[2,4] 10:00-15:00"),
    ("10:00~18:00 첫 토요일 10:00~15:00", "10:00-18:00; Sa[1] 10:00-15:00"),
    ("주말만 영업 11:00~20:00", "Sa,Su 11:00-20:00"), ("土日祝日のみ営業 10:00〜16:00", "Sa,Su,PH 10:00-16:00"),
    ("일욜 휴무 11:00~20:00", "11:00-20:00; Su off"),
    ("10:00~22:00 월 휴무 2,4주 일 휴무", "10:00-22:00; Mo,Su[2,4] off"),
    ("10am to 6pm, Tuesday to Sunday", "Tu-Su 10:00-18:00"),
    ("8am-8pm, 7 days a week", "Mo-Su 08:00-20:00"),
    ("- 월~금: 10:00~20:00\n- 주말: 11:00~19:00", "Mo-Fr 10:00-20:00; Sa,Su 11:00-19:00"),
    ("1. 월~금 10:00~20:00 2. 주말 11:00~19:00", "Mo-Fr 10:00-20:00; Sa,Su 11:00-19:00"),
    ("① 월~금 10:00~20:00 ② 주말 11:00~19:00", "Mo-Fr 10:00-20:00; Sa,Su 11:00-19:00"),
  ]) func `days of hours are read however they are listed`(text: String, value: String) {
    expect(text, isReadAs: value)
  }

  @Test(arguments: [
    "둘째 토, 일 10:00~17:00", "매주 토 10:00~17:00, 둘째 토 10:00~15:00", "둘째 토요일, 공휴일 10:00~15:00",
    "둘째 토 10:00~17:00, 토요일 휴무", "일요일도 영업 10:00~22:00", "土日営業 10:00〜16:00",
    "Open every second Saturday 10am-1pm",
  ]) func `days that may be more or fewer are unknown`(text: String) {
    expect(text, isReadAs: nil)
  }

  // MARK: Months

  @Test(arguments: [
    ("3월~10월 09:00~18:00, 11월~2월 09:00~17:00", "Mar-Oct 09:00-18:00; Nov-Feb 09:00-17:00"),
    ("하절기(3~10월) 09:00~18:00, 동절기(11~2월) 09:00~17:00", "Mar-Oct 09:00-18:00; Nov-Feb 09:00-17:00"),
    ("4～9月／9:00～17:00、10～3月／9:00～16:30", "Apr-Sep 09:00-17:00; Oct-Mar 09:00-16:30"),
    ("4月〜9月 9:00〜18:00 10月〜3月 9:00〜17:00", "Apr-Sep 09:00-18:00; Oct-Mar 09:00-17:00"),
    (
      "3월~10월 09:00~18:00, 11월~2월 09:00~17:00\n월요일 휴관",
      "Mar-Oct 09:00-18:00; Nov-Feb 09:00-17:00; Mo off"
    ),
    (
      "3월~10월 월~금 09:00~18:00 토 09:00~13:00, 11월~2월 월~금 09:00~17:00",
      "Mar-Oct Mo-Fr 09:00-18:00; Mar-Oct Sa 09:00-13:00; Nov-Feb Mo-Fr 09:00-17:00"
    ),
  ]) func `seasons that are a whole year have their own hours`(text: String, value: String) {
    expect(text, isReadAs: value)
  }

  @Test(arguments: [
    ("하절기(3월~10월) 09:00~18:00", #"Nov-Feb "hours not stated"; Mar-Oct 09:00-18:00"#),
    ("4〜10月 9:00〜17:00", #"Nov-Mar "hours not stated"; Apr-Oct 09:00-17:00"#),
    ("동절기(11월~2월) 09:00~17:00", #"Mar-Oct "hours not stated"; Nov-Feb 09:00-17:00"#),
    (
      "3월~5월 09:00~18:00, 9월~10월 09:00~17:00",
      #"Jun-Aug,Nov-Feb "hours not stated"; Mar-May 09:00-18:00; Sep-Oct 09:00-17:00"#
    ),
    (
      "3월~10월 월~금 09:00~18:00\n일요일 휴무",
      #"Nov-Feb "hours not stated"; Mar-Oct Mo-Fr 09:00-18:00; Su off"#
    ),
    (
      "월요일 휴무, 동절기(12~2월) 10:00~18:00 운영",
      #"Mar-Nov "hours not stated"; Dec-Feb 10:00-18:00; Mo off"#
    ),
  ]) func `months that the seasons of a text leave over are unknown`(text: String, value: String) {
    let read = WrittenHours(text)
    #expect(read.hours.description == value)
    #expect(read.extent == .whole)
  }

  @Test(arguments: [
    "3월~10월 09:00~18:00, 11월~2월 휴무", "09:00~18:00 (11~2월 09:00~17:00)",
    "3월~10월 09:00~18:00, 그 외 09:00~17:00", "4〜10月 9:00〜12:00 その他 13:00〜17:00",
    "3월~10월 09:00~18:00, 3월~5월 09:00~17:00", "3월~10월 09:00~18:00 월요일 휴무",
    "3월~10월 09:00~18:00 동절기 미운영",
    "3월~10월 09:00~18:00, 11월~2월 09:00~17:00 (월요일 휴관)",
    "3월~10월 평일 09:00~18:00, 11월~2월 평일 09:00~17:00", "3월~10월 말 09:00~18:00, 11월~2월 09:00~17:00",
  ]) func `seasons that may say something of other months, or close some, are unknown`(text: String)
  {
    expect(text, isReadAs: nil)
  }

  // MARK: Days that are left out

  @Test(arguments: [
    ("월요일을 제외한 매일 10:00~18:00", "Mo-Su 10:00-18:00; Mo off"),
    ("매일(화 제외) 10:00~22:00", "Mo-Su 10:00-22:00; Tu off"),
    ("10:00〜20:00（月曜を除く）", "10:00-20:00; Mo off"), ("10:00〜20:00 月曜以外", "10:00-20:00; Mo off"),
    ("10:00~18:00 (월·화 제외)", "10:00-18:00; Mo,Tu off"),
    ("평일 10:00~18:00 (공휴일 제외)", "Mo-Fr 10:00-18:00; PH off"),
    ("月火水木金 9:00~17:00\n祝日、12/29～1/3を除く", "Mo-Fr 09:00-17:00; PH off; Dec 29-Jan 03 off"),
    ("10am-6pm except Mondays and holidays", "10:00-18:00; Mo,PH off"),
    ("daily except Sunday 10am-6pm", "Mo-Su 10:00-18:00; Su off"),
  ]) func `days that the only hours leave out are closed`(text: String, value: String) {
    expect(text, isReadAs: value)
  }

  @Test(arguments: [
    "월요일 제외 휴무", "수요일 제외 매일 휴무", "月曜以外は休み 10:00〜18:00", "공휴일 제외 일요일 휴무 10:00~18:00",
    "일요일(공휴일 제외) 휴무 10:00~18:00", "09:00~12:00, 토요일 제외 13:00~18:00",
    "09:00~12:00 13:00~18:00(토요일 제외)", "10:00~22:00 일요일 제외 배달", "10:00~22:00, 수요일 제외 5% 할인",
    "매주 월요일 휴관 (공휴일 제외) 09:00~18:00", "09:00~18:00 매주 월요일 휴관, 공휴일 제외", "月曜休み（祝日を除く）9:00〜17:00",
    "9:00〜17:00 月曜休み\n祝日、12/29～1/3を除く", "10:00-18:00, Mondays closed (except holidays)",
    "10:00〜18:00 ランチ（日曜を除く）", "10:00〜22:00 夜は月曜を除く", "10:00~22:00 라스트오더 21:00 (주말 제외)",
    "10:00~22:00 ☎02-123-4567(주말 제외)",
    "10:00~22:00 배달 일요일 제외", "月火水木金 8:30~17:15\n友引、1/1を除く",
    "closed Sundays except public holidays, 10am-6pm",
  ]) func `days left out of something else leave all unknown`(text: String) {
    expect(text, isReadAs: nil)
  }

  // MARK: Holidays

  @Test(arguments: [
    ("평일 10:00~18:00, 추석 당일 휴무", "2026-09-25"), ("평일 10:00~18:00, 명절 휴무", "2026-09-25"),
    ("평일 10:00~18:00, 대체공휴일 휴무", "2026-03-02"), ("평일 10:00~18:00, 1월 1일 휴무", "2027-01-01"),
    ("평일 10:00~18:00, 국경일 휴무", "2025-10-03"), ("平日 9:00〜17:00 1月1日休業", "2027-01-01"),
    ("平日 9:00〜17:00 年末年始休み", "2027-01-01"), ("Weekdays 9:00-17:00, closed Jan 1", "2027-01-01"),
    ("주중 10:00~18:00 월요일 휴장", "2026-05-25"), ("10:00~18:00 평일 휴관, 추석 당일 휴관", "2026-09-25"),
  ]) func `a closing day that is named is closed for hours of weekdays, too`(
    text: String, day: String
  ) throws {
    for hours in [WrittenHours(text).hours, try OpeningHours("\(WrittenHours(text).hours)")] {
      #expect(state(of: hours, on: day) == .closed, "\(hours)")
      // Christmas, which nothing names.
      #expect(state(of: hours, on: "2026-12-25") == .unknown, "\(hours)")
    }
  }

  @Test func `a closing day of a column of its own is closed for hours of weekdays, too`() {
    let hours = WrittenHours("평일 09:00~16:00", closingDays: "2026-12-25, 2027-01-01").hours
    #expect(state(of: hours, on: "2026-12-25") == .closed)
    #expect(state(of: hours, on: "2026-10-09") == .unknown)
  }

  @Test(arguments: [
    ("2026-08-17", OpenState.closed), ("2026-08-18", .open), ("2035-08-16", .open),
    // 15 August 2037 is a Saturday.
    ("2037-08-17", .unknown), ("2037-05-06", .unknown),
  ]) func `substitute holidays are unknown in years whose holidays are`(
    day: String, expected: OpenState
  ) {
    let hours = WrittenHours("10:00~18:00 대체공휴일 휴무").hours
    #expect(state(of: hours, on: day) == expected, "\(hours)")
  }

  @Test(arguments: [
    ("10:00~18:00 월요일(공휴일인 경우 다음 날) 휴관", "다음 날"), ("10:00~18:00 월요일 휴관(공휴일인 경우 다음날 휴관)", "다음날"),
    ("10:00~18:00 월요일 휴관 (월요일이 공휴일인 경우 그 다음날 휴관)", "그 다음날"),
    ("10:00〜18:00 月曜休館（祝日の場合は翌火曜）", "翌火曜"),
  ]) func `a closing day that a holiday moves has its own words, before or behind closed`(
    text: String, words: String
  ) {
    expect(
      text,
      isReadAs: "10:00-18:00; Mo off; Mo PH 10:00-18:00; Tu PH +1 day off; "
        + "Tu PH +1 day PH \"\(words)\"; We PH +1 day \"\(words)\"")
  }

  @Test func `a holiday opens a closing day in a bracket behind closed`() {
    expect("9:00〜17:00 月曜休館（祝日の場合は開館）", isReadAs: "09:00-17:00; Mo off; Mo PH 09:00-17:00")
  }

  // MARK: Doubts

  @Test(arguments: [
    ("매표소 09:00~17:00", ["매표소"]), ("10:00~22:00 은행 월~금 09:00~16:00", ["은행"]),
    ("오픈 10:00 예약마감 19:00", ["10:00", "예약마감", "19:00"]),
  ]) func `a doubt has the whole word, once`(text: String, words: [String]) {
    let doubts = WrittenHours(text).doubts
    #expect(doubts.map(\.text) == words)
    for doubt in doubts {
      #expect(text.dropFirst(doubt.column - 1).hasPrefix(doubt.text), "\(doubt)")
    }
  }

  private func state(of hours: OpeningHours, on day: String) -> OpenState {
    hours.state(at: localTime(day + "T12:00"), setting: HoursSetting(publicHolidays: .korea))
  }
}
