import CNearbyKernels
import Geodesy

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

// MARK: - Reading

/// The parts of an index's memory, for loops without bounds checks or reference counts.
///
/// The holder of a view must keep the index alive. Every offset used comes from `shape`. The memory
/// pointed at never changes, so threads may share it.
///
/// The bytes may be those of a forged file. So everything read here is clamped: coordinates to the
/// Earth, positions to the index. Edges of nodes and categories may have any value, because they
/// only choose among existing nodes.
struct TreeView: @unchecked Sendable {
  let shape: TreeShape
  let encoding: LeafEncoding
  let categoryEncoding: CategoryEncoding
  /// The instruction set to search with.
  let level: VectorLevel
  private let groups: UnsafeRawPointer
  private let leaves: UnsafeRawPointer
  private let nodeCategories: UnsafeRawPointer
  private let slotCategories: UnsafeRawPointer
  private let codeTable: UnsafeRawPointer
  /// The first geohash below each node; nil if positions are in another order.
  private let nodeCodes: UnsafePointer<UInt64>?
  /// The number of codes in use; the rest of the table is empty.
  private let codeCount: Int
  /// Checks pages before they are read; nil for the index's own memory.
  private let checks: Unmanaged<PageChecks>?
  /// The upper limit of the positions returned.
  private let greatestPosition: UInt32

  /// - Parameters:
  ///   - checks: The checks of the file that contains the bytes; kept alive by the owner of the
  ///     bytes.
  ///   - greatestPosition: The upper limit of the positions returned; nil if all are known to be valid.
  init(
    _ tree: BuiltTree, checks: PageChecks? = nil, greatestPosition: Int? = nil,
    level: VectorLevel = .greatest
  ) {
    self.checks = checks.map { Unmanaged.passUnretained($0) }
    self.greatestPosition = greatestPosition.map { UInt32(truncatingIfNeeded: max(0, $0)) } ?? .max
    shape = tree.shape
    encoding = tree.encoding
    categoryEncoding = tree.categoryEncoding
    self.level = level
    let bytes = tree.memory.bytes.baseAddress.unsafelyUnwrapped
    let sections = tree.sections
    groups = bytes + sections.groups
    leaves = bytes + sections.leaves
    nodeCategories = bytes + sections.nodeCategories
    slotCategories = bytes + sections.slotCategories
    codeTable = bytes + sections.codeTable
    nodeCodes =
      shape.isInGeohashOrder
      ? (bytes + sections.nodeCodes).assumingMemoryBound(to: UInt64.self) : nil
    var codeCount = categoryEncoding == .coded ? 256 : 0
    while codeCount > 0,
      codeTable.load(fromByteOffset: (codeCount - 1) << 3, as: UInt64.self) == 0
    {
      codeCount -= 1
    }
    self.codeCount = codeCount
  }

  /// The view for the searches of `CNearbyKernels`.
  @inline(__always)
  var searched: nearby_tree {
    let offsets = shape.groupOffsets
    return nearby_tree(
      groups: groups, leaves: leaves, node_codes: nodeCodes,
      group_offsets: (
        offsets[0], offsets[1], offsets[2], offsets[3], offsets[4], offsets[5], offsets[6],
        offsets[7]
      ),
      first_level: Int32(truncatingIfNeeded: shape.firstLevel), is_decimal: encoding == .decimal,
      greatest_position: greatestPosition,
      position_count: UInt32(truncatingIfNeeded: shape.count),
      check: checks == nil ? nil : TreeView.checkPages,
      context: checks.map { UnsafeRawPointer($0.toOpaque()) })
  }

  /// Whether the tree can tell positions of some categories from others; if it cannot, no position
  /// has any.
  @inline(__always)
  func canTell(_ categories: CategorySet) -> Bool {
    categories == .any || categoryEncoding != .none
  }

  /// The filter for a tree with categories, for the searches of `CNearbyKernels`.
  @inline(__always)
  func filter(_ categories: CategorySet) -> nearby_filter {
    var filter = nearby_filter()
    guard categories != .any else { return filter }
    filter.categories = categories.rawValue
    filter.node_sets = nodeCategories
    filter.slot_sets = slotCategories
    filter.is_coded = categoryEncoding == .coded
    if categoryEncoding == .coded {
      check(codeTable, codeCount << 3)
      nearby_code(&filter, codeTable, Int32(truncatingIfNeeded: codeCount))
    }
    return filter
  }

