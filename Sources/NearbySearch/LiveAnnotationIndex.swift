import Geodesy
import MapAnnotations
import SpatialIndexing

/// An index over annotations that come, move and go while any number of threads search it.
///
/// Search a `snapshot`: a value that contains all changes of a batch or none, never changes, and can be searched
/// without waiting.
///
///     let friends = LiveAnnotationIndex<BasicAnnotation>()
///     friends.upsert(fixes, expiry: now + 60)
///     let three = friends.snapshot.nearest(3, to: here, now: now)
///
/// An annotation is identified by its `id`: a new one replaces the one with the same id. Results are those of an
/// `AnnotationIndex` over the current annotations. The index has no clock: a search leaves out annotations whose
/// `expiry` is not later than the `now` it is given, and `compact(now:)` frees their memory.
///
/// While a batch is applied, annotations are read and old ones released: code of theirs that runs then (a computed
/// `coordinate`, the `deinit` of a class) may search a snapshot. It must not change the index or call `annotation(_:)`,
/// which would wait forever for its own batch.
///
/// A search by kind reads only annotations of that kind for the first 63 kinds that the index has had; the others are
/// tested one by one. `compact(now:)` forgets kinds that are gone, and further ones take their places.
///
/// - Complexity: O(log *n*) for each change; memory for the annotations themselves and some 250 bytes for each. Lines
///   and areas should change rarely: the first query after a batch that changes some takes O(*v* log *v*) in the
///   vertices of all.
public final class LiveAnnotationIndex<Item: Annotation>: Sendable {
  private let positions = LiveIndex()
  private let writer: SharedValue<LiveAnnotationWriter<Item>>
  /// Locked only while some references are copied.
  private let current: SharedValue<LiveAnnotationSnapshot<Item>>

  /// Makes an empty index.
  public convenience init() { self.init(EmptyCollection()) }

  /// Makes an index of annotations.
  ///
  /// If several have the same id, the last counts.
  ///
  /// - Complexity: O(*n* log *n*).
  public init(_ annotations: some Sequence<Item>) {
    var writer = LiveAnnotationWriter<Item>()
    current = SharedValue(writer.snapshot(at: positions.snapshot))
    self.writer = SharedValue(writer)
    upsert(annotations)
  }

  /// The index as it is after the last batch.
  ///
  /// Never waits for a batch that is being applied. Release a snapshot that is no longer needed: while it lives, it
  /// keeps its own version of whatever changes.
  public var snapshot: LiveAnnotationSnapshot<Item> { current.withLock { $0 } }

  /// Applies a batch of changes, in order and as a whole: a snapshot has all of them or none.
  ///
  /// Batches from several threads are applied one after another.
  ///
  /// - Returns: A snapshot with these changes and no later ones.
  /// - Precondition: No `expiry` is NaN.
  @discardableResult
  public func apply(
    _ changes: some Collection<LiveAnnotationChange<Item>>
  ) -> LiveAnnotationSnapshot<Item> {
    // A lazy collection makes its changes outside the lock, so that it may read the index.
    let changes = Array(changes)
    return write { $0.apply(changes) }
  }

  /// Inserts annotations as one batch, each replacing the one with its id.
  ///
  /// - Parameters:
  ///   - annotations: What to insert; annotations without a coordinate are kept and counted, but match no spatial
  ///     query.
  ///   - expiry: The instant from which they no longer count, by the caller's clock.
  /// - Precondition: `expiry` is not NaN.
  @discardableResult
  public func upsert(
    _ annotations: some Sequence<Item>, expiry: Double = .infinity
  ) -> LiveAnnotationSnapshot<Item> {
    let annotations = Array(annotations)
    return write { $0.upsert(annotations, expiry: expiry) }
  }

  /// Removes the annotations with these ids, as one batch; unknown ids are ignored.
  @discardableResult
  public func remove(_ ids: some Sequence<AnnotationID>) -> LiveAnnotationSnapshot<Item> {
    apply(ids.map { .remove($0) })
  }

  /// The annotation with an id, as the last batch left it; nil where there is none.
  ///
  /// Waits for a batch that is being applied. An expired annotation is found until `compact(now:)` drops it.
  public func annotation(_ id: AnnotationID) -> Item? { writer.withLock { $0.annotation(id) } }

  /// Drops expired annotations and repacks the tree, a part at a time, while batches and queries go on.
  ///
  /// - Parameter now: Annotations that expire at this instant or before are dropped; none if it is NaN.
  /// - Returns: The number of annotations dropped.
  /// - Throws: `CancellationError` when the task is canceled; what was done before stays done.
  /// - Complexity: O(*n* log *n*).
  @concurrent
  @discardableResult
  public func compact(now: Double = -.infinity) async throws(CancellationError) -> Int {
    var dropped = 0
    var start: Int? = 0
    while let first = start {
      if Task.isCancelled { throw CancellationError() }
      write { writer in
        let removed = writer.removeExpired(now: now, from: first)
        dropped += removed.count
        start = removed.next
        return removed.changes
      }
      await Task.yield()
    }
    try await positions.compact()
    write { writer in
      writer.forgetGoneKinds()
      return []
    }
    return dropped
  }

  /// Lets the writer turn changes into changes of positions, applies these, and publishes the resulting snapshot.
  @discardableResult
  private func write(
    _ body: (inout LiveAnnotationWriter<Item>) -> [LiveChange]
  ) -> LiveAnnotationSnapshot<Item> {
    writer.withLock { writer in
      let changes = body(&writer)
      let snapshot = writer.snapshot(at: positions.apply(changes))
      // The old snapshot is released outside the lock.
      var old = snapshot
      current.withLock { swap(&$0, &old) }
      return snapshot
    }
  }
}

/// One change of a batch.
public enum LiveAnnotationChange<Item: Annotation>: Sendable {
  /// Inserts an annotation, or replaces the one with the same id: a move, a new name.
  ///
  /// From `expiry` on, by the caller's clock, it no longer counts. If that is NaN, ``LiveAnnotationIndex/apply(_:)``
  /// stops the program.
  case upsert(Item, expiry: Double = .infinity)
  /// Removes the annotation with an id; nothing happens where there is none.
  case remove(AnnotationID)
}

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

  /// Forgets kinds that no annotation has any more, once there are as many as can be told apart.
  mutating func forgetGoneKinds() {
    guard categories.isFull else { return }
    var used: Set<AnnotationKind> = []
    for entry in entries.values {
      if let kind = slots[Int(entry.number)].kind { used.insert(kind) }
    }
    categories.forget(allBut: used)
  }

  /// How many numbers one step looks at.
  private static var step: Int { 4_096 }

  /// Removes the expired annotations among the next numbers, placed or not.
  ///
  /// - Returns: How many were removed, the resulting changes of positions, and where to continue; nil at the end.
  mutating func removeExpired(
    now: Double, from start: Int
  ) -> (count: Int, changes: [LiveChange], next: Int?) {
    let end = min(start + LiveAnnotationWriter.step, slots.end)
    var count = 0
    for number in start..<max(start, end) {
      guard let key = slots.heldKey(number), key.expiry <= now,
        entries[key.id]?.number == UInt32(number)
      else { continue }
      remove(key.id)
      count += 1
    }
    return (count, takeMoves(), end < slots.end ? end : nil)
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
