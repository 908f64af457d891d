import Geodesy
import MapProjections

/// A position on the Web Mercator plane, in units of the world: 0 ≤ x, y < 1 from the northwest corner.
///
/// A `Double` has 53 bits, and tiles of the last zoom need 36. Scaling to a zoom and back by powers of two rounds
/// nothing, so a position is in exactly one tile.
struct PlanePlace: Hashable, Sendable {
  let x: Double, y: Double

  /// Positions beyond ±85.0511° are moved to the edge.
  init(_ position: Coordinate) {
    let column = MercatorGrid.tiles.column(position.longitude)
    let x = position.longitude / 360 + 0.5
    // Just west of a border, also of ±180°, the quotient may be rounded onto the border.
    self.x =
      (x * 0x1p32).rounded(.down) == Double(column)
      ? x : ((Double(column) + 1) * 0x1p-32).nextDown
    y = min(max(MercatorGrid.height(position.latitude), 0), (1.0).nextDown)
  }

  /// A position in the 2³² columns and rows of the grid, with fractions.
  init(column: Double, row: Double) {
    x = min(max(column * 0x1p-32, 0), (1.0).nextDown)
    y = min(max(row * 0x1p-32, 0), (1.0).nextDown)
  }

  /// Whether a position lies outside the square that tiles cover.
  static func isBeyondEdge(_ position: Coordinate) -> Bool {
    let y = MercatorGrid.height(position.latitude)
    return y < 0 || y >= 1
  }

  /// The key on the Hilbert curve of the finest grid.
  var hilbertKey: UInt64 { HilbertCurve.key(x: UInt32(x * 0x1p32), y: UInt32(y * 0x1p32)) }
}