  private static let checkPages: nearby_check = { context, memory, count in
    guard let context, let memory else { return }
    Unmanaged<PageChecks>.fromOpaque(context)._withUnsafeGuaranteedRef {
      $0.check(memory, count: count)
    }
  }

  /// Checks pages before they are read for the first time.
  @inline(__always)
  private func check(_ memory: UnsafeRawPointer, _ count: Int) {
    if let checks { checks._withUnsafeGuaranteedRef { $0.check(memory, count: count) } }
  }

  // MARK: Nodes

  @inline(__always)
  func group(level: Int, _ group: Int) -> NodeGroup {
    NodeGroup(memory: groupMemory(level: level, group))
  }

  /// The memory of a group of nodes; see `TreeSections.groupSize`.
  @inline(__always)
  func groupMemory(level: Int, _ group: Int) -> UnsafeRawPointer {
    let memory = groups + (shape.groupOffset(level: level) &+ group) &* TreeSections.groupSize
    check(memory, TreeSections.groupSize)
    return memory
  }

  /// The categories below sixteen siblings, eight bytes each; call only if there are categories.
  @inline(__always)
  func nodeCategories(level: Int, group: Int) -> UnsafeRawPointer {
    let memory = nodeCategories + (shape.groupOffset(level: level) &+ group) << 7
    check(memory, 128)
    return memory
  }

  /// Prefetches a group of nodes.
  @inline(__always)
  func prefetch(group: Int, level: Int) {
    nearby_prefetch_lines(groupMemory(level: level, group), 4)
  }

  /// Prefetches a leaf.
  @inline(__always)
  func prefetch(leaf: Int) {
    let memory = self.leaf(leaf)
    nearby_prefetch_lines(memory, 3)
    if encoding == .degrees { nearby_prefetch_lines(memory + 192, 2) }
  }

  /// Whether a node holds a position of one of the categories.
  @inline(__always)
  func node(_ node: Int, level: Int, holds categories: CategorySet) -> Bool {
    categories == .any || !nodeCategories(node, level: level).isDisjoint(with: categories)
  }

  /// The union of the categories below a node.
  @inline(__always)
  func nodeCategories(_ node: Int, level: Int) -> CategorySet {
    guard categoryEncoding != .none else { return [] }
    let place = (shape.groupOffset(level: level) << 4 + node) << 3
    check(nodeCategories + place, 8)
    return CategorySet(rawValue: nodeCategories.load(fromByteOffset: place, as: UInt64.self))
  }

  /// Whether some categories are all listed below a node.
  func node(_ node: Int, level: Int, holdsAllOf categories: CategorySet) -> Bool {
    nodeCategories(node, level: level).isSuperset(of: categories)
  }

  // MARK: Slots

  // Slots are read only after their leaf has been requested by `leaf`, `boxes` or
  // `slots(below:level:)`, which check its page.

  /// The slots below a node, checked for reading.
  @inline(__always)
  func slots(below node: Int, level: Int) -> Range<Int> {
    let slots = shape.slots(below: node, level: level)
    if checks != nil { check(slots) }
    return slots
  }

  @inline(never)
  private func check(_ slots: Range<Int>) {
    let first = slots.lowerBound >> 4
    check(
      leaves + first &* encoding.leafSize, ((slots.count + 15) >> 4) &* encoding.leafSize)
  }

  /// The address of the first leaf.
  var firstLeaf: UnsafeRawPointer { leaves }

  @inline(__always)
  func leaf(_ leaf: Int) -> UnsafeRawPointer {
    let memory = leaves + leaf &* encoding.leafSize
    check(memory, encoding.leafSize)
    return memory
  }

  /// The offset in the input of the position in a slot.
  @inline(__always)
  func position(_ slot: Int) -> UInt32 { min(storedPosition(slot), greatestPosition) }

  /// The stored offset, unchecked.
  @inline(__always)
  func storedPosition(_ slot: Int) -> UInt32 {
    let ids = leaves + (slot >> 4) &* encoding.leafSize + encoding.positionsOffset
    return ids.load(fromByteOffset: (slot & 15) << 2, as: UInt32.self)
  }

  @inline(__always)
  func latitude(_ slot: Int) -> Double { TreeView.clamped(storedDegrees(slot, half: 0), 90) }

