import Geodesy
import MapAnnotations

/// The value of an annotation's field.
struct FieldValue: Sendable {
  /// nil where there is no value, including a text that stands for none.
  let property: PropertyValue?

  init(_ property: PropertyValue?) {
    switch property {
    case .null?: self.property = nil
    case .string(let text)? where NullText.isNull(text): self.property = nil
    default: self.property = property
    }
  }

  /// An id, which is taken literally, even where the same text means null elsewhere.
  init(id: String) { property = .string(id) }

  init(_ literal: Condition.Literal) {
    switch literal {
    case .number(let text): property = .number(text)
    case .text(let text): property = .string(text)
    case .bool(let value): property = .bool(value)
    }
  }

  /// Whether there is no value.
  var isNull: Bool { property == nil }

  /// The number, even if it is written as a text.
  var decimal: DecimalNumber? { property?.decimal }

  /// The text; nil for other types, and for an empty text.
  var plainText: String? {
    if case .string(let text)? = property, !text.isEmpty { text } else { nil }
  }

  /// The texts to search: the text itself, or those of a list; nil where there are none, except for an empty list.
  var searchedTexts: [String]? {
    guard case .array(let elements)? = property else { return plainText.map { [$0] } }
    let texts = elements.compactMap { FieldValue($0).plainText }
    return texts.isEmpty && !elements.isEmpty ? nil : texts
  }

  /// The truth value, even if it is written as a text.
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

/// A type that two fields can be compared as.
protocol FieldComparable: Sendable {
  /// −1, 0 or 1; nil where the two have different types.
  func order(to other: Self) -> Int?
}

extension FieldComparable where Self: Comparable {
  func order(to other: Self) -> Int? { self < other ? -1 : self == other ? 0 : 1 }
}

extension DecimalNumber: FieldComparable {}
extension String: FieldComparable {}
extension Int: FieldComparable {}

extension FieldValue: FieldComparable {
  /// Compares as numbers where both are numbers, otherwise as texts, otherwise as truth values.
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
  /// A closure that reads the field of an annotation.
  ///
  /// - Parameter antimeridian: The longitude to use on the antimeridian, −180 or 180: both are one meridian.
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
      return { FieldValue(read($0).map { .number(plainDecimal($0)) }) }
    }
  }

  /// A closure that reads a field that is a number for every placed annotation: degrees, or meters.
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
          .position, "give `origin`, or there is no distance", column: column)
      }
      return { $0.distance(from: origin)?.meters }
    case .common(.id), .common(.name), .common(.kind), .property: return { _ in nil }
    }
  }
}
