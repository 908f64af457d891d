import Geodesy
import MapAnnotations
import SpatialIndexing

/// Some of the results of a query, in an order, and where the next ones begin.
public struct ResultPage<Item: Annotation>: Sendable {
  /// The results, in their order.
  public let items: [Item]
  /// What the next page is asked for with; nil when there is none: this is the end.
  public let next: PageCursor?
  /// How far the origin may move before another set of annotations could be on the page; nil when
  /// no movement changes it.
  ///
  /// Zero where that cannot be told: on pages that begin or end inside of an order other than that
  /// by distance, or begin behind a cursor.
  public let validRadius: Distance?
  /// What the search did.
  public let statistics: SearchStatistics
}

/// Which results of a query are wanted.
public struct PageRequest: Hashable, Sendable {
  /// How many at most.
  public var limit: Int
  /// What they are ordered by.
  public var order: ResultOrder
  /// Where the page before ended; nil for the first page.
  public var cursor: PageCursor?
  /// The query in words that are the same for each of its pages and differ for any other query,
  /// the order among them.
  public var query: String

  /// Asks for the results behind a cursor.
  ///
  /// - Precondition: `limit >= 1`.
  public init(
    limit: Int, order: ResultOrder = .distance, after cursor: PageCursor? = nil, query: String
  ) {
    precondition(limit >= 1, "a page of \(limit) results never ends")
    self.limit = limit
    self.order = order
    self.cursor = cursor
    self.query = query
  }
}

extension ResultPage {
  /// A page of annotations that are all known.
  ///
  /// - Parameters:
  ///   - items: All that match, in any order.
  ///   - request: Which of them are wanted.
  ///   - origin: Where distances are measured from; nil where there is no such place.
  /// - Throws: `ConditionError` where the order needs distances and there is no origin.
  /// - Complexity: O(*n* log *k*) for *k* of *n*; memory for 2 *k*.
  public init(
    of items: some Sequence<Item>, _ request: PageRequest, from origin: Coordinate?
  ) throws(ConditionError) {
    let placeOf = try request.order.places(of: Item.self, from: origin)
    var leading = Leading<Item>(count: request.limit, order: request.order)
    for item in items {
      let place = placeOf(item)
      if let cursor = request.cursor, place.order(to: cursor.place, in: request.order) <= 0 {
        continue
      }
      leading.insert(item, place)
    }
    let (rows, hasMore) = leading.sorted()
    self.init(
      items: rows.map(\.item),
      next: hasMore ? rows.last.map { PageCursor($0.place, of: request.query) } : nil,
      validRadius: .meters(0), statistics: SearchStatistics())
  }
}

/// The first few of many, in an order.
private struct Leading<Item> {
  private let count: Int
  private let order: ResultOrder
  private var rows: [(item: Item, place: ResultPlace)] = []
  private var isCut = false
  /// The last place that is still among the first; nil while all are.
  private var bound: ResultPlace?

  init(count: Int, order: ResultOrder) {
    self.count = count
    self.order = order
  }

  mutating func insert(_ item: Item, _ place: ResultPlace) {
    if let bound, place.order(to: bound, in: order) > 0 { return isCut = true }
    rows.append((item, place))
    guard count < .max / 4, rows.count >= max(2 * count, 1_024) else { return }
    cut()
  }

  private mutating func cut() {
    // Equal places stay as they came.
    let places = rows.indices.sorted {
      let order = rows[$0].place.order(to: rows[$1].place, in: self.order)
      return order == 0 ? $0 < $1 : order < 0
    }
    if places.count > count { isCut = true }
    rows = places.prefix(count).map { rows[$0] }
    if rows.count == count { bound = rows.last?.place }
  }

  mutating func sorted() -> (rows: [(item: Item, place: ResultPlace)], hasMore: Bool) {
    cut()
    return (rows, isCut)
  }
}
