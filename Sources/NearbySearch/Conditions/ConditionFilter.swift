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
    do throws(ConditionError) {
      program = try ConditionCompiler<Item>(origin: origin).program(of: condition, depth: 0)
    } catch {
      throw error.orProperty(of: annotations, columns: columns)
    }
    try FieldUses(condition).check(annotations, columns: columns)
    self.columns = program.columns
    truth = program.truth
  }

  /// Whether the condition is true for an annotation.
  public func includes(_ annotation: Item) -> Bool { truth(annotation) == true }
}

/// A condition as a search tests it, place by place: on single annotations at first, and on all at once as soon as that
/// is faster.
///
/// It belongs to one query, which uses it from one thread.
final class PlaceCondition<Item: Annotation> {
  private let filter: ConditionFilter<Item>
  private let shelf: AnnotationShelf<Item>
  private let columns: ConditionColumns
  /// The rows for which it is true, once all were tested.
  private var rows: RowSet?
  /// The number of tests above which testing all at once is faster.
  private let worthwhileCount: Int
  /// How many annotations a search still tests one by one, since the next may complete the answer.
  ///
  /// At first eight times `worthwhileCount`, but at most a quarter of all rows.
  private var left: Int

  /// nil where each annotation must be tested.
  init?(_ filter: ConditionFilter<Item>, on shelf: AnnotationShelf<Item>) {
    guard let columns = shelf.columns, !filter.columns.isEmpty else { return nil }
    self.filter = filter
    self.shelf = shelf
    self.columns = columns
    worthwhileCount = columns.worthwhileCount(filter.columns)
    left = min(8 * worthwhileCount, columns.rowCount / 4)
  }

  /// The places for which the condition is true, in their order; nil where testing each is better.
  func included(_ places: [Int]) -> [Int]? {
    guard isWorthAskingAll(insteadOf: places.count), let rows else { return nil }
    return shelf.places(places, in: rows)
  }

  /// Tests all annotations where that is faster than testing `count`, and returns whether all were tested.
  func isWorthAskingAll(insteadOf count: Int) -> Bool {
    if count > worthwhileCount, rows == nil { askAll() }
    return rows != nil
  }

  /// Whether the condition is true for the annotation at a place.
  func includes(_ place: Int) -> Bool {
    if let rows { return rows.contains(shelf.row(of: place)) }
    left -= 1
    if left < 0 {
      askAll()
      if let rows { return rows.contains(shelf.row(of: place)) }
    }
    return filter.includes(shelf[place])
  }

  private func askAll() {
    left = .max
    rows = ColumnRun.rows(filter.program, of: columns) { [shelf] row in shelf.item(ofRow: row) }
  }
}
