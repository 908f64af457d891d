import Geodesy
import MapAnnotations

/// A condition made ready to be asked of many annotations.
///
///     let filter = try ConditionFilter(Condition(parsing: "rating >= 4.5"), for: shops, from: here)
///     let answer = index.nearest(10, to: here, where: filter.includes)
///
/// Numbers are read, texts folded and lists hashed once, here. The logic is SQL's with three
/// values: a test of a field that an annotation does not have, that is null or an empty text, or
/// that holds another kind of value, is *unknown*; `not` leaves it so; an annotation counts only
/// where the whole condition is true.
public struct ConditionFilter<Item: Annotation>: Sendable {
  /// The condition that is asked.
  public let condition: Condition
  /// Whether the answer depends on where the query stands.
  public let measuresDistance: Bool
  private let truth: @Sendable (Item) -> Bool?

  /// Makes a condition ready, once it is known to fit the annotations.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - annotations: Those it will be asked of. Every property it names must be in one of them,
  ///     and hold a value of the right kind in one of them, unless it is null in all.
  ///   - columns: Properties that they may have although none has a value there.
  ///   - origin: Where `distance` is measured from; nil where there is no such place.
  /// - Throws: `ConditionError` with `where-field`, `where-type`, `missing-position` or
  ///   `where-depth`.
  /// - Complexity: O(1) annotations are read where the first ones have values that fit; O(*n*)
  ///   where values are rare, or the condition is mistaken.
  public init(
    _ condition: Condition, for annotations: some Collection<Item>, columns: [String] = [],
    from origin: Coordinate?
  ) throws(ConditionError) {
    self.condition = condition
    measuresDistance = condition.fields.contains { $0.name == .common(.distance) }
    let program = try ConditionCompiler<Item>(origin: origin).truth(of: condition, depth: 0)
    try FieldUses(condition).check(annotations, columns: columns)
    truth = program
  }

  /// Whether the condition is true of an annotation.
  public func includes(_ annotation: Item) -> Bool { truth(annotation) == true }
}

/// Makes closures of conditions: nil is unknown.
struct ConditionCompiler<Item: Annotation> {
  typealias Truth = @Sendable (Item) -> Bool?

  let origin: Coordinate?
  /// The longitude of what lies on the antimeridian, where it is asked for.
  var antimeridian = -180.0

  func truth(of condition: Condition, depth: Int) throws(ConditionError) -> Truth {
    guard condition.testsLongitude else { return try plainTruth(of: condition, depth: depth) }
    // The negation of a test must be false where the test is true.
    if case .comparison(let left, .unequal, let right) = condition {
      return try truth(of: .not(.comparison(left, .equal, right)), depth: depth)
    }
    var east = self
    east.antimeridian = 180
    let isTrueInWest = try plainTruth(of: condition, depth: depth)
    let isTrueInEast = try east.plainTruth(of: condition, depth: depth)
    return { item in
      let truth = isTrueInWest(item)
      return truth != true && item.coordinate?.longitude == -180 ? isTrueInEast(item) : truth
    }
  }

  private func plainTruth(of condition: Condition, depth: Int) throws(ConditionError) -> Truth {
    // A condition made in code may be deeper than one that was parsed.
    guard depth <= 2 * Condition.depthLimit + 2 else {
      throw ConditionError(
        .depth, "this is nested more than \(Condition.depthLimit) deep; make it flatter", column: 1)
    }
    switch condition {
    case .comparison(let left, let comparison, let right):
      return try self.comparison(left, comparison, right)
    case .range(let operand, let low, let high):
      let isAtLeast = try comparison(operand, .atLeast, low)
      let isAtMost = try comparison(operand, .atMost, high)
      return { item in
        let first = isAtLeast(item)
        if first == false { return false }
        let second = isAtMost(item)
        return second == false ? false : first == nil || second == nil ? nil : true
      }
    case .membership(let operand, let literals): return try membership(operand, literals)
    case .search(let operand, let search, let text): return try self.search(operand, search, text)
    case .isNull(let field):
      let isPresent = try reader(.field(field)) { $0.isNull ? nil : true }
      return { isPresent($0) == nil }
    case .not(let condition):
      let inner = try truth(of: condition, depth: depth + 1)
      return { inner($0).map { !$0 } }
    case .all(let members): return try junction(members, depth, decidedBy: false)
    case .any(let members): return try junction(members, depth, decidedBy: true)
    }
  }

