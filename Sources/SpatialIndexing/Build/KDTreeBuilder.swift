import Geodesy

/// A tree as it comes from the builder: its bytes, and what is needed to read them.
struct BuiltTree: Sendable {
  let memory: TreeMemory
  let shape: TreeShape
  let encoding: LeafEncoding
  let categoryEncoding: CategoryEncoding

  /// How many bytes of the memory the tree takes.
  var byteCount: Int {
    TreeSections(shape: shape, leaves: encoding, categories: categoryEncoding).byteCount
  }
}

/// Packs positions into the memory of a `KDTreeIndex`.
///
/// Each range of positions is split at the median of its longer side on the ground, at a multiple
/// of the leaf's capacity, until a leaf is left. The left part always takes a power of two of
/// leaves, so that sixteen neighbors in the order of the leaves form one node, with no pointer
/// anywhere. The bytes follow from the positions, not from how many tasks made them.
enum KDTreeBuilder {
  /// Builds a tree on the caller's thread.
  ///
  /// - Parameters:
  ///   - coordinates: In the order in which ties are to be broken.
  ///   - categories: One set for each position, or none at all.
  ///   - leafOrder: How positions are laid out.
  ///   - mayBeDecimal: Whether leaves may hold integers where coordinates allow it.
  ///   - space: Where what does not fit into memory is; nil for all in memory.
  /// - Precondition: At most 2³² − 2 positions, and as many `categories`, or none.
  /// - Complexity: O(*n* log *n*) time. While it runs it takes 12 bytes a position beside the tree,
  ///   24 where the leaves hold doubles; 1 more for coded categories, some 2 more from two million
  ///   positions on.
  static func build(
    _ coordinates: UnsafeBufferPointer<Coordinate>, categories: UnsafeBufferPointer<CategorySet>,
    leafOrder: KDTreeIndex.LeafOrder, mayBeDecimal: Bool = true, space: (any BuildingSpace)? = nil
  ) -> BuiltTree {
    let input = TreeInput(coordinates: coordinates, categories: categories)
    let construction = TreeConstruction(
      count: coordinates.count, categoryCount: categories.count, leafOrder: leafOrder,
      pieceCount: 1, mayBeCancelled: false, mayBeDecimal: mayBeDecimal, space: space)
    while construction.beginPhase() {
      while let piece = construction.nextPiece() {
        construction.take(construction.run(piece, input))
      }
    }
    return construction.finished()
  }

  /// Builds a tree in several tasks; its bytes are those of the build on one thread.
  ///
  /// - Parameters:
  ///   - coordinates: In the order in which ties are to be broken.
  ///   - categories: One set for each position, or none at all.
  ///   - leafOrder: How positions are laid out.
  ///   - maximumTasks: How many tasks may run at once; nil leaves that to the executor.
  ///   - mayBeDecimal: Whether leaves may hold integers where coordinates allow it.
  ///   - progress: Told now and then which share of the work is done, from 0 to 1, never less than
  ///     before. Called from this task alone.
  /// - Throws: `CancellationError` if the task was canceled; looked at between pieces of some ten
  ///   thousand positions.
  /// - Precondition: At most 2³² − 2 positions, and as many `categories`, or none.
  @concurrent
  static func build(
    _ coordinates: [Coordinate], categories: [CategorySet], leafOrder: KDTreeIndex.LeafOrder,
    maximumTasks: Int? = nil, mayBeDecimal: Bool = true,
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(CancellationError) -> BuiltTree {
    precondition(maximumTasks ?? 1 > 0, "\(maximumTasks ?? 1) tasks build nothing")
    let construction = TreeConstruction(
      count: coordinates.count, categoryCount: categories.count, leafOrder: leafOrder,
      pieceCount: 32, mayBeCancelled: true, mayBeDecimal: mayBeDecimal)
    progress?(0)
    while construction.beginPhase() {
      await withTaskGroup(of: TreeConstruction.Outcome.self) { group in
        var running = 0
        while true {
          while running < maximumTasks ?? .max, !Task.isCancelled,
            let piece = construction.nextPiece()
          {
            running += 1
            group.addTask {
              coordinates.withUnsafeBufferPointer { coordinates in
                categories.withUnsafeBufferPointer { categories in
                  construction.run(
                    piece, TreeInput(coordinates: coordinates, categories: categories))
                }
              }
            }
          }
          guard let outcome = await group.next() else { break }
          running -= 1
          construction.take(outcome)
          progress?(construction.progress)
        }
      }
      if Task.isCancelled { throw CancellationError() }
    }
    progress?(1)
    return construction.finished()
  }

  /// The greatest float that is not above a value.
  static func roundedDown(_ value: Double) -> Float {
    let float = Float(value)
    return Double(float) > value ? float.nextDown : float
  }

  /// The least float that is not below a value.
  static func roundedUp(_ value: Double) -> Float {
    let float = Float(value)
    return Double(float) < value ? float.nextUp : float
  }
}
