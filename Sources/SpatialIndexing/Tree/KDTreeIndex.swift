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
      categories.withUnsafeBufferPointer { categories in
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
    self.init(
      CategoryTreeBuilder.build(
        coordinates, categories: UnsafeBufferPointer(start: nil, count: 0), leafOrder: .spatial,
        ownTrees: .rareCategories, space: space))
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

// Queries that return only positions, at full speed: once the buffer is warm nothing is allocated,
// nothing is measured needlessly, and nothing is counted. If the answer lies across ±180°, around a
// pole or farther than 400 km, the walk that covers the whole Earth finds it, with a few allocations
// and in about ten times the time, however far away it is.

extension KDTreeIndex {
  /// Finds the positions nearest to an origin, nearest first, without measuring their distances.
  ///
  /// The order is that of `nearest(_:to:)`: by geodesic on WGS 84, ties by offset.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of positions to find.
  ///   - origin: Where distances are measured from.
  ///   - categories: Positions must belong to one of these.
  ///   - buffer: Receives the answer.
  /// - Precondition: `limit >= 0`.
  /// - Complexity: O(*k* log *n*) expected.
  public func findNearest(
    _ limit: Int, to origin: Coordinate, categories: CategorySet = .any,
    into buffer: inout QueryBuffer
  ) {
    precondition(limit >= 0, "cannot find \(limit) positions")
    // A few go straight into the buffer.
    let outcome = withTree(of: categories) { tree, categories in
      let limit = min(limit, tree.shape.count)
      guard FewSearch.canAnswer(limit, categories, in: tree) else { return NEARBY_LOST }
      let memory = buffer.scratch.bytes(FewSearch.byteCount)
      let search = FewSearch(
        tree: tree, origin: origin, limit: limit, categories: categories, memory: memory)
      let outcome = search.answer(into: buffer.begin(limit))
      if outcome == NEARBY_FOUND { buffer.found.count = limit }
      return outcome
    }
    if outcome != NEARBY_FOUND {
      find(
        limit, origin, categories, isMeasured: false, &buffer, mayBeFew: false,
        isBeyond: outcome == NEARBY_BEYOND)
    }
  }

  /// Finds the positions nearest to an origin, nearest first, and their distances.
  ///
  /// This is the answer of `nearest(_:to:)` without its explanations, with the distances in `buffer.distances`.
  ///
  /// - Precondition: `limit >= 0`.
  /// - Complexity: O(*k* log *n*) expected; 10 ns more per position than `findNearest` up to 100
  ///   km, 0.4 µs beyond.
  public func measureNearest(
    _ limit: Int, to origin: Coordinate, categories: CategorySet = .any,
    into buffer: inout QueryBuffer
  ) {
    precondition(limit >= 0, "cannot find \(limit) positions")
    find(limit, origin, categories, isMeasured: true, &buffer)
  }

  /// Finds positions by the slower, more general searches.
  ///
  /// - Parameters:
  ///   - mayBeFew: False if a search for a few is known to fail.
  ///   - isBeyond: Whether flat squared chords are known not to reach that far.
  @inline(never)
  func find(
    _ limit: Int, _ origin: Coordinate, _ categories: CategorySet, isMeasured: Bool,
    _ buffer: inout QueryBuffer, mayBeFew: Bool = true, isBeyond: Bool = false
  ) {
    withTree(of: categories) { tree, categories in
      let limit = min(limit, tree.shape.count)
      let positions = buffer.begin(limit)
      guard limit > 0 else { return }
      var search = LocalSearch(
        tree: tree, origin: origin, limit: limit, categories: categories, mayBeFew: mayBeFew)
      if !isBeyond, let ranking = search.run(isMeasured: isMeasured, &buffer.scratch) {
        ranking.write(limit, to: positions)
        buffer.found.count = limit
        guard isMeasured else { return }
        for rank in 0..<limit { buffer.distances.append(ranking.distance(rank: rank)) }
        return
      }
      var walk = GroundWalk(PackedTree(tree, categories: categories), origin: origin, limit: limit)
      guard isMeasured else {
        for slot in walk.runInOrder() { buffer.found.append(tree.position(slot)) }
        return
      }
      for neighbor in tree.measuredNeighbors(of: walk.run(), from: origin).0.prefix(limit) {
        buffer.found.append(UInt32(truncatingIfNeeded: neighbor.offset))
        buffer.distances.append(neighbor.distance.meters)
      }
    }
  }

  /// Finds the positions in a box, in no particular order.
  ///
  /// Edges are included, and 180° and −180° are one meridian, as in `BoundingBox.contains`.
  ///
  /// - Complexity: O(√*n* + *r*) expected for *r* results; positions in nodes inside the box are
  ///   copied unread.
  public func find(
    in box: BoundingBox, categories: CategorySet = .any, into buffer: inout QueryBuffer
  ) {
    buffer.begin(64)
    withTree(of: categories) { tree, categories in
      guard tree.shape.count > 0, tree.canTell(categories) else { return }
      forEachSpan(of: box, tree: tree, categories: categories) { $0.find(into: &buffer.found) }
    }
  }

  /// Finds the positions within a distance (inclusive), in no particular order.
  ///
  /// - Complexity: O(√*n* + *r*) expected for *r* results; geodesics are computed only where chords
  ///   cannot decide.
  public func find(
    within radius: Distance, of origin: Coordinate, categories: CategorySet = .any,
    into buffer: inout QueryBuffer
  ) {
    buffer.begin(64)
    guard radius >= .zero else { return }
    let isDone = withTree(of: categories) { tree, categories in
      guard tree.shape.count > 0, tree.canTell(categories) else { return true }
      guard
        let search = CircleSearch(
          tree: tree, origin: origin, radius: radius, categories: categories)
      else { return false }
      search.find(into: &buffer.found)
      return true
    }
    guard !isDone else { return }
    for neighbor in neighbors(within: radius, of: origin, categories: categories) {
      buffer.found.reserve(1)
      buffer.found.append(UInt32(truncatingIfNeeded: neighbor.offset))
    }
  }
}
