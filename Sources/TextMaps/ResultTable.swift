import Geodesy
import MapAnnotations

/// A column of a table: its cleaned text and its width.
struct TableColumn {
  /// The role of a column, which decides how long it stays on a narrow terminal.
  enum Role: Hashable {
    case number, name, kind, distance, bearing
    /// A further detail, by its index.
    case detail(Int)

    /// The priority for dropping the column, 0 for never; the highest is dropped first.
    var expendability: Int {
      switch self {
      case .name: 0
      case .number: 1
      case .distance: 2
      case .bearing: 3
      case .kind: 4
      case .detail(let place): 5 + place
      }
    }

    /// The width below which the text is too short to be useful; nil if it is never cut.
    var leastColumns: Int? {
      switch self {
      case .number, .distance, .bearing: nil
      case .kind: 6
      case .name: 8
      case .detail: 12
      }
    }
  }

  /// The side to which text is aligned.
  enum Alignment { case left, right }

  let role: Role
  let header: String
  let alignment: Alignment
  let texts: [String]
  /// The columns of the longest text, including the header.
  let natural: Int
  /// The assigned width in columns.
  var width: Int

  init(role: Role, header: String, alignment: Alignment, texts: [String]) {
    self.role = role
    self.header = header
    self.alignment = alignment
    self.texts = texts
    natural = texts.reduce(DisplayWidth.columns(of: header)) {
      max($0, DisplayWidth.columns(of: $1))
    }
    width = natural
  }

  /// The minimum width in columns.
  var least: Int { role.leastColumns.map { min($0, natural) } ?? natural }
}

/// Distributes the width of a terminal among columns.
enum TableLayout {
  private static let gap = 2

  /// The columns that fit, each with its width.
  ///
  /// Whole columns are dropped until the minimum widths of the others fit. The remaining room goes
  /// to the columns in order, each up to its natural width. One column always stays.
  static func fitting(_ columns: [TableColumn], width: Int) -> [TableColumn] {
    var columns = columns
    func leastTotal() -> Int {
      columns.reduce(gap * (columns.count - 1)) { $0 + $1.least }
    }
    while leastTotal() > width,
      let first = columns.indices.max(by: {
        columns[$0].role.expendability < columns[$1].role.expendability
      }), columns.count > 1
    {
      columns.remove(at: first)
    }
    var room = width - leastTotal()
    for index in columns.indices {
      let more = min(max(room, 0), columns[index].natural - columns[index].least)
      columns[index].width = columns[index].least + more
      room -= more
    }
    // The terminal is too narrow even for the minimum width of a name.
    if room < 0 { columns[0].width = max(1, width) }
    return columns
  }

  /// Appends one line of cells to a text, without trailing spaces.
  static func append(
    _ cells: [(column: TableColumn, text: String, ink: Ink)], to text: inout InkedText
  ) {
    var blanks = 0
    for (place, cell) in cells.enumerated() {
      if place > 0 { blanks += gap }
      let shown = TerminalText.truncated(cell.text, to: cell.column.width)
      let fill = cell.column.width - DisplayWidth.columns(of: shown)
      if cell.column.alignment == .right { blanks += fill }
      if !shown.isEmpty {
        text.append(String(repeating: " ", count: blanks))
        text.append(shown, cell.ink)
        blanks = 0
      }
      if cell.column.alignment == .left { blanks += fill }
    }
    text.endLine()
  }
}

/// A list of results in aligned columns on a terminal, whatever script the names are in.
///
///     let table = ResultTable(
///       rows: [.init(number: 1, name: "씨네큐브", kind: .cinema, distance: .meters(639))],
///       width: 80)
///     print(table.render())
///
/// Every result takes one line. Long texts are cut with `…`. On a narrow terminal columns are dropped instead of
/// breaking lines: details from the last to the first, then the kind, then the direction. From about 22 columns up the
/// number, the name and the distance stay; below, only the name.
public struct ResultTable: Sendable {
  /// Rows with a heading.
  public struct Group: Sendable {
    /// The heading; nil for none.
    public var title: String?
    /// The results, in the order in which they are shown.
    public var rows: [Row]

