import CNearbyKernels

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

/// Memory of a search that the next one uses again: its own, or lent by `nearby_lend`.
struct Scratch: ~Copyable {
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var isLent = false

  init() {}

  /// - Parameter lent: Memory of `nearby_lend`, which must outlive this.
  init(lent: UnsafeMutableRawPointer) {
    memory = UnsafeMutableRawBufferPointer(start: lent, count: Int(NEARBY_LENT_BYTES))
    isLent = true
  }

  deinit {
    if !isLent { memory.deallocate() }
  }

  /// At least a number of bytes, aligned to 64; their old contents are lost.
  mutating func bytes(_ byteCount: Int) -> UnsafeMutableRawPointer {
    if memory.count < byteCount {
      if !isLent { memory.deallocate() }
      memory = .allocate(byteCount: max(byteCount, 4_096), alignment: 64)
      isLent = false
    }
    return memory.baseAddress.unsafelyUnwrapped
  }
}

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
