import Geodesy

/// An index as the builder returns it: the tree of all positions, and its category data.
struct BuiltIndex: Sendable {
  let whole: BuiltTree
  let categories: CategoryTrees
}

/// Builds the tree of all positions, and then those of single categories, one after another.
///
/// A category's tree is built the same way from its positions alone, numbered among themselves. Those
/// numbers are replaced at the end; they ascend as the positions do, so no order changes.
enum CategoryTreeBuilder {
  /// Builds an index on the caller's thread.
  ///
  /// - Precondition: As for `KDTreeBuilder.build`.
  /// - Complexity: That of `KDTreeBuilder.build`, once for all positions and once for those of each
  ///   category that gets a tree.
  static func build(
    _ coordinates: UnsafeBufferPointer<Coordinate>, categories: UnsafeBufferPointer<CategorySet>,
    leafOrder: KDTreeIndex.LeafOrder, ownTrees: KDTreeIndex.OwnTrees,
    space: (any BuildingSpace)? = nil
  ) -> BuiltIndex {
    let whole = KDTreeBuilder.build(
      coordinates, categories: categories, leafOrder: leafOrder, space: space)
    let plan = CategoryTreePlan(categories, leafOrder: leafOrder, ownTrees: ownTrees)
    var trees: [BuiltTree] = []
    for members in plan.members(categories) {
      let places = members.map { coordinates[Int($0)] }
      let tree = places.withUnsafeBufferPointer {
        KDTreeBuilder.build(
          $0, categories: UnsafeBufferPointer(start: nil, count: 0), leafOrder: leafOrder,
          mayBeDecimal: whole.encoding == .decimal)
      }
      tree.replacePositions(with: members)
      trees.append(tree)
    }
    return plan.finished(whole, trees)
  }

  /// Builds an index in several tasks, byte for byte the same as the build on one thread.
  ///
  /// - Throws: `CancellationError` if the task was canceled.
  @concurrent
  static func build(
    _ coordinates: [Coordinate], categories: [CategorySet], leafOrder: KDTreeIndex.LeafOrder,
    ownTrees: KDTreeIndex.OwnTrees, maximumTasks: Int?, progress: (@Sendable (Double) -> Void)?
  ) async throws(CancellationError) -> BuiltIndex {
    let plan = categories.withUnsafeBufferPointer {
      CategoryTreePlan($0, leafOrder: leafOrder, ownTrees: ownTrees)
    }
    let total = Double(plan.counts.sum(over: plan.owners) + coordinates.count)
    var done = 0
    /// Maps the progress of one tree to that of the whole build.
    func share(_ count: Int) -> (@Sendable (Double) -> Void)? {
      guard let progress, total > 0 else { return progress }
      let before = done
      return { progress(min(1, (Double(before) + $0 * Double(count)) / total)) }
    }
    let whole = try await KDTreeBuilder.build(
      coordinates, categories: categories, leafOrder: leafOrder, maximumTasks: maximumTasks,
      progress: share(coordinates.count))
    done = coordinates.count
    var trees: [BuiltTree] = []
    for members in categories.withUnsafeBufferPointer({ plan.members($0) }) {
      let places = members.map { coordinates[Int($0)] }
      let tree = try await KDTreeBuilder.build(
        places, categories: [], leafOrder: leafOrder, maximumTasks: maximumTasks,
        mayBeDecimal: whole.encoding == .decimal, progress: share(places.count))
      tree.replacePositions(with: members)
      trees.append(tree)
      done += places.count
    }
    return plan.finished(whole, trees)
  }
}

/// The categories that get trees, and the positions that belong in them.
private struct CategoryTreePlan {
  let counts: CategoryCounts
  let owners: CategorySet

  init(
    _ categories: UnsafeBufferPointer<CategorySet>, leafOrder: KDTreeIndex.LeafOrder,
    ownTrees: KDTreeIndex.OwnTrees
  ) {
    counts = CategoryCounts(categories)
    owners = ownTrees.categories(of: counts, positionCount: categories.count, leafOrder: leafOrder)
  }

  /// The positions of each category that gets a tree, ascending.
  func members(_ categories: UnsafeBufferPointer<CategorySet>) -> [[UInt32]] {
    let numbers = owners.numbers
    guard !numbers.isEmpty else { return [] }
    var members = numbers.map { category in
      var positions: [UInt32] = []
      positions.reserveCapacity(counts[category])
      return positions
    }
    for position in categories.indices {
      var bits = categories[position].rawValue & owners.rawValue
      while bits != 0 {
        let below = owners.rawValue & ((bits & (0 &- bits)) &- 1)
        members[below.nonzeroBitCount].append(UInt32(truncatingIfNeeded: position))
        bits &= bits &- 1
      }
    }
    return members
  }

  func finished(_ whole: BuiltTree, _ trees: [BuiltTree]) -> BuiltIndex {
    BuiltIndex(
      whole: whole,
      categories: CategoryTrees(
        counts: counts, owners: owners, trees: trees, whole: whole))
  }
}

extension CategoryCounts {
  fileprivate func sum(over categories: CategorySet) -> Int {
    categories.numbers.reduce(0) { $0 + self[$1] }
  }
}

extension BuiltTree {
  /// Replaces each position by the list element at that offset.
  ///
  /// Only for a tree that is not shared yet.
  func replacePositions(with list: [UInt32]) {
    let sections = TreeSections(shape: shape, leaves: encoding, categories: categoryEncoding)
    let leaves =
      UnsafeMutableRawPointer(mutating: memory.bytes.baseAddress.unsafelyUnwrapped)
      + sections.leaves
    for slot in 0..<shape.count {
      let place =
        (slot >> 4) * encoding.leafSize + encoding.positionsOffset + (slot & 15) * 4
      let position = leaves.load(fromByteOffset: place, as: UInt32.self)
      leaves.storeBytes(of: list[Int(position)], toByteOffset: place, as: UInt32.self)
    }
  }
}
