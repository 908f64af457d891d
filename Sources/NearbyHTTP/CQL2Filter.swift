import BusinessHours
import Geodesy
import MapAnnotations
import NearbySearch

/// A filter in CQL2 text (OGC 21-065r2).
///
/// It accepts Basic CQL2, `BETWEEN`, `IN`, `LIKE` and `CASEI`, and one `S_INTERSECTS` with a box, a point or a polygon,
/// joined to the rest only by `AND`. Everything else is rejected.
///
/// Dates and timestamps are compared as texts, which sort chronologically where the data writes them in the same form.
struct CQL2Filter {
  /// What is left to test on fields; nil for nothing.
  let condition: Condition?
  /// Where annotations must lie.
  let area: QueryArea

  /// Reads a filter.
  ///
  /// - Parameter columns: The columns of the collection; of those that differ only by case, each is meant by its name.
  init(_ text: String, columns: [String] = []) throws(Problem) {
    guard text.utf8.count <= Condition.lengthLimit else {
      throw Problem(
        400, "where-length",
        "the filter has \(text.utf8.count) bytes; \(Condition.lengthLimit) are the limit",
        parameter: "filter")
    }
    var parser = try CQL2Parser(text, columns: columns)
    let part = try parser.wholeFilter()
    condition = part.condition
    area = part.area ?? .everywhere
    guard let condition else { return }
    // Values that can never be compared are rejected as in `where`.
    do throws(ConditionError) { _ = try Condition(parsing: condition.description) } catch {
      throw Problem(400, error.code, error.message, parameter: "filter")
    }
  }
}

/// A recursive-descent parser: `OR` binds loosest, then `AND`, then `NOT`.
private struct CQL2Parser {
  private var tokens: ArraySlice<ConditionLexer.Token> = []
  private let columns: [String]
  private var depth = 0

  init(_ text: String, columns: [String]) throws(Problem) {
    self.columns = columns
    var lexer = ConditionLexer(text, isCQL2: true)
    // With the column, since these messages say "here"; all others name the word they are about.
    try Problem.wrapping(parameter: "filter") { () throws(ConditionError) in
      while case let token = try lexer.next().token, token != .end { tokens.append(token) }
    }
  }

  /// A condition on annotations, an area where they must lie, or both.
  struct Part {
    var condition: Condition?
    var area: QueryArea?
  }

  /// One side of a comparison.
  private struct Value {
    let operand: Condition.Operand
    /// Whether it is inside `CASEI`.
    var isFolded = false

    var text: String? { if case .literal(.text(let text)) = operand { text } else { nil } }
  }

  mutating func wholeFilter() throws(Problem) -> Part {
    guard !tokens.isEmpty else { throw .wrong("there is no condition in it") }
    let part = try disjunction()
    guard let rest = tokens.first else { return part }
    throw .wrong("it could end before \(rest.written); join what follows with AND or OR")
  }

  private mutating func disjunction() throws(Problem) -> Part {
    var parts = [try conjunction()]
    while skip("OR") { parts.append(try conjunction()) }
    guard parts.count > 1 else { return parts[0] }
    try refuseAreas(parts)
    return Part(condition: .any(parts.compactMap(\.condition)))
  }

  private mutating func conjunction() throws(Problem) -> Part {
    var parts = [try negation()]
    while skip("AND") { parts.append(try negation()) }
    let areas = parts.compactMap(\.area)
    guard areas.count < 2 else {
      throw .wrong("S_INTERSECTS may be used once; send a request for each area")
    }
    let conditions = parts.compactMap(\.condition)
    return Part(
      condition: conditions.count > 1 ? .all(conditions) : conditions.first, area: areas.first)
  }

  private mutating func negation() throws(Problem) -> Part {
    guard depth < Condition.depthLimit else {
      throw Problem(
        400, "where-depth",
        "the filter is nested more than \(Condition.depthLimit) deep; take out parentheses and NOTs",
        parameter: "filter")
    }
    depth += 1
    defer { depth -= 1 }
    if skip("NOT") {
      let part = try negation()
      try refuseAreas([part])
      return Part(condition: part.condition.map { .not($0) })
    }
    guard skip(.open) else { return try predicate() }
    let part = try disjunction()
    try expect(.close)
    return part
  }

