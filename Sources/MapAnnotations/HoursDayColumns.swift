import BusinessHours

// The columns of sources about the days and times on which a place is open, beside the one of its hours.

// MARK: Columns of times

/// Columns that say more of the times in a column of hours.
package enum TimesColumns {
  /// What a column says.
  package enum Meaning: Hashable, Sendable {
    /// The days on which times without days hold.
    case days
    /// Other times, and the words that precede these in one text.
    case others(String)
    /// The times of a day that is the whole name, `토요일` or `Saturday`.
    case day(String)
  }

  /// What a column with a name says; nil for other columns.
  package static func meaning(of name: String) -> Meaning? { names[name] }

  /// Whether a column with this name may have times of its own.
  package static func namesTimes(_ name: String) -> Bool {
    switch meaning(of: name) {
    case .day?: true
    case .others(let words)?: words != breaks
    case .days?, nil: false
    }
  }

  /// Whether some properties are about all days from Monday to Friday, so that what they do not say is closed.
  package static func coverWeekdays(_ properties: Properties) -> Bool {
    let words = Set(
      properties.entries.compactMap { entry in
        switch meaning(of: entry.name) {
        case .day(let words)?, .others(let words)?: words
        case .days?, nil: nil
        }
      })
    return !words.isDisjoint(with: ["평일", "平日", "weekdays"])
      || [DayNames.korean, DayNames.japanese, DayNames.english].contains {
        words.isSuperset(of: $0[..<5])
      }
  }

  /// What precedes the times of breaks.
  package static let breaks = "브레이크타임"

  private static let names: ColumnTerms<Meaning> = {
    var names = ColumnTerms<Meaning>()
    names.add(
      .days,
      """
      운영요일 영업요일 진료요일 개방요일 이용요일 이용가능요일 영업일 운영일 営業日 営業曜日 開館日 診療日 利用可能曜日 \
      open_days opening_days days_open days_of_operation operating_days
      """)
    for day in DayNames.korean + ["평일"] {
      names.add(.day(day), "\(day) \(day)(오전) \(day)(오후) \(day)오전 \(day)오후")
    }
    for day in DayNames.japanese {
      for form in [day, day + "日"] {
        names.add(.day(day), "\(form) \(form)（午前） \(form)（午後） \(form)(午前) \(form)(午後)")
      }
    }
    names.add(.day("平日"), "平日")
    names.add(.day("祝日"), "祝日")
    for day in DayNames.english + ["weekdays", "weekends"] { names.add(.day(day), day) }
    names.add(.day("public holidays"), "public_holidays holidays holiday")
    for times in ["영업시간", "운영시간", "이용시간", "진료시간", "개방시간"] {
      for day in DayNames.korean + ["평일"] {
        names.add(.others(day), "\(day)\(times) \(times)(\(day)) \(times)_\(day)")
      }
      for (sign, day) in [("토", "토요일"), ("일", "일요일"), ("주말및공휴일", "주말, 공휴일")] {
        names.add(.others(day), "\(times)(\(sign)) \(times)_\(sign)")
      }
      names.add(.others("주말, 공휴일"), "주말및공휴일\(times)")
    }
    for times in ["営業時間", "診療時間"] {
      for day in DayNames.japanese + ["平日", "祝日", "土日", "日祝", "土日祝"] {
        names.add(.others(day), "\(day)\(times) \(day)日\(times) \(times)（\(day)） \(times)(\(day))")
      }
      for (sign, day) in [("土", "土曜"), ("日", "日曜"), ("祝", "祝日")] {
        names.add(.others(day), "\(times)（\(sign)） \(times)(\(sign))")
      }
    }
    let english = DayNames.english.map { ($0, $0) }
    for (day, words) in english + ["weekday", "weekend", "holiday"].map({ ($0, "\($0)s") }) {
      names.add(.others(words), "\(day)_hours \(day)s_hours hours_\(day) \(day)_opening_hours")
    }
    names.add(
      .others(breaks),
      "브레이크타임 휴게시간 점심시간 준비시간 昼休み 中休み 準備時間 休憩時間 lunch_break break_time break_hours")
    return names
  }()
}

// MARK: Times in members of JSON

