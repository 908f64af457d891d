import CKernels
import Geodesy

/// One walk down a tree for the nearest positions in a ring, anywhere on the Earth.
///
/// It keeps every position whose distance may be among the `limit` shortest by the bounds of
/// `GroundMetric`. Those are hardly more than were asked for, and then put in order.
struct GroundWalk<Tree: WalkedTree> {
  private struct Found {
    /// Bounds of the distance.
    let least, greatest: Double
    let candidate: Tree.Candidate
  }

  private let tree: Tree
  private var metric: GroundMetric
  /// At most as many positions are wanted.
  private let limit: Int
  private let outer: Double
  private let inner: Double?

  /// What lies beyond cannot be in the answer.
  private var reach: Double
  private var found: [Found] = []
  /// The `limit` least of the upper bounds so far, as a heap with the greatest on top.
  private var bounds: [Double] = []

  /// No position has a latitude that is not a number.
  private var lastMeasured = (latitude: Double.nan, longitude: 0.0, meters: 0.0)

  private(set) var statistics = SearchStatistics()

  init(_ tree: Tree, origin: Coordinate, limit: Int, ring: NearestRing = NearestRing()) {
    self.tree = tree
    self.limit = min(limit, tree.count)
    metric = GroundMetric(origin)
    outer = ring.outer.meters
    inner = ring.inner?.meters
    reach = outer
  }

  /// Walks the tree.
  ///
  /// - Returns: Positions among which the nearest are, in no particular order, and all of the ring
  ///   where these are no more than were asked for.
  mutating func run() -> [Tree.Candidate] {
    walk()
    return found.map(\.candidate)
  }

  /// Walks the tree.
  ///
  /// - Returns: The nearest by (distance, id), not measured where they need not be.
  mutating func runInOrder() -> [Tree.Candidate] {
    walk()
    found.sort { $0.least < $1.least }
    var start = 0
    while start < min(limit, found.count) {
      var end = start + 1
      var greatest = found[start].greatest
      while end < found.count, found[end].least <= greatest {
        greatest = max(greatest, found[end].greatest)
        end += 1
      }
      if end - start > 1 { settle(start..<end) }
      start = end
    }
    return found.prefix(limit).map(\.candidate)
  }

  /// Puts those in order of whom bounds do not tell which is nearer.
  private mutating func settle(_ run: Range<Int>) {
    let measured = found[run].map { entry in
      (meters: meters(entry.candidate), id: tree.id(entry.candidate), entry: entry)
    }.sorted { ($0.meters, $0.id) < ($1.meters, $1.id) }
    for (place, item) in zip(run, measured) { found[place] = item.entry }
  }

  private mutating func walk() {
    found.reserveCapacity(min(2 * limit, 256) + 32)
    visit(tree.root)
    found.removeAll { $0.least > reach }
  }

  /// Visits sixteen siblings, the nearest first, while they can hold an answer.
  private mutating func visit(_ block: Tree.Block) {
    if tree.isLeaf(block) { return read(block) }
    statistics.nodeGroupsTested += 1
    let group = tree.lanes(block)
    var siblings = nearby_bounds()
    metric.bound(nodes: group, reach: inner == nil ? reach : .infinity, &siblings)
    while true {
      let lane = Int(nearby_nearest_lane(&siblings, reach))
      // A nearer child than this one has been visited already, so no other can do better.
      guard lane >= 0 else { return }
      if siblings.isVague(lane) {
        statistics.geodesics += 1
        metric.sharpen(lane, of: group, &siblings)
        continue
      }
      siblings.remove(lane)
      // Nodes that lie in the hole as a whole have no answer.
      if let inner, siblings.greatest(lane) <= inner { continue }
      if tree.mayCount(block, lane) { visit(tree.child(block, lane)) }
    }
  }

  private mutating func read(_ leaf: Tree.Block) {
    statistics.leavesRead += 1
    var positions = nearby_bounds()
    metric.bound(positions: tree.lanes(leaf), isDecimal: tree.isDecimal, &positions)
    var lanes = tree.counting(leaf)
    while lanes != 0 {
      let lane = lanes.trailingZeroBitCount
      lanes &= lanes - 1
      var least = positions.least(lane)
      guard least <= reach, least < .infinity else { continue }
      var greatest = positions.greatest(lane)
      let candidate = tree.candidate(leaf, lane)
      // Where bounds alone cannot tell on which side of a limit the position lies, measure.
      if positions.isVague(lane) || greatest > outer || least <= inner ?? -1 {
        if let inner, greatest <= inner { continue }
        let meters = meters(candidate)
        guard meters <= outer, meters > inner ?? -1 else { continue }
        (least, greatest) = (meters - GroundMetric.margin, meters + GroundMetric.margin)
        guard least <= reach else { continue }
      }
      statistics.candidates += 1
      guard tree.includes(candidate) else { continue }
      found.append(Found(least: least, greatest: greatest, candidate: candidate))
      tighten(by: greatest)
    }
  }

  /// The distance of a position, in meters.
  ///
  /// Many annotations at one place lie side by side in the tree, so what was measured last is kept.
  private mutating func meters(_ candidate: Tree.Candidate) -> Double {
    let latitude = tree.latitude(candidate), longitude = tree.longitude(candidate)
    if latitude == lastMeasured.latitude, longitude == lastMeasured.longitude {
      return lastMeasured.meters
    }
    statistics.geodesics += 1
    let meters = metric.geodesic(latitude: latitude, longitude: longitude)
    lastMeasured = (latitude, longitude, meters)
    return meters
  }

  /// Draws the reach in, once as many positions are known as were asked for.
  private mutating func tighten(by bound: Double) {
    // With no more positions than were asked for, all are wanted and the reach stays.
    guard limit < tree.count else { return }
    if bounds.count < limit {
      bounds.append(bound)
      siftUp()
      guard bounds.count == limit else { return }
    } else {
      guard bound < bounds[0] else { return }
      bounds[0] = bound
      siftDown()
    }
    reach = min(reach, bounds[0])
    // Most candidates of a long search are out of reach by its end; they need not pile up.
    if found.count > 4 * limit + 64, found.count == found.capacity {
      found.removeAll { $0.least > reach }
    }
  }

  // MARK: The heap of bounds

  private mutating func siftUp() {
    var child = bounds.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard bounds[parent] < bounds[child] else { return }
      bounds.swapAt(parent, child)
      child = parent
    }
  }

  private mutating func siftDown() {
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < bounds.count else { return }
      if child + 1 < bounds.count, bounds[child + 1] > bounds[child] { child += 1 }
      guard bounds[parent] < bounds[child] else { return }
      bounds.swapAt(parent, child)
      parent = child
    }
  }
}
