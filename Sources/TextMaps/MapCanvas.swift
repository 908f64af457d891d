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

// MARK: - Dots

/// A raster of dots, two columns and four rows in a text cell, so that dots are square.
struct DotCanvas {
  /// The number of cells from left to right.
  let columns: Int
  /// The number of cells from top to bottom.
  let rows: Int
  /// The dots of each cell, row by row, as the bits of Unicode's braille patterns.
  private(set) var cells: [UInt8]

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = [UInt8](repeating: 0, count: columns * rows)
  }

  /// The bit of each dot in its cell, by row then column.
  private static let bits: [UInt8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

  /// Sets a dot, counted from the top left; dots outside the canvas are ignored.
  mutating func set(_ x: Int, _ y: Int) {
    guard x >= 0, y >= 0, x < columns * 2, y < rows * 4 else { return }
    cells[(y / 4) * columns + x / 2] |= DotCanvas.bits[(y % 4) * 2 + x % 2]
  }

  /// How a line is drawn.
  enum Pen {
    /// Every dot of the line.
    case solid
    /// The dots whose raster coordinate is a multiple of a spacing, so that the dots of neighboring
    /// lines and of pieces of one line are aligned.
    case dotted(every: Int)
  }

  /// Draws the part of a line inside the canvas.
  ///
  /// The ends are in dots from the top left corner, where the dot (0, 0) spans 0 ≤ x, y < 1. They
  /// may lie anywhere at finite coordinates; the cost is that of the dots drawn.
  mutating func line(from start: DotPoint, to end: DotPoint, pen: Pen) {
    guard let (start, end) = clipped(start, end) else { return }
    let steps = max(abs(end.x - start.x), abs(end.y - start.y)).rounded(.up)
    let length = max(1, steps)
    let stepX = (end.x - start.x) / length, stepY = (end.y - start.y) / length
    let isFlat = abs(stepX) >= abs(stepY)
    for step in 0...Int(length) {
      let x = Int((start.x + stepX * Double(step)).rounded(.down))
      let y = Int((start.y + stepY * Double(step)).rounded(.down))
      if case .dotted(let spacing) = pen, ((isFlat ? x : y) + 2) % spacing != 0 { continue }
      set(x, y)
    }
  }

  /// The part of a line inside the canvas; nil if there is none.
  ///
  /// Source: Y.-D. Liang and B. A. Barsky, "A New Concept and Method for Line Clipping", ACM TOG
  /// 3(1), 1984.
  private func clipped(_ start: DotPoint, _ end: DotPoint) -> (DotPoint, DotPoint)? {
    let dx = end.x - start.x, dy = end.y - start.y
    // The fraction of the line, from 0 to 1, that lies inside the edges tested so far.
    var enters = 0.0, leaves = 1.0
    let edges = [
      (-dx, start.x), (dx, Double(columns * 2) - start.x),
      (-dy, start.y), (dy, Double(rows * 4) - start.y),
    ]
    for (outward, room) in edges {
      if outward == 0 {
        if room < 0 { return nil }
      } else if outward < 0 {
        enters = max(enters, room / outward)
      } else {
        leaves = min(leaves, room / outward)
      }
    }
    guard enters <= leaves else { return nil }
    return (
      DotPoint(x: start.x + dx * enters, y: start.y + dy * enters),
      DotPoint(x: start.x + dx * leaves, y: start.y + dy * leaves)
    )
  }
}

/// A point of a ``DotCanvas``: dots from the top left corner, y downward.
struct DotPoint: Hashable, Sendable {
  var x: Double
  var y: Double
}

// MARK: - Pins

/// The label of one annotation, or of several that share a cell.
struct PinLabel: Hashable, Sendable {
  /// A text with one column for each scalar.
  var text: String
  var ink: Ink
  /// The column of its first character.
  var column: Int
  var row: Int
  /// The number of annotations.
  var count: Int
  /// Words to write beside the label; nil for none, and for a count.
  var words: String?

  /// The column after its last character.
  var end: Int { column + text.unicodeScalars.count }
}

/// Places pins so that every number can be read.
struct PinLabels {
  /// The data of one annotation that its label needs.
  struct Pin {
    var text: String
    /// Whether a space is needed between it and another number.
    var isNumber: Bool
    var ink: Ink
    /// Words to write beside it, if it stands alone.
    var words: String?
  }

  /// The pins of one cell, or of cells whose labels did not fit side by side.
  private struct Group {
    var column: Int
    var row: Int
    var pins: [Pin]

    var isNumber: Bool { pins.count > 1 || pins[0].isNumber }
    var text: String { pins.count > 1 ? "(\(pins.count))" : pins[0].text }
    var ink: Ink { pins.allSatisfy { $0.ink == pins[0].ink } ? pins[0].ink : .strong }
  }

  /// The maximum distance of a label from its cell, in columns.
  private static let farthestMove = 2

  private let columns: Int
  private let origin: (column: Int, row: Int)?
  private var groups: [Int: Group] = [:]

  /// - Parameters:
  ///   - columns: The columns of the map.
  ///   - origin: A cell to leave free.
  init(columns: Int, origin: (column: Int, row: Int)?) {
    self.columns = columns
    self.origin = origin
  }

  mutating func add(_ pin: Pin, column: Int, row: Int) {
    groups[row * columns + column, default: Group(column: column, row: row, pins: [])]
      .pins.append(pin)
  }

