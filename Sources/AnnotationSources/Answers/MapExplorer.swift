import AnnotationImport
import Geodesy
import MapAnnotations
import NearbySearch
import TextMaps

/// A key as somebody pressed it.
package enum Key: Equatable {
  case character(Character)
  case up, down, left, right, pageUp, pageDown, home
  case tab, backTab, enter, backspace, escape
  /// The first button of the mouse at a column and a line of the screen, from 0.
  case click(column: Int, row: Int)
  case wheelUp, wheelDown
}

/// A map that keys move: which window it shows, what is switched off, what is selected.
///
/// It knows no terminal: keys go in, lines come out.
package struct MapExplorer {
  private let index: AnnotationIndex<ImportedAnnotations>
  private let origin: Coordinate?
  private let today: Today
  private let outlines: Basemap
  private let plan: MapPlan

  private let kinds: [AnnotationKind]
  private var hiddenKinds: Set<AnnotationKind> = []
  private var words = ""
  private var isTyping = false
  private var selected: Selected?
  private var showsHelp = false
  /// The first line that is shown of the fields of what is selected; nil for the map.
  private var firstField: Int?
  private var showsCounts = false

  private var center: Coordinate
  /// Meters from the center to the upper edge.
  private var halfHeight: Double
  private let start: (center: Coordinate, halfHeight: Double)

  /// The columns and lines of the screen.
  package var size: (columns: Int, rows: Int) = (80, 24)

  private struct Selected {
    let id: AnnotationID
    let coordinate: Coordinate
  }

  /// A map of the answers to a query.
  ///
  /// - Parameters:
  ///   - index: All that match the query, wherever they are.
  ///   - box: What the window holds at first, or nearly, as the screen has its own proportions; nil for the query's
  ///     circle, or for everything.
  package init(
    _ index: AnnotationIndex<ImportedAnnotations>, _ query: NearbyQuery,
    showing box: BoundingBox?, plan: MapPlan, outlines: Basemap, _ today: Today
  ) {
    self.index = index
    origin = query.origin
    self.today = today
    self.outlines = outlines
    self.plan = plan
    kinds = index.annotations.kindCounts.filter { !$0.name.isEmpty }
      .map { AnnotationKind(rawValue: $0.name) }
    let circle = query.origin.flatMap { origin in
      query.distances.within < .infinity
        ? BoundingBox(around: origin, radius: query.distances.within) : nil
    }
    let box = box ?? circle ?? index.annotations.extent ?? .world
    let width = box.width
    let middle = Coordinate(
      unchecked: (box.south + box.north) / 2, Coordinate.wrappedLongitude(box.west + width / 2))
    let north = middle.distance(to: Coordinate(unchecked: box.north, middle.longitude)).meters
    // A screen is some one and a half times as wide as high.
    let east = width / 2 * Self.metersPerLongitude(at: middle.latitude) / 1.5
    start = (middle, min(max(max(north, east) * 1.1, Self.leastHalfHeight), Self.mostHalfHeight))
    center = start.center
    halfHeight = start.halfHeight
  }

  private static let leastHalfHeight = 50.0
  private static let mostHalfHeight = 10_000_000.0

  /// What a key does.
  ///
  /// - Returns: Whether the map goes on.
  package mutating func press(_ key: Key) -> Bool {
    if isTyping { return type(key) }
    let wasHelp = showsHelp
    let field = firstField
    if let field, let step = Self.scrollSteps(key, rows: mapRows) {
      firstField = max(0, min(field + step, fields.count - mapRows + 1))
      return true
    }
    showsHelp = false
    firstField = nil
    switch key {
    case .up, .character("k"): pan(north: 0.5, east: 0)
    case .down, .character("j"): pan(north: -0.5, east: 0)
    case .left, .character("h"): pan(north: 0, east: -0.5)
    case .right, .character("l"): pan(north: 0, east: 0.5)
    case .character("+"), .character("="), .pageUp, .wheelUp: zoom(by: 0.5)
    case .character("-"), .character("_"), .pageDown, .wheelDown: zoom(by: 2)
    case .home, .character("0"): (center, halfHeight) = start
    case .tab, .character("n"): select(by: 1)
    case .backTab, .character("p"): select(by: -1)
    case .enter: firstField = selected != nil && field == nil ? 0 : nil
    case .character("c"): if let selected { center = selected.coordinate }
    case .character("#"): showsCounts.toggle()
    case .click(let column, let row): select(column: column, row: row)
    case .character("/"): isTyping = true
    case .character("?"): showsHelp = !wasHelp
    case .character(let digit) where digit.isWholeNumber: toggleKind(digit.wholeNumberValue ?? 0)
    case .escape:
      // One step back each time, the last one out.
      if wasHelp || field != nil { break }
      if selected != nil {
        selected = nil
      } else if !words.isEmpty {
        words = ""
      } else {
        return false
      }
    case .character("q"): return false
    case .character, .backspace: break
    }
    return true
  }

  /// By how many lines a key scrolls; nil for a key that does not.
  private static func scrollSteps(_ key: Key, rows: Int) -> Int? {
    switch key {
    case .up, .character("k"), .wheelUp: -1
    case .down, .character("j"), .wheelDown: 1
    case .pageUp: 2 - rows
    case .pageDown: rows - 2
    default: nil
    }
  }

  private mutating func type(_ key: Key) -> Bool {
    switch key {
    case .character(let letter): words.append(letter)
    case .backspace: _ = words.popLast()
    case .enter: isTyping = false
    case .escape: (words, isTyping) = ("", false)
    default: isTyping = false
    }
    return true
  }

  private mutating func toggleKind(_ number: Int) {
    guard kinds.indices.contains(number - 1) else { return }
    let kind = kinds[number - 1]
    if hiddenKinds.remove(kind) == nil { hiddenKinds.insert(kind) }
  }

  // MARK: The window

  /// Degrees from the center to the edges.
  private var halfSize: (latitude: Double, longitude: Double) {
    // The frame takes two columns and two lines, the legend a line; a cell is twice as high as wide.
    let halfWidth = halfHeight * Double(size.columns - 2) / Double((mapRows - 3) * 2)
    let longitude = halfWidth / Self.metersPerLongitude(at: center.latitude)
    return (halfHeight / Self.metersPerLongitude(at: 0), min(180, longitude))
  }

  /// Meters to a degree of longitude; near a pole, where they end, as many as at 87°.
  private static func metersPerLongitude(at latitude: Double) -> Double {
    let latitude = min(max(latitude, -87), 87)
    return Coordinate(unchecked: latitude, 0).distance(to: Coordinate(unchecked: latitude, 1))
      .meters
  }

  private var window: BoundingBox {
    let half = halfSize
    let south = max(-90, center.latitude - half.latitude)
    let north = min(90, center.latitude + half.latitude)
    // All meridians meet at a pole, so that a window with one is round.
    if south == -90 || north == 90 || half.longitude == 180 {
      return BoundingBox(unchecked: south, -180, north, 180)
    }
    return BoundingBox(
      unchecked: south, Coordinate.wrappedLongitude(center.longitude - half.longitude), north,
      Coordinate.wrappedLongitude(center.longitude + half.longitude))
  }

  private mutating func pan(north: Double, east: Double) {
    let half = halfSize
    let latitude = min(max(center.latitude + north * half.latitude, -90), 90)
    center = Coordinate(
      unchecked: latitude, Coordinate.wrappedLongitude(center.longitude + east * half.longitude))
  }

  private mutating func zoom(by factor: Double) {
    halfHeight = min(max(halfHeight * factor, Self.leastHalfHeight), Self.mostHalfHeight)
    if let selected, factor < 1 { center = selected.coordinate }
  }

  // MARK: What is seen

  /// What is in the window and contains in its name what somebody typed, whatever its case and width.
  private var rowsInWindow: [Listing.Row] {
    var query = NearbyQuery()
    query.area = .box(window)
    query.origin = origin
    query.order = .id
    if !words.isEmpty { query.condition = .search(.field(.common(.name)), .contains, words) }
    // Any annotation can be asked for its name, so that this never throws.
    guard let answer = try? index.answer(query) else { return [] }
    return answer.compactMap { result in
      let isHidden = result.annotation.kind.map(hiddenKinds.contains) ?? false
      return isHidden ? nil : Listing.Row(result, today)
    }
  }

  private mutating func select(by step: Int) {
    let seen = ordered(rowsInWindow)
    guard !seen.isEmpty else { return }
    let current = selected.flatMap { selected in
      seen.firstIndex { $0.annotation.id == selected.id }
    }
    let next =
      current.map { ($0 + step + seen.count) % seen.count } ?? (step > 0 ? 0 : seen.count - 1)
    selected = seen[next].coordinate.map {
      Selected(id: seen[next].annotation.id, coordinate: $0)
    }
  }

  /// From the middle outward, then by id.
  private func ordered(_ seen: [Listing.Row]) -> [Listing.Row] {
    // What is on the map has a position.
    let far = seen.map { $0.coordinate.map { center.distance(to: $0).meters } ?? .infinity }
    return seen.indices.sorted {
      (far[$0], seen[$0].annotation.id) < (far[$1], seen[$1].annotation.id)
    }.map { seen[$0] }
  }

  /// Selects what is nearest to a cell of the screen, if it is within two cells.
  private mutating func select(column: Int, row: Int) {
    let seen = rowsInWindow.filter { $0.coordinate != nil }
    var nearest: (far: Int, selected: Selected)?
    for (shown, cell) in zip(seen, picture(of: seen).cells) {
      guard let cell, let coordinate = shown.coordinate else { continue }
      // A cell is twice as high as wide.
      let (dx, dy) = (cell.column - column, 2 * (cell.line - row))
      let far = dx * dx + dy * dy
      if far < nearest?.far ?? 16 {
        nearest = (far, Selected(id: shown.annotation.id, coordinate: coordinate))
      }
    }
    selected = nearest?.selected
  }

  private var mapRows: Int { max(8, size.rows - 3) }

  private func picture(of seen: [Listing.Row]) -> TextMap {
    var map = TextMap(
      markers: seen.compactMap { row in
        row.coordinate.map {
          TextMap.Marker(
            at: $0, kind: row.annotation.kind,
            label: row.annotation.id == selected?.id
              ? "◀ " + (row.annotation.name ?? row.annotation.id.text) : nil,
            isOutOfBusiness: row.business.isOutOfBusiness)
        }
      }, lines: seen.compactMap(\.annotation.shape).outlines, origin: origin, viewport: window,
      size: TextMap.Size(columns: size.columns, rows: mapRows), style: plan.style,
      color: plan.color,
      basemap: outlines)
    map.showsCounts = showsCounts
    return map
  }

  /// The picture: map, selection, kinds and keys.
  package func lines() -> [String] {
    let columns = size.columns
    let seen = rowsInWindow
    let chosen = chosen(of: seen)
    var lines = picture(of: seen).render().split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
    if showsHelp { lines = columns < Self.wideColumns ? Self.shortHelp : Self.help }
    if let firstField, let chosen {
      lines = Array(fields(of: chosen).dropFirst(firstField))
      if firstField > 0 || lines.count > mapRows {
        let left = lines.count - mapRows + 1
        lines = lines.prefix(mapRows - 1) + [left > 0 ? "… \(left) more: arrow keys" : ""]
      }
    }
    if lines.count > mapRows { lines = Array(lines.prefix(mapRows)) }
    while lines.count < mapRows { lines.append("") }
    lines.append(chosen.map(description) ?? Self.hint)
    lines.append(kindLine(seen.count))
    lines.append(
      isTyping
        ? "name contains: \(words)▏"
        : columns < Self.wideColumns
          ? "? help  q quit  tab next  + - zoom  / name"
          : "arrows move  + - zoom  tab next  / name  1-9 kinds  ? help  q quit")
    return lines.suffix(max(size.rows, 1)).map { line in
      line.contains("\u{1B}") ? line : TerminalText.truncated(line, to: columns)
    }
  }

  private func chosen(of seen: [Listing.Row]) -> Listing.Row? {
    selected.flatMap { selected in seen.first { $0.annotation.id == selected.id } }
  }

  private static let hint = "tab selects what is on the map"

  /// From this width on, the keys are explained in sentences.
  private static let wideColumns = 77

  /// In 28 columns, for a narrow window.
  private static let shortHelp = [
    "arrows hjkl  move",
    "+ - wheel    zoom",
    "0 home       first window",
    "tab n click  select one",
    "enter  c     fields, middle",
    "#            dots or counts",
    "/            filter by name",
    "1-9          kinds off and on",
    "escape  back    q  quit",
  ]

  private static let help = [
    "arrows, h j k l   move the map by half a window",
    "+ -, page keys    zoom in and out by two; in goes to the selected one",
    "0, home           back to the first window",
    "tab, shift-tab    the next or the previous, from the middle outward; also n p",
    "click, wheel      select one; zoom",
    "enter             all fields of the selected one; c puts it into the middle",
    "#                 counts instead of dots where there are very many",
    "/                 only names with what is typed; enter keeps, escape drops it",
    "1 to 9            switch a kind off and on",
    "escape            selection off, then the name, then the map",
    "q                 end",
  ]

  private var fields: [String] { chosen(of: rowsInWindow).map(fields) ?? [] }

  /// All that the source says of one, each field in as many lines as it takes.
  private func fields(of row: Listing.Row) -> [String] {
    let properties = row.annotation.properties.withDistinctNames.entries
    let width = min(
      20, size.columns / 2, properties.map { DisplayWidth.columns(of: $0.name) }.max() ?? 0)
    let place = row.coordinate.map { "\($0.latitude), \($0.longitude)" } ?? ""
    let head = wrapped(row.annotation.name ?? row.annotation.id.text, to: size.columns)
    return properties.reduce(into: head + [place, ""]) { lines, entry in
      guard let text = entry.value.text, !text.isEmpty else { return }
      let names = wrapped(entry.name, to: width)
      let values = wrapped(text, to: max(size.columns - width - 2, 1))
      for line in 0..<max(names.count, values.count) {
        let name = line < names.count ? names[line] : ""
        lines.append(
          TerminalText.padded(name, to: width) + "  " + (line < values.count ? values[line] : ""))
      }
    }
  }

  /// A text in lines of so many columns, also where a word takes more of them.
  private func wrapped(_ text: String, to columns: Int) -> [String] {
    LineWrapping.lines(TerminalText.sanitized(text), columns: columns).flatMap { line in
      var (lines, used) = ([""], 0)
      for character in line {
        let width = DisplayWidth.columns(of: String(character))
        if used + width > columns, used > 0 {
          lines.append("")
          used = 0
        }
        lines[lines.count - 1].append(character)
        used += width
      }
      return lines
    }
  }

  private func description(_ row: Listing.Row) -> String {
    var parts = [row.annotation.name ?? row.annotation.id.text]
    if let kind = row.annotation.kind { parts.append(kind.rawValue) }
    if let words = row.business.words { parts.append(words) }
    if let distance = row.distance { parts.append(distance.label) }
    parts += [row.annotation.address, row.annotation.openingHours].compactMap(\.self)
    parts.append(row.annotation.id.text)
    return "▸ " + TerminalText.sanitized(parts.joined(separator: "  "))
  }

  private func kindLine(_ count: Int) -> String {
    let kinds = kinds.prefix(9).enumerated().map { place, kind in
      "\(place + 1) \(hiddenKinds.contains(kind) ? "(off) " : "")\(TerminalText.sanitized(kind.rawValue))"
    }
    let words = words.isEmpty || isTyping ? "" : "name contains \(words)  "
    return "\(grouped(count)) on the map  " + words + kinds.joined(separator: "  ")
  }
}