  /// `and`, which one false decides, or `or`, which one true does.
  private func junction(
    _ members: [Condition], _ depth: Int, decidedBy decisive: Bool
  ) throws(ConditionError) -> Truth {
    var truths: [Truth] = []
    for member in members { truths.append(try truth(of: member, depth: depth + 1)) }
    return { [truths] item in
      var result: Bool? = !decisive
      for truth in truths {
        let value = truth(item)
        if value == decisive { return decisive }
        if value == nil { result = nil }
      }
      return result
    }
  }

  private func comparison(
    _ left: Condition.Operand, _ comparison: Condition.Comparison, _ right: Condition.Operand
  ) throws(ConditionError) -> Truth {
    switch Condition.type(of: [left, right]) {
    case .number: return try compared(left, comparison, right) { $0.decimal }
    case .text: return try compared(left, comparison, right) { $0.plainText }
    case .bool: return try compared(left, comparison, right) { $0.truth.map { $0 ? 1 : 0 } }
    case nil: return try compared(left, comparison, right) { $0 }
    }
  }

  private func compared<Value: FieldComparable>(
    _ left: Condition.Operand, _ comparison: Condition.Comparison, _ right: Condition.Operand,
    as value: @escaping @Sendable (FieldValue) -> Value?
  ) throws(ConditionError) -> Truth {
    let readLeft = try reader(left, as: value)
    let readRight = try reader(right, as: value)
    let holds = comparison.holds
    return { item in
      guard let left = readLeft(item), let right = readRight(item),
        let order = left.order(to: right)
      else { return nil }
      return holds(order)
    }
  }

  private func membership(
    _ operand: Condition.Operand, _ literals: [Condition.Literal]
  ) throws(ConditionError) -> Truth {
    func member<Value: Hashable & Sendable>(
      as value: @escaping @Sendable (FieldValue) -> Value?
    ) throws(ConditionError) -> Truth {
      let members = Set(literals.compactMap { value(FieldValue($0)) })
      let read = try reader(operand, as: value)
      return { item in read(item).map(members.contains) }
    }
    switch literals.first?.type {
    case .number?: return try member { $0.decimal }
    case .bool?: return try member { $0.truth }
    case .text?, nil: return try member { $0.plainText }
    }
  }

  private func search(
    _ operand: Condition.Operand, _ search: Condition.TextSearch, _ text: String
  ) throws(ConditionError) -> Truth {
    let wanted = FoldedText(text)
    let read = try reader(operand) { $0.searchedTexts?.map(FoldedText.init) }
    // Of a list, any element will do.
    switch search {
    case .contains: return { read($0)?.contains { $0.contains(wanted) } }
    case .startsWith: return { read($0)?.contains { $0.starts(with: wanted) } }
    case .endsWith: return { read($0)?.contains { $0.ends(with: wanted) } }
    }
  }

  /// What reads an operand of an annotation; a literal is read once.
  private func reader<Value: Sendable>(
    _ operand: Condition.Operand, as value: @escaping @Sendable (FieldValue) -> Value?
  ) throws(ConditionError) -> @Sendable (Item) -> Value? {
    switch operand {
    case .literal(let literal):
      let constant = value(FieldValue(literal))
      return { _ in constant }
    case .field(let field):
      let read = try field.reader(of: Item.self, from: origin, antimeridian: antimeridian)
      return { value(read($0)) }
    }
  }
}

extension Condition {
  /// Whether it is one test, and of the longitude.
  fileprivate var testsLongitude: Bool {
    switch self {
    case .comparison, .range, .membership: fields.contains { $0.name == .common(.longitude) }
    default: false
    }
  }
}

extension Condition.Comparison {
  /// Whether values in an order, −1, 0 or 1, are as the comparison says.
  fileprivate var holds: @Sendable (Int) -> Bool {
    switch self {
    case .equal: { $0 == 0 }
    case .unequal: { $0 != 0 }
    case .less: { $0 < 0 }
    case .atMost: { $0 <= 0 }
    case .greater: { $0 > 0 }
    case .atLeast: { $0 >= 0 }
    }
  }
}
