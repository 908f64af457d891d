import Geodesy
import MapAnnotations

/// Parses decimal numbers from bytes, correctly rounded and without making strings.
///
/// The grammar is `[+-]digits[.digits][e[+-]digits]` with at least one digit before or after the
/// point, and spaces or tabs on both sides. There is no `nan`, `inf` or hexadecimal; a comma is the
/// decimal mark only if the caller says so.
package enum DecimalParser {
  /// The double nearest to the number in a range of bytes, ties to even.
  ///
  /// nil if the range is not exactly one number. A number too large for a double is infinite.
  package static func number(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int,
    mark: UInt8 = UInt8(ascii: ".")
  ) -> Double? {
    var at = start
    var end = end
    trim(bytes, &at, &end)
    let first = at
    guard at < end else { return nil }
    let isNegative = bytes[at] == UInt8(ascii: "-")
    if isNegative || bytes[at] == UInt8(ascii: "+") { at += 1 }

    // Wraps beyond 19 digits, and is then not used.
    var digits: UInt64 = 0
    let integerStart = at
    while at < end, let digit = digitValue(bytes[at]) {
      digits = digits &* 10 &+ digit
      at += 1
    }
    var digitCount = at - integerStart
    var fractionDigits = 0
    if at < end, bytes[at] == mark {
      at += 1
      let fractionStart = at
      while at < end, let digit = digitValue(bytes[at]) {
        digits = digits &* 10 &+ digit
        at += 1
      }
      fractionDigits = at - fractionStart
      digitCount += fractionDigits
    }
    guard digitCount > 0 else { return nil }
    var exponent = 0
    if at < end {
      guard bytes[at] | 0x20 == UInt8(ascii: "e"),
        let written = DecimalNumber.exponent(bytes[(at + 1)..<end])
      else { return nil }
      exponent = written
    }
    if digitCount <= 19,
      let size = exactlyRounded(digits, timesTenTo: exponent - fractionDigits)
    {
      return isNegative ? -size : size
    }
    return Double(
      String(
        decoding: bytes[first..<end].lazy.map { $0 == mark ? UInt8(ascii: ".") : $0 },
        as: UTF8.self))
  }

  /// Whether a byte is a space or a tab.
  package static func isBlank(_ byte: UInt8) -> Bool { byte == .space || byte == .tab }

  /// Leaves out the blanks at both ends of a range.
  @inline(__always)
  static func trim(_ bytes: UnsafeBufferPointer<UInt8>, _ start: inout Int, _ end: inout Int) {
    while start < end, isBlank(bytes[start]) { start += 1 }
    while start < end, isBlank(bytes[end - 1]) { end -= 1 }
  }

  @inline(__always)
  private static func digitValue(_ byte: UInt8) -> UInt64? {
    let value = byte &- UInt8(ascii: "0")
    return value <= 9 ? UInt64(value) : nil
  }
}

/// A number in a cell, and its number of decimals.
struct WrittenDecimal {
  let value: Double
  let digits: Int

  /// nil if the cell is not a number.
  init?(
    _ cell: DelimitedCell, in bytes: UnsafeBufferPointer<UInt8>, mark: UInt8 = UInt8(ascii: ".")
  ) {
    guard
      let value = DecimalParser.number(in: bytes, from: cell.start, to: cell.end, mark: mark)
    else { return nil }
    let text = bytes[cell.start..<cell.end]
    let point = text.firstIndex(of: mark) ?? text.endIndex
    self.value = value
    digits = text[point...].dropFirst().prefix { $0.isASCIIDigit }.count
  }
}
