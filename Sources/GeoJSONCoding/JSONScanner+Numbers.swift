import Geodesy

extension JSONScanner {
  /// Skips a number, where a value should begin, and returns its range.
  mutating func numberToken() throws(GeoJSONError) -> Range<Int> {
    guard let byte = next, startsNumber(byte) else { throw unexpected("write a JSON value") }
    return try decimal().range
  }

  /// Skips a number and returns the double nearest to it; infinite if it is too large.
  mutating func double() throws(GeoJSONError) -> Double {
    let decimal = try decimal()
    if let value = decimal.exactValue { return value }
    // The standard library accepts every number in JSON's grammar.
    let text = UnsafeBufferPointer(rebasing: bytes[decimal.range])
    return Double(String(decoding: text, as: UTF8.self)) ?? .nan
  }

  /// Skips a number in JSON's grammar and collects its digits.
  @inline(__always)
  private mutating func decimal() throws(GeoJSONError) -> Decimal {
    var decimal = Decimal(start: position)
    decimal.isNegative = skip(UInt8(ascii: "-"))
    if skip(UInt8(ascii: "0")) {
      if let byte = next, byte.isASCIIDigit {
        throw unexpected("write numbers without leading zeros")
      }
    } else {
      try digits(into: &decimal)
    }
    if skip(UInt8(ascii: ".")) {
      let start = position
      try digits(into: &decimal)
      decimal.exponent = start - position
    }
    if let byte = next, byte | 0x20 == UInt8(ascii: "e") {
      position += 1
      try skipExponent()
      decimal.hasExponent = true
    }
    decimal.end = position
    return decimal
  }

  /// Skips one or more digits.
  @inline(__always)
  private mutating func digits(into decimal: inout Decimal) throws(GeoJSONError) {
    let start = position
    while position < end, bytes[position].isASCIIDigit {
      decimal.append(bytes[position] &- UInt8(ascii: "0"))
      position += 1
    }
    guard position > start else { throw unexpected("write numbers as -12.5 or 1e3") }
  }

  private mutating func skipExponent() throws(GeoJSONError) {
    if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
    let start = position
    while position < end, bytes[position].isASCIIDigit { position += 1 }
    guard position > start else { throw unexpected("write digits after the e of a number") }
  }
}

/// Whether a byte can start a number.
@inline(__always)
func startsNumber(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte.isASCIIDigit }

/// A number's digits as an integer, with a power of ten.
private struct Decimal {
  let start: Int
  var end: Int
  var isNegative = false
  var hasExponent = false
  var exponent = 0
  private var digits: UInt64 = 0
  /// The number of digits after the first nonzero one.
  private var count = 0

  init(start: Int) {
    self.start = start
    end = start
  }

  var range: Range<Int> { start..<end }

  @inline(__always)
  mutating func append(_ digit: UInt8) {
    digits = digits &* 10 &+ UInt64(digit)
    if digits != 0 { count += 1 }
  }

  /// The nearest double, ties to even, if that is cheap, as for all coordinates; nil otherwise.
  var exactValue: Double? {
    guard count <= 19, !hasExponent else { return nil }
    return exactlyRounded(digits, timesTenTo: exponent).map { isNegative ? -$0 : $0 }
  }
}

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
