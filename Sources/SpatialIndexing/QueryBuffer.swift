import Geodesy

/// Memory for one query after another: once warm, queries allocate nothing.
///
///     var buffer = QueryBuffer()
///     for place in places {
///       index.findNearest(10, to: place, into: &buffer)
///       use(buffer.positions)
///     }
public struct QueryBuffer: ~Copyable {
  /// What the last query found.
  public internal(set) var positions = PositionList()

  /// How far they are, in meters, where that was asked for; otherwise empty.
  public internal(set) var distances: [Double] = []

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

  /// Takes the memory of the last answer for a new one.
  mutating func takeSink() -> PositionSink {
    let last = positions
    positions = .none
    return PositionSink(reusing: last)
  }
}
