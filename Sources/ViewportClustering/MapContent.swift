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
      // New offsets come in ascending order.
      if offset == statuses.count {
        statuses.append(status)
        isIncluded.append(false)
      }
      statuses[offset] = status
      isIncluded[offset] = passes(offset)
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

/// The annotations of a session and their order; the shown contents keep the data they were made from.
struct MapData<Item: Annotation>: Sendable {
  /// The annotations by offset; a removed one stays until its slot is reused.
  private(set) var items: [Item]
  private var offsets: [AnnotationID: Int]
  private var freeOffsets: [Int] = []
  private(set) var index: ClusterIndex<[Item]>
  /// The version number of the annotations.
  private(set) var generation = 0
  private let aggregates: ClusterAggregates
  /// nil if no annotation opts out.
  private let optsOut: (@Sendable (Item) -> Bool)?

  init(
    _ annotations: some Sequence<Item>, rule: ClusterRule, aggregates: ClusterAggregates,
    optsOut: (@Sendable (Item) -> Bool)?
  ) {
    var offsets: [AnnotationID: Int] = [:]
    var items: [Item] = []
    for annotation in annotations {
      if let known = offsets[annotation.id] {
        items[known] = annotation
      } else {
        offsets[annotation.id] = items.count
        items.append(annotation)
      }
    }
    self.items = items
    self.offsets = offsets
    self.aggregates = aggregates
    self.optsOut = optsOut
    index = ClusterIndex(items, rule: rule, aggregates: aggregates, optsOut: optsOut)
  }

  func offset(of id: AnnotationID) -> Int? { offsets[id] }

  /// The first generation of other annotations with the same rules.
  func made(of annotations: some Sequence<Item>) -> MapData {
    MapData(annotations, rule: index.rule, aggregates: aggregates, optsOut: optsOut)
  }

  /// Replaces all annotations.
  mutating func replaceAll(by other: MapData) {
    let next = generation + 1
    self = other
    generation = next
  }

  /// Applies changes in order.
  ///
  /// - Returns: The offsets whose contents changed.
  mutating func apply(_ edits: some Collection<MapEdit<Item>>) -> [Int] {
    generation += 1
    var touched: Set<Int> = []
    for edit in edits {
      switch edit {
      case .upsert(let item):
        let known = offsets[item.id]
        let offset = known ?? freeOffsets.popLast() ?? items.count
        if offset == items.count { items.append(item) } else { items[offset] = item }
        // A snapshot shares the dictionary, all of which the first change would copy.
        if known == nil { offsets[item.id] = offset }
        touched.insert(offset)
      case .remove(let id):
        guard let known = offsets.removeValue(forKey: id) else { continue }
        freeOffsets.append(known)
        touched.insert(known)
      }
    }
    reorder(touched)
    return touched.sorted()
  }

  private mutating func reorder(_ touched: Set<Int>) {
    var isTouched = [Bool](repeating: false, count: items.count)
    for offset in touched { isTouched[offset] = true }
    var shapes = index.shapes
    shapes.remove { isTouched[$0] }
    var coordinates: [Coordinate] = []
    var places: [UInt32] = []
    for offset in touched.sorted() where offsets[items[offset].id] == offset {
      guard let coordinate = items[offset].coordinate else { continue }
      coordinates.append(coordinate)
      places.append(UInt32(offset))
      if let shape = items[offset].searchedShape { shapes.append(shape, offset: UInt32(offset)) }
    }
    let (items, optsOut) = (items, optsOut)
    let order = index.tree.order.replacing(
      where: { isTouched[Int($0)] }, by: coordinates, places: places
    ) { ClusterIndex<[Item]>.precedes(items[Int($0)], items[Int($1)]) }
    index = ClusterIndex(
      items,
      tree: ClusterTree(
        order, rule: index.rule,
        isLoner: optsOut.map { optsOut in { optsOut(items[Int($0)]) } }),
      shapes: shapes, aggregates: aggregates)
  }
}
