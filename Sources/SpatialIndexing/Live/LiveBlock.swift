import CNearbyKernels
import Geodesy

/// The kinds of blocks of a live tree.
enum LiveKind: UInt8 {
  /// A leaf whose objects have no categories and never expire.
  case plainLeaf = 0
  /// A leaf that also keeps categories and expiries.
  case fullLeaf = 1
  /// A node below which nothing has categories.
  case plainNode = 2
  /// A node that also keeps the categories below its children.
  case fullNode = 3
  /// The splits of a node's part of the Earth among its children.
  case splits = 4

  /// The number of bytes of a block, a multiple of 64.
  var byteCount: Int {
    switch self {
    case .plainLeaf, .plainNode: 448
    case .fullLeaf: 704
    case .fullNode: 576
    case .splits: 256
    }
  }
}

/// A node or a leaf of a live tree: its memory, and how it is read.
///
/// A block belongs to the batch of changes that made it. That batch may write to it; afterwards it
/// never changes, so any number of threads may read it.
///
/// ```text
///           header   64 bytes: see `Offset`
/// leaf      latitudes and longitudes of 16 slots in degrees, 128 bytes each; their ids, 128;
///           in a full leaf their categories and expiries, 128 each; the first slots hold objects
/// node      the south, west, north and east edges of 16 children as floats rounded outward, 64
///           bytes each (`NodeGroup`); the children's addresses, 128; in a full node the categories
///           below them, 128
/// splits    15 keys, 128; axes, low and high sides, 16 each
/// ```
///
/// The splits of a node are a binary tree over its children: keys less than the split's go to the
/// low side. A side is a child's number, or 16 plus the number of another split; the first split is
/// number 0. Queries do not need the splits, so they are stored apart, and are shared when a node is
/// copied.
struct LiveBlock: @unchecked Sendable {
  let memory: UnsafeMutableRawPointer

  /// The maximum number of children of a node, and of objects in a leaf.
  static let fanOut = 16

  private enum Offset {
    static let birth = 0
    static let kind = 16
    static let height = 17
    static let childCount = 18
    static let splitCount = 19
    /// The slots of a leaf that hold an object; the children of a node that are nodes.
    static let bits = 20
    static let count = 24
    static let lanes = 64
    static let ids = 320
    static let categories = 448
    static let expiries = 576
    static let children = 320
    static let childCategories = 448
    static let splits = 32
    static let splitKeys = 64
    static let splitAxes = 192
    static let lowSides = 208
    static let highSides = 224
  }

  @inline(__always)
  private func load<T: BitwiseCopyable>(_ offset: Int, as type: T.Type) -> T {
    memory.load(fromByteOffset: offset, as: type)
  }

  @inline(__always)
  private func store<T: BitwiseCopyable>(_ value: T, _ offset: Int) {
    memory.storeBytes(of: value, toByteOffset: offset, as: T.self)
  }

  // MARK: Header

  /// The batch that made the block.
  @inline(__always)
  var birth: Int {
    get { load(Offset.birth, as: Int.self) }
    nonmutating set { store(newValue, Offset.birth) }
  }

  @inline(__always)
  var kind: LiveKind {
    LiveKind(rawValue: load(Offset.kind, as: UInt8.self)).unsafelyUnwrapped
  }

  @inline(__always)
  var isNode: Bool { load(Offset.kind, as: UInt8.self) >= LiveKind.plainNode.rawValue }

  /// The maximum length of a path from here down to a leaf; 0 for a leaf.
  @inline(__always)
  var height: Int {
    get { Int(load(Offset.height, as: UInt8.self)) }
    nonmutating set { store(UInt8(truncatingIfNeeded: newValue), Offset.height) }
  }

  @inline(__always)
  var childCount: Int {
    get { Int(load(Offset.childCount, as: UInt8.self)) }
    nonmutating set { store(UInt8(truncatingIfNeeded: newValue), Offset.childCount) }
  }

  @inline(__always)
  var splitCount: Int {
    get { Int(load(Offset.splitCount, as: UInt8.self)) }
    nonmutating set { store(UInt8(truncatingIfNeeded: newValue), Offset.splitCount) }
  }

