import Geodesy

extension BinaryGeohash {
  /// The 52-bit score that Redis and Valkey keep for a position in a sorted set.
  ///
  /// It interleaves bits as a geohash does, but divides only the latitudes from −85.05112878 to
  /// 85.05112878, the square of Web Mercator. So it is not a geohash and must not be read as one:
  /// `BinaryGeohash(integer52:)` would give another position.
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
