import Geodesy
import MapProjections

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
