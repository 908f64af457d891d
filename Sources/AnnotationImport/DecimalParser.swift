import Geodesy
import MapAnnotations

/// Parses decimal numbers from bytes, correctly rounded and without making strings.
///
/// The grammar is `[+-]digits[.digits][e[+-]digits]` with at least one digit before or after the
/// point, and spaces or tabs on both sides. There is no `nan`, `inf` or hexadecimal; a comma is the
/// decimal mark only if the caller says so.
package enum DecimalParser {
  /// The double nearest to the number in a text, ties to even.
  ///
  /// nil if the text is not exactly one number. A number too large for a double is infinite.
  package static func number(
    _ text: Slice<UnsafeBufferPointer<UInt8>>, mark: UInt8 = UInt8(ascii: ".")
  ) -> Double? {
    let text = trimmed(text)
    let bytes = text.base
    var at = text.startIndex
    let end = text.endIndex
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
        decoding: text.lazy.map { $0 == mark ? UInt8(ascii: ".") : $0 },
        as: UTF8.self))
  }

  /// Whether a byte is a space or a tab.
  package static func isBlank(_ byte: UInt8) -> Bool { byte == .space || byte == .tab }

  /// A text without the blanks at both ends.
  @inline(__always)
  static func trimmed(
    _ text: Slice<UnsafeBufferPointer<UInt8>>
  ) -> Slice<UnsafeBufferPointer<UInt8>> {
    var (start, end) = (text.startIndex, text.endIndex)
    while start < end, isBlank(text.base[start]) { start += 1 }
    while start < end, isBlank(text.base[end - 1]) { end -= 1 }
    return text[start..<end]
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
    let text = bytes[cell.range]
    guard let value = DecimalParser.number(text, mark: mark) else { return nil }
    let point = text.firstIndex(of: mark) ?? text.endIndex
    self.value = value
    digits = text[point...].dropFirst().prefix { $0.isASCIIDigit }.count
  }
}
