import Geodesy

/// An index over moving objects, which any number of threads may query while batches change it.
///
/// Queries go to a `snapshot`, which is a value: it never changes, it contains all of a batch of
/// changes or none, and querying it never waits. Answers are exact on WGS 84, ties by id, as in
/// `KDTreeIndex`.
///
///     let buses = LiveIndex()
///     buses.apply(fixes.map { .put(LiveObject(id: $0.bus, at: $0.place, expiry: $0.time + 60)) })
///     let three = buses.snapshot.nearest(3, to: stop, now: clock.seconds)
///
/// The index has no clock. An object with an `expiry` stops counting once a query's `now` has reached
/// it; `compact(now:)` then frees its memory.
///
/// <doc:MovingObjects> explains how it works and what it costs.
///
/// - Complexity: O(log *n*) for each change, less if the changes of a batch are close together; 90 to
///   150 bytes per object.
public final class LiveIndex: Sendable {
  private let writer: SharedValue<LiveWriter>
  /// Locked only for as long as it takes to copy a reference.
  private let current: SharedValue<LiveVersion>

  /// Makes an index of objects; if several have the same id, the last one counts.
  ///
  /// - Complexity: O(*n* log *n*).
  public init(_ objects: some Sequence<LiveObject> = []) {
    let writer = LiveWriter()
    Array(objects.lazy.map { .put($0) }).withUnsafeBufferPointer { writer.apply($0) }
    current = SharedValue(writer.publish())
    self.writer = SharedValue(writer)
  }

  /// The index as of the last batch.
  ///
  /// Never waits for a batch that is being applied. Release a snapshot that you no longer need: as
  /// long as it lives it keeps its own version of everything that changes.
  public var snapshot: LiveSnapshot { LiveSnapshot(current.withLock { $0 }) }

  /// Applies a batch of changes, in their order and as a whole: a snapshot has all of them or none.
  ///
  /// Batches from several threads are applied one after another. The larger a batch, the less each
  /// change costs.
  ///
  /// - Returns: A snapshot with these changes and no later ones.
  @discardableResult
  public func apply(_ changes: some Collection<LiveChange>) -> LiveSnapshot {
    let isDone: LiveSnapshot? = changes.withContiguousStorageIfAvailable { apply($0) }
    return isDone ?? Array(changes).withUnsafeBufferPointer { apply($0) }
  }

  private func apply(_ changes: UnsafeBufferPointer<LiveChange>) -> LiveSnapshot {
    write { $0.apply(changes) }.snapshot
  }

  /// Runs the writer and publishes the result.
  private func write<Result>(
    _ body: (LiveWriter) -> Result
  ) -> (result: Result, snapshot: LiveSnapshot) {
    writer.withLock { writer in
      let result = body(writer)
      let version = writer.publish()
      // The old version is released outside the lock.
      let old = current.withLock { current in
        let old = current
        current = version
        return old
      }
      _ = consume old
      return (result, LiveSnapshot(version))
    }
  }

  /// The object with an id, as of the last batch; nil if there is none.
  ///
  /// Unlike queries to a snapshot, this waits for a batch that is being applied. An object that has
  /// expired is found until `compact(now:)` drops it.
  public func object(_ id: UInt64) -> LiveObject? { writer.withLock { $0.object(id) } }

  /// Drops expired objects and repacks the tree, a thousand objects at a time.
  ///
  /// Batches continue between the parts, and readers all the time. Without expiries there is little
  /// need for this: batches rebuild parts of the tree that lose their balance.
  ///
  /// - Parameter now: Objects that expire at or before this instant are dropped; none if it is NaN.
  /// - Returns: The number of objects dropped.
  /// - Throws: `CancellationError` when the task is canceled; what was done until then stays done.
  /// - Complexity: O(*n* log *n*), about 0.2 µs per object.
  @concurrent
  @discardableResult
  public func compact(now: Double = -.infinity) async throws(CancellationError) -> Int {
    var dropped = 0
    var cursor: [Int]?
    while !Task.isCancelled {
      guard let part = write({ $0.compactNext(after: &cursor, now: now) }).result else {
        return dropped
      }
      dropped += part
      await Task.yield()
    }
    throw CancellationError()
  }
}
