import CKernels
import Geodesy

/// The answers to a batch of questions, in the order of the questions.
///
///     let batch = index.findNearest(3, toEach: stops)
///     for (stop, shops) in zip(stops, batch) { print(stop, shops.map { names[$0] }) }
public struct NearestBatch: RandomAccessCollection, Sendable {
  private let storage: PositionStorage
  private let limit: Int
  private let counts: [UInt32]

  init(storage: PositionStorage, limit: Int, counts: [UInt32]) {
    self.storage = storage
    self.limit = limit
    self.counts = counts
  }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// How many questions there were.
  public var endIndex: Int { counts.count }

  /// The positions nearest to one of the origins, nearest first.
  public subscript(question: Int) -> PositionList {
    precondition(indices.contains(question), "question \(question) of \(count)")
    let start = question * limit
    return PositionList(storage, start..<start + Int(counts[question]))
  }
}

extension KDTreeIndex {
  /// Finds for each of many origins the nearest positions, nearest first: what `findNearest` finds
  /// for one after another, in a fraction of the time.
  ///
  /// Questions are asked in an order in which neighbors follow one another, and eight at a time, so
  /// that each waits for its memory while the others work.
  ///
  /// - Parameters:
  ///   - limit: How many to find for each; more than there are finds them all.
  ///   - origins: Where distances are measured from.
  ///   - categories: Positions must belong to one of these.
  /// - Precondition: `limit >= 0`.
  /// - Complexity: O(*m* *k* log *n*) expected for *m* origins; 4 bytes of memory an answer.
  public func findNearest(
    _ limit: Int, toEach origins: [Coordinate], categories: CategorySet = .any
  ) -> NearestBatch {
    findNearest(limit, toEach: origins, categories: categories, level: .greatest)
  }

  /// The same by a set of instructions that the processor has.
  package func findNearest(
    _ limit: Int, toEach origins: [Coordinate], categories: CategorySet = .any, level: VectorLevel
  ) -> NearestBatch {
    let writer = BatchWriter(
      index: self, limit: limit, origins: origins, categories: categories, level: level)
    writer.write(0..<origins.count)
    return writer.finished()
  }

  /// The same in several tasks at once, as many as the executor has threads for.
  ///
  /// - Parameter maximumTasks: How many tasks may run at once; nil leaves that to the executor.
  public func findNearest(
    _ limit: Int, toEach origins: [Coordinate], categories: CategorySet = .any,
    maximumTasks: Int?
  ) async -> NearestBatch {
    precondition(maximumTasks ?? 1 > 0, "\(maximumTasks ?? 1) tasks find nothing")
    let writer = BatchWriter(
      index: self, limit: limit, origins: origins, categories: categories, level: .greatest)
    // Small enough that no thread has much more to do than another, large enough that the order
    // of the questions pays.
    let size = Swift.max(256, origins.count / (8 * Swift.min(maximumTasks ?? 8, 64)))
    await withTaskGroup(of: Void.self) { group in
      var start = 0
      var running = 0
      while start < origins.count {
        if running == maximumTasks ?? .max {
          await group.next()
          running -= 1
        }
        let part = start..<Swift.min(start + size, origins.count)
        group.addTask { writer.write(part) }
        running += 1
        start = part.upperBound
      }
    }
    return writer.finished()
  }
}

/// Answers the questions of a batch; parts of it may be answered at once.
private final class BatchWriter: @unchecked Sendable {
  private let index: KDTreeIndex
  private let limit: Int
  private let origins: [Coordinate]
  private let categories: CategorySet
  /// The questions in the order in which they are asked.
  private let order: [UInt32]
  // Each question has its own place in both, so no two tasks write to the same.
  private let storage: PositionStorage
  private let counts: UnsafeMutableBufferPointer<UInt32>
  /// What searches for a few are to be done with.
  private let level: VectorLevel

  init(
    index: KDTreeIndex, limit: Int, origins: [Coordinate], categories: CategorySet,
    level: VectorLevel
  ) {
    self.level = level
    precondition(limit >= 0, "cannot find \(limit) positions")
    self.index = index
    self.limit = min(limit, index.count)
    self.origins = origins
    self.categories = categories
    order = SpatialOrder.order(of: origins)
    storage = PositionStorage(capacity: self.limit * origins.count)
    counts = .allocate(capacity: origins.count)
    counts.initialize(repeating: UInt32(truncatingIfNeeded: self.limit))
  }

  deinit { counts.deallocate() }

  func finished() -> NearestBatch {
    NearestBatch(storage: storage, limit: limit, counts: Array(counts))
  }

  /// Answers some of the questions, by their place in the order.
  func write(_ part: Range<Int>) {
    guard limit > 0, !part.isEmpty else { return }
    index.withTree(of: categories) { tree, categories in
      if FewSearch.canAnswer(limit, categories, in: tree), tree.shape.count > 0 {
        writeFew(part, tree, categories)
      } else if limit <= FewNearest.greatestLimit {
        write(part, FewNearest.self, tree, categories)
      } else {
        write(part, ManyNearest.self, tree, categories)
      }
    }
  }

