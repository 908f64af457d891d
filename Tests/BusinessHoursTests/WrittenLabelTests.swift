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
    ("10:00~18:00 정기 휴무 일 매주 월요일", "10:00-18:00; Mo off"),
    ("10:00〜18:00 休業 日 第3月曜", "10:00-18:00; Mo[3] off"),
  ]) func `a space before the syllable for day makes it Sunday, unless days follow`(
    text: String, value: String
  ) {
    #expect(WrittenHours(text).hours.description == value)
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
      "Mo-Fr 10:00-20:00; Sa,Su off; Mo-Fr PH \"hours not stated\""
    ),
    ("10:00〜18:00 テ\u{3099}ィナー 18:00〜22:00", "10:00-18:00,18:00-22:00"),
    ("ﾃﾞｨﾅｰ 5:00〜10:00", "17:00-22:00"),
  ]) func `decomposed Hangul and kana are the same words`(text: String, value: String) {
    #expect(WrittenHours(text).hours.description == value)
  }
}
