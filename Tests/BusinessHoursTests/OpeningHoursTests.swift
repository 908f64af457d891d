import BusinessHours
import Geodesy
import Testing

@Suite struct OpeningHoursTests {
  private func states(_ value: String, _ times: [LocalTime]) throws -> [OpenState] {
    let hours = try OpeningHours(value)
    return times.map { hours.state(at: $0) }
  }

  @Test func `a night belongs to the day on which it began`() throws {
    let night = LocalTime(year: 2026, month: 2, day: 8, hour: 1)
    // Saturday's night ends on Sunday, the second of the month; Sunday has none.
    let hours = try OpeningHours("10:00-02:00; Su[2,4] off")
    #expect(hours.state(at: night) == .open)
    #expect(hours.state(at: .init(year: 2026, month: 2, day: 8, hour: 12)) == .closed)
    #expect(hours.state(at: .init(year: 2026, month: 2, day: 9, hour: 1)) == .closed)
    #expect(hours.state(at: .init(year: 2026, month: 2, day: 9, hour: 10)) == .open)
  }

  @Test func `an answer names its rule and comment`() throws {
    let hours = try OpeningHours("Mo-Fr 10:00-20:00 || \"전화 문의\"")
    let sunday = hours.answer(at: .init(year: 2026, month: 11, day: 22, hour: 12))
    #expect(sunday.state == .unknown && sunday.comment == "전화 문의" && sunday.rule == 1)
    let monday = hours.answer(at: .init(year: 2026, month: 11, day: 23, hour: 12))
    #expect(monday.state == .open && monday.comment == nil && monday.rule == 0)
  }

  @Test(arguments: [
    ("mo-fr 9:00–17:00", "Mo-Fr 09:00-17:00"), ("Monday 9am-5pm", "Mo 09:00-17:00"),
    ("10.00-12.00", "10:00-12:00"), ("１０：００～２２：００", "10:00-22:00"),
    ("Mo-Fr 10-18", "Mo-Fr 10:00-18:00"), ("Sa 08:00-20:00;", "Sa 08:00-20:00"),
    ("00:00-24:00 week 5 Feb", "Feb week 05 00:00-24:00"), ("PH,Sa OFF", "PH,Sa off"),
    ("08:00-18:00/30", "08:00-18:00/00:30"), ("sunrise-sunset/90", "sunrise-sunset/01:30"),
  ])
  func `a spelling with one meaning is read, with a warning`(text: String, canonical: String) throws
  {
    let hours = try OpeningHours(text)
    #expect(hours.description == canonical)
    #expect(!hours.warnings.isEmpty)
  }

