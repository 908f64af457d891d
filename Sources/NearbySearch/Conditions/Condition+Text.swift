import Geodesy

extension Condition: CustomStringConvertible, LosslessStringConvertible {
  /// Parses a condition; nil where `init(parsing:)` would throw.
  public init?(_ description: String) {
    do throws(ConditionError) { try self.init(parsing: description) } catch { return nil }
  }

  /// The condition in canonical form: lowercase keywords, one space between words, parentheses only where needed.
  public var description: String { text(isNegated: false) }

  private func text(isNegated: Bool) -> String {
    let not = isNegated ? "not " : ""
    return switch self {
    case .comparison(let left, let comparison, let right):
      "\(not)\(left) \(comparison.rawValue) \(right)"
    // A test made of words is negated inside.
    case .range(let operand, let low, let high): "\(operand) \(not)between \(low) and \(high)"
    case .membership(let operand, let literals):
      "\(operand) \(not)in (\(literals.map(\.description).joined(separator: ", ")))"
    case .search(let operand, let search, let text):
      "\(operand) \(not)\(search.rawValue) \(Literal.text(text))"
    case .isNull(let field): "\(field) is \(not)null"
    case .not where isNegated: "not \(self)"
    case .not(let condition): condition.text(isNegated: true)
    case .all where isNegated, .any where isNegated: "not (\(self))"
    case .all(let members): members.map { $0.enclosed(in: .all) }.joined(separator: " and ")
    case .any(let members): members.map { $0.enclosed(in: .any) }.joined(separator: " or ")
    }
  }

  private enum Junction { case all, any }

  private func enclosed(in junction: Junction) -> String {
    switch (self, junction) {
    case (.any, _), (.all, .all): "(\(self))"
    default: description
    }
  }
}

extension Condition.Literal: CustomStringConvertible {
  /// The literal as a condition writes it, with quotes doubled.
  public var description: String {
    switch self {
    case .number(let text): text
    case .text(let text): text.quoted(by: "'")
    case .bool(let value): value ? "true" : "false"
    }
  }
}

extension Condition.Operand: CustomStringConvertible {
  /// The field or the literal as a condition writes it.
  public var description: String {
    switch self {
    case .field(let field): field.description
    case .literal(let literal): literal.description
    }
  }
}

extension Condition.Field: CustomStringConvertible {
  /// The name as a condition writes it, in double quotes where it would be read as something else.
  public var description: String {
    switch name {
    case .common(let field): field.rawValue
    case .property(let name): Self.isPlain(name) ? name : name.quoted(by: "\"")
    }
  }

  /// Whether a property's name can stand without quotes.
  private static func isPlain(_ name: String) -> Bool {
    var scalars = name.unicodeScalars[...]
    guard let first = scalars.popFirst(), ConditionLexer.startsName(first) else { return false }
    let word = ConditionLexer.lowercased(name)
    return scalars.allSatisfy(ConditionLexer.continuesName)
      && ConditionLexer.Keyword(rawValue: word) == nil && Common(rawValue: word) == nil
  }
}

// MARK: Names in lists of fields

extension Condition.Field {
  /// A field by its name, as a list of fields or `--sort` writes it.
  ///
  /// In double quotes it is a property; without, a field that all annotations have, or else a property.
  public init(named text: String) {
    // By scalars: a combining accent after a quote belongs to the name.
    let scalars = text.unicodeScalars
    if scalars.count >= 2, scalars.first == "\"", scalars.last == "\"" {
      let inner = scalars.dropFirst().dropLast()
      var name = String.UnicodeScalarView()
      var isQuote = false
      for scalar in inner {
        isQuote = scalar == "\"" && !isQuote
        if !isQuote { name.append(scalar) }
      }
      self = .property(String(name))
    } else {
      let common = Common(rawValue: ConditionLexer.lowercased(text))
      self = common.map { .common($0) } ?? .property(text)
    }
  }

  /// The names in a comma-separated list; names in double quotes may contain commas.
  package static func names(in text: String) -> [String] {
    var isQuoted = false
    return text.unicodeScalars.split(omittingEmptySubsequences: false) { scalar in
      if scalar == "\"" { isQuoted.toggle() }
      return scalar == "," && !isQuoted
    }.map { String($0) }
  }
}