  private func refuseAreas(_ parts: [Part]) throws(Problem) {
    guard parts.allSatisfy({ $0.area == nil }) else {
      throw .wrong(
        "S_INTERSECTS is joined to the rest with AND, not with OR or NOT; take it out of them")
    }
  }

  // MARK: Predicates

  private mutating func predicate() throws(Problem) -> Part {
    let following = tokens.dropFirst().first
    let isAlone = if case .comparison = following { false } else { true }
    switch tokens.first?.word {
    case "S_INTERSECTS" where following == .open: return Part(area: try area())
    case "TRUE" where isAlone, "FALSE" where isAlone:
      // An id is never null.
      let isTrue = tokens.removeFirst().word == "TRUE"
      let isNull = Condition.isNull(.common(.id))
      return Part(condition: isTrue ? .not(isNull) : isNull)
    default: return Part(condition: try test(of: try value()))
    }
  }

  private mutating func test(of left: Value) throws(Problem) -> Condition {
    if case .comparison(let comparison) = tokens.first {
      tokens.removeFirst()
      return try compared(left, comparison, try value())
    }
    if skip("IS") {
      let isNegated = skip("NOT")
      guard skip("NULL") else { throw .wrong("write IS NULL or IS NOT NULL") }
      guard case .field(var field) = left.operand, !left.isFolded else {
        throw .wrong("only a property may be NULL; name one before IS")
      }
      // What has no geometry has no latitude.
      if field.name == .property(CQL2Parser.geometry) { field = .common(.latitude) }
      return isNegated ? .not(.isNull(field)) : .isNull(field)
    }
    let isNegated = skip("NOT")
    let test: Condition
    if skip("LIKE") {
      let pattern = try value()
      guard let text = pattern.text else {
        throw .wrong("LIKE takes a pattern in quotes, as name LIKE 'Mart%'")
      }
      try expectSame(left, pattern)
      test = .search(left.operand, left.isFolded ? .ilike : .like, text)
    } else if skip("BETWEEN") {
      let low = try value()
      guard skip("AND") else { throw .wrong("BETWEEN has two ends; write BETWEEN 1 AND 5") }
      let high = try value()
      guard !left.isFolded, !low.isFolded, !high.isFolded else {
        throw .wrong("CASEI goes with =, <>, LIKE and IN, not with BETWEEN")
      }
      test = .range(left.operand, low.operand, high.operand)
    } else if skip("IN") {
      test = try membership(of: left)
    } else {
      throw .wrong(
        "one of = <> < <= > >= LIKE BETWEEN IN IS belongs "
          + (tokens.first.map { "before \($0.written)" } ?? "at the end"))
    }
    return isNegated ? .not(test) : test
  }

  private func compared(
    _ left: Value, _ comparison: Condition.Comparison, _ right: Value
  ) throws(Problem) -> Condition {
    try expectSame(left, right)
    guard left.isFolded else { return .comparison(left.operand, comparison, right.operand) }
    // As a pattern without wildcards.
    let (field, text) = right.text == nil ? (right, left.text) : (left, right.text)
    guard let text, comparison == .equal || comparison == .unequal else {
      throw .wrong("CASEI compares a property with a text, by = or <>: CASEI(name) = CASEI('mart')")
    }
    let pattern = text.escaped(["\\", "%", "_"], by: "\\")
    let test = Condition.search(field.operand, .ilike, pattern)
    return comparison == .equal ? test : .not(test)
  }

  private func expectSame(_ left: Value, _ right: Value) throws(Problem) {
    guard left.isFolded == right.isFolded else {
      throw .wrong("put both sides into CASEI, or none")
    }
  }

