import Geodesy
import MapAnnotations
import MapProjections

/// The annotations to show, and the filters on them.
///
/// It calls the session's closures, so it is never used under a lock.
struct MapContent<Item: Annotation>: Sendable {
  private(set) var data: MapData<Item>

  private let status: @Sendable (Item, Instant) -> PinStatus
  private var segment = MapSegment<Item>.all
  private var filter: (@Sendable (Item) -> Bool)?
  private var now: Instant

  /// The status of each offset at the current time.
  private(set) var statuses: [PinStatus]
  /// The first instant at which a status ends; nil if none does.
  private(set) var nextChange: Instant?
  /// Whether segment, filter and time include each offset.
  private(set) var isIncluded: [Bool] = []
  private(set) var selection: ClusterSelection

  init(
    _ data: MapData<Item>, now: Instant,
    status: @escaping @Sendable (Item, Instant) -> PinStatus
  ) {
    self.data = data
    self.now = now
    self.status = status
    statuses = data.items.map { status($0, now) }
    selection = ClusterSelection(data.index.tree) { _ in false }
    selectAnew()
    findNextChange()
  }

  // MARK: Filtering

  /// Whether an offset has an annotation; that of a removed one is free.
  private func isTaken(_ offset: Int) -> Bool { data.offset(of: data.items[offset].id) == offset }

  private func passes(_ offset: Int) -> Bool {
    let item = data.items[offset]
    return statuses[offset].isShown && segment.includes(item) && filter?(item) ?? true
  }

  private mutating func select() {
    let places = data.index.tree.order.places
    let isIncluded = isIncluded
    selection = ClusterSelection(data.index.tree) { isIncluded[Int(places[$0])] }
  }

  private mutating func findNextChange() {
    nextChange = statuses.lazy.compactMap(\.validUntil).min()
  }

  private mutating func selectAnew() {
    isIncluded = data.items.indices.map(passes)
    select()
  }

  mutating func setSegment(_ segment: MapSegment<Item>) {
    self.segment = segment
    selectAnew()
  }

  mutating func setFilter(_ filter: (@Sendable (Item) -> Bool)?) {
    self.filter = filter
    selectAnew()
  }

  mutating func tick(now: Instant) {
    let goesBack = now < self.now
    self.now = now
    guard goesBack || nextChange.map({ $0 <= now }) ?? false else { return }
    var changes = false
    for offset in statuses.indices
    where goesBack ? isTaken(offset) : statuses[offset].validUntil.map({ $0 <= now }) ?? false {
      statuses[offset] = status(data.items[offset], now)
      let passes = passes(offset)
      if passes != isIncluded[offset] {
        isIncluded[offset] = passes
        changes = true
      }
    }
    if changes { select() }
    findNextChange()
  }

  mutating func apply(_ edits: some Collection<MapEdit<Item>>) {
    for offset in data.apply(edits) {
      // A removed annotation has no time to wait for.
      let status =
        isTaken(offset) ? status(data.items[offset], now) : PinStatus(isShown: false)
      if offset < statuses.count {
        statuses[offset] = status
        isIncluded[offset] = passes(offset)
      } else {
        // New offsets come in ascending order.
        statuses.append(status)
        isIncluded.append(false)
        isIncluded[offset] = passes(offset)
      }
    }
    select()
    findNextChange()
  }

  mutating func replaceAll(by other: MapData<Item>) {
    data.replaceAll(by: other)
    statuses = data.items.map { status($0, now) }
    selectAnew()
    findNextChange()
  }
}
