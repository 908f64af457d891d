import Geodesy
import MapAnnotations

/// A compiled condition, to be tested on single annotations or on whole columns.
indirect enum ConditionProgram<Item: Annotation>: Sendable {
  typealias Truth = @Sendable (Item) -> Bool?

  /// The same result for all annotations.
  case constant(Bool?)
  /// A test of a text field.
  case test(TextField, FieldTest)
  /// Anything tested on single annotations only, and its cost relative to other parts.
  case asked(Truth, cost: Int)
  case not(ConditionProgram)
  /// `and`, decided by one false part; the cheapest part first.
  case all([ConditionProgram])
  /// `or`, decided by one true part; the cheapest part first.
  case any([ConditionProgram])

  /// The cost relative to other parts.
  var cost: Int {
    switch self {
    case .constant: 0
    case .test(_, let test): test.cost
    case .asked(_, let cost): cost
    case .not(let part): part.cost
    case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.cost }
    }
  }

  /// The columns that it reads.
  var columns: Set<ColumnName> {
    switch self {
    case .constant, .asked: []
    case .test(let field, let test): [ColumnName(field: field, form: test.form)]
    case .not(let part): part.columns
    case .all(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion($1.columns) }
    }
  }

  /// The closure that tests one annotation; nil is unknown.
  var truth: Truth {
    switch self {
    case .constant(let truth): { _ in truth }
    case .test(.id, let test): { test.truth(ofID: $0.id.text) }
    case .test(.name, let test): { test.truth(of: $0.name) }
    case .test(.kind, let test): { test.truth(of: $0.kind?.rawValue) }
    case .test(.property(let name), let test): { test.truth(of: $0.property(name)) }
    case .asked(let truth, _): truth
    case .not(let part): ConditionProgram.negation(part.truth)
    case .all(let parts): ConditionProgram.junction(parts, decidedBy: false)
    case .any(let parts): ConditionProgram.junction(parts, decidedBy: true)
    }
  }

  private static func negation(_ truth: @escaping Truth) -> Truth { { truth($0).map { !$0 } } }

  /// `and`, decided by one false part, or `or`, decided by one true part.
  private static func junction(_ parts: [ConditionProgram], decidedBy decisive: Bool) -> Truth {
    let truths = parts.map(\.truth)
    return { item in
      var result: Bool? = !decisive
      for truth in truths {
        let value = truth(item)
        if value == decisive { return decisive }
        if value == nil { result = nil }
      }
      return result
    }
  }
}

/// Compiles conditions into programs.
struct ConditionCompiler<Item: Annotation> {
  typealias Program = ConditionProgram<Item>
  typealias Truth = Program.Truth

  let origin: Coordinate?
  /// The longitude to use for annotations on the antimeridian, −180 or 180; nil to try both.
  private var antimeridian: Double?

  /// The cost of a part that reads a coordinate, and of one that reads two fields or measures a distance.
  private static var coordinateCost: Int { 2 }
  private static var readingCost: Int { 8 }

  init(origin: Coordinate?) { self.origin = origin }

  /// - Throws: `ConditionError` where the distance has no origin, or the condition is too deep.
  func program(of condition: Condition, depth: Int) throws(ConditionError) -> Program {
    // The negation of a test must be false where the test is true.
    if case .comparison(let left, .unequal, let right) = condition, condition.readsLongitude {
      return try program(of: .not(.comparison(left, .equal, right)), depth: depth)
    }
    guard antimeridian == nil, condition.testsLongitude else {
      return try plainProgram(of: condition, depth: depth)
    }
    return try eitherProgram(of: condition, depth: depth)
  }

  /// True on the antimeridian if the condition is true of 180 or of −180.
  private func eitherProgram(
    of condition: Condition, depth: Int
  ) throws(ConditionError) -> Program {
    var (west, east) = (self, self)
    west.antimeridian = -180
    east.antimeridian = 180
    let program = try west.plainProgram(of: condition, depth: depth)
    let isTrueInWest = program.truth
    let isTrueInEast = try east.plainProgram(of: condition, depth: depth).truth
    return .asked(
      { item in
        let truth = isTrueInWest(item)
        guard truth != true, item.coordinate?.longitude == -180 else { return truth }
        let other = isTrueInEast(item)
        return other == true || truth == false ? other : truth
      }, cost: program.cost)
  }

  private func plainProgram(of condition: Condition, depth: Int) throws(ConditionError) -> Program {
    // A condition made in code may be deeper than one that was parsed.
    guard depth <= 2 * Condition.depthLimit + 2 else {
      throw ConditionError(
        .depth, "this is nested more than \(Condition.depthLimit) deep; make it flatter", column: 0)
    }
    switch condition {
    case .comparison(let left, let comparison, let right):
      return try self.comparison(left, comparison, right)
    case .range(let operand, let low, let high):
      return .all([
        try comparison(operand, .atLeast, low), try comparison(operand, .atMost, high),
      ])
    case .membership(let operand, let literals): return try test(operand, .among(literals))
    case .search(let operand, let search, let text):
      return try test(operand, .searched(search, text))
    case .isNull(let field): return try test(.field(field), FieldTest(kind: .isNull))
    case .not(let condition): return .not(try program(of: condition, depth: depth + 1))
    case .all(let members):
      let tests = members.filter(\.testsLongitude)
      guard antimeridian == nil, tests.count > 1 else { return .all(try parts(members, depth)) }
      // Of one number together: 180 is at least 80 and −180 is less than 81, but neither is both.
      let together = try eitherProgram(of: .all(tests), depth: depth)
      return .all(try parts(members.filter { !$0.testsLongitude }, depth, and: [together]))
    case .any(let members): return .any(try parts(members, depth))
    }
  }

