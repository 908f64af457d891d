extension BinaryGeohash {
  /// The neighbor of the same size in a direction.
  ///
  /// Columns wrap around the Earth: the eastern neighbor of the last column is the first. There is
  /// nothing beyond a pole, where every cell of the last row is a neighbor of every other.
  ///
  /// - Returns: `nil` beyond a pole.
  public func neighbor(_ direction: CompassDirection) -> BinaryGeohash? {
    let row = Int(row) + direction.rows
    guard row >= 0, row < 1 << BinaryGeohash.rowBits(bitCount) else { return nil }
    let lastColumn = UInt32.max >> UInt32(32 - BinaryGeohash.columnBits(bitCount))
    let column = (column &+ UInt32(bitPattern: Int32(direction.columns))) & lastColumn
    return BinaryGeohash(row: UInt32(row), column: column, bitCount: bitCount)
  }
}

extension Geohash {
  /// The neighbor of the same precision in a direction.
  ///
  /// Columns wrap around the Earth: `8` lies east of `x`, across ±180°. There is nothing beyond a
  /// pole, where every cell of the last row is a neighbor of every other.
  ///
  /// - Returns: `nil` beyond a pole.
  public func neighbor(_ direction: CompassDirection) -> Geohash? {
    binary.neighbor(direction).map(Geohash.init(unchecked:))
  }

  /// The cells around this one, clockwise from north: eight, or five at a pole.
  public var neighbors: [Geohash] { CompassDirection.allCases.compactMap(neighbor) }
}
