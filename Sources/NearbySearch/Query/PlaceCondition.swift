import MapAnnotations

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
