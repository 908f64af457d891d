import Testing

@testable import BusinessHours

/// Labels, and the days that they do or do not have.
@Suite struct WrittenLabelTests {
  @Test(arguments: [
    ("10:00〜18:00 休 日祝", "10:00-18:00; Su,PH off"),
    ("10:00〜18:00 休　日祝日", "10:00-18:00; Su,PH off"),
    ("10:00〜18:00 定休 日曜日", "10:00-18:00; Su off"),
    ("10:00~18:00 휴무 일 월", "10:00-18:00; Mo,Su off"),
    ("10:00~18:00 휴무 일", "10:00-18:00; Su off"),
    ("24시간 휴무 일·공휴일", "24/7; Su,PH off"),
    ("영업 일,월,화 10:00~18:00", "Mo,Tu,Su 10:00-18:00"),
    ("営業 日祝 10:00〜20:00", "Su,PH 10:00-20:00"),
    // The syllable belongs to the label.
    ("10:00〜18:00 定  休  日 月曜", "10:00-18:00; Mo off"),
    ("10:00~18:00 휴무 일 : 월요일", "10:00-18:00; Mo off"),
    ("10:00~18:00 휴관 일 (월요일)", "10:00-18:00; Mo off"),
    ("10:00~18:00 정기 휴무 일 매주 월요일", "10:00-18:00; Mo off"),
    ("10:00〜18:00 休業 日 第3月曜", "10:00-18:00; Mo[3] off"),
  ]) func `a space before the syllable for day makes it Sunday, unless days follow`(
    text: String, value: String
  ) {
    expect(text, isReadAs: value)
  }

  @Test func `hours on Sundays and hours of opening days look alike`() {
    #expect(WrittenHours("영업 일 10:00~18:00").extent == .none)
  }

  /// Each text in the form in which macOS writes names of files.
  @Test(arguments: [
    (
      "10:00~20:00 \u{110B}\u{116F}\u{11AF}\u{110B}\u{116D}\u{110B}\u{1175}\u{11AF} \u{1112}\u{1172}\u{1106}\u{116E}",
      "10:00-20:00; Mo off"
    ),
    (
      "\u{1111}\u{1167}\u{11BC}\u{110B}\u{1175}\u{11AF} 10:00~20:00, 토,일 휴무",
      "Mo-Fr 10:00-20:00; Mo-Fr PH \"hours not stated\"; Sa,Su off"
    ),
    ("10:00〜18:00 テ\u{3099}ィナー 18:00〜22:00", "10:00-18:00,18:00-22:00"),
    ("ﾃﾞｨﾅｰ 5:00〜10:00", "17:00-22:00"),
  ]) func `decomposed Hangul and kana are the same words`(text: String, value: String) {
    expect(text, isReadAs: value)
  }

