import Geodesy

/// A geohash of any number of bits, as an integer for a database column or a sorted set.
///
/// The first bit is the longitude's, then latitude and longitude alternate; each bit halves the
/// cell. `Geohash` is the same in groups of five bits, written as text.
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
}

extension BinaryGeohash {
  /// The center of the cell.
  public var middle: Coordinate {
    let box = box
    return Coordinate(unchecked: (box.south + box.north) / 2, (box.west + box.east) / 2)
  }

  /// The 52-bit geohash, the longest that a `Double` and JavaScript's numbers hold exactly.
  ///
  /// Cells are 60 × 30 cm or less. This is the plain geohash over −90…90; for the scores of Redis see
  /// `sortedSetScore(of:)`.
  public static func integer52(of position: Coordinate) -> UInt64 {
    BinaryGeohash(position, bitCount: 52).bits
  }

  /// The cell of a 52-bit integer.
  ///
  /// - Throws: `GeohashError.integerOutOfRange` for integers from 2⁵² up.
  public init(integer52: UInt64) throws(GeohashError) {
    try self.init(bits: integer52, bitCount: 52)
  }
}
