// Texts, their characters and their bytes: no locale.

/// Text without blanks and tabs, or other characters, at its ends.
@inlinable
package func trimmed(
  _ text: some StringProtocol,
  where isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
) -> String {
  let start = text.drop(while: isBlank)
  guard let end = start.lastIndex(where: { !isBlank($0) }) else { return "" }
  return String(start[...end])
}

extension UInt8 {
  /// Whether it is a blank, a tab or the end of a line in ASCII.
  @inlinable
  package var isASCIIWhitespace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

  /// Whether it is a digit in ASCII.
  @inlinable
  package var isASCIIDigit: Bool { self &- 0x30 < 10 }

  /// Whether it is a letter in ASCII.
  @inlinable
  package var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }

  /// The small letter of a capital one in ASCII; any other byte as it is.
  @inlinable
  @inline(__always)
  package var lowercasedASCII: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

extension Collection<UInt8> {
  /// The bytes behind a UTF-8 byte order mark; all of them if they do not begin with one.
  @inlinable
  package var withoutByteOrderMark: SubSequence {
    starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
  }
}

extension [UInt8] {
  /// Puts the cell of CSV at the end into quotes where it needs them (RFC 4180 §2).
  ///
  /// - Parameter start: The place of its first byte.
  package mutating func quoteCell(from start: Int) {
    let needsQuotes = self[start...].contains { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n")
        || byte == UInt8(ascii: "\r")
    }
    guard needsQuotes else { return }
    let cell = Array(self[start...])
    removeSubrange(start...)
    append(UInt8(ascii: "\""))
    for byte in cell {
      if byte == UInt8(ascii: "\"") { append(byte) }
      append(byte)
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends a varint: 7 bits in each byte, lowest first.
  @inlinable
  @inline(__always)
  package mutating func appendVarint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }
}

extension Sequence where Element: FixedWidthInteger & UnsignedInteger {
  /// FNV-1a, 64 bits: the same everywhere, unlike Swift's own hashes.
  @inlinable
  package var fnvHash: UInt64 {
    reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

extension String {
  /// The text with a sign before each of some others, such as a backslash before quotes.
  ///
  /// By scalars: a quote and a combining mark are one `Character`, but what reads bytes sees a
  /// quote.
  package func escaped(_ marks: [Unicode.Scalar], by escape: Unicode.Scalar) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if marks.contains(scalar) { escaped.append(escape) }
      escaped.append(scalar)
    }
    return String(escaped)
  }

