/// A decimal number, compared exactly: no digit is rounded away, however many there are.
///
/// `0.1` and `0.10` are the same number, `12345678901234567890` and `…891` are different. For
/// comparing and sorting numbers of sources, not for arithmetic.
public struct DecimalNumber: Hashable, Sendable {
  /// −1, 0 or 1.
  private let sign: Int
  /// The number of digits before the point, after normalization to a nonzero first digit; 0.05 has −1.
  private let magnitude: Int
  /// The first 19 digits from the first nonzero one on, padded with zeros.
  private let head: UInt64
  /// The remaining digits without trailing zeros; usually empty.
  private let tail: [UInt8]

  private static let headLength = 19

  /// Parses a decimal: `-12.50`, `+7`, `.5`, `1e-3`, without spaces around it.
  ///
  /// nil for anything else: spaces, `nan`, hexadecimal, a decimal comma.
  public init?(_ text: some StringProtocol) {
    var text = String(text)
    guard let number = text.withUTF8({ DecimalNumber(utf8: $0) }) else { return nil }
    self = number
  }

  init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
    var place = 0
    var isNegative = false
    if let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      isNegative = first == UInt8(ascii: "-")
      place = 1
    }
    var head: UInt64 = 0
    var count = 0
    var magnitude = 0
    var tail: [UInt8] = []
    var hasPoint = false
    var hasDigits = false
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else if byte &- UInt8(ascii: "0") < 10 {
        let digit = byte &- UInt8(ascii: "0")
        hasDigits = true
        if count > 0 || digit > 0 {
          if count < DecimalNumber.headLength {
            head = head * 10 + UInt64(digit)
          } else {
            tail.append(digit)
          }
          count += 1
          if !hasPoint { magnitude += 1 }
        } else if hasPoint {
          magnitude -= 1
        }
      } else {
        break
      }
      place += 1
    }
    guard hasDigits else { return nil }
    if place < bytes.count {
      guard bytes[place] | 0x20 == UInt8(ascii: "e"),
        let exponent = DecimalNumber.exponent(bytes[(place + 1)...])
      else { return nil }
      magnitude += exponent
    }
    guard head != 0 else {
      (sign, self.magnitude, self.head, self.tail) = (0, 0, 0, [])
      return
    }
    for _ in 0..<max(0, DecimalNumber.headLength - count) { head *= 10 }
    while tail.last == 0 { tail.removeLast() }
    sign = isNegative ? -1 : 1
    self.magnitude = magnitude
    self.head = head
    self.tail = tail
  }

  /// Parses a decimal with spaces around it.
  package init?(trimming bytes: UnsafeBufferPointer<UInt8>) {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    let start = bytes.firstIndex { !isBlank($0) } ?? 0
    let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? 0
    self.init(utf8: UnsafeBufferPointer(rebasing: bytes[start..<end]))
  }

  /// The exponent after `e`, limited to a quadrillion, beyond any number in use.
  package static func exponent(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    var bytes = bytes
    var isNegative = false
    if let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      isNegative = first == UInt8(ascii: "-")
      bytes.removeFirst()
    }
    guard !bytes.isEmpty else { return nil }
    var value = 0
    for byte in bytes {
      guard byte &- UInt8(ascii: "0") < 10 else { return nil }
      value = min(value * 10 + Int(byte &- UInt8(ascii: "0")), 1_000_000_000_000_000)
    }
    return isNegative ? -value : value
  }

  /// The only id in canonical form with this value; an empty array if the number is not whole, nil
  /// if the id would be too long for any practical use.
  package var canonicalIDs: [AnnotationID]? {
    guard sign != 0 else { return [0] }
    guard magnitude <= 1_000 else { return nil }
    // Without texts, which nearly all ids can do without.
    if magnitude < DecimalNumber.headLength {
      var whole = head
      for _ in max(magnitude, 0)..<DecimalNumber.headLength {
        guard whole % 10 == 0 else { return [] }
        whole /= 10
      }
      return tail.isEmpty ? [AnnotationID(sign * Int(whole))] : []
    }
    var digits = String(head).utf8.map { $0 } + tail.map { $0 + UInt8(ascii: "0") }
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    guard digits.count <= magnitude else { return [] }
    digits += repeatElement(UInt8(ascii: "0"), count: magnitude - digits.count)
    return [AnnotationID((sign < 0 ? "-" : "") + String(decoding: digits, as: UTF8.self))]
  }

  /// The value as a whole number times a power of ten: −12.5 is −1250000000000000000 times 10⁻¹⁷.
  package var scaled: (digits: String, exponent: Int) {
    guard sign != 0 else { return ("0", 0) }
    let digits = "\(head)" + tail.map(String.init).joined()
    return ((sign < 0 ? "-" : "") + digits, magnitude - digits.utf8.count)
  }
}

extension DecimalNumber: Comparable {
  /// Whether the left number is smaller.
  public static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
    guard left.sign == right.sign else { return left.sign < right.sign }
    return left.sign < 0 ? isSmaller(right, left) : isSmaller(left, right)
  }

  /// Compares the absolute values of two numbers with the same sign.
  private static func isSmaller(_ left: DecimalNumber, _ right: DecimalNumber) -> Bool {
    if left.magnitude != right.magnitude { return left.magnitude < right.magnitude }
    if left.head != right.head { return left.head < right.head }
    return left.tail.lexicographicallyPrecedes(right.tail)
  }
}

extension PropertyValue {
  /// The value of a number, or of a text that is only a decimal number and spaces around it; nil
  /// otherwise.
  public var decimal: DecimalNumber? {
    switch self {
    case .number(var text), .string(var text): text.withUTF8 { DecimalNumber(trimming: $0) }
    case .null, .bool, .array, .object: nil
    }
  }
}