    /// Makes a group of rows.
    public init(title: String? = nil, rows: [Row]) {
      self.title = title
      self.rows = rows
    }
  }

  /// One result.
  public struct Row: Sendable {
    /// The number, the same as on the map; nil for none.
    public var number: Int?
    /// The display name; nil when unknown.
    public var name: String?
    /// The kind.
    public var kind: AnnotationKind?
    /// The distance.
    public var distance: Distance?
    /// The direction in degrees clockwise from north; nil if it has none.
    public var bearing: Double?
    /// The values for ``ResultTable/detailHeaders``; missing ones stay empty.
    public var details: [String]
    /// Whether the place has closed down or is suspended: its name then follows the same sign as
    /// its pin on the map.
    public var isOutOfBusiness: Bool

    /// Makes a row.
    public init(
      number: Int? = nil, name: String?, kind: AnnotationKind? = nil, distance: Distance? = nil,
      bearing: Double? = nil, details: [String] = [], isOutOfBusiness: Bool = false
    ) {
      self.number = number
      self.name = name
      self.kind = kind
      self.distance = distance
      self.bearing = bearing
      self.details = details
      self.isOutOfBusiness = isOutOfBusiness
    }
  }

  /// The results, in one or several groups; columns are aligned across all of them.
  public var groups: [Group]
  /// The headers of further columns: an address, opening hours.
  public var detailHeaders: [String]
  /// The header of the names; another where ids stand for them.
  package var nameHeader = "Name"
  /// The columns of the terminal; fewer than 1 count as 1.
  public var width: Int
  /// The style: directions are arrows, or letters in the ASCII style; names never change.
  public var style: TextMap.Style
  /// Whether escape sequences color the table; the text is the same either way.
  public var color: TerminalColor

  /// Makes a table; ``render()`` lays it out.
  public init(
    groups: [Group], detailHeaders: [String] = [], width: Int, style: TextMap.Style = .braille,
    color: TerminalColor = .none
  ) {
    self.groups = groups
    self.detailHeaders = detailHeaders
    self.width = width
    self.style = style
    self.color = color
  }

  /// Makes a table of one group without a heading.
  public init(
    rows: [Row], detailHeaders: [String] = [], width: Int, style: TextMap.Style = .braille,
    color: TerminalColor = .none
  ) {
    self.init(
      groups: [Group(rows: rows)], detailHeaders: detailHeaders, width: width, style: style,
      color: color)
  }
}

extension ResultTable {
  /// The table as text: a line of headers, then a line for each result; a heading above each group,
  /// and an empty line between groups.
  ///
  /// The same rows and width give the same bytes everywhere, in a pipe or on a terminal. Control
  /// characters in texts are cleaned (``TerminalText/sanitized(_:)``). Empty columns are omitted,
  /// and so is the kind within groups that have headings.
  ///
  /// - Returns: Lines of at most `width` columns without trailing spaces and without a final line
  ///   break; an empty text without rows.
  /// - Complexity: O(*n*) in the length of the text of all rows.
  public func render() -> String { laidOut().text }