extension TimesColumns {
  /// The times of a week's days, `{"Monday": "8:0-22:0", "sat": "10:00-14:00"}`; nil for another object.
  static func week(_ members: Properties) -> String? {
    let days = members.entries.map { entry -> String? in
      let name = entry.name.lowercased()
      let times: String? =
        if case .array(let values) = entry.value { values.joinedTexts(", ") } else {
          entry.value.text
        }
      guard let times,
        let day = DayNames.english.first(where: { $0 == name || $0.prefix(3) == name })
          ?? (DayNames.korean + DayNames.japanese).first(where: { $0 == name })
      else { return nil }
      // Yelp writes full hours so, and all day as twice the same, which may as well mean closed.
      let written = (times + "-").replacing(":0-", with: ":00-").dropLast()
      let ends = written.split(separator: "-")
      return "\(day) \(ends.count == 2 && ends[0] == ends[1] ? "unknown" : written)"
    }
    return days.isEmpty || days.contains(nil)
      ? nil : days.compactMap(\.self).joined(separator: ", ")
  }

  /// A list of hours with those of public holidays behind the days that they except, as its order means nothing.
  static func withHolidaysLast(_ values: [PropertyValue]) -> [PropertyValue] {
    func isOfHolidays(_ value: PropertyValue) -> Bool { value.text?.hasPrefix("PH") == true }
    return values.filter { !isOfHolidays($0) } + values.filter(isOfHolidays)
  }

  /// Days and times as schema.org has them in an `OpeningHoursSpecification`, in the `opening_hours` language; nil for
  /// what is none, and for one that holds for a part of the year.
  ///
  /// Source: https://schema.org/OpeningHoursSpecification; two times of 00:00 mean closed, as Google reads them.
  static func specification(_ value: PropertyValue) -> PropertyValue? {
    guard case .object(let members) = value, members["validFrom"] == nil,
      members["validThrough"] == nil, let days = members["dayOfWeek"],
      let opens = members["opens"]?.text?.prefix(5), let closes = members["closes"]?.text?.prefix(5)
    else { return nil }
    let names: [String] =
      if case .array(let values) = days { values.listedTexts } else { [days.text ?? "?"] }
    let words = names.map { name -> String? in
      let name = name.lowercased().split { "/#:".contains($0) }.last ?? ""
      if name == "publicholidays" { return "PH" }
      return CivilDay.weekdayNames.first { $0.lowercased() == name }.map { String($0.prefix(2)) }
    }
    guard !words.isEmpty, !words.contains(nil) else { return nil }
    let times = opens == closes && opens == "00:00" ? "off" : "\(opens)-\(closes)"
    return .string("\(words.compactMap(\.self).joined(separator: ",")) \(times)")
  }
}

/// Days as columns are named after them, Monday first.
private enum DayNames {
  static let korean = ["월요일", "화요일", "수요일", "목요일", "금요일", "토요일", "일요일", "주말", "공휴일"]
  static let japanese = ["月曜", "火曜", "水曜", "木曜", "金曜", "土曜", "日曜"]
  static let english = CivilDay.weekdayNames.map { $0.lowercased() }
}

// MARK: Columns of closing days

/// The columns in which sources list the closing days of a place.
///
///     let mart = BasicAnnotation(id: 1, properties: ["holidays": .array(["2018-10-28 (일)"])])
///     ClosingDayColumns.text(of: mart.properties)  // 2018-10-28 (일)
///
/// `closing_days`, `휴무일`, `定休日` and similar ones; also `holidays` and `휴일` if they name days, and `일요일` or `Sunday`
/// if it says closed. Several columns of one place are combined, such as `정기휴무` with its Sundays and `holidays` with
/// its dates.
public enum ClosingDayColumns {
  /// The closing days in a place's properties, as text for `WrittenHours`; nil if there are none.
  ///
  /// - Returns: The texts of the columns in order, joined by `; `; the values of a list are joined
  ///   by commas.
  /// - Complexity: O(properties), and O(length) for a column that may have another meaning.
  public static func text(of properties: Properties) -> String? {
    var texts: [String] = []
    for entry in properties.entries {
      guard let meaning = meaning(of: entry.name), let text = text(of: entry.value, meaning),
        !texts.contains(text)
      else { continue }
      texts.append(text)
    }
    return texts.isEmpty ? nil : texts.joined(separator: "; ")
  }

  /// Whether a column with this name is read.
  package static func isColumn(_ name: String) -> Bool { meaning(of: name) != nil }

  private static func meaning(of name: String) -> Meaning? { names[name] ?? days[name] }

  /// What a column means.
  private enum Meaning {
    case closingDays
    /// Closing days if it names days, as `휴일` may be a column of hours, and these days if it says closed.
    case mayBe(saysClosed: String?)
    /// The words for a day, if it says closed.
    case day(String)
    /// The same where a mark is enough; or other days, as in `2,4째주 일요일`.
    case mark(String)
  }

