import CNearbyKernels
import Geodesy

/// An immutable index over positions that answers exactly on WGS 84, at the poles and across the
/// antimeridian too.
///
/// It finds the k nearest, and the positions within a radius, distance range, box or polygon.
///
/// Answers are those of brute force with the geodesic, ordered by (distance, offset), so pass the
/// positions in the order in which ties should come out. Distances are right to 20 nm.
///
///     let index = KDTreeIndex(cinemas.map(\.coordinate))
///     let three = index.nearest(3, to: cityHall)
///     print(three.neighbors[0].offset, three.neighbors[0].distance.meters)
///
/// The tree is packed and holds no pointers: positions in k-d order in leaves of 16, and above them
/// complete groups of 16 nodes, level by level. A query allocates its answer and little else. Any
/// number of threads may query one index at once.
///
/// - Complexity: O(*n* log *n*) to build; 13.1 bytes per position if all coordinates are multiples of
///   10⁻⁷ degrees, 21.1 otherwise; with categories 1.5 more, plus the trees of ``OwnTrees``.
public struct KDTreeIndex: Sendable {
  /// The tree of all positions, and those of some categories.
  let trees: IndexTrees
  /// A view of the tree of all positions.
  private let view: TreeView

  /// The number of positions in the index.
  public var count: Int { view.shape.count }

  var shape: TreeShape { view.shape }

  /// Builds an index over positions.
  ///
  /// - Parameters:
  ///   - coordinates: In the order in which ties are to be broken.
  ///   - categories: The categories of each position, so that a search for some of them skips
  ///     branches without any; empty if no position has categories.
  ///   - leafOrder: The layout of positions in leaves; no answer depends on it.
  ///   - ownTrees: The categories that get a tree of their own; no answer depends on it.
  /// - Precondition: There are as many `categories` as `coordinates`, or none; at most
  ///   ``IndexFileFormat/mostPositions``, 2³² − 2.
  /// - Complexity: O(*n* log *n*) time, about 0.3 µs per position, O(*n*) as given; 100 bytes per
  ///   position while it runs. Positions in category trees count once more for each tree.
  public init(
    _ coordinates: some Collection<Coordinate>, categories: [CategorySet] = [],
    leafOrder: LeafOrder = .spatial, ownTrees: OwnTrees = .rareCategories
  ) {
    func build(_ coordinates: UnsafeBufferPointer<Coordinate>) -> IndexTrees {
      if categories.isEmpty {
        return IndexTrees(KDTreeBuilder.build(coordinates, leafOrder: leafOrder))
      }
      return categories.withUnsafeBufferPointer { categories in
        CategoryTreeBuilder.build(
          coordinates, categories: categories, leafOrder: leafOrder, ownTrees: ownTrees)
      }
    }
    self.init(
      coordinates.withContiguousStorageIfAvailable(build)
        ?? Array(coordinates).withUnsafeBufferPointer(build))
  }

  /// Builds an index over positions in a file, doing part of the work in a file.
  ///
  /// - Parameters:
  ///   - coordinates: `space` may free them once they have been read.
  ///   - space: The storage of the positions and of the work.
  package init(_ coordinates: UnsafeBufferPointer<Coordinate>, in space: any BuildingSpace) {
    self.init(IndexTrees(KDTreeBuilder.build(coordinates, leafOrder: .spatial, space: space)))
  }

  /// Builds an index off the caller's actor, in several tasks at once.
  ///
  /// The index is the same, byte for byte, as the one built on one thread. With `maximumTasks` nil, the executor decides
  /// how many tasks run at once; a number below 1 counts as 1. `progress` is called now and then with the fraction of the
  /// work done, from 0 to 1, never decreasing.
  ///
  /// - Throws: `CancellationError` if the task is canceled meanwhile, ``IndexLimitError`` if there
  ///   are more than ``IndexFileFormat/mostPositions``, 2³² − 2.
  /// - Precondition: There are as many `categories` as `coordinates`, or none.
  public init(
    building coordinates: [Coordinate], categories: [CategorySet] = [],
    leafOrder: LeafOrder = .spatial, ownTrees: OwnTrees = .rareCategories,
    maximumTasks: Int? = nil, progress: (@Sendable (Double) -> Void)? = nil
  ) async throws {
    try await self.init(
      building: coordinates, categories: categories, leafOrder: leafOrder, ownTrees: ownTrees,
      maximumTasks: maximumTasks, mostPositions: IndexFileFormat.mostPositions,
      progress: progress)
  }

