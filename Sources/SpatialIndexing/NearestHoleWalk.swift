import Geodesy

/// One walk down the tree for the farthest position within a radius: the first that could come out
/// of a ring's hole.
///
/// Its mirror image is `NearestWalk`; here the node that reaches farthest is visited first.
struct NearestHoleWalk {
  private let tree: TreeView
  private let origin: NearestOrigin
  private let radius: Double
  private let categories: CategorySet
  private let isIncluded: (Int) -> Bool

  /// The chords that could belong to the radius itself.
  private let shell: ClosedRange<Double>
  /// The distance of the farthest position so far.
  private var farthest: Double?
  /// Positions with a chord below this cannot be farther.
  private var squaredFloor = 0.0

  private(set) var statistics = SearchStatistics()

  init(
    tree: TreeView, origin: Coordinate, radius: Distance, categories: CategorySet,
    isIncluded: @escaping (Int) -> Bool
  ) {
    self.tree = tree
    self.origin = NearestOrigin(origin)
    self.radius = radius.meters
    self.categories = categories
    self.isIncluded = isIncluded
    shell = NearestOrigin.shell(around: radius.meters)
  }

  mutating func run() -> Distance? {
    guard tree.shape.count > 0 else { return nil }
    visit(group: 0, level: tree.shape.firstLevel)
    return farthest.map { .meters($0) }
  }

  /// Visits sixteen siblings, the farthest-reaching first, while they can hold an answer.
  private mutating func visit(group: Int, level: Int) {
    statistics.nodeGroupsTested += 1
    let siblings = tree.group(level: level, group)
    let least = origin.leastSquaredChords(to: siblings)
    var bounds = origin.greatestSquaredChords(to: siblings)
    // What lies outside the radius as a whole, and lanes without a node.
    let limit = KDTreeBuilder.roundedUp(shell.upperBound)
    bounds.replace(with: -1, where: least .> limit .| least .== .infinity)
    while true {
      let farthest = bounds.greatestLane
      guard farthest >= 0, Double(farthest) >= squaredFloor else { return }
      let lane = bounds.firstLane(of: farthest)
      bounds[lane] = -1
      let node = group << 4 + lane
      guard tree.node(node, level: level, holds: categories) else { continue }
      if level == 0 { read(leaf: node) } else { visit(group: node, level: level - 1) }
    }
  }

  private mutating func read(leaf: Int) {
    statistics.leavesRead += 1
    for slot in tree.slots(below: leaf, level: 0) {
      let squaredChord = tree.squaredChord(from: origin, toSlot: slot)
      guard squaredChord <= shell.upperBound, squaredChord >= squaredFloor,
        tree.slot(slot, isIn: categories)
      else { continue }
      statistics.candidates += 1
      consider(slot)
    }
  }

  private mutating func consider(_ slot: Int) {
    statistics.geodesics += 1
    let meters = tree.geodesic(from: origin.coordinate, toSlot: slot)
    guard meters <= radius, farthest.map({ $0 < meters }) ?? true else { return }
    statistics.predicateCalls += 1
    guard isIncluded(Int(tree.position(slot))) else {
      statistics.predicateRejections += 1
      return
    }
    farthest = meters
    squaredFloor = NearestOrigin.shell(around: meters).lowerBound
  }
}
