import CNearbyKernels
import Geodesy

/// One answer of a search: a position and its distance.
public struct Neighbor: Hashable, Sendable {
  /// The offset of the position in the collection that the index was built from.
  public let position: Int
  /// The geodesic distance on WGS 84.
  public let distance: Distance

  /// Pairs a position with its distance.
  public init(position: Int, distance: Distance) {
    self.position = position
    self.distance = distance
  }
}

extension Neighbor: Comparable {
  /// Orders by distance, and by position if distances are equal bit for bit.
  public static func < (left: Neighbor, right: Neighbor) -> Bool {
    (left.distance, left.position) < (right.distance, right.position)
  }
}

/// The neighbors of an origin, and the movement for which they stay the same.
public struct NearestAnswer: Hashable, Sendable {
  /// Nearest first, ties by position.
  public let neighbors: [Neighbor]
  /// How far the origin may move before another *set* of positions could be the answer; nil if it
  /// can move anywhere.
  ///
  /// The order of the neighbors may change sooner.
  public let validRadius: Distance?
  /// What the search did.
  public let statistics: SearchStatistics
  /// The distance of the farthest position inside the inner limit; nil if there is none.
  package let lastInside: Distance?

  package init(
    neighbors: [Neighbor], validRadius: Distance?, statistics: SearchStatistics,
    lastInside: Distance? = nil
  ) {
    self.neighbors = neighbors
    self.validRadius = validRadius
    self.statistics = statistics
    self.lastInside = lastInside
  }
}

/// Counts of what a search did, to explain its running time.
public struct SearchStatistics: Hashable, Sendable {
  /// Groups of sixteen tree nodes whose distances from the origin were bounded at once.
  public internal(set) var nodeGroupsTested = 0
  /// Leaves read, of up to sixteen positions; in a geohash list, runs of it.
  public internal(set) var leavesRead = 0
  /// Positions near enough by their chord to be candidates.
  public internal(set) var candidates = 0
  /// Geodesics computed.
  public internal(set) var geodesics = 0
  /// Calls of the caller's predicate.
  public internal(set) var predicateCalls = 0
  /// Calls in which the predicate returned false.
  public internal(set) var predicateRejections = 0

  /// The statistics of a search that has done nothing yet.
  public init() {}

  /// The combined statistics of two searches.
  public static func + (left: SearchStatistics, right: SearchStatistics) -> SearchStatistics {
    var sum = left
    sum.nodeGroupsTested += right.nodeGroupsTested
    sum.leavesRead += right.leavesRead
    sum.candidates += right.candidates
    sum.geodesics += right.geodesics
    sum.predicateCalls += right.predicateCalls
    sum.predicateRejections += right.predicateRejections
    return sum
  }
}

/// A set of up to 64 categories of positions, by which a search skips whole branches of the tree.
public struct CategorySet: OptionSet, Hashable, Sendable {
  /// One bit for each category.
  public let rawValue: UInt64

  /// Stores the bits unchanged.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The set of one category, numbered from 0.
  ///
  /// - Precondition: `number` is in 0…63.
  public init(category number: Int) {
    precondition((0..<64).contains(number), "category \(number) is outside 0…63")
    rawValue = 1 << UInt64(number)
  }

  /// All 64 categories; in a search this means any position, including those without a category.
  public static let any = CategorySet(rawValue: .max)
}

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
    PositionList(storage ?? .unwritten, 0..<count)
  }

  /// The distances in meters, if requested; otherwise empty.
  public internal(set) var distances: [Double] = []

  /// nil until a query needs it: queries that return neighbors never do.
  private var storage: PositionStorage?
  private var count = 0
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// Whether the memory is borrowed.
  private var isLent = false

  /// An empty buffer.
  public init() {}

  /// Makes a buffer on memory of `nearby_lend`, which must outlive it.
  init(lent: UnsafeMutableRawPointer) {
    memory = UnsafeMutableRawBufferPointer(start: lent, count: Int(NEARBY_LENT_BYTES))
    isLent = true
  }

  deinit {
    if !isLent { memory.deallocate() }
  }

  /// Memory of at least a number of bytes, aligned to 64; its old contents are lost.
  mutating func scratch(byteCount: Int) -> UnsafeMutableRawPointer {
    if memory.count < byteCount {
      if !isLent { memory.deallocate() }
      memory = .allocate(byteCount: max(byteCount, 4_096), alignment: 64)
      isLent = false
    }
    return memory.baseAddress.unsafelyUnwrapped
  }

  /// The sink of a new answer, in the memory of the last one unless a list still shares that.
  @inline(__always)
  mutating func takeSink() -> PositionSink {
    count = 0
    return PositionSink(into: own(64))
  }

  /// Memory for an answer of up to `limit` positions; `put(count:)` keeps it.
  @inline(__always)
  mutating func takeMemory(_ limit: Int) -> UnsafeMutablePointer<UInt32> {
    count = 0
    return own(limit).memory
  }

  /// Room for at least `capacity` positions, in memory that no list shares any longer.
  @inline(__always)
  private mutating func own(_ capacity: Int) -> PositionStorage {
    if isKnownUniquelyReferenced(&storage), let storage, storage.capacity >= capacity {
      return storage
    }
    let storage = PositionStorage(capacity: max(capacity, 64))
    self.storage = storage
    return storage
  }

  /// Keeps an answer without distances.
  @inline(__always)
  mutating func put(count: Int) {
    self.count = count
    if !distances.isEmpty { distances.removeAll(keepingCapacity: true) }
  }

  /// Keeps an answer.
  @inline(__always)
  mutating func put(_ sink: PositionSink) {
    count = sink.count
    if let grown = sink.grown { storage = grown }
  }
}
