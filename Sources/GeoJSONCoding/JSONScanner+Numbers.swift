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
