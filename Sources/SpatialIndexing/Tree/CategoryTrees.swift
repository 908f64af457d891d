/// The category data of an index: the number of positions in each, and the trees that some
/// categories have.
///
/// Such a tree is packed like that of all positions, without categories. Its leaves name positions
/// of the whole index, so no answer depends on the tree it came from.
final class CategoryTrees: @unchecked Sendable {
  let counts: CategoryCounts
  /// The categories that have trees of their own.
  let owners: CategorySet
  /// The trees of those categories, ascending by category.
  let trees: [BuiltTree]
  /// The categories that some position belongs to, and those that every position belongs to.
  private let held, common: CategorySet
  /// Views of the tree of all positions, and then of the others; written once, here.
  private let views: UnsafeMutablePointer<TreeView>
  /// Kept here as well, so that keeping this object alive keeps everything its views point at.
  private let memory: TreeMemory
  private let checks: PageChecks?

  /// - Parameters:
  ///   - whole: The tree of all positions.
  ///   - checks: The checks of the file that contains the trees; nil for the index's own memory.
  ///   - isTrusted: Whether all trees are known to name only positions of the index.
  init(
    counts: CategoryCounts, owners: CategorySet, trees: [BuiltTree], whole: BuiltTree,
    checks: PageChecks? = nil, isTrusted: Bool = true
  ) {
    self.counts = counts
    self.owners = owners
    self.trees = trees
    memory = whole.memory
    self.checks = checks
    held = counts.held
    common = counts.categories { $0 == whole.shape.count }
    views = .allocate(capacity: 1 + trees.count)
    for number in 0...trees.count {
      let tree = number == 0 ? whole : trees[number - 1]
      (views + number).initialize(
        to: TreeView(
          bytes: tree.memory.bytes.baseAddress.unsafelyUnwrapped, shape: tree.shape,
          encoding: tree.encoding, categoryEncoding: tree.categoryEncoding, checks: checks,
          isTrusted: isTrusted, positionCount: whole.shape.count))
    }
  }

  deinit {
    // Views are plain values, so nothing needs deinitializing.
    views.deallocate()
  }

  /// The number of bytes the trees take.
  var byteCount: Int { trees.reduce(0) { $0 + $1.memory.bytes.count } }

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

/// The number of positions in each of the 64 categories.
struct CategoryCounts: Hashable, Sendable {
  /// Not an array: making the first array of an element type takes a program longer than opening an
  /// index file.
  private(set) var numbers: SIMD64<UInt32>

  static let categoryCount = 64

  /// Takes counts from a file; by default all are 0.
  init(numbers: SIMD64<UInt32> = .zero) {
    self.numbers = numbers
  }

  /// Counts the categories of some sets.
  ///
  /// - Complexity: O(sets), plus one addition for each category in a set.
  init(_ sets: some Sequence<CategorySet>) {
    self.init()
    withUnsafeMutableBytes(of: &numbers) { memory in
      let numbers = memory.assumingMemoryBound(to: UInt32.self)
      for set in sets {
        set.rawValue.forEachBit { numbers[$0] &+= 1 }
      }
    }
  }

  subscript(category: Int) -> Int { Int(numbers[category]) }

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

extension CategorySet {
  /// The numbers of the categories, in ascending order.
  var numbers: [Int] {
    (0..<CategoryCounts.categoryCount).filter { rawValue >> UInt64($0) & 1 == 1 }
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
        var room =
          TreeSections(
            shape: TreeShape(count: positionCount, isInGeohashOrder: leafOrder == .geohash),
            leaves: .decimal, categories: .coded
          ).byteCount / 16
        var chosen: CategorySet = []
        for category in possible.numbers.sorted(by: { (counts[$0], $0) < (counts[$1], $1) }) {
          room -=
            TreeSections(
              shape: TreeShape(
                count: counts[category], isInGeohashOrder: leafOrder == .geohash), leaves: .decimal,
              categories: .none
            ).byteCount
          guard room >= 0 else { break }
          chosen.insert(CategorySet(category: category))
        }
        return chosen
      }
    }
  }
}
