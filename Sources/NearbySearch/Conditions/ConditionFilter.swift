import Geodesy
import MapAnnotations

/// A condition prepared for testing many annotations.
///
///     let filter = try ConditionFilter(Condition(parsing: "rating >= 4.5"), for: shops, from: here)
///     let answer = index.nearest(10, to: here, where: filter.includes)
///
/// Numbers are read, texts folded, lists hashed and tests sorted by cost once, here; an
/// annotation's values are compared in place. The logic is SQL's with three values: a test of a
/// field that an annotation does not have, that is null or an empty text, or that holds another
/// kind of value, is *unknown*; `not` leaves it so; an annotation counts only where the whole
/// condition is true.
public struct ConditionFilter<Item: Annotation>: Sendable {
  /// The condition that is asked.
  public let condition: Condition
  /// Whether the answer depends on the query's origin.
  public let measuresDistance: Bool
  /// What is asked, to be asked of columns.
  let program: ConditionProgram<Item>
  /// The columns that it can be asked of; empty where it has to be asked of each annotation.
  let columns: Set<ColumnName>
  /// Asks one annotation; nil is unknown.
  let truth: @Sendable (Item) -> Bool?

  /// Prepares a condition, after checking that it fits the annotations.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - annotations: Those it will be tested on. Every property it names must be in one of them,
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
    measuresDistance = condition.measuresDistance
    program = try ConditionCompiler<Item>(origin: origin).program(of: condition, depth: 0)
    try FieldUses(condition).check(annotations, columns: columns)
    self.columns = program.columns
    truth = program.truth
  }

  /// Whether the condition is true of an annotation.
  public func includes(_ annotation: Item) -> Bool { truth(annotation) == true }
}
