import Geodesy

extension Geohash {
  /// The cell one character shorter that contains this one; `nil` for a cell of one character.
  public var parent: Geohash? { precision > 1 ? ancestor(precision: precision - 1) : nil }

  /// The 32 cells one character longer, in the order of their names; empty at 12 characters.
  public var children: [Geohash] {
    guard precision < Geohash.longestPrecision else { return [] }
    return (0..<32).map { digit in
      Geohash(
        unchecked: BinaryGeohash(
          unchecked: binary.bits << UInt64(Geohash.bitsPerCharacter) | digit,
          bitCount: binary.bitCount + Geohash.bitsPerCharacter))
    }
  }

  /// The cell of fewer characters that contains this one.
  ///
  /// - Precondition: `precision` is between 1 and this cell's.
  public func ancestor(precision: Int) -> Geohash {
    precondition(
      (1...self.precision).contains(precision),
      "ancestor of precision \(precision) of a cell of \(self.precision)")
    let bitCount = precision * Geohash.bitsPerCharacter
    return Geohash(
      unchecked: BinaryGeohash(
        unchecked: binary.bits >> UInt64(binary.bitCount - bitCount), bitCount: bitCount))
  }

  /// Whether `other` is this cell or lies inside it: whether its name begins with this one's.
  public func contains(_ other: Geohash) -> Bool {
    other.precision >= precision && other.ancestor(precision: precision) == self
  }

  /// Whether this is the cell of a position; each position has one cell at each precision.
  ///
  /// `box.contains` also includes positions on the northern and eastern borders.
  public func contains(_ position: Coordinate) -> Bool {
    Geohash(position, precision: precision) == self
  }
}
