import Geodesy
import MapAnnotations

/// A list of results in columns that line up on a terminal, whatever script the names are in.
///
///     let table = ResultTable(
///       rows: [.init(number: 1, name: "씨네큐브", kind: .cinema, distance: .meters(639))],
///       width: 80)
///     print(table.render())
///
/// Every result takes one line. What does not fit is cut with `…`, and columns give way before
/// lines break: further details from the last to the first, then the kind, then the direction.
/// From some 22 columns up the number, the name and the distance stay; below, the name alone.
public struct ResultTable: Sendable {
  /// Rows with what stands above them.
  public struct Group: Sendable {
    /// The heading; nil for none.
    public var title: String?
    /// The results, in the order in which they are shown.
    public var rows: [Row]

    /// Describes some rows under one heading.
    public init(title: String? = nil, rows: [Row]) {
      self.title = title
      self.rows = rows
    }
  }

  /// One result.
  public struct Row: Sendable {
    /// Its number, the same as on the map; nil for none.
    public var number: Int?
    /// What people call it; nil when unknown.
    public var name: String?
    /// What sort of thing it is.
    public var kind: AnnotationKind?
    /// How far away it is.
    public var distance: Distance?
    /// Where it lies, in degrees clockwise from north; nil when it has no direction.
    public var bearing: Double?
    /// What stands in the columns of ``ResultTable/detailHeaders``; missing ones stay empty.
    public var details: [String]
    /// Whether it has closed down or is suspended: its name then stands behind the sign that its pin has on
    /// the map.
    public var isOutOfBusiness: Bool

    /// Describes one result.
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

  /// The results, in one group or several; columns line up through all of them.
  public var groups: [Group]
  /// The headers of the columns behind the common ones: an address, opening hours.
  public var detailHeaders: [String]
  /// Columns of the terminal; fewer than 1 count as 1.
  public var width: Int
  /// Directions are arrows, or letters in the ASCII style; names stay as they are in both.
  public var style: TextMap.Style
  /// Whether escape sequences color it; the text is the same either way.
  public var color: TerminalColor

  /// Describes a table; ``render()`` lays it out.
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

  /// Describes a table of one group without a heading.
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
  /// The table as text: a line of headers, then a line for each result; a heading above each
  /// group, and an empty line between groups.
  ///
  /// The same rows and width give the same bytes everywhere, in a pipe as on a terminal. Text of
  /// the world is cleaned of control characters (``TerminalText/sanitized(_:)``). Columns without
  /// any content are left out, and so is the kind within groups that have headings.
  ///
  /// - Returns: Lines of at most `width` columns without blanks at their ends and without a line
  ///   break after the last; an empty text when there are no rows.
  /// - Complexity: O(*n*) in the length of the text of all rows.
  public func render() -> String {
    let rows = groups.flatMap(\.rows)
    guard !rows.isEmpty else { return "" }
    let palette = KindPalette(rows.lazy.map(\.kind))
    let columns = TableLayout.fitting(self.columns(for: rows), width: max(1, width))
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
    return text.finished()
  }

  /// Every column that has something to say.
  private func columns(for rows: [Row]) -> [TableColumn] {
    let isGrouped = groups.contains { $0.title != nil }
    var columns: [TableColumn] = []
    func add(
      _ role: TableColumn.Role, _ header: String, alignment: TerminalText.Alignment = .left,
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
    add(.name, "Name") { row in
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
