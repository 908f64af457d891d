/// Positions that a query found, as offsets in the collection that the index was built from.
///
/// A list keeps its memory for itself as long as somebody holds it, and otherwise leaves it to the
/// next query.
public struct PositionList: RandomAccessCollection, Sendable {
  fileprivate var storage: PositionStorage
  /// Where in the storage the list begins.
  private var start = 0
  /// How many there are.
  public fileprivate(set) var count = 0

  /// An empty list.
  public init() { self = .none }

  private init(storage: PositionStorage) { self.storage = storage }

  /// A part of what many questions found.
  init(_ storage: PositionStorage, _ range: Range<Int>) {
    self.storage = storage
    start = range.lowerBound
    count = range.count
  }

  /// One list for all that hold nothing.
  static let none = PositionList(storage: PositionStorage(capacity: 0))

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of positions.
  public var endIndex: Int { count }

  /// One of the positions.
  public subscript(index: Int) -> Int {
    precondition((0..<count).contains(index), "position \(index) of \(count)")
    return Int(storage.memory[start &+ index])
  }

  /// Copies all positions, four bytes each, to where `memory` points.
  ///
  /// - Precondition: There is room for `count`.
  public func copy(to memory: UnsafeMutableBufferPointer<UInt32>) {
    precondition(memory.count >= count, "\(count) positions do not fit into \(memory.count)")
    memory.baseAddress?.update(from: storage.memory + start, count: count)
  }
}

/// Written by one query at a time, or by several each in its own part, and never once a list shares
/// it.
final class PositionStorage: @unchecked Sendable {
  let memory: UnsafeMutablePointer<UInt32>
  let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    memory = .allocate(capacity: Swift.max(capacity, 1))
  }

  deinit { memory.deallocate() }
}

/// Writes positions into a list, one query after another into the same memory.
struct PositionSink {
  private var list: PositionList
  private var memory: UnsafeMutablePointer<UInt32>
  private var capacity: Int
  private(set) var count = 0

  /// Starts a new list in the memory of one that is no longer needed.
  init(reusing list: consuming PositionList) {
    self.list = list
    if !isKnownUniquelyReferenced(&self.list.storage) {
      self.list.storage = PositionStorage(capacity: 64)
    }
    memory = self.list.storage.memory
    capacity = self.list.storage.capacity
  }

  /// Makes room for so many more.
  @inline(__always)
  mutating func reserve(_ more: Int) {
    if count &+ more > capacity { grow(to: count &+ more) }
  }

  private mutating func grow(to least: Int) {
    let grown = PositionStorage(capacity: Swift.max(64, least, 2 * capacity))
    grown.memory.update(from: memory, count: count)
    list.storage = grown
    memory = grown.memory
    capacity = grown.capacity
  }

  /// Adds a position; room for it must have been reserved.
  @inline(__always)
  mutating func append(_ position: UInt32) {
    memory[count] = position
    count &+= 1
  }

  /// Adds positions that stand one after another; room must have been reserved.
  @inline(__always)
  mutating func append(_ positions: UnsafePointer<UInt32>, count more: Int) {
    (memory + count).update(from: positions, count: more)
    count &+= more
  }

  /// The list of what was written.
  consuming func finished() -> PositionList {
    list.count = count
    return list
  }
}
