import Geodesy
import MapAnnotations
import SpatialIndexing

/// What a live index of annotations knows besides the positions: the number under which each id's annotation stands,
/// and the annotations themselves.
struct LiveAnnotationWriter<Item: Annotation>: Sendable {
  private typealias Element = LiveSlots<Item>.Element

  /// Where the annotation of an id stands.
  private struct Entry {
    let number: UInt32
    let isPlaced: Bool
    /// The version that put it there.
    let birth: Int
  }

  private var entries: [AnnotationID: Entry] = [:]
  private let slots = LiveSlots<Item>()
  /// The annotations without a coordinate, by number, all at one place that says nothing.
  private let unplaced = LiveIndex()
  private var unplacedChanges: [LiveChange] = []
  private var categories = KindCategories([])
  private var shapeList: LiveShapes.List = [:] { didSet { shapes = nil } }
  /// What snapshots share until the list changes.
  private var shapes: LiveShapes?

  func annotation(_ id: AnnotationID) -> Item? {
    entries[id].map { slots[Int($0.number)].item }
  }

  /// What the snapshots of this moment share.
  mutating func snapshot(at positions: LiveSnapshot) -> LiveAnnotationSnapshot<Item> {
    if shapes == nil, !shapeList.isEmpty { shapes = LiveShapes(shapeList) }
    if !unplacedChanges.isEmpty { unplaced.apply(unplacedChanges) }
    unplacedChanges.removeAll()
    slots.reap()
    return LiveAnnotationSnapshot(
      positions: positions, unplaced: unplaced.snapshot, slots: slots.publish(),
      categories: categories, shapes: shapes)
  }

  /// Applies changes to the annotations, and returns what they do to the positions.
  mutating func apply(_ changes: some Collection<LiveAnnotationChange<Item>>) -> [LiveChange] {
    var moves: [LiveChange] = []
    moves.reserveCapacity(changes.count)
    for change in changes {
      switch change {
      case .upsert(let item, let expiry):
        precondition(!expiry.isNaN, "\(item.id.text) expires at an instant that is not a number")
        upsert(item, expiry: expiry, moves: &moves)
      case .remove(let id): remove(id, moves: &moves)
      }
    }
    return moves
  }

  /// Inserts annotations that expire together, and returns what that does to the positions.
  mutating func upsert(_ items: some Sequence<Item>, expiry: Double) -> [LiveChange] {
    precondition(!expiry.isNaN, "annotations expire at an instant that is not a number")
    var moves: [LiveChange] = []
    moves.reserveCapacity(items.underestimatedCount)
    for item in items { upsert(item, expiry: expiry, moves: &moves) }
    return moves
  }

  private mutating func upsert(_ item: Item, expiry: Double, moves: inout [LiveChange]) {
    let id = item.id
    let coordinate = item.coordinate
    let number = slots.insert(Element(item: item, id: id, expiry: expiry))
    let old = entries.updateValue(
      Entry(number: UInt32(number), isPlaced: coordinate != nil, birth: slots.version), forKey: id)
    if let old { giveUp(old) }
    if let coordinate {
      let object = LiveObject(
        id: UInt64(number), at: coordinate, categories: categories.set(adding: item.kind),
        expiry: expiry)
      if let old, old.isPlaced {
        moves.append(.replace(UInt64(old.number), with: object))
      } else {
        moves.append(.put(object))
      }
      if let shape = item.shape { shapeList[number] = (id, shape) }
    } else {
      unplacedChanges.append(
        .put(LiveObject(id: UInt64(number), at: Self.nowhere, expiry: expiry)))
      if let old, old.isPlaced { moves.append(.remove(UInt64(old.number))) }
    }
  }

  private mutating func remove(_ id: AnnotationID, moves: inout [LiveChange]) {
    guard let old = entries.removeValue(forKey: id) else { return }
    giveUp(old)
    if old.isPlaced { moves.append(.remove(UInt64(old.number))) }
  }

  /// Lets go of what stood somewhere, but for its position.
  private mutating func giveUp(_ old: Entry) {
    let number = Int(old.number)
    slots.remove(number, birth: old.birth)
    if !old.isPlaced { unplacedChanges.append(.remove(UInt64(number))) }
    if !shapeList.isEmpty { shapeList[number] = nil }
  }

  private static var nowhere: Coordinate { Coordinate(unchecked: 0, 0) }

  /// How many numbers are looked at in one step.
  private static var step: Int { 4_096 }

  /// Removes what has expired among the next numbers, placed or not.
  ///
  /// - Returns: What that does to the positions, how many were dropped, and where to go on; nil at the end.
  mutating func removingExpired(
    now: Double, from start: Int
  ) -> (changes: (positions: [LiveChange], dropped: Int), next: Int?) {
    let end = min(start + LiveAnnotationWriter.step, slots.end)
    var moves: [LiveChange] = []
    var dropped = 0
    for number in start..<max(start, end) {
      guard let element = slots.heldElement(number), element.expiry <= now,
        entries[element.id].map({ Int($0.number) }) == number
      else { continue }
      remove(element.id, moves: &moves)
      dropped += 1
    }
    return ((moves, dropped), end < slots.end ? end : nil)
  }
}
