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