  /// The text with full-width characters and the minus sign U+2212 as in ASCII, every kind of whitespace as a space, and
  /// without marks that cannot be seen: what people copy from pages and tables.
  package var plainSigns: String {
    var plain = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0x2212: plain.append("-")
      case 0x3001: plain.append(",")
      case _ where scalar.properties.generalCategory == .format: continue
      default: plain.append(scalar.properties.isWhitespace ? " " : scalar.halfWidth)
      }
    }
    return String(plain)
  }

  /// The text in quotes, with those in it doubled, as names and texts are written in SQL and
  /// conditions.
  package func quoted(by quote: Unicode.Scalar) -> String {
    "\(quote)" + escaped([quote], by: quote) + "\(quote)"
  }

  /// The text in UTF-8 with every byte as `%XX` but letters and digits of ASCII and some marks (RFC 3986 §2.1).
  package func percentEncoded(keeping marks: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in utf8 {
      if byte.isASCIILetter || byte.isASCIIDigit || marks.utf8.contains(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The whole number from 0 on of a text that is only digits, the greatest `Int` if it is greater; nil for any other text.
package func wholeNumber(_ digits: String) -> Int? {
  guard !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
  return Int(digits) ?? .max
}

/// A text without percent-encoding; nil where that is invalid, or not UTF-8.
///
/// - Parameter plusIsBlank: Whether a plus sign stands for a space, as in forms.
package func percentDecoded(_ text: Substring.UTF8View, plusIsBlank: Bool = false) -> String? {
  // Plain numbers and words are not encoded.
  guard text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
    return String(Substring(text))
  }
  func digit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
  }
  var bytes: [UInt8] = []
  var rest = text[...]
  while let byte = rest.popFirst() {
    guard byte == UInt8(ascii: "%") else {
      bytes.append(plusIsBlank && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      continue
    }
    guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
    else { return nil }
    bytes.append(high << 4 | low)
  }
  return String(validating: bytes, as: UTF8.self)
}

// MARK: - Characters of one meaning that are written with different scalars

extension Unicode.Scalar {
  /// Whether it is a digit in ASCII.
  @inlinable
  package var isASCIIDigit: Bool { 0x30...0x39 ~= value }

  /// The ASCII character of a full-width one; any other character as it is.
  @inlinable
  package var halfWidth: Unicode.Scalar {
    0xFF01...0xFF5E ~= value ? Unicode.Scalar(value - 0xFEE0) ?? self : self
  }

  /// The ordinary form of a half-width kana, its mark of voice or its punctuation; any other character as it is.
  package var fullWidthKana: Unicode.Scalar {
    0xFF61...0xFF9F ~= value ? Self.kana[Int(value - 0xFF61)] : self
  }

  /// From U+FF61 to U+FF9F; the last two are marks that combine with the character before them.
  private static let kana = Array(
    "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309A}"
      .unicodeScalars)

  /// The character that this one makes together with a mark or a letter of a Hangul syllable; nil if there is none.
  @inlinable
  package func composed(with mark: Unicode.Scalar) -> Unicode.Scalar? {
    switch mark.value {
    case 0x0300...0x036F, 0x3099, 0x309A: accented(by: mark)
    // An initial consonant and a vowel, of 19 and 21; then a final consonant, of 27.
    case 0x1161...0x1175 where (0x1100...0x1112).contains(value):
      Unicode.Scalar(0xAC00 + ((value - 0x1100) * 21 + mark.value - 0x1161) * 28)
    case 0x11A8...0x11C2
    where (0xAC00...0xD7A3).contains(value) && (value - 0xAC00).isMultiple(of: 28):
      Unicode.Scalar(value + mark.value - 0x11A7)
    default: nil
    }
  }

  @usableFromInline
  func accented(by mark: Unicode.Scalar) -> Unicode.Scalar? {
    var pair = String.UnicodeScalarView()
    pair.append(self)
    pair.append(mark)
    let text = String(pair)
    guard text.count == 1, let character = text.first else { return nil }
    return Self.accented[character]
  }

  /// Single-scalar characters by their canonical equivalent: Swift compares characters by canonical
  /// equivalence, so a pair of scalars finds the composed one.
  private static let accented: [Character: Unicode.Scalar] = {
    var table: [Character: Unicode.Scalar] = [:]
    let blocks: [ClosedRange<UInt32>] = [
      0xC0...0x24F, 0x370...0x4FF, 0x1E00...0x1FFF, 0x3041...0x30FE,
    ]
    for value in blocks.joined() {
      guard let scalar = Unicode.Scalar(value) else { continue }
      // Of two equivalent scalars, the one that Unicode composes to comes first.
      let character = Character(scalar)
      if table[character] == nil { table[character] = scalar }
    }
    return table
  }()
}

/// Finds the first byte of a text that is not well-formed UTF-8.
package enum UTF8Validation {
  /// The offset of the first ill-formed sequence; nil if there is none.
  ///
  /// Overlong forms, surrogates and scalars beyond U+10FFFF are ill-formed, and so is a sequence
  /// cut off by the end.
  ///
  /// - Complexity: O(*n*), eight ASCII bytes at a time.
  ///
  /// Source: The Unicode Standard 15, table 3-7.
  package static func firstInvalidOffset(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    let raw = UnsafeRawBufferPointer(bytes)
    let count = bytes.count
    var at = 0
    while at < count {
      if bytes[at] < 0x80 {
        while at + 8 <= count,
          raw.loadUnaligned(fromByteOffset: at, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        { at += 8 }
        while at < count, bytes[at] < 0x80 { at += 1 }
        continue
      }
      let length = sequenceLength(bytes, at)
      if length == 0 { return at }
      at += length
    }
    return nil
  }

  /// The length of the well-formed sequence of two to four bytes at an offset; 0 if there is none.
  @inlinable @inline(__always)
  package static func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int {
    let lead = bytes[at]
    let length: Int
    // The second byte has a narrower range after lead bytes whose sequences could be overlong,
    // surrogates or too large.
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0:
      length = 3
      second = 0xA0...0xBF
    case 0xED:
      length = 3
      second = 0x80...0x9F
    case 0xE1...0xEF: length = 3
    case 0xF0:
      length = 4
      second = 0x90...0xBF
    case 0xF4:
      length = 4
      second = 0x80...0x8F
    case 0xF1...0xF3: length = 4
    default: return 0
    }
    guard at + length <= bytes.count, second.contains(bytes[at + 1]) else { return 0 }
    for next in 2..<max(length, 2) where bytes[at + next] & 0xC0 != 0x80 { return 0 }
    return length
  }
}
