import CNearbyKernels
import Geodesy

/// Memory reused by successive queries, which then allocate nothing.
///
/// The exceptions are queries across ±180°, around a pole or over 400 km away.
///
///     var buffer = QueryBuffer()
///     for place in places {
///       index.findNearest(10, to: place, into: &buffer)
///       use(buffer.positions)
///     }
public struct QueryBuffer: ~Copyable {
  /// The positions found by the last query; empty before the first.
  public var positions: PositionList {
    PositionList(found.storage ?? .unwritten, 0..<found.count)
  }

  /// The distances in meters, if requested; otherwise empty.
  public internal(set) var distances: [Double] = []

  var found = PositionSink()
  var scratch = Scratch()

  /// An empty buffer.
  public init() {}

  /// Begins another answer, so far without distances.
  ///
  /// - Returns: Room for `capacity` positions; `found` has to say how many there are.
  @inline(__always) @discardableResult
  mutating func begin(_ capacity: Int) -> UnsafeMutablePointer<UInt32> {
    if !distances.isEmpty { distances.removeAll(keepingCapacity: true) }
    return found.begin(capacity)
  }
}

// MARK: - Queries into a buffer

// Queries that return only positions, at full speed: once the buffer is warm nothing is allocated,
// nothing is measured needlessly, and nothing is counted. If the answer lies across ±180°, around a
// pole or farther than 400 km, the walk that covers the whole Earth finds it, with a few allocations
// and in about ten times the time, however far away it is.

extension KDTreeIndex {
  /// Finds the positions nearest to an origin, nearest first, without measuring their distances.
  ///
  /// The order is that of `nearest(_:to:)`: by geodesic on WGS 84, ties by offset.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of positions to find.
  ///   - origin: Where distances are measured from.
  ///   - categories: Positions must belong to one of these.
  ///   - buffer: Receives the answer.
  /// - Precondition: `limit >= 0`.
  /// - Complexity: O(*k* log *n*) expected.
  public func findNearest(
    _ limit: Int, to origin: Coordinate, categories: CategorySet = .any,
    into buffer: inout QueryBuffer
  ) {
    precondition(limit >= 0, "cannot find \(limit) positions")
    // A few go straight into the buffer.
    let outcome = withTree(of: categories) { tree, categories in
      let limit = min(limit, tree.shape.count)
      guard SmallKSearch.canAnswer(limit, categories, in: tree) else { return NEARBY_LOST }
      let memory = buffer.scratch.bytes(SmallKSearch.byteCount)
      let search = SmallKSearch(
        tree: tree, origin: origin, limit: limit, categories: categories, memory: memory)
      let outcome = search.answer(into: buffer.begin(limit))
      if outcome == NEARBY_FOUND { buffer.found.count = limit }
      return outcome
    }
    if outcome != NEARBY_FOUND {
      find(
        limit, origin, categories, isMeasured: false, &buffer, mayBeFew: false,
        isBeyond: outcome == NEARBY_BEYOND)
    }
  }

  /// Finds the positions nearest to an origin, nearest first, and their distances.
  ///
  /// This is the answer of `nearest(_:to:)` without its explanations, with the distances in `buffer.distances`.
  ///
  /// - Precondition: `limit >= 0`.
  /// - Complexity: O(*k* log *n*) expected; 10 ns more per position than `findNearest` up to 100
  ///   km, 0.4 µs beyond.
  public func measureNearest(
    _ limit: Int, to origin: Coordinate, categories: CategorySet = .any,
    into buffer: inout QueryBuffer
  ) {
    precondition(limit >= 0, "cannot find \(limit) positions")
    find(limit, origin, categories, isMeasured: true, &buffer)
  }

  /// Finds positions by the slower, more general searches.
  ///
  /// - Parameters:
  ///   - mayBeFew: False if a search for a few is known to fail.
  ///   - isBeyond: Whether flat squared chords are known not to reach that far.
  @inline(never)
  func find(
    _ limit: Int, _ origin: Coordinate, _ categories: CategorySet, isMeasured: Bool,
    _ buffer: inout QueryBuffer, mayBeFew: Bool = true, isBeyond: Bool = false
  ) {
    withTree(of: categories) { tree, categories in
      let limit = min(limit, tree.shape.count)
      let positions = buffer.begin(limit)
      guard limit > 0 else { return }
      var search = LocalSearch(
        tree: tree, origin: origin, limit: limit, categories: categories, mayBeFew: mayBeFew)
      if !isBeyond, let ranking = search.run(isMeasured: isMeasured, &buffer.scratch) {
        ranking.write(limit, to: positions)
        buffer.found.count = limit
        guard isMeasured else { return }
        for rank in 0..<limit { buffer.distances.append(ranking.distance(rank: rank)) }
        return
      }
      var walk = GroundWalk(PackedTree(tree, categories: categories), origin: origin, limit: limit)
      guard isMeasured else {
        for slot in walk.runInOrder() { buffer.found.append(tree.position(slot)) }
        return
      }
      for neighbor in tree.measuredNeighbors(of: walk.run(), from: origin).0.prefix(limit) {
        buffer.found.append(UInt32(truncatingIfNeeded: neighbor.offset))
        buffer.distances.append(neighbor.distance.meters)
      }
    }
  }