  /// Finds a few positions of a tree.
  private func writeFew(_ part: Range<Int>, _ tree: TreeView, _ categories: CategorySet) {
    let batchBytes = MemoryLayout<nearby_batch>.stride
    let scratch = UnsafeMutableRawBufferPointer.allocate(
      byteCount: batchBytes + FewSearch.settlingByteCount, alignment: 64)
    defer { scratch.deallocate() }
    let memory = scratch.baseAddress.unsafelyUnwrapped
    let batch = memory.assumingMemoryBound(to: nearby_batch.self)
    var searched = tree.searched
    var filter = tree.filter(categories)
    withUnsafePointer(to: &searched) { searched in
      withUnsafePointer(to: &filter) { filter in
        origins.withUnsafeBytes { origins in
          order.withUnsafeBufferPointer { order in
            nearby_begin(
              batch, searched, categories == .any ? nil : filter,
              origins.assumingMemoryBound(to: Double.self).baseAddress,
              order.baseAddress.unsafelyUnwrapped + part.lowerBound, part.count,
              Int32(truncatingIfNeeded: limit), storage.memory)
            var walk: UnsafePointer<nearby_walk>?
            while true {
              let outcome = nearby_next(level.rawValue, batch, &walk)
              guard outcome != NEARBY_DONE, let walk else { break }
              settle(
                walk, outcome, tree: tree, categories: categories, memory: memory + batchBytes)
            }
          }
        }
      }
    }
  }

  /// Answers a question that the searches in C left open.
  private func settle(
    _ walk: UnsafePointer<nearby_walk>, _ outcome: nearby_outcome, tree: TreeView,
    categories: CategorySet, memory: UnsafeMutableRawPointer
  ) {
    let question = Int(walk.pointee.question)
    let origin = origins[question]
    let positions = storage.memory + question * limit
    switch outcome {
    case NEARBY_TIED, NEARBY_LOST:
      let isSettled = FewSearch.settle(
        walk, outcome, tree: tree, origin: origin, limit: limit, categories: categories,
        level: level, memory: memory, into: positions)
      if isSettled { return }
      var buffer = QueryBuffer()
      index.find(limit, origin, self.categories, isMeasured: false, &buffer, level: nil)
      buffer.positions.copy(to: UnsafeMutableBufferPointer(start: positions, count: limit))
    default:
      answerAnywhere(question, tree: tree, categories: categories)
    }
  }

  private func answerAnywhere(_ question: Int, tree: TreeView, categories: CategorySet) {
    let positions = storage.memory + question * limit
    let neighbors = index.nearestAnywhere(limit, origins[question], categories, tree)
    for (rank, neighbor) in neighbors.enumerated() {
      positions[rank] = UInt32(truncatingIfNeeded: neighbor.position)
    }
    counts[question] = UInt32(truncatingIfNeeded: neighbors.count)
  }

  private func write<Collector: NearestCollector>(
    _ part: Range<Int>, _: Collector.Type, _ tree: TreeView, _ categories: CategorySet
  ) {
    typealias Walk = LocalWalk<Collector>
    // Enough that memory answers one while the others work, and few enough for the first cache.
    let walkCount = min(8, part.count)
    let walkBytes = (Walk.byteCount(limit: limit) + 63) & ~63
    let greatestCount = Collector.greatestCount(limit: limit)
    let scratch = UnsafeMutableRawBufferPointer.allocate(
      byteCount: walkCount * walkBytes + NearestRanking.byteCount(greatestCount), alignment: 64)
    defer { scratch.deallocate() }
    let memory = scratch.baseAddress.unsafelyUnwrapped
    let walks = UnsafeMutablePointer<Walk>.allocate(capacity: walkCount)
    defer { walks.deallocate() }
    let questions = UnsafeMutablePointer<Int>.allocate(capacity: walkCount)
    defer { questions.deallocate() }

    func begin(_ number: Int, _ place: Int) {
      questions[number] = Int(order[place])
      (walks + number).initialize(
        to: Walk(
          tree: tree, metric: LocalMetric(origins[questions[number]]), limit: limit,
          categories: categories, asking: nil,
          memory: memory + number * walkBytes))
    }
    for number in 0..<walkCount { begin(number, part.lowerBound + number) }
    var next = part.lowerBound + walkCount
    var walking = walkCount
    while walking > 0 {
      var number = 0
      while number < walking {
        if walks[number].resume() {
          number &+= 1
          continue
        }
        let candidates = walks[number].finish()
        let metric = walks[number].metric
        (walks + number).deinitialize(count: 1)
        answer(
          questions[number], candidates, metric, tree: tree, categories: categories,
          count: greatestCount,
          memory: memory + walkCount * walkBytes)
        if next < part.upperBound {
          begin(number, next)
          next += 1
        } else {
          // The last walk takes this one's place; its memory stays where it is.
          walking -= 1
          if number < walking {
            (walks + number).moveInitialize(from: walks + walking, count: 1)
            questions[number] = questions[walking]
          }
        }
      }
    }
  }

  private func answer(
    _ question: Int, _ candidates: UnsafeMutableBufferPointer<FlatCandidate>?,
    _ metric: LocalMetric, tree: TreeView, categories: CategorySet, count: Int,
    memory: UnsafeMutableRawPointer
  ) {
    let positions = storage.memory + question * limit
    if let candidates, candidates.count <= NearestRanking.greatestCount {
      var ranking = NearestRanking(
        tree: tree, origin: origins[question], count: count, memory: memory)
      _ = ranking.order(candidates, limit: limit, metric: metric)
      for rank in 0..<limit { positions[rank] = ranking.position(rank: rank) }
    } else {
      answerAnywhere(question, tree: tree, categories: categories)
    }
  }
}