  /// The slots of a leaf that hold an object; the children of a node that are nodes.
  @inline(__always)
  var bits: UInt32 {
    get { load(Offset.bits, as: UInt32.self) }
    nonmutating set { store(newValue, Offset.bits) }
  }

  /// The number of objects below.
  @inline(__always)
  var count: Int {
    get { load(Offset.count, as: Int.self) }
    nonmutating set { store(newValue, Offset.count) }
  }

  /// Makes an empty leaf, a node without children, or empty splits.
  func clear(_ kind: LiveKind, birth: Int) {
    stamp(kind, birth: birth)
    height = 0
    childCount = 0
    splitCount = 0
    bits = 0
    count = 0
    guard kind == .plainNode || kind == .fullNode else { return }
    height = 1
    let infinity = SIMD16<Float>(repeating: .infinity)
    store(infinity, Offset.lanes)
    store(infinity, Offset.lanes + 64)
    store(-infinity, Offset.lanes + 128)
    store(-infinity, Offset.lanes + 192)
    if kind == .fullNode { store(SIMD16<UInt64>(), Offset.childCategories) }
  }

  /// Stamps the block's kind and batch; the rest is still to be written.
  @inline(__always)
  func stamp(_ kind: LiveKind, birth: Int) {
    self.birth = birth
    store(kind.rawValue, Offset.kind)
  }

  // MARK: Leaves

  /// The latitudes and then the longitudes of a leaf, or the edges of a node's children.
  @inline(__always)
  var lanes: UnsafeRawPointer { UnsafeRawPointer(memory + Offset.lanes) }

  @inline(__always)
  var isFullLeaf: Bool { load(Offset.kind, as: UInt8.self) == LiveKind.fullLeaf.rawValue }

  @inline(__always)
  func latitude(_ slot: Int) -> Double { load(Offset.lanes + slot << 3, as: Double.self) }

  @inline(__always)
  func longitude(_ slot: Int) -> Double { load(Offset.lanes + 128 + slot << 3, as: Double.self) }

  @inline(__always)
  func id(_ slot: Int) -> UInt64 { load(Offset.ids + slot << 3, as: UInt64.self) }

  @inline(__always)
  func categories(_ slot: Int) -> CategorySet {
    isFullLeaf
      ? CategorySet(rawValue: load(Offset.categories + slot << 3, as: UInt64.self)) : []
  }

  @inline(__always)
  func expiry(_ slot: Int) -> Double {
    isFullLeaf ? load(Offset.expiries + slot << 3, as: Double.self) : .infinity
  }

  func object(_ slot: Int) -> LiveObject {
    LiveObject(
      id: id(slot), at: Coordinate(unchecked: latitude(slot), longitude(slot)),
      categories: categories(slot), expiry: expiry(slot))
  }

  /// The slot of the object with an id, which must be here.
  @inline(__always)
  func slot(of id: UInt64) -> Int {
    let count = count
    var slot = 0
    while slot < count {
      if self.id(slot) == id { return slot }
      slot &+= 1
    }
    preconditionFailure("object \(id) is not in its leaf")
  }

  /// Marks the first slots of a leaf as holding objects.
  @inline(__always)
  func holdFirst(_ count: Int) {
    bits = 1 << UInt32(truncatingIfNeeded: count) &- 1
    self.count = count
  }

  /// Writes an object's row into a slot; categories and expiry only if the leaf is a full one.
  @inline(__always)
  func write(_ row: LiveRow, slot: Int) {
    store(row.latitude, Offset.lanes + slot << 3)
    store(row.longitude, Offset.lanes + 128 + slot << 3)
    store(row.id, Offset.ids + slot << 3)
    guard isFullLeaf else { return }
    store(row.categories, Offset.categories + slot << 3)
    store(row.expiry, Offset.expiries + slot << 3)
  }

  @inline(__always)
  func row(_ slot: Int) -> LiveRow {
    LiveRow(
      latitude: latitude(slot), longitude: longitude(slot), id: id(slot),
      categories: categories(slot).rawValue, expiry: expiry(slot))
  }

