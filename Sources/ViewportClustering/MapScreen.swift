import Geodesy
import MapAnnotations
import MapProjections

/// The contents of the screen, and the data they were made from.
struct MapScreen<Item: Annotation>: Sendable {
  var viewport: MapViewport?
  /// The number of the last change.
  private(set) var number = 0
  private(set) var view: ClusterView?
  private var shown: Shown?

  private struct Shown {
    let data: MapData<Item>
    let isIncluded: [Bool]
    let looks: [Int]
  }

  var shownPins: [Item] {
    guard let view, let shown else { return [] }
    return view.annotations.map { shown.data.items[$0] }
  }

  /// Shows the current content, and compares it with the previous one.
  mutating func show(
    _ content: MapContent<Item>, isSame: (Item, Item) -> Bool
  ) -> MapChange<Item> {
    number += 1
    guard let viewport else {
      return unchanged(isRefused: false, validUntil: content.nextChange)
    }
    let data = content.data, selection = content.selection
    // A view is faster without a selection.
    let view = data.index.view(
      of: viewport, selection: selection.count < data.index.placedCount ? selection : nil)
    let looks = view.annotations.map { content.statuses[$0].look }
    let new = Shown(data: data, isIncluded: content.isIncluded, looks: looks)
    let old = shown, oldView = self.view
    shown = new
    self.view = view

    let (pins, addedOffsets, removedOffsets) = comparePins(oldView, old, view, new, isSame)
    var clusters = ClusterDiff(from: oldView?.clusters ?? [], to: view.clusters)
    if let old, let oldView, !clusters.added.isEmpty || !clusters.removed.isEmpty {
      clusters.trace(
        rule: data.index.rule,
        addedPins: codes(addedOffsets, of: new, also: old, zoom: oldView.zoom),
        removedPins: codes(removedOffsets, of: old, also: new, zoom: view.zoom))
    } else {
      clusters.births = clusters.added.map(\.id)
    }
    return MapChange(
      number: number, isRefused: false, pins: pins, clusters: clusters, looks: shownLooks,
      box: view.box, zoom: view.zoom, validUntil: content.nextChange)
  }

  /// An empty change.
  func unchanged(isRefused: Bool, validUntil: Instant?) -> MapChange<Item> {
    MapChange(
      number: number, isRefused: isRefused, pins: AnnotationDiff(from: [], to: []),
      looks: shownLooks, box: view?.box ?? .world, zoom: view?.zoom ?? 0, validUntil: validUntil)
  }

  /// The look of each shown pin whose look is not 0.
  private var shownLooks: [AnnotationID: Int] {
    guard let view, let shown else { return [:] }
    var looks: [AnnotationID: Int] = [:]
    for (offset, look) in zip(view.annotations, shown.looks) where look != 0 {
      looks[shown.data.items[offset].id] = look
    }
    return looks
  }

  /// Pins that are also included in another state, with the same cell of its zoom: a pin that is
  /// not shown there is in that cell's cluster.
  private func codes(
    _ offsets: [Int], of state: Shown, also other: Shown, zoom: Int
  ) -> [PinCode] {
    offsets.compactMap { offset in
      let id = state.data.items[offset].id
      guard let there = other.data.offset(of: id), other.isIncluded[there],
        let coordinate = other.data.items[there].coordinate,
        let mine = state.data.items[offset].coordinate
      else { return nil }
      let rule = state.data.index.rule
      let code = rule.grid.code(coordinate)
      let shift = UInt64(64 - 2 * rule.level(ofZoom: zoom))
      guard rule.grid.code(mine) >> shift == code >> shift else { return nil }
      return (id, code)
    }
  }

  private func comparePins(
    _ oldView: ClusterView?, _ old: Shown?, _ view: ClusterView, _ new: Shown,
    _ isSame: (Item, Item) -> Bool
  ) -> (AnnotationDiff<Item>, added: [Int], removed: [Int]) {
    var added: [Int] = [], updated: [Int] = [], kept: [Int] = [], removed: [Int] = []
    guard let old, let oldView else {
      return (diff(new, view.annotations, [], [], []), view.annotations, [])
    }
    if old.data.generation == new.data.generation {
      // Both lists ascend in the same order.
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
        if last.look == look, isSame(old.data.items[last.offset], item) {
          kept.append(offset)
        } else {
          updated.append(offset)
        }
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
