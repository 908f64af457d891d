/// The Hilbert curve through a square of 2³² columns and rows, in the orientation of PMTiles.
///
/// Keys are built from the top, so the first 2 · zoom bits of a key are the number of its tile at
/// that zoom. At each zoom, the contents of a tile are a contiguous run of the order, and the runs
/// follow each other as the tiles do in an archive.
///
/// Source: D. Hilbert, "Ueber die stetige Abbildung einer Line auf ein Flächenstück", Mathematische
/// Annalen 38 (1891); orientation as in PMTiles version 3.
package enum HilbertCurve {
  /// The key of a cell.
  package static func key(x: UInt32, y: UInt32) -> UInt64 {
    table.withUnsafeBufferPointer { table in
      var state = 0
      var key: UInt64 = 0
      var shift: UInt32 = 32
      while shift > 0 {
        shift -= 4
        let cell = Int(x >> shift & 15) << 4 | Int(y >> shift & 15)
        let step = table[state << 8 | cell]
        key = key << 8 | UInt64(step & 255)
        state = Int(step >> 8)
      }
      return key
    }
  }

  /// The number of a tile along the curve of its zoom.
  package static func number(zoom: Int, x: Int, y: Int) -> UInt64 {
    guard zoom > 0 else { return 0 }
    let shift = UInt32(32 - zoom)
    return key(x: UInt32(x) << shift, y: UInt32(y) << shift) >> UInt64(64 - 2 * zoom)
  }

  /// For each state of the curve and each cell of 16 × 16: the number of the cell, and in the
  /// higher bits the state inside it.
  ///
  /// The state says whether columns and rows are swapped, and whether both run backward.
  private static let table: [UInt16] = (0..<4).flatMap { state in
    (0..<256).map { cell in
      var isSwapped = state & 1 == 1, isReversed = state & 2 == 2
      var number: UInt16 = 0
      for bit in stride(from: 3, through: 0, by: -1) {
        let column = cell >> (4 + bit) & 1, row = cell >> bit & 1
        var (u, v) = isSwapped ? (row, column) : (column, row)
        if isReversed { (u, v) = (1 - u, 1 - v) }
        number = number << 2 | UInt16(3 * u ^ v)
        guard v == 0 else { continue }
        // The first and the last quarter are rotated; the last one also runs backward.
        if u == 1 { isReversed.toggle() }
        isSwapped.toggle()
      }
      return number | UInt16((isSwapped ? 1 : 0) | (isReversed ? 2 : 0)) << 8
    }
  }
}
