import BusinessHours
import Geodesy
import NearbyTestSupport
import Testing

@testable import MapAnnotations

/// What records say of being in business, on the days around what they name.
@Suite struct BusinessRecordTests {
  private static func status(
    _ columns: Properties, on day: String = "2026-11-23", isOffer: Bool = false
  ) -> BusinessStatus? {
    CalendarDate(day).map { BusinessRecord(reading: columns, isOffer: isOffer).status(on: $0) }
  }

  private static func day(_ text: String) -> CalendarDate? { CalendarDate(text) }

  @Test func `a shop has closed down from its closing day on, and not before`() {
    let shop: Properties = ["영업상태명": "폐업", "폐업일자": "2026-11-23"]
    #expect(Self.status(shop, on: "2026-11-22") == .inBusiness)
    #expect(Self.status(shop, on: "2026-11-23") == .closedDown(since: Self.day("2026-11-23")))
    #expect(Self.status(shop, on: "2030-01-01") == .closedDown(since: Self.day("2026-11-23")))
  }

  @Test(
    arguments: [
      // Blank, a placeholder, a day that will not come: not closed.
      (["영업상태명": "영업/정상", "폐업일자": ""], BusinessStatus.inBusiness),
      (["영업상태": "임시휴업"], .suspended), (["영업상태": "운영중지"], .suspended),
      (["営業状況": "臨時休館"], .suspended),
      (["is_open": "0"], .closedDown(since: nil)), (["is_open": "1"], .unknown),
      (["is_open": "false"], .unknown),
      (["영업상태명": "영업/정상", "폐업일자": "1111-11-11"], .inBusiness),
      (["폐업일자": "26.12.01"], .closedDown(since: nil)),
      (["폐업일자 ": "46357"], .closedDown(since: nil)),
      (["폐업일자": "Y", "영업상태명 ": "정상"], .inBusiness), (["폐업일자": "없음"], .unknown),
      (["폐업일자": "1111-11-11"], .unknown), (["폐업일자": "0000.00.00"], .unknown),
      (["폐업일자": "9999-12-31"], .inBusiness), (["폐업일자": "9999"], .inBusiness),
      (["폐업일자": "9999.12"], .inBusiness), (["end_date": "9999-12"], .inBusiness),
      (["end_date": ""], .unknown), (["end_date": "2027-01-31"], .inBusiness),
      (["shop": "bakery"], .unknown), ([:], .unknown),
      // The finer word wins.
      (["영업상태명": "영업/정상", "상세영업상태명": "영업개시전"], .unknown),
      (["영업상태명": "취소/말소/만료/정지/중지", "상세영업상태명": "영업정지"], .suspended),
      (["영업상태명": "취소/말소/만료/정지/중지", "상세영업상태명": ""], .closedDown(since: nil)),
      (["영업상태구분코드": "03"], .closedDown(since: nil)), (["영업상태코드": "02"], .suspended),
      (["TRDSTATEGBN": "01"], .inBusiness),
      (["DCBYMD": "20240305"], .closedDown(since: day("2024-03-05"))),
      // Japanese registers.
      (["廃業年月日": "令和5年3月31日"], .closedDown(since: day("2023-03-31"))),
      (["廃止日": "2019/4/1"], .closedDown(since: day("2019-04-01"))),
      (["廃止年月日": "R元.5.1"], .closedDown(since: day("2019-05-01"))),
      (["閉店日": "2020年8月7日"], .closedDown(since: day("2020-08-07"))),
      (["廃業": "○"], .closedDown(since: nil)), (["廃業": ""], .unknown), (["閉店": "21:00"], .unknown),
      (["営業状況": "休業中"], .suspended), (["営業状況": "閉店"], .closedDown(since: nil)),
      // OpenStreetMap.
      (["disused:shop": "bakery"], .closedDown(since: nil)),
      (["was:amenity": "cafe", "end_date": "2021-06-01"], .closedDown(since: day("2021-06-02"))),
      (["abandoned:tourism": "hotel"], .closedDown(since: nil)),
      (["shop": "books", "disused:amenity": "cafe"], .unknown), (["disused:shop": "no"], .unknown),
      (["shop": "vacant"], .closedDown(since: nil)), (["disused": "yes"], .closedDown(since: nil)),
      (["old_name": "x", "was:name": "y"], .unknown),
      // A month is over when its last day is.
      (["end_date": "2026-10"], .closedDown(since: nil)), (["end_date": "2026-11"], .inBusiness),
      (["end_date": "2025"], .closedDown(since: nil)), (["end_date": "soon"], .unknown),
      // An event has an end without closing down, a shop with a beginning does.
      (["start_date": "2024-05-01", "end_date": "2024-05-03"], .unknown),
      (
        ["shop": "books", "start_date": "1999", "end_date": "2024-05-03"],
        .closedDown(since: day("2024-05-04"))
      ),
      (["closed": "1", "closed_date": "NULL"], .closedDown(since: nil)),
      (["closed": "0"], .unknown),
      (["business_status": "CLOSED_TEMPORARILY"], .suspended),
      (["business_status": "CLOSED_PERMANENTLY"], .closedDown(since: nil)),
      (["business_status": "Permanently Closed"], .closedDown(since: nil)),
      (["business_status": "Out of business"], .closedDown(since: nil)),
      (["Business Status": "Temporarily Closed"], .suspended),
      (["Temporarily Closed": "TRUE"], .suspended), (["휴업여부": "N"], .unknown),
      (["영업여부": "N"], .suspended), (["영업여부": "Y"], .unknown),
      // Words in the place of a day, zeros of programs, and days of every week or year.
      (["폐업일자": "운영중"], .unknown), (["폐업일자": "해당 없음"], .unknown),
      (["폐업일자": "폐업"], .closedDown(since: nil)),
      (["閉店日": "存続"], .unknown), (["closed_date": "none"], .unknown),
      (["closed_date": "?"], .unknown),
      (["폐업일자": "9999-99-99"], .unknown), (["폐업일자": "0001-01-01"], .unknown),
      (["폐업일자": "1900-01-00"], .unknown), (["Closed On": "Sunday"], .unknown),
      (["closed_on": "Dec 25"], .unknown),
      (["closed_on": "2024-05-01"], .closedDown(since: day("2024-05-01"))),
      // As file systems of macOS write it, in the parts of its syllables.
      (
        [
          "\u{1111}\u{1168}\u{110B}\u{1165}\u{11B8}\u{110B}\u{1175}\u{11AF}\u{110C}\u{1161}":
            "2024-03-05"
        ],
        .closedDown(since: day("2024-03-05"))
      ),
      // Open again.
      (["폐업일자": "2020-01-01", "재개업일자": "2021-01-01", "영업상태명": "영업/정상"], .inBusiness),
      // Whoever is announced to rest, rests then; after the last day nobody says.
      (["영업상태명": "휴업", "휴업시작일자": "2021-10-31", "휴업종료일자": "2028-04-30"], .suspended),
      (["영업상태명": "휴업", "휴업시작일자": "2024-08-07", "휴업종료일자": "2025-08-07"], .unknown),
      (["영업상태명": "휴업", "휴업시작일자": "2017-07-04", "휴업종료일자": "9999-12-31"], .suspended),
      (["영업상태명": "휴업", "휴업시작일자": "1111-11-11", "휴업종료일자": "1111-11-11"], .suspended),
      (["영업상태명": "휴업", "휴업시작일자": "2026-12-01"], .inBusiness),
      (["영업상태명": "영업/정상", "휴업시작일자": "2024-09-06", "휴업종료일자": "2024-09-26"], .inBusiness),
    ] as [([String: String], BusinessStatus)])
  func `columns say what their source means`(columns: [String: String], status: BusinessStatus) {
    var properties = Properties()
    for name in columns.keys.sorted() {
      properties.append(name, columns[name].map { .string($0) }!)
    }
    #expect(Self.status(properties) == status)
  }

