import Geodesy
import MapAnnotations

@testable import NearbySearch

/// The judge of conditions: asks one annotation, straight from what `Conditions.md` says, and makes a text
/// of whatever it compares.
struct PlainCondition {
  let origin: Coordinate?

  private enum Value {
    case number(String), text(String), bool(Bool), list([PropertyValue]), object
  }

  /// nil is unknown.
  func truth(of condition: Condition, _ item: some Annotation) -> Bool? {
    // One meridian has two names: a test of it is true where it is of either.
    if isOfLongitude(condition), item.coordinate?.longitude == -180 {
      if case .comparison(let left, .unequal, let right) = condition {
        return truth(of: .not(.comparison(left, .equal, right)), item)
      }
      let west = plainTruth(of: condition, item, antimeridian: -180)
      return west == true ? true : plainTruth(of: condition, item, antimeridian: 180)
    }
    return plainTruth(of: condition, item, antimeridian: -180)
  }

  private func isOfLongitude(_ condition: Condition) -> Bool {
    switch condition {
    case .comparison, .range, .membership:
      condition.fields.contains { $0 == .common(.longitude) }
    default: false
    }
  }

  private func plainTruth(
    of condition: Condition, _ item: some Annotation, antimeridian: Double
  ) -> Bool? {
    func value(_ operand: Condition.Operand) -> Value? {
      switch operand {
      case .literal(.number(let text)): .number(text)
      case .literal(.text(let text)): .text(text)
      case .literal(.bool(let value)): .bool(value)
      case .field(let field): self.value(field, item, antimeridian)
      }
    }
    switch condition {
    case .comparison(let left, let comparison, let right):
      guard
        let order = order(value(left), value(right), as: Condition.type(of: [left, right]))
      else { return nil }
      switch comparison {
      case .equal: return order == 0
      case .unequal: return order != 0
      case .less: return order < 0
      case .atMost: return order <= 0
      case .greater: return order > 0
      case .atLeast: return order >= 0
      }
    case .range(let operand, let low, let high):
      let tests = [
        plainTruth(of: .comparison(operand, .atLeast, low), item, antimeridian: antimeridian),
        plainTruth(of: .comparison(operand, .atMost, high), item, antimeridian: antimeridian),
      ]
      return tests.contains(false) ? false : tests.contains(nil) ? nil : true
    case .membership(let operand, let literals):
      let type = literals.first?.type
      guard order(value(operand), value(operand), as: type) != nil else { return nil }
      return literals.contains { order(value(operand), value(.literal($0)), as: type) == 0 }
    case .search(let operand, let search, let wanted):
      guard let value = value(operand), let texts = texts(value) else { return nil }
      if search == .like || search == .ilike {
        return texts.contains {
          PlainCondition.isLike(
            Array(search == .like ? $0 : PlainCondition.folded($0))[...], Array(wanted)[...],
            isFolded: search == .ilike)
        }
      }
      let needle = FoldedText(wanted).bytes
      return texts.map { FoldedText($0).bytes }.contains { text in
        guard text.count >= needle.count else { return false }
        switch search {
        case .startsWith: return Array(text.prefix(needle.count)) == needle
        case .endsWith: return Array(text.suffix(needle.count)) == needle
        default:
          return (0...(text.count - needle.count)).contains {
            Array(text[$0..<$0 + needle.count]) == needle
          }
        }
      }
    case .isNull(let field): return self.value(field, item, antimeridian) == nil
    case .not(let inner): return truth(of: inner, item).map { !$0 }
    case .all(let members):
      let truths = members.map { truth(of: $0, item) }
      return truths.contains(false) ? false : truths.contains(nil) ? nil : true
    case .any(let members):
      let truths = members.map { truth(of: $0, item) }
      return truths.contains(true) ? true : truths.contains(nil) ? nil : false
    }
  }

  private static func folded(_ text: String) -> String {
    String(decoding: FoldedText(text).bytes, as: UTF8.self)
  }

  /// Whether a text is as a pattern, tried in every way.
  private static func isLike(
    _ text: ArraySlice<Character>, _ pattern: ArraySlice<Character>, isFolded: Bool
  ) -> Bool {
    guard var first = pattern.first else { return text.isEmpty }
    var rest = pattern.dropFirst()
    switch first {
    case "%":
      return (0...text.count).contains {
        isLike(text.dropFirst($0), rest, isFolded: isFolded)
      }
    case "_": return !text.isEmpty && isLike(text.dropFirst(), rest, isFolded: isFolded)
    case "\\": first = rest.popFirst() ?? first
    default: break
    }
    let wanted = isFolded ? folded(String(first)) : String(first)
    return text.starts(with: wanted)
      && isLike(text.dropFirst(wanted.count), rest, isFolded: isFolded)
  }