  private mutating func membership(of left: Value) throws(Problem) -> Condition {
    try expect(.open)
    var values: [Value] = []
    repeat { values.append(try value()) } while skip(.comma)
    try expect(.close)
    if left.isFolded {
      var tests: [Condition] = []
      for value in values { tests.append(try compared(left, .equal, value)) }
      return tests.count > 1 ? .any(tests) : tests[0]
    }
    var literals: [Condition.Literal] = []
    for value in values {
      try expectSame(left, value)
      guard case .literal(let literal) = value.operand else {
        throw .wrong("IN takes numbers and texts, no properties; put texts in '…'")
      }
      literals.append(literal)
    }
    return .membership(left.operand, literals)
  }

  // MARK: Values

  private mutating func value() throws(Problem) -> Value {
    guard let token = tokens.popFirst() else {
      throw .wrong("it ends too early; write a property, a number or a 'text'")
    }
    switch token {
    case .text(let text): return Value(operand: .literal(.text(text)))
    case .number(let text): return Value(operand: .literal(.number(text)))
    case .quotedName(let name):
      return Value(operand: .field(Condition.Field(exactly: name, among: columns)))
    case .name(let name): return try value(named: name)
    default:
      throw .wrong("a property, a number or a 'text' belongs where \(token.written) stands")
    }
  }

  private mutating func value(named name: String) throws(Problem) -> Value {
    let isCall = tokens.first == .open
    switch name.uppercased() {
    case "TRUE" where !isCall: return Value(operand: .literal(.bool(true)))
    case "FALSE" where !isCall: return Value(operand: .literal(.bool(false)))
    case "NULL": throw .wrong("nothing equals NULL; write IS NULL or IS NOT NULL")
    case "AND", "BETWEEN", "IN", "IS", "LIKE", "NOT", "OR":
      throw .wrong("\(name) cannot stand here; put a property of that name in double quotes")
    case "CASEI" where isCall:
      let inner = try argument(of: "CASEI")
      if case .literal(let literal) = inner.operand, inner.text == nil {
        throw .wrong("\(literal) is not a text; CASEI takes a property or a 'text'")
      }
      return Value(operand: inner.operand, isFolded: true)
    case "DATE" where isCall:
      return try time(in: "DATE", "2026-11-25") { $0.utf8.count == 10 }
    case "TIMESTAMP" where isCall:
      // An hour of one digit would not sort as a text.
      return try time(in: "TIMESTAMP", "2026-11-25T18:00:00Z") {
        $0.utf8.last == UInt8(ascii: "Z") && $0.contains("T")
          && $0.utf8.dropFirst(13).first == UInt8(ascii: ":")
      }
    case let word where isCall:
      throw .wrong(
        "the function \(word) is not known here; CASEI, DATE, TIMESTAMP and S_INTERSECTS are, and a property "
          + "with parentheses in its name stands in double quotes")
    default:
      // Without quotes, the case of a common field's name does not matter, unless it is the name of a column.
      let field =
        columns.contains(name)
        ? Condition.Field(exactly: name, among: columns) : Condition.Field(named: name)
      return Value(operand: .field(field))
    }
  }

  private mutating func argument(of function: String) throws(Problem) -> Value {
    try expect(.open)
    let inner = try value()
    guard !inner.isFolded, skip(.close) else {
      throw .wrong("one value belongs into the parentheses of \(function)")
    }
    return inner
  }

  private mutating func time(
    in function: String, _ example: String, _ isWhole: (String) -> Bool
  ) throws(Problem) -> Value {
    let value = try argument(of: function)
    guard let text = value.text, isWhole(text), Timestamp(text, HoursSetting()) != nil else {
      throw .wrong("\(function) takes a time as \(function)('\(example)')")
    }
    return value
  }

  // MARK: Geometry

  /// The name of the geometry, as in /queryables.
  private static let geometry = "geometry"

  private static let remedy = Problem.wrong(
    "write S_INTERSECTS(geometry, BBOX(west,south,east,north)), POINT(x y) or POLYGON((x y, …)) in it"
  )

