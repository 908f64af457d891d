import CNearbyKernels
import Geodesy
import Synchronization

/// The answers to a batch of queries, in query order.
///
///     let batch = index.findNearest(3, toEach: stops)
///     for (stop, shops) in zip(stops, batch) { print(stop, shops.map { names[$0] }) }
public struct NearestBatch: RandomAccessCollection, Sendable {
  /// The answers end to end, each with room for `limit`; then the count of each, and the order in
  /// which they were found.
  fileprivate let storage: PositionStorage
  /// The maximum number of positions in an answer: as many as requested, or as the index holds.
  public let limit: Int
  /// The number of queries.
  public let endIndex: Int

  fileprivate init(count: Int, limit: Int) {
    storage = PositionStorage(capacity: count * (limit + 2))
    self.limit = limit
    endIndex = count
  }

  /// Always 0.
  public var startIndex: Int { 0 }

  /// The positions nearest to one of the origins, nearest first.
  public subscript(question: Int) -> PositionList {
    precondition(indices.contains(question), "question \(question) of \(count)")
    let start = question * limit
    let size = Int(storage.memory[count * limit + question])
    return PositionList(storage, start..<start + size)
  }

  /// Calls `body` with all answers end to end, `limit` positions of four bytes each.
  ///
  /// An answer is padded with `UInt32.max` if fewer positions belong to the requested categories.
  /// This is the quickest way to read a whole batch: no answer is looked up.
  public func withUnsafeBufferPointer<Result>(
    _ body: (UnsafeBufferPointer<UInt32>) throws -> Result
  ) rethrows -> Result {
    try withExtendedLifetime(storage) {
      try body(UnsafeBufferPointer(start: storage.memory, count: count * limit))
    }
  }
}

extension PositionIndex {
  /// Finds the nearest positions for each of many origins, nearest first.
  ///
  /// The answers are those of separate calls of `findNearest`, in a fraction of the time.
  ///
  /// Queries run in an order in which neighbors follow one another, and eight at a time, so that
  /// each waits for memory while the others work.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of positions for each origin.
  ///   - origins: Where distances are measured from.
  ///   - categories: Positions must belong to one of these.
  /// - Precondition: `limit >= 0`.
  /// - Complexity: O(*m* *k* log *n*) expected for *m* origins; 4 bytes of memory per answer.
  public func findNearest(
    _ limit: Int, toEach origins: [Coordinate], categories: CategorySet = .any
  ) -> NearestBatch {
    let writer = BatchWriter(
      index: packed, limit: limit, origins: origins, categories: categories, taskCount: 1)
    writer.work()
    return writer.batch
  }

  /// Finds the nearest positions for each of many origins in several tasks at once, by default as
  /// many as the executor has threads.
  ///
  /// The answers do not depend on the number of tasks.
  public func findNearest(
    _ limit: Int, toEach origins: [Coordinate], categories: CategorySet = .any,
    maximumTasks: Int?
  ) async -> NearestBatch {
    precondition(maximumTasks ?? 1 > 0, "\(maximumTasks ?? 1) tasks find nothing")
    let most = Swift.min(maximumTasks ?? 64, origins.count / BatchWriter.leastTaskSize, 64)
    let taskCount = Swift.max(1, most)
    let writer = BatchWriter(
      index: packed, limit: limit, origins: origins, categories: categories, taskCount: taskCount)
    await withTaskGroup(of: Void.self) { group in
      for _ in 1..<taskCount { group.addTask { writer.work() } }
      // This task would only wait, so it works too.
      writer.work()
    }
    return writer.batch
  }
}

/// Answers the queries of a batch, in any number of tasks at once.
private final class BatchWriter: @unchecked Sendable {
  private let index: KDTreeIndex
  private let limit: Int
  private let origins: [Coordinate]
  private let categories: CategorySet
  private let taskCount: Int
  /// The queries, in execution order.
  private let order: UnsafeMutablePointer<UInt32>
  /// The next offset in the order that no task has taken.
  private let next = Atomic(0)
  /// The answers; each query has its own part of all three buffers, so no two tasks write to the
  /// same one.
  let batch: NearestBatch
  private let counts: UnsafeMutablePointer<UInt32>

  /// Fewer queries are not worth a task.
  static let leastTaskSize = 512
  /// Eight walks run at once, but the last ones of a share run alone.
  private static let leastShare = 64

  init(
    index: KDTreeIndex, limit: Int, origins: [Coordinate], categories: CategorySet,
    taskCount: Int
  ) {
    precondition(limit >= 0, "cannot find \(limit) positions")
    self.index = index
    self.limit = min(limit, index.count)
    self.origins = origins
    self.categories = categories
    self.taskCount = taskCount
    batch = NearestBatch(count: origins.count, limit: self.limit)
    counts = batch.storage.memory + origins.count * self.limit
    order = counts + origins.count
    SpatialOrder.order(origins, into: order)
    counts.initialize(
      repeating: UInt32(truncatingIfNeeded: self.limit), count: origins.count)
  }

  /// Answers queries until none are left.
  ///
  /// Of several tasks each takes a part of the rest, down to a few, so that all finish at about the
  /// same time.
  func work() {
    var held = HeldAnswers()
    var start = next.load(ordering: .relaxed)
    while start < origins.count {
      let left = origins.count - start
      let share = taskCount == 1 ? left : max(left / (2 * taskCount), BatchWriter.leastShare)
      let end = start + min(left, share)
      let (isTaken, now) = next.weakCompareExchange(
        expected: start, desired: end, ordering: .relaxed)
      if isTaken { write(start..<end, &held) }
      start = isTaken ? end : now
    }
  }

