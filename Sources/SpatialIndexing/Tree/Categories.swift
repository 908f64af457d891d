import CNearbyKernels
import Geodesy

extension CategorySet {
  /// The numbers of the categories, in ascending order.
  var numbers: [Int] {
    (0..<CategoryCounts.categoryCount).filter { rawValue >> UInt64($0) & 1 == 1 }
  }
}

// MARK: - Building trees

extension KDTreeIndex {
  /// The categories that have a tree of their own besides that of all positions.
  ///
  /// A query for one such category walks its tree, and costs no more than a query for all positions;
  /// every other query walks the tree of all positions and skips unwanted ones. No answer depends on
  /// it.
  ///
  /// The memory stated is for up to 256 different sets of categories; with more sets it is 7 bytes
  /// more.
  public enum OwnTrees: Sendable {
    /// The rarest categories, as many as fit in a sixteenth of the bytes of the tree of all
    /// positions.
    ///
    /// They cover about 7 % of the positions. An index with categories then takes at most 15.6
    /// bytes per position if coordinates are multiples of 10⁻⁷ degrees, 24.1 otherwise.
    ///
    /// None if positions are laid out as given, because such an index is queried once.
    case rareCategories
    /// Every category. For positions with one category each: 27.7 bytes per position if coordinates
    /// are multiples of 10⁻⁷ degrees, 43.7 otherwise.
    case everyCategory
    /// No category: 14.6 bytes per position if coordinates are multiples of 10⁻⁷ degrees, 22.6
    /// otherwise.
    case noCategory

    /// The categories that get a tree, never including one that all positions belong to.
    ///
    /// Sizes are computed as if coordinates were multiples of 10⁻⁷ degrees; doubles enlarge all
    /// trees alike.
    func categories(
      of counts: CategoryCounts, positionCount: Int, leafOrder: LeafOrder
    ) -> CategorySet {
      let possible = counts.categories { $0 > 0 && $0 < positionCount }
      switch self {
      case .noCategory: return []
      case .everyCategory: return possible
      case .rareCategories where leafOrder == .asGiven: return []
      case .rareCategories:
        func byteCount(_ count: Int, _ categories: CategoryEncoding) -> Int {
          let shape = TreeShape(count: count, isInGeohashOrder: leafOrder == .geohash)
          return TreeSections(shape: shape, leaves: .decimal, categories: categories).byteCount
        }
        var room = byteCount(positionCount, .coded) / 16
        var chosen: CategorySet = []
        for category in possible.numbers.sorted(by: { (counts[$0], $0) < (counts[$1], $1) }) {
          room -= byteCount(counts[category], .none)
          guard room >= 0 else { break }
          chosen.insert(CategorySet(category: category))
        }
        return chosen
      }
    }
  }
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
    leafOrder: KDTreeIndex.LeafOrder, ownTrees: KDTreeIndex.OwnTrees
  ) -> IndexTrees {
    let whole = KDTreeBuilder.build(coordinates, categories: categories, leafOrder: leafOrder)
    let plan = CategoryTreePlan(categories, leafOrder: leafOrder, ownTrees: ownTrees)
    var trees: [BuiltTree] = []
    for members in plan.members(categories) {
      let places = members.map { coordinates[Int($0)] }
      let tree = places.withUnsafeBufferPointer {
        KDTreeBuilder.build(
          $0, leafOrder: leafOrder, mayBeDecimal: whole.encoding == .decimal)
      }
      tree.replacePositions(with: members)
      trees.append(tree)
    }
    return IndexTrees(whole, counts: plan.counts, owners: plan.owners, ofCategories: trees)
  }

  /// Builds an index in several tasks, byte for byte the same as the build on one thread.
  ///
  /// - Throws: `CancellationError` if the task was canceled.
  @concurrent
  static func build(
    _ coordinates: [Coordinate], categories: [CategorySet], leafOrder: KDTreeIndex.LeafOrder,
    ownTrees: KDTreeIndex.OwnTrees, maximumTasks: Int?, progress: (@Sendable (Double) -> Void)?
  ) async throws(CancellationError) -> IndexTrees {
    let plan = categories.withUnsafeBufferPointer {
      CategoryTreePlan($0, leafOrder: leafOrder, ownTrees: ownTrees)
    }
    let total = Double(
      plan.owners.numbers.reduce(coordinates.count) { $0 + plan.counts[$1] })
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
    return IndexTrees(whole, counts: plan.counts, owners: plan.owners, ofCategories: trees)
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
      (categories[position].rawValue & owners.rawValue).forEachBit { category in
        let below = owners.rawValue & (1 &<< UInt64(truncatingIfNeeded: category) &- 1)
        members[below.nonzeroBitCount].append(UInt32(truncatingIfNeeded: position))
      }
    }
    return members
  }
}

