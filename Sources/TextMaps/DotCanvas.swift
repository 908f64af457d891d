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
