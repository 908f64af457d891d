import Geodesy
import MapAnnotations

/// A test of one field against literals of a condition, run on a cell's bytes in place.
///
/// No string is made of the bytes, and no literal is parsed twice.
struct FieldTest: Sendable {
  enum Kind: Sendable {
    /// Against an unusable literal: a text where a number belongs.
    case unknown
    case number(Condition.Comparison, NumberLiteral)
    case numberAmong(Set<DecimalNumber>)
    case text(Condition.Comparison, TextLiteral)
    case textAmong(Set<String>)
    case truth(Condition.Comparison, Bool)
    case truthAmong(Set<Bool>)
    /// `contains`, `starts with` or `ends with`.
    case search(Condition.TextSearch, FoldedText)
    case like(LikePattern)
    case isNull
  }

  let kind: Kind

  /// The form of column that can answer it.
  var form: TextColumn.Form {
    if case .search = kind { .folded } else { .written }
  }

  /// The cost relative to other tests.
  var cost: Int {
    switch kind {
    case .unknown, .isNull: 1
    case .number, .truth, .truthAmong, .text: 2
    case .numberAmong, .textAmong, .search, .like: 3
    }
  }

  // MARK: What annotations say

  /// The result for a property; nil is unknown.
  func truth(of value: PropertyValue?) -> Bool? {
    switch value {
    case nil, .null: return truthOfNull
    case .string(var text): return text.withUTF8 { truth(ofCell: $0) }
    case .number(var digits): return isNull ? false : digits.withUTF8 { truth(ofNumber: $0) }
    case .bool(let value): return isNull ? false : truth(of: value)
    case .array(let elements):
      switch kind {
      case .search, .like: return truth(ofList: elements)
      default: return isNull ? false : nil
      }
    case .object: return isNull ? false : nil
    }
  }

  /// The result for a text, which may stand for null.
  func truth(of text: String?) -> Bool? {
    guard var text else { return truthOfNull }
    return text.withUTF8 { truth(ofCell: $0) }
  }

  /// The result for an id, which is taken literally, even where the same text means null elsewhere.
  func truth(ofID id: String) -> Bool? {
    var id = id
    return id.withUTF8 { truth(ofText: $0) }
  }

  private var isNull: Bool { if case .isNull = kind { true } else { false } }

  private var truthOfNull: Bool? { isNull ? true : nil }

  private func truth(ofCell bytes: UnsafeBufferPointer<UInt8>) -> Bool? {
    NullText.isNull(bytes) ? truthOfNull : truth(ofText: bytes)
  }

  /// The result for a list, where any element may match; a list without texts, unless it is empty, is not text at all.
  private func truth(ofList elements: [PropertyValue]) -> Bool? {
    var hasText = elements.isEmpty
    for case .string(let text) in elements where !NullText.isNull(text) {
      hasText = true
      if truth(ofID: text) == true { return true }
    }
    return hasText ? false : nil
  }

  // MARK: Bytes

  /// The result for a text that is not null; unknown where it is empty, except for `isNull`.
  @inline(__always)
  func truth(ofText bytes: UnsafeBufferPointer<UInt8>) -> Bool? {
    switch kind {
    case .unknown: return nil
    case .isNull: return false
    case .number, .numberAmong: return truth(ofNumber: bytes)
    case .text(let comparison, let literal):
      guard !bytes.isEmpty else { return nil }
      switch comparison {
      case .equal: return literal.isEqual(to: bytes)
      case .unequal: return !literal.isEqual(to: bytes)
      default: return comparison.holds(literal.order(of: bytes))
      }
    case .textAmong(let texts):
      return bytes.isEmpty ? nil : texts.contains(String(decoding: bytes, as: UTF8.self))
    case .truth, .truthAmong: return FieldTest.bool(bytes).flatMap(truth(of:))
    case .search(let search, let wanted):
      return bytes.isEmpty ? nil : FieldTest.search(bytes, search, wanted)
    case .like(let pattern): return bytes.isEmpty ? nil : pattern.matches(bytes)
    }
  }

  /// The result for a number, or for a text that holds one.
  func truth(ofNumber bytes: UnsafeBufferPointer<UInt8>) -> Bool? {
    switch kind {
    case .number(let comparison, let literal): literal.order(of: bytes).map(comparison.holds)
    case .numberAmong(let numbers): DecimalNumber(trimming: bytes).map(numbers.contains)
    default: nil
    }
  }

  private func truth(of value: Bool) -> Bool? {
    switch kind {
    case .truth(let comparison, let wanted):
      comparison.holds((value ? 1 : 0) - (wanted ? 1 : 0))
    case .truthAmong(let values): values.contains(value)
    default: nil
    }
  }

  private static func bool(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool? {
    guard bytes.count <= 5, bytes.count >= 4 else { return nil }
    return FieldValue(.string(String(decoding: bytes, as: UTF8.self))).truth
  }

  private static func search(
    _ bytes: UnsafeBufferPointer<UInt8>, _ search: Condition.TextSearch, _ wanted: FoldedText
  ) -> Bool {
    guard bytes.isASCII else {
      let text = FoldedText(utf8: bytes)
      return switch search {
      case .startsWith: text.starts(with: wanted)
      case .endsWith: text.ends(with: wanted)
      default: text.contains(wanted)
      }
    }
    let room = bytes.count - wanted.bytes.count
    guard room >= 0 else { return false }
    return wanted.bytes.withUnsafeBufferPointer { wanted in
      switch search {
      case .startsWith: bytes.isFolded(wanted, at: 0)
      case .endsWith: bytes.isFolded(wanted, at: room)
      default: bytes.hasFolded(wanted, upTo: room)
      }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  var isASCII: Bool {
    var merged: UInt8 = 0
    for byte in self { merged |= byte }
    return merged < 0x80
  }

  /// Whether an ASCII text has a folded one at a place.
  fileprivate func isFolded(_ wanted: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    for offset in wanted.indices where self[place + offset].lowercasedASCII != wanted[offset] {
      return false
    }
    return true
  }

  /// Whether an ASCII text has a folded one at a place up to some last.
  fileprivate func hasFolded(_ wanted: UnsafeBufferPointer<UInt8>, upTo last: Int) -> Bool {
    guard let first = wanted.first else { return true }
    for place in 0...last
    where self[place].lowercasedASCII == first && isFolded(wanted, at: place) { return true }
    return false
  }
}

extension Condition.Comparison {
  /// Whether values in an order (−1, 0 or 1) satisfy the comparison.
  @inline(__always)
  func holds(_ order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .unequal: order != 0
    case .less: order < 0
    case .atMost: order <= 0
    case .greater: order > 0
    case .atLeast: order >= 0
    }
  }

  /// The comparison with its two sides swapped.
  var mirrored: Condition.Comparison {
    switch self {
    case .equal, .unequal: self
    case .less: .greater
    case .atMost: .atLeast
    case .greater: .less
    case .atLeast: .atMost
    }
  }
}
