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
