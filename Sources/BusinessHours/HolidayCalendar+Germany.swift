/// A state of Germany, by the second part of its ISO 3166-2 code.
public enum GermanState: String, Hashable, Sendable, CaseIterable {
  case badenWuerttemberg = "BW"
  case bavaria = "BY"
  case berlin = "BE"
  case brandenburg = "BB"
  case bremen = "HB"
  case hamburg = "HH"
  case hesse = "HE"
  case mecklenburg = "MV"
  case lowerSaxony = "NI"
  case northRhine = "NW"
  case rhineland = "RP"
  case saarland = "SL"
  case saxony = "SN"
  case saxonyAnhalt = "ST"
  case schleswigHolstein = "SH"
  case thuringia = "TH"
}

extension HolidayCalendar {
  /// The nationwide holidays of Germany, 2005 to 2035.
  ///
  /// Source: the holiday acts of the states; Einigungsvertrag, article 2 (3 October).
  public static let germany = HolidayCalendar(
    shippedYears.flatMap { nationwide($0) }, knownYears: shippedYears)

  /// The holidays of a German state, including the nationwide ones.
  ///
  /// Holidays of single towns are not included (Augsburg's, Assumption in the Catholic towns of
  /// Bavaria, Corpus Christi in parts of Saxony and Thuringia).
  public static func germany(state: GermanState) -> HolidayCalendar {
    HolidayCalendar(
      shippedYears.flatMap { nationwide($0) + own(of: state, $0) }, knownYears: shippedYears)
  }

  private static func nationwide(_ year: Int) -> [Holiday] {
    let easter = CivilDay.easter(year)
    var holidays = [
      Holiday(year: year, month: 1, day: 1, name: "Neujahr"),
      Holiday(day: easter - 2, name: "Karfreitag"),
      Holiday(day: easter + 1, name: "Ostermontag"),
      Holiday(year: year, month: 5, day: 1, name: "Erster Mai"),
      Holiday(day: easter + 39, name: "Christi Himmelfahrt"),
      Holiday(day: easter + 50, name: "Pfingstmontag"),
      Holiday(year: year, month: 10, day: 3, name: "Tag der Deutschen Einheit"),
      Holiday(year: year, month: 12, day: 25, name: "Erster Weihnachtstag"),
      Holiday(year: year, month: 12, day: 26, name: "Zweiter Weihnachtstag"),
    ]
    // 500 years of the Reformation: in 2017 only, in every state.
    if year == 2017 {
      holidays.append(Holiday(year: 2017, month: 10, day: 31, name: "Reformationstag"))
    }
    return holidays
  }

  private static func own(of state: GermanState, _ year: Int) -> [Holiday] {
    let easter = CivilDay.easter(year)
    var holidays: [Holiday] = []
    func add(_ month: Int, _ day: Int, _ name: String) {
      holidays.append(Holiday(year: year, month: month, day: day, name: name))
    }
    switch state {
    case .badenWuerttemberg, .bavaria, .saxonyAnhalt: add(1, 6, "Heilige Drei Könige")
    default: break
    }
    if state == .berlin && year >= 2019 || state == .mecklenburg && year >= 2023 {
      add(3, 8, "Internationaler Frauentag")
    }
    if state == .brandenburg {
      holidays.append(Holiday(day: easter, name: "Ostersonntag"))
      holidays.append(Holiday(day: easter + 49, name: "Pfingstsonntag"))
    }
    if state == .berlin && (year == 2020 || year == 2025) { add(5, 8, "Tag der Befreiung") }
    if state == .berlin && year == 2028 {
      add(6, 17, "75. Jahrestag des Aufstandes vom 17. Juni 1953")
    }
    switch state {
    case .badenWuerttemberg, .bavaria, .hesse, .northRhine, .rhineland, .saarland:
      holidays.append(Holiday(day: easter + 60, name: "Fronleichnam"))
    default: break
    }
    if state == .saarland { add(8, 15, "Mariä Himmelfahrt") }
    if state == .thuringia && year >= 2019 { add(9, 20, "Weltkindertag") }
    switch state {
    case .brandenburg, .mecklenburg, .saxony, .saxonyAnhalt, .thuringia:
      if year != 2017 { add(10, 31, "Reformationstag") }
    case .bremen, .hamburg, .lowerSaxony, .schleswigHolstein:
      if year >= 2018 { add(10, 31, "Reformationstag") }
    case .badenWuerttemberg, .bavaria, .northRhine, .rhineland, .saarland:
      add(11, 1, "Allerheiligen")
    default: break
    }
    if state == .saxony {
      // The Wednesday before 23 November.
      let before = CivilDay.number(year, 11, 22)
      holidays.append(
        Holiday(day: before - (CivilDay.weekday(before) + 5) % 7, name: "Buß- und Bettag"))
    }
    return holidays
  }
}
