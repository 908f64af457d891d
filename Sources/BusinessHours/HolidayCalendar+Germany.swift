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
  public static let germany = HolidayCalendar { german(nil, $0) }

  /// The holidays of a German state, including the nationwide ones.
  ///
  /// Holidays of single towns are not included (Augsburg's, Assumption in the Catholic towns of
  /// Bavaria, Corpus Christi in parts of Saxony and Thuringia).
  public static func germany(state: GermanState) -> HolidayCalendar {
    HolidayCalendar { german(state, $0) }
  }

  /// The holidays of a year: nationwide, and of a state if one is given.
  private static func german(_ state: GermanState?, _ year: Int) -> [Holiday] {
    let easter = CivilDay.easter(year)
    var holidays: [Holiday] = []
    func add(_ month: Int, _ day: Int, _ name: String) {
      holidays.append(Holiday(year: year, month: month, day: day, name: name))
    }
    func addAfterEaster(_ days: Int, _ name: String) {
      holidays.append(Holiday(day: easter + days, name: name))
    }
    func isOne(of states: GermanState...) -> Bool { state.map { states.contains($0) } ?? false }
    add(1, 1, "Neujahr")
    addAfterEaster(-2, "Karfreitag")
    addAfterEaster(1, "Ostermontag")
    add(5, 1, "Erster Mai")
    addAfterEaster(39, "Christi Himmelfahrt")
    addAfterEaster(50, "Pfingstmontag")
    add(10, 3, "Tag der Deutschen Einheit")
    add(12, 25, "Erster Weihnachtstag")
    add(12, 26, "Zweiter Weihnachtstag")
    if isOne(of: .badenWuerttemberg, .bavaria, .saxonyAnhalt) { add(1, 6, "Heilige Drei Könige") }
    if state == .berlin && year >= 2019 || state == .mecklenburg && year >= 2023 {
      add(3, 8, "Internationaler Frauentag")
    }
    if state == .brandenburg {
      addAfterEaster(0, "Ostersonntag")
      addAfterEaster(49, "Pfingstsonntag")
    }
    if state == .berlin && (year == 2020 || year == 2025) { add(5, 8, "Tag der Befreiung") }
    if state == .berlin && year == 2028 {
      add(6, 17, "75. Jahrestag des Aufstandes vom 17. Juni 1953")
    }
    let keepsAllSaints = isOne(of: .badenWuerttemberg, .bavaria, .northRhine, .rhineland, .saarland)
    if keepsAllSaints { add(11, 1, "Allerheiligen") }
    if keepsAllSaints || state == .hesse { addAfterEaster(60, "Fronleichnam") }
    if state == .saarland { add(8, 15, "Mariä Himmelfahrt") }
    if state == .thuringia && year >= 2019 { add(9, 20, "Weltkindertag") }
    // 500 years of the Reformation: in 2017 only, in every state.
    if year == 2017 || isOne(of: .brandenburg, .mecklenburg, .saxony, .saxonyAnhalt, .thuringia)
      || year >= 2018 && isOne(of: .bremen, .hamburg, .lowerSaxony, .schleswigHolstein)
    {
      add(10, 31, "Reformationstag")
    }
    if state == .saxony {
      // The Wednesday before 23 November.
      let before = CivilDay.number(year, 11, 22)
      let day = before - (CivilDay.weekday(before) + 5) % 7
      holidays.append(Holiday(day: day, name: "Buß- und Bettag"))
    }
    return holidays
  }
}
