import Geodesy

/// An index over objects that move: inserted, moved and removed in batches while any number of
/// threads ask.
///
/// Questions are put to a `snapshot`, which is a value: it never changes, it holds all of a batch of
/// changes or none, and asking it waits for nobody. Answers are exact on WGS 84, ties by id, as those
/// of `KDTreeIndex` are.
///
///     let buses = LiveIndex()
///     buses.apply(fixes.map { .put(LiveObject(id: $0.bus, at: $0.place, expiry: $0.time + 60)) })
///     let three = buses.snapshot.nearest(3, to: stop, now: clock.seconds)
///
/// The index knows no clock. An object with an `expiry` stops counting when a question says that it
/// is `now` that late; `compact(now:)` then gives back its memory.
///
/// <doc:MovingObjects> tells how it works and what it costs.
///
/// - Complexity: O(log *n*) for each change, less the more of a batch lie near each other; 90
///   to 150 bytes an object.
public final class LiveIndex: Sendable {
  private let writer: SharedValue<LiveWriter>
  /// Held for as long as it takes to copy a reference.
  private let current: SharedValue<LiveVersion>

  /// Makes an index of objects; if several have the same id, the last counts.
  ///
  /// - Complexity: O(*n* log *n*).
  public init(_ objects: some Sequence<LiveObject> = []) {
    let writer = LiveWriter()
    Array(objects.lazy.map { .put($0) }).withUnsafeBufferPointer { writer.apply($0) }
    current = SharedValue(writer.publish())
    self.writer = SharedValue(writer)
  }

  /// The index as it is after the last batch.
  ///
  /// Never waits for a batch that is being applied. Drop a snapshot that is not needed any more: as
  /// long as it lives it keeps its own version of whatever changes.
  public var snapshot: LiveSnapshot { LiveSnapshot(current.withLock { $0 }) }

  /// Applies a batch of changes, in their order and as a whole: a snapshot has all of them or none.
  ///
  /// Batches from several threads come one after another. The more changes a batch has the less each
  /// costs.
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

  /// Lets the writer do something and shows everybody what came of it.
  private func write<Result>(
    _ body: (LiveWriter) -> Result
  ) -> (result: Result, snapshot: LiveSnapshot) {
    writer.withLock { writer in
      let result = body(writer)
      let version = writer.publish()
      // The old version is let go outside the lock.
      let old = current.withLock { current in
        let old = current
        current = version
        return old
      }
      _ = consume old
      return (result, LiveSnapshot(version))
    }
  }

  /// The object with an id, as the last batch left it; nil where there is none.
  ///
  /// Unlike questions to a snapshot this waits for a batch that is being applied. An object that has
  /// expired is found until `compact(now:)` drops it.
  public func object(_ id: UInt64) -> LiveObject? { writer.withLock { $0.object(id) } }

  /// Drops what has expired and repacks the tree, a thousand objects at a time.
  ///
  /// Batches go on between the parts, and readers all the time. Without expiries there is little need
  /// for this: parts of the tree that lose their shape are rebuilt by the batches themselves.
  ///
  /// - Parameter now: What expires at this instant or before is dropped.
  /// - Returns: How many objects were dropped.
  /// - Throws: `CancellationError` when the task is canceled; what was done until then stays done.
  /// - Complexity: O(*n* log *n*), some 0.2 µs an object.
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
