// The tree has no pointers: where everything lies follows from how many positions there are and how
// they are written. In memory and in a file it is the same bytes.

/// How many nodes each level of a packed 16-ary tree has, and where its groups lie.
struct TreeShape: Sendable, Hashable {
  /// How many children a node has, and how many positions a leaf.
  static let fanOut = 16
  /// 16⁸ leaves are more than 2³² positions fill.
  static let mostLevels = 8

  let count: Int
  /// Whether positions stand in the order of their geohashes of 64 bits, and each node has the first
  /// of those below it.
  let isInGeohashOrder: Bool
  /// How many levels there are, the leaves among them; 0 for an empty index.
  let levelCount: Int
  /// How many nodes each level has, leaves first.
  private let nodeCounts: SIMD8<Int32>
  /// Where the groups of each level begin among all groups, the root's first.
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

  /// Where walks begin: at the children of the root, which are one group, or at the root where it
  /// is a leaf.
  @inline(__always)
  var firstLevel: Int { levelCount > 1 ? levelCount &- 2 : 0 }

  var leafCount: Int { Int(nodeCounts[0]) }

  func nodeCount(level: Int) -> Int { Int(nodeCounts[level]) }

  /// Where the groups of a level begin among all groups.
  @inline(__always)
  func groupOffset(level: Int) -> Int { Int(groupOffsets[level]) }

  /// The slots below a node.
  @inline(__always)
  func slots(below node: Int, level: Int) -> Range<Int> {
    let shift = 4 * (level + 1)
    return node << shift..<min((node + 1) << shift, count)
  }
}

/// How coordinates are written in the leaves; either way not a bit is lost.
enum LeafEncoding: UInt8, Sendable {
  /// Multiples of 10⁻⁷ degrees as 32-bit integers: OpenStreetMap's grain, 11 mm. Chosen when every
  /// coordinate is the double nearest to such a multiple.
  case decimal = 1
  /// Degrees as doubles.
  case degrees = 2

  /// One leaf: sixteen latitudes, sixteen longitudes, sixteen input offsets of 32 bits.
  var leafSize: Int {
    switch self {
    case .decimal: 192
    case .degrees: 320
    }
  }

  /// Where in a leaf the input offsets begin.
  var positionsOffset: Int {
    switch self {
    case .decimal: 128
    case .degrees: 256
    }
  }
}

/// How the categories of positions are kept.
enum CategoryEncoding: UInt8, Sendable {
  case none = 0
  /// One byte a slot, naming one of up to 256 different sets.
  case coded = 1
  /// The set itself, eight bytes a slot.
  case plain = 2
}

/// Where the parts of an index lie in its bytes; each starts at a multiple of 64.
struct TreeSections: Sendable, Hashable {
  /// How many bytes a group takes.
  ///
  /// They are the south, west, north and east edges of sixteen nodes, as floats of degrees rounded
  /// outward. Lanes without a node hold an empty box: south and west ∞, north and
  /// east −∞.
  static let groupSize = 256
  /// Sets that codes stand for.
  static let codeTableSize = 256 * 8

  let groups: Int
  /// The union of the categories below each node, 8 bytes each, sixteen a group.
  let nodeCategories: Int
  /// The first geohash of 64 bits below each node, 8 bytes each, sixteen a group; none where positions
  /// stand in another order.
  let nodeCodes: Int
  /// The 256 sets that the codes stand for.
  let codeTable: Int
  let leaves: Int
  /// One code or set a slot, rounded up to whole leaves.
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