  /// - Parameter mostPositions: The maximum number of positions.
  init(
    building coordinates: [Coordinate], categories: [CategorySet], leafOrder: LeafOrder,
    ownTrees: OwnTrees, maximumTasks: Int?, mostPositions: Int,
    progress: (@Sendable (Double) -> Void)?
  ) async throws {
    guard coordinates.count <= mostPositions else {
      throw IndexLimitError(count: coordinates.count, limit: mostPositions)
    }
    self.init(
      try await CategoryTreeBuilder.build(
        coordinates, categories: categories, leafOrder: leafOrder, ownTrees: ownTrees,
        maximumTasks: maximumTasks, progress: progress))
  }

  /// The layout of positions in the leaves of the tree.
  public enum LeafOrder: Sendable {
    /// Neighbors on the Earth are neighbors in the tree: for an index that is queried often.
    case spatial
    /// Input order: for an index that is queried once.
    ///
    /// The index is built in at most two thirds of the time, but reads more leaves for each answer.
    case asGiven
    /// The order of 64-bit geohashes: a ``GeohashIndex``, which also answers queries about cells.
    case geohash
  }

  /// Makes an index from the builder's result, or from the bytes of a file.
  init(_ trees: IndexTrees) {
    self.trees = trees
    view = trees.view
  }

  /// Runs `body` with the tree of all positions, which stays valid while `body` runs.
  @inline(__always)
  func withTree<Result, Failure: Error>(
    _ body: (TreeView) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withExtendedLifetime(trees) { () throws(Failure) in try body(view) }
  }

  /// Runs `body` with the smallest tree that holds all positions of some categories, and the
  /// categories it must still test.
  ///
  /// These are `.any` if the tree holds nothing else.
  @inline(__always)
  func withTree<Result>(
    of categories: CategorySet, _ body: (TreeView, CategorySet) -> Result
  ) -> Result {
    // One object keeps everything alive; separate ones would each count references, atomically.
    withExtendedLifetime(trees) {
      var categories = categories
      let tree = trees.narrowest(&categories)
      return body(tree.pointee, categories)
    }
  }
}

extension PositionIndex {
  /// The total number of bytes the index takes.
  public var byteCount: Int { packed.trees.all.reduce(0) { $0 + $1.memory.bytes.count } }
}

extension KDTreeIndex {
  /// Builds an index over a part of a larger whole, whose answers use the whole's offsets.
  ///
  /// - Parameters:
  ///   - coordinates: The part's coordinates, in the order of the whole.
  ///   - positions: Their offsets in the whole, ascending.
  ///   - categories: One set for each position of the part, or none at all.
  /// - Precondition: There are as many `positions` as `coordinates`.
  /// - Complexity: That of building any index of this size.
  package init(
    part coordinates: [Coordinate], positions: [UInt32], categories: [CategorySet] = []
  ) {
    precondition(
      positions.count == coordinates.count,
      "\(positions.count) names for \(coordinates.count) positions")
    let built = coordinates.withUnsafeBufferPointer { coordinates in
      categories.withUnsafeBufferPointer { categories in
        CategoryTreeBuilder.build(
          coordinates, categories: categories, leafOrder: .spatial, ownTrees: .noCategory)
      }
    }
    built.whole.replacePositions(with: positions)
    self.init(built)
  }
}

// MARK: - Its trees

