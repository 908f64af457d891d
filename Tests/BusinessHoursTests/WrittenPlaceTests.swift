import Testing

@testable import BusinessHours

/// What stands around the hours of places: breaks, prices, other languages, what is forbidden at some times.
@Suite struct WrittenPlaceTests {
  @Test(arguments: [
    "Пн выходной 10:00-18:00", "Пн 10:00-18:00", "Δευτέρα 10:00-18:00", "วันจันทร์ 10:00-18:00",
    "10:00-18:00 ทุกวันจันทร์หยุด", "الاثنين 10:00-18:00", "יום ראשון 10:00-18:00", "शनिवार 10:00-18:00",
    "周一至周五 9:00-18:00", "周一闭馆 09:00-17:00", "10:00-22:00 周三不营业", "10:00-22:00，周二关门",
    "周末 10:00-18:00", "每周一 10:00-18:00", "10:00-18:00 除周末", "礼拜六 10:00-18:00", "禮拜一 10:00-18:00",
    "国庆节 10:00-18:00", "暑假 10:00-18:00", "营业时间 周一至周五 9:00-18:00 双休日休息", "한국어 Пн 10:00-18:00",
    "🍜 10:00~18:00 lundi fermé",
  ]) func `words of another language may concern days`(text: String) {
    #expect(WrittenHours(text).extent == .none, "\(WrittenHours(text).hours)")
  }

  @Test(arguments: [
    ("카페 Café 10:00~22:00", "10:00-22:00"), ("本店 10:00〜18:00 月曜定休", "10:00-18:00; Mo off"),
    ("Ⅱ号館 10:00〜18:00", "10:00-18:00"), ("😀 Monday closed 10:00-18:00", "10:00-18:00; Mo off"),
  ]) func `names in Latin letters and Japanese words stay passed over`(
    text: String, value: String
  ) {
    #expect(WrittenHours(text).hours.description == value)
  }

  @Test(arguments: [
    "출입통제 22:00~06:00", "22:00~06:00 통제", "立入禁止 22:00〜6:00", "清掃 13:00〜14:00", "仕込み 15:00〜17:00",
    "청소 15:00~17:00", "점검 11:00~21:00", "단속 07:00~21:00", "매표소 09:00~17:00", "매점 09:00~17:00",
    "고객센터 09:00~18:00", "체크인 15:00~22:00", "입장 09:00~17:00", "해피아워 17:00~19:00", "駐車場 9:00〜17:00",
    "売店 9:00〜17:00", "세트 5000원 11:00~14:00", "先着20名 10:00〜12:00", "오늘 10:00~22:00",
    "코로나로 10:00~21:00", "연중무휴 아님 10:00~22:00", "10:00~22:00 연중무휴 아님", "年中無休ではありません 10:00〜22:00",
  ]) func `hours of something else, or of today, are not those of the place`(text: String) {
    #expect(WrittenHours(text).extent == .none, "\(WrittenHours(text).hours)")
  }

