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
      if let byte = next, isDigit(byte) { throw unexpected("write numbers without leading zeros") }
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
    while position < end, isDigit(bytes[position]) {
      decimal.append(bytes[position] &- UInt8(ascii: "0"))
      position += 1
    }
    guard position > start else { throw unexpected("write numbers as -12.5 or 1e3") }
  }

  private mutating func skipExponent() throws(GeoJSONError) {
    if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
    let start = position
    while position < end, isDigit(bytes[position]) { position += 1 }
    guard position > start else { throw unexpected("write digits after the e of a number") }
  }
}

/// Whether a byte can start a number.
@inline(__always)
func startsNumber(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || isDigit(byte) }

@inline(__always)
private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

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

  /// The nearest double, ties to even, if integer arithmetic can decide it; nil otherwise.
  ///
  /// It can for at most 19 digits, at most 19 of them after the point, without an exponent. All
  /// coordinates are like that.
  ///
  /// There is only one rounding, and it is correct.
  var exactValue: Double? {
    guard count <= 19, !hasExponent, exponent >= -19 else { return nil }
    guard digits != 0 else { return isNegative ? -0.0 : 0 }
    guard exponent < 0 else { return isNegative ? -Double(digits) : Double(digits) }
    let power = powersOfTen[-exponent]
    // Both are exact doubles, so the division rounds once, correctly.
    if digits <= 1 << 53 {
      let value = Double(digits) / Double(power)
      return isNegative ? -value : value
    }
    let value = roundedQuotient(digits, overTenTo: -exponent)
    return isNegative ? -value : value
  }
}

/// The quotient of digits and a power of ten, rounded to a double, ties to even.
///
/// Both are shifted until their highest bit is set. Their quotient is then computed to 64 bits: 53 are kept, and the
/// others and the remainder decide the rounding.
///
/// - Precondition: `digits` is not 0, and `power` is 0…19.
package func roundedQuotient(_ digits: UInt64, overTenTo power: Int) -> Double {
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
