import Geodesy
import MapAnnotations

extension Condition {
  /// Parses a condition.
  ///
  /// - Throws: `ConditionError` with `where-syntax`; `where-type` for values that can never be compared, such as
  ///   `latitude = 'north'`; `where-depth` or `where-length` if it is too deep or too long.
  /// - Complexity: O(*n*), on a stack of at most `depthLimit` levels.
  public init(parsing text: String) throws(ConditionError) {
    guard text.utf8.count <= Condition.lengthLimit else {
      throw ConditionError(
        .length,
        "this condition has \(text.utf8.count) bytes; \(Condition.lengthLimit) are the limit, "
          + "so put long lists into a column of the data", column: 1)
    }
    var parser = try ConditionParser(text)
    self = try parser.wholeCondition()
  }
}

/// A recursive-descent parser: `or` binds loosest, then `and`, then `not`.
private struct ConditionParser {
  private var lexer: ConditionLexer
  private var token: ConditionLexer.Token = .end
  private var column = 1
  private var depth = 0

  init(_ text: String) throws(ConditionError) {
    lexer = ConditionLexer(text)
    try advance()
  }

  private mutating func advance() throws(ConditionError) {
    (token, column) = try lexer.next()
  }

  /// Consumes a keyword if it comes next.
  private mutating func skip(_ keyword: ConditionLexer.Keyword) throws(ConditionError) -> Bool {
    guard token == .keyword(keyword) else { return false }
    try advance()
    return true
  }

  mutating func wholeCondition() throws(ConditionError) -> Condition {
    guard token != .end else {
      throw error("there is no condition here; write one as kind = 'mart'")
    }
    let condition = try disjunction()
    guard token == .end else {
      throw error(
        token == .close
          ? "this parenthesis was never opened; take it out, or open it"
          : "the condition could end here; join it to what follows with and or or")
    }
    return condition
  }

  private mutating func disjunction() throws(ConditionError) -> Condition {
    let first = try conjunction()
    var members = [first]
    while try skip(.or) { members.append(try conjunction()) }
    return members.count == 1 ? first : .any(members)
  }

  private mutating func conjunction() throws(ConditionError) -> Condition {
    let first = try negation()
    var members = [first]
    while try skip(.and) { members.append(try negation()) }
    return members.count == 1 ? first : .all(members)
  }

  private mutating func negation() throws(ConditionError) -> Condition {
    guard depth < Condition.depthLimit else {
      throw ConditionError(
        .depth,
        "this is nested more than \(Condition.depthLimit) deep; take out parentheses and nots",
        column: column)
    }
    depth += 1
    defer { depth -= 1 }
    if try skip(.not) { return .not(try negation()) }
    guard token == .open else { return try test() }
    let start = column
    try advance()
    let condition = try disjunction()
    guard token == .close else {
      throw ConditionError(
        .syntax,
        token == .end
          ? "this parenthesis never closes; close it with )"
          : "what follows column \(column - 1) does not fit; close the parenthesis with ), or join "
            + "with and or or", column: token == .end ? start : column)
    }
    try advance()
    return condition
  }

  private mutating func test() throws(ConditionError) -> Condition {
    let first = column
    let operand = try operand()
    if case .comparison(let comparison) = token {
      try advance()
      let start = column
      let other = try comparedOperand()
      try check(other, at: start, against: [operand])
      return .comparison(operand, comparison, other)
    }
    if token == .keyword(.is) { return try nullTest(of: operand) }
    let isNegated = try skip(.not)
    let test = try wordTest(of: operand, at: first)
    return isNegated ? .not(test) : test
  }

  /// Parses a test made of words, which `not` may precede.
  private mutating func wordTest(
    of operand: Condition.Operand, at start: Int
  ) throws(ConditionError) -> Condition {
    switch token {
    case .keyword(.in):
      try advance()
      return .membership(operand, try literals(comparedWith: operand))
    case .keyword(.between):
      try advance()
      let (lowStart, low) = (column, try comparedOperand())
      try check(low, at: lowStart, against: [operand])
      guard try skip(.and) else {
        throw error("between has two ends; write between 1 and 5")
      }
      let (highStart, high) = (column, try comparedOperand())
      try check(high, at: highStart, against: [operand, low])
      return .range(operand, low, high)
    case .keyword(.contains):
      try advance()
      return try search(operand, .contains)
    case .keyword(.starts), .keyword(.ends):
      let search: Condition.TextSearch = token == .keyword(.starts) ? .startsWith : .endsWith
      try advance()
      guard try skip(.with) else { throw error("write \(search.rawValue) '…'") }
      return try self.search(operand, search)
    case .keyword(.like), .keyword(.ilike):
      let search: Condition.TextSearch = token == .keyword(.like) ? .like : .ilike
      try advance()
      return try self.search(operand, search)
    default:
      throw error(
        "a comparison belongs here: one of = != < <= > >=, in, between, contains, starts with, "
          + "ends with, like, ilike, is null"
          + (lexer.unquotedName(at: start).map {
            "; or put the field's name in double quotes, \($0)"
          } ?? ""))
    }
  }

  private mutating func nullTest(of operand: Condition.Operand) throws(ConditionError) -> Condition
  {
    let start = column
    try advance()
    let isNegated = try skip(.not)
    guard try skip(.null) else { throw error("write is null or is not null") }
    guard case .field(let field) = operand else {
      throw ConditionError(.type, "\(operand) is never null; name a field", column: start)
    }
    return isNegated ? .not(.isNull(field)) : .isNull(field)
  }