  @Test func `a type of an app's own says it for itself, wrapped or not`() {
    struct Stall: Annotation {
      let id: AnnotationID = 1
      let coordinate: Coordinate? = nil
      let business = BusinessRecord(absence: .suspended)
    }
    let day = CalendarDate(year: 2026, month: 11, day: 23)!
    #expect(Stall().business.status(on: day) == .suspended)
    #expect(AnyAnnotation(Stall()).business == Stall().business)
  }

  @Test func `the end of a deal closes no shop`() {
    #expect(Self.status(["end_date": "2024-05-03"], isOffer: true) == .unknown)
  }

  @Test(arguments: ["영업개시전", "FUTURE_OPENING", "開業準備中"])
  func `the hours of a place that has not opened yet are unknown`(word: String) throws {
    let record = BusinessRecord(reading: ["영업상태": .string(word)])
    #expect(record.isExpected)
    let hours = record.applied(to: try OpeningHours("24/7"))
    #expect(hours == .unknown("not opened yet"))
  }

  @Test(arguments: ["2026-11-23", "20261123", "2026-11", "2025"])
  func `an end date is the last day of business, as it is the last one on which it is valid`(
    end: String
  ) {
    let place = BasicAnnotation(id: 1, properties: ["end_date": .string(end)])
    let days = (20...30).compactMap { Self.day("2026-11-\($0)") }
    #expect(days.count == 11)
    for day in days {
      let isInBusiness = !place.business.status(on: day).isOutOfBusiness
      #expect(place.holds(on: day) == isInBusiness, "\(day)")
    }
    // What is closed has the day after it as its first one, unless a register names that.
    let since = Self.status(["end_date": "2026-11-22"])
    #expect(since == .closedDown(since: Self.day("2026-11-23")))
    let said = Self.status(["end_date": "2026-11-29", "폐업일자": "2026-11-23"])
    #expect(said == .closedDown(since: Self.day("2026-11-23")))
  }

