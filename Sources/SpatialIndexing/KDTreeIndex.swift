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
  ///     them passes over branches that hold none; empty where positions belong to none at all.
  ///   - leafOrder: How positions are laid out; no answer depends on it.
  /// - Precondition: There are as many `categories` as `coordinates`, or none; fewer than 2³².
  /// - Complexity: O(*n* log *n*) time, some 0.3 µs a position, O(*n*) as given; 100 bytes a
  ///   position while it runs.
  public init(
    _ coordinates: some Collection<Coordinate>, categories: [CategorySet] = [],
    leafOrder: LeafOrder = .spatial
  ) {
    precondition(
      categories.isEmpty || categories.count == coordinates.count,
      "\(categories.count) categories for \(coordinates.count) positions")
    self = KDTreeBuilder.build(coordinates, categories: categories, leafOrder: leafOrder)
  }

  /// How positions are laid out in the leaves of the tree.
  public enum LeafOrder: Sendable {
    /// What is near lies near: for an index that is asked often.
    case spatial
    /// As they come: for an index that is asked once.
    ///
    /// It is built in two thirds of the time or less, and reads more leaves for each answer.
    case asGiven
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

  /// Runs `body` over the index's memory.
  ///
  /// Inner loops then meet neither bounds checks nor reference counts; every offset they use comes
  /// from `shape`.
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
