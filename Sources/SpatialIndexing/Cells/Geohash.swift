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
    self.init(
      unchecked: BinaryGeohash(position, bitCount: Geohash.bitCount(ofPrecision: precision)))
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

  /// The number of bits of a cell.
  ///
  /// - Precondition: `precision` is 1…12.
  static func bitCount(ofPrecision precision: Int) -> Int {
    precondition(legalPrecisions.contains(precision), "geohash precision \(precision); use 1…12")
    return precision * bitsPerCharacter
  }

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

extension Geohash: CustomStringConvertible {
  /// The digits of base 32, without the letters a, i, l and o.
  package static let alphabet = Array("0123456789bcdefghjkmnpqrstuvwxyz".utf8)

  /// The value of each byte that is a digit, in upper or lower case; 255 for all others.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, character) in alphabet.enumerated() {
      values[Int(character)] = UInt8(value)
      let isLetter = character >= UInt8(ascii: "b")
      if isLetter { values[Int(character) - 32] = UInt8(value) }
    }
    return values
  }()

  /// Reads a name of 1 to 12 characters.
  ///
  /// Uppercase is read as lowercase, since some systems write geohashes in capitals; `text` is
  /// always lowercase.
  ///
  /// - Throws: `GeohashError.badLength`, or `.badCharacter` with the first character that is not in
  ///   the alphabet and its place, counted from 1.
  public init(_ text: String) throws(GeohashError) { try self.init(reading: text) }

  /// Reads a name of 1 to 12 characters from a substring, as `init(_:)` does.
  ///
  /// - Throws: `GeohashError`, as `init(_:)` does.
  public init(_ text: Substring) throws(GeohashError) { try self.init(reading: text) }

  /// Not public: another module's call would not be specialized, and take four times as long.
  private init(reading text: some StringProtocol) throws(GeohashError) {
    var bits: UInt64 = 0
    var length = 0
    var isLegal = true
    Geohash.values.withUnsafeBufferPointer { values in
      for byte in text.utf8 {
        let value = values[Int(byte)]
        isLegal = isLegal && value < 32
        // A text that is too long loses its first bits here, and is rejected below.
        bits = bits << UInt64(Geohash.bitsPerCharacter) | UInt64(value & 31)
        length += 1
      }
    }
    guard isLegal else { throw Geohash.error(in: String(text)) }
    guard Geohash.legalPrecisions.contains(length) else { throw .badLength(length) }
    self.init(
      unchecked: BinaryGeohash(unchecked: bits, bitCount: length * Geohash.bitsPerCharacter))
  }

  /// The error for a text with a bad byte.
  ///
  /// Slower than the loop that found it, since it counts characters as a reader sees them.
  private static func error(in text: String) -> GeohashError {
    for (offset, character) in text.enumerated() {
      guard let byte = character.asciiValue, values[Int(byte)] < 32 else {
        return .badCharacter(character, at: offset + 1, in: text)
      }
    }
    return .badLength(text.utf8.count)
  }

  /// The name, 1 to 12 lowercase characters.
  public var text: String {
    let precision = precision
    return String(unsafeUninitializedCapacity: precision) { buffer in
      writeText(to: UnsafeMutableRawBufferPointer(buffer))
    }
  }

  /// Writes the name as ASCII bytes, for callers that write many.
  ///
  /// - Precondition: `buffer` holds at least `precision` bytes.
  /// - Returns: The number of bytes written: `precision`.
  @discardableResult
  public func writeText(to buffer: UnsafeMutableRawBufferPointer) -> Int {
    let precision = precision
    precondition(buffer.count >= precision, "\(buffer.count) bytes for \(precision) characters")
    var rest = binary.bits
    Geohash.alphabet.withUnsafeBufferPointer { alphabet in
      var place = precision
      while place > 0 {
        place -= 1
        buffer[place] = alphabet[Int(rest & 31)]
        rest >>= UInt64(Geohash.bitsPerCharacter)
      }
    }
    return precision
  }

  /// The name, as `text`.
  public var description: String { text }
}

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
  /// The neighbor of the same precision in a direction, around the Earth: `8` lies east of `x`, across ±180°.
  ///
  /// - Returns: `nil` beyond a pole.
  public func neighbor(_ direction: CompassDirection) -> Geohash? {
    binary.neighbor(direction).map(Geohash.init(unchecked:))
  }

  /// The cells around this one, clockwise from north: eight, or five at a pole.
  public var neighbors: [Geohash] { CompassDirection.allCases.compactMap(neighbor) }
}

/// The eight directions in which a cell has neighbors, clockwise from north.
public enum CompassDirection: String, CaseIterable, Sendable {
  case north, northeast, east, southeast, south, southwest, west, northwest

  /// The number of rows to the north, −1…1.
  var rows: Int {
    switch self {
    case .northwest, .north, .northeast: 1
    case .west, .east: 0
    case .southwest, .south, .southeast: -1
    }
  }

  /// The number of columns to the east, −1…1.
  var columns: Int {
    switch self {
    case .northeast, .east, .southeast: 1
    case .north, .south: 0
    case .northwest, .west, .southwest: -1
    }
  }
}

/// What is wrong with something that should be a geohash, or should become one.
public enum GeohashError: CodedError, Hashable {
  /// A character that is not in the alphabet, and its place counted from 1.
  case badCharacter(Character, at: Int, in: String)
  /// A text of 0 characters, or of more than 12.
  case badLength(Int)
  /// A precision outside 1…12.
  case precisionOutOfRange(Int)
  /// An integer form with too many bits, or with bits that do not fit its bit count.
  case integerOutOfRange(UInt64, bitCount: Int)
  /// Degrees that are not a position.
  case position(CoordinateError)

  /// The error's name, for programs.
  public var code: String {
    switch self {
    case .badCharacter: "geohash-character"
    case .badLength: "geohash-length"
    case .precisionOutOfRange: "geohash-precision"
    case .integerOutOfRange: "geohash-integer"
    case .position(let error): error.code
    }
  }

  /// One sentence that names the value and says what to do.
  public var description: String {
    switch self {
    case .badCharacter(let character, let place, let text):
      """
      "\(text)" is not a geohash: character \(place) is "\(character)"; \
      use 0-9 and b-z without a, i, l and o
      """
    case .badLength(0):
      "the geohash is empty; write 1 to \(Geohash.longestPrecision) characters"
    case .badLength(let length):
      "a geohash of \(length) characters is too long; write 1 to \(Geohash.longestPrecision)"
    case .precisionOutOfRange(let precision):
      "geohash precision \(precision) is outside 1…12; give a number of characters from 1 to 12"
    case .integerOutOfRange(let bits, let bitCount):
      "\(bits) is not a geohash of \(bitCount) bits; give 1…64 bits and a number that fits them"
    case .position(let error):
      error.description
    }
  }
}
