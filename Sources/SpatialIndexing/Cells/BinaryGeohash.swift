import Geodesy

/// A geohash of any number of bits, as an integer for a database column or a sorted set.
///
/// The first bit is the longitude's, then latitude and longitude alternate; each bit halves the
/// cell. `Geohash` is the same in groups of five bits, written as text.
///
/// 52 bits are the most that a `Double` and JavaScript's numbers hold exactly; their cells are 60 × 30 cm or less.
///
///     let cell = BinaryGeohash(cityHall, bitCount: 52)
///     cell.bits       // 4074323245314951
///     cell.box.north  // within 2.7 millionths of a degree
public struct BinaryGeohash: Hashable, Sendable {
  /// The bits, with the last one lowest; less than 2 to the power of `bitCount`.
  public let bits: UInt64
  /// The number of bits, 1…64.
  public let bitCount: Int

  /// The cell that contains a position.
  ///
  /// A position on a border lies in the cell to its north or east; a pole lies in the northernmost
  /// or southernmost row. A `Coordinate` writes the antimeridian as −180, the border of the first
  /// column.
  ///
  /// - Precondition: `bitCount` is 1…64.
  /// - Complexity: O(1), a few nanoseconds; no allocation. Exact: no rounding moves a position
  ///   across a border.
  @inlinable
  public init(_ position: Coordinate, bitCount: Int) {
    precondition((1...64).contains(bitCount), "a geohash of \(bitCount) bits; use 1…64")
    self.init(latitude: position.latitude, longitude: position.longitude, bitCount: bitCount)
  }

  /// The cell with these bits.
  ///
  /// - Throws: `GeohashError.integerOutOfRange` when `bitCount` is not 1…64 or `bits` needs more.
  public init(bits: UInt64, bitCount: Int) throws(GeohashError) {
    guard (1...64).contains(bitCount), bitCount == 64 || bits >> UInt64(bitCount) == 0 else {
      throw .integerOutOfRange(bits, bitCount: bitCount)
    }
    self.init(unchecked: bits, bitCount: bitCount)
  }

  /// Makes a cell from bits already known to fit.
  @inlinable
  init(unchecked bits: UInt64, bitCount: Int) {
    self.bits = bits
    self.bitCount = bitCount
  }

  /// Makes a cell from degrees already known to be legal; a longitude of 180 lies in the last
  /// column.
  @inlinable
  init(latitude: Double, longitude: Double, bitCount: Int) {
    let all =
      spreadBits(FinestGrid.column(longitude)) << 1 | spreadBits(FinestGrid.row(latitude))
    self.init(unchecked: all >> UInt64(64 - bitCount), bitCount: bitCount)
  }

  /// The cell at a row and a column of the grid of this many bits; both must be in range.
  init(row: UInt32, column: UInt32, bitCount: Int) {
    let all =
      spreadBits(column << UInt32(32 - BinaryGeohash.columnBits(bitCount))) << 1
      | spreadBits(row << UInt32(32 - BinaryGeohash.rowBits(bitCount)))
    self.init(unchecked: all >> UInt64(64 - bitCount), bitCount: bitCount)
  }

  /// The number of latitude bits; there are 2 to this power rows.
  static func rowBits(_ bitCount: Int) -> Int { bitCount / 2 }
  /// The number of longitude bits; there are 2 to this power columns.
  static func columnBits(_ bitCount: Int) -> Int { (bitCount + 1) / 2 }

  /// The bits shifted left to fill 64: the southwesternmost of the finest cells inside this one.
  var leftAligned: UInt64 { bits << UInt64(64 - bitCount) }

  /// The row, counted from the South Pole.
  var row: UInt32 {
    gatherBits(leftAligned) >> UInt32(32 - BinaryGeohash.rowBits(bitCount))
  }

  /// The column, counted from −180 eastward.
  var column: UInt32 {
    gatherBits(leftAligned >> 1) >> UInt32(32 - BinaryGeohash.columnBits(bitCount))
  }

  /// The bounding box of the cell, with exact borders.
  ///
  /// The cell owns its southern and western borders; the others belong to its neighbors, except at
  /// 90° and 180°.
  public var box: BoundingBox {
    let rowShift = UInt64(32 - BinaryGeohash.rowBits(bitCount))
    let columnShift = UInt64(32 - BinaryGeohash.columnBits(bitCount))
    let row = UInt64(row), column = UInt64(column)
    return BoundingBox(
      unchecked: FinestGrid.south(ofRow: row << rowShift),
      FinestGrid.west(ofColumn: column << columnShift),
      FinestGrid.south(ofRow: (row + 1) << rowShift),
      FinestGrid.west(ofColumn: (column + 1) << columnShift))
  }

  /// The center of the cell.
  public var middle: Coordinate {
    let box = box
    return Coordinate(unchecked: (box.south + box.north) / 2, (box.west + box.east) / 2)
  }

  /// The cell of no bits, where walks from the whole Earth down begin.
  static let earth = BinaryGeohash(unchecked: 0, bitCount: 0)

  /// The two halves by the next bit.
  var halves: (lower: BinaryGeohash, upper: BinaryGeohash) {
    (
      BinaryGeohash(unchecked: bits << 1, bitCount: bitCount + 1),
      BinaryGeohash(unchecked: bits << 1 | 1, bitCount: bitCount + 1)
    )
  }
}

extension BinaryGeohash {
  /// The 52-bit score that Redis and Valkey keep for a position in a sorted set.
  ///
  /// It interleaves bits as a geohash does, but divides only the latitudes from −85.05112878 to
  /// 85.05112878, the square of Web Mercator. So it is not a geohash and must not be read as one,
  /// which would give another position.
  ///
  /// - Returns: The score, or `nil` for a latitude outside that range, which these servers reject.
  ///
  /// Source: valkey's `geohash.c`, for the ranges and for the order of the operations; its
  /// arithmetic rounds, and so does this one.
  public static func sortedSetScore(of position: Coordinate) -> UInt64? {
    let limit = 85.05112878
    guard abs(position.latitude) <= limit else { return nil }
    let steps = 0x1p26
    let row = (position.latitude + limit) / (limit + limit) * steps
    let column = (position.longitude + 180) / 360 * steps
    return spreadBits(UInt32(column)) << 1 | spreadBits(UInt32(row))
  }

  /// The position that Redis and Valkey return for a score: the center of its cell.
  ///
  /// - Throws: `GeohashError.integerOutOfRange` for scores from 2⁵² up.
  ///
  /// Source: valkey's `geohash.c`, for the ranges.
  public static func position(ofSortedSetScore score: UInt64) throws(GeohashError) -> Coordinate {
    guard score >> 52 == 0 else { throw .integerOutOfRange(score, bitCount: 52) }
    let limit = 85.05112878
    let row = Double(gatherBits(score)) + 0.5, column = Double(gatherBits(score >> 1)) + 0.5
    return Coordinate(
      unchecked: row / 0x1p26 * (limit + limit) - limit, column / 0x1p26 * 360 - 180)
  }
}

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
