extension Geohash: CustomStringConvertible {
  /// The digits of base 32, without the letters a, i, l and o.
  private static let alphabet = Array("0123456789bcdefghjkmnpqrstuvwxyz".utf8)

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
