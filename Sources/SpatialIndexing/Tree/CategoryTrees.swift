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
