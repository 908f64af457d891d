import MapAnnotations
import SpatialIndexing

/// The only writer of a live annotation index: keeps the annotations, and turns changes into changes of positions.
struct LiveAnnotationWriter<Item: Annotation>: Sendable {
  private var book = LiveBook()
  private let slots = LiveSlots<Item>()

  func annotation(_ id: AnnotationID) -> Item? { book.number(of: id).map { slots[$0] } }

  /// Makes the snapshot of this moment.
  mutating func snapshot(at positions: LiveSnapshot) -> LiveAnnotationSnapshot<Item> {
    slots.reap()
    return LiveAnnotationSnapshot(
      positions: positions, unplaced: book.takeUnplaced(), slots: slots.publish(),
      categories: book.categories, shapes: book.takeShapes())
  }

  /// Applies changes to the annotations, and returns the resulting changes of positions.
  mutating func apply(_ changes: some Collection<LiveAnnotationChange<Item>>) -> [LiveChange] {
    book.reserveMoves(changes.count)
    for change in changes {
      switch change {
      case .upsert(let item, let expiry):
        precondition(!expiry.isNaN, "\(item.id.text) expires at an instant that is not a number")
        upsert(item, expiry: expiry)
      case .remove(let id): remove(id)
      }
    }
    return book.takeMoves()
  }

  /// Inserts annotations with the same expiry, and returns the resulting changes of positions.
  mutating func upsert(_ items: some Sequence<Item>, expiry: Double) -> [LiveChange] {
    precondition(!expiry.isNaN, "annotations expire at an instant that is not a number")
    book.reserveMoves(items.underestimatedCount)
    for item in items { upsert(item, expiry: expiry) }
    return book.takeMoves()
  }

  private mutating func upsert(_ item: Item, expiry: Double) {
    let key = LiveKey(id: item.id, expiry: expiry)
    let number = slots.insert(item, key)
    let old = book.put(
      key, at: item.coordinate, kind: item.kind, shape: item.searchedShape, number: number,
      version: slots.version)
    if let old { slots.remove(Int(old.number), birth: old.birth) }
  }

  private mutating func remove(_ id: AnnotationID) {
    if let old = book.remove(id) { slots.remove(Int(old.number), birth: old.birth) }
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
        book.number(of: key.id) == number
      else { continue }
      remove(key.id)
      dropped += 1
    }
    return ((book.takeMoves(), dropped), end < slots.end ? end : nil)
  }
}