  private mutating func search(
    _ operand: Condition.Operand, _ search: Condition.TextSearch
  ) throws(ConditionError) -> Condition {
    let start = column
    guard case .literal(let literal) = try comparedOperand() else {
      throw ConditionError(.syntax, "write the text to look for in '…'", column: start)
    }
    guard case .text(let text) = literal else {
      throw ConditionError(
        .type, "\(literal) is not a text; write \(search.rawValue) '\(literal)'", column: start)
    }
    if let type = operand.type, type != .text {
      throw ConditionError(
        .type, "\(operand) is not a text and has no words to look for; compare it with = < >",
        column: start)
    }
    return .search(operand, search, text)
  }

  /// Parses a list in parentheses.
  private mutating func literals(
    comparedWith operand: Condition.Operand
  ) throws(ConditionError) -> [Condition.Literal] {
    guard token == .open else { throw error("write the values as in ('a', 'b')") }
    var literals: [Condition.Literal] = []
    repeat {
      try advance()
      let start = column
      let member = try comparedOperand()
      guard case .literal(let literal) = member else {
        throw ConditionError(
          .syntax, "a list holds numbers and texts, no fields; put texts in '…'", column: start)
      }
      try check(member, at: start, against: [operand] + literals.prefix(1).map { .literal($0) })
      literals.append(literal)
    } while token == .comma
    guard token == .close else { throw error("put a comma between values, or close with )") }
    try advance()
    return literals
  }

  /// Checks that a value can be compared with others.
  private func check(
    _ operand: Condition.Operand, at start: Int, against others: [Condition.Operand]
  ) throws(ConditionError) {
    // An id is taken literally, even where the same text means null elsewhere.
    if case .literal(.text(let text)) = operand, NullText.isNull(text),
      text.isEmpty || !others.contains(.field(.common(.id)))
    {
      throw ConditionError(
        .type,
        "\(text.isEmpty ? "an empty text" : "'\(text)'") is not a value and equals nothing; "
          + "write is null", column: start)
    }
    guard let type = operand.type else { return }
    for other in others {
      guard let otherType = other.type, otherType != type else { continue }
      throw ConditionError(
        .type,
        "\(other) is \(otherType.withArticle) and \(operand) is \(type.withArticle); "
          + ConditionParser.remedy(type, otherType), column: start)
    }
  }

  private static func remedy(_ type: ValueType, _ wanted: ValueType) -> String {
    switch (type, wanted) {
    case (_, .text): "compare it with a text in '…'"
    case (.text, .number): "compare it with a number, without quotes"
    default: "compare values of one kind"
    }
  }

  /// Parses an operand after a comparison, where `null` is a common mistake.
  private mutating func comparedOperand() throws(ConditionError) -> Condition.Operand {
    guard token != .keyword(.null) else {
      throw ConditionError(
        .type, "nothing equals null; write is null or is not null", column: column)
    }
    return try operand()
  }

  private mutating func operand() throws(ConditionError) -> Condition.Operand {
    let start = column
    let operand: Condition.Operand
    switch token {
    case .number(let text): operand = .literal(.number(text))
    case .text(let text): operand = .literal(.text(text))
    case .keyword(.true): operand = .literal(.bool(true))
    case .keyword(.false): operand = .literal(.bool(false))
    case .name(let name):
      let common = Condition.Field.Common(rawValue: ConditionLexer.lowercased(name))
      operand = .field(
        Condition.Field(common.map { .common($0) } ?? .property(name), column: start))
    case .quotedName(let name):
      operand = .field(Condition.Field(.property(name), column: start))
    case .end:
      throw error("the condition ends too early; write a field, a number or a 'text'")
    case .keyword(let keyword):
      throw error(
        "\(keyword.rawValue) cannot stand here; put a field of that name in double quotes")
    default:
      throw error("a field, a number or a 'text' belongs here")
    }
    try advance()
    return operand
  }

  private func error(_ message: String) -> ConditionError {
    ConditionError(.syntax, message, column: column)
  }
}

extension ValueType {
  var withArticle: String { self == .bool ? rawValue : "a \(rawValue)" }
}

/// What is wrong with a condition, and where in its text.
///
///     do { … } catch { print("\(error.column): \(error.message)") }
public struct ConditionError: CodedError, Hashable {
  /// The kind of mistake; its raw value is the `code`.
  public enum Reason: String, CaseIterable, Sendable {
    /// The text is not valid syntax.
    case syntax = "where-syntax"
    /// Values that cannot be compared: a number with a text, the name with a number.
    case type = "where-type"
    /// No annotation has a field of that name.
    case field = "where-field"
    /// The condition uses the distance, and the query has no origin.
    case position = "missing-position"
    /// Nested deeper than `Condition.depthLimit`.
    case depth = "where-depth"
    /// Longer than `Condition.lengthLimit`.
    case length = "where-length"
  }

  /// The kind of mistake.
  public let reason: Reason
  /// What is wrong and what to do, in one lower-case sentence without the column.
  public let message: String
  /// The column in the text, from 1, in Unicode scalars; 0 for a condition that was made in code.
  public let column: Int

  init(_ reason: Reason, _ message: String, column: Int) {
    self.reason = reason
    self.message = message
    self.column = column
  }

  /// The error code, such as `where-syntax`: the raw value of `reason`.
  public var code: String { reason.rawValue }

  /// The column, if there is a text, and the message: `column 8: …`.
  public var description: String { column > 0 ? "column \(column): \(message)" : message }
}