/// The trees of an index: that of all positions, and those that some categories have.
///
/// A category's tree is packed like that of all positions, without categories. Its leaves name positions
/// of the whole index, so no answer depends on the tree it came from.
final class IndexTrees: @unchecked Sendable {
  /// The tree of all positions.
  let whole: BuiltTree
  /// The number of positions in each category.
  var counts: CategoryCounts { counted ?? CategoryCounts() }
  /// The same; nil where no position has a category.
  private let counted: CategoryCounts?
  /// The categories that have trees of their own.
  let owners: CategorySet
  /// The trees of those categories, ascending by category.
  let ofCategories: [BuiltTree]
  /// The checksums of the file that contains the trees; nil for the index's own memory.
  let checks: PageChecks?
  /// The categories that some position belongs to, and those that every position belongs to.
  private let held, common: CategorySet
  /// Views of the tree of all positions, and then of the others; written once, here.
  private let views: UnsafeMutablePointer<TreeView>

  /// - Parameters:
  ///   - isTrusted: Whether all trees are known to name only positions of the index.
  ///   - level: The instruction set to search them with.
  init(
    _ whole: BuiltTree, counts: CategoryCounts? = nil, owners: CategorySet = [],
    ofCategories: [BuiltTree] = [], checks: PageChecks? = nil, isTrusted: Bool = true,
    level: VectorLevel = .greatest
  ) {
    self.whole = whole
    counted = counts
    self.owners = owners
    self.ofCategories = ofCategories
    self.checks = checks
    held = counts?.held ?? []
    common = counts?.categories { $0 == whole.shape.count } ?? []
    views = .allocate(capacity: 1 + ofCategories.count)
    for number in 0...ofCategories.count {
      let tree = number == 0 ? whole : ofCategories[number - 1]
      (views + number).initialize(
        to: TreeView(
          tree, checks: checks, greatestPosition: isTrusted ? nil : whole.shape.count - 1,
          level: level))
    }
  }

  deinit {
    // Views are plain values, so nothing needs deinitializing.
    views.deallocate()
  }

  /// All trees in file order: that of all positions, and those of categories.
  var all: [BuiltTree] { [whole] + ofCategories }

  /// The view of the tree of all positions; valid as long as this object lives.
  var view: TreeView { views.pointee }

  /// The smallest tree with all positions of some categories; valid as long as this object lives.
  ///
  /// - Parameter categories: Afterwards the categories still to be tested on the walk.
  @inline(__always)
  func narrowest(_ categories: inout CategorySet) -> UnsafePointer<TreeView> {
    guard categories != .any else { return UnsafePointer(views) }
    categories.formIntersection(held)
    let bits = categories.rawValue
    var number = 0
    if !categories.isDisjoint(with: common) {
      categories = .any
    } else if bits & (bits &- 1) == 0, bits & owners.rawValue != 0 {
      // A single category that has its own tree.
      number = 1 &+ (owners.rawValue & (bits &- 1)).nonzeroBitCount
      categories = .any
    }
    return UnsafePointer(views + number)
  }

  /// The views of the category trees, with their categories.
  var ownViews: [(category: CategorySet, view: TreeView)] {
    guard !owners.isEmpty else { return [] }
    return owners.numbers.enumerated().map { number, category in
      (CategorySet(category: category), views[1 + number])
    }
  }
}

// MARK: - Categories

/// A set of up to 64 categories of positions, by which a search skips whole branches of the tree.
public struct CategorySet: OptionSet, Hashable, Sendable {
  /// One bit for each category.
  public let rawValue: UInt64

  /// Stores the bits unchanged.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The set of one category, numbered from 0.
  ///
  /// - Precondition: `number` is in 0…63.
  public init(category number: Int) {
    precondition((0..<64).contains(number), "category \(number) is outside 0…63")
    rawValue = 1 << UInt64(number)
  }

  /// All 64 categories; in a search this means any position, including those without a category.
  public static let any = CategorySet(rawValue: .max)
}
