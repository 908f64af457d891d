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
        let (changes, next) = writer.removingExpired(now: now, from: first)
        dropped += changes.dropped
        start = next
        return changes.positions
      }
      await Task.yield()
    }
    try await positions.compact()
    write { _ in [] }
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
      let old = current.withLock { current in
        let old = current
        current = snapshot
        return old
      }
      _ = consume old
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
