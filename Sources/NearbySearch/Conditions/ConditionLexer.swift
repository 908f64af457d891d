/// Splits the text of a condition into tokens.
package struct ConditionLexer {
  package enum Keyword: String, CaseIterable {
    case and, or, not, `in`, between, contains, starts, ends, with, like, ilike, `is`, null, `true`,
      `false`
  }

  package enum Token: Equatable {
    case keyword(Keyword)
    /// A name without quotes.
    case name(String)
    /// A name in double quotes.
    case quotedName(String)
    case number(String)
    case text(String)
    case comparison(Condition.Comparison)
    case open, close, comma
    case end
  }

  private let scalars: [Unicode.Scalar]
  private var place = 0
  private let isCQL2: Bool

  /// - Parameter isCQL2: Whether it is CQL2: there all words are names, which may have `:` and `.`; `==` and `!=` are no
  ///   comparisons; and in a text, a quote may also stand behind a backslash.
  package init(_ text: String, isCQL2: Bool = false) {
    scalars = Array(text.unicodeScalars)
    self.isCQL2 = isCQL2
  }

  /// The next token, and the column in which it begins.
  package mutating func next() throws(ConditionError) -> (token: Token, column: Int) {
    while let scalar = peek, ConditionLexer.isBlank(scalar) { place += 1 }
    let column = place + 1
    guard let scalar = peek else { return (.end, column) }
    return (try token(beginningWith: scalar, column), column)
  }

  private var peek: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }
  private var second: Unicode.Scalar? { place + 1 < scalars.count ? scalars[place + 1] : nil }

  private mutating func token(
    beginningWith scalar: Unicode.Scalar, _ column: Int
  ) throws(ConditionError) -> Token {
    switch scalar {
    case "(": return take(1, .open)
    case ")": return take(1, .close)
    case ",": return take(1, .comma)
    case "'": return .text(try quoted("'", "a text", column))
    case "\"": return .quotedName(try quoted("\"", "a field's name", column))
    case "=": return take(second == "=" && !isCQL2 ? 2 : 1, .comparison(.equal))
    case "!" where second == "=" && !isCQL2: return take(2, .comparison(.unequal))
    case "<" where second == ">": return take(2, .comparison(.unequal))
    case "<" where second == "=": return take(2, .comparison(.atMost))
    case "<": return take(1, .comparison(.less))
    case ">" where second == "=": return take(2, .comparison(.atLeast))
    case ">": return take(1, .comparison(.greater))
    case "-", "+", ".", "0"..."9": return .number(try number(column))
    default:
      guard ConditionLexer.startsName(scalar) else {
        let keyword: Keyword? = scalar == "&" ? .and : scalar == "|" ? .or : nil
        throw ConditionError(
          .syntax,
          "'\(Character(scalar))' means nothing here; "
            + (keyword.map { "write \($0)" }
              ?? "put texts in '…' and unusual field names in \"…\""),
          column: column)
      }
      return word()
    }
  }

  private mutating func take(_ count: Int, _ token: Token) -> Token {
    place += count
    return token
  }

  /// The text between two quotes; a doubled quote inside it stands for one.
  private mutating func quoted(
    _ quote: Unicode.Scalar, _ what: String, _ column: Int
  ) throws(ConditionError) -> String {
    var content = String.UnicodeScalarView()
    place += 1
    while var scalar = peek {
      place += 1
      if scalar == quote {
        guard peek == quote else {
          guard quote == "'" || !content.isEmpty else {
            throw ConditionError(.syntax, "this name is empty; write a field's", column: column)
          }
          guard
            quote != "'" || isBeforeKeyword || !(peek.map(ConditionLexer.continuesName) ?? false)
          else {
            throw ConditionError(
              .syntax, "the text ends here, right before a word; write '' for each ' inside it",
              column: place)
          }
          return String(content)
        }
        place += 1
      } else if isCQL2, scalar == "\\", quote == "'", peek == quote {
        scalar = quote
        place += 1
      }
      content.append(scalar)
    }
    throw ConditionError(
      .syntax,
      "\(what) begins here and never ends; close it with \(quote), and double each \(quote) inside it",
      column: column)
  }

  private mutating func number(_ column: Int) throws(ConditionError) -> String {
    let start = place
    if peek == "-" || peek == "+" { place += 1 }
    let whole = digits()
    var fraction = 0
    if peek == "." {
      place += 1
      fraction = digits()
    }
    let isNumber = whole + fraction > 0
    if isNumber, peek == "e" || peek == "E" {
      let mark = place
      place += 1
      if peek == "-" || peek == "+" { place += 1 }
      if digits() == 0 { place = mark }
    }
    let end = place
    if !isBeforeKeyword {
      while let scalar = peek,
        ConditionLexer.continuesName(scalar) || "+-.".unicodeScalars.contains(scalar)
      {
        place += 1
      }
    }
    guard isNumber, place == end else {
      let written = text(start..<max(place, start + 1))
      throw ConditionError(
        .syntax,
        "\"\(written)\" is not a number; "
          + (unquotedName(at: column).map { "put the field's name in double quotes, \($0), or " }
            ?? "")
          + "write a number as -12.5, without a unit (distances in meters) or arithmetic",
        column: column)
    }
    return text(start..<place)
  }

  /// Skips digits and returns how many.
  private mutating func digits() -> Int {
    let start = place
    while let scalar = peek, scalar.isASCIIDigit { place += 1 }
    return place - start
  }

  /// Whether a keyword begins here, which may follow a number or a text without a blank: `5and`.
  private var isBeforeKeyword: Bool {
    let word = scalars[place...].prefix(while: ConditionLexer.continuesName)
    return Keyword(rawValue: ConditionLexer.lowercased(text(word.indices))) != nil
  }

  private mutating func word() -> Token {
    let start = place
    while let scalar = peek,
      ConditionLexer.continuesName(scalar) || isCQL2 && (scalar == ":" || scalar == ".")
    {
      place += 1
    }
    let name = text(start..<place)
    if isCQL2 { return .name(name) }
    return Keyword(rawValue: ConditionLexer.lowercased(name)).map(Token.keyword) ?? .name(name)
  }

  /// What may be a field's name without its quotes, in quotes: what stands around a column before the next comparison,
  /// such as `1st floor` or `unit-price`; nil for what needs none.
  func unquotedName(at column: Int) -> String? {
    var start = min(column, scalars.count + 1) - 1
    while start > 0, case let scalar = scalars[start - 1],
      ConditionLexer.continuesName(scalar) || "+-.".unicodeScalars.contains(scalar)
    {
      start -= 1
    }
    var end = start
    var depth = 0
    scan: while true {
      guard end < scalars.count else { return nil }
      switch scalars[end] {
      case "'", "\"", ",", "\n": return nil
      case "=", "!", "<", ">": break scan
      case "(": depth += 1
      case ")":
        depth -= 1
        guard depth >= 0 else { return nil }
      default:
        guard end > start, ConditionLexer.isBlank(scalars[end - 1]) else { break }
        let word = scalars[end...].prefix(while: ConditionLexer.continuesName)
        switch Keyword(rawValue: ConditionLexer.lowercased(text(word.indices))) {
        case nil: break
        case .and, .or, .with, .null, .true, .false: return nil
        case .not, .in, .between, .contains, .starts, .ends, .like, .ilike, .is: break scan
        }
      }
      end += 1
    }
    while end > start, ConditionLexer.isBlank(scalars[end - 1]) { end -= 1 }
    let name = scalars[start..<end]
    guard depth == 0, let first = name.first, name.contains(where: ConditionLexer.startsName),
      ConditionLexer.continuesName(first),
      !ConditionLexer.startsName(first) || !name.allSatisfy(ConditionLexer.continuesName)
    else { return nil }
    return text(start..<end).quoted(by: "\"")
  }

  private func text(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range])
    return String(view)
  }

  // MARK: What names are made of

  /// Whether a name can start with it: letters of any script, and the underscore.
  static func startsName(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic
  }

  /// Whether a name can continue with it: letters, marks, digits and numbers (₂, ½) of any script,
  /// and the underscore.
  static func continuesName(_ scalar: Unicode.Scalar) -> Bool {
    guard !scalar.isASCII else {
      return startsName(scalar) || scalar.isASCIIDigit
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber, .otherNumber: return true
    default: return startsName(scalar)
    }
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

  /// A word in lowercase if all of it is ASCII, as keywords are compared.
  static func lowercased(_ word: String) -> String {
    word.utf8.allSatisfy { $0 < 0x80 } ? word.lowercased() : word
  }
}
