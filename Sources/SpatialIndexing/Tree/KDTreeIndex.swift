import Geodesy

/// An immutable index over positions that answers exactly on WGS 84: k nearest, radius, ring, box
/// and polygon, at the poles and across the antimeridian as anywhere else.
///
/// Answers are those of brute force with the geodesic, in the same order, by (distance, position); so
/// give the positions in the order in which ties should come out. Distances are right to 20 nm.
///
///     let index = KDTreeIndex(cinemas.map(\.coordinate))
///     let three = index.nearest(3, to: cityHall)
///     print(three.neighbors[0].position, three.neighbors[0].distance.meters)
///
/// The tree is packed and holds no pointers: positions in k-d order in leaves of 16, and over
/// them complete groups of 16 nodes, level by level. A query allocates its answer and little else.
/// Any number of threads may query one index at once.
///
/// - Complexity: O(*n* log *n*) to build; 13.1 bytes a position when all coordinates are multiples
///   of 10⁻⁷ degrees, 21.1 otherwise; with categories 1.5 more, and what ``OwnTrees`` says.
public struct KDTreeIndex: Sendable {
  /// The bytes of the tree, laid out as `TreeSections` says.
  let memory: TreeMemory
  /// Where in those bytes everything stands.
  private let view: TreeView
  /// The checksums of the file that the bytes lie in; nil for bytes of our own.
  let checks: PageChecks?
  /// How many positions belong to each category, and the trees of some.
  let categoryTrees: CategoryTrees

  /// How many positions the index holds.
  public var count: Int { view.shape.count }

  /// How many bytes the index keeps, all it holds included.
  public var byteCount: Int { memory.bytes.count + categoryTrees.byteCount }

  var shape: TreeShape { view.shape }

  /// Builds an index over positions.
  ///
  /// - Parameters:
  ///   - coordinates: In the order in which ties are to be broken.
  ///   - categories: For each position the categories it belongs to, so that a search for some of
  ///     them passes over branches that hold none; empty where positions belong to none at all.
  ///   - leafOrder: How positions are laid out; no answer depends on it.
  ///   - ownTrees: Which categories get a tree of their own; no answer depends on it.
  /// - Precondition: There are as many `categories` as `coordinates`, or none; at most
  ///   ``IndexFileFormat/mostPositions``, 2³² − 2.
  /// - Complexity: O(*n* log *n*) time, some 0.3 µs a position, O(*n*) as given; 100 bytes a
  ///   position while it runs. Positions in trees of categories count once more for each.
  public init(
    _ coordinates: some Collection<Coordinate>, categories: [CategorySet] = [],
    leafOrder: LeafOrder = .spatial, ownTrees: OwnTrees = .rareCategories
  ) {
    precondition(
      categories.isEmpty || categories.count == coordinates.count,
      "\(categories.count) categories for \(coordinates.count) positions")
    func build(_ coordinates: UnsafeBufferPointer<Coordinate>) -> BuiltIndex {
      categories.withUnsafeBufferPointer { categories in
        CategoryTreeBuilder.build(
          coordinates, categories: categories, leafOrder: leafOrder, ownTrees: ownTrees)
      }
    }
    self.init(
      coordinates.withContiguousStorageIfAvailable(build)
        ?? Array(coordinates).withUnsafeBufferPointer(build))
  }

  /// Builds an index over positions that lie in a file, and with a part of its work there.
  ///
  /// - Parameters:
  ///   - coordinates: `space` may free them once they have been read.
  ///   - space: Where they lie.
  package init(_ coordinates: UnsafeBufferPointer<Coordinate>, in space: any BuildingSpace) {
    self.init(
      CategoryTreeBuilder.build(
        coordinates, categories: UnsafeBufferPointer(start: nil, count: 0), leafOrder: .spatial,
        ownTrees: .rareCategories, space: space))
  }

  /// Builds an index off the caller's actor, in several tasks at once.
  ///
  /// The index is the same, byte for byte, as the one built on one thread.
  ///
  /// - Parameters:
  ///   - coordinates: In the order in which ties are to be broken.
  ///   - categories: For each position the categories it belongs to, or empty.
  ///   - leafOrder: How positions are laid out; no answer depends on it.
  ///   - ownTrees: Which categories get a tree of their own; no answer depends on it.
  ///   - maximumTasks: How many tasks may run at once; nil leaves that to the executor.
  ///   - progress: Told now and then which share of the work is done, from 0 to 1, never less than
  ///     before.
  /// - Throws: `CancellationError` when the task is canceled meanwhile, ``IndexLimitError`` where
  ///   there are more than ``IndexFileFormat/mostPositions``, 2³² − 2.
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

  /// - Parameter mostPositions: How many positions there may be.
  init(
    building coordinates: [Coordinate], categories: [CategorySet], leafOrder: LeafOrder,
    ownTrees: OwnTrees, maximumTasks: Int?, mostPositions: Int,
    progress: (@Sendable (Double) -> Void)?
  ) async throws {
    guard coordinates.count <= mostPositions else {
      throw IndexLimitError(count: coordinates.count, limit: mostPositions)
    }
    precondition(
      categories.isEmpty || categories.count == coordinates.count,
      "\(categories.count) categories for \(coordinates.count) positions")
    self.init(
      try await CategoryTreeBuilder.build(
        coordinates, categories: categories, leafOrder: leafOrder, ownTrees: ownTrees,
        maximumTasks: maximumTasks, progress: progress))
  }

  /// How positions are laid out in the leaves of the tree.
  public enum LeafOrder: Sendable {
    /// What is near lies near: for an index that is asked often.
    case spatial
    /// As they come: for an index that is asked once.
    ///
    /// It is built in two thirds of the time or less, and reads more leaves for each answer.
    case asGiven
    /// By their geohashes of 64 bits: a ``GeohashIndex``, which knows cells as well.
    case geohash
  }

  /// An index out of the builder, or in the bytes of a file.
  ///
  /// - Parameters:
  ///   - checks: Of the file's pages; nil for memory of our own.
  ///   - isTrusted: Whether every byte is known to be right.
  init(_ built: BuiltIndex, checks: PageChecks? = nil, isTrusted: Bool = true) {
    let tree = built.whole
    memory = tree.memory
    view = TreeView(
      bytes: memory.bytes.baseAddress.unsafelyUnwrapped, shape: tree.shape,
      encoding: tree.encoding, categoryEncoding: tree.categoryEncoding, checks: checks,
      isTrusted: isTrusted)
    self.checks = checks
    categoryTrees = built.categories
  }

  /// Runs `body` over the tree of all positions, which stays as long as `body` runs.
  @inline(__always)
  func withTree<Result>(_ body: (TreeView) -> Result) -> Result {
    withExtendedLifetime(categoryTrees) { body(view) }
  }

  /// Runs `body` over the smallest tree that holds all positions of some categories, with those
  /// categories that it must still look at: `.any` where the tree holds nothing else.
  @inline(__always)
  func withTree<Result>(
    of categories: CategorySet, _ body: (TreeView, CategorySet) -> Result
  ) -> Result {
    // One object keeps all; keeping each for itself would count references once more and atomically.
    withExtendedLifetime(categoryTrees) {
      var categories = categories
      let tree = categoryTrees.narrowest(&categories)
      return body(tree.pointee, categories)
    }
  }
}
