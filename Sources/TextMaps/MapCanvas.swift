/// The text of a map in the making: a frame, and one character with its ink to a cell.
struct MapCanvas {
  /// Columns and rows within the frame.
  let columns: Int
  let rows: Int
  let style: TextMap.Style
  private var cells: [(character: Unicode.Scalar, ink: Ink)]
  /// All columns, the frame's two among them.
  private var width: Int { columns + 2 }

  /// An empty map in its frame.
  init(columns: Int, rows: Int, style: TextMap.Style) {
    self.columns = columns
    self.rows = rows
    self.style = style
    cells = Array(repeating: (" ", .plain), count: (columns + 2) * (rows + 2))
    let frame = Frame(style: style)
    for column in -1...columns {
      self[column, -1] = (frame.horizontal, .faint)
      self[column, rows] = (frame.horizontal, .faint)
    }
    for row in 0..<rows {
      self[-1, row] = (frame.vertical, .faint)
      self[columns, row] = (frame.vertical, .faint)
    }
    self[-1, -1] = (frame.corners[0], .faint)
    self[columns, -1] = (frame.corners[1], .faint)
    self[-1, rows] = (frame.corners[2], .faint)
    self[columns, rows] = (frame.corners[3], .faint)
  }

  private struct Frame {
    let horizontal, vertical: Unicode.Scalar
    /// Top left, top right, bottom left, bottom right.
    let corners: [Unicode.Scalar]

    init(style: TextMap.Style) {
      switch style {
      case .ascii: (horizontal, vertical, corners) = ("-", "|", ["+", "+", "+", "+"])
      case .block, .braille: (horizontal, vertical, corners) = ("─", "│", ["┌", "┐", "└", "┘"])
      }
    }
  }

  /// The cell of a column and a row, which count from 0 within the frame: the frame is at −1 and
  /// at `columns` and `rows`.
  subscript(column: Int, row: Int) -> (character: Unicode.Scalar, ink: Ink) {
    get { cells[(row + 1) * width + column + 1] }
    set { cells[(row + 1) * width + column + 1] = newValue }
  }

  /// Whether a stretch of a row is free of everything but lines.
  func isBackground(row: Int, columns range: Range<Int>) -> Bool {
    range.allSatisfy { self[$0, row].ink == .faint || self[$0, row].character == " " }
  }

  /// Writes narrow characters over what is there; what is beyond the frame is left out.
  mutating func write(_ text: String, _ ink: Ink, column: Int, row: Int) {
    for (offset, character) in text.unicodeScalars.enumerated()
    where (-1...columns).contains(column + offset) {
      self[column + offset, row] = (character, ink)
    }
  }

  /// Draws lines, each cell's dots as the style's nearest character.
  mutating func draw(_ dots: DotCanvas) {
    for row in 0..<min(rows, dots.rows) {
      for column in 0..<min(columns, dots.columns) {
        let cell = dots.cells[row * dots.columns + column]
        if cell != 0 { self[column, row] = (character(for: cell), .faint) }
      }
    }
  }

  private func character(for dots: UInt8) -> Unicode.Scalar {
    switch style {
    case .braille: return Unicode.Scalar(0x2800 + UInt16(dots)) ?? " "
    case .block: return "░"
    case .ascii:
      // The upper and the lower two of the cell's four rows of dots.
      switch (dots & 0x1B != 0, dots & 0xE4 != 0) {
      case (true, false): return "'"
      case (false, true): return "."
      default: return ":"
      }
    }
  }

  /// Adds the map's lines to a text.
  func append(to text: inout InkedText) {
    for start in stride(from: 0, to: cells.count, by: width) {
      for cell in cells[start..<start + width] { text.append(cell.character, cell.ink) }
      text.endLine()
    }
  }
}
