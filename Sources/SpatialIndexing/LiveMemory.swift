import Synchronization

/// The memory of a live tree: blocks of three sizes, used again once no version sees them any more.
///
/// A block is seen by the versions from the one that made it to the one before that which replaced
/// it. While any of those lives, the block stays; it waits with the oldest of them. When that one
/// dies, it goes on to the next that sees it, or is free. So an old snapshot keeps what it needs and
/// nothing else, and whoever drops one only notes its number.
///
/// All but `bury` is for the one writer.
final class LiveMemory: @unchecked Sendable {
  /// Versions that nobody holds any more, as yet unknown to the writer.
  private let dead = Mutex<[Int]>([])

  private var slabs: [UnsafeMutableRawPointer] = []
  private var free: [[UnsafeMutableRawPointer]] = [[], [], []]
  private static let blocksPerSlab = 1_024

  private struct Generation {
    let version: Int
    /// Blocks of older versions that this one sees as the oldest.
    var waiting: [UnsafeMutableRawPointer]
  }

  /// The versions that may still be held, oldest first.
  private var living: [Generation] = []
  private var spareList: [UnsafeMutableRawPointer] = []

  /// The version that is being made.
  private(set) var version = 0

  deinit {
    for slab in slabs { slab.deallocate() }
  }

  /// How many bytes have been asked of the system.
  private(set) var byteCount = 0

  /// Makes an empty block of this version.
  func make(_ kind: LiveKind) -> LiveBlock {
    let list = Int(kind.rawValue)
    if free[list].isEmpty { addSlab(kind) }
    let block = LiveBlock(memory: free[list].removeLast())
    block.clear(kind, birth: version)
    return block
  }

  private func addSlab(_ kind: LiveKind) {
    let count = LiveMemory.blocksPerSlab, size = kind.byteCount
    let slab = UnsafeMutableRawPointer.allocate(byteCount: count * size, alignment: 64)
    // Queries read slots that hold nothing yet, and pass over what they find there.
    slab.initializeMemory(as: UInt8.self, repeating: 0, count: count * size)
    slabs.append(slab)
    byteCount += count * size
    free[Int(kind.rawValue)].append(
      contentsOf: (0..<count).reversed().map { slab + $0 * size })
  }

  /// Takes back a block that the version being made does not need.
  func retire(_ block: LiveBlock) {
    guard block.birth < version else { return release(block.memory) }
    block.lastSeen = version - 1
    var oldest = living.count - 1
    while oldest > 0, living[oldest - 1].version >= block.birth { oldest -= 1 }
    living[oldest].waiting.append(block.memory)
  }

  private func release(_ memory: UnsafeMutableRawPointer) {
    free[Int(LiveBlock(memory: memory).kind.rawValue)].append(memory)
  }

  /// Notes that the version being made is seen from now on, and begins the next.
  func publish() {
    living.append(Generation(version: version, waiting: spareList))
    spareList = []
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
      guard let index = living.firstIndex(where: { $0.version == version }) else { continue }
      var generation = living.remove(at: index)
      let heir = index < living.count ? living[index].version : .max
      for memory in generation.waiting {
        if LiveBlock(memory: memory).lastSeen >= heir {
          living[index].waiting.append(memory)
        } else {
          release(memory)
        }
      }
      if generation.waiting.capacity > spareList.capacity {
        generation.waiting.removeAll(keepingCapacity: true)
        spareList = generation.waiting
      }
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