  @Test(
    arguments: [
      ("11:30-14:30;17:30-23:00", .replacement, 13),
      ("Mo-Fr 08:00-12:00; Mo-Fr 13:00-17:00", .replacement, 20),
      ("Mo,We 08:00-12:00, Fr 10:00-12:00; Tu-Th 13:00-17:00; Mo-We 14:00-15:00", .replacement, 55),
      ("2026 Jul 1-14 Mo 08:00-12:00; Jul Mo 13:00-17:00", .none, 0),
      ("Jul 1-14 Mo 08:00-12:00; Jun-Aug Mo,Tu 13:00-17:00", .replacement, 26),
      ("Su[1] 08:00-12:00; Su 13:00-17:00", .replacement, 20),
      ("2026 Mo 08:00-12:00; 2025+ Mo 13:00-17:00", .replacement, 22),
      ("PH off; 10:00-20:00", .replacement, 9), ("10:00-20:00; \"ask\"", .replacement, 14),
      ("Mo-Fr 08:00-12:00; Mo-Su,PH off", .replacement, 20),
      ("Mo-Fr 08:00-18:00, 12:00-13:00 off", .closedTimes, 1),
      ("Sa 10:00-12:00; Mo-Fr 08:00-18:00,12:00-13:00 off", .closedTimes, 17),
      ("Jul Aug 15", .noDay, 1), ("24/7; Jul-Aug Dec 24-26 10:00-12:00", .noDay, 7),
      ("Mo 10:00-12:00;1900-2100", .yearOrTime, 16), ("Mo 10:00-12:00, 2000-2200", .yearOrTime, 17),
      ("Mo 18:00-20:00,2200", .yearOrTime, 16), ("Sa 2200", .yearOrTime, 4),
      ("Feb 2000-2200", .yearOrTime, 5),
      // These days are others, or may be, and nothing is lost in the last ones.
      ("Mo-Fr 08:00-12:00; Mo 13:00-17:00", .none, 0), ("PH off; Mo-Fr 10:00-20:00", .none, 0),
      ("Mo-Fr,PH 10:00-20:00; Mo-Fr 08:00-12:00", .none, 0), ("10:00-20:00; Su off", .none, 0),
      ("Su[1] +1 day 08:00-12:00; Su 13:00-17:00", .none, 0),
      ("Jan 01 08:00-12:00; Jan-Feb Su 13:00-17:00", .none, 0),
      ("10:00-12:00, 13:00-17:00", .none, 0), ("10:00-12:00 || \"ask\"", .none, 0),
      ("10:00-12:00; off \"until spring\"", .none, 0), ("00:00-24:00 off", .none, 0),
      ("10:00-12:00; 10:00-12:00", .none, 0), ("Su off; PH,Su off", .none, 0),
      ("Mo-Fr 08:00-18:00; 12:00-13:00 off", .none, 0), ("Jan-Feb Jan 09-15", .none, 0),
      // Years for certain: by what is behind them, by their digits, or because nothing else has times.
      ("Mo 10:00-12:00; 2026-2028 off", .none, 0), ("Mo 10:00-12:00, 2026-2028 \"ask\"", .none, 0),
      ("Mo 2026-2028 10:00-12:00", .none, 0), ("Mo 10:00-12:00,2026-2028 14:00-16:00", .none, 0),
      ("Mo 10:00-12:00; 2060-2099", .none, 0), ("Mo 10:00-12:00; 2026/2", .none, 0),
      ("Jan-Feb 2026", .none, 0), ("2000-2100", .none, 0), ("2000-2100 Mo", .none, 0),
    ] as [(String, HoursWarning.Kind?, Int)])
  func `a rule that is hardly meant as it is read has a warning at its column`(
    text: String, kind: HoursWarning.Kind?, column: Int
  ) throws {
    let found = try OpeningHours(text).warnings.filter { !$0.kind.isOfSpelling }
    #expect(found.map(\.kind) == (kind.map { [$0] } ?? []), "\(text)")
    if kind != nil { #expect(found.first?.column == column, "\(text)") }
    // It changes no answer, not even in a text that may be English.
    #expect(try WrittenHours(text).hours == OpeningHours(text))
  }

  @Test(arguments: [
    ("Mo-Fr 9-25", 9), ("Mo-Sa 09:00-17:00 Su 09:00-15:00", 19), ("Mo 10:00-", 10), ("", 1),
    ("Jun 31", 5), ("Mo-Tr 10:00-12:00", 4), ("9-5", 1), ("9:00-6:00", 6), ("Sa[6] 10:00-12:00", 4),
    ("4-10 pm", 1), ("week 54", 6), ("Mo \"a", 6), ("2015 Feb 29", 10), ("토요일 10:00-12:00", 1),
    ("08:00-18:00/0", 13), ("08:00-18:00/2881", 13), ("08:00-18:00/1:", 15),
    ("week 1/2", 7), ("week 01-10,12/2 Mo", 14),
    // Years or times?
    ("Mo-Fr 17:00-19:00,2000-2200", 19), ("Fr-Sa 2000-2400", 7), ("Tu 1930-2130; Th 1930-2130", 4),
    ("PH 2000-2200", 4), ("Su 2000-2600 off", 4), ("Fr 2200+", 4), ("Mo 12:00-14:00,2400+", 16),
    ("Mo 12:00-14:00 1900-2100", 16), ("Mo 2026,2000-2200", 9),
  ])
  func `what has no certain meaning is refused at its column`(text: String, column: Int) throws {
    let error = #expect(throws: HoursError.self) { try OpeningHours(text) }
    #expect(error?.column == column, "\(text): \(error!)")
    #expect(error?.code == "hours-syntax")
  }

  @Test func `missing holidays can be an error`() throws {
    let hours = try OpeningHours("Mo-Fr 10:00-18:00; PH off")
    let error = #expect(throws: HoursError.self) { try hours.requireHolidays(of: HoursSetting()) }
    #expect(error?.code == "holidays-unknown")
    #expect(error?.description.hasSuffix("; or leave PH out") == true)
    try hours.requireHolidays(of: HoursSetting(publicHolidays: .japan))
  }

  @Test func `long, deep and never opening values are bounded`() throws {
    for text in [
      String(repeating: "Mo ", count: 400_000), String(repeating: "(", count: 4000),
      String(repeating: "Mo 10:00-12:00; ", count: 200), String(repeating: "\"", count: 4001),
      String(repeating: "10:00-12:00,", count: 340), String(repeating: "|", count: 4096),
    ] {
      #expect(throws: HoursError.self) { try OpeningHours(text) }
    }
    let from = LocalTime(year: 2026, month: 1, day: 1)
    for never in ["off", "Jan Feb 15", "2020 Jan Mo[5]-15", "Feb 29 2001", "week 53 Jun", "1999"] {
      #expect(try OpeningHours(never).nextChange(after: from) == nil, "\(never)")
    }
    let many = (0..<80).map { "2\(100 + $0) Jan 01-Dec 31 10:00-12:00,14:00-26:00" }
    let hours = try OpeningHours(many.joined(separator: ";"))
    #expect(hours.nextChange(after: from) == LocalTime(year: 2100, month: 1, day: 1, hour: 10))
  }

  @Test(arguments: [
    "24/7", "2030 off; 24/7", "24/7; 2026-2040/2 off", "24/7; 2031-2033/3 off", "2050-2060",
    "2031+",
    "24/7; 2035 Jan 01 off", "24/7; 2028-2029 \"built\"", "2032-2034 off; 2040 Mo", "off; 2099",
    "2027,2029 off; 24/7", "24/7; 2030 Dec 31 off", "24/7; 2030-2036/5 Jul 04 off",
  ])
  func `years in which nothing changes are skipped`(text: String) throws {
    let hours = try OpeningHours(text)
    let first = LocalTime(year: 2019, month: 1, day: 1).day
    let states = (first..<first + 31_000).map {
      hours.state(at: LocalTime(day: $0, secondOfDay: 0))
    }
    for start in stride(from: 1, to: 25_000, by: 397) {
      let brute = (start + 1..<states.count).first { states[$0] != states[start] }
      let next = hours.nextChange(after: LocalTime(day: first + start, secondOfDay: 3_600))
      #expect(next == brute.map { LocalTime(day: first + $0, secondOfDay: 0) }, "\(start)")
    }
    // Nothing ever changes again; looking at each year up to 9999, these took a quarter of a minute.
    let always = try OpeningHours("24/7; 2020 off")
    let from = LocalTime(year: 2026, month: 1, day: 1)
    #expect((0..<10_000).allSatisfy { _ in always.nextChange(after: from) == nil })
  }

  @Test func `a weekday of 29 February comes round`() throws {
    let hours = try OpeningHours("Feb 29 Mo 10:00-12:00")
    let next = hours.nextChange(after: LocalTime(year: 2026, month: 1, day: 1))
    #expect(next == LocalTime(year: 2044, month: 2, day: 29, hour: 10))
  }

  @Test(arguments: -12...14)
  func `the sun opens and closes a place at the same instants in every zone`(offset: Int) throws {
    let hours = try OpeningHours("sunrise-sunset")
    // Auckland, which is 13 hours ahead of UTC in January.
    let place = try Coordinate(latitude: -36.85, longitude: 174.76)
    func setting(_ hours: Int) -> HoursSetting {
      HoursSetting(sun: .position(place), utcOffset: { _ in hours * 3_600 })
    }
    // 2026-01-01T12:10Z, and two days of half hours.
    for second in stride(from: Int64(1_767_269_400), to: 1_767_442_200, by: 1_800) {
      let instant = Instant(seconds: second)
      let state = hours.state(at: instant, setting: setting(13))
      #expect(hours.state(at: instant, setting: setting(offset)) == state, "\(second)")
      let change = hours.nextChange(after: instant, setting: setting(13))
      #expect(hours.nextChange(after: instant, setting: setting(offset)) == change, "\(second)")
    }
  }

  /// Sunrise and sunset of 24 November 2026 in local minutes, as PyEphem gives them: Apia, Attu, Kiritimati, Tongatapu.
  @Test(arguments: [
    (-13.83, -171.77, 13, 348, 1_120), (52.9, 173.18, -10, 605, 1_103),
    (1.87, -157.4, 14, 374, 1_098), (-21.14, -175.2, 13, 349, 1_146),
  ])
  func `where clocks are a day off their meridian, the sun is that of the local day`(
    latitude: Double, longitude: Double, zone: Int, rise: Int, set: Int
  ) throws {
    let setting = HoursSetting(
      sun: .position(try Coordinate(latitude: latitude, longitude: longitude)),
      utcOffset: { _ in zone * 3_600 })
    // A Tuesday.
    let midnight = LocalTime(year: 2026, month: 11, day: 24)
    let hours = try OpeningHours("Tu sunrise-sunset")
    let opening = try #require(hours.nextChange(after: midnight, setting: setting))
    let closing = try #require(hours.nextChange(after: opening, setting: setting))
    #expect(opening.day == midnight.day && closing.day == midnight.day)
    #expect(abs(opening.secondOfDay / 60 - rise) <= 2, "\(opening)")
    #expect(abs(closing.secondOfDay / 60 - set) <= 2, "\(closing)")
    let evening = try OpeningHours("10:00-sunset")
    #expect(evening.nextChange(after: midnight, setting: setting)?.secondOfDay == 36_000)
  }

  @Test func `a night from sunset to sunrise ends with the sun of the next day`() throws {
    let hours = try OpeningHours("sunset-sunrise")
    // New York, where the clocks go forward on 2026-03-08 at 07:00Z.
    let newYork = HoursSetting(
      sun: .position(try Coordinate(latitude: 40.7128, longitude: -74.006)),
      utcOffset: { $0.seconds < 1_772_953_200 ? -5 * 3600 : -4 * 3600 })
    let evening = LocalTime(year: 2026, month: 3, day: 7, hour: 22)
    #expect(hours.state(at: evening, setting: newYork) == .open)
    // The almanac gives 06:20 on the 7th and 07:19 on the 8th.
    let rise = try #require(hours.nextChange(after: evening, setting: newYork))
    #expect(rise.day == evening.day + 1)
    #expect(abs(rise.secondOfDay / 60 - (7 * 60 + 19)) <= 2)
  }

  @Test func `hours from sunrise to sunrise last until the next one`() throws {
    let hours = try OpeningHours("We sunrise-sunrise; Fr (sunset-01:00)-(sunset-01:00)")
    let setting = HoursSetting(sun: .fixed(dawn: 330, sunrise: 360, sunset: 1080, dusk: 1110))
    func time(_ day: Int, _ hour: Int) -> LocalTime {
      LocalTime(year: 2026, month: 7, day: day, hour: hour)
    }
    // A Wednesday and a Friday.
    for (opening, closing) in [(time(1, 6), time(2, 6)), (time(3, 17), time(4, 17))] {
      #expect(hours.state(at: opening, setting: setting) == .open)
      #expect(hours.nextChange(after: opening, setting: setting) == closing)
      #expect(hours.state(at: closing, setting: setting) == .closed)
    }
    // The same time of day, but not the same event.
    let mixed = try OpeningHours("sunrise-06:00")
    #expect(mixed.state(at: time(1, 6), setting: setting) == .closed)
  }

  @Test func `the sun sets for the place, and not at all in a polar summer`() throws {
    let hours = try OpeningHours("sunrise-sunset")
    // The almanac of the Korea Astronomy and Space Science Institute gives Seoul 07:19 and 17:17.
    let seoul = HoursSetting(
      sun: .position(try Coordinate(latitude: 37.5665, longitude: 126.978)),
      utcOffset: { _ in 9 * 3600 })
    let day = LocalTime(year: 2026, month: 11, day: 22)
    let rise = try #require(hours.nextChange(after: day, setting: seoul))
    let set = try #require(hours.nextChange(after: rise, setting: seoul))
    #expect(abs(rise.secondOfDay / 60 - (7 * 60 + 19)) <= 2)
    #expect(abs(set.secondOfDay / 60 - (17 * 60 + 17)) <= 2)
    let svalbard = HoursSetting(sun: .position(try Coordinate(latitude: 78.2, longitude: 15.6)))
    #expect(
      hours.state(at: .init(year: 2026, month: 6, day: 21, hour: 12), setting: svalbard) == .unknown
    )
    #expect(hours.state(at: day) == .unknown)
  }
}