  /// The table as text, and the headers of the details that have content and found no room.
  package func laidOut() -> (text: String, withoutRoom: [String]) {
    let rows = groups.flatMap(\.rows)
    guard !rows.isEmpty else { return ("", []) }
    let palette = KindPalette(rows.lazy.map(\.kind))
    let filled = self.columns(for: rows)
    let columns = TableLayout.fitting(filled, width: max(1, width))
    let shown = Set(columns.map(\.role))
    let withoutRoom = detailHeaders.indices.filter { place in
      filled.contains { $0.role == .detail(place) } && !shown.contains(.detail(place))
    }
    var text = InkedText(color: color)
    TableLayout.append(columns.map { ($0, $0.header, .faint) }, to: &text)
    var place = 0
    for group in groups where !group.rows.isEmpty {
      if let title = group.title {
        if place > 0 { text.endLine() }
        text.append(
          TerminalText.truncated(TerminalText.sanitized(title), to: max(1, width)), .strong)
        text.endLine()
      }
      for row in group.rows {
        // A result's number has the color of its pin.
        let ink = row.kind == nil ? Ink.plain : palette.ink(of: row.kind)
        TableLayout.append(
          columns.map { ($0, $0.texts[place], $0.role == .number ? ink : .plain) }, to: &text)
        place += 1
      }
    }
    return (text.finished(), withoutRoom.map { detailHeaders[$0] })
  }

  /// All columns with content.
  private func columns(for rows: [Row]) -> [TableColumn] {
    let isGrouped = groups.contains { $0.title != nil }
    var columns: [TableColumn] = []
    func add(
      _ role: TableColumn.Role, _ header: String, alignment: TableColumn.Alignment = .left,
      _ text: (Row) -> String?
    ) {
      let texts = rows.map { TerminalText.sanitized(text($0) ?? "") }
      guard texts.contains(where: { !$0.isEmpty }) else { return }
      let header = TerminalText.sanitized(header)
      columns.append(
        TableColumn(role: role, header: header, alignment: alignment, texts: texts))
    }
    add(.number, "#", alignment: .right) { $0.number.map { String($0) } }
    let sign = TextMap.outOfBusinessSign(style)
    add(.name, nameHeader) { row in
      row.isOutOfBusiness ? "\(sign) \(row.name ?? "")" : row.name
    }
    if !isGrouped { add(.kind, "Kind") { $0.kind?.rawValue } }
    add(.distance, "Distance", alignment: .right) { $0.distance?.label }
    add(.bearing, "") { row in
      row.bearing.flatMap(CompassPoint.init(bearing:)).map {
        style == .ascii ? $0.letters : $0.arrow
      }
    }
    for (place, header) in detailHeaders.enumerated() {
      add(.detail(place), header) { $0.details.indices.contains(place) ? $0.details[place] : nil }
    }
    return columns
  }
}

// MARK: - Distances and directions

extension Distance {
  /// The distance for display: `639 m`, `1.03 km`, `14.2 km`, `144 km`.
  ///
  /// Three digits from one kilometer up, whole meters below, always rounded to the nearest value
  /// with halves upward: 999.4 m is `999 m` and 999.5 m is `1.00 km`, never `1000 m`. The decimal
  /// separator is always a point.
  ///
  /// Negative and infinite distances are `–`.
  package var label: String {
    guard meters >= 0, meters < 1e12 else { return "–" }
    let whole = Int(meters.rounded())
    if whole < 1_000 { return "\(whole) m" }
    let hundredths = Int((meters / 10).rounded())
    if hundredths < 1_000 { return "\(fixedDecimal(Double(hundredths) / 100, decimals: 2)) km" }
    let tenths = Int((meters / 100).rounded())
    if tenths < 1_000 { return "\(fixedDecimal(Double(tenths) / 10, decimals: 1)) km" }
    return "\(Int((meters / 1_000).rounded())) km"
  }
}

/// One of eight directions.
enum CompassPoint: Int, CaseIterable, Sendable {
  case north, northEast, east, southEast, south, southWest, west, northWest

  /// The direction nearest to a bearing in degrees clockwise from north; halves are rounded clockwise.
  ///
  /// Nil for a bearing that is not finite.
  init?(bearing degrees: Double) {
    guard degrees.isFinite else { return nil }
    let eighths = Int((degrees.truncatingRemainder(dividingBy: 360) / 45 + 8.5).rounded(.down))
    self.init(rawValue: eighths % 8)
  }

  var letters: String { ["N", "NE", "E", "SE", "S", "SW", "W", "NW"][rawValue] }
  var arrow: String { ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"][rawValue] }
}
