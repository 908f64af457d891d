import CNearbyKernels
import Geodesy

/// The memory of a live tree: blocks of five kinds, reused once no version sees them any more.
///
/// Only the writer may call anything but `bury`.
final class LiveMemory: @unchecked Sendable {
  private let versions = VersionReclamation()
  private var slabs: [UnsafeMutableRawPointer] = []
  /// The free blocks, one list per kind.
  private let free: UnsafeMutablePointer<PlainList<UnsafeMutableRawPointer>>
  private static let kindCount = 5
  /// The number of blocks of each kind.
  private let total: UnsafeMutablePointer<Int>

  /// The version that is being made.
  var version: Int { versions.version }

  /// The number of bytes requested from the system.
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
    for slab in slabs { slab.deallocate() }
  }

  /// Makes an empty block of this version.
  func make(_ kind: LiveKind) -> LiveBlock {
    let block = take(kind)
    block.clear(kind, birth: version)
    return block
  }

  /// Makes a block of this version in which only the stamps are set.
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
    // A quarter more each time: little is idle, and large slabs may get large pages.
    let count = max(64, total[Int(kind.rawValue)] / 4)
    total[Int(kind.rawValue)] += count
    let slab = LargePages.allocate(byteCount: count * size)
    // Queries read empty slots too, and ignore what they find there.
    slab.initializeMemory(as: UInt8.self, repeating: 0, count: count * size)
    slabs.append(slab)
    byteCount += count * size
    for index in (0..<count).reversed() { free[Int(kind.rawValue)].append(slab + index * size) }
  }

  /// Prefetches a block that will be taken soon.
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
    // Blocks are aligned to 64 bytes, so the lowest bits have room for the kind.
    versions.retire(UInt(bitPattern: block.memory) | UInt(kind.rawValue), birth: birth)
  }

  /// Notes that the version being made is now published, and begins the next.
  func publish() { versions.publish() }

  /// Notes that nobody holds a version any more; callable from any thread.
  func bury(_ version: Int) { versions.bury(version) }

  /// Frees the blocks that no version sees any more.
  func reap() {
    versions.reap { name in
      guard let memory = UnsafeMutableRawPointer(bitPattern: name & ~7) else { return }
      free[Int(name & 7)].append(memory)
    }
  }
}

/// One state of a live index, shared by snapshots.
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

/// A list for access at its end, without an array's checks.
struct PlainList<Element: BitwiseCopyable>: BitwiseCopyable {
  private var start: UnsafeMutablePointer<Element>?
  private var capacity = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func removeAll() { count = 0 }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow() }
    start.unsafelyUnwrapped[count] = element
    count &+= 1
  }

  private mutating func grow() {
    let grown = UnsafeMutablePointer<Element>.allocate(capacity: max(64, 2 * capacity))
    if let start {
      grown.update(from: start, count: count)
      start.deallocate()
    }
    start = grown
    capacity = max(64, 2 * capacity)
  }

  /// - Precondition: The list is not empty.
  @inline(__always)
  mutating func removeLast() -> Element {
    count &-= 1
    return start.unsafelyUnwrapped[count]
  }

  /// - Precondition: There is an element at `index`.
  mutating func remove(at index: Int) {
    let place = start.unsafelyUnwrapped + index
    count &-= 1
    place.update(from: place + 1, count: count &- index)
  }

  @inline(__always)
  subscript(index: Int) -> Element {
    get { start.unsafelyUnwrapped[index] }
    nonmutating _modify { yield &start.unsafelyUnwrapped[index] }
  }

  func deallocate() { start?.deallocate() }
}
