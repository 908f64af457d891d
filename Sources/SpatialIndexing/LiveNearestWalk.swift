import CKernels
import Geodesy

/// A slot of a leaf that may be in an answer.
struct LiveCandidate {
  let leaf: LiveBlock
  let slot: Int

  @inline(__always)
  func meters(from origin: Coordinate) -> Double {
    Geodesic.distance(
      latitude1: origin.latitude, longitude1: origin.longitude,
      latitude2: leaf.latitude(slot), longitude2: leaf.longitude(slot))
  }
}

/// `LocalWalk` over a live tree: for the nearest objects round an origin, by flat squared chords.
struct LiveNearestWalk<Collector: NearestCollector> {
  private let root: LiveBlock
  private let metric: LocalMetric
  private let filter: LiveFilter
  /// A question about all objects of a tree without expiries asks nothing of them.
  private let isFree: Bool
  private var collector: Collector
  /// As in `LocalWalk`: gaps for each height, the squares of a leaf, the metric, the collector's.
  private let memory: UnsafeMutableRawPointer
  private let squares: UnsafeMutableRawPointer
  private let kernel: UnsafePointer<nearby_metric>
  private var nodeLimit: Float
  private var positionLimit: Float
  private var growth: Float
  /// The leaves that candidates come from; a candidate's number is its leaf's, times 16, and its slot.
  private var leaves: [LiveBlock] = []

  private static func ownByteCount(_ root: LiveBlock) -> Int { (root.height + 4) << 6 }

  /// How much memory a walk needs, in bytes.
  static func byteCount(_ root: LiveBlock, limit: Int) -> Int {
    ownByteCount(root) + Collector.byteCount(limit: limit)
  }

  init(
    root: LiveBlock, origin: Coordinate, limit: Int, squaredOuter: Double, filter: LiveFilter,
    memory: UnsafeMutableRawPointer
  ) {
    self.root = root
    self.filter = filter
    self.memory = memory
    isFree = filter.categories == .any && filter.isIncluded == nil && filter.now < .infinity
    metric = LocalMetric(origin)
    squares = memory + (root.height + 1) << 6
    let end = (squares + 64).assumingMemoryBound(to: nearby_metric.self)
    end.initialize(to: metric.kernel)
    kernel = UnsafePointer(end)
    collector = Collector(limit: limit, memory: memory + Self.ownByteCount(root))
    let outer = min(metric.nearestReach, KDTreeBuilder.roundedUp(squaredOuter))
    nodeLimit = metric.nodeLimit(upTo: outer)
    positionLimit = metric.positionLimit(upTo: outer)
    growth = metric.growth(upTo: outer)
    leaves.reserveCapacity(48)
  }

  /// Walks the tree.
  ///
  /// - Returns: Candidates among which the nearest are; nil when they cannot be found this way.
  mutating func run() -> [LiveCandidate]? {
    if root.isNode { visit(root) } else { read(root) }
    guard let numbers = collector.finish(metric: metric),
      let farthest = collector.farthest, farthest <= metric.nearestReach
    else { return nil }
    return numbers.map { LiveCandidate(leaf: leaves[$0.slot >> 4], slot: $0.slot & 15) }
  }

  /// Visits the children of a node, nearest first, while they can hold an answer.
  private mutating func visit(_ node: LiveBlock) {
    let gaps = memory + node.height << 6
    nearby_squared_gaps(kernel, node.lanes, gaps)
    let nodes = node.bits
    while true {
      let nearest = nearby_least(gaps)
      guard nearest <= nodeLimit else { return }
      let lane = Int(nearest.bitPattern & 15)
      gaps.storeBytes(of: .infinity, toByteOffset: lane << 2, as: Float.self)
      guard filter.accepts(node, childAt: lane) else { continue }
      let child = node.child(lane)
      if nodes >> UInt32(truncatingIfNeeded: lane) & 1 != 0 { visit(child) } else { read(child) }
    }
  }

  private mutating func read(_ leaf: LiveBlock) {
    var bits = nearby_degrees_leaf(kernel, leaf.lanes, positionLimit, squares) & leaf.bits
    guard bits != 0 else { return }
    let first = leaves.count << 4
    leaves.append(leaf)
    if !isFree || leaf.isFullLeaf {
      var asked = bits
      while asked != 0 {
        let slot = asked.trailingZeroBitCount
        asked &= asked &- 1
        if !filter.accepts(leaf, slot) { bits &= ~(1 << UInt32(slot)) }
      }
      guard bits != 0 else { return }
    }
    positionLimit = collector.add(
      slot: first, bits: bits, squares: squares.assumingMemoryBound(to: Float.self),
      limit: positionLimit, growth: growth)
    if let farthest = collector.settle(metric: metric) {
      nodeLimit = min(nodeLimit, metric.nodeLimit(upTo: farthest))
      positionLimit = min(positionLimit, metric.positionLimit(upTo: farthest))
      growth = metric.growth(upTo: farthest)
    }
  }
}
