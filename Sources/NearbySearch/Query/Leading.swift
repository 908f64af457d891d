/// The first few of many items, in an order.
struct Leading<Item> {
  private let count: Int
  private let order: ResultOrder
  private var rows: [(item: Item, place: ResultPlace)] = []
  private var isCut = false
  /// The place of the last item that is still among the first; nil while all are.
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
    // Equal places keep the order in which they were inserted.
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
