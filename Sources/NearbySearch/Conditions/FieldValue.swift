import Geodesy
import MapAnnotations

/// What an annotation says in a field.
struct FieldValue: Sendable {
  /// nil where it says nothing, a text that stands for no value included.
  let property: PropertyValue?

  init(_ property: PropertyValue?) {
    switch property {
    case .null?: self.property = nil
    case .string(let text)? where NullText.isNull(text): self.property = nil
    default: self.property = property
    }
  }

  /// An id, which is what it is, whatever word it is.
  init(id: String) { property = .string(id) }

  init(_ literal: Condition.Literal) {
    switch literal {
    case .number(let text): property = .number(text)
    case .text(let text): property = .string(text)
    case .bool(let value): property = .bool(value)
    }
  }

  /// Whether it says nothing.
  var isNull: Bool { property == nil }

  /// The number, also one that is written as a text.
  var decimal: DecimalNumber? { property?.decimal }

  /// The text; nil for what is none, and for an empty one.
  var plainText: String? {
    if case .string(let text)? = property, !text.isEmpty { text } else { nil }
  }

  /// The texts to search: the one text, or those of a list; nil for what has none but is not an empty
  /// list.
  var searchedTexts: [String]? {
    guard case .array(let elements)? = property else { return plainText.map { [$0] } }
    let texts = elements.compactMap { FieldValue($0).plainText }
    return texts.isEmpty && !elements.isEmpty ? nil : texts
  }

  /// The truth value, also one that is written as a text.
  var truth: Bool? {
    switch property {
    case .bool(let value)?: value
    case .string(let text)? where text.utf8.count <= 5:
      switch text.lowercased() {
      case "true": true
      case "false": false
      default: nil
      }
    default: nil
    }
  }
}

/// What two fields can be compared by.
protocol FieldComparable: Sendable {
  /// −1, 0 or 1; nil where the two are of different kinds.
  func order(to other: Self) -> Int?
}

extension FieldComparable where Self: Comparable {
  func order(to other: Self) -> Int? { self < other ? -1 : self == other ? 0 : 1 }
}

extension DecimalNumber: FieldComparable {}
extension String: FieldComparable {}
extension Int: FieldComparable {}

extension FieldValue: FieldComparable {
  /// Numbers as such where both are, and else texts, and else truth values.
  func order(to other: FieldValue) -> Int? {
    if let left = decimal, let right = other.decimal { return left.order(to: right) }
    if let left = plainText, let right = other.plainText { return left.order(to: right) }
    if let left = truth, let right = other.truth {
      return (left ? 1 : 0).order(to: right ? 1 : 0)
    }
    return nil
  }
}

extension Condition.Field {
  /// What reads the field of an annotation.
  ///
  /// - Parameter antimeridian: The longitude of what lies on it, −180 or 180: they are one meridian.
  /// - Throws: `ConditionError` where the distance has no origin.
  func reader<Item: Annotation>(
    of type: Item.Type, from origin: Coordinate?, antimeridian: Double = -180
  ) throws(ConditionError) -> @Sendable (Item) -> FieldValue {
    switch name {
    case .property(let name): return { FieldValue($0.property(name)) }
    case .common(.id): return { FieldValue(id: $0.id.text) }
    case .common(.name): return { FieldValue($0.name.map { .string($0) }) }
    case .common(.kind): return { FieldValue($0.kind.map { .string($0.rawValue) }) }
    case .common(.latitude), .common(.longitude), .common(.distance):
      let read = try numberReader(of: type, from: origin, antimeridian: antimeridian)
      return { FieldValue(read($0).map { .number($0.description) }) }
    }
  }

  /// What reads the field where it is a number that every placed annotation has: degrees, or meters.
  ///
  /// - Throws: `ConditionError` where the distance has no origin.
  func numberReader<Item: Annotation>(
    of type: Item.Type, from origin: Coordinate?, antimeridian: Double = -180
  ) throws(ConditionError) -> @Sendable (Item) -> Double? {
    switch name {
    case .common(.latitude): return { $0.coordinate?.latitude }
    case .common(.longitude):
      return { $0.coordinate.map { $0.longitude == -180 ? antimeridian : $0.longitude } }
    case .common(.distance):
      guard let origin else {
        throw ConditionError(
          .position, "distance is measured from --lat and --lon; give them", column: column)
      }
      return { $0.distance(from: origin)?.meters }
    case .common(.id), .common(.name), .common(.kind), .property: return { _ in nil }
    }
  }
}