  private static func text(of value: PropertyValue, _ meaning: Meaning) -> String? {
    if case .mark(let day) = meaning, value == .bool(true) { return day }
    guard let text = text(of: value) else { return nil }
    switch meaning {
    case .closingDays: return text
    case .mayBe(let day):
      return WrittenHours.namesClosingDays(text) ? text : saysClosed(text) ? day : nil
    case .day(let day): return saysClosed(text) ? day : nil
    case .mark(let day):
      if BusinessColumns.isMark(text) || saysClosed(text) { return day }
      return WrittenHours.namesClosingDays(text) ? text : nil
    }
  }

  private static func text(of value: PropertyValue) -> String? {
    switch value {
    case .string(""): nil
    case .string(let text), .number(let text): text
    case .array(let values): values.joinedTexts(", ")
    case .null, .bool, .object: nil
    }
  }

  /// Whether a cell says that a place is closed, and nothing else.
  package static func saysClosed(_ text: String) -> Bool {
    text.utf8.count <= 24 && closedWords.contains(text.lowercased().filter { !$0.isWhitespace })
  }

  private static let closedWords = Set(
    """
    휴무 휴무일 휴진 휴관 휴업 휴점 휴장 휴원 휴일 정기휴무 정기휴일 정기휴관 休 休み お休み 休業 休業日 休診 休診日 休館 休館日 休園 \
    定休 定休日 closed close off ruhetag geschlossen fermé cerrado chiuso
    """.split(separator: " ").map(String.init))

  /// Names that are a day or the half of one: what is in brackets counts.
  private static let days: ColumnTerms<Meaning> = {
    var names = ColumnTerms<Meaning>()
    func add(_ day: String, _ forms: [String], halves: [String], _ closed: String) {
      for form in forms {
        names.add(.day(day), form)
        for half in halves {
          names.add(
            .day("\(day) \(half) \(closed)"), "\(form)\(half) \(form)(\(half)) \(form)（\(half)）")
        }
      }
    }
    for day in DayNames.korean {
      add(day, [day], halves: ["오전", "오후"], "휴무")
      names.add(.mark(day), "\(day)휴무 \(day)휴무여부 \(day)휴관여부 \(day)휴진여부 \(day)휴업여부")
    }
    for day in DayNames.japanese + ["祝日"] {
      add(day, [day, day + "日"], halves: ["午前", "午後"], "休み")
      names.add(.mark(day), "\(day)休 \(day)定休 \(day)休業")
    }
    for day in DayNames.english {
      add(day, [day], halves: ["morning", "afternoon"], "closed")
      names.add(.mark(day), "closed_\(day) closed_on_\(day) \(day)_closed")
    }
    return names
  }()

  private static let names: ColumnTerms<Meaning> = {
    var names = ColumnTerms<Meaning>(isLoose: true)
    names.add(
      .closingDays,
      """
      closing_days closed_days closing_dates closed_dates closing_day closed_day regular_holiday regular_holidays \
      weekly_off day_off off_days days_closed closed_weekday closed_weekdays temporary_closures ruhetag ruhetage \
      휴무 휴일일정 정기휴일 의무휴업일 의무휴업 정기휴업일 휴업일 휴업일정 휴업요일 쉬는날 휴무일비고 \
      定休 定休日・休業日 休日・定休日 休日 休み お休み お休みの日 休診 店休 店休日 店休曜日 休業日・備考 公休日 年末年始休業 臨時休業
      """)
    for stem in ["휴무", "휴관", "휴진", "휴장", "휴점", "휴원"] {
      for kind in ["", "정기", "의무", "임시", "명절", "점포", "매장"] {
        for ending in ["일", "일자", "일정", "일정보", "요일", "정보", "안내"] {
          names.add(.closingDays, kind + stem + ending)
        }
        if !kind.isEmpty { names.add(.closingDays, kind + stem) }
      }
    }
    for stem in ["定休", "休業", "休館", "休店", "休診", "休園"] {
      for kind in ["", "定期", "臨時"] {
        for ending in ["日", "曜日", "日等", "日備考", "日情報"] {
          names.add(.closingDays, kind + stem + ending)
        }
      }
    }
    names.add(.mayBe(saysClosed: "public holidays"), "holidays holiday")
    names.add(
      .mayBe(saysClosed: nil),
      "closed closed_on closures days_off 휴일 휴관 휴진 휴장 휴점 휴원 休業 休館")
    return names
  }()
}
