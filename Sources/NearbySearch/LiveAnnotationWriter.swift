import MapAnnotations
import SpatialIndexing

/// What a live index of annotations knows besides the positions: which number each id has, and the
/// annotation of each number.
struct LiveAnnotationWriter<Item: Annotation>: Sendable {
  private var numbers: [AnnotationID: Int] = [:]
  private var slots = LiveSlots<LiveAnnotation<Item>>()
  private var categories = KindCategories([])
  private var unplacedCount = 0
  private var shapeList: LiveShapes.List = [:] { didSet { shapes = nil } }
  /// What snapshots share until the list changes.
  private var shapes: LiveShapes?

  func annotation(_ id: AnnotationID) -> Item? {
    numbers[id].flatMap { slots[$0]?.item }
  }

  mutating func snapshot(at positions: LiveSnapshot) -> LiveAnnotationSnapshot<Item> {
    if shapes == nil, !shapeList.isEmpty { shapes = LiveShapes(shapeList) }
    return LiveAnnotationSnapshot(
      positions: positions, slots: slots, categories: categories, unplacedCount: unplacedCount,
      shapes: shapes)
  }

  /// Applies changes to the annotations, and returns what they do to the positions.
  mutating func apply(_ changes: some Collection<LiveAnnotationChange<Item>>) -> [LiveChange] {
    var moves: [LiveChange] = []
    moves.reserveCapacity(changes.count)
    for change in changes {
      switch change {
      case .upsert(let item, let expiry):
        precondition(!expiry.isNaN, "\(item.id.text) expires at an instant that is not a number")
        moves.append(upsert(LiveAnnotation(item, expiry: expiry)))
      case .remove(let id):
        if let number = numbers.removeValue(forKey: id) { moves.append(remove(number)) }
      }
    }
    return moves
  }

  /// Inserts annotations that expire together, and returns what that does to the positions.
  mutating func upsert(_ items: some Sequence<Item>, expiry: Double) -> [LiveChange] {
    precondition(!expiry.isNaN, "annotations expire at an instant that is not a number")
    return items.map { upsert(LiveAnnotation($0, expiry: expiry)) }
  }

  private mutating func upsert(_ annotation: LiveAnnotation<Item>) -> LiveChange {
    let id = annotation.id
    let number: Int
    if let known = numbers[id] {
      // Looking at what was there takes long; mostly nothing is unplaced.
      if unplacedCount > 0, slots[known]?.item.coordinate == nil { unplacedCount -= 1 }
      slots.replace(known, with: annotation)
      number = known
    } else {
      number = slots.insert(annotation)
      numbers[id] = number
    }
    guard let coordinate = annotation.item.coordinate else {
      unplacedCount += 1
      if !shapeList.isEmpty { shapeList[number] = nil }
      return .remove(UInt64(number))
    }
    if let shape = annotation.item.shape {
      shapeList[number] = (id, shape)
    } else if !shapeList.isEmpty {
      shapeList[number] = nil
    }
    return .put(
      LiveObject(
        id: UInt64(number), at: coordinate,
        categories: categories.set(adding: annotation.item.kind), expiry: annotation.expiry))
  }

  private mutating func remove(_ number: Int) -> LiveChange {
    if slots[number]?.item.coordinate == nil { unplacedCount -= 1 }
    slots.remove(number)
    if !shapeList.isEmpty { shapeList[number] = nil }
    return .remove(UInt64(number))
  }

  /// How many numbers are looked at in one step.
  private static var step: Int { 4_096 }

  /// Removes what has expired among the next numbers, placed or not.
  ///
  /// - Returns: What that does to the positions, and where to go on; nil at the end.
  mutating func removingExpired(
    now: Double, from start: Int
  ) -> (changes: (positions: [LiveChange], dropped: Int), next: Int?) {
    let end = min(start + LiveAnnotationWriter.step, slots.end)
    var changes: [LiveChange] = []
    for number in start..<max(start, end) {
      guard let annotation = slots[number], annotation.expiry <= now else { continue }
      numbers[annotation.id] = nil
      changes.append(remove(number))
    }
    return ((changes, changes.count), end < slots.end ? end : nil)
  }
}

/// An annotation and its end.
///
/// A class, because what surrounds an annotation that changes is copied: a reference each, and not all that
/// its neighbors say.
final class LiveAnnotation<Item: Annotation>: Sendable {
  let item: Item
  let id: AnnotationID
  let expiry: Double

  init(_ item: Item, expiry: Double) {
    self.item = item
    id = item.id
    self.expiry = expiry
  }
}
