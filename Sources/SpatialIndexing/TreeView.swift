import CKernels
import Geodesy

/// The parts of an index's memory, for loops that meet neither bounds checks nor reference counts.
///
/// Whoever holds one keeps the index alive. Every offset used comes from `shape`. What the pointers
/// point at never changes, so threads may share it.
struct TreeView: @unchecked Sendable {
  let shape: TreeShape
  let encoding: LeafEncoding
  let categoryEncoding: CategoryEncoding
  private let groups: UnsafeRawPointer
  private let leaves: UnsafeRawPointer
  private let nodeCategories: UnsafeRawPointer
  private let slotCategories: UnsafeRawPointer
  private let codeTable: UnsafeRawPointer
  /// From here on the table is empty.
  private let codeCount: Int

  init(
    bytes: UnsafeRawPointer, shape: TreeShape, encoding: LeafEncoding,
    categoryEncoding: CategoryEncoding
  ) {
    let sections = TreeSections(shape: shape, leaves: encoding, categories: categoryEncoding)
    self.shape = shape
    self.encoding = encoding
    self.categoryEncoding = categoryEncoding
    groups = bytes + sections.groups
    leaves = bytes + sections.leaves
    nodeCategories = bytes + sections.nodeCategories
    slotCategories = bytes + sections.slotCategories
    codeTable = bytes + sections.codeTable
    var codeCount = categoryEncoding == .coded ? 256 : 0
    while codeCount > 0,
      codeTable.load(fromByteOffset: (codeCount - 1) << 3, as: UInt64.self) == 0
    {
      codeCount -= 1
    }
    self.codeCount = codeCount
  }

  // MARK: Nodes

  @inline(__always)
  func group(level: Int, _ group: Int) -> NodeGroup {
    NodeGroup(memory: groupMemory(level: level, group))
  }

  /// Where a group of nodes stands; see `TreeSections.groupSize`.
  @inline(__always)
  func groupMemory(level: Int, _ group: Int) -> UnsafeRawPointer {
    groups + (shape.groupOffset(level: level) &+ group) &* TreeSections.groupSize
  }

  /// The categories below sixteen siblings, eight bytes each; not to be called without categories.
  @inline(__always)
  func nodeCategories(level: Int, group: Int) -> UnsafeRawPointer {
    nodeCategories + (shape.groupOffset(level: level) &+ group) << 7
  }

  /// Which slots of a leaf belong to one of the categories, as bits.
  ///
  /// - Parameter codes: Those of `codes(in:)`.
  @inline(__always)
  func slots(ofLeaf leaf: Int, in categories: CategorySet, codes: CodeSet) -> UInt32 {
    switch categoryEncoding {
    case .none:
      return 0
    case .coded:
      let memory = slotCategories + leaf << 4
      var bits: UInt32 = 0
      for index in 0..<codes.count { bits |= nearby_equal_bytes(memory, codes[index]) }
      guard codes.hasMore else { return bits }
      fallthrough
    case .plain:
      var bits: UInt32 = 0
      for lane in 0..<TreeShape.fanOut {
        bits |= slot(leaf << 4 &+ lane, isIn: categories) ? 1 << UInt32(lane) : 0
      }
      return bits
    }
  }

  /// The codes that stand for sets with one of the categories.
  @inline(__always)
  func codes(in categories: CategorySet) -> CodeSet {
    var codes = CodeSet()
    guard categoryEncoding == .coded, categories != .any else { return codes }
    for code in 0..<codeCount
    where codeTable.load(fromByteOffset: code << 3, as: UInt64.self) & categories.rawValue != 0 {
      codes.add(UInt8(truncatingIfNeeded: code))
    }
    return codes
  }

  /// Asks for the memory of a group of nodes.
  @inline(__always)
  func prefetch(group: Int, level: Int) {
    let memory = groupMemory(level: level, group)
    nearby_prefetch(memory)
    nearby_prefetch(memory + 64)
    nearby_prefetch(memory + 128)
    nearby_prefetch(memory + 192)
  }

  /// Asks for the memory of a leaf.
  @inline(__always)
  func prefetch(leaf: Int) {
    let memory = self.leaf(leaf)
    nearby_prefetch(memory)
    nearby_prefetch(memory + 64)
    nearby_prefetch(memory + 128)
    if encoding == .degrees {
      nearby_prefetch(memory + 192)
      nearby_prefetch(memory + 256)
    }
  }

  /// Whether a node holds a position of one of the categories.
  @inline(__always)
  func node(_ node: Int, level: Int, holds categories: CategorySet) -> Bool {
    if categories == .any { return true }
    guard categoryEncoding != .none else { return false }
    let lane = shape.groupOffset(level: level) << 4 + node
    return nodeCategories.load(fromByteOffset: lane << 3, as: UInt64.self) & categories.rawValue
      != 0
  }

  // MARK: Slots

