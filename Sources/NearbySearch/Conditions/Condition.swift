import MapAnnotations

/// A condition on the fields of annotations, as people write it.
///
///     let condition = try Condition("kind = 'mart' and (rating >= 4.5 or name contains '이마트')")
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

  /// How deep parentheses and `not` may be nested.
  public static let depthLimit = 100
  /// How many bytes of UTF-8 a condition's text may have.
  public static let lengthLimit = 65_536
}

extension Condition {
  /// How two values are compared.
  public enum Comparison: String, CaseIterable, Hashable, Sendable {
    /// Whether they are the same.
    case equal = "="
    /// Whether they differ.
    case unequal = "!="
    /// Whether the left is smaller.
    case less = "<"
    /// Whether the left is not larger.
    case atMost = "<="
    /// Whether the left is larger.
    case greater = ">"
    /// Whether the left is not smaller.
    case atLeast = ">="
  }

  /// How a text is searched for another: ignoring case and width, but for `like`.
  public enum TextSearch: String, CaseIterable, Hashable, Sendable {
    /// Anywhere.
    case contains
    /// At its beginning.
    case startsWith = "starts with"
    /// At its end.
    case endsWith = "ends with"
    /// Whether all of it is as a pattern: `%` is any text, `_` one character, a backslash takes the next as it is.
    case like
    /// The same, ignoring case and width.
    case ilike
  }

  /// A value as the condition itself names it.
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
    /// What an annotation says there.
    case field(Field)
    /// The same for all annotations.
    case literal(Literal)
  }

  /// A field of annotations: one that all have, or a property of their source.
  public struct Field: Hashable, Sendable {
    /// What the field is.
    public enum Name: Hashable, Sendable {
      /// One that every annotation has.
      case common(Common)
      /// A property of the source's own.
      case property(String)
    }

    /// The fields that all annotations have.
    public enum Common: String, CaseIterable, Hashable, Sendable {
      case id, name, kind, latitude, longitude
      /// Meters from the query's origin.
      case distance
    }

    /// What the field is.
    public let name: Name
    /// Where it stands in the text it was parsed from, from 1; equal fields may differ in it.
    let column: Int

    init(_ name: Name, column: Int) {
      self.name = name
      self.column = column
    }

    /// A field that all annotations have.
    public static func common(_ field: Common) -> Field { Field(.common(field), column: 1) }
    /// A property of the source's own.
    public static func property(_ name: String) -> Field { Field(.property(name), column: 1) }

    /// Whether two fields are the same, wherever they were written.
    public static func == (left: Field, right: Field) -> Bool { left.name == right.name }
    /// Hashes what the field is.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }
}

/// The kinds of value that a condition can compare.
enum ValueType: String {
  case number, text
  case bool = "true or false"
}

extension Condition.Field {
  /// nil where each annotation may have another: properties, and ids, which are numbers or texts.
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
  /// The operands of a test and the type that they are compared as; nil for one that each
  /// annotation decides.
  static func type(of operands: [Operand]) -> ValueType? {
    operands.lazy.compactMap(\.type).first
  }

  /// Every field, in the order of the text.
  public var fields: [Field] {
    func fields(_ operands: [Operand]) -> [Field] {
      operands.compactMap { if case .field(let field) = $0 { field } else { nil } }
    }
    switch self {
    case .comparison(let left, _, let right): return fields([left, right])
    case .range(let operand, let low, let high): return fields([operand, low, high])
    case .membership(let operand, _), .search(let operand, _, _): return fields([operand])
    case .isNull(let field): return [field]
    case .not(let condition): return condition.fields
    case .all(let members), .any(let members): return members.flatMap(\.fields)
    }
  }

  /// Whether it asks for the distance.
  var measuresDistance: Bool {
    func isDistance(_ operand: Operand) -> Bool {
      if case .field(let field) = operand { field.name == .common(.distance) } else { false }
    }
    return switch self {
    case .comparison(let left, _, let right): isDistance(left) || isDistance(right)
    case .range(let operand, let low, let high):
      isDistance(operand) || isDistance(low) || isDistance(high)
    case .membership(let operand, _), .search(let operand, _, _): isDistance(operand)
    case .isNull(let field): field.name == .common(.distance)
    case .not(let condition): condition.measuresDistance
    case .all(let members), .any(let members): members.contains(where: \.measuresDistance)
    }
  }
}
