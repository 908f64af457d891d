import Geodesy

/// How many nodes each level of a packed 16-ary tree has, and where its groups lie.
struct TreeShape: Sendable, Hashable {
  static let fanOut = 16

  /// Level 0 are the leaves, the last level is the root alone; empty for an empty index.
  let nodeCounts: [Int]
  /// Where the groups of each level begin among all groups; the root stands in a group too.
  let groupOffsets: [Int]
  let count: Int
  var groupCount: Int

  init(count: Int) {
    self.count = count
    var nodes = (count + KDTreeIndex.leafCapacity - 1) / KDTreeIndex.leafCapacity
    var nodeCounts: [Int] = []
    var groupOffsets: [Int] = []
    groupCount = 0
    while nodes > 0 {
      nodeCounts.append(nodes)
      groupOffsets.append(groupCount)
      let groups = (nodes + TreeShape.fanOut - 1) / TreeShape.fanOut
      groupCount += groups
      if nodes == 1 { break }
      nodes = groups
    }
    self.nodeCounts = nodeCounts
    self.groupOffsets = groupOffsets
  }

  var topLevel: Int { nodeCounts.count - 1 }

  /// The slots below a node.
  func slots(below node: Int, level: Int) -> Range<Int> {
    let width = KDTreeIndex.leafCapacity << (4 * level)
    return node * width..<min((node + 1) * width, count)
  }
}

/// The bounds of sixteen sibling nodes, as ten vectors.
///
/// They are the earth-centered box in meters, and the box of latitudes and longitudes in degrees.
/// Every bound is rounded outward to a float. Lanes without a node hold an empty box, infinitely
/// far from everything.
enum NodeGroup {
  static let vectorCount = 10
  static let minX = 0, minY = 1, minZ = 2, maxX = 3, maxY = 4, maxZ = 5
  static let south = 6, west = 7, north = 8, east = 9
  /// The lower and the upper bounds of x, y, z, latitude and longitude, a leaf block's fields.
  static let lower = [minX, minY, minZ, south, west]
  static let upper = [maxX, maxY, maxZ, north, east]
}

/// The memory of an index while a query runs.
struct TreeView {
  let leaves: UnsafeBufferPointer<Double>
  let positions: UnsafeBufferPointer<UInt32>
  let groups: UnsafeBufferPointer<SIMD16<Float>>
  let slotCategories: UnsafeBufferPointer<UInt64>
  let nodeCategories: UnsafeBufferPointer<UInt64>
  let shape: TreeShape

  /// The place of one field of a leaf block: 0 x, 1 y, 2 z, 3 latitude, 4 longitude.
  @inline(__always)
  func field(_ field: Int, ofLeaf leaf: Int) -> UnsafePointer<Double> {
    leaves.baseAddress.unsafelyUnwrapped + (leaf * 5 + field) * KDTreeIndex.leafCapacity
  }

  @inline(__always)
  func latitude(_ slot: Int) -> Double { field(3, ofLeaf: slot >> 5)[slot & 31] }

  @inline(__always)
  func longitude(_ slot: Int) -> Double { field(4, ofLeaf: slot >> 5)[slot & 31] }

  @inline(__always)
  func group(level: Int, _ group: Int) -> UnsafePointer<SIMD16<Float>> {
    groups.baseAddress.unsafelyUnwrapped
      + (shape.groupOffsets[level] + group) * NodeGroup.vectorCount
  }

  /// Whether a node holds a position of one of the categories.
  @inline(__always)
  func node(_ node: Int, level: Int, holds categories: CategorySet) -> Bool {
    if categories == .any { return true }
    guard !nodeCategories.isEmpty else { return false }
    return nodeCategories[(shape.groupOffsets[level] << 4) + node] & categories.rawValue != 0
  }

  /// Whether a slot's position belongs to one of the categories.
  @inline(__always)
  func slot(_ slot: Int, isIn categories: CategorySet) -> Bool {
    if categories == .any { return true }
    guard !slotCategories.isEmpty else { return false }
    return slotCategories[slot] & categories.rawValue != 0
  }

  /// The squared chord from a place to a slot's position, in square meters.
  @inline(__always)
  func squaredChord(from place: ECEFPosition, toSlot slot: Int) -> Double {
    let x = field(0, ofLeaf: slot >> 5) + (slot & 31)
    let dx = x[0] - place.x
    let dy = x[KDTreeIndex.leafCapacity] - place.y
    let dz = x[2 * KDTreeIndex.leafCapacity] - place.z
    return dx * dx + dy * dy + dz * dz
  }

  /// The geodesic distance from an origin to a slot's position, in meters.
  func geodesic(from origin: Coordinate, toSlot slot: Int) -> Double {
    Geodesic.distance(
      latitude1: origin.latitude, longitude1: origin.longitude,
      latitude2: latitude(slot), longitude2: longitude(slot))
  }
}
