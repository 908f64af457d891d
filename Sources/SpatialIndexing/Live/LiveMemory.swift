import CNearbyKernels
import Geodesy

/// The memory of a live tree: blocks of five kinds, used again once no version sees them any more.
///
/// A block is seen by the versions from the one that made it to the one before that which replaced
/// it. While any of those lives, the block stays; it waits with the oldest of them. When that one
/// dies, it goes on to the next that sees it, or is free. So an old snapshot keeps what it needs and
/// nothing else, and whoever drops one only notes its number.
///
/// All but `bury` is for the one writer.
final class LiveMemory: @unchecked Sendable {
  /// Versions that nobody holds any more, as yet unknown to the writer.
  private let dead = SharedValue<[Int]>([])

  private var slabs: [UnsafeMutableRawPointer] = []
  /// Where free blocks stand, one list for each kind.
  private let free: UnsafeMutablePointer<PlainList<UnsafeMutableRawPointer>>
  private static let kindCount = 5
  /// How many blocks of each kind there are.
  private let total: UnsafeMutablePointer<Int>

  private struct Generation: BitwiseCopyable {
    let version: Int
    /// Blocks of older versions that this one sees as the oldest.
    var waiting: PlainList<RetiredBlock>
  }

  /// A block that waits, and what has to be known of it then; the block itself is not touched any
  /// more, so that its memory need neither be read again nor written back.
  private struct RetiredBlock: BitwiseCopyable {
    let memory: UnsafeMutableRawPointer
    /// The last version that sees it, and its kind in the lowest three bits.
    let lastSeenAndKind: Int
  }

  /// The versions that may still be held, oldest first.
  @exclusivity(unchecked) private var living = PlainList<Generation>()
  private var spareLists: [PlainList<RetiredBlock>] = []

  /// The version that is being made.
  @exclusivity(unchecked) private(set) var version = 0

  /// How many bytes have been asked of the system.
  private(set) var byteCount = 0

  init() {
    free = .allocate(capacity: LiveMemory.kindCount)
    free.initialize(repeating: PlainList(), count: LiveMemory.kindCount)
    total = .allocate(capacity: LiveMemory.kindCount)
    total.initialize(repeating: 0, count: LiveMemory.kindCount)
  }

  deinit {
    for list in UnsafeBufferPointer(start: free, count: LiveMemory.kindCount) { list.deallocate() }
    free.deallocate()
    total.deallocate()
    for index in 0..<living.count { living[index].waiting.deallocate() }
    living.deallocate()
    for list in spareLists { list.deallocate() }
    for slab in slabs { slab.deallocate() }
  }

  /// Makes an empty block of this version.
  func make(_ kind: LiveKind) -> LiveBlock {
    let block = take(kind)
    block.clear(kind, birth: version)
    return block
  }

  /// Makes a block of this version in which only the stamps are written.
  @inline(__always)
  func take(_ kind: LiveKind) -> LiveBlock {
    let list = free + Int(kind.rawValue)
    if list.pointee.isEmpty { addSlab(kind) }
    let block = LiveBlock(memory: list.pointee.removeLast())
    prefetchNext(list.pointee)
    block.stamp(kind, birth: version)
    return block
  }

  private func addSlab(_ kind: LiveKind) {
    let size = kind.byteCount
    // A quarter more each time: little is idle, and large slabs may have large pages.
    let count = max(64, total[Int(kind.rawValue)] / 4)
    total[Int(kind.rawValue)] += count
    let slab = LargePages.allocate(byteCount: count * size)
    // Queries read slots that hold nothing yet, and pass over what they find there.
    slab.initializeMemory(as: UInt8.self, repeating: 0, count: count * size)
    slabs.append(slab)
    byteCount += count * size
    for index in (0..<count).reversed() { free[Int(kind.rawValue)].append(slab + index * size) }
  }

  /// Asks for a block that will be taken soon.
  @inline(__always)
  private func prefetchNext(_ list: PlainList<UnsafeMutableRawPointer>) {
    guard list.count >= 3 else { return }
    nearby_prefetch_lines_later(list[list.count &- 3], 7)
  }

  /// Takes back a block that the version being made does not need.
  @inline(__always)
  func retire(_ block: LiveBlock) {
    let birth = block.birth, kind = block.kind
    guard birth < version else { return free[Int(kind.rawValue)].append(block.memory) }
    let retired = RetiredBlock(
      memory: block.memory, lastSeenAndKind: (version &- 1) << 3 | Int(kind.rawValue))
    // Most blocks are older than any version that is still held.
    var oldest = 0, end = living.count &- 1
    if living[0].version >= birth { end = 0 }
    while oldest < end {
      let middle = (oldest &+ end) / 2
      if living[middle].version < birth { oldest = middle &+ 1 } else { end = middle }
    }
    living[oldest].waiting.append(retired)
  }

  /// Notes that the version being made is seen from now on, and begins the next.
  func publish() {
    living.append(Generation(version: version, waiting: spareLists.popLast() ?? PlainList()))
    version += 1
  }

  /// Notes that nobody holds a version any more; from any thread.
  func bury(_ version: Int) {
    dead.withLock { $0.append(version) }
  }

  /// Frees what no version sees any more.
  func reap() {
    let dead = dead.withLock { dead in
      let taken = dead
      dead.removeAll(keepingCapacity: true)
      return taken
    }
    for version in dead {
      guard
        let index = (0..<living.count).first(where: { living[$0].version == version })
      else { continue }
      var generation = living[index]
      living.remove(at: index)
      let heir = index < living.count ? living[index].version : .max
      while !generation.waiting.isEmpty {
        let retired = generation.waiting.removeLast()
        if retired.lastSeenAndKind >> 3 >= heir {
          living[index].waiting.append(retired)
        } else {
          free[retired.lastSeenAndKind & 7].append(retired.memory)
        }
      }
      spareLists.append(generation.waiting)
    }
  }
}

/// One state of a live index, as snapshots share it.
final class LiveVersion: Sendable {
  let number: Int
  let root: LiveBlock
  private let memory: LiveMemory

  init(number: Int, root: LiveBlock, memory: LiveMemory) {
    self.number = number
    self.root = root
    self.memory = memory
  }

  deinit { memory.bury(number) }
}
