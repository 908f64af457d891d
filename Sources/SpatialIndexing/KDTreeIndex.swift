import Geodesy

/// An immutable index over positions that answers exactly on WGS 84: k nearest, radius, ring, box
/// and polygon, at the poles and across the antimeridian as anywhere else.
///
/// Answers are those of brute force with the geodesic, bit for bit: ordered by
/// (distance, position), so give the positions in the order in which ties should come out.
///
///     let index = KDTreeIndex(cinemas.map(\.coordinate))
///     let three = index.nearest(3, to: cityHall)
///     print(three.neighbors[0].position, three.neighbors[0].distance.meters)
///
/// The tree is packed and holds no pointers: positions in k-d order in leaves of 32, and over
/// them complete groups of 16 nodes, level by level. A query allocates its answer and little else.
/// Any number of threads may query one index at once.
///
/// - Complexity: O(*n* log *n*) to build; 44 bytes a position and 2 for the nodes.
public struct KDTreeIndex: Sendable {
  /// How many positions the index holds.
  public let count: Int

  /// Leaf blocks: x, y, z of the earth-centered position in meters, latitude and longitude in
  /// degrees, each `leafCapacity` doubles long; slots past the end hold infinity.
  let leaves: [Double]
  /// For each slot, the offset of its position in the input.
  let positions: [UInt32]
  /// The bounds of the nodes, sixteen siblings together; see `NodeGroup`.
  let groups: [SIMD16<Float>]
  /// The categories of each slot; empty when the index was built without any.
  let slotCategories: [UInt64]
  /// The union of the categories below each node, in the order of `groups`; empty likewise.
  let nodeCategories: [UInt64]
  /// The shape of the tree: how many nodes each level has, leaves first.
  let shape: TreeShape

  static let leafCapacity = 32

  /// Builds an index over positions.
  ///
  /// - Parameters:
  ///   - coordinates: In the order in which ties are to be broken.
  ///   - categories: For each position the categories it belongs to, so that a search for some of
  ///     them passes over branches that hold none; or nothing.
  /// - Precondition: There are as many `categories` as `coordinates`, or none; fewer than 2³².
  /// - Complexity: O(*n* log *n*) time; 90 bytes a position while it runs.
  public init(_ coordinates: some Collection<Coordinate>, categories: [CategorySet] = []) {
    precondition(
      categories.isEmpty || categories.count == coordinates.count,
      "\(categories.count) categories for \(coordinates.count) positions")
    self = KDTreeBuilder.build(coordinates, categories: categories)
  }

  init(
    count: Int, leaves: [Double], positions: [UInt32], groups: [SIMD16<Float>],
    slotCategories: [UInt64], nodeCategories: [UInt64], shape: TreeShape
  ) {
    self.count = count
    self.leaves = leaves
    self.positions = positions
    self.groups = groups
    self.slotCategories = slotCategories
    self.nodeCategories = nodeCategories
    self.shape = shape
  }

  /// Runs `body` over the index's memory, so that inner loops meet neither bounds checks nor
  /// reference counts. Every offset they use comes from `shape`.
  func withTree<Result>(_ body: (TreeView) -> Result) -> Result {
    leaves.withUnsafeBufferPointer { leaves in
      positions.withUnsafeBufferPointer { positions in
        groups.withUnsafeBufferPointer { groups in
          slotCategories.withUnsafeBufferPointer { slotCategories in
            nodeCategories.withUnsafeBufferPointer { nodeCategories in
              body(
                TreeView(
                  leaves: leaves, positions: positions, groups: groups,
                  slotCategories: slotCategories, nodeCategories: nodeCategories, shape: shape))
            }
          }
        }
      }
    }
  }
}

/// How many nodes each level of a packed 16-ary tree has, and where its groups lie.
struct TreeShape: Sendable, Hashable {
  static let fanOut = 16

  /// Level 0 are the leaves, the last level is the root alone; empty for an empty index.
  let nodeCounts: [Int]
  /// Where the groups of each level begin among all groups. The root stands in a group too.
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

/// The bounds of sixteen sibling nodes as ten vectors: the earth-centered box in meters, and the
/// box of latitudes and longitudes in degrees. Every bound is rounded outward to a float. Lanes
/// without a node hold an empty box, infinitely far from everything.
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
    nodeCategories.isEmpty
      || nodeCategories[(shape.groupOffsets[level] << 4) + node] & categories.rawValue != 0
  }

  @inline(__always)
  func slot(_ slot: Int, isIn categories: CategorySet) -> Bool {
    slotCategories.isEmpty || slotCategories[slot] & categories.rawValue != 0
  }

  /// The geodesic distance from an origin to a slot's position, in meters.
  func geodesic(from origin: Coordinate, toSlot slot: Int) -> Double {
    Geodesic.distance(
      latitude1: origin.latitude, longitude1: origin.longitude,
      latitude2: latitude(slot), longitude2: longitude(slot))
  }
}
