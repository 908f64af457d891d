/// Keeps every second bit, the lowest included: the inverse of `spreadBits`.
@inline(__always)
func gatherBits(_ value: UInt64) -> UInt32 {
  var bits = value & 0x5555_5555_5555_5555
  bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
  bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F
  bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF
  bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF
  return UInt32(truncatingIfNeeded: bits | bits >> 16)
}

/// The grid of 2³² rows and 2³² columns under every geohash.
///
/// Its borders are integer multiples of 180° / 2³² and 360° / 2³²: 45 and 90 times a power of two,
/// so they and those of every coarser grid are exact in a `Double`.
@usableFromInline
enum FinestGrid {
  @inlinable static var rowHeight: Double { 180 * 0x1p-32 }
  @inlinable static var columnWidth: Double { 360 * 0x1p-32 }

  /// The row of a latitude, from the south; a border belongs to the row above, 90 to the last row.
  @inlinable
  static func row(_ latitude: Double) -> UInt32 { index(latitude, span: 180, step: rowHeight) }

  /// The column of a longitude, from −180 eastward; a border belongs to the column to its east,
  /// 180 to the last column.
  @inlinable
  static func column(_ longitude: Double) -> UInt32 {
    index(longitude, span: 360, step: columnWidth)
  }

  /// The step that `degrees` lies in, counted from −`span` / 2.
  @inlinable
  static func index(_ degrees: Double, span: Double, step: Double) -> UInt32 {
    // Rounding never moves a number below a border it has reached, but may lift one from just below
    // onto it. The border itself is exact, so one comparison repairs that.
    var index = Int64((degrees / span + 0.5) * 0x1p32)
    if degrees < Double(index - 1 << 31) * step { index -= 1 }
    return UInt32(clamping: index)
  }

  /// The latitude of the southern border of a row; of row 2³² it is 90.
  @inline(__always)
  static func south(ofRow row: UInt64) -> Double { Double(Int64(row) - 1 << 31) * rowHeight }

  /// The longitude of the western border of a column; of column 2³² it is 180.
  @inline(__always)
  static func west(ofColumn column: UInt64) -> Double {
    Double(Int64(column) - 1 << 31) * columnWidth
  }
}
