import CNearbyKernels
import Geodesy

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