  /// Calls `body` with the positions of a leaf as boxes without extent; slots past the end lie beyond
  /// 91° north.
  @inline(__always)
  func withBoxes<Result>(ofLeaf leaf: Int, _ body: (NodeGroup) -> Result) -> Result {
    let memory = self.leaf(leaf)
    return withUnsafeTemporaryAllocation(of: Float.self, capacity: 32) { floats in
      let latitudes = floats.baseAddress.unsafelyUnwrapped, longitudes = latitudes + 16
      switch encoding {
      case .decimal:
        for lane in 0..<TreeShape.fanOut {
          latitudes[lane] =
            Float(memory.load(fromByteOffset: lane << 2, as: Int32.self)) * 1e-7
          longitudes[lane] =
            Float(memory.load(fromByteOffset: 64 &+ lane << 2, as: Int32.self)) * 1e-7
        }
      case .degrees:
        for lane in 0..<TreeShape.fanOut {
          latitudes[lane] = Float(memory.load(fromByteOffset: lane << 3, as: Double.self))
          longitudes[lane] = Float(memory.load(fromByteOffset: 128 &+ lane << 3, as: Double.self))
        }
      }
      return body(
        NodeGroup(south: latitudes, west: longitudes, north: latitudes, east: longitudes))
    }
  }

  @inline(__always)
  func leaf(_ leaf: Int) -> UnsafeRawPointer { leaves + leaf &* encoding.leafSize }

  /// The offset in the input of a slot's position.
  @inline(__always)
  func position(_ slot: Int) -> UInt32 {
    let ids = leaf(slot >> 4) + (encoding == .decimal ? 128 : 256)
    return ids.load(fromByteOffset: (slot & 15) << 2, as: UInt32.self)
  }

  /// The offsets in the input of a leaf's sixteen positions.
  @inline(__always)
  func positions(ofLeaf leaf: Int) -> UnsafePointer<UInt32> {
    (self.leaf(leaf) + (encoding == .decimal ? 128 : 256)).assumingMemoryBound(to: UInt32.self)
  }

  @inline(__always)
  func latitude(_ slot: Int) -> Double { degrees(slot, half: 0) }

  @inline(__always)
  func longitude(_ slot: Int) -> Double { degrees(slot, half: 1) }

  func coordinate(_ slot: Int) -> Coordinate {
    Coordinate(unchecked: latitude(slot), longitude(slot))
  }

  @inline(__always)
  private func degrees(_ slot: Int, half: Int) -> Double {
    let leaf = leaf(slot >> 4)
    let lane = half << 4 + slot & 15
    switch encoding {
    case .decimal:
      // The division gives back the very double that the builder compared with.
      return Double(leaf.load(fromByteOffset: lane << 2, as: Int32.self)) / 1e7
    case .degrees:
      return leaf.load(fromByteOffset: lane << 3, as: Double.self)
    }
  }

  /// The categories of a slot's position.
  @inline(__always)
  func categories(_ slot: Int) -> CategorySet {
    switch categoryEncoding {
    case .none:
      return []
    case .coded:
      let code = Int(slotCategories.load(fromByteOffset: slot, as: UInt8.self))
      return CategorySet(rawValue: codeTable.load(fromByteOffset: code << 3, as: UInt64.self))
    case .plain:
      return CategorySet(
        rawValue: slotCategories.load(fromByteOffset: slot << 3, as: UInt64.self))
    }
  }

  /// Whether a slot's position belongs to one of the categories.
  @inline(__always)
  func slot(_ slot: Int, isIn categories: CategorySet) -> Bool {
    categories == .any || !self.categories(slot).isDisjoint(with: categories)
  }

  /// The squared chord from an origin to a slot's position, in square meters.
  func squaredChord(from origin: NearestOrigin, toSlot slot: Int) -> Double {
    origin.lines.squaredChord(latitude: latitude(slot), longitude: longitude(slot))
  }

  /// The geodesic distance from an origin to a slot's position, in meters.
  func geodesic(from origin: Coordinate, toSlot slot: Int) -> Double {
    Geodesic.distance(
      latitude1: origin.latitude, longitude1: origin.longitude,
      latitude2: latitude(slot), longitude2: longitude(slot))
  }
}

/// The edges of sixteen sibling nodes, in degrees rounded outward, with empty boxes in empty lanes;
/// or sixteen positions, as boxes without extent.
struct NodeGroup {
  let south, west, north, east: UnsafePointer<Float>

  init(
    south: UnsafePointer<Float>, west: UnsafePointer<Float>, north: UnsafePointer<Float>,
    east: UnsafePointer<Float>
  ) {
    self.south = south
    self.west = west
    self.north = north
    self.east = east
  }

  /// Reads a group; see `TreeSections.groupSize`.
  @inline(__always)
  init(memory: UnsafeRawPointer) {
    south = memory.assumingMemoryBound(to: Float.self)
    west = south + 16
    north = south + 32
    east = south + 48
  }
}

/// A handful of codes for sets of categories.
struct CodeSet {
  private var codes: UInt64 = 0
  private(set) var count = 0
  /// Whether there were more than eight, so that they are not all here.
  private(set) var hasMore = false

  @inline(__always)
  mutating func add(_ code: UInt8) {
    guard count < 8 else { return hasMore = true }
    codes |= UInt64(code) << UInt64(8 &* count)
    count &+= 1
  }

  @inline(__always)
  subscript(index: Int) -> UInt8 { UInt8(truncatingIfNeeded: codes >> UInt64(8 &* index)) }
}
