import CKernels
import Geodesy

/// One walk down a tree for the farthest position within a radius: the first that could come out
/// of a ring's hole.
///
/// Its mirror image is `GroundWalk`; here the node that reaches farthest is visited first.
struct NearestHoleWalk<Tree: WalkedTree> {
  private let tree: Tree
  private let metric: GroundMetric
  private let radius: Double
  /// The distance of the farthest position so far; negative while there is none.
  private var farthest = -1.0

  private(set) var statistics = SearchStatistics()

  init(_ tree: Tree, origin: Coordinate, radius: Distance) {
    self.tree = tree
    metric = GroundMetric(origin)
    self.radius = radius.meters
  }

  mutating func run() -> Distance? {
    visit(tree.root)
    return farthest >= 0 ? .meters(farthest) : nil
  }

  /// Visits sixteen siblings, the farthest-reaching first, while they can hold an answer.
  private mutating func visit(_ block: Tree.Block) {
    statistics.nodeGroupsTested += 1
    let group = tree.lanes(block)
    var siblings = nearby_bounds()
    metric.bound(nodes: group, reach: .infinity, &siblings)
    var lanes = (0..<TreeShape.fanOut).filter { siblings.least($0) <= radius }
    for lane in lanes where siblings.isVague(lane) {
      statistics.geodesics += 1
      metric.sharpen(lane, of: group, &siblings)
    }
    lanes.sort { siblings.greatest($0) > siblings.greatest($1) }
    for lane in lanes
    where siblings.least(lane) <= radius && siblings.greatest(lane) > farthest
      && tree.mayCount(block, lane)
    {
      let child = tree.child(block, lane)
      if tree.isLeaf(child) { read(child) } else { visit(child) }
    }
  }

  private mutating func read(_ leaf: Tree.Block) {
    statistics.leavesRead += 1
    var positions = nearby_bounds()
    metric.bound(positions: tree.lanes(leaf), isDecimal: tree.isDecimal, &positions)
    let counting = tree.counting(leaf)
    for lane in 0..<TreeShape.fanOut
    where counting >> UInt32(lane) & 1 != 0 && positions.least(lane) <= radius
      && positions.greatest(lane) > farthest
    {
      let candidate = tree.candidate(leaf, lane)
      statistics.candidates += 1
      statistics.geodesics += 1
      let meters = metric.geodesic(
        latitude: tree.latitude(candidate), longitude: tree.longitude(candidate))
      guard meters <= radius, meters > farthest, tree.includes(candidate) else {
        continue
      }
      farthest = meters
    }
  }
}
