// Texts, their bytes, their characters, and numbers in them: no locale.

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

// MARK: - Numbers as people and files write them: no exponent, no `.0`

/// The shortest decimal that reads back as the same number, without an exponent: `200`, `0.00001`;
/// `inf` and `nan` for numbers that are not finite.
package func plainDecimal(_ value: Double) -> String {
  let text = "\(value)"
  guard let exponentMark = text.utf8.firstIndex(of: UInt8(ascii: "e")) else {
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
  // The text is d.ddde±x: move the point by x places.
  let isNegative = text.hasPrefix("-")
  let digits = text[..<exponentMark].filter(\.isNumber)
  let exponent = Int(text[text.index(after: exponentMark)...]) ?? 0
  // Hundreds of zeros help nobody.
  guard abs(exponent) <= 30 else { return text }
  let significant = digits.hasSuffix("0") && digits.count > 1 ? String(digits.dropLast()) : digits
  let point = exponent + 1
  let sign = isNegative ? "-" : ""
  if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + significant }
  if point >= significant.count {
    return sign + significant + String(repeating: "0", count: point - significant.count)
  }
  return sign + significant.prefix(point) + "." + significant.dropFirst(point)
}

/// A number with a fixed count of decimals, rounded to nearest, ties to even: `639.3370`; one with no room for that many
/// (|`value`| · 10^`decimals` of 2⁶³ or more) is written with those it has.
///
/// - Precondition: `value` is finite, and `decimals` in 0…15.
package func fixedDecimal(_ value: Double, decimals: Int) -> String {
  var bytes: [UInt8] = []
  appendFixedDecimal(value, decimals: decimals, to: &bytes)
  return String(decoding: bytes, as: UTF8.self)
}

/// Appends the text of `fixedDecimal` without an intermediate `String`, for outputs of millions of rows.
package func appendFixedDecimal(_ value: Double, decimals: Int, to bytes: inout [UInt8]) {
  precondition((0...15).contains(decimals), "\(decimals) decimals are outside 0…15")
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  guard abs(value) * scale < 0x1p63 else {
    bytes += plainDecimal(value).utf8
    return
  }
  let scaled = Int64((value * scale).rounded(.toNearestOrEven))
  appendDigits(scaled.magnitude, isNegative: scaled < 0, decimals: decimals, to: &bytes)
}

/// Appends a whole number in decimal, as `String(number)` writes it.
package func appendDecimal(_ number: Int, to bytes: inout [UInt8]) {
  appendDigits(UInt64(number.magnitude), isNegative: number < 0, decimals: 0, to: &bytes)
}

/// Appends digits, the last `decimals` of them after the point; at least one digit stands before the point.
///
/// - Parameter dropsZeros: Whether trailing zeros after the point are dropped.
package func appendDigits(
  _ number: UInt64, isNegative: Bool, decimals: Int, dropsZeros: Bool = false,
  to bytes: inout [UInt8]
) {
  // A sign, twenty digits and a point; for small numbers up to fifteen leading zeros.
  withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 40) { buffer in
    // From the last digit to the first.
    var place = buffer.count
    var rest = number
    var digitCount = 0
    var isDropping = dropsZeros
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      if decimals > 0, digitCount == decimals {
        isDropping = false
        place -= 1
        buffer[place] = UInt8(ascii: ".")
      }
      isDropping = isDropping && digit == 0
      if !isDropping {
        place -= 1
        buffer[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
      }
      rest = quotient
      digitCount += 1
    } while rest > 0 || digitCount <= decimals
    if isNegative {
      place -= 1
      buffer[place] = UInt8(ascii: "-")
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[place...]))
  }
}

/// The decimal number that a text holds and nothing else; nil for `nan`, `inf` and hexadecimal, which
/// `Double` would read.
package func finiteNumber(_ text: String) -> Double? {
  let isDecimal = text.utf8.allSatisfy { $0.isASCIIDigit || "+-.eE".utf8.contains($0) }
  guard isDecimal, let number = Double(text), number.isFinite else { return nil }
  return number
}