  @inline(__always)
  func longitude(_ slot: Int) -> Double { TreeView.clamped(storedDegrees(slot, half: 1), 180) }

  /// The nearest value in −`limit`…`limit`; −`limit` for NaN.
  @inline(__always)
  static func clamped(_ value: Double, _ limit: Double) -> Double {
    let atLeast = value > -limit ? value : -limit
    return atLeast < limit ? atLeast : limit
  }

  func coordinate(_ slot: Int) -> Coordinate {
    Coordinate(unchecked: latitude(slot), longitude(slot))
  }

  /// The stored latitude (half 0) or longitude (half 1) in degrees, unchecked.
  @inline(__always)
  func storedDegrees(_ slot: Int, half: Int) -> Double {
    let leaf = leaves + (slot >> 4) &* encoding.leafSize
    let lane = half << 4 + slot & 15
    switch encoding {
    case .decimal:
      // The division yields exactly the double that the builder compared with.
      return Double(leaf.load(fromByteOffset: lane << 2, as: Int32.self)) / 1e7
    case .degrees:
      return leaf.load(fromByteOffset: lane << 3, as: Double.self)
    }
  }

  /// Whether the positions in two slots coincide.
  @inline(__always)
  func slot(_ slot: Int, isAtPlaceOf other: Int) -> Bool {
    latitude(slot) == latitude(other) && longitude(slot) == longitude(other)
  }

  /// The categories of the position in a slot.
  @inline(__always)
  func categories(_ slot: Int) -> CategorySet {
    switch categoryEncoding {
    case .none:
      return []
    case .coded:
      check(slotCategories + slot, 1)
      let code = Int(slotCategories.load(fromByteOffset: slot, as: UInt8.self))
      check(codeTable + code << 3, 8)
      return CategorySet(rawValue: codeTable.load(fromByteOffset: code << 3, as: UInt64.self))
    case .plain:
      check(slotCategories + slot << 3, 8)
      return CategorySet(
        rawValue: slotCategories.load(fromByteOffset: slot << 3, as: UInt64.self))
    }
  }

  /// The first 64-bit geohash of a leaf, in an index in geohash order.
  @inline(__always)
  func firstCode(ofLeaf leaf: Int) -> UInt64 {
    let code = nodeCodes.unsafelyUnwrapped + (shape.groupOffset(level: 0) << 4 &+ leaf)
    check(code, 8)
    return code.pointee
  }

  /// Whether the position in a slot belongs to one of the categories.
  @inline(__always)
  func slot(_ slot: Int, isIn categories: CategorySet) -> Bool {
    categories == .any || !self.categories(slot).isDisjoint(with: categories)
  }

  /// The geodesic distance from an origin to the position in a slot, in meters.
  func geodesic(from origin: Coordinate, toSlot slot: Int) -> Double {
    Geodesic.distance(
      latitude1: origin.latitude, longitude1: origin.longitude,
      latitude2: latitude(slot), longitude2: longitude(slot))
  }
}

extension TreeView {
  /// Calls `body` with the tree and its filter, for the searches of `CNearbyKernels`.
  @inline(__always)
  func withSearched<Result>(
    _ categories: CategorySet, _ asking: PredicateAsking?,
    _ body: (UnsafePointer<nearby_tree>, UnsafePointer<nearby_filter>?) -> Result
  ) -> Result {
    var searched = searched
    guard categories != .any || asking != nil else { return body(&searched, nil) }
    var filter = filter(categories)
    if let asking {
      filter.ask = TreeView.ask
      filter.context = UnsafeRawPointer(Unmanaged.passUnretained(asking).toOpaque())
    }
    return body(&searched, &filter)
  }

  private static let ask: nearby_ask = { context, position in
    guard let context else { return true }
    return Unmanaged<PredicateAsking>.fromOpaque(context)._withUnsafeGuaranteedRef {
      $0.includes(position)
    }
  }
}

/// The edges of sixteen sibling nodes, in degrees rounded outward, with empty boxes in empty lanes.
struct NodeGroup {
  let south, west, north, east: UnsafePointer<Float>

  /// Reads a group; see `TreeSections.groupSize`.
  @inline(__always)
  init(memory: UnsafeRawPointer) {
    south = memory.assumingMemoryBound(to: Float.self)
    west = south + 16
    north = south + 32
    east = south + 48
  }
}