  @Test(arguments: [
    ("10:00~22:00 ☎ 02-123-4567", "10:00-22:00"), ("10:00~22:00 (문의 1588-1234)", "10:00-22:00"),
    ("0507-1300-1234 10:00~22:00", "10:00-22:00"), ("10:00〜20:00 TEL03-1234-5678", "10:00-20:00"),
    ("10:00~22:00 입장료 5000원", "10:00-22:00"), ("10:00~22:00 (성인 5,000원)", "10:00-22:00"),
    ("10:00〜20:00 駐車場20台", "10:00-20:00"),
    ("駐車場20台 日曜休み 10:00〜20:00", #"10:00-20:00; Su "駐車場20台""#),
  ]) func `telephone numbers, prices and numbers of things are no hours`(
    text: String, value: String
  ) {
    #expect(WrittenHours(text).hours.description == value)
  }

  @Test(arguments: [
    "1588-1234 10:00~22:00", "10:00~22:00 월요일 5000원, 일요일 휴무", "10:00~20:00 (일요일 5,000원)",
    "10:00~22:00 점심특선 5000원 11:00~14:00", "10:00~22:00 주차 2시간 무료",
  ]) func `prices beside days and times leave them unknown`(text: String) {
    #expect(WrittenHours(text).extent == .none, "\(WrittenHours(text).hours)")
  }

  // MARK: Breaks

  @Test(arguments: [
    ("매일 11:30 - 21:30\n15:00 - 17:00 브레이크타임\n20:30 라스트오더", "Mo-Su 11:30-15:00,17:00-21:30"),
    ("10:00~20:00 (브레이크타임 15:00~17:00)", "10:00-15:00,17:00-20:00"),
    ("09:00~18:00(점심 12:00~13:00 제외)", "09:00-12:00,13:00-18:00"),
    ("오전9시~오후6시(12시~1시 점심)", "09:00-12:00,13:00-18:00"),
    ("09:00~18:00 점심시간(12:00~13:00) 휴진", "09:00-12:00,13:00-18:00"),
    ("11:00~22:00 브레이크 3:00~5:00", "11:00-15:00,17:00-22:00"),
    ("9:00〜18:00（昼休憩12:00〜13:00） 定休日：水曜", "09:00-12:00,13:00-18:00; We off"),
    ("10:00~22:00 브레이크타임 15:00~17:00 매주 월요일 휴무", "10:00-15:00,17:00-22:00; Mo off"),
    (
      "월~금 09:00~18:00 점심 13:00~14:00 토 09:00~13:00 일 휴진",
      "Mo-Fr 09:00-13:00,14:00-18:00; Sa 09:00-13:00; Su off"
    ),
    (
      "월-금 09:00-18:00 (점심시간 12:00-13:00) 토 09:00-13:00 일,공휴일 휴진",
      "Mo-Fr 09:00-12:00,13:00-18:00; Sa 09:00-13:00; Su,PH off"
    ),
    ("10:00~22:00 브레이크타임 없음", "10:00-22:00"),
    ("점심 11:30~14:30 저녁 17:30~21:30", "11:30-14:30,17:30-21:30"),
  ]) func `a break is taken out of the only hours that it is in`(text: String, value: String) {
    #expect(WrittenHours(text).hours.description == value)
  }

  @Test(arguments: [
    "10:00~22:00 평일 브레이크타임 15:00~17:00", "10:00~22:00 브레이크타임 15:00~17:00 (평일)",
    "10:00~22:00 브레이크타임 15:00~17:00 토, 일 휴무", "10:00~22:00 브레이크타임 15:00~17:00 (주말 제외)",
    "10:00~22:00 브레이크타임 15:00~17:00 주말 브레이크타임 없음", "09:00~18:00 점심시간 12:00~13:00에도 진료",
    "09:00~18:00 점심시간에도 진료", "09:00~18:00 점심시간 12:00~13:00 정상진료", "09:00~18:00 직원 점심시간 12:00~13:00",
    "평일 09:00~18:00 토 09:00~15:00 점심 13:00~14:00", "11:00~15:00 브레이크타임 15:00~17:00 17:00~21:00",
    "11:00~ 브레이크타임 15:00~17:00", "점심 12:00~13:00",
  ]) func `a break of some days, or in no hours, leaves all unknown`(text: String) {
    #expect(WrittenHours(text).extent == .none, "\(WrittenHours(text).hours)")
  }

  // MARK: Opening and closing times

  @Test(arguments: [
    ("OPEN 11:00 CLOSE 21:00", "11:00-21:00"), ("OPEN10:00〜CLOSE20:00", "10:00-20:00"),
    ("11:00 오픈 ~ 21:00 마감", "11:00-21:00"), ("오픈 09:00 ~ 22:00 마감", "09:00-22:00"),
    ("오전 11시 오픈, 오후 9시 마감", "11:00-21:00"),
    ("개점 10:00 / 폐점 21:00", "10:00-21:00"), ("10:00開店 20:00閉店", "10:00-20:00"),
    ("10:00 오픈 19:00 마감 (18:30 라스트오더)", "10:00-19:00"),
    ("월 오픈 10:00 마감 18:00", "Mo 10:00-18:00"), ("오전 11시에서 오후 9시까지", "11:00-21:00"),
    ("08.30~17.30", "08:30-17:30"), ("Mon-Fri: 0900-1700", "Mo-Fr 09:00-17:00"),
    ("Open daily from 7 am to 11 pm", "Mo-Su 07:00-23:00"), ("24시", "24/7"), ("상시 개방", "24/7"),
    ("終日", "24/7"), ("일출~일몰", "sunrise-sunset"), ("日の出〜日没", "sunrise-sunset"),
  ]) func `opening and closing times in words are hours`(text: String, value: String) {
    #expect(WrittenHours(text).hours.description == value)
  }

  @Test(arguments: [
    "오픈 10:00 예약마감 19:00", "close 일요일 10:00~22:00", "10:00오픈", "영업종료 22:00", "10.15~11.30",
    "1000-2200", "24시까지", "終日禁煙 10:00〜22:00", "일출~일몰 1시간 전", "1시~5시",
  ]) func `one of two times, or what may be dates, is unknown`(text: String) {
    #expect(WrittenHours(text).extent == .none, "\(WrittenHours(text).hours)")
  }

  @Test func `times of twelve hours say what is in doubt`() {
    #expect(
      WrittenHours("5:00~9:00").doubts
        == [WrittenDoubt(text: "5:00~9:00", column: 1, kind: .halfOfDay)])
  }
}