  /// The labels, row by row and from left to right.
  ///
  /// A label takes one row, so rows are handled one by one, from the left. Two labels that do not
  /// fit side by side become one count, which may in turn touch the one before it.
  ///
  /// - Complexity: O(*n* log *n*) in the number of cells with pins.
  func placed() -> [PinLabel] {
    var settled: [(group: Group, label: PinLabel)] = []
    for var group in groups.values.sorted(by: { ($0.row, $0.column) < ($1.row, $1.column) }) {
      while let last = settled.last, last.label.row == group.row {
        let gap = last.group.isNumber && group.isNumber ? 1 : 0
        if let column = column(for: group, from: last.label.end + gap) {
          settled.append((group, label(for: group, at: column)))
          break
        }
        settled.removeLast()
        group = Group(
          column: last.group.column, row: group.row, pins: last.group.pins + group.pins)
      }
      if settled.last?.label.row != group.row {
        // The first label of its row always has a place, even on the origin if needed.
        let column = column(for: group, from: 0) ?? desiredColumn(for: group)
        settled.append((group, label(for: group, at: column)))
      }
    }
    return settled.map(\.label)
  }

  private func label(for group: Group, at column: Int) -> PinLabel {
    PinLabel(
      text: group.text, ink: group.ink, column: column, row: group.row, count: group.pins.count,
      words: group.pins.count == 1 ? group.pins[0].words : nil)
  }

  /// The preferred column of a label: centered on its cell.
  private func desiredColumn(for group: Group) -> Int {
    let width = group.text.unicodeScalars.count
    return min(max(group.column - (width - 1) / 2, 0), max(columns - width, 0))
  }

  /// The free column nearest to the preferred one; nil if all nearby columns are taken.
  private func column(for group: Group, from earliest: Int) -> Int? {
    let width = group.text.unicodeScalars.count
    let desired = desiredColumn(for: group)
    var candidates = [max(desired, earliest)]
    if let origin, origin.row == group.row {
      candidates.removeAll { $0 <= origin.column && origin.column < $0 + width }
      // Directly beside the origin: `@1` cannot be read as one number.
      candidates += [origin.column + 1, origin.column - width]
    }
    return
      candidates
      .filter { $0 >= earliest && $0 + width <= columns }
      .filter { abs($0 - desired) <= PinLabels.farthestMove }
      .min { abs($0 - desired) < abs($1 - desired) }
  }
}

// MARK: - Legend

/// The meaning of a map's signs, in one or two lines.
struct Legend {
  /// Words in one ink that stay on one line.
  struct Item {
    var text: String
    var ink: Ink
  }

  private var items: [Item] = []
  /// Where the kinds are among the items.
  private var kinds = 0..<0
  private let style: TextMap.Style
  private static let gap = 3

  init(style: TextMap.Style) { self.style = style }

  mutating func add(_ text: String, _ ink: Ink = .plain) {
    items.append(Item(text: text, ink: ink))
  }

  /// Adds a kind, next to the kinds before it.
  mutating func add(kind text: String, _ ink: Ink = .plain) {
    if kinds.isEmpty { kinds = items.count..<items.count }
    add(text, ink)
    kinds = kinds.lowerBound..<items.count
  }

  /// The items in at most two lines; an item too long for a line is cut.
  ///
  /// Kinds that do not fit are counted instead; only if that is not enough, the last items are omitted.
  ///
  /// - Complexity: O(width²), however many kinds there are.
  func lines(width: Int) -> [[Item]] {
    let (lines, isComplete) = filled(items, width)
    guard !isComplete else { return lines }
    // Each kind takes a column at least.
    for shown in stride(from: min(kinds.count - 1, 2 * width), through: 0, by: -1) {
      let rest = Item(text: "+\(kinds.count - shown) more", ink: .plain)
      let shorter =
        Array(items[..<(kinds.lowerBound + shown)]) + [rest] + items[kinds.upperBound...]
      let (lines, isComplete) = filled(shorter, width)
      if isComplete { return lines }
    }
    return lines
  }

  /// Two lines of the first items, and whether they are all.
  private func filled(_ items: [Item], _ width: Int) -> (lines: [[Item]], isComplete: Bool) {
    var lines: [[Item]] = []
    var used = 0
    for var item in items {
      let columns = DisplayWidth.columns(of: item.text)
      if let last = lines.indices.last, used + Legend.gap + columns <= width {
        lines[last].append(item)
        used += Legend.gap + columns
      } else if lines.count < 2 {
        item.text = TerminalText.truncated(
          item.text, to: width, mark: style == .ascii ? "~" : "…")
        lines.append([item])
        used = min(columns, width)
      } else {
        return (lines, false)
      }
    }
    return (lines, true)
  }

  /// Appends lines to a text.
  static func append(_ lines: [[Item]], to text: inout InkedText) {
    for line in lines {
      text.append(" ")
      for (place, item) in line.enumerated() {
        if place > 0 { text.append(String(repeating: " ", count: gap)) }
        text.append(item.text, item.ink)
      }
      text.endLine()
    }
  }

  /// Ascending numbers with consecutive ones joined: `1–3 5`.
  static func runs(of numbers: [Int], dash: String) -> String {
    var parts: [String] = []
    var rest = numbers[...]
    while let first = rest.popFirst() {
      var last = first
      while let next = rest.first, next <= last + 1 {
        last = next
        rest.removeFirst()
      }
      // Two numbers are not joined.
      parts.append(
        last - first > 1
          ? "\(first)\(dash)\(last)" : (first...last).map(String.init).joined(separator: " "))
    }
    return parts.joined(separator: " ")
  }
}
