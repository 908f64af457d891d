import CNearbyKernels

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

/// Writes positions into a buffer's memory, and into its own once that is full.
struct PositionSink {
  /// The storage that replaces the buffer's memory if that was too small.
  private(set) var grown: PositionStorage?
  private var memory: UnsafeMutablePointer<UInt32>
  private var capacity: Int
  private(set) var count = 0

  /// - Parameter storage: Must stay in place as long as the sink writes.
  @inline(__always)
  init(into storage: PositionStorage) {
    memory = storage.memory
    capacity = storage.capacity
  }

  /// Makes room for more positions.
  @inline(__always)
  mutating func reserve(_ more: Int) {
    if count &+ more > capacity { grow(to: count &+ more) }
  }

  private mutating func grow(to least: Int) {
    let next = PositionStorage(capacity: Swift.max(64, least, 2 * capacity))
    next.memory.update(from: memory, count: count)
    memory = next.memory
    capacity = next.capacity
    grown = next
  }

  /// Lets a walk append to what is here, as far as there is room.
  @inline(__always)
  mutating func lend<Result>(
    to walk: inout nearby_area_walk, _ body: (inout nearby_area_walk) -> Result
  ) -> Result {
    walk.numbers = memory
    walk.count = count
    walk.capacity = capacity
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

  /// Adds positions; room for all must have been reserved.
  @inline(__always)
  mutating func append(_ positions: UnsafePointer<UInt32>, count more: Int) {
    (memory + count).update(from: positions, count: more)
    count &+= more
  }

  /// The positions written.
  var numbers: UnsafeBufferPointer<UInt32> { UnsafeBufferPointer(start: memory, count: count) }
}
