import Geodesy

/// Memory for one query after another: once warm, queries allocate nothing (those across ±180°, round
/// a pole or over 400 km away excepted).
///
///     var buffer = QueryBuffer()
///     for place in places {
///       index.findNearest(10, to: place, into: &buffer)
///       use(buffer.positions)
///     }
public struct QueryBuffer: ~Copyable {
  /// What the last query found; empty before the first.
  public var positions: PositionList {
    PositionList(storage, 0..<count)
  }

  /// How far they are, in meters, where that was asked for; otherwise empty.
  public internal(set) var distances: [Double] = []

  private var storage = PositionStorage(capacity: 64)
  private var count = 0
  private var memory: UnsafeMutableRawBufferPointer = UnsafeMutableRawBufferPointer(
    start: nil, count: 0)

  /// An empty buffer.
  public init() {}

  deinit { memory.deallocate() }

  /// Memory of at least so many bytes, aligned to 64; what stood in it is lost.
  mutating func scratch(byteCount: Int) -> UnsafeMutableRawPointer {
    if memory.count < byteCount {
      memory.deallocate()
      memory = .allocate(byteCount: max(byteCount, 4_096), alignment: 64)
    }
    return memory.baseAddress.unsafelyUnwrapped
  }

  /// Where a new answer goes, in the memory of the last one unless a list still shows that.
  @inline(__always)
  mutating func takeSink() -> PositionSink {
    count = 0
    if !isKnownUniquelyReferenced(&storage) { storage = PositionStorage(capacity: 64) }
    return PositionSink(into: storage)
  }

  /// Memory for an answer of so many positions; `put(count:)` keeps it.
  @inline(__always)
  mutating func takeMemory(_ limit: Int) -> UnsafeMutablePointer<UInt32> {
    count = 0
    if !isKnownUniquelyReferenced(&storage) || storage.capacity < limit {
      storage = PositionStorage(capacity: max(limit, 64))
    }
    return storage.memory
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
