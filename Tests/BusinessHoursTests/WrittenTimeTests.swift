import Testing

@testable import BusinessHours

/// Times of day in words: `낮 12시~밤 9시`, `ランチ11:30〜2:30`, `10:00~자정`, `10AM~10PM`.
@Suite struct WrittenTimeTests {
  @Test(arguments: [
    ("저녁 6시~11시", "18:00-23:00"), ("낮 1시~9시", "13:00-21:00"), ("밤 9시~11시", "21:00-23:00"),
    ("낮 12시~밤 9시", "12:00-21:00"), ("아침 9시~저녁 6시", "09:00-18:00"), ("밤 8시~새벽 4시", "20:00-04:00"),
    ("오후 5시~새벽 1시", "17:00-01:00"), ("오전 6시~밤 12시", "06:00-24:00"), ("심야 11시~3시", "23:00-03:00"),
    ("저녁은 5:00~9:00", "17:00-21:00"), ("저녁 월~금 5:30~9:30", "Mo-Fr 17:30-21:30"),
    ("밤 9-12", "21:00-24:00"), ("모닝 7:00~11:00", "07:00-11:00"), ("朝10時〜夜12時", "10:00-24:00"),
    ("낮12시~3시 저녁5시~9시", "12:00-15:00,17:00-21:00"),
    ("11:30~14:30 저녁 5:30~9:30 일요일 휴무", "11:30-14:30,17:30-21:30; Su off"),
    ("런치 11:30~2:30 디너 5:30~9:30", "11:30-14:30,17:30-21:30"),
    ("월요일 밤 9시~12시", "Mo 21:00-24:00"), ("금요일밤 9시~12시", "Fr 21:00-24:00"),
    ("토 낮 12시~밤 11시 일 휴무", "Sa 12:00-23:00; Su off"),
    ("晩5時〜9時", "17:00-21:00"), ("昼1時〜5時", "13:00-17:00"), ("お昼 1:00〜4:00", "13:00-16:00"),
    ("宵 6:00〜11:00", "18:00-23:00"), ("ﾃﾞｨﾅｰ 5:00〜10:00", "17:00-22:00"),
    ("深夜 1:00〜5:00", "01:00-05:00"), ("深夜0時〜5時", "00:00-05:00"), ("17:00〜深夜3時", "17:00-03:00"),
    ("昼（11:30〜14:00）夜（17:30〜22:00）", "11:30-14:00,17:30-22:00"),
    ("Lunch 11:30〜2:30 Dinner 5:30〜10:00 水曜定休", "11:30-14:30,17:30-22:00; We off"),
    ("夜:5:00〜9:00", "17:00-21:00"), ("夜17:00〜06:00", "17:00-06:00"),
    ("夜　土曜：5:30〜9:00", "Sa 17:30-21:00"), ("18時〜翌朝5時", "18:00-05:00"),
    ("오후 5시~익일 새벽 2시", "17:00-02:00"),
  ])
  func `a part of the day says in which half a time is`(text: String, value: String) {
    #expect(WrittenHours(text).hours.description == value)
  }

  @Test(arguments: [
    ("10:00~자정", "10:00-24:00"), ("정오~20:00", "12:00-20:00"), ("11時〜正午", "11:00-12:00"),
    ("10:00~정오", "10:00-12:00"), ("자정~06:00", "00:00-06:00"), ("오전 9시~자정까지", "09:00-24:00"),
    ("24 hours", "24/7"), ("Open 24 hours, closed Sunday", "24/7; Su off"),
    ("10AM~10PM 일요일 휴무", "10:00-22:00; Su off"), ("12PM~12AM 월 휴무", "12:00-24:00; Mo off"),
    ("AM 10:00 ~ PM 08:00", "10:00-20:00"), ("10a.m.-2a.m. closed Mon", "10:00-02:00; Mo off"),
  ])
  func `noon, midnight, am, pm and 24 hours are times`(text: String, value: String) {
    #expect(WrittenHours(text).hours.description == value)
  }

