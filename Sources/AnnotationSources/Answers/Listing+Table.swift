import BusinessHours
import Geodesy
import MapAnnotations
import TextMaps

// A listing for a person: the list, a blank line and the map.

extension Listing {
  /// The list, and the map unless `picture` is nil.
  package func table(width: Int, style: TextMap.Style, color: TerminalColor, picture: MapPicture?)
    throws
    -> String
  {
    let business = rows.map(\.business)
    let isAnyOut = business.contains(where: \.isOutOfBusiness)
    let showsBusiness = isAnyOut && question.open == nil
    let list = ResultTable(
      groups: groups(business, showsBusiness: showsBusiness),
      detailHeaders: (showsBusiness ? ["Business"] : []) + detailHeaders, width: width,
      style: style,
      color: color)
    var text = list.render() + "\n"
    // The map's legend says it, too.
    if isAnyOut, picture == nil { text += TextMap.outOfBusinessNote(style) + "\n" }
    if let open = question.open {
      text += passedOverLines(open, width: width)
      if let validUntil {
        text +=
          "valid until \(ClockText.brief(validUntil, seenFrom: open.condition.instant, open.own))\n"
      }
    }
    if let picture { text += "\n" + (try picture.draw()) }
    return text
  }

  /// One line for each field that was counted: its values, the most frequent first, as many as it has room for.
  package func facetLines(width: Int) -> String {
    guard let facets else { return "" }
    var text = "\(grouped(facets.total)) match\n"
    let names = facets.facets.map { TerminalText.sanitized($0.field.columnName) }
    let nameWidth = names.map { DisplayWidth.columns(of: $0) }.max() ?? 0
    for (name, facet) in zip(names, facets.facets) {
      let blanks = String(repeating: " ", count: nameWidth - DisplayWidth.columns(of: name))
      var counts = facet.counts.prefix(Listing.shownFacetValues).map {
        "\(TerminalText.sanitized($0.value ?? "(none)")) \(grouped($0.count))"
      }
      func line() -> String {
        let rest = facet.counts.count - counts.count
        return "\(name)\(blanks)  \(counts.joined(separator: " · "))"
          + (rest > 0 ? " · \(grouped(rest, "more value"))" : "")
      }
      while counts.count > 1, DisplayWidth.columns(of: line()) > width { counts.removeLast() }
      text += TerminalText.truncated(line(), to: max(1, width)) + "\n"
    }
    return text
  }

  /// A person reads so many values; JSON has all.
  private static let shownFacetValues = 10

  /// One group, or one for each kind.
  private func groups(_ business: [BusinessStatus], showsBusiness: Bool) -> [ResultTable.Group] {
    let header = whatHeader
    let tableRows = rows.enumerated().map { place, row in
      ResultTable.Row(
        number: place + 1, name: row.annotation.name ?? row.annotation.id.text,
        kind: row.annotation.kind, distance: row.distance, bearing: row.bearing,
        details: (showsBusiness ? [business[place].words ?? ""] : [])
          + details(of: row, under: header),
        isOutOfBusiness: business[place].isOutOfBusiness)
    }
    guard isGrouped else { return [ResultTable.Group(rows: tableRows)] }
    var groups: [ResultTable.Group] = []
    for row in tableRows {
      let title = row.kind?.rawValue ?? "(no kind)"
      if groups.last?.title == title {
        groups[groups.count - 1].rows.append(row)
      } else {
        groups.append(ResultTable.Group(title: title, rows: [row]))
      }
    }
    return groups
  }

  /// The columns asked for, or what tells a person most: the hours and the address.
  private var detailHeaders: [String] {
    (question.open == nil ? [] : ["Hours"])
      + (fields ?? (whatHeader.map { [$0] } ?? []) + ["address"])
  }

  private static let hoursHeader = "opening hours"

  /// What a person asked about: the sessions of some days, or the hours; nil where a moment is asked
  /// about, and what the hours say of it is enough.
  private var whatHeader: String? {
    guard let dates = query.dates,
      rows.contains(where: { $0.annotation.calendar.timetable != nil })
    else { return question.open == nil ? Self.hoursHeader : nil }
    return dates.day.map { "on \($0)" } ?? "sessions"
  }

  /// What is closed on arrival, a line each; nothing where nothing was passed over.
  package func passedOverLines(_ open: OpenPlan, width: Int) -> String {
    guard let farthest = passedOver.last?.distance else { return "" }
    // Where there are fewer results than were asked for, everything was looked at.
    let areNearer = rows.last?.distance.map { farthest <= $0 } ?? false
    var text = (areNearer ? "nearer, but " : "") + "not open on arrival:\n"
    for row in passedOver.prefix(Listing.shownPassedOver) {
      let name = TerminalText.sanitized(row.annotation.name ?? row.annotation.id.text)
      let words = row.open.map { open.words($0, of: row.annotation) } ?? ""
      let line =
        "  \(name), \(row.distance.map(roughLength) ?? ""): \(TerminalText.sanitized(words))"
      text += TerminalText.truncated(line, to: max(1, width)) + "\n"
    }
    let rest = passedOver.count - Listing.shownPassedOver
    return rest > 0 ? text + "  and \(grouped(rest)) more\n" : text
  }

  private static let shownPassedOver = 5

  private func details(of row: Row, under header: String?) -> [String] {
    let properties = row.annotation.properties
    let hours =
      question.open.map { open in
        [row.open.map { open.words($0, of: row.annotation) } ?? ""]
      } ?? []
    if let fields { return hours + fields.map { properties[$0]?.text ?? "" } }
    let address = ["address", "주소", "도로명주소", "소재지도로명주소", "住所", "店舗住所"]
      .lazy.compactMap { properties[$0]?.text }.first { !$0.isEmpty }
    return hours + (header.map { [what(of: row, under: $0)] } ?? []) + [address ?? ""]
  }

  /// What stands in the column of ``whatHeader``.
  private func what(of row: Row, under header: String) -> String {
    guard header != Self.hoursHeader, let dates = query.dates else {
      return row.annotation.openingHours ?? ""
    }
    let sessions = dates.sessions(of: row.annotation) ?? []
    let shown = sessions.prefix { $0.day == sessions[0].day }
    let text = shown.map(\.description).joined(separator: " · ")
    // Where each has days of its own, the first is said.
    guard dates.day == nil, let day = shown.first?.day else { return text }
    let rest = sessions.count - shown.count
    return "\(day) \(text)" + (rest > 0 ? " · \(grouped(rest)) more" : "")
  }
}
