import Geodesy
import MapProjections

/// Adjacent cells of one level, possibly round the Earth.
struct CellBlock: Hashable, Sendable {
  /// The number of times the world is halved to get these cells.
  let level: Int
  /// The first column.
  let west: UInt64
  /// The number of columns, at most all.
  let width: UInt64
  let rows: ClosedRange<UInt64>

  /// The columns as ranges that do not wrap round the Earth, ascending.
  var columnRanges: (first: ClosedRange<UInt64>, second: ClosedRange<UInt64>?) {
    let world = 1 << UInt64(level) as UInt64
    guard west + width > world else { return (west...(west + width - 1), nil) }
    return (0...(west + width - 1 - world), west...(world - 1))
  }

  /// The number of cells, modulo 2⁶⁴.
  var count: UInt64 {
    width.multipliedReportingOverflow(by: UInt64(rows.count)).partialValue
  }

  /// Whether a position is in one of these cells.
  ///
  /// - Parameter code: The position's cell in the finest grid.
  func hold(_ code: UInt64) -> Bool {
    let place = gridPlace(code >> UInt64(64 - 2 * level))
    return rows.contains(place.y) && (place.x &- west) & (1 << UInt64(level) - 1) < width
  }

  /// Makes a block from a box, widened to whole cells.
  init(covering box: BoundingBox, level: Int, grid: MercatorGrid) {
    let shift = UInt64(MercatorGrid.levels - level)
    let world = 1 << UInt64(level) as UInt64
    let first = UInt64(grid.column(box.west)) >> shift
    let last = UInt64(grid.column(box.east)) >> shift
    let width = (last &- first) & (world - 1) + 1
    self.level = level
    // A box of more than half the world cannot be in one column, unless it has come back to its first one.
    if width == world || (width == 1 && box.width > 180) {
      west = 0
      self.width = world
    } else {
      west = first
      self.width = width
    }
    rows =
      UInt64(MercatorGrid.row(box.north)) >> shift...UInt64(MercatorGrid.row(box.south)) >> shift
  }

  /// The four cells of the next level inside one cell.
  init(quartersOf cell: UInt64, level: Int) {
    self.level = level + 1
    let place = 2 &* gridPlace(cell)
    west = place.x
    width = 2
    rows = place.y...place.y + 1
  }

  /// The box of all positions in these cells: its edges are the last positions inside.
  func box(in grid: MercatorGrid) -> BoundingBox {
    let shift = UInt64(MercatorGrid.levels - level)
    func first(_ cell: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: cell << shift) }
    func last(_ cell: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: (cell + 1) << shift &- 1) }
    let south = MercatorGrid.south(ofRow: last(rows.upperBound))
    let north = MercatorGrid.north(ofRow: first(rows.lowerBound))
    if width == 1 << UInt64(level) { return BoundingBox(unchecked: south, -180, north, 180) }
    return BoundingBox(
      unchecked: south, grid.west(ofColumn: first(west)), north,
      grid.east(ofColumn: last(west + width - 1)))
  }
}

extension MercatorGrid {
  /// The finest cell that contains a position.
  @inline(__always)
  func code(_ position: Coordinate) -> UInt64 {
    interleaved(x: column(position.longitude), y: MercatorGrid.row(position.latitude))
  }
}

/// The number of a cell, with the bits of its column and row interleaved.
///
/// Cells of a coarser level are contiguous runs of such numbers; clusters are stored in this order.
@inline(__always)
package func interleaved(x: UInt32, y: UInt32) -> UInt64 { spreadBits(x) | spreadBits(y) << 1 }

/// The column and the row of a cell.
@inline(__always)
func gridPlace(_ code: UInt64) -> SIMD2<UInt64> {
  var bits = SIMD2(code, code >> 1) & 0x5555_5555_5555_5555
  bits = (bits | bits &>> 1) & 0x3333_3333_3333_3333
  bits = (bits | bits &>> 2) & 0x0F0F_0F0F_0F0F_0F0F
  bits = (bits | bits &>> 4) & 0x00FF_00FF_00FF_00FF
  bits = (bits | bits &>> 8) & 0x0000_FFFF_0000_FFFF
  return (bits | bits &>> 16) & 0x0000_0000_FFFF_FFFF
}