  private func value(
    _ field: Condition.Field, _ item: some Annotation, _ antimeridian: Double
  ) -> Value? {
    func text(_ text: String?) -> Value? {
      text.flatMap { NullText.isNull($0) ? nil : .text($0) }
    }
    func number(_ number: Double?) -> Value? { number.map { .number($0.description) } }
    switch field.name {
    case .common(.id): return .text(item.id.text)
    case .common(.name): return text(item.name)
    case .common(.kind): return text(item.kind?.rawValue)
    case .common(.latitude): return number(item.coordinate?.latitude)
    case .common(.longitude):
      return number(
        item.coordinate.map { $0.longitude == -180 ? antimeridian : $0.longitude })
    case .common(.distance):
      return number(
        origin.flatMap { origin in item.coordinate.map { origin.distance(to: $0).meters } })
    case .property(let name):
      switch item.property(name) {
      case nil, .null: return nil
      case .string(let string): return text(string)
      case .number(let text): return .number(text)
      case .bool(let value): return .bool(value)
      case .array(let elements): return .list(elements)
      case .object: return .object
      }
    }
  }

  private func texts(_ value: Value) -> [String]? {
    switch value {
    case .text(let text): return text.isEmpty ? nil : [text]
    case .list(let elements):
      let texts = elements.compactMap { element -> String? in
        if case .string(let text) = element, !NullText.isNull(text) { text } else { nil }
      }
      return texts.isEmpty && !elements.isEmpty ? nil : texts
    default: return nil
    }
  }

  private func order(_ left: Value?, _ right: Value?, as type: ValueType?) -> Int? {
    func sign(_ isLess: Bool, _ isEqual: Bool) -> Int { isLess ? -1 : isEqual ? 0 : 1 }
    guard let left, let right else { return nil }
    if type == .number || type == nil, let a = decimal(left), let b = decimal(right) {
      return sign(a < b, a == b)
    }
    if type == .text || type == nil, case .text(let a) = left, case .text(let b) = right,
      !a.isEmpty, !b.isEmpty
    {
      return sign(a < b, a == b)
    }
    if type == .bool || type == nil, let a = bool(left), let b = bool(right) {
      return sign(!a && b, a == b)
    }
    return nil
  }

  private func bool(_ value: Value) -> Bool? {
    switch value {
    case .bool(let value): value
    case .text(let text):
      switch text.lowercased() {
      case "true": true
      case "false": false
      default: nil
      }
    default: nil
    }
  }

  private func decimal(_ value: Value) -> PlainDecimal? {
    switch value {
    case .number(let text), .text(let text): PlainDecimal(text)
    default: nil
    }
  }
}

/// A decimal number as 150 digits before the point and 150 behind it.
private struct PlainDecimal: Comparable {
  private let isNegative: Bool
  private let digits: [UInt8]

  init?(_ text: String) {
    var text = Array(text.utf8)[...]
    while text.first == 0x20 || text.first == 9 { text = text.dropFirst() }
    while text.last == 0x20 || text.last == 9 { text = text.dropLast() }
    var isNegative = false
    if let sign = text.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      text = text.dropFirst()
    }
    let isDigit: (UInt8) -> Bool = { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let whole = text.prefix(while: isDigit)
    text = text.dropFirst(whole.count)
    var fraction = text.prefix(0)
    if text.first == UInt8(ascii: ".") {
      fraction = text.dropFirst().prefix(while: isDigit)
      text = text.dropFirst(1 + fraction.count)
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    var shift = 0
    if let mark = text.first {
      guard mark | 0x20 == UInt8(ascii: "e"),
        let exponent = Int(String(decoding: text.dropFirst(), as: UTF8.self))
      else { return nil }
      shift = exponent
    }
    precondition(abs(shift) < 100, "\(shift) is too far for the judge")
    var digits = Array(repeating: UInt8(ascii: "0"), count: 150 - whole.count - shift)
    digits += whole + fraction
    digits += Array(repeating: UInt8(ascii: "0"), count: 300 - digits.count)
    self.digits = digits
    self.isNegative = isNegative && digits.contains { $0 != UInt8(ascii: "0") }
  }

  static func < (left: PlainDecimal, right: PlainDecimal) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    return left.isNegative
      ? right.digits.lexicographicallyPrecedes(left.digits)
      : left.digits.lexicographicallyPrecedes(right.digits)
  }
}
