import Geodesy

/// A cell of the Earth named by 1 to 12 characters; the longer the name, the smaller the cell.
///
/// A cell lies inside every cell whose name is a prefix of its own. The reverse does not hold:
/// places on the two sides of a border are close but may share no prefix, so look at `neighbors`
/// too, or use a cover.
///
///     let cell = Geohash(cityHall, precision: 6)
///     cell.text             // "wydm9q"
///     cell.parent?.text     // "wydm9"
///     cell.box.contains(cityHall)  // true
///
/// ±180° is one meridian with two names here. A `Coordinate` there has the longitude −180 and lies
/// in the first column; `init(latitude:longitude:precision:)` with a longitude of 180 returns the
/// last column, as other programs do. The cells are neighbors, and a cover of a box that touches
/// ±180° has both.
///
/// Source: G. Niemeyer, geohash.org, 2008; G. M. Morton, "A Computer Oriented Geodetic Data Base",
/// IBM, 1966.
public struct Geohash: Hashable, Sendable {
  /// The longest name, of 60 bits: a cell of 37 × 19 mm at the equator.
  public static let longestPrecision = 12
  static let bitsPerCharacter = 5

  /// The same cell as an integer of `5 * precision` bits.
  public let binary: BinaryGeohash

  /// The number of characters, 1…12.
  public var precision: Int { binary.bitCount / Geohash.bitsPerCharacter }

  /// The cell of a position.
  ///
  /// A position on a border lies in the cell to its north or east.
  ///
  /// - Parameters:
  ///   - position: The position.
  ///   - precision: The number of characters. For numbers that come from outside, use
  ///     `init(latitude:longitude:precision:)`, which throws.
  /// - Precondition: `precision` is 1…12.
  /// - Complexity: O(1), a few nanoseconds; no allocation. Exact: no rounding moves a position
  ///   across a border.
  public init(_ position: Coordinate, precision: Int) {
    precondition(
      Geohash.legalPrecisions.contains(precision), "geohash precision \(precision); use 1…12")
    self.init(
      unchecked: BinaryGeohash(position, bitCount: precision * Geohash.bitsPerCharacter))
  }

  /// The cell of a latitude and a longitude in degrees; a longitude of 180 lies in the last column.
  ///
  /// - Throws: `GeohashError.position` for degrees that are not a position, and
  ///   `.precisionOutOfRange` unless `precision` is 1…12.
  public init(latitude: Double, longitude: Double, precision: Int) throws(GeohashError) {
    guard Geohash.legalPrecisions.contains(precision) else {
      throw .precisionOutOfRange(precision)
    }
    do {
      _ = try Coordinate(latitude: latitude, longitude: longitude)
    } catch {
      throw .position(error)
    }
    self.init(
      unchecked: BinaryGeohash(
        latitude: latitude, longitude: longitude, bitCount: precision * Geohash.bitsPerCharacter))
  }

  /// Wraps bits already known to number 5…60 and a multiple of 5.
  init(unchecked binary: BinaryGeohash) { self.binary = binary }

  static let legalPrecisions = 1...longestPrecision

  /// The bounding box of the cell, with exact borders.
  ///
  /// The cell owns its southern and western borders; the others belong to its neighbors, except at
  /// 90° and 180°.
  public var box: BoundingBox { binary.box }
}

extension Geohash: Comparable {
  /// The order of the names: a cell comes right before the cells inside it.
  public static func < (left: Geohash, right: Geohash) -> Bool {
    let a = left.binary.leftAligned, b = right.binary.leftAligned
    return a != b ? a < b : left.precision < right.precision
  }
}
