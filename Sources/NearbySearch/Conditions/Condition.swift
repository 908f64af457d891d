import MapAnnotations

/// A condition on the fields of annotations, as users write it.
///
///     let condition = try Condition(
///       parsing: "kind = 'mart' and (rating >= 4.5 or name contains '이마트')")
///
/// <doc:Conditions> describes the language. A condition is a value: equal conditions mean the same,
/// and its `description` parses back to it. `ConditionFilter` prepares it for testing many
/// annotations.
///
/// Conditions made in code nest at most `Condition.depthLimit` deep, and `all` and `any` hold two
/// or more.
public indirect enum Condition: Hashable, Sendable {
  /// `rating >= 4.5`
  case comparison(Operand, Comparison, Operand)
  /// `rating between 3 and 4.5`, both ends included.
  case range(Operand, Operand, Operand)
  /// `kind in ('mart', 'deal')`
  case membership(Operand, [Literal])
  /// `name contains '약국'`
  case search(Operand, TextSearch, String)
  /// `address is null`
  case isNull(Field)
  /// `not …`
  case not(Condition)
  /// `… and … and …`
  case all([Condition])
  /// `… or … or …`
  case any([Condition])

  /// The greatest depth to which parentheses and `not` may be nested.
  public static let depthLimit = 100
  /// The greatest length of a condition's text, in bytes of UTF-8.
  public static let lengthLimit = 65_536
}

extension Condition {
  /// How two values are compared.
  public enum Comparison: String, CaseIterable, Hashable, Sendable {
    /// The values are equal.
    case equal = "="
    /// The values differ.
    case unequal = "!="
    /// The left value is smaller.
    case less = "<"
    /// The left value is not larger.
    case atMost = "<="
    /// The left value is larger.
    case greater = ">"
    /// The left value is not smaller.
    case atLeast = ">="
  }

  /// How text is searched, ignoring case and width except for `like`.
  public enum TextSearch: String, CaseIterable, Hashable, Sendable {
    /// Anywhere in the text.
    case contains
    /// At its beginning.
    case startsWith = "starts with"
    /// At its end.
    case endsWith = "ends with"
    /// The whole text matches a pattern: `%` is any text, `_` one character, and a backslash escapes the next
    /// character.
    case like
    /// The same as `like`, ignoring case and width.
    case ilike
  }

  /// A literal value in a condition.
  public enum Literal: Hashable, Sendable {
    /// A decimal number, as it was written; compared exactly.
    case number(String)
    /// A text.
    case text(String)
    /// `true` or `false`.
    case bool(Bool)
  }

  /// One side of a comparison.
  public enum Operand: Hashable, Sendable {
    /// The value that an annotation has in a field.
    case field(Field)
    /// A literal, the same for all annotations.
    case literal(Literal)
  }

  /// A field of annotations: one that they all have, or a property of their source.
  public struct Field: Hashable, Sendable {
    /// Which field it is.
    public enum Name: Hashable, Sendable {
      /// One that every annotation has.
      case common(Common)
      /// A property of the source.
      case property(String)
    }

    /// The fields that all annotations have.
    public enum Common: String, CaseIterable, Hashable, Sendable {
      case id, name, kind, latitude, longitude
      /// Meters from the query's origin.
      case distance
    }

    /// Which field it is.
    public let name: Name
    /// Its column in the parsed text, from 1, or 0 if it was made in code; equal fields may differ in it.
    let column: Int

    init(_ name: Name, column: Int) {
      self.name = name
      self.column = column
    }

    /// A field that all annotations have.
    public static func common(_ field: Common) -> Field { Field(.common(field), column: 0) }
    /// A property of the source.
    public static func property(_ name: String) -> Field { Field(.property(name), column: 0) }

    /// Whether two fields are the same, wherever they were written.
    public static func == (left: Field, right: Field) -> Bool { left.name == right.name }
    /// Hashes which field it is.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }
}

/// The types of values that a condition can compare.
enum ValueType: String {
  case number, text
  case bool = "true or false"
}

extension Condition.Field {
  /// nil where the type may differ between annotations: properties, and ids, which are numbers or texts.
  var type: ValueType? {
    switch name {
    case .common(.latitude), .common(.longitude), .common(.distance): .number
    case .common(.name), .common(.kind): .text
    case .common(.id), .property: nil
    }
  }
}

extension Condition.Literal {
  var type: ValueType {
    switch self {
    case .number: .number
    case .text: .text
    case .bool: .bool
    }
  }
}

extension Condition.Operand {
  var type: ValueType? {
    switch self {
    case .field(let field): field.type
    case .literal(let literal): literal.type
    }
  }
}

extension Condition {
  /// The type as which operands are compared; nil where each annotation decides it.
  static func type(of operands: [Operand]) -> ValueType? {
    operands.lazy.compactMap(\.type).first
  }

  /// All fields, in the order of the text.
  public var fields: [Field] {
    var fields: [Field] = []
    _ = hasField {
      fields.append($0)
      return false
    }
    return fields
  }

  /// Whether the condition depends on the distance.
  package var measuresDistance: Bool { hasField { $0.name == .common(.distance) } }

  /// Whether some field satisfies a predicate, asked in the order of the text until it is true.
  private func hasField(_ isWanted: (Field) -> Bool) -> Bool {
    func isIn(_ operand: Operand) -> Bool {
      if case .field(let field) = operand { isWanted(field) } else { false }
    }
    return switch self {
    case .comparison(let left, _, let right): isIn(left) || isIn(right)
    case .range(let operand, let low, let high): isIn(operand) || isIn(low) || isIn(high)
    case .membership(let operand, _), .search(let operand, _, _): isIn(operand)
    case .isNull(let field): isWanted(field)
    case .not(let condition): condition.hasField(isWanted)
    case .all(let members), .any(let members): members.contains { $0.hasField(isWanted) }
    }
  }
}
