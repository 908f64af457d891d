import Foundation
import NearbyTestSupport
import Testing

// What places say at noon on a Tuesday, a Saturday and a Sunday.
private let daily = Array(repeating: "open until 18:00", count: 3)
private let closedOnSundays = ["open until 18:00", "open until 18:00", "opens tomorrow"]
private let shortOnSaturdays = ["open until 18:00", "open until 14:00", "opens tomorrow"]
private let inBreak = Array(repeating: "opens 13:00", count: 3)
private let unknown = Array(repeating: "hours unknown", count: 3)

/// `nearby hours TEXT` for texts that are not understood.
@Suite struct HoursTextTests {
  private func run(_ arguments: [String], input: String = "") throws -> Program.Outcome {
    try Program.run(arguments, input: Array(input.utf8), in: Folder())
  }

  @Test func `words that no language of hours has are refused by the terms of the language`() throws
  {
    let outcome = try run(["hours", "weather permitting"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("in the terms of the opening_hours language"))
  }

  @Test func `hours by the sun say that they need a position`() throws {
    let outcome = try run(["hours", "sunrise-sunset"])
    #expect(outcome.status == 0 && outcome.text.contains("unknown"), "\(outcome.text)")
    #expect(outcome.errors.contains("nearby hours eval takes lat and lon"))
    #expect(try run(["hours", "Mo 09:00-18:00"]).errors == "")
  }

  @Test(
    arguments: [
      // The words that were not read, and no grammar of another language.
      ("주차 여부에 따라 다름", nil), ("짝수주 토요일 휴무", "짝수"), ("일요일 정상영업", "정상영업"),
      ("10:00~20:00 月末は要問合せで変更", nil), ("안내", nil),
    ] as [(String, String?)])
  func `a Korean or Japanese text that is not understood says what was not read`(
    text: String, words: String?
  ) throws {
    let outcome = try run(["hours", text])
    #expect(outcome.status == 64)
    #expect(outcome.errors.hasPrefix("error: hours-unread: "), "\(outcome.errors)")
    #expect(!outcome.errors.contains("write days, times or a state"))
    if let words { #expect(outcome.errors.contains("\"\(words)"), "\(outcome.errors)") }
    let row =
      #"{"id":1,"value":"\#(text)","from":"2026-11-23T00:00","to":"2026-11-24T00:00","tz":"UTC"}"#
    let eval = try run(["hours", "eval"], input: row + "\n")
    #expect(eval.status == 65 && eval.text.contains("is in Korean or Japanese"), "\(eval.text)")
    #expect(eval.text.contains(#""code":"hours-syntax""#))
  }

  @Test(
    arguments: [
      ("10:00~22:00 free", #"column 13: "free" was not understood"#),
      ("10:00~22:00 ☎ 1234", #"column 13: "☎ 1234" was not understood"#),
      ("5:00~9:00", #"column 1: "5:00~9:00" may be in the morning or in the evening"#),
      ("Mo-Fr 10:00~22:00", "column 12 holds"),
    ])
  func `the reader that comes further says what it did not understand`(
    text: String, words: String
  ) throws {
    let outcome = try run(["hours", text])
    #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome.errors)")
  }

  @Test func `the columns of Japan's standard data are hours, with their remarks`() throws {
    let columns = [
      "利用可能曜日,開始時間,終了時間,利用可能日時特記事項",
      "availableDate,startTime,endTime,availableDateNote",
    ]
    for names in columns {
      let rows = """
        name,lat,lon,\(names)
        A,34.3,134,火水木金土日,9:00,17:00,
        B,34.3,134,月火水木金,8:30,17:15,祝日を除く
        C,34.3,134,月火水木金土日,9:00,17:00,土曜日は15:00まで
        D,34.3,134,,9:00,17:00,
        E,34.3,134,月火水木金土日,0:00,23:59,終日利用可能
        F,34.3,134,月火水木金土日,9:00,17:00,終日利用可能

        """
      let outcome = try run(["hours", "-", "--at", "2026-12-15T12:00"], input: rows)
      #expect(
        outcome.lines == [
          "A: open until 17:00", "B: open until 17:15", "C: hours unknown (15:00)",
          "D: hours unknown", "E: open", "F: hours unknown (終日利用可能)",
        ],
        "\(outcome.text)\(outcome.errors)")
      let remark = try run(["check", "-"], input: rows)
      #expect(
        remark.text.contains(
          #"hours "月火水木金土日 9:00~17:00 / 土曜日は15:00まで": "15:00" was not understood"#),
        "\(remark.text)")
    }
  }

  @Test(
    arguments: [
      // Sports facilities, museums, bicycles, by Korea's standard data.
      (
        "평일운영시작시각,평일운영종료시각,주말운영시작시각,주말운영종료시각", "09:00,18:00,10:00,15:00",
        ["open until 18:00", "open until 15:00", "open until 15:00"]
      ),
      (
        "평일관람시작시각,평일관람종료시각,공휴일관람시작시각,공휴일관람종료시각,휴관정보",
        "09:00,18:00,10:00,17:00,월요일", ["open until 18:00", "hours unknown", "open until 17:00"]
      ),
      ("운영시작시각,운영종료시각", "09:00,18:00", daily),
      ("이용시간", "09:00~18:00", daily),
      // Columns beside times without days.
      ("영업시간,운영요일", "09:00~18:00,월~토", closedOnSundays),
      ("영업시간,운영요일", "매일 09:00~18:00,월~토", daily),
      ("영업시간,토요일영업시간,일요일영업시간", "09:00~18:00,09:00~14:00,휴무", shortOnSaturdays),
      ("영업시간,브레이크타임", "09:00~18:00,11:30~13:00", inBreak),
      ("영업시간,점심 시간", "09:00~18:00,11:30~13:00", inBreak),
      (
        "영업시간,영업시간(주말)", "09:00~18:00,휴무",
        ["open until 18:00", "opens Mon 09:00", "opens tomorrow"]
      ),
      ("hours,Sunday Hours", "09:00-18:00,Closed", closedOnSundays),
      ("hours,Days Open", "09:00-18:00,Mon-Sat", closedOnSundays),
      ("営業時間,日曜営業時間", "9:00〜18:00,休み", closedOnSundays),
      (
        "営業時間,土曜営業時間", "9:00〜18:00,9:00〜14:00",
        ["open until 18:00", "open until 14:00", "open until 18:00"]
      ),
      ("진료시간,진료시간(토),일요일진료시간", "09:00~18:00,09:00~14:00,휴진", shortOnSaturdays),
      (
        "이용시간,주말및공휴일이용시간", "09:00~18:00,휴무",
        ["open until 18:00", "opens Mon 09:00", "opens tomorrow"]
      ),
      ("営業時間,営業時間（土）,営業時間（日）", "9:00〜18:00,9:00〜14:00,休み", shortOnSaturdays),
      ("営業時間,休憩時間", "9:00〜18:00,11:30〜13:00", inBreak),
      ("hours,break_time", "09:00-18:00,11:30-13:00", inBreak),
      ("営業時間,昼休み", "9:00〜18:00,11:30〜13:00", inBreak),
      // Columns that are only a day.
      ("영업시간,토요일,일요일", "매일 09:00~18:00,,휴무", closedOnSundays),
      ("영업시간,토요일,일요일", "09:00~18:00,09:00~14:00,휴무", shortOnSaturdays),
      ("영업시간,일요일", "09:00~18:00,김철수", daily),
      ("hours,Sunday", "09:00-18:00,Closed", closedOnSundays),
      ("hours,closed_sundays,closed_sunday", "09:00-18:00,,N", daily),
      ("영업시간,일요일휴무여부", "09:00~18:00,Y", closedOnSundays),
      ("영업시간,일요일휴무여부", "09:00~18:00,N", daily),
      ("診療時間,日曜日", "9:00〜18:00,休診", closedOnSundays),
      (
        "Monday,Tuesday,Wednesday,Thursday,Friday,Saturday,Sunday",
        "9-18,9am-6pm,,,,9:00-14:00,closed",
        shortOnSaturdays
      ),
      ("weekdays,Saturday,Sunday", "9:00-12:00 / 13:00-18:00,by arrangement,", unknown),
      ("평일,토요일,일요일", "09:00~18:00,09:00~14:00 (접수 13:00까지),", unknown),
      ("weekday_hours,saturday_hours,lunch_break", "09:00-18:00,09:00-14:00,", shortOnSaturdays),
      (
        "診療時間,土曜（午後）,日曜", "9:00〜18:00,休診,休診",
        ["open until 18:00", "hours unknown", "opens tomorrow"]
      ),
      ("평일,토요일", "오전 9시~오후 6시,오전 9시~오후 2시", shortOnSaturdays),
      // Saturday's times say nothing of other days.
      ("tuesday_hours,saturday_hours", "09:00-18:00,09:00-14:00", unknown),
      ("평일운영시간,토요일운영시간", "09:00~18:00,09:00~14:00", shortOnSaturdays),
      ("영업시간,운영요일", "9시~18시,월~토", closedOnSundays),
      ("hours,Sunday", "9am-6pm,Closed", closedOnSundays),
      ("화요일,토요일", "김철수,이영희", unknown),
      ("운영시작시각,운영종료시각,운영요일", "09:00,18:00,월~토", closedOnSundays),
      ("営業開始時間,営業終了時間,営業曜日", "9:00,18:00,月～土", closedOnSundays),
      ("hours,holidays", "09:00-18:00,closed", daily),
      ("開館時間,閉館時間", "9:00,18:00", daily),
      ("利用時間,休館日", "9:00〜18:00,日曜日", closedOnSundays),
    ] as [(String, String, [String])])
  func `columns of times for classes of days, of days and of breaks are hours`(
    columns: String, cells: String, states: [String]
  ) throws {
    let rows = "업체명,위도,경도,\(columns)\nA,37.5,127,\(cells)\n"
    // Tuesday, Saturday, Sunday.
    for (day, state) in zip(["15", "19", "20"], states) {
      let outcome = try run(["hours", "-", "--at", "2026-12-\(day)T12:00"], input: rows)
      #expect(outcome.lines.first?.hasPrefix("A: \(state)") == true, "\(outcome.text)")
    }
  }

  @Test(arguments: [
    #"{"Friday":"18:0-2:0","Saturday":"18:0-2:0"}"#, #"["Fr 18:00-02:00","Sa 18:00-02:00"]"#,
    #"{"weekday_text":["Friday: 6:00 PM – 2:00 AM","Saturday: 6:00 PM – 2:00 AM","Sunday: Closed"]}"#,
    #"[{"dayOfWeek":"Friday","opens":"18:00","closes":"02:00"},{"dayOfWeek":["Saturday"],"opens":"18:00","closes":"02:00"}]"#,
  ])
  func `a day's times leave the night before as it is`(hours: String) throws {
    let rows = #"[{"name":"A","lat":37.5,"lon":127,"opening_hours":\#(hours)}]"#
    for (time, state) in [
      ("05T01:00", "open until 02:00"), ("05T03:00", "opens 18:00"),
      ("06T01:00", "open until 02:00"),
      ("07T01:00", "opens Fri 18:00"),
    ] {
      let outcome = try run(["hours", "-", "--at", "2026-12-\(time)"], input: rows)
      #expect(outcome.lines.first?.hasPrefix("A: \(state)") == true, "\(time) \(outcome.text)")
    }
  }

  @Test(arguments: [
    ("10:00-14:00", "open until 14:00"), ("closed", "opens tomorrow"),
    ("2026-12-25 (금)", "opens tomorrow"),
    ("12-24", "open until 18:00"),
  ])
  func `a column of holidays holds on these`(cell: String, state: String) throws {
    let rows = "name,lat,lon,hours,holidays\nA,37.5,127,09:00-18:00,\(cell)\n"
    let outcome = try run(["hours", "-", "--at", "2026-12-25T12:00"], input: rows)
    #expect(outcome.lines.first?.hasPrefix("A: \(state)") == true, "\(outcome.text)")
  }

  @Test(arguments: ["10-18 Mon off", "Mon-Sat 10am-8pm, Sat 10am-6pm"])
  func `a text that the language reads as something else is refused`(text: String) throws {
    let outcome = try run(["hours", text])
    #expect(outcome.status == 64 && outcome.text.isEmpty, "\(outcome.text)")
    #expect(outcome.errors.hasPrefix("error: hours-unread: "), "\(outcome.errors)")
  }

  @Test func `a Korean comment does not hide what is wrong with a value`() throws {
    let outcome = try run(["hours", #"Mo-Fr 9-25 "예약""#])
    #expect(outcome.errors.hasPrefix("error: hours-syntax: "))
  }

  @Test func `huge, odd and empty texts end at once`() throws {
    for text in [
      String(repeating: "Mo 10:00-12:00; ", count: 6_000), String(repeating: "(", count: 4_000), "",
      "😀",
    ] {
      let outcome = try run(["hours", text])
      #expect(outcome.status == 64, "\(text.prefix(20))")
      #expect(outcome.errors.hasPrefix("error: hours-syntax"), "\(text.prefix(20))")
    }
  }
}
