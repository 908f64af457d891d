import Geodesy

/// The cells of one precision that contain the positions of a box, in name order.
///
/// Each position of the box, its edges included, lies in one of these cells, and each of these
/// cells contains some position of the box. A box that touches ±180° contains that meridian under
/// both names, so its cover has cells on both sides.
///
///     let cover = GeohashCover(of: box, precision: 6)
///     guard cover.count <= 10_000 else { … }
///     for cell in cover { … }
///
/// Cells are generated lazily, but their number is known beforehand: check `count` first, since the
/// world has 10¹⁸ cells of 12 characters.
public struct GeohashCover: Sequence, Sendable {
  /// The number of characters of each cell, 1…12.
  public let precision: Int
  /// The rows, counted from the South Pole.
  let rows: ClosedRange<UInt32>
  /// The columns from −180 eastward, in one run or in two: at the west of the map and at its east.
  let columns: (ClosedRange<UInt32>, ClosedRange<UInt32>?)

  /// - Precondition: `precision` is 1…12.
  /// - Complexity: O(1). Each cell then takes O(`precision`) at most, and O(1) on average for a box
  ///   that is not much longer than wide.
  public init(of box: BoundingBox, precision: Int) {
    let bitCount = Geohash.bitCount(ofPrecision: precision)
    let rowShift = UInt32(32 - BinaryGeohash.rowBits(bitCount))
    let columnShift = UInt32(32 - BinaryGeohash.columnBits(bitCount))
    self.precision = precision
    rows = FinestGrid.row(box.south) >> rowShift...FinestGrid.row(box.north) >> rowShift
    columns = GeohashCover.columns(
      west: FinestGrid.column(box.west) >> columnShift,
      east: FinestGrid.column(box.east) >> columnShift,
      last: UInt32.max >> columnShift,
      crossesAntimeridian: box.crossesAntimeridian,
      touchesAntimeridian: abs(box.west) == 180 || abs(box.east) == 180)
  }

  private static func columns(
    west: UInt32, east: UInt32, last: UInt32, crossesAntimeridian: Bool, touchesAntimeridian: Bool
  ) -> (ClosedRange<UInt32>, ClosedRange<UInt32>?) {
    let left: ClosedRange<UInt32>, right: ClosedRange<UInt32>
    switch (crossesAntimeridian, touchesAntimeridian) {
    case (true, _): (left, right) = (0...east, west...last)
    case (false, false): return (west...east, nil)
    // The box ends at ±180: the column beyond contains the same meridian under its other name.
    case (false, true) where west == 0: (left, right) = (0...east, last...last)
    case (false, true): (left, right) = (0...0, west...last)
    }
    let areApart = left.upperBound + 1 < right.lowerBound
    return areApart ? (left, right) : (0...last, nil)
  }

  /// The number of cells, at most 2⁶⁰.
  ///
  /// - Complexity: O(1): computed, not counted.
  public var count: Int {
    (columns.0.count + (columns.1?.count ?? 0)) * rows.count
  }

  /// Begins with the cell whose name comes first.
  public func makeIterator() -> some IteratorProtocol<Geohash> { GeohashDescent(cover: self) }

  /// Whether a block of at most this precision has cells in common with the cover.
  fileprivate func touches(_ block: BinaryGeohash) -> Bool {
    let bitCount = precision * Geohash.bitsPerCharacter
    let rowShift = BinaryGeohash.rowBits(bitCount) - BinaryGeohash.rowBits(block.bitCount)
    let columnShift =
      BinaryGeohash.columnBits(bitCount) - BinaryGeohash.columnBits(block.bitCount)
    let blockRows = GeohashCover.cells(of: block.row, shift: rowShift)
    guard rows.overlaps(blockRows) else { return false }
    let blockColumns = GeohashCover.cells(of: block.column, shift: columnShift)
    return columns.0.overlaps(blockColumns) || columns.1?.overlaps(blockColumns) == true
  }

  /// The rows or columns of cells in a block that spans 2 to the power of `shift` of them.
  private static func cells(of block: UInt32, shift: Int) -> ClosedRange<UInt32> {
    let first = block << UInt32(shift)
    return first...(first | (1 << UInt32(shift) - 1))
  }
}

/// The cells of a cover, in name order.
///
/// Halves the Earth bit by bit and skips the blocks that the cover does not touch, so reaching the
/// next cell takes at most one step per bit and needs no list.
private struct GeohashDescent: IteratorProtocol {
  private let cover: GeohashCover
  /// The blocks yet to be visited, the next one last.
  private var waiting = [BinaryGeohash.earth]

  init(cover: GeohashCover) { self.cover = cover }

  mutating func next() -> Geohash? {
    while let block = waiting.popLast() {
      if block.bitCount == cover.precision * Geohash.bitsPerCharacter {
        return Geohash(unchecked: block)
      }
      let (lower, upper) = block.halves
      if cover.touches(upper) { waiting.append(upper) }
      if cover.touches(lower) { waiting.append(lower) }
    }
    return nil
  }
}
