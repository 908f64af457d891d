import Geodesy
import MapAnnotations
import SpatialIndexing

/// An index over annotations that come, move and go, while any number of threads search it.
///
/// Search a `snapshot`: a value that contains all of a batch of changes or none, never changes, and
/// can be searched without waiting for anybody.
///
///     let friends = LiveAnnotationIndex<BasicAnnotation>()
///     friends.upsert(fixes, expiry: now + 60)
///     let three = friends.snapshot.nearest(3, to: here, now: now)
///
/// An annotation is identified by its `id`: a new one replaces the one with the same id. Results
/// are those of an `AnnotationIndex` over the current annotations. The index has no clock; an
/// annotation with an `expiry` stops counting when a search passes a `now` that is that late, and
/// `compact(now:)` frees its memory.
///
/// - Complexity: O(log *n*) for each change; the annotations themselves and some 250 bytes for each. Lines and areas
///   are for what rarely changes: the first question after a batch that changes some takes O(*v* log *v*) in the
///   vertices of all.
public final class LiveAnnotationIndex<Item: Annotation>: Sendable {
  private let positions = LiveIndex()
  private let writer: SharedValue<LiveAnnotationWriter<Item>>
  /// Held for as long as it takes to copy some references.
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
  /// Never waits for a batch that is being applied. Drop a snapshot that is not needed any more: as
  /// long as it lives it keeps its own version of whatever changes.
  public var snapshot: LiveAnnotationSnapshot<Item> { current.withLock { $0 } }

  /// Applies a batch of changes, in their order and as a whole: a snapshot has all of them or none.
  ///
  /// Batches from several threads come one after another.
  ///
  /// - Returns: A snapshot with these changes and no later ones.
  @discardableResult
  public func apply(
    _ changes: some Collection<LiveAnnotationChange<Item>>
  ) -> LiveAnnotationSnapshot<Item> {
    write { $0.apply(changes) }
  }

  /// Inserts annotations, each in place of the one with its id, as one batch.
  ///
  /// - Parameters:
  ///   - annotations: What to insert; without a coordinate they are kept and counted, and answer no
  ///     spatial question.
  ///   - expiry: The instant from which on they do not count any more, by the caller's clock.
  @discardableResult
  public func upsert(
    _ annotations: some Sequence<Item>, expiry: Double = .infinity
  ) -> LiveAnnotationSnapshot<Item> {
    write { $0.upsert(annotations, expiry: expiry) }
  }

  /// Removes the annotations with these ids, as one batch; ids that are not there do nothing.
  @discardableResult
  public func remove(_ ids: some Sequence<AnnotationID>) -> LiveAnnotationSnapshot<Item> {
    apply(ids.map { .remove($0) })
  }

  /// The annotation with an id, as the last batch left it; nil where there is none.
  ///
  /// Waits for a batch that is being applied. One that has expired is found until
  /// `compact(now:)` drops it.
  public func annotation(_ id: AnnotationID) -> Item? { writer.withLock { $0.annotation(id) } }

  /// Drops what has expired and repacks the tree, a part at a time, while batches and questions
  /// go on.
  ///
  /// - Parameter now: What expires at this instant or before is dropped.
  /// - Returns: How many annotations were dropped.
  /// - Throws: `CancellationError` when the task is canceled; what was done until then stays done.
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

  /// Lets the writer turn something into changes of positions, applies these, and shows everybody
  /// what came of it.
  @discardableResult
  private func write(
    _ body: (inout LiveAnnotationWriter<Item>) -> [LiveChange]
  ) -> LiveAnnotationSnapshot<Item> {
    writer.withLock { writer in
      let changes = body(&writer)
      let snapshot = writer.snapshot(at: positions.apply(changes))
      // The old snapshot is let go outside the lock.
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
  /// From `expiry` on, by the caller's clock, it does not count any more.
  case upsert(Item, expiry: Double = .infinity)
  /// Removes the annotation with an id; nothing happens where there is none.
  case remove(AnnotationID)
}
