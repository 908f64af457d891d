import Geodesy
import MapAnnotations
import MapProjections

/// The contents of the screen, and the data they were made from.
struct MapScreen<Item: Annotation>: Sendable {
  var viewport: MapViewport?
  /// The number of the last change.
  private(set) var number = 0
  private var shown: Shown?

  var view: ClusterView? { shown?.view }

  var shownPins: [Item] { shown?.pins ?? [] }

  private struct Shown {
    let view: ClusterView
    let data: MapData<Item>
    let isIncluded: [Bool]
    /// By annotation of the view.
    let looks: [Int]

    var pins: [Item] { view.annotations.map { data.items[$0] } }

    /// The look of each pin whose look is not 0.
    var looksByID: [AnnotationID: Int] {
      var looksByID: [AnnotationID: Int] = [:]
      for (offset, look) in zip(view.annotations, looks) where look != 0 {
        looksByID[data.items[offset].id] = look
      }
      return looksByID
    }
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
    let old = shown
    let new = Shown(view: view, data: data, isIncluded: content.isIncluded, looks: looks)
    shown = new

    let pins = comparePins(old, new, isSame)
    var clusters = ClusterDiff(from: old?.view.clusters ?? [], to: view.clusters)
    if let old, !clusters.added.isEmpty || !clusters.removed.isEmpty {
      clusters.trace(
        rule: data.index.rule, addedPins: codes(pins.added, also: old, zoom: old.view.zoom),
        removedPins: codes(pins.removed, also: new, zoom: view.zoom))
    } else {
      clusters.births = clusters.added.map(\.id)
    }
    return MapChange(
      number: number, isRefused: false, pins: pins, clusters: clusters, looks: new.looksByID,
      box: view.box, zoom: view.zoom, validUntil: content.nextChange)
  }

  /// An empty change.
  func unchanged(isRefused: Bool, validUntil: Instant?) -> MapChange<Item> {
    MapChange(
      number: number, isRefused: isRefused, pins: AnnotationDiff(from: [], to: []),
      looks: shown?.looksByID ?? [:], box: view?.box ?? .world, zoom: view?.zoom ?? 0,
      validUntil: validUntil)
  }

  /// Pins that are also included in another state, with the same cell of its zoom: a pin that is
  /// not shown there is in that cell's cluster.
  private func codes(_ pins: [Item], also other: Shown, zoom: Int) -> [PinCode] {
    let rule = other.data.index.rule
    let shift = UInt64(64 - 2 * rule.level(ofZoom: zoom))
    return pins.compactMap { pin in
      guard let there = other.data.offset(of: pin.id), other.isIncluded[there],
        let coordinate = other.data.items[there].coordinate, let mine = pin.coordinate
      else { return nil }
      let code = rule.grid.code(coordinate)
      guard rule.grid.code(mine) >> shift == code >> shift else { return nil }
      return (pin.id, code)
    }
  }

  private func comparePins(
    _ old: Shown?, _ new: Shown, _ isSame: (Item, Item) -> Bool
  ) -> AnnotationDiff<Item> {
    guard let old, old.data.generation == new.data.generation else {
      let (oldLooks, newLooks) = (old?.looksByID ?? [:], new.looksByID)
      return AnnotationDiff(from: old?.pins ?? [], to: new.pins) {
        oldLooks[$0.id] == newLooks[$1.id] && isSame($0, $1)
      }
    }
    // Both lists ascend in the same order, of the same annotations.
    var added: [Item] = [], removed: [Item] = [], updated: [Item] = [], kept: [Item] = []
    let ranks = old.view.ranks
    var place = 0
    func removeAll(before rank: UInt32?) {
      while place < ranks.count, rank.map({ ranks[place] < $0 }) ?? true {
        removed.append(old.data.items[old.view.annotations[place]])
        place += 1
      }
    }
    for (next, rank) in new.view.ranks.enumerated() {
      removeAll(before: rank)
      let pin = new.data.items[new.view.annotations[next]]
      if place < ranks.count, ranks[place] == rank {
        if old.looks[place] == new.looks[next] { kept.append(pin) } else { updated.append(pin) }
        place += 1
      } else {
        added.append(pin)
      }
    }
    removeAll(before: nil)
    return AnnotationDiff(added: added, removed: removed, updated: updated, kept: kept)
  }
}
