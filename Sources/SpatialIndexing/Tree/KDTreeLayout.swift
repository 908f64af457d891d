import CNearbyKernels

// The tree has no pointers: the location of everything follows from the number of positions and
// their encoding. Memory and files hold the same bytes.

/// The number of nodes on each level of a packed 16-ary tree, and the offsets of its groups.
struct TreeShape: Sendable, Hashable {
  /// The number of children of a node, and of positions in a leaf.
  static let fanOut = 16

  let count: Int
  /// Whether positions are in the order of their 64-bit geohashes, and each node has the first
  /// geohash below it.
  let isInGeohashOrder: Bool
  /// The number of levels, including leaves; 0 for an empty index.
  let levelCount: Int
  /// The number of nodes on each level, leaves first.
  private let nodeCounts: SIMD8<Int32>
  /// The offset of each level's groups among all groups; the root's group comes first.
  let groupOffsets: SIMD8<Int32>
  let groupCount: Int

  init(count: Int, isInGeohashOrder: Bool = false) {
    self.count = count
    self.isInGeohashOrder = isInGeohashOrder
    var nodeCounts = SIMD8<Int32>(), groupOffsets = SIMD8<Int32>()
    var nodes = (count + TreeShape.fanOut - 1) / TreeShape.fanOut
    var levelCount = 0
    while nodes > 0 {
      nodeCounts[levelCount] = Int32(nodes)
      levelCount += 1
      if nodes == 1 { break }
      nodes = TreeShape.groups(of: nodes)
    }
    var groupCount = 0
    for level in stride(from: levelCount - 1, through: 0, by: -1) {
      groupOffsets[level] = Int32(groupCount)
      groupCount += TreeShape.groups(of: Int(nodeCounts[level]))
    }
    self.levelCount = levelCount
    self.nodeCounts = nodeCounts
    self.groupOffsets = groupOffsets
    self.groupCount = groupCount
  }

  private static func groups(of nodes: Int) -> Int { (nodes + fanOut - 1) / fanOut }

  /// The level of the root; leaves are level 0.
  var topLevel: Int { levelCount - 1 }

  /// The level where walks begin: the root's children, which are one group, or the root if it is a
  /// leaf.
  @inline(__always)
  var firstLevel: Int { levelCount > 1 ? levelCount &- 2 : 0 }

  var leafCount: Int { Int(nodeCounts[0]) }

  func nodeCount(level: Int) -> Int { Int(nodeCounts[level]) }

  /// The offset of a level's groups among all groups.
  @inline(__always)
  func groupOffset(level: Int) -> Int { Int(groupOffsets[level]) }

  /// The slots below a node.
  @inline(__always)
  func slots(below node: Int, level: Int) -> Range<Int> {
    let shift = 4 * (level + 1)
    return node << shift..<min((node + 1) << shift, count)
  }
}

/// The encoding of coordinates in the leaves; both are lossless.
enum LeafEncoding: UInt8, Sendable {
  /// Multiples of 10⁻⁷ degrees as 32-bit integers: OpenStreetMap's resolution, 11 mm.
  ///
  /// Chosen if every coordinate is the double nearest to such a multiple.
  case decimal = 1
  /// Degrees as doubles.
  case degrees = 2

  /// The size of a leaf: sixteen latitudes, sixteen longitudes, sixteen input offsets of 32 bits.
  var leafSize: Int {
    switch self {
    case .decimal: 192
    case .degrees: 320
    }
  }

  /// The offset in a leaf where the input offsets begin.
  var positionsOffset: Int {
    switch self {
    case .decimal: 128
    case .degrees: 256
    }
  }

  /// The 64-bit geohash of the position in a lane of a leaf.
  @inline(__always)
  func geohash(_ leaf: UnsafeRawPointer, lane: Int) -> UInt64 {
    switch self {
    case .decimal:
      let words = leaf.assumingMemoryBound(to: Int32.self)
      return nearby_decimal_code(words[lane], words[lane | 16])
    case .degrees:
      let degrees = leaf.assumingMemoryBound(to: Double.self)
      return BinaryGeohash(latitude: degrees[lane], longitude: degrees[lane | 16], bitCount: 64)
        .bits
    }
  }
}

/// The encoding of the categories of positions.
enum CategoryEncoding: UInt8, Sendable {
  case none = 0
  /// One byte per slot, naming one of up to 256 different sets.
  case coded = 1
  /// The set itself, eight bytes per slot.
  case plain = 2
}