  @Test func `hours end with the business, whatever they and their fallbacks say`() throws {
    let record = BusinessRecord(reading: ["폐업일자": "2026-07-08"])
    let last = LocalTime(year: 2026, month: 7, day: 7).day
    for text in [
      "24/7", "10:00-22:00", "Mo-Fr 09:00-18:00 || \"by appointment\"", "PH off; 07:00-21:00",
      "Jul 05-20 09:00-17:00",
    ] {
      let hours = try OpeningHours(text)
      let ended = try #require(record.applied(to: hours))
      for minute in stride(from: 0, to: 21 * 1440, by: 30) {
        let time = LocalTime(day: last - 10, secondOfDay: 0).seconds + Int64(minute * 60)
        let local = LocalTime(seconds: time)
        let expected = local.day <= last ? hours.state(at: local) : .closed
        #expect(ended.state(at: local) == expected, "\(text) at \(local)")
      }
      #expect(ended.nextChange(after: LocalTime(day: last + 1, secondOfDay: 0)) == nil)
    }
    let unknown = try #require(record.applied(to: nil))
    #expect(unknown.state(at: LocalTime(day: last, secondOfDay: 3600)) == .unknown)
    #expect(unknown.state(at: LocalTime(day: last + 1, secondOfDay: 0)) == .closed)
    #expect(BusinessRecord(saysInBusiness: true).applied(to: nil) == nil)
  }

  @Test func `a rest has a first day and a last`() throws {
    let record = BusinessRecord(
      reading: ["영업상태명": "휴업", "휴업시작일자": "2026-07-06", "휴업종료일자": "2026-07-08"])
    let hours = try #require(record.applied(to: try OpeningHours("24/7")))
    let monday = LocalTime(year: 2026, month: 7, day: 6).day
    let states = (monday - 1...monday + 3).map {
      hours.state(at: LocalTime(day: $0, secondOfDay: 43_200))
    }
    #expect(states == [.open, .closed, .closed, .closed, .open])
  }
}