  @Test(arguments: [
    "토 9:00~1:00", "토요일 9:00~1:00 일요일 휴진", "월~금 8:30~12:30 14:00~6:00", "12:00~8:00",
    "13:00~6:00 월 휴무", "11:30~2:30", "오전 10시~2시", "오전 10시~12시, 1시~6시", "9:00~12:00 1:00~6:00",
    "夜1時〜5時", "朝10時〜夜4時", "저녁식사 5:00~9:00", "夜12時〜5時", "夜17:00〜9:00", "昼12:00〜02:00",
    "1:00-5:00pm 일요일 휴무", "10AM-6",
    "알밤 9:00~11:00", "lunch 11:30-2:30", "9:00-18:00 lunch 12:00-13:00", "새벽 2시까지",
    "오전 10AM~오후 8PM",
  ])
  func `a time that may be in either half of the day is unknown`(text: String) {
    let read = WrittenHours(text)
    #expect(read.extent == .none, "\(read.hours)")
    #expect(!read.doubts.isEmpty)
  }

  @Test(arguments: [
    ("18:00〜2:00", "18:00-02:00"), ("15:00~2:00", "15:00-02:00"), ("10:00~0:00", "10:00-24:00"),
    ("10:00~01:00", "10:00-01:00"), ("오후 1시~6시", "13:00-18:00"), ("ランチ 11:30〜2:30", "11:30-14:30"),
    ("昼11:30〜2:00", "11:30-14:00"), ("お昼12:00〜3:00", "12:00-15:00"),
    ("診療 8:30〜12:00 15:00〜18:00", "08:30-12:00,15:00-18:00"),
    ("월~금 9:30~17:00 토 9:00~11:30", "Mo-Fr 09:30-17:00; Sa 09:00-11:30"),
    ("밤나무집 10:00~22:00", "10:00-22:00"), ("저녁식사 17:00~21:00", "17:00-21:00"),
    ("아침햇살 8:30~19:00", "08:30-19:00"), ("굿모닝힐 10:00~22:00", "10:00-22:00"),
    ("낮은 가격 10:00~20:00", "10:00-20:00"), ("晩ごはん処 17:00〜22:00", "17:00-22:00"),
    ("관장이 지정 오후 6시~10시", "18:00-22:00"),
  ])
  func `other times are in the half that they must be in`(text: String, value: String) {
    #expect(WrittenHours(text).hours.description == value)
  }

  @Test(arguments: [
    ("10:00-18:00 closed every second Tuesday", "10:00-18:00; Tu \"every second Tuesday\""),
    ("10:00-18:00 closed every 2nd Tuesday", "10:00-18:00; Tu \"every 2nd Tuesday\""),
    ("10:00-18:00 closed every other Tuesday", "10:00-18:00; Tu \"every other Tuesday\""),
    ("10:00-18:00 closed every 2nd Tuesday of the month", "10:00-18:00; Tu[2] off"),
    ("10:00-18:00 closed every 2nd and 4th Tuesday", "10:00-18:00; Tu[2,4] off"),
    ("10:00-18:00 closed every first Monday", "10:00-18:00; Mo[1] off"),
    ("10:00-18:00 closed the second Tuesday of every month", "10:00-18:00; Tu[2] off"),
  ])
  func `every second Tuesday may be every other one`(text: String, value: String) {
    #expect(WrittenHours(text).hours.description == value)
  }

  @Test(
    arguments: [
      ("10時～18時", .japanese), ("10時30分～18時", .japanese), ("10時〜18時", .japanese),
      ("10:00～18:00", nil),
      ("10시～18시", .korean),
    ] as [(String, WrittenLanguage?)])
  func `a dash after 時 is Japanese`(text: String, language: WrittenLanguage?) {
    #expect(WrittenLanguage(of: text) == language)
  }

  @Test func `an error quotes what is written`() {
    let error = #expect(throws: HoursError.self) { try OpeningHours("10時30分～18時30分（最終受付18時）") }
    #expect(error?.description.contains("\"時30分～18時30分（最終受付18時）\"") == true, "\(error!)")
  }
}
