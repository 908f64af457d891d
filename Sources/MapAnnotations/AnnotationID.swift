/// The id of an annotation, which also orders results at equal distance.
///
/// Ids in canonical decimal form (`0` or `-?[1-9][0-9]*`, of any length) come first, in numeric
/// order; all others follow in the order of their UTF-8 bytes. `7` comes before `10`, and `007`,
/// which is not canonical, after both. Two ids are equal if their bytes are equal: `é` as one code
/// point and as two are different ids.
public struct AnnotationID: Hashable, Sendable {
  /// A number if the text is canonical and fits, so that a million record numbers need no strings;
  /// each id has only one form, so equality is that of the texts.
  private enum Form: Hashable, Sendable {
    case number(Int)
    case text(String)

    static func == (left: Form, right: Form) -> Bool {
      switch (left, right) {
      case (.number(let a), .number(let b)): a == b
      // `String` equality ignores Unicode composition; ids do not. Equal strings have equal hashes,
      // so hashing needs no extra care.
      case (.text(let a), .text(let b)): a.isSameBytes(as: b)
      default: false
      }
    }
  }
  private let form: Form

  /// Makes an id from a number; equal to the one made from its decimal digits.
  public init(_ number: Int) { form = .number(number) }

  /// Makes an id from a text, kept byte for byte.
  public init(_ text: String) {
    let isCanonicalNumber = AnnotationID.isCanonicalDecimal(text.utf8)
    if isCanonicalNumber, let number = Int(text) {
      form = .number(number)
    } else {
      form = .text(text)
    }
  }

  /// The id as text; a number in canonical decimal form.
  public var text: String {
    switch form {
    case .number(let number): String(number)
    case .text(let text): text
    }
  }

  /// Whether the id is in canonical decimal form, and so comes before all others.
  package var isNumber: Bool {
    switch form {
    case .number: true
    case .text(let text): AnnotationID.isCanonicalDecimal(text.utf8)
    }
  }

  private static func isCanonicalDecimal(_ bytes: some Collection<UInt8>) -> Bool {
    var digits = bytes[...]
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits = digits.dropFirst() }
    guard let first = digits.first else { return false }
    if first == UInt8(ascii: "0") { return digits.count == 1 && !isNegative }
    return digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}

extension AnnotationID: Comparable {
  /// Whether the left id comes first: numbers by value, then texts by bytes.
  public static func < (left: AnnotationID, right: AnnotationID) -> Bool {
    if case .number(let a) = left.form, case .number(let b) = right.form { return a < b }
    let a = left.text, b = right.text
    switch (isCanonicalDecimal(a.utf8), isCanonicalDecimal(b.utf8)) {
    case (true, false): return true
    case (false, true): return false
    case (false, false): return a.utf8.lexicographicallyPrecedes(b.utf8)
    case (true, true):
      // Too long for an integer: compare lengths first, then digits.
      let aIsNegative = a.hasPrefix("-"), bIsNegative = b.hasPrefix("-")
      if aIsNegative != bIsNegative { return aIsNegative }
      let (small, large) = aIsNegative ? (b, a) : (a, b)
      return small.utf8.count != large.utf8.count
        ? small.utf8.count < large.utf8.count
        : small.utf8.lexicographicallyPrecedes(large.utf8)
    }
  }
}

extension AnnotationID: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// Makes an id from a number.
  public init(integerLiteral value: Int) { self.init(value) }
  /// Makes an id from a text.
  public init(stringLiteral value: String) { self.init(value) }
  /// The id as text.
  public var description: String { text }
}