  /// Answers some of the queries, by their offsets in the order.
  private func write(_ part: Range<Int>, _ held: inout HeldAnswers) {
    guard limit > 0, !part.isEmpty else { return }
    index.withTree(of: categories) { tree, categories in
      guard SmallKSearch.canAnswer(limit, categories, in: tree), tree.shape.count > 0 else {
        var buffer = QueryBuffer()
        for place in part { write(Int(order[place]), &buffer) }
        return
      }
      writeFew(part, tree, categories, &held)
    }
  }

  /// Answers a query as if it were asked alone.
  private func write(_ question: Int, _ buffer: inout QueryBuffer) {
    index.find(limit, origins[question], categories, isMeasured: false, &buffer, mayBeFew: false)
    let found = buffer.positions
    put(question, count: found.count) { UInt32(truncatingIfNeeded: found[$0]) }
  }

  /// Writes the answer to a query.
  private func put(_ question: Int, count: Int, _ position: (_ rank: Int) -> UInt32) {
    let positions = batch.storage.memory + question * limit
    for rank in 0..<count { positions[rank] = position(rank) }
    for rank in count..<limit { positions[rank] = .max }
    counts[question] = UInt32(truncatingIfNeeded: count)
  }

  /// Answers a query that is farther from everything than flat squared chords reach.
  private func writeFar(
    _ question: Int, _ tree: TreeView, _ categories: CategorySet, _ held: inout HeldAnswers
  ) {
    let origin = origins[question]
    if let other = held.question(answering: origin) { return copy(other, to: question) }
    let packed = PackedTree(tree, categories: categories)
    var walk = GroundWalk(packed, origin: origin, limit: limit, bound: held.bound(from: origin))
    let slots = walk.runInOrder()
    put(question, count: slots.count) { tree.position(slots[$0]) }
    guard !slots.isEmpty else { return }
    held.hold(question, from: origin) { border in
      ClearanceWalk(packed, origin: origin, answer: slots, border: border)
    }
  }

  /// Gives a query the answer to another one.
  private func copy(_ other: Int, to question: Int) {
    let positions = batch.storage.memory + other * limit
    put(question, count: Int(counts[other])) { positions[$0] }
  }

  /// Finds a few positions in a tree for each query.
  private func writeFew(
    _ part: Range<Int>, _ tree: TreeView, _ categories: CategorySet, _ held: inout HeldAnswers
  ) {
    let batchBytes = MemoryLayout<nearby_batch>.stride
    let scratch = UnsafeMutableRawBufferPointer.allocate(
      byteCount: batchBytes + SmallKSearch.settlingByteCount, alignment: 64)
    defer { scratch.deallocate() }
    let memory = scratch.baseAddress.unsafelyUnwrapped
    let walks = memory.assumingMemoryBound(to: nearby_batch.self)
    var buffer = QueryBuffer()
    var rest = part
    var size = 32
    tree.withSearched(categories, nil) { searched, filter in
      origins.withUnsafeBytes { bytes in
        while !rest.isEmpty {
          // Walks run eight at once, but the last ones of those taken run alone.
          size = min(2 * size, 1_024)
          let taken = rest.prefix(size)
          rest = taken.endIndex..<rest.upperBound
          let open = gatherNear(taken, tree, categories, &held)
          nearby_begin(
            walks, searched, filter, bytes.assumingMemoryBound(to: Double.self).baseAddress,
            order + open.lowerBound, open.count, Int32(truncatingIfNeeded: limit),
            batch.storage.memory)
          var walk: UnsafePointer<nearby_walk>?
          while true {
            let outcome = nearby_next(tree.level.rawValue, walks, &walk)
            guard outcome != NEARBY_DONE, let walk else { break }
            settle(
              walk, outcome, tree, categories, memory: memory + batchBytes, &buffer, &held)
          }
        }
      }
    }
  }

  /// Answers those of some queries that are known to be from far away, and gathers the others.
  ///
  /// - Returns: The places of the others in the order.
  private func gatherNear(
    _ part: Range<Int>, _ tree: TreeView, _ categories: CategorySet, _ held: inout HeldAnswers
  ) -> Range<Int> {
    var end = part.lowerBound
    for place in part {
      let question = Int(order[place])
      if held.isFar(origins[question]) {
        writeFar(question, tree, categories, &held)
      } else {
        order[end] = order[place]
        end += 1
      }
    }
    return part.lowerBound..<end
  }

  /// Answers a query that the searches in C left open.
  private func settle(
    _ walk: UnsafePointer<nearby_walk>, _ outcome: nearby_outcome, _ tree: TreeView,
    _ categories: CategorySet, memory: UnsafeMutableRawPointer, _ buffer: inout QueryBuffer,
    _ held: inout HeldAnswers
  ) {
    let question = Int(walk.pointee.question)
    if outcome == NEARBY_BEYOND { return writeFar(question, tree, categories, &held) }
    let search = SmallKSearch(
      tree: tree, origin: origins[question], limit: limit, categories: categories, walk: walk,
      memory: memory)
    let positions = batch.storage.memory + question * limit
    if !search.settle(outcome, into: positions) { write(question, &buffer) }
  }
}