/// A whole number with zeros before it up to a width: `07`, `0044`.
package func zeroPadded(
  _ number: some BinaryInteger, _ width: Int = 2, radix: Int = 10
) -> String {
  let digits = String(number, radix: radix)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

/// A whole number with commas between thousands: `1,377,019`.
package func grouped(_ number: Int) -> String {
  let digits = String(number.magnitude)
  var text = ""
  for (place, digit) in digits.enumerated() {
    if place > 0, (digits.count - place).isMultiple(of: 3) { text.append(",") }
    text.append(digit)
  }
  return (number < 0 ? "-" : "") + text
}

/// A whole number and what it counts: `1 annotation`, `1,377,019 annotations`.
///
/// - Parameter many: The plural; by default `one` with an s.
package func grouped(_ number: Int, _ one: String, _ many: String? = nil) -> String {
  "\(grouped(number)) \(number == 1 ? one : many ?? one + "s")"
}

/// A length for messages about positions that are too far away: whole meters, rounded up so that
/// the text is never 0 m, or whole kilometers from 1,000 m: `8,830 km`.
package func roughLength(_ length: Distance) -> String {
  guard length < .kilometers(1_000_000) else { return "far" }
  return length < .kilometers(1)
    ? "\(grouped(Int(length.meters.rounded(.up)))) m"
    : "\(grouped(Int(length.kilometers.rounded()))) km"
}

// MARK: Reading numbers

/// digits · 10^scale, rounded once to a double, ties to even, in the two cases where that is cheap; nil otherwise.
///
/// Powers of ten up to 10²² and integers up to 2⁵³ are exact doubles, so one multiplication or
/// division gives the rounded result (W. D. Clinger, "How to Read Floating Point Numbers
/// Accurately", PLDI 1990). Longer digits over a power of ten that fits into 64 bits are divided
/// as integers.
package func exactlyRounded(_ digits: UInt64, timesTenTo scale: Int) -> Double? {
  if digits <= 1 << 53 {
    if -22...0 ~= scale { return Double(digits) / exactPowersOfTen[-scale] }
    if 1...22 ~= scale { return Double(digits) * exactPowersOfTen[scale] }
    return digits == 0 ? 0 : nil
  }
  return -19...0 ~= scale ? roundedQuotient(digits, overTenTo: -scale) : nil
}

/// 10⁰ … 10²², each an exact double.
private let exactPowersOfTen: [Double] = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
  1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
]

/// The quotient of digits and a power of ten, rounded to a double, ties to even.
///
/// Both are shifted until their highest bit is set. Their quotient is then computed to 64 bits: 53 are kept, and the
/// others and the remainder decide the rounding.
///
/// - Precondition: `digits` is not 0, and `power` is 0…19.
private func roundedQuotient(_ digits: UInt64, overTenTo power: Int) -> Double {
  let power = powersOfTen[power]
  let divisor = power << UInt64(power.leadingZeroBitCount)
  let dividend = digits << UInt64(digits.leadingZeroBitCount)
  // The high half must be smaller than the divisor, or the quotient needs a 65th bit.
  let isHalved = dividend >= divisor
  let (quotient, remainder) = divisor.dividingFullWidth(
    isHalved ? (dividend >> 1, dividend << 63) : (dividend, 0))
  var significand = quotient >> 11
  let rest = quotient & 0x7FF
  if rest > 0x400 || (rest == 0x400 && (remainder != 0 || significand & 1 == 1)) {
    significand += 1
  }
  let exponent =
    power.leadingZeroBitCount - digits.leadingZeroBitCount - (isHalved ? 63 : 64) + 11
  return Double(sign: .plus, exponent: exponent, significand: Double(significand))
}

/// 10⁰…10¹⁹, all powers of ten that fit into 64 bits.
private let powersOfTen: [UInt64] = (0..<20).map { exponent in
  (0..<exponent).reduce(1) { power, _ in power * 10 }
}
