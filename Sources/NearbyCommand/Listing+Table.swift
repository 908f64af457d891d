import Geodesy
import MapAnnotations
import TextMaps

// A listing for a person: the list, a blank line and the map.

extension Listing {
  /// The list, and the map unless `picture` is nil.
  func table(width: Int, style: TextMap.Style, color: TerminalColor, picture: MapPicture?) throws
    -> String
  {
    let list = ResultTable(
      groups: groups(), detailHeaders: detailHeaders, width: width, style: style, color: color)
    var text = list.render() + "\n"
    if let open = query.open {
      if !passedOver.isEmpty { text += passedOverLines(open, width: width) }
      if let validUntil {
        text += "valid until \(TimeText.brief(validUntil, seenFrom: open.condition.instant, open.own))\n"
      }
    }
    if let picture { text += "\n" + (try picture.draw(rows)) }
    return text
  }

  /// One line for each field that was counted: its values, the most frequent first.
  func facetLines() -> String {
    guard let facets else { return "" }
    var text = "\(grouped(facets.total)) match\n"
    let width = facets.facets.map { DisplayWidth.columns(of: $0.field.columnName) }.max() ?? 0
    for facet in facets.facets {
      let name = TerminalText.sanitized(facet.field.columnName)
      let blanks = String(repeating: " ", count: width - DisplayWidth.columns(of: name))
      let counts = facet.counts.prefix(Listing.shownFacetValues).map {
        "\(TerminalText.sanitized($0.value ?? "(none)")) \(grouped($0.count))"
      }
      let rest = facet.counts.count - counts.count
      text += "\(name)\(blanks)  \(counts.joined(separator: " · "))"
      text += rest > 0 ? " · \(grouped(rest)) more values\n" : "\n"
    }
    return text
  }

  /// A person reads so many values; JSON has all.
  private static let shownFacetValues = 10

  /// One group, or one for each kind.
  private func groups() -> [ResultTable.Group] {
    let tableRows = rows.enumerated().map { place, row in
      ResultTable.Row(
        number: place + 1, name: row.annotation.name ?? row.annotation.id.text,
        kind: row.annotation.kind, distance: row.distance, bearing: row.bearing,
        details: details(of: row))
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
    (query.open == nil ? [] : ["Hours"]) + (fields ?? ["opening hours", "address"])
  }

  /// What lies nearer and is closed on arrival, a line each.
  private func passedOverLines(_ open: OpenPlan, width: Int) -> String {
    var text = "nearer, but not open on arrival:\n"
    for row in passedOver.prefix(Listing.shownPassedOver) {
      let name = TerminalText.sanitized(row.annotation.name ?? row.annotation.id.text)
      let words = row.open.map { open.words($0, at: row.coordinate) } ?? ""
      let line = "  \(name), \(row.distance.map(roughLength) ?? ""): \(TerminalText.sanitized(words))"
      text += TerminalText.truncated(line, to: max(1, width)) + "\n"
    }
    let rest = passedOver.count - Listing.shownPassedOver
    return rest > 0 ? text + "  and \(grouped(rest)) more\n" : text
  }

  private static let shownPassedOver = 5

  private func details(of row: Row) -> [String] {
    let properties = row.annotation.properties
    let hours = query.open.map { open in
      [row.open.map { open.words($0, at: row.coordinate) } ?? ""]
    } ?? []
    if let fields { return hours + fields.map { properties[$0]?.text ?? "" } }
    let address = ["address", "주소", "도로명주소", "소재지도로명주소", "住所", "店舗住所"]
      .lazy.compactMap { properties[$0]?.text }.first { !$0.isEmpty }
    return hours + [row.annotation.openingHours ?? "", address ?? ""]
  }
}
