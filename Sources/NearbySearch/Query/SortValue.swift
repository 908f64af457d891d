import MapAnnotations

/// The sort key of a field's value.
struct SortValue: Hashable, Sendable {
  enum Rank: UInt8, Comparable, Sendable {
    case number, truth, text, none

    static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  let rank: Rank
  /// The value as it was written; empty for none.
  let text: String
  private let number: DecimalNumber?

  static let none = SortValue(rank: .none, text: "")

  init(rank: Rank, text: String) {
    self.rank = rank
    self.text = text
    number = rank == .number ? PropertyValue.string(text).decimal : nil
  }

  /// Lists and objects have no order, and count as no value.
  init(_ value: FieldValue) {
    guard !value.isNull, let property = value.property, let text = property.text else {
      self = .none
      return
    }
    switch property {
    case .bool: self.init(rank: .truth, text: text)
    default: self.init(rank: property.decimal == nil ? .text : .number, text: text)
    }
  }

  /// −1, 0 or 1; keys without a value come last in both directions.
  func order(to other: SortValue, isDescending: Bool) -> Int {
    if rank != other.rank {
      let isFirst = rank < other.rank
      let isTurned = isDescending && rank != .none && other.rank != .none
      return isFirst == isTurned ? 1 : -1
    }
    let order: Int
    switch rank {
    case .none: return 0
    case .number:
      guard let left = number, let right = other.number else { return 0 }
      order = left < right ? -1 : left == right ? 0 : 1
    case .truth, .text:
      order =
        text.utf8.lexicographicallyPrecedes(other.text.utf8)
        ? -1 : text.utf8.elementsEqual(other.text.utf8) ? 0 : 1
    }
    return isDescending ? -order : order
  }
}
