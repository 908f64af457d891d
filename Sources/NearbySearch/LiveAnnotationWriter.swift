import Geodesy
import MapAnnotations
import SpatialIndexing

/// The only writer of a live annotation index: keeps the annotations, and turns changes into changes of positions.
struct LiveAnnotationWriter<Item: Annotation>: Sendable {
  private let slots = LiveSlots<Item>()
  /// Where the annotation with an id is stored.
  private var entries: [AnnotationID: LiveEntry] = [:]
  private var categories = KindCategories([])
  /// The annotations without a coordinate, by number, all at one meaningless position.
  private let unplacedIndex = LiveIndex()
  private var unplacedChanges: [LiveChange] = []
  private var shapeList: LiveShapes.List = [:] { didSet { sharedShapes = nil } }
  /// The lines and areas, shared by snapshots until they change.
  private var sharedShapes: LiveShapes?
  /// The changes of positions since the last `takeMoves`.
  private var moves: [LiveChange] = []

  private static var nowhere: Coordinate { Coordinate(unchecked: 0, 0) }

  func annotation(_ id: AnnotationID) -> Item? { entries[id].map { slots[Int($0.number)] } }

  /// Makes the snapshot of this moment.
  mutating func snapshot(at positions: LiveSnapshot) -> LiveAnnotationSnapshot<Item> {
    slots.reap()
    if sharedShapes == nil, !shapeList.isEmpty { sharedShapes = LiveShapes(shapeList) }
    defer { unplacedChanges = [] }
    return LiveAnnotationSnapshot(
      positions: positions,
      unplaced: unplacedChanges.isEmpty
        ? unplacedIndex.snapshot : unplacedIndex.apply(unplacedChanges),
      slots: slots.publish(), categories: categories, shapes: sharedShapes)
  }

  // MARK: Changes

  /// Applies changes to the annotations, and returns the resulting changes of positions.
  mutating func apply(_ changes: some Collection<LiveAnnotationChange<Item>>) -> [LiveChange] {
    moves.reserveCapacity(changes.count)
    for change in changes {
      switch change {
      case .upsert(let item, let expiry):
        precondition(!expiry.isNaN, "\(item.id.text) expires at an instant that is not a number")
        upsert(item, expiry: expiry)
      case .remove(let id): remove(id)
      }
    }
    return takeMoves()
  }

  /// Inserts annotations with the same expiry, and returns the resulting changes of positions.
  mutating func upsert(_ items: some Sequence<Item>, expiry: Double) -> [LiveChange] {
    precondition(!expiry.isNaN, "annotations expire at an instant that is not a number")
    moves.reserveCapacity(items.underestimatedCount)
    for item in items { upsert(item, expiry: expiry) }
    return takeMoves()
  }

  private mutating func takeMoves() -> [LiveChange] {
    defer { moves = [] }
    return moves
  }

  private mutating func upsert(_ item: Item, expiry: Double) {
    let key = LiveKey(id: item.id, expiry: expiry)
    let (coordinate, number) = (item.coordinate, slots.insert(item, key))
    let old = entries.updateValue(
      LiveEntry(number: UInt32(number), isPlaced: coordinate != nil, birth: slots.version),
      forKey: key.id)
    if let old { forget(old) }
    guard let coordinate else {
      if let old, old.isPlaced { moves.append(.remove(UInt64(old.number))) }
      unplacedChanges.append(
        .put(LiveObject(id: UInt64(number), at: Self.nowhere, expiry: expiry)))
      return
    }
    let object = LiveObject(
      id: UInt64(number), at: coordinate, categories: categories.set(adding: item.kind),
      expiry: expiry)
    if let old, old.isPlaced {
      moves.append(.replace(UInt64(old.number), with: object))
    } else {
      moves.append(.put(object))
    }
    if let shape = item.searchedShape { shapeList[number] = (key.id, shape) }
  }

  private mutating func remove(_ id: AnnotationID) {
    guard let old = entries.removeValue(forKey: id) else { return }
    forget(old)
    if old.isPlaced { moves.append(.remove(UInt64(old.number))) }
  }

  /// Forgets what a replaced or removed annotation was, but for its position.
  private mutating func forget(_ old: LiveEntry) {
    if !old.isPlaced { unplacedChanges.append(.remove(UInt64(old.number))) }
    if !shapeList.isEmpty { shapeList[Int(old.number)] = nil }
    slots.remove(Int(old.number), birth: old.birth)
  }

  /// How many numbers one step looks at.
  private static var step: Int { 4_096 }

  /// Removes the expired annotations among the next numbers, placed or not.
  ///
  /// - Returns: The resulting changes of positions, how many were dropped, and where to continue; nil at the end.
  mutating func removingExpired(
    now: Double, from start: Int
  ) -> (changes: (positions: [LiveChange], dropped: Int), next: Int?) {
    let end = min(start + LiveAnnotationWriter.step, slots.end)
    var dropped = 0
    for number in start..<max(start, end) {
      guard let key = slots.heldKey(number), key.expiry <= now,
        entries[key.id]?.number == UInt32(number)
      else { continue }
      remove(key.id)
      dropped += 1
    }
    return ((takeMoves(), dropped), end < slots.end ? end : nil)
  }
}

/// Where a live index stores an annotation.
///
/// Outside the writer, so that its dictionary does not depend on the type of the annotations.
private struct LiveEntry: Sendable {
  let number: UInt32
  let isPlaced: Bool
  /// The version that inserted it.
  let birth: Int
}

/// The lines and areas of a live index, by their numbers.
///
/// Indexed once they are queried: a batch that changes shapes costs only a copy of this list, and the first query after
/// it an index of all shapes.
final class LiveShapes: Sendable {
  /// By number, the annotation's id and its shape.
  typealias List = [Int: (id: AnnotationID, shape: GroundShape)]

  private let list: List
  private let made = SharedValue<AnnotationShapes?>(nil)

  init(_ list: List) { self.list = list }

  /// The shapes by number, with equal distances in the order of ids.
  var index: AnnotationShapes {
    made.withLock { made in
      if let made { return made }
      let index = AnnotationShapes(
        inOrder: list.sorted { $0.value.id < $1.value.id }.map { ($0.key, $0.value.shape) })
      made = index
      return index
    }
  }
}