  /// Finds the positions in a box, in no particular order.
  ///
  /// Edges are included, and 180° and −180° are one meridian, as in `BoundingBox.contains`.
  ///
  /// - Complexity: O(√*n* + *r*) expected for *r* results; positions in nodes inside the box are
  ///   copied unread.
  public func find(
    in box: BoundingBox, categories: CategorySet = .any, into buffer: inout QueryBuffer
  ) {
    buffer.begin(64)
    withTree(of: categories) { tree, categories in
      guard tree.shape.count > 0, tree.canTell(categories) else { return }
      forEachSpan(of: box, tree: tree, categories: categories) { $0.find(into: &buffer.found) }
    }
  }

  /// Finds the positions within a distance (inclusive), in no particular order.
  ///
  /// - Complexity: O(√*n* + *r*) expected for *r* results; geodesics are computed only where chords
  ///   cannot decide.
  public func find(
    within radius: Distance, of origin: Coordinate, categories: CategorySet = .any,
    into buffer: inout QueryBuffer
  ) {
    buffer.begin(64)
    guard radius >= .zero else { return }
    let isDone = withTree(of: categories) { tree, categories in
      guard tree.shape.count > 0, tree.canTell(categories) else { return true }
      guard
        let search = CircleSearch(
          tree: tree, origin: origin, radius: radius, categories: categories)
      else { return false }
      search.find(into: &buffer.found)
      return true
    }
    guard !isDone else { return }
    for neighbor in neighbors(within: radius, of: origin, categories: categories) {
      buffer.found.reserve(1)
      buffer.found.append(UInt32(truncatingIfNeeded: neighbor.offset))
    }
  }
}

// MARK: - Positions

/// Positions found by a query, as offsets in the collection that the index was built from.
///
/// A list owns its memory as long as it is held; afterwards the next query reuses the memory.
public struct PositionList: RandomAccessCollection, Sendable {
  private let storage: PositionStorage
  /// The offset in the storage where the list begins.
  private let start: Int
  /// The number of positions.
  public let count: Int

  /// Makes the list of one query, or of one in a batch.
  init(_ storage: PositionStorage, _ range: Range<Int>) {
    self.storage = storage
    start = range.lowerBound
    count = range.count
  }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of positions.
  public var endIndex: Int { count }

  /// One of the positions.
  public subscript(index: Int) -> Int {
    precondition((0..<count).contains(index), "position \(index) of \(count)")
    return Int(storage.memory[start &+ index])
  }

  /// Calls `body` with all positions, four bytes each.
  public func withUnsafeBufferPointer<Result>(
    _ body: (UnsafeBufferPointer<UInt32>) throws -> Result
  ) rethrows -> Result {
    try withExtendedLifetime(storage) {
      try body(UnsafeBufferPointer(start: storage.memory + start, count: count))
    }
  }

  /// Copies all positions, four bytes each, to `memory`.
  ///
  /// - Precondition: There is room for `count`.
  public func copy(to memory: UnsafeMutableBufferPointer<UInt32>) {
    precondition(memory.count >= count, "\(count) positions do not fit into \(memory.count)")
    memory.baseAddress?.update(from: storage.memory + start, count: count)
  }
}

/// Storage written by one query at a time, or by several in separate parts, and never once a list
/// shares it.
final class PositionStorage: @unchecked Sendable {
  let memory: UnsafeMutablePointer<UInt32>
  let capacity: Int

  /// Storage that holds nothing.
  static let unwritten = PositionStorage(capacity: 0)

  init(capacity: Int) {
    self.capacity = capacity
    memory = .allocate(capacity: Swift.max(capacity, 1))
  }

  deinit { memory.deallocate() }
}

/// Positions that a search finds, in memory that the next search uses again.
struct PositionSink {
  /// nil until positions are found: searches that return neighbors need none.
  private(set) var storage: PositionStorage?
  var count = 0

  private var memory: UnsafeMutablePointer<UInt32> { storage.unsafelyUnwrapped.memory }

  /// Begins another answer, in the memory of the last one unless a list still shares that.
  ///
  /// - Returns: Room for `capacity` positions.
  @inline(__always)
  mutating func begin(_ capacity: Int) -> UnsafeMutablePointer<UInt32> {
    count = 0
    if isKnownUniquelyReferenced(&storage), let storage, storage.capacity >= capacity {
      return storage.memory
    }
    storage = PositionStorage(capacity: Swift.max(capacity, 64))
    return memory
  }

  /// Makes room for more positions.
  @inline(__always)
  mutating func reserve(_ more: Int) {
    let capacity = storage?.capacity ?? 0
    if count &+ more > capacity { grow(to: Swift.max(64, count &+ more, 2 * capacity)) }
  }

  private mutating func grow(to capacity: Int) {
    let next = PositionStorage(capacity: capacity)
    if let storage { next.memory.update(from: storage.memory, count: count) }
    storage = next
  }

  /// Lets a walk append to what is here, as far as there is room.
  @inline(__always)
  mutating func lend<Result>(
    to walk: inout nearby_area_walk, _ body: (inout nearby_area_walk) -> Result
  ) -> Result {
    walk.numbers = storage?.memory
    walk.count = count
    walk.capacity = storage?.capacity ?? 0
    let result = body(&walk)
    count = walk.count
    return result
  }

  /// Adds a position; room for it must have been reserved.
  @inline(__always)
  mutating func append(_ position: UInt32) {
    memory[count] = position
    count &+= 1
  }

  /// The numbers written.
  var numbers: [Int] {
    PositionList(storage ?? .unwritten, 0..<count).withUnsafeBufferPointer { $0.map { Int($0) } }
  }
}