  /// The parts, cheapest first; their order does not change the result, since an unknown part decides nothing.
  private func parts(
    _ members: [Condition], _ depth: Int, and more: [Program] = []
  ) throws(ConditionError) -> [Program] {
    var parts = more
    for member in members { parts.append(try program(of: member, depth: depth + 1)) }
    return parts.enumerated()
      .sorted { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }.map(\.element)
  }

  private func comparison(
    _ left: Condition.Operand, _ comparison: Condition.Comparison, _ right: Condition.Operand
  ) throws(ConditionError) -> Program {
    let type = Condition.type(of: [left, right])
    switch (left, right) {
    case (_, .literal(let literal)):
      return try test(left, .compared(comparison, literal, as: type))
    case (.literal(let literal), _):
      return try test(right, .compared(comparison.mirrored, literal, as: type))
    case (.field(let first), .field(let second)):
      switch type {
      case .number: return try compared(first, comparison, second) { $0.decimal }
      case .text: return try compared(first, comparison, second) { $0.plainText }
      case .bool: return try compared(first, comparison, second) { $0.truth.map { $0 ? 1 : 0 } }
      case nil: return try compared(first, comparison, second) { $0 }
      }
    }
  }

  /// A test of an operand; for a literal, it is evaluated here.
  private func test(
    _ operand: Condition.Operand, _ test: FieldTest
  ) throws(ConditionError) -> Program {
    switch operand {
    case .literal(let literal): return .constant(test.truth(ofLiteral: literal))
    case .field(let field):
      guard let text = field.text else { return try measured(field, test) }
      return .test(text, test)
    }
  }

  /// A test of a number that is not one of the annotation's texts.
  private func measured(_ field: Condition.Field, _ test: FieldTest) throws(ConditionError)
    -> Program
  {
    let isFar = field.name == .common(.distance)
    let cost = isFar ? ConditionCompiler.readingCost : ConditionCompiler.coordinateCost
    let meters = try field.numberReader(
      of: Item.self, from: origin, antimeridian: antimeridian ?? -180)
    switch test.kind {
    case .isNull: return .asked({ $0.coordinate == nil }, cost: 1)
    case .number(let comparison, let literal):
      return .asked(
        { item in meters(item).map { comparison.holds(literal.order(of: $0)) } }, cost: cost)
    default:
      return .asked(
        { item in test.truth(of: meters(item).map { .number($0.description) }) }, cost: cost + 1)
    }
  }

  private func compared<Value: FieldComparable>(
    _ left: Condition.Field, _ comparison: Condition.Comparison, _ right: Condition.Field,
    as value: @escaping @Sendable (FieldValue) -> Value?
  ) throws(ConditionError) -> Program {
    let antimeridian = antimeridian ?? -180
    let readLeft = try left.reader(of: Item.self, from: origin, antimeridian: antimeridian)
    let readRight = try right.reader(of: Item.self, from: origin, antimeridian: antimeridian)
    return .asked(
      { item in
        guard let left = value(readLeft(item)), let right = value(readRight(item)),
          let order = left.order(to: right)
        else { return nil }
        return comparison.holds(order)
      }, cost: ConditionCompiler.readingCost)
  }
}

extension FieldTest {
  /// A comparison with a literal, by the type as which the two are compared.
  fileprivate static func compared(
    _ comparison: Condition.Comparison, _ literal: Condition.Literal, as type: ValueType?
  ) -> FieldTest {
    let value = FieldValue(literal)
    let kind: Kind? =
      switch type ?? literal.type {
      case .number:
        value.property?.text.flatMap { NumberLiteral($0) }.map { .number(comparison, $0) }
      case .text: value.plainText.map { .text(comparison, TextLiteral($0)) }
      case .bool: value.truth.map { .truth(comparison, $0) }
      }
    return FieldTest(kind: kind ?? .unknown)
  }

  fileprivate static func searched(_ search: Condition.TextSearch, _ text: String) -> FieldTest {
    switch search {
    case .contains, .startsWith, .endsWith:
      FieldTest(kind: .search(search, FoldedText(text)))
    case .like: FieldTest(kind: .like(LikePattern(text, ignoresCase: false)))
    case .ilike: FieldTest(kind: .like(LikePattern(text, ignoresCase: true)))
    }
  }

  /// A test of whether a value is one of several; the first one decides the type of comparison.
  fileprivate static func among(_ literals: [Condition.Literal]) -> FieldTest {
    let values = literals.map { FieldValue($0) }
    switch literals.first?.type {
    case .number: return FieldTest(kind: .numberAmong(Set(values.compactMap(\.decimal))))
    case .bool: return FieldTest(kind: .truthAmong(Set(values.compactMap(\.truth))))
    case .text, nil: return FieldTest(kind: .textAmong(Set(values.compactMap(\.plainText))))
    }
  }

  /// The result for a literal; a text is taken literally, even where it means null elsewhere.
  fileprivate func truth(ofLiteral literal: Condition.Literal) -> Bool? {
    if case .text(let text) = literal { return truth(ofID: text) }
    return truth(of: FieldValue(literal).property)
  }
}

extension Condition {
  fileprivate var readsLongitude: Bool { fields.contains { $0.name == .common(.longitude) } }

  /// Whether the condition is a single test that reads the longitude, and not its negation `!=`.
  fileprivate var testsLongitude: Bool {
    switch self {
    case .comparison(_, .unequal, _): false
    case .comparison, .range, .membership: readsLongitude
    default: false
    }
  }
}
