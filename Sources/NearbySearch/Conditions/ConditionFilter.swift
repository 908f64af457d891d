import Geodesy
import MapAnnotations

/// A condition prepared for testing many annotations.
///
///     let filter = try ConditionFilter(Condition(parsing: "rating >= 4.5"), for: shops, from: here)
///     let answer = index.nearest(10, to: here, where: filter.includes)
///
/// Numbers are parsed, texts folded, lists hashed and tests sorted by cost once, here; an annotation's values are
/// compared in place. The logic is SQL's with three values: a test is *unknown* for a field that an annotation does not
/// have, that is null or an empty text, or that holds another type of value; `not` leaves it unknown; an annotation is
/// included only where the whole condition is true.
public struct ConditionFilter<Item: Annotation>: Sendable {
  /// The compiled condition, for testing over columns.
  let program: ConditionProgram<Item>
  /// The columns that can answer it; empty where each annotation must be tested.
  let columns: Set<ColumnName>
  /// Tests one annotation; nil is unknown.
  let truth: @Sendable (Item) -> Bool?

  /// Prepares a condition, after checking that it fits the annotations.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - annotations: The annotations to test. Every property that the condition names must be in one of them, and hold
  ///     a value of the right type in one of them, unless it is null in all.
  ///   - columns: Properties that they may have although none has a value there.
  ///   - origin: Where `distance` is measured from; nil for no origin.
  /// - Throws: `ConditionError` with `where-field`, `where-type`, `missing-position` or
  ///   `where-depth`.
  /// - Complexity: O(1) annotations are read where the first ones have values that fit; O(*n*) where values are rare,
  ///   or the condition is wrong.
  public init(
    _ condition: Condition, for annotations: some Collection<Item>, columns: [String] = [],
    from origin: Coordinate?
  ) throws(ConditionError) {
    program = try ConditionCompiler<Item>(origin: origin).program(of: condition, depth: 0)
    try FieldUses(condition).check(annotations, columns: columns)
    self.columns = program.columns
    truth = program.truth
  }

  /// Whether the condition is true for an annotation.
  public func includes(_ annotation: Item) -> Bool { truth(annotation) == true }
}
