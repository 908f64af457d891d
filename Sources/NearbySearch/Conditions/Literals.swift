import MapAnnotations

/// A text to compare others with, as Swift compares strings: `é` as one scalar or as two is the same.
struct TextLiteral: Sendable {
  let text: String
  private let bytes: [UInt8]
  private let isPlain: Bool

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
    isPlain = bytes.withUnsafeBufferPointer { $0.isPlainText }
  }

  /// Whether a text is equal to it.
  @inline(__always)
  func isEqual(to other: UnsafeBufferPointer<UInt8>) -> Bool {
    if other.count == bytes.count, isSameBytes(as: other) { return true }
    if isPlain, other.isPlainText { return false }
    return String(decoding: other, as: UTF8.self) == text
  }

  private func isSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      for place in bytes.indices where bytes[place] != other[place] { return false }
      return true
    }
  }

  /// −1, 0 or 1 where a text comes before it, is equal to it or comes after it.
  func order(of other: UnsafeBufferPointer<UInt8>) -> Int {
    guard isPlain, other.isPlainText else {
      return String(decoding: other, as: UTF8.self).order(to: text) ?? 0
    }
    // Scalars sort in the order of their UTF-8 bytes.
    for place in 0..<min(bytes.count, other.count) where bytes[place] != other[place] {
      return other[place] < bytes[place] ? -1 : 1
    }
    return (other.count - bytes.count).signum()
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether a text is certainly in NFC, so that it equals another such text only if their bytes are equal.
  ///
  /// True only for ASCII, Latin letters up to U+02FF, basic Cyrillic, kana, Chinese characters and Hangul syllables,
  /// without combining marks.
  var isPlainText: Bool {
    if isASCII { return true }
    var place = 0
    while place < count {
      let byte = self[place]
      switch byte {
      case ..<0x80: place += 1
      case 0xC2...0xCB, 0xD0, 0xD1: place += 2
      case 0xE3...0xED:
        guard place + 2 < count else { return false }
        let scalar =
          UInt32(byte & 0x0F) << 12 | UInt32(self[place + 1] & 0x3F) << 6
          | UInt32(self[place + 2] & 0x3F)
        switch scalar {
        case 0x3000...0x3029, 0x3041...0x3096, 0x30A1...0x30FE, 0x4E00...0x9FFF, 0xAC00...0xD7A3:
          place += 3
        default: return false
        }
      default: return false
      }
    }
    return true
  }
}

/// A number to compare others with, exactly.
struct NumberLiteral: Sendable {
  private let decimal: DecimalNumber
  /// By the number of another number's decimals: this number in units of the last decimal, rounded down, and whether
  /// that is exact; nil where it does not fit.
  private let counts: [(units: Int, isExact: Bool)?]
  private let binary: NearestBinary

  private static let mostDecimals = 9

  /// nil for a text that is not a number.
  init?(_ text: String) {
    guard let decimal = PropertyValue.number(text).decimal, let binary = NearestBinary(text)
    else { return nil }
    self.decimal = decimal
    self.binary = binary
    var text = text
    let short = text.withUTF8 { NumberLiteral.short($0) }
    counts = (0...NumberLiteral.mostDecimals).map { decimals in
      guard let (units, own) = short else { return nil }
      var scale = 1
      for _ in 0..<abs(decimals - own) { scale *= 10 }
      if decimals >= own {
        let (product, overflows) = units.multipliedReportingOverflow(by: scale)
        return overflows ? nil : (product, true)
      }
      let (quotient, rest) = units.quotientAndRemainder(dividingBy: scale)
      return (rest < 0 ? quotient - 1 : quotient, rest == 0)
    }
  }

  /// −1, 0 or 1 where the number in a text, possibly between blanks, is less, equal or greater; nil where there is
  /// none.
  @inline(__always)
  func order(of bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    if let (units, decimals) = NumberLiteral.short(bytes), let own = counts[decimals] {
      if units != own.units { return units < own.units ? -1 : 1 }
      return own.isExact ? 0 : -1
    }
    return DecimalNumber(trimming: bytes).flatMap { $0.order(to: decimal) }
  }

  /// −1, 0 or 1 for the decimal that a finite binary number prints as.
  func order(of value: Double) -> Int { binary.order(of: value) }

  /// A plain decimal with few digits, in units of its last digit; nil for any other text.
  fileprivate static func short(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> (units: Int, decimals: Int)? {
    guard bytes.count <= 18 else { return nil }
    var place = 0
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative { place = 1 }
    var units = 0
    var digits = 0
    var point: Int?
    while place < bytes.count {
      let digit = bytes[place] &- UInt8(ascii: "0")
      if digit < 10 {
        units = units &* 10 &+ Int(digit)
        digits += 1
      } else if bytes[place] == UInt8(ascii: "."), point == nil {
        point = digits
      } else {
        return nil
      }
      place += 1
    }
    let decimals = point.map { digits - $0 } ?? 0
    guard digits > 0, decimals <= mostDecimals else { return nil }
    return (isNegative ? -units : units, decimals)
  }
}

/// The binary number nearest to a decimal, for comparing other binary numbers with that decimal.
///
/// Printing preserves the order of binary numbers, and rounding to them that of decimals. So a number that differs from
/// the nearest one lies on the same side of the decimal as of the nearest one.
struct NearestBinary: Sendable {
  /// Infinite where the decimal is too large.
  let double: Double
  /// −1, 0 or 1 where `double`, as the decimal that it prints as, is less than, equal to or greater than the number.
  let tie: Int

  /// nil for a text that is not a number.
  init?(_ text: String) {
    var bytes = text
    // Whole numbers, as most distances are written, are exact.
    if let (units, decimals) = bytes.withUTF8({ NumberLiteral.short($0) }), decimals == 0,
      abs(units) < 1 << 53
    {
      double = Double(units)
      tie = 0
      return
    }
    guard let double = Double(text) ?? Double(NearestBinary.trimmed(text)) else { return nil }
    self.double = double
    // No finite number is that large; and where the number prints as the text, it is exact.
    let printed = double.description
    guard double.isFinite, text != printed, "\(text).0" != printed else {
      tie = 0
      return
    }
    guard let decimal = PropertyValue.number(text).decimal, let own = DecimalNumber(printed) else {
      return nil
    }
    tie = own < decimal ? -1 : own == decimal ? 0 : 1
  }

  private static func trimmed(_ text: String) -> String {
    String(decoding: text.utf8.filter { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self)
  }

  /// −1, 0 or 1 where the decimal that a finite binary number prints as is less than, equal to or greater than the
  /// number.
  func order(of value: Double) -> Int { value < double ? -1 : value > double ? 1 : tie }
}
