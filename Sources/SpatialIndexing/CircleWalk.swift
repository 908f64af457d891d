import CKernels
import Geodesy

/// A walk for everything within a radius that `LocalMetric` can judge.
struct CircleWalk {
  private let tree: TreeView
  private let origin: Coordinate
  private let radius: Double
  private let categories: CategorySet
  private var kernel: nearby_metric

  /// The squared chords that only a geodesic can tell to be inside or outside.
  private let shell: ClosedRange<Double>
  /// Nodes with a greater flat square are outside, those that reach no farther are inside.
  private let outerNode: Float, innerNode: Float
  /// Positions with a greater flat square are outside, those with one no greater inside.
  private let outerPosition: Float, innerPosition: Float

  /// Whether the metric can judge everything within a radius of its origin.
  static func canJudge(_ radius: Distance, _ metric: LocalMetric) -> Bool {
    let shell = NearestOrigin.shell(around: radius.meters)
    return KDTreeBuilder.roundedUp(shell.upperBound) <= metric.squaredReach
  }

  /// - Precondition: `canJudge(radius, metric)`, the metric being that of the origin.
  init(
    tree: TreeView, origin: Coordinate, radius: Distance, categories: CategorySet,
    metric: LocalMetric
  ) {
    shell = NearestOrigin.shell(around: radius.meters)
    let outer = KDTreeBuilder.roundedUp(shell.upperBound)
    self.tree = tree
    self.origin = origin
    self.radius = radius.meters
    self.categories = categories
    kernel = metric.kernel
    outerNode = metric.nodeLimit(upTo: outer)
    outerPosition = metric.positionLimit(upTo: outer)
    let inner = KDTreeBuilder.roundedDown(shell.lowerBound)
    innerNode = metric.innerNodeLimit(upTo: inner)
    innerPosition = metric.innerPositionLimit(upTo: inner)
  }

  /// Calls `whole` with nodes that lie in the circle and `part` with leaves and the bits of those
  /// slots that do; together they hold every position in the circle once.
  @inline(__always)
  func run(
    whole: (_ node: Int, _ level: Int) -> Void, part: (_ leaf: Int, _ bits: UInt32) -> Void
  ) {
    guard tree.shape.count > 0 else { return }
    withUnsafePointer(to: kernel) { kernel in
      // Sixteen floats. Asked for with more than the stack's own alignment, they would be allocated.
      withUnsafeTemporaryAllocation(byteCount: 64 + 48, alignment: 16) { memory in
        visit(
          group: 0, level: tree.shape.firstLevel, kernel,
          memory.baseAddress.unsafelyUnwrapped.alignedUp(toMultipleOf: 64), whole, part)
      }
    }
  }

  /// Calls `body` with every slot in the circle whose position belongs to the categories.
  func forEachSlot(_ body: (Int) -> Void) {
    run { node, level in
      for slot in tree.slots(below: node, level: level) where tree.slot(slot, isIn: categories) {
        body(slot)
      }
    } part: { leaf, bits in
      var bits = bits
      while bits != 0 {
        let slot = leaf << 4 &+ bits.trailingZeroBitCount
        bits &= bits &- 1
        if tree.slot(slot, isIn: categories) { body(slot) }
      }
    }
  }

  private func visit(
    group: Int, level: Int, _ kernel: UnsafePointer<nearby_metric>,
    _ squares: UnsafeMutableRawPointer, _ whole: (Int, Int) -> Void,
    _ part: (Int, UInt32) -> Void
  ) {
    var meeting = nearby_nodes_in_circle(
      kernel, tree.groupMemory(level: level, group), outerNode, innerNode)
    let inside = meeting >> 16
    meeting &= 0xffff
    tree.prefetch(children: meeting, of: group, level: level)
    while meeting != 0 {
      let lane = meeting.trailingZeroBitCount
      meeting &= meeting &- 1
      let node = group << 4 &+ lane
      guard tree.node(node, level: level, holds: categories) else { continue }
      if inside >> lane & 1 != 0 {
        whole(node, level)
      } else if level > 0 {
        visit(group: node, level: level &- 1, kernel, squares, whole, part)
      } else {
        let bits = bits(ofLeaf: node, kernel, squares)
        if bits != 0 { part(node, bits) }
      }
    }
  }

  /// Slots past the end are beyond every limit.
  @inline(__always)
  private func bits(
    ofLeaf leaf: Int, _ kernel: UnsafePointer<nearby_metric>, _ squares: UnsafeMutableRawPointer
  ) -> UInt32 {
    let near =
      tree.encoding == .decimal
      ? nearby_decimal_leaf(kernel, tree.leaf(leaf), outerPosition, squares)
      : nearby_degrees_leaf(kernel, tree.leaf(leaf), outerPosition, squares)
    let inside = nearby_at_most(squares, innerPosition)
    var undecided = near & ~inside
    var bits = near & inside
    while undecided != 0 {
      let lane = undecided.trailingZeroBitCount
      undecided &= undecided &- 1
      if isWithinRadius(leaf << 4 &+ lane) { bits |= 1 << UInt32(lane) }
    }
    return bits
  }

  private func isWithinRadius(_ slot: Int) -> Bool {
    // Hardly any position comes here, so that what this needs of the origin is made when one does.
    let squaredChord = LineOrigin(origin).squaredChord(
      latitude: tree.latitude(slot), longitude: tree.longitude(slot))
    if squaredChord < shell.lowerBound { return true }
    return squaredChord <= shell.upperBound
      && tree.geodesic(from: origin, toSlot: slot) <= radius
  }
}