extension BuiltTree {
  /// Replaces each position by the list element at that offset.
  ///
  /// Only for a tree that is not shared yet.
  func replacePositions(with list: [UInt32]) {
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

// MARK: - Counts

/// The number of positions in each of the 64 categories.
struct CategoryCounts: Equatable, Sendable {
  /// Not an array: making the first array of an element type takes a program longer than opening an
  /// index file.
  ///
  /// Nor a vector, which is aligned to 256 bytes: a task's memory is aligned to 16, and
  /// in the frame of an async function the vector was written past the end (Swift 6.3.1).
  private var numbers = nearby_category_counts()

  static let categoryCount = 64

  /// All are 0.
  init() {}

  /// Takes counts from a file.
  init(_ number: (_ category: Int) -> UInt32) {
    change { numbers in
      for category in numbers.indices { numbers[category] = number(category) }
    }
  }

  /// Counts the categories of some sets.
  ///
  /// - Complexity: O(sets), plus one addition for each category in a set.
  init(_ sets: some Sequence<CategorySet>) {
    change { numbers in
      for set in sets {
        set.rawValue.forEachBit { numbers[$0] &+= 1 }
      }
    }
  }

  private mutating func change(_ body: (UnsafeMutableBufferPointer<UInt32>) -> Void) {
    withUnsafeMutableBytes(of: &numbers) { body($0.assumingMemoryBound(to: UInt32.self)) }
  }

  subscript(category: Int) -> Int {
    withUnsafeBytes(of: numbers) { Int($0.assumingMemoryBound(to: UInt32.self)[category]) }
  }

  static func == (left: CategoryCounts, right: CategoryCounts) -> Bool {
    (0..<categoryCount).allSatisfy { left[$0] == right[$0] }
  }

  /// Calls `body` with the number of positions in each of some categories, in ascending order.
  @inline(__always)
  func forEach(of categories: CategorySet, _ body: (Int) -> Void) {
    categories.rawValue.forEachBit { body(self[$0]) }
  }

  /// The categories that some position belongs to.
  var held: CategorySet { categories { $0 > 0 } }

  /// The categories whose count satisfies a condition.
  func categories(where isWanted: (Int) -> Bool) -> CategorySet {
    var bits: UInt64 = 0
    for category in 0..<CategoryCounts.categoryCount where isWanted(self[category]) {
      bits |= 1 << UInt64(category)
    }
    return CategorySet(rawValue: bits)
  }
}

extension FixedWidthInteger {
  /// Calls `body` with the numbers of the bits that are set, in ascending order.
  @inline(__always)
  func forEachBit(_ body: (Int) -> Void) {
    var bits = self
    while bits != 0 {
      body(bits.trailingZeroBitCount)
      bits &= bits &- 1
    }
  }
}

// MARK: - Codes

/// The distinct sets of categories met so far, as long as a byte can tell them apart.
struct DistinctSets: Sendable {
  static let most = 256

  /// False once there are more than 256 sets.
  private(set) var areFew = true
  private(set) var sets: Set<UInt64> = []

  init() {}

  /// The sets of a range.
  init(_ categories: UnsafeBufferPointer<CategorySet>, _ range: Range<Int>) {
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