/// The offsets of the sections of an index in its bytes; each is aligned to 64.
struct TreeSections: Sendable, Hashable {
  /// The number of bytes in a group.
  ///
  /// It holds the south, west, north and east edges of sixteen nodes, as floats of degrees rounded
  /// outward. Lanes without a node hold an empty box: south and west ∞, north and east −∞.
  static let groupSize = 256
  /// The size of the table of the sets that codes stand for.
  static let codeTableSize = 256 * 8

  let groups: Int
  /// The union of the categories below each node, 8 bytes each, sixteen per group.
  let nodeCategories: Int
  /// The first 64-bit geohash below each node, 8 bytes each, sixteen per group; absent in any other
  /// order of positions.
  let nodeCodes: Int
  /// The 256 sets that the codes stand for.
  let codeTable: Int
  let leaves: Int
  /// One code or set per slot, rounded up to whole leaves.
  let slotCategories: Int
  let byteCount: Int

  init(shape: TreeShape, leaves encoding: LeafEncoding, categories: CategoryEncoding) {
    var end = 0
    func place(_ size: Int) -> Int {
      defer { end = (end + size + 63) & ~63 }
      return end
    }
    let hasCategories = categories != .none
    groups = place(shape.groupCount * TreeSections.groupSize)
    nodeCategories = place(hasCategories ? shape.groupCount * TreeShape.fanOut * 8 : 0)
    nodeCodes = place(shape.isInGeohashOrder ? shape.groupCount * TreeShape.fanOut * 8 : 0)
    codeTable = place(categories == .coded ? TreeSections.codeTableSize : 0)
    leaves = place(shape.leafCount * encoding.leafSize)
    let slotSize = categories == .none ? 0 : categories == .coded ? 1 : 8
    slotCategories = place(shape.leafCount * TreeShape.fanOut * slotSize)
    byteCount = end
  }
}

// MARK: - Memory

/// The bytes of an index: its own, or borrowed from an owner such as a mapped file.
///
/// They do not change once they are shared, so any number of threads may read them.
final class TreeMemory: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer
  /// Keeps borrowed bytes alive; nil for the index's own.
  private let lender: AnyObject?

  /// Allocates bytes, aligned to cache lines of 64, which the caller fills before sharing them.
  init(byteCount: Int) {
    let size = max(byteCount, 64)
    bytes = UnsafeRawBufferPointer(start: LargePages.allocate(byteCount: size), count: size)
    lender = nil
  }

  /// Borrows bytes that `lender` keeps in place and unchanged as long as it lives.
  init(lent bytes: UnsafeRawBufferPointer, by lender: AnyObject) {
    self.bytes = bytes
    self.lender = lender
  }

  deinit {
    if lender == nil { bytes.deallocate() }
  }
}

/// Memory with scattered reads.
package enum LargePages {
  /// Allocates memory aligned to 64 bytes, in large pages if it is big enough.
  ///
  /// A query's reads are scattered over an index. With pages of 4 KB, address translation takes as
  /// long as the reads themselves, and getting the pages from the system takes a fifth of the build
  /// time.
  package static func allocate(byteCount: Int) -> UnsafeMutableRawPointer {
    let largePage = 1 << 21
    guard byteCount >= largePage else { return .allocate(byteCount: byteCount, alignment: 64) }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: largePage)
    nearby_prefer_large_pages(memory, byteCount)
    return memory
  }

  /// Allocates memory for some 32-bit numbers.
  static func allocate(_ count: Int) -> UnsafeMutablePointer<Int32> {
    allocate(byteCount: count * 4).bindMemory(to: Int32.self, capacity: count)
  }
}

/// Memory operations for code outside the indexes.
package enum Memory {
  /// Prefetches the cache line at an address, without waiting; any address will do.
  @inline(__always)
  package static func prefetch(_ address: UInt) {
    nearby_prefetch_later(UnsafeRawPointer(bitPattern: address))
  }

  /// Prefetches bytes that are read next: their first and their last cache line, because every other row of 32 bytes lies
  /// in two.
  package static func prefetch(_ address: UInt, byteCount: Int) {
    nearby_prefetch(UnsafeRawPointer(bitPattern: address))
    nearby_prefetch(UnsafeRawPointer(bitPattern: address &+ UInt(byteCount &- 1)))
  }
}
