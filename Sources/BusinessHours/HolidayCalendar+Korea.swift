extension HolidayCalendar {
  /// The public holidays of Korea, 2005 to 2035, including lunar-calendar holidays, election days,
  /// temporary holidays and substitute days.
  ///
  /// Source of the rules: 관공서의 공휴일에 관한 규정 (the decree on the holidays of public offices), articles
  /// 2 and 3, with its amendments of 2005, 2006, 2012, 2013, 2021, 2023 and 2026. Dates that follow
  /// no rule are data: lunar New Year, Chuseok and Buddha's Birthday from the almanac of the Korea
  /// Astronomy and Space Science Institute, and elections and temporary holidays as proclaimed, all
  /// as collected by vacanza/holidays 0.109 (MIT). Elections after 2026 are those scheduled by law.
  public static let korea = HolidayCalendar { korean($0) }

  /// Lunar New Year, Buddha's Birthday and Chuseok as month × 100 + day, from 2005 on.
  private static let lunarDays: [(newYear: Int, buddha: Int, chuseok: Int)] = [
    (209, 515, 918), (129, 505, 1006), (218, 524, 925), (207, 512, 914),
    (126, 502, 1003), (214, 521, 922), (203, 510, 912), (123, 528, 930),
    (210, 517, 919), (131, 506, 908), (219, 525, 927), (208, 514, 915),
    (128, 503, 1004), (216, 522, 924), (205, 512, 913), (125, 430, 1001),
    (212, 519, 921), (201, 508, 910), (122, 527, 929), (210, 515, 917),
    (129, 505, 1006), (217, 524, 925), (207, 513, 915), (127, 502, 1003),
    (213, 520, 922), (203, 509, 912), (123, 528, 1001), (211, 516, 919),
    (131, 506, 908), (219, 525, 927), (208, 515, 916),
  ]

  /// Days without a rule, by their name: year × 10000 + month × 100 + day.
  private static let singleDays: [(name: String, dates: [Int])] = [
    ("지방선거일", [20060531, 20100602, 20140604, 20180613, 20220601, 20260603, 20300612, 20340531]),
    ("대통령 선거일", [20071219, 20121219, 20170509, 20220309, 20250603, 20300327, 20350328]),
    ("국회의원 선거일", [20080409, 20120411, 20160413, 20200415, 20240410, 20280412, 20320414]),
    ("임시공휴일", [20150814, 20160506, 20171002, 20200817, 20231002, 20250127]),
    ("국군의 날", [20241001]),
  ]

  /// Which days off a holiday must fall on to get a substitute day.
  private enum MadeUp {
    case never
    /// Sundays and other holidays.
    case sundays
    /// Saturdays, Sundays and other holidays.
    case weekends
  }

  private static func korean(_ year: Int) -> [Holiday] {
    var days: [(day: Int, name: String, madeUp: MadeUp)] = []
    func add(_ month: Int, _ day: Int, _ name: String, _ madeUp: MadeUp = .never) {
      days.append((CivilDay.number(year, month, day), name, madeUp))
    }
    func from(_ first: Int, _ kind: MadeUp) -> MadeUp { year >= first ? kind : .never }
    let lunar = lunarDays[year - shippedYears.lowerBound]
    let newYear = CivilDay.number(year, lunar.newYear / 100, lunar.newYear % 100)
    let chuseok = CivilDay.number(year, lunar.chuseok / 100, lunar.chuseok % 100)
    let lunarMadeUp = from(2014, .sundays)
    for (offset, suffix) in [(-1, " 전날"), (0, ""), (1, " 다음날")] {
      days.append((newYear + offset, "설날\(suffix)", lunarMadeUp))
      days.append((chuseok + offset, "추석\(suffix)", lunarMadeUp))
    }
    add(1, 1, "신정")
    add(3, 1, "삼일절", from(2022, .weekends))
    if year == 2005 { add(4, 5, "식목일") }
    if year >= 2026 { add(5, 1, "노동절", .weekends) }
    add(5, 5, "어린이날", from(2014, .weekends))
    add(lunar.buddha / 100, lunar.buddha % 100, "부처님오신날", from(2023, .weekends))
    add(6, 6, "현충일")
    if year <= 2007 || year >= 2026 { add(7, 17, "제헌절", from(2026, .weekends)) }
    add(8, 15, "광복절", from(2021, .weekends))
    add(10, 3, "개천절", from(2021, .weekends))
    if year >= 2013 { add(10, 9, "한글날", from(2021, .weekends)) }
    add(12, 25, "기독탄신일", from(2023, .weekends))
    for (name, dates) in singleDays {
      for date in dates where date / 10_000 == year { add(date / 100 % 100, date % 100, name) }
    }
    let own = days.map { Holiday(day: $0.day, name: $0.name) }
    return own + madeUp(for: days)
  }

  /// One substitute day for each lost date: the first day after it that is not a Saturday, a Sunday
  /// or a holiday.
  private static func madeUp(for days: [(day: Int, name: String, madeUp: MadeUp)]) -> [Holiday] {
    var taken = Set(days.map(\.day))
    var holidays: [Holiday] = []
    for date in taken.sorted() {
      let here = days.filter { $0.day == date }
      let weekday = CivilDay.weekday(date)
      let lost = here.first { day in
        switch day.madeUp {
        case .never: false
        case .sundays: weekday == 6 || here.count > 1
        case .weekends: weekday >= 5 || here.count > 1
        }
      }
      guard let lost else { continue }
      var day = date + 1
      while taken.contains(day) || CivilDay.weekday(day) >= 5 { day += 1 }
      taken.insert(day)
      let name = lost.name.split(separator: " ")[0]
      holidays.append(Holiday(day: day, name: "\(name) 대체 휴일"))
    }
    return holidays
  }
}