  /// The certain days stay closed; every other day is in doubt.
  @Test(arguments: [
    ("10:00~18:00 한글날 휴무", #"10:00-18:00 "한글날 휴무""#),
    ("10:00~18:00 비 오는 날 휴무", #"10:00-18:00 "비 오는 날 휴무""#),
    ("10:00~18:00 겨울 휴무", #"10:00-18:00 "겨울 휴무""#),
    ("10:00〜18:00 GW休み", #"10:00-18:00 "GW休み""#),
    ("10:00〜18:00 雨天休み", #"10:00-18:00 "雨天休み""#),
    ("10:00〜18:00 敬老の日休み", #"10:00-18:00 "敬老の日休み""#),
    ("10:00〜18:00 三が日休み", #"10:00-18:00 "三が日休み""#),
    ("盆・月曜休み 10:00〜18:00", #"10:00-18:00 "盆"; Mo off"#),
    ("10:00~18:00 매월 마지막 날, 매주 월요일 휴무", #"10:00-18:00 "마지막 날"; Mo off"#),
    ("10:00~18:00 휴무 미정", #"10:00-18:00 "휴무""#),
  ]) func `closing days with unknown words are not passed over`(text: String, value: String) {
    let hours = WrittenHours(text)
    #expect(!hours.doubts.isEmpty)
    #expect(hours.hours.description == value)
  }

  @Test(arguments: [
    ("10:00~18:00 별빛상회 휴무일: 월요일", "10:00-18:00; Mo off"),
    ("10:00~18:00 포인트 적립 가능 일요일 휴무", "10:00-18:00; Su off"),
    ("10:00~18:00 ★ 일요일 휴무", "10:00-18:00; Su off"),
    ("10:00~18:00 정기적으로 일요일 휴무", "10:00-18:00; Su off"),
    ("별빛상회 월~금 10:00~18:00", "Mo-Fr 10:00-18:00"),
    ("10:00~18:00 매장은 일요일 휴무", "10:00-18:00; Su off"),
    ("10:00~18:00 저희 가게는 일요일 휴무", "10:00-18:00; Su off"),
    ("10:00〜18:00 当店は月曜定休", "10:00-18:00; Mo off"),
    ("10:00~18:00 휴무X", "10:00-18:00"),
    ("10:00~18:00, 정기휴무 휴무일: 월요일", "10:00-18:00; Mo off"),
    ("조식 07:00~10:00 석식 18:00~21:00", "07:00-10:00,18:00-21:00"),
    ("土・日・休日 10:00〜18:00", "Sa,Su,PH 10:00-18:00"),
    ("10:00〜18:00 土・日・休日休み", "10:00-18:00; Sa,Su,PH off"),
    ("10:00〜18:00 休日：土・日", "10:00-18:00; Sa,Su off"),
    ("10:00~18:00 월·금일 휴무", "10:00-18:00; Mo,Fr,Su off"),
  ]) func `words around known days leave them certain`(text: String, value: String) {
    let hours = WrittenHours(text)
    #expect(hours.hours.description == value)
    #expect(hours.doubts.isEmpty)
  }

  @Test(arguments: [
    "10:00~14:00 배달 17:00~21:00", "매장 11:00~15:00, 포장 15:00~21:00", "배달 24시간",
    "10:00〜14:00 宅配 17:00〜20:00", "10:00~22:00 은행 월~금 09:00~16:00", "여름 10:00~20:00",
    "겨울 10:00~17:00 여름 18:00~20:00", "10:00~18:00 금일 휴무", "금일 10:00~15:00",
    "평일 9:00~18:00 休日 10:00〜17:00",
  ]) func `hours and days of something else or of a season are not those of the place`(
    text: String
  ) {
    expect(text, isReadAs: nil)
  }

  /// Words directly before days limit them, or name something else; the other days stay certain.
  @Test(arguments: [
    ("駐車場は日曜休み 10:00〜22:00", #"10:00-22:00; Su "駐車場は""#),
    ("10:00〜22:00 駐車場は日曜休み", #"10:00-22:00; Su "駐車場は""#),
    ("매표소는 월요일 휴무 10:00~22:00", #"10:00-22:00; Mo "매표소는""#),
    ("미용실은 월요일 휴무, 10:00~18:00", #"10:00-18:00; Mo "미용실은""#),
    ("10:00~22:00 은행 일요일 휴무", #"10:00-22:00; Su "은행""#),
    ("10:00~22:00 배달은 일요일 휴무", #"10:00-22:00; Su "배달은""#),
    ("10:00~22:00 고객센터 주말, 공휴일 휴무", #"10:00-22:00; Sa,Su "고객센터"; PH "고객센터""#),
    ("고객센터(는) 월요일 휴무 10:00~22:00", #"10:00-22:00; Mo "고객센터""#),
    ("본관 월요일 휴관, 신관 화요일 휴관 10:00~18:00", #"10:00-18:00; Mo "본관"; Tu "신관""#),
    ("본점 월요일 휴무, 별관 화요일 휴무 10:00~20:00", #"10:00-20:00; Tu "별관"; Mo off"#),
    ("10:00~22:00 거의 매주 월요일 휴무", #"10:00-22:00; Mo "거의""#),
    ("10:00〜22:00 たまに月曜休み", #"10:00-22:00; Mo "たまに""#),
    ("10:00〜22:00 当面月曜休み", #"10:00-22:00; Mo "当面""#),
    ("10:00〜22:00 一部店舗月曜休み", #"10:00-22:00; Mo "一部店舗""#),
    ("10:00〜18:00 一・三水曜休み", #"10:00-18:00; We "三""#),
    ("10:00~22:00\n푸드코트\n월요일 휴무", #"10:00-22:00; Mo "푸드코트""#),
    ("10:00~18:00 휴무: 매표소 월요일", #"10:00-18:00; Mo "매표소""#),
  ]) func `unknown words before days leave these days undecided`(text: String, value: String) {
    let hours = WrittenHours(text)
    #expect(hours.hours.description == value)
    #expect(hours.extent == .part)
  }

  @Test(arguments: [
    ("매월 첫 월요일 휴관 09:00~18:00", "09:00-18:00; Mo[1] off"),
    ("매월 둘,넷째주 일요일 휴무 10:00~22:00", "10:00-22:00; Su[2,4] off"),
    ("첫 셋째 월요일 휴무 10:00~22:00", "10:00-22:00; Mo[1,3] off"),
    ("둘째·넷 일요일 휴무 10:00~22:00", "10:00-22:00; Su[2,4] off"),
    ("10:00~18:00 2,4주차 일요일 휴무", "10:00-18:00; Su[2,4] off"),
    ("10:00〜18:00 第②④水曜休み", "10:00-18:00; We[2,4] off"),
    ("10:00〜18:00 第②・④水曜休み", "10:00-18:00; We[2,4] off"),
    ("10:00~22:00 ②④째 일요일 휴무", "10:00-22:00; Su[2,4] off"),
    ("①③月曜休み 10:00〜18:00", "10:00-18:00; Mo[1,3] off"),
    ("①10:00~18:00 ②월요일 휴무", "10:00-18:00; Mo off"),
    ("10:00~22:00 2주에 한번 일요일 휴무", #"10:00-22:00; Su "2주에 한번 일요일""#),
  ]) func `nths are read in short words and circled digits`(text: String, value: String) {
    expect(text, isReadAs: value)
  }

  @Test(arguments: [
    "첫눈 월요일 휴무 10:00~18:00", "10:00~18:00 3주에 한번 일요일 휴무",
  ])
  func `words that begin like nths close nothing for certain`(text: String) {
    #expect(!WrittenHours(text).hours.rules.contains { $0.state == .closed })
  }

  @Test(arguments: ["臨時休業中", "休館中", "改装中", "工事中", "準備中", "雨天中止", "임시휴업중", "공사중", "리모델링 중"])
  func `words for being closed at present leave no day open`(words: String) {
    #expect(WrittenHours("10:00〜18:00 \(words)").hours.description == "10:00-18:00 \"\(words)\"")
  }

  @Test(arguments: [
    "폐업", "폐업했습니다", "영업시간: 폐업", "閉業", "閉店しました", "Permanently closed", "CLOSED PERMANENTLY",
  ])
  func `words for being closed for good close every day if a text says nothing else`(text: String) {
    let rules = WrittenHours(text).hours.rules
    #expect(rules.map(\.state) == [.closed] && rules[0].days.isEmpty && rules[0].times.isEmpty)
    #expect(WrittenHours("10:00-18:00", closingDays: "폐업").hours.description == "off \"폐업\"")
    // What beside them may be old, or theirs.
    for more in ["\(text) 10:00~18:00", "10:00~18:00 \(text)"] {
      #expect(WrittenHours(more).extent == .none, "\(more): \(WrittenHours(more).hours)")
    }
  }

  @Test(arguments: ["Temporarily closed", "休業中", "휴업중"])
  func `being closed for some time leaves every day unknown`(text: String) {
    #expect(WrittenHours(text).hours.description == "\"\(text)\"")
    let column = WrittenHours("10:00-18:00", closingDays: text)
    #expect(column.hours.description == "10:00-18:00 \"\(text)\"")
  }

  @Test(arguments: [
    "閉店", "영업종료", "폐점", "閉店 21:00", "10:00〜21:00 閉店", "10:00~22:00 영업종료", "22:00 영업종료",
    "Temporarily closed 10:00-18:00", "10am-8pm permanently closed Sundays",
  ])
  func `words that may be a state or the label of a time are unknown`(text: String) {
    expect(text, isReadAs: nil)
  }

  @Test(arguments: ["F 9am-5pm", "M-T 9am-5pm", "M-Th 9am-5pm, S 9am-4pm"])
  func `initials that may be several days, or none, are unknown`(text: String) {
    expect(text, isReadAs: nil)
  }

  @Test(arguments: ["매월 마지막 날, 매주 월요일", "매월 첫째 날, 매주 월요일 휴관", "마지막 날과 월요일"])
  func `the nth day of a month is no nth weekday`(closingDays: String) {
    let hours = WrittenHours("10:00-18:00", closingDays: closingDays)
    #expect(hours.hours.description.hasSuffix("; Mo off"))
    #expect(hours.extent == .part)
  }

  @Test(arguments: [
    ("営業時間／10:00〜18:00 休み／月曜・第2火曜", "10:00-18:00; Mo,Tu[2] off"),
    ("월요일:휴무 화요일:10:00~20:00", "Tu 10:00-20:00; Mo off"),
    ("토일 휴무 매일 11:00~21:00", "Mo-Su 11:00-21:00; Sa,Su off"),
    ("10:00~22:00 일요일 쉼", "10:00-22:00; Su off"),
    ("10:00~22:00 매주 월요일은 쉽니다", "10:00-22:00; Mo off"),
    ("쉼터 10:00~18:00", "10:00-18:00"),
    ("土 日曜 10:00〜18:00", "Sa,Su 10:00-18:00"),
    ("10:00~18:00 제2,4주 일요일 휴무", "10:00-18:00; Su[2,4] off"),
    ("10:00~18:00 매월 제2,4일요일 휴무", "10:00-18:00; Su[2,4] off"),
    ("10:00~18:00 제2·제4 일요일 휴무", "10:00-18:00; Su[2,4] off"),
    ("10:00~18:00 제2월요일, 제4화요일 휴무", "10:00-18:00; Mo[2],Tu[4] off"),
    ("10:00~18:00 제 2·4주 일요일 휴무", "10:00-18:00; Su[2,4] off"),
    ("10:00~18:00 1&4째주 월요일 휴무", "10:00-18:00; Mo[1,4] off"),
  ]) func `labels with a slash or colon, and days with nths`(text: String, value: String) {
    let hours = WrittenHours(text)
    #expect(hours.hours.description == value)
    #expect(hours.doubts.isEmpty)
  }

  @Test(arguments: [
    ("월요일 휴무일\n화요일 오전 10:00~오후 8:00", "Tu 10:00-20:00; Mo off"),
    ("월 11:00 - 22:00\n수 휴무\n목 11:00 - 22:00", "Mo 11:00-22:00; Th 11:00-22:00; We off"),
    ("月曜日 定休日\n火曜日 10時00分～20時00分", "Tu 10:00-20:00; Mo off"),
    (
      "Monday 9 AM–5 PM\r\nTuesday Closed\r\nWednesday 9 AM–5 PM",
      "Mo 09:00-17:00; We 09:00-17:00; Tu off"
    ),
    ("정기휴무 월요일\n10:00~18:00\n", "10:00-18:00; Mo off"),
    ("정기휴무 월요일\n화~일 10:00~18:00", "Tu-Su 10:00-18:00; Mo off"),
    ("휴무일: 월요일\n화요일\n10:00~18:00", "10:00-18:00; Mo,Tu off"),
    ("영업시간\n10:00~22:00\n정기휴무\n월요일", "10:00-22:00; Mo off"),
    ("월~금\n10:00~18:00\n토\n10:00~15:00\n일\n휴무", "Mo-Fr 10:00-18:00; Sa 10:00-15:00; Su off"),
    ("定休日：月曜。10:00〜18:00", "10:00-18:00; Mo off"),
    ("定休日 月曜／10:00〜18:00", "10:00-18:00; Mo off"),
    ("휴무: 일요일, 10:00~18:00", "10:00-18:00; Su off"),
    ("Closed Mondays. 10:00-18:00", "10:00-18:00; Mo off"),
    ("Closed on Mondays, 10:00-18:00", "10:00-18:00; Mo off"),
    ("Closed Monday; 10:00-18:00", "10:00-18:00; Mo off"),
  ]) func `line breaks and signs end the days of a label`(text: String, value: String) {
    let hours = WrittenHours(text)
    #expect(hours.hours.description == value)
    #expect(hours.doubts.isEmpty)
  }

  @Test(arguments: [
    "휴무: 월 / 화 10:00~18:00", "Closed Mon, Tue 10:00-18:00", "휴무 12/13, 10:00~15:00",
    "정상영업: 12/13\n12/20",
    "休業日 水曜 平日9:00-17:00", "10:00~18:00 휴관일: 주말만 운영",
  ]) func `a label without a clear end of its days is unknown`(text: String) {
    expect(text, isReadAs: nil)
  }

  @Test(arguments: [
    ("365일 10:00~22:00", "10:00-22:00"), ("24시간 365일", "24/7"), ("365日24時間営業", "24/7"),
    ("주중 10:00~18:00 월요일 휴장", "Mo-Fr 10:00-18:00; Mo-Fr PH \"hours not stated\"; Mo off"),
    ("診療時間 9:00〜18:00 日曜休診", "09:00-18:00; Su off"),
    ("관람시간 10:00~18:00 / 휴원일: 월요일", "10:00-18:00; Mo off"),
    ("2/4주 일요일 휴무 10:00~22:00", "10:00-22:00; Su[2,4] off"),
    ("10:00~22:00 일요일 격주 휴무", "10:00-22:00; Su \"일요일 격주\""),
    ("9:00〜17:00 年末年始休業（12/29～1/3）", "09:00-17:00; Dec 29-Jan 03 off"),
    ("9:00〜17:00 年末年始12/29〜1/3休み", "09:00-17:00; Dec 29-Jan 03 off"),
    ("주말만 10:00~18:00", "Sa,Su 10:00-18:00"),
    ("10:00~22:00 12월 의무휴업일 13일, 27일", "10:00-22:00; Dec 13 off; Dec 27 off"),
    ("10:00~22:00 2026년 12월 휴무일: 13, 27일", "10:00-22:00; 2026 Dec 13,2026 Dec 27 off"),
    ("10:00~22:00 12/13(일), 27(일) 휴무", "10:00-22:00; Dec 13,Dec 27 Su off"),
    ("Every day 10am-10pm", "Mo-Su 10:00-22:00"), ("Weekends only 10am-4pm", "Sa,Su 10:00-16:00"),
    ("M-F 9-17", "Mo-Fr 09:00-17:00"),
    ("M-F 8am-5pm; Sat-Sun closed", "Mo-Fr 08:00-17:00; Sa,Su off"),
    ("M-Th 9am-5pm, F 9am-4pm", "Mo-Th 09:00-17:00; Fr 09:00-16:00"),
    ("24 hrs, closed Sunday", "24/7; Su off"),
    ("10am-5pm Sun & holidays closed", "10:00-17:00; Su,PH off"),
  ]) func `words of days and labels are read`(text: String, value: String) {
    expect(text, isReadAs: value)
  }

  @Test func `nths with the prefix of a number are read in a column of closing days`() {
    let hours = WrittenHours("10:00-18:00", closingDays: "제1, 3주 화요일").hours
    #expect(hours.description == "10:00-18:00; Tu[1,3] off")
  }

  @Test(arguments: [
    "月曜（祝日の場合は開館し、翌日休館）", "月曜（祝日の場合は営業、翌日休業）", "月曜（祝日・振替休日の場合は翌日）",
  ]) func `a Monday that is a holiday opens and its Tuesday closes, however it is said`(
    closingDays: String
  ) {
    let moved = WrittenHours("10:00-18:00", closingDays: "月曜（祝日の場合は翌日）")
    #expect(WrittenHours("10:00-18:00", closingDays: closingDays).hours == moved.hours)
    // Days that move are closing days, so times behind them are not theirs.
    #expect(WrittenHours(closingDays + " 10:00〜18:00").extent == .none)
  }
}
