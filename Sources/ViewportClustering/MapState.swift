import Geodesy
import MapAnnotations
import MapProjections

/// The annotations of a session and their order; what is shown keeps the ones it was made of.
struct MapData<Item: Annotation>: Sendable {
  /// By offset; one that was removed stays until its place is needed.
  private(set) var items: [Item]
  private var offsets: [AnnotationID: Int]
  private var freeOffsets: [Int] = []
  private(set) var index: ClusterIndex<[Item]>
  /// Which version of the annotations this is.
  private(set) var generation = 0
  private let aggregates: ClusterAggregates
  /// nil where none opts out.
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

  /// Replaces everything.
  mutating func replaceAll(by annotations: some Sequence<Item>) {
    var new = MapData(
      annotations, rule: index.rule, aggregates: aggregates, optsOut: optsOut)
    new.generation = generation + 1
    self = new
  }

  /// Applies changes in their order.
  ///
  /// - Returns: The offsets at which something else stands now.
  mutating func apply(_ edits: some Collection<MapEdit<Item>>) -> [Int] {
    generation += 1
    var touched: Set<Int> = []
    for edit in edits {
      switch edit {
      case .upsert(let item):
        if let known = offsets[item.id] {
          items[known] = item
          touched.insert(known)
        } else if let free = freeOffsets.popLast() {
          items[free] = item
          offsets[item.id] = free
          touched.insert(free)
        } else {
          offsets[item.id] = items.count
          touched.insert(items.count)
          items.append(item)
        }
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
    var coordinates: [Coordinate] = []
    var places: [UInt32] = []
    for offset in touched.sorted() where offsets[items[offset].id] == offset {
      guard let coordinate = items[offset].coordinate else { continue }
      coordinates.append(coordinate)
      places.append(UInt32(offset))
    }
    var isTouched = [Bool](repeating: false, count: items.count)
    for offset in touched { isTouched[offset] = true }
    let (items, optsOut) = (items, optsOut)
    let order = index.tree.order.replacing(
      where: { isTouched[Int($0)] }, by: coordinates, places: places
    ) { ClusterIndex<[Item]>.precedes(items[Int($0)], items[Int($1)]) }
    index = ClusterIndex(
      items,
      tree: ClusterTree(
        order, rule: index.rule,
        isLoner: optsOut.map { optsOut in { optsOut(items[Int($0)]) } }),
      aggregates: aggregates)
  }
}

/// Everything a session knows.
struct MapState<Item: Annotation>: Sendable {
  private(set) var data: MapData<Item>
  var viewport: MapViewport?
  /// The number of the last request.
  var requestNumber = 0

  private let status: @Sendable (Item, Double) -> PinStatus
  private var segment = MapSegment<Item>.all
  private var filter: (@Sendable (Item) -> Bool)?
  private var now: Double

  /// Of each offset, what time says.
  private var statuses: [PinStatus]
  /// The first instant at which one of them ends.
  private var nextChange = Double.infinity
  /// Of each offset, whether segment, filter and time let it through.
  private var isIncluded: [Bool] = []
  private(set) var selection: ClusterSelection

  /// What is on screen, and what it was made of.
  private(set) var view: ClusterView?
  private var shown: Shown?

  private struct Shown {
    let data: MapData<Item>
    let isIncluded: [Bool]
    let looks: [Int]
  }

  init(
    _ data: MapData<Item>, now: Double,
    status: @escaping @Sendable (Item, Double) -> PinStatus
  ) {
    self.data = data
    self.now = now
    self.status = status
    statuses = data.items.map { status($0, now) }
    selection = ClusterSelection(data.index.tree) { _ in false }
    selectAnew()
    findNextChange()
  }

  var shownPins: [Item] {
    guard let view, let shown else { return [] }
    return view.annotations.map { shown.data.items[$0] }
  }

  // MARK: What is let through

  private func passes(_ offset: Int) -> Bool {
    let item = data.items[offset]
    return statuses[offset].isShown && segment.isIncluded?(item) ?? true && filter?(item) ?? true
  }

  private mutating func select() {
    let places = data.index.tree.order.places
    let isIncluded = isIncluded
    selection = ClusterSelection(data.index.tree) { isIncluded[Int(places[$0])] }
  }

  private mutating func findNextChange() {
    nextChange = statuses.reduce(.infinity) { min($0, $1.validUntil) }
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

  mutating func tick(now: Double) {
    let goesBack = now < self.now
    self.now = now
    guard goesBack || nextChange <= now else { return }
    var changes = false
    for offset in statuses.indices where goesBack || statuses[offset].validUntil <= now {
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
      // What was removed waits for nothing.
      let isThere = data.offset(of: data.items[offset].id) == offset
      let status = isThere ? status(data.items[offset], now) : PinStatus(isShown: false)
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

  mutating func replaceAll(by annotations: some Sequence<Item>) {
    data.replaceAll(by: annotations)
    statuses = data.items.map { status($0, now) }
    selectAnew()
    findNextChange()
  }

  // MARK: What changes on screen

  /// Asks anew, and compares with what is on screen.
  mutating func show() -> MapChange<Item> {
    guard let viewport else {
      return MapChange(
        pins: AnnotationDiff(added: [], removed: [], updated: [], kept: []),
        clusters: ClusterDiff(), looks: [:], box: .world, zoom: 0, validUntil: nil)
    }
    // Without a selection a view is quicker.
    let view = data.index.view(
      of: viewport, selection: selection.count < data.index.placedCount ? selection : nil)
    let looks = view.annotations.map { statuses[$0].look }
    let new = Shown(data: data, isIncluded: isIncluded, looks: looks)
    let old = shown, oldView = self.view
    shown = new
    self.view = view

    let (pins, addedOffsets, removedOffsets) = comparePins(oldView, old, view, new)
    var clusters = ClusterDiff(from: oldView?.clusters ?? [], to: view.clusters)
    if let old, let oldView, !clusters.added.isEmpty || !clusters.removed.isEmpty {
      clusters.trace(
        rule: data.index.rule,
        addedPins: parts(addedOffsets, of: new, also: old, zoom: oldView.zoom),
        removedPins: parts(removedOffsets, of: old, also: new, zoom: view.zoom))
    } else {
      clusters.births = clusters.added.map(\.id)
    }
    var lookOfPin: [AnnotationID: Int] = [:]
    for (offset, look) in zip(view.annotations, looks) where look != 0 {
      lookOfPin[data.items[offset].id] = look
    }
    return MapChange(
      pins: pins, clusters: clusters, looks: lookOfPin, box: view.box, zoom: view.zoom,
      validUntil: nextChange < .infinity ? nextChange : nil)
  }

  /// Pins that another state lets through too, in the same cell of its zoom: what is not shown as a pin
  /// there is in that cell's cluster.
  private func parts(
    _ offsets: [Int], of state: Shown, also other: Shown, zoom: Int
  ) -> [(id: AnnotationID, part: ViewPart)] {
    offsets.compactMap { offset in
      let id = state.data.items[offset].id
      guard let there = other.data.offset(of: id), other.isIncluded[there],
        let coordinate = other.data.items[there].coordinate,
        let mine = state.data.items[offset].coordinate
      else { return nil }
      let rule = data.index.rule
      let code = rule.grid.code(coordinate)
      let shift = UInt64(64 - 2 * rule.level(ofZoom: zoom))
      guard rule.grid.code(mine) >> shift == code >> shift else { return nil }
      return (id, ViewPart(level: MercatorGrid.levels, cell: code))
    }
  }

  private func comparePins(
    _ oldView: ClusterView?, _ old: Shown?, _ view: ClusterView, _ new: Shown
  ) -> (AnnotationDiff<Item>, added: [Int], removed: [Int]) {
    var added: [Int] = [], updated: [Int] = [], kept: [Int] = [], removed: [Int] = []
    guard let old, let oldView else {
      return (diff(new, view.annotations, [], [], []), view.annotations, [])
    }
    if old.data.generation == new.data.generation {
      // One order: both lists ascend in it.
      var place = 0
      for (rank, (offset, look)) in zip(view.ranks, zip(view.annotations, new.looks)) {
        while place < oldView.ranks.count, oldView.ranks[place] < rank {
          removed.append(oldView.annotations[place])
          place += 1
        }
        guard place < oldView.ranks.count, oldView.ranks[place] == rank else {
          added.append(offset)
          continue
        }
        if old.looks[place] == look { kept.append(offset) } else { updated.append(offset) }
        place += 1
      }
      removed += oldView.annotations[place...]
    } else {
      var before: [AnnotationID: (offset: Int, look: Int)] = [:]
      for (offset, look) in zip(oldView.annotations, old.looks) {
        before[old.data.items[offset].id] = (offset, look)
      }
      var seen: Set<AnnotationID> = []
      for (offset, look) in zip(view.annotations, new.looks) {
        let item = new.data.items[offset]
        guard let last = before[item.id] else {
          added.append(offset)
          continue
        }
        seen.insert(item.id)
        let isSame =
          last.look == look
          && BasicAnnotation(copying: old.data.items[last.offset]) == BasicAnnotation(copying: item)
        if isSame { kept.append(offset) } else { updated.append(offset) }
      }
      removed = oldView.annotations.filter { !seen.contains(old.data.items[$0].id) }
    }
    return (
      diff(new, added, updated, kept, removed.map { old.data.items[$0] }), added, removed
    )
  }

  private func diff(
    _ new: Shown, _ added: [Int], _ updated: [Int], _ kept: [Int], _ removed: [Item]
  ) -> AnnotationDiff<Item> {
    AnnotationDiff(
      added: added.map { new.data.items[$0] }, removed: removed,
      updated: updated.map { new.data.items[$0] }, kept: kept.map { new.data.items[$0] })
  }
}
