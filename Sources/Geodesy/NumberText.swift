// Numbers as people and files write them: no locale, no exponent, no `.0`.

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

// MARK: Read

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
