import Geodesy

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
