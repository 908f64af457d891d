extension HolidayCalendar {
  /// The national holidays of Japan, 2005 to 2035, with substitute and bridge days.
  ///
  /// Source: the Act on National Holidays (国民の祝日に関する法律, 1948, as amended up to 2018), articles 2
  /// and 3, and the acts that moved holidays in 2019, 2020 and 2021. Equinoxes follow the mean
  /// formula of the Hydrographic Department's tables, valid for 1980 to 2099.
  public static let japan = HolidayCalendar { japanese($0) }

  private static func japanese(_ year: Int) -> [Holiday] {
    var holidays: [Holiday] = []
    func add(_ month: Int, _ day: Int, _ name: String) {
      holidays.append(Holiday(year: year, month: month, day: day, name: name))
    }
    func addMonday(_ month: Int, _ nth: Int, _ name: String) {
      holidays.append(Holiday(day: CivilDay.nthWeekday(nth, 0, year, month)!, name: name))
    }
    add(1, 1, "元日")
    addMonday(1, 2, "成人の日")
    add(2, 11, "建国記念の日")
    add(4, 29, year < 2007 ? "みどりの日" : "昭和の日")
    add(5, 3, "憲法記念日")
    if year >= 2007 { add(5, 4, "みどりの日") }
    add(5, 5, "こどもの日")
    addMonday(9, 3, "敬老の日")
    add(11, 3, "文化の日")
    add(11, 23, "勤労感謝の日")
    // The emperor's birthday; in 2019 there was none.
    if year <= 2018 { add(12, 23, "天皇誕生日") }
    if year >= 2020 { add(2, 23, "天皇誕生日") }
    if year == 2019 {
      add(5, 1, "即位の日")
      add(10, 22, "即位礼正殿の儀")
    }
    switch year {
    // The summer games of Tokyo.
    case 2020:
      add(7, 23, "海の日")
      add(7, 24, "スポーツの日")
      add(8, 10, "山の日")
    case 2021:
      add(7, 22, "海の日")
      add(7, 23, "スポーツの日")
      add(8, 8, "山の日")
    default:
      addMonday(7, 3, "海の日")
      addMonday(10, 2, year < 2020 ? "体育の日" : "スポーツの日")
      if year >= 2016 { add(8, 11, "山の日") }
    }
    let elapsed = Double(year - 1980)
    let leaps = Double((year - 1980) / 4)
    add(3, Int(20.8431 + 0.242194 * elapsed - leaps), "春分の日")
    add(9, Int(23.2488 + 0.242194 * elapsed - leaps), "秋分の日")
    return holidays + substitutes(for: holidays, year) + bridges(between: holidays, year)
  }

  /// Article 3, 2: a holiday on a Sunday moves to the next day that is not a holiday; until 2006 to
  /// the Monday only, if that is not a holiday.
  private static func substitutes(for holidays: [Holiday], _ year: Int) -> [Holiday] {
    let days = Set(holidays.map(\.day))
    return holidays.compactMap { holiday in
      guard CivilDay.weekday(holiday.day) == 6 else { return nil }
      var day = holiday.day + 1
      if year >= 2007 {
        while days.contains(day) { day += 1 }
      } else if days.contains(day) {
        return nil
      }
      return Holiday(day: day, name: "\(holiday.name) 振替休日")
    }
  }

  /// Article 3, 3: a day between two holidays is a holiday, unless it is a Sunday or a substitute day.
  private static func bridges(between holidays: [Holiday], _ year: Int) -> [Holiday] {
    let days = Set(holidays.map(\.day))
    let taken = days.union(substitutes(for: holidays, year).map(\.day))
    return days.sorted().compactMap { day in
      guard days.contains(day + 2), !taken.contains(day + 1), CivilDay.weekday(day + 1) != 6
      else { return nil }
      return Holiday(day: day + 1, name: "休日")
    }
  }
}
