import AnnotationImport
import BusinessHours
import MapAnnotations
import NearbySearch

/// Where a source has hours: one column of texts, columns of closing days, and times in columns of their
/// own for classes of days, as Korea's and Japan's standard data and Japanese lists have them.
package enum HoursColumns {
  private static let operatingDays = "운영요일"
  /// Days with times of their own: weekdays, Saturdays, holidays; weekends are both of these.
  private static let classes = [["평일"], ["토요일", "주말"], ["공휴일", "주말"]]
  private static let openings = [
    ("営業開始時間", "営業終了時間"), ("開館時間", "閉館時間"), ("운영시작시각", "운영종료시각"),
  ]
  /// Days of the week, the times of them all, and a remark: Japan's standard data, and the same in English.
  private static let weeks = [
    ["利用可能曜日", "開始時間", "終了時間", "利用可能日時特記事項"],
    ["availableDate", "startTime", "endTime", "availableDateNote"],
  ]
  /// Between cells that are read together; no source has it.
  package static let separator: Character = "\u{1F}"

  /// By class the columns of its beginning and of its end, the preferred first; those of museums last.
  private static let classNames = classes.flatMap { days in
    ["시작시각", "종료시각"].map { end in
      ["운영", "관람"].flatMap { use in days.map { $0 + use + end } }
    }
  }

  /// The columns of which `text(of:)` puts hours together.
  package static let cellNames =
    classNames.flatMap(\.self) + [operatingDays] + openings.flatMap { [$0.0, $0.1] }
    + weeks.flatMap { $0 }

  /// The hours of an annotation: a text, or cells that `read` knows how to take apart.
  package static func text(of item: ImportedAnnotation) -> String? {
    let stated = item.openingHours
    // 開館時間 may be the time of opening alone, beside 閉館時間.
    let isBeginning = stated.map { $0.utf8.count <= 5 && $0 != "24/7" } ?? true
    let times = (isBeginning ? pair(of: item) : nil) ?? stated
    if item.mayHaveTimesColumns, times?.allSatisfy(isOfTimes) ?? true,
      let text = joined(times, of: item)
    {
      return text
    }
    return times ?? cells(of: item)
  }

  /// The times of all days from two columns.
  private static func pair(of item: ImportedAnnotation) -> String? {
    for (start, end) in openings {
      if let start = cell(start, item), let end = cell(end, item) { return "\(start)~\(end)" }
    }
    return nil
  }

  /// The hours that stand in cells for the days of a week, or for classes of days.
  private static func cells(of item: ImportedAnnotation) -> String? {
    for names in weeks {
      guard let days = cell(names[0], item), let start = cell(names[1], item),
        let end = cell(names[2], item)
      else { continue }
      // The remark may say anything; in a line of its own it does not join the days before it.
      let isWholeDay = ["0:00", "00:00"].contains(start) && end == "23:59"
      let remark = cell(names[3], item).flatMap { remark in
        remark == "通年利用可能" || isWholeDay && remark == "終日利用可能" ? nil : "\n\(remark)"
      }
      return "\(days) \(start)~\(end == "23:59" ? "24:00" : end)\(remark ?? "")"
    }
    guard classNames[0].contains(where: { cell($0, item) != nil }) else { return nil }
    let cells = (classNames + [[operatingDays]]).map { names in
      names.lazy.compactMap { cell($0, item) }.first ?? ""
    }
    return cells.joined(separator: String(separator))
  }

  /// Times without days, with what other columns say of these, or the times of single days alone; nil without times.
  private static func joined(_ text: String?, of item: ImportedAnnotation) -> String? {
    var days = ""
    var others: [String] = []
    var hasTimes = false
    for entry in item.properties.entries {
      guard let meaning = TimesColumns.meaning(of: entry.name), let cell = entry.value.text,
        !cell.isEmpty
      else { continue }
      switch meaning {
      case .days: if days.isEmpty { days = "\(cell) " }
      case .others(let words):
        hasTimes = hasTimes || words != TimesColumns.breaks && isTime(cell)
        others.append("\(words) \(cell)")
      case .day(let words):
        let isTime = isTime(cell)
        // Alone, a day's other words leave it unknown, except those that are read as closing it.
        guard isTime || text == nil && !ClosingDayColumns.saysClosed(cell) else { continue }
        hasTimes = hasTimes || isTime
        others.append("\(words) \(cell)")
      }
    }
    guard let text else {
      // Times of Saturdays alone do not say that all other days are closed.
      return hasTimes && TimesColumns.coverWeekdays(item.properties)
        ? others.joined(separator: ", ") : nil
    }
    return ([days + text] + others).joined(separator: ", ")
  }

  /// Whether the cell of a day has times: not the days of `holidays`, and no numbers of anything else.
  private static func isTime(_ cell: String) -> Bool {
    cell.contains(where: \.isNumber)
      && (cell.contains { ":：시時".contains($0) }
        || ["am", "pm", "a.m.", "p.m."].contains(where: cell.lowercased().contains))
  }

  private static func isOfTimes(_ character: Character) -> Bool {
    character.isNumber || ":~-–〜～ ：시분時分오전후午前後apmAPM.".contains(character)
  }

  /// Whether one of these columns is known to hold hours.
  static func hasKnown(among columns: [String]) -> Bool {
    KnownNames.hoursColumn(of: columns) != nil
      || columns.contains { cellNames.contains($0) || TimesColumns.namesTimes($0) }
  }

  /// Whether an annotation says when it is open, or that it is not in business.
  static func isSaid(by item: ImportedAnnotation) -> Bool {
    text(of: item) != nil || item.closingDays != nil || item.business != BusinessRecord()
  }

  /// All that an annotation says of its hours.
  package static func allText(of item: ImportedAnnotation) -> String {
    "\(text(of: item) ?? "") \(item.closingDays ?? "")"
  }

  /// Reads what `text(of:)` gives, and the closing days.
  package static func read(_ text: String, _ closingDays: String) -> WrittenHours {
    let cells = text.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    guard cells.count == 7 else { return WrittenHours(text, closingDays: closingDays) }
    return WrittenHours(
      weekdays: WrittenTimes(cells[0], cells[1]), saturdays: WrittenTimes(cells[2], cells[3]),
      holidays: WrittenTimes(cells[4], cells[5]), operatingDays: cells[6], closingDays: closingDays)
  }

  /// What keeps a text from being hours in the `opening_hours` language; nil where it is read, and where the readers of
  /// written words come as far.
  ///
  /// - Parameter written: What `read` gives for it.
  package static func error(in text: String, _ written: WrittenHours) -> HoursError? {
    guard written.extent != .whole, let doubt = written.doubts.first, !text.contains(separator),
      !HoursPage.isWritten(text)
    else { return nil }
    do throws(HoursError) {
      _ = try OpeningHours(text)
      return nil
    } catch {
      return error.column > doubt.column && doubt.kind != .halfOfDay ? error : nil
    }
  }

  private static func cell(_ name: String, _ item: ImportedAnnotation) -> String? {
    guard let text = item.property(name)?.text, !text.isEmpty else { return nil }
    return text
  }

  /// Whether the hours of an annotation stand in several cells.
  package static func isCells(_ item: ImportedAnnotation) -> Bool {
    item.openingHours == nil && text(of: item) != nil
  }
}
