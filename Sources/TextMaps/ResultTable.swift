import Geodesy
import MapAnnotations

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