  /// Copies the objects of a leaf, which may be plain even if this one is full.
  func copyObjects(of leaf: LiveBlock) {
    copyLanes(Offset.lanes, of: leaf)
    copyLanes(Offset.lanes + 128, of: leaf)
    copyLanes(Offset.ids, of: leaf)
    if leaf.isFullLeaf {
      copyLanes(Offset.categories, of: leaf)
      copyLanes(Offset.expiries, of: leaf)
    }
    if isFullLeaf, !leaf.isFullLeaf {
      store(SIMD16<UInt64>(), Offset.categories)
      store(SIMD16<Double>(repeating: .infinity), Offset.expiries)
    }
    height = 0
    bits = leaf.bits
    count = leaf.count
  }

  /// Copies one column of a leaf.
  @inline(__always)
  private func copyLanes(_ offset: Int, of leaf: LiveBlock) {
    nearby_copy_lines(memory + offset, leaf.memory + offset, 1)
    // A cache line holds eight values; the second is left alone if the first is enough.
    if leaf.count > 8 { nearby_copy_lines(memory + offset + 64, leaf.memory + offset + 64, 1) }
  }

  /// Prefetches what is read of a leaf that holds few objects.
  @inline(__always)
  func prefetchLeaf() {
    nearby_prefetch_later(memory)
    nearby_prefetch_later(memory + Offset.lanes)
    nearby_prefetch_later(memory + Offset.lanes + 128)
    nearby_prefetch_later(memory + Offset.ids)
  }

  /// Prefetches the rest if a leaf holds more; the header has been read already.
  @inline(__always)
  func prefetchRestOfLeaf() {
    guard count > 8 else { return }
    nearby_prefetch_later(memory + Offset.lanes + 64)
    nearby_prefetch_later(memory + Offset.lanes + 192)
    nearby_prefetch_later(memory + Offset.ids + 64)
  }

  // MARK: Nodes

  /// Prefetches a node without its splits.
  @inline(__always)
  func prefetchNode() { nearby_prefetch_lines_later(memory, 7) }

  /// Prefetches what the descent reads of a node's splits; the node's header has been read already.
  @inline(__always)
  func prefetchSplits() { nearby_prefetch_lines(splits.memory + Offset.splitKeys, 3) }

  /// Whether a child is a node, as recorded in this one.
  @inline(__always)
  func isNode(_ lane: Int) -> Bool { bits >> UInt32(truncatingIfNeeded: lane) & 1 != 0 }

  @inline(__always)
  func child(_ lane: Int) -> LiveBlock {
    LiveBlock(memory: load(Offset.children + lane << 3, as: UnsafeMutableRawPointer.self))
  }

  @inline(__always)
  var isFullNode: Bool { load(Offset.kind, as: UInt8.self) == LiveKind.fullNode.rawValue }

  /// The categories of the objects below a child.
  @inline(__always)
  func categories(belowChild lane: Int) -> UInt64 {
    isFullNode ? load(Offset.childCategories + lane << 3, as: UInt64.self) : 0
  }

  /// The block of a node's splits.
  @inline(__always)
  var splits: LiveBlock {
    get { LiveBlock(memory: load(Offset.splits, as: UnsafeMutableRawPointer.self)) }
    nonmutating set { store(newValue.memory, Offset.splits) }
  }

  /// Copies all of a node, which may be plain even if this one is full, except the stamps.
  @inline(__always)
  func copyNode(_ node: LiveBlock) {
    let birth = birth, kind = kind
    nearby_copy_lines(memory, node.memory, 7)
    stamp(kind, birth: birth)
    guard kind == .fullNode else { return }
    if node.isFullNode {
      nearby_copy_lines(memory + Offset.childCategories, node.memory + Offset.childCategories, 2)
    } else {
      store(SIMD16<UInt64>(), Offset.childCategories)
    }
  }

  /// Copies splits except the stamps.
  func copySplits(_ splits: LiveBlock) {
    memory.advanced(by: Offset.height).copyMemory(
      from: splits.memory + Offset.height, byteCount: LiveKind.splits.byteCount - Offset.height)
  }

