/// The text of a map: a frame, and one character with its ink for each cell.
struct MapCanvas {
  /// The columns and rows inside the frame.
  let columns: Int
  let rows: Int
  let style: TextMap.Style
  private var cells: [(character: Unicode.Scalar, ink: Ink)]
  /// Text that may contain wide characters, by the index of its first cell.
  private var words: [Int: (text: String, columns: Int, ink: Ink)] = [:]
  /// The number of columns including the frame.
  private var width: Int { columns + 2 }

  /// Makes an empty map in its frame.
  init(columns: Int, rows: Int, style: TextMap.Style) {
    self.columns = columns
    self.rows = rows
    self.style = style
    cells = Array(repeating: (" ", .plain), count: (columns + 2) * (rows + 2))
    // The corners: top left, top right, bottom left, bottom right.
    let (horizontal, vertical, corners): (Unicode.Scalar, Unicode.Scalar, [Unicode.Scalar]) =
      style == .ascii ? ("-", "|", ["+", "+", "+", "+"]) : ("─", "│", ["┌", "┐", "└", "┘"])
    for column in 0..<columns {
      self[column, -1] = (horizontal, .faint)
      self[column, rows] = (horizontal, .faint)
    }
    for row in 0..<rows {
      self[-1, row] = (vertical, .faint)
      self[columns, row] = (vertical, .faint)
    }
    self[-1, -1] = (corners[0], .faint)
    self[columns, -1] = (corners[1], .faint)
    self[-1, rows] = (corners[2], .faint)
    self[columns, rows] = (corners[3], .faint)
  }

  /// The cell at a column and row, counted from 0 inside the frame; the frame is at −1 and at
  /// `columns` and `rows`.
  subscript(column: Int, row: Int) -> (character: Unicode.Scalar, ink: Ink) {
    get { cells[(row + 1) * width + column + 1] }
    set { cells[(row + 1) * width + column + 1] = newValue }
  }

  /// Whether cells of a row contain nothing but lines.
  func isBackground(row: Int, columns range: Range<Int>) -> Bool {
    range.allSatisfy { self[$0, row].ink == .faint || self[$0, row].character == " " }
  }

  /// Writes narrow characters over the existing ones; those beyond the frame are ignored.
  mutating func write(_ text: String, _ ink: Ink, column: Int, row: Int) {
    for (offset, character) in text.unicodeScalars.enumerated()
    where (-1...columns).contains(column + offset) {
      self[column + offset, row] = (character, ink)
    }
  }

  /// Writes a pin's label, and keeps lines from touching it: `10+` would be read as one text.
  mutating func write(_ label: PinLabel) {
    for column in [label.column - 1, label.end]
    where (0..<columns).contains(column) && self[column, label.row].ink == .faint {
      self[column, label.row] = (" ", .plain)
    }
    write(label.text, label.ink, column: label.column, row: label.row)
  }

  /// Writes words to the right of a label, or otherwise to its left.
  ///
  /// They cover only background, with a space at each side, and are omitted if there is too little
  /// room.
  mutating func write(_ text: String, _ ink: Ink, beside label: PinLabel) {
    let width = DisplayWidth.columns(of: text)
    guard width > 0 else { return }
    for column in [label.end + 1, label.column - 1 - width] {
      let range = column - 1..<column + width + 1
      guard range.lowerBound >= 0, range.upperBound <= columns,
        isBackground(row: label.row, columns: range)
      else { continue }
      for covered in range { self[covered, label.row] = (" ", .plain) }
      // Mark the cells as taken for later words.
      for covered in column..<column + width { self[covered, label.row] = ("?", ink) }
      words[(label.row + 1) * self.width + column + 1] = (text, width, ink)
      return
    }
  }

  /// Draws lines, with the style's nearest character for each cell's dots.
  mutating func draw(_ dots: DotCanvas, _ ink: Ink = .faint) { draw(dots) { _ in ink } }

  /// Draws lines with an ink for each cell, by its number row by row.
  mutating func draw(_ dots: DotCanvas, inkOf: (Int) -> Ink) {
    for row in 0..<min(rows, dots.rows) {
      for column in 0..<min(columns, dots.columns) {
        let cell = dots.cells[row * dots.columns + column]
        guard cell != 0 else { continue }
        let ink = inkOf(row * dots.columns + column)
        self[column, row] = (character(for: cell, ink), ink)
      }
    }
  }

  private func character(for dots: UInt8, _ ink: Ink) -> Unicode.Scalar {
    switch style {
    case .braille: return Unicode.Scalar(0x2800 + UInt16(dots)) ?? " "
    case .block: return ink == .faint ? "░" : "▓"
    case .ascii where ink != .faint: return "*"
    case .ascii:
      // The upper two and the lower two of the cell's four rows of dots.
      switch (dots & 0x1B != 0, dots & 0xE4 != 0) {
      case (true, false): return "'"
      case (false, true): return "."
      default: return ":"
      }
    }
  }

  /// Appends the map's lines to a text.
  func append(to text: inout InkedText) {
    for start in stride(from: 0, to: cells.count, by: width) {
      var index = start
      while index < start + width {
        if let words = words[index] {
          text.append(words.text, words.ink)
          index += words.columns
        } else {
          text.append(cells[index].character, cells[index].ink)
          index += 1
        }
      }
      text.endLine()
    }
  }
}
