import Geodesy

/// The Web Mercator plane as a grid of 2³² columns and 2³² rows, 9 mm wide at the equator.
///
/// Columns run from west to east and wrap around the Earth, rows from north to south.
///
/// The poles and all positions beyond ±85.0511° belong to the first and the last row, so every position has a cell.
/// Positions are integers, because sums of integers do not depend on their order.
package struct MercatorGrid: Hashable, Sendable {
  /// How many columns the first one lies west of −180°.
  package let shift: UInt32

  package static let tiles = MercatorGrid(shift: 0)
  /// The grid shifted by a third of the world: (2³² − 1) / 3.
  ///
  /// In base 2 the shift is 0.010101…, so at no zoom does a cell border fall on ±180° or 0°.
  package static let unbroken = MercatorGrid(shift: 0x5555_5555)

  /// The number of times the world is halved to reach the grid's own cells.
  package static var levels: Int { 32 }

  // MARK: From degrees

  /// The column of a longitude of −180…180; 180 counts as −180.
  ///
  /// Exact: borders are whole multiples of 45 · 2⁻²⁹ degrees. A quotient may be rounded up onto the
  /// next border; one comparison corrects that.
  @inline(__always)
  package func column(_ longitude: Double) -> UInt32 {
    var column = Int64((longitude / 360 + 0.5) * 0x1p32)
    if longitude < MercatorGrid.longitude(ofUnshifted: column) { column -= 1 }
    return UInt32(truncatingIfNeeded: column) &+ shift
  }

  /// The row of a latitude of −90…90.
  @inline(__always)
  package static func row(_ latitude: Double) -> UInt32 {
    let y = height(latitude)
    // Never NaN: the poles give ±infinity.
    return y <= 0 ? 0 : y >= 1 ? .max : UInt32(y * 0x1p32)
  }

  /// The southward height of a latitude in the plane: 0 at 85.0511°, 1/2 at the equator, 1 at −85.0511°.
  @inline(__always)
  package static func height(_ latitude: Double) -> Double {
    0.5 - areaHyperbolicTangent(sine(radians(latitude))) / (2 * .pi)
  }

  /// The same in the square of the world, 0…1: beyond ±85.0511° that of its edge.
  package static func heightInSquare(_ latitude: Double) -> Double {
    min(max(height(latitude), 0), 1)
  }

  // MARK: To degrees

  /// The longitude of the western border of an unshifted column, counted from −180°, possibly beyond 180°.
  @inline(__always)
  private static func longitude(ofUnshifted column: Int64) -> Double {
    Double(column - 1 << 31) * (360 * 0x1p-32)
  }

  /// The longitude of the western border of a column, −180 ≤ longitude < 180.
  package func west(ofColumn column: UInt32) -> Double {
    MercatorGrid.longitude(ofUnshifted: Int64(column &- shift))
  }

  /// The easternmost longitude in a column.
  package func east(ofColumn column: UInt32) -> Double {
    MercatorGrid.longitude(ofUnshifted: Int64(column &- shift) + 1).nextDown
  }

  /// The northernmost latitude in a row; 90 in the first one.
  package static func north(ofRow row: UInt32) -> Double {
    row == 0 ? 90 : border(aboveRow: row).south
  }

  /// The southernmost latitude in a row; −90 in the last one.
  package static func south(ofRow row: UInt32) -> Double {
    row == .max ? -90 : border(aboveRow: row + 1).north
  }

  /// The two neighboring `Double`s on both sides of the northern border of a row: the northernmost
  /// latitude in or south of it by `row(_:)`, and the southernmost north of it.
  ///
  /// The inverse formula is within about 10⁻¹⁴ degrees; bisection finds the exact numbers.
  private static func border(aboveRow row: UInt32) -> (south: Double, north: Double) {
    let guess = latitude(ofHeight: Double(row) * 0x1p-32)
    var margin = 1e-12
    var south = guess, north = guess
    while MercatorGrid.row(south) < row { (south, margin) = (guess - margin, margin * 1024) }
    while MercatorGrid.row(north) >= row { (north, margin) = (guess + margin, margin * 1024) }
    while true {
      let middle = south + (north - south) / 2
      guard south < middle, middle < north else { return (south, north) }
      if MercatorGrid.row(middle) >= row { south = middle } else { north = middle }
    }
  }

  /// The latitude at a height of 0…1 in the plane.
  @inline(__always)
  package static func latitude(ofHeight y: Double) -> Double {
    MercatorLatitude.table.degrees(ofHeight: y)
  }

  /// The position of a point of the grid, given in fractional columns and rows.
  package func coordinate(column: Double, row: Double) -> Coordinate {
    let longitude = ((column - Double(shift)) * 0x1p-32 - 0.5) * 360
    return Coordinate(
      unchecked: MercatorGrid.latitude(ofHeight: row * 0x1p-32),
      longitude < -180 ? longitude + 360 : longitude)
  }
}