  /// Puts a block in a lane, with the edges and categories of the objects below it.
  ///
  /// - Precondition: This is a full node if the child has categories.
  @inline(__always)
  func setChild(_ lane: Int, _ child: LiveBlock) {
    store(child.memory, Offset.children + lane << 3)
    let bit: UInt32 = 1 << UInt32(truncatingIfNeeded: lane)
    bits = child.isNode ? bits | bit : bits & ~bit
    let edges = memory + Offset.lanes + lane << 2
    if child.isNode {
      nearby_node_edges(child.lanes, edges)
    } else {
      nearby_leaf_edges(child.lanes, Int32(truncatingIfNeeded: child.count), edges)
    }
    height = max(height, child.height + 1)
    if isFullNode { store(child.allCategories, Offset.childCategories + lane << 3) }
  }

  /// Whether nodes above this one must be full.
  @inline(__always)
  var mayHaveCategories: Bool { isFullNode || isFullLeaf }

  private var allCategories: UInt64 {
    guard mayHaveCategories else { return 0 }
    var union: UInt64 = 0
    if isNode {
      for lane in 0..<childCount { union |= categories(belowChild: lane) }
    } else {
      bits.forEachBit { union |= categories($0).rawValue }
    }
    return union
  }

  // MARK: Splits

  /// The children that an operation concerns: the one an object leaves, and the one it enters.
  ///
  /// Both are the same if it does only one of the two. Both searches share one path, usually all
  /// the way.
  @inline(__always)
  func lanes(of operation: UnsafeRawPointer, _ roles: UInt32) -> (from: Int, to: Int) {
    guard roles == LiveOperation.Role.moves else {
      let lane = lane(of: LiveOperation.keys(at: operation, roles), after: LiveBlock.fanOut)
      return (lane, lane)
    }
    let from = LiveOperation.keys(at: operation, LiveOperation.Role.goes)
    let to = LiveOperation.keys(at: operation, LiveOperation.Role.comes)
    var side = LiveBlock.fanOut
    repeat {
      let split = side & 15
      let goesHigh = isHigh(from, split), comesHigh = isHigh(to, split)
      side = self.side(of: split, isHigh: goesHigh)
      if goesHigh != comesHigh {
        return (
          lane(of: from, after: side),
          lane(of: to, after: self.side(of: split, isHigh: comesHigh))
        )
      }
    } while side >= LiveBlock.fanOut
    return (side, side)
  }

  /// The child whose part of the Earth contains an object, continuing from a side already known.
  @inline(__always)
  private func lane(of keys: UnsafeRawPointer, after known: Int) -> Int {
    var side = known
    while side >= LiveBlock.fanOut {
      let split = side & 15
      side = self.side(of: split, isHigh: isHigh(keys, split))
    }
    return side
  }

  @inline(__always)
  private func isHigh(_ keys: UnsafeRawPointer, _ split: Int) -> Bool {
    let axis = Int(load(Offset.splitAxes + split, as: UInt8.self))
    return keys.load(fromByteOffset: axis << 3, as: UInt64.self)
      >= load(Offset.splitKeys + split << 3, as: UInt64.self)
  }

  @inline(__always)
  private func side(of split: Int, isHigh: Bool) -> Int {
    Int(load((isHigh ? Offset.highSides : Offset.lowSides) + split, as: UInt8.self))
  }

  /// Adds a split whose sides are not set yet.
  ///
  /// - Returns: The value of the side that leads to it.
  func addSplit(axis: Int, key: UInt64) -> Int {
    let split = splitCount
    splitCount = split + 1
    store(UInt8(truncatingIfNeeded: axis), Offset.splitAxes + split)
    store(key, Offset.splitKeys + split << 3)
    return LiveBlock.fanOut + split
  }

  func setSides(ofSplit name: Int, low: Int, high: Int) {
    store(UInt8(truncatingIfNeeded: low), Offset.lowSides + name & 15)
    store(UInt8(truncatingIfNeeded: high), Offset.highSides + name & 15)
  }

  /// Makes the side that leads to a child lead to a split instead.
  func redirect(_ lane: Int, to split: Int, among splits: Int) {
    for offset in [Offset.lowSides, Offset.highSides] {
      for index in 0..<splits where Int(load(offset + index, as: UInt8.self)) == lane {
        store(UInt8(truncatingIfNeeded: split), offset + index)
      }
    }
  }
}
