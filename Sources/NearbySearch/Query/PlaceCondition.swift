import MapAnnotations

/// A condition as a search asks it, place by place: of one annotation after another at first, and of all
/// at once as soon as that takes less time.
///
/// Belongs to one query, which asks from one thread.
final class PlaceCondition<Item: Annotation> {
  private let filter: ConditionFilter<Item>
  private let shelf: AnnotationShelf<Item>
  /// The rows of which it is true, once all were asked.
  private var rows: RowSet?
  /// How many annotations have to be asked for asking all at once to take less time.
  private let worthwhileCount: Int
  /// How many annotations a search still asks one by one, which may find enough with the next: eight times
  /// as many, so that what was asked in vain is an eighth at most.
  private var left: Int

  init(_ filter: ConditionFilter<Item>, on shelf: AnnotationShelf<Item>) {
    self.filter = filter
    self.shelf = shelf
    let count = filter.columns.isEmpty ? nil : shelf.columns?.worthwhileCount(filter.columns)
    worthwhileCount = count ?? .max
    left = count.map { min(8 * $0, (shelf.columns?.rowCount ?? 0) / 4) } ?? .max
  }

  /// The places of which the condition is true, in their order; nil where it is better asked of each.
  func included(_ places: [Int]) -> [Int]? {
    guard isWorthAskingAll(insteadOf: places.count), let rows else { return nil }
    return shelf.places(places, in: rows)
  }

  /// Asks all annotations where that takes less time than asking so many, and returns whether it has.
  func isWorthAskingAll(insteadOf count: Int) -> Bool {
    if count > worthwhileCount, rows == nil { askAll() }
    return rows != nil
  }

  /// Whether the condition is true of the annotation at a place.
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
    guard let columns = shelf.columns else { return }
    rows = ColumnRun.rows(filter.program, of: columns) { [shelf] row in shelf.item(ofRow: row) }
  }
}
