import Geodesy

/// The parts of an index's memory, for loops that meet neither bounds checks nor reference counts.
///
/// Whoever holds one keeps the index alive. Every offset used comes from `shape`.
struct TreeView {
  let shape: TreeShape
  let encoding: LeafEncoding
  let categoryEncoding: CategoryEncoding
  private let groups: UnsafeRawPointer
  private let leaves: UnsafeRawPointer
  private let nodeCategories: UnsafeRawPointer
  private let slotCategories: UnsafeRawPointer
  private let codeTable: UnsafeRawPointer

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
  }

  // MARK: Nodes

  @inline(__always)
  func group(level: Int, _ group: Int) -> NodeGroup {
    NodeGroup(
      memory: groups + (shape.groupOffset(level: level) + group) &* TreeSections.groupSize)
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

  @inline(__always)
  func leaf(_ leaf: Int) -> UnsafeRawPointer { leaves + leaf &* encoding.leafSize }

  /// The offset in the input of a slot's position.
  @inline(__always)
  func position(_ slot: Int) -> UInt32 {
    let ids = leaf(slot >> 4) + (encoding == .decimal ? 128 : 256)
    return ids.load(fromByteOffset: (slot & 15) << 2, as: UInt32.self)
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

  /// The geodesic distance from an origin to a slot's position, in meters.
  func geodesic(from origin: Coordinate, toSlot slot: Int) -> Double {
    Geodesic.distance(
      latitude1: origin.latitude, longitude1: origin.longitude,
      latitude2: latitude(slot), longitude2: longitude(slot))
  }
}

/// The edges of sixteen sibling nodes, in degrees rounded outward; empty boxes in empty lanes.
struct NodeGroup {
  fileprivate let memory: UnsafeRawPointer

  @inline(__always) var south: SIMD16<Float> { memory.load(as: SIMD16<Float>.self) }
  @inline(__always) var west: SIMD16<Float> {
    memory.load(fromByteOffset: 64, as: SIMD16<Float>.self)
  }
  @inline(__always) var north: SIMD16<Float> {
    memory.load(fromByteOffset: 128, as: SIMD16<Float>.self)
  }
  @inline(__always) var east: SIMD16<Float> {
    memory.load(fromByteOffset: 192, as: SIMD16<Float>.self)
  }
}