  /// Reads `S_INTERSECTS(geometry, BBOX(…))` or the same with a polygon or a point.
  private mutating func area() throws(Problem) -> QueryArea {
    tokens.removeFirst(2)
    let name: String? =
      switch tokens.popFirst() {
      case .name(let name), .quotedName(let name): name
      default: nil
      }
    guard name == CQL2Parser.geometry, skip(.comma), let shape = tokens.popFirst()?.word
    else { throw CQL2Parser.remedy }
    do {
      let area: QueryArea =
        switch shape {
        case "BBOX": .box(try box())
        case "POINT": .box(try point())
        case "POLYGON": .polygons(MultiPolygon([try polygon()]))
        default: throw CQL2Parser.remedy
        }
      guard skip(.close) else { throw CQL2Parser.remedy }
      return area
    } catch let problem as Problem {
      throw problem
    } catch let error as any CodedError {
      throw Problem(400, error, parameter: "filter")
    } catch {
      throw CQL2Parser.remedy
    }
  }

  private mutating func box() throws -> BoundingBox {
    var edges = try list { parser in try parser.number() }
    if edges.count == 6 { edges = [edges[0], edges[1], edges[3], edges[4]] }
    guard edges.count == 4 else { throw CQL2Parser.remedy }
    return try BoundingBox(south: edges[1], west: edges[0], north: edges[3], east: edges[2])
  }

  private mutating func point() throws -> BoundingBox {
    let points = try list { parser in try parser.position() }
    guard points.count == 1 else { throw CQL2Parser.remedy }
    let (x, y) = points[0]
    return try BoundingBox(south: y, west: x, north: y, east: x)
  }

  private mutating func polygon() throws -> Polygon {
    let rings = try list { parser in
      try parser.list { parser in
        let (x, y) = try parser.position()
        return try PolygonVertex(latitude: y, longitude: x)
      }
    }
    // Here edges go the shorter way, and in CQL2 as the numbers do.
    for (start, end) in rings.flatMap({ zip($0, $0.dropFirst()) })
    where abs(start.longitude - end.longitude) > 180 {
      throw Problem.wrong(
        "the edge from longitude \(plainDecimal(start.longitude)) to \(plainDecimal(end.longitude)) is longer than 180 degrees; put a vertex between them, or use BBOX for a box across ±180°"
      )
    }
    return try Polygon(outer: rings[0], holes: Array(rings.dropFirst()))
  }

  /// Reads a comma-separated list in parentheses, with at least one element.
  private mutating func list<Element>(
    _ element: (inout CQL2Parser) throws -> Element
  ) throws -> [Element] {
    try expect(.open)
    var elements: [Element] = []
    repeat { elements.append(try element(&self)) } while skip(.comma)
    try expect(.close)
    return elements
  }

  private mutating func position() throws(Problem) -> (x: Double, y: Double) {
    (try number(), try number())
  }

  private mutating func number() throws(Problem) -> Double {
    guard case .number(let text)? = tokens.popFirst(), let number = Double(text) else {
      throw CQL2Parser.remedy
    }
    return number
  }

  // MARK: Words

  private mutating func skip(_ keyword: String) -> Bool {
    guard tokens.first?.word == keyword else { return false }
    tokens.removeFirst()
    return true
  }

  private mutating func skip(_ sign: ConditionLexer.Token) -> Bool {
    guard tokens.first == sign else { return false }
    tokens.removeFirst()
    return true
  }

  private mutating func expect(_ sign: ConditionLexer.Token) throws(Problem) {
    guard skip(sign) else {
      throw .wrong(
        "\(sign.written) belongs " + (tokens.first.map { "before \($0.written)" } ?? "at the end"))
    }
  }
}

extension ConditionLexer.Token {
  /// The word in capitals, as keywords are compared.
  fileprivate var word: String? {
    if case .name(let name) = self { name.uppercased() } else { nil }
  }

  /// As it was written.
  fileprivate var written: String {
    switch self {
    case .name(let text), .number(let text): text
    case .quotedName(let name): "\"\(name)\""
    case .text(let text): "'\(text)'"
    case .comparison(let comparison): comparison == .unequal ? "<>" : comparison.rawValue
    case .open: "("
    case .close: ")"
    case .comma: ","
    case .keyword(let keyword): keyword.rawValue
    case .end: ""
    }
  }
}

extension Problem {
  /// The problem of a filter that is none.
  fileprivate static func wrong(_ what: String) -> Problem {
    Problem(400, "where-syntax", what, parameter: "filter")
  }
}
