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

/// The distinct sets of categories met so far, as long as a byte can tell them apart.
struct DistinctSets: Sendable {
  static let most = 256

  /// False once there are more than 256 sets.
  private(set) var areFew = true
  private(set) var sets: Set<UInt64> = []

  /// Adds the sets of a range.
  mutating func insert(_ categories: UnsafeBufferPointer<CategorySet>, _ range: Range<Int>) {
    // The same few sets repeat often: a small table in front of the set answers nearly always.
    var seen = [UInt64](repeating: 0, count: 256)
    // 0 marks an empty entry of the table.
    var hasEmpty = false
    for position in range {
      let set = categories[position].rawValue
      let place = Int(truncatingIfNeeded: (set &* 0x9E37_79B9_7F4A_7C15) >> 56)
      if seen[place] == set {
        hasEmpty = hasEmpty || set == 0
        continue
      }
      seen[place] = set
      insert(set)
      guard areFew else { return }
    }
    if hasEmpty { insert(0) }
  }

  mutating func formUnion(_ other: DistinctSets) {
    areFew = areFew && other.areFew
    for set in other.sets where areFew { insert(set) }
  }

  private mutating func insert(_ set: UInt64) {
    sets.insert(set)
    if sets.count > DistinctSets.most {
      areFew = false
      sets = []
    }
  }
}

/// A one-byte code for each position that stands for its set of categories.
///
/// Codes ascend with the sets, so they do not depend on the order in which sets were found.
final class CategoryCoding: @unchecked Sendable {
  /// The sets that codes stand for.
  let table: [UInt64]
  /// The code of each position.
  let codes: UnsafeMutablePointer<UInt8>
  /// Open addressing: the offset of each set in `table`, plus 1.
  private let places: [UInt16]

  private static let placeCount = 1_024

  init(_ distinct: DistinctSets, count: Int) {
    table = distinct.sets.sorted()
    codes = .allocate(capacity: max(count, 1))
    var places = [UInt16](repeating: 0, count: CategoryCoding.placeCount)
    for (code, set) in table.enumerated() {
      var place = CategoryCoding.firstPlace(of: set)
      while places[place] != 0 { place = (place + 1) % CategoryCoding.placeCount }
      places[place] = UInt16(code + 1)
    }
    self.places = places
  }

  deinit { codes.deallocate() }

  /// Encodes a range of positions.
  func code(_ categories: UnsafeBufferPointer<CategorySet>, _ range: Range<Int>) {
    places.withUnsafeBufferPointer { places in
      table.withUnsafeBufferPointer { table in
        for position in range {
          let set = categories[position].rawValue
          var place = CategoryCoding.firstPlace(of: set)
          while table[Int(places[place]) &- 1] != set {
            place = (place &+ 1) % CategoryCoding.placeCount
          }
          codes[position] = UInt8(truncatingIfNeeded: places[place] &- 1)
        }
      }
    }
  }

  private static func firstPlace(of set: UInt64) -> Int {
    Int(truncatingIfNeeded: (set &* 0x9E37_79B9_7F4A_7C15) >> 54)
  }
}
