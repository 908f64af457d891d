import CNearbyKernels
import Geodesy

/// One walk down a tree for the nearest or farthest positions in a distance range, anywhere on the
/// Earth.
///
/// It keeps every position whose distance may be among the `limit` shortest by the bounds of
/// `GroundMetric`. Those are hardly more than were requested, and are then sorted. The farthest are
/// found as the nearest by negated distances.
struct GroundWalk<Tree: WalkedTree> {
  private struct Found {
    /// Bounds of the distance.
    let least, greatest: Double
    let candidate: Tree.Candidate
  }

  private let tree: Tree
  private var metric: GroundMetric
  /// The maximum number of positions wanted.
  private let limit: Int
  private let outer: Double
  private let inner: Double?
  /// Whether all distances are negated.
  private var isReversed = false

  /// The distance beyond which nothing can be in the answer.
  private var reach: Double
  private var found: [Found] = []
  /// The `limit` least upper bounds so far, negated, so that the greatest of them comes first.
  private var bounds = Heap<Double>()

  /// NaN, which equals no latitude, before the first measurement.
  private var lastMeasured = (latitude: Double.nan, longitude: 0.0, meters: 0.0)

  private(set) var statistics = SearchStatistics()

  /// - Parameter bound: In meters; as many positions as wanted are known to be no farther.
  init(
    _ tree: Tree, origin: Coordinate, limit: Int, at distances: DistanceRange = DistanceRange(),
    bound: Double = .infinity
  ) {
    self.tree = tree
    self.limit = min(limit, tree.count)
    metric = GroundMetric(origin)
    outer = distances.within.meters
    inner = distances.beyond?.meters
    reach = min(outer, bound)
  }

  /// Starts a search for the farthest position within a radius.
  init(_ tree: Tree, origin: Coordinate, farthestWithin radius: Distance) {
    self.tree = tree
    limit = min(1, tree.count)
    metric = GroundMetric(origin)
    outer = 0
    inner = (-radius.meters).nextDown
    reach = 0
    isReversed = true
  }

  /// Walks the tree.
  ///
  /// - Returns: Positions that include the nearest, in no particular order; all in the range if no
  ///   more than requested.
  mutating func run() -> [Tree.Candidate] {
    walk()
    return found.map(\.candidate)
  }

  /// Walks the tree and sorts the answer.
  ///
  /// - Returns: The nearest by (distance, id), measured only where necessary.
  mutating func runInOrder() -> [Tree.Candidate] {
    walk()
    found.sort { $0.least < $1.least }
    for run in tiedRuns(count: found.count, limit: limit, { (found[$0].least, found[$0].greatest) })
    {
      let measured = found[run].map { entry in
        (meters: meters(entry.candidate), id: tree.id(entry.candidate), entry: entry)
      }.sorted { ($0.meters, $0.id) < ($1.meters, $1.id) }
      for (place, item) in zip(run, measured) { found[place] = item.entry }
    }
    return found.prefix(limit).map(\.candidate)
  }

  private mutating func walk() {
    found.reserveCapacity(min(2 * limit, 256) + 32)
    if limit < tree.count { bounds.reserveCapacity(limit) }
    visit(tree.root)
    found.removeAll { $0.least > reach }
  }

  /// Visits sixteen siblings, nearest first, while they can hold an answer.
  private mutating func visit(_ block: Tree.Block) {
    if tree.isLeaf(block) { return read(block) }
    statistics.nodeGroupsTested += 1
    let group = tree.lanes(block)
    var siblings = nearby_bounds()
    metric.bound(nodes: group, reach: inner == nil ? reach : .infinity, &siblings)
    if isReversed {
      for lane in 0..<TreeShape.fanOut where siblings.isVague(lane) {
        sharpen(lane, of: group, &siblings)
      }
      nearby_reverse(&siblings)
    }
    while true {
      let lane = Int(nearby_nearest_lane(&siblings, reach))
      // No child left is near enough, so the others cannot be either.
      guard lane >= 0 else { return }
      if siblings.isVague(lane) {
        sharpen(lane, of: group, &siblings)
        continue
      }
      siblings.remove(lane)
      // Nodes entirely inside the inner limit hold no answer.
      if let inner, siblings.greatest(lane) <= inner { continue }
      if tree.mayCount(block, lane) { visit(tree.child(block, lane)) }
    }
  }

  private mutating func sharpen(
    _ lane: Int, of group: UnsafeRawPointer, _ siblings: inout nearby_bounds
  ) {
    statistics.geodesics += 1
    metric.sharpen(lane, of: group, &siblings)
  }

  private mutating func read(_ leaf: Tree.Block) {
    statistics.leavesRead += 1
    var positions = nearby_bounds()
    metric.bound(positions: tree.lanes(leaf), isDecimal: tree.isDecimal, &positions)
    if isReversed { nearby_reverse(&positions) }
    var lanes = tree.counting(leaf)
    while lanes != 0 {
      let lane = lanes.trailingZeroBitCount
      lanes &= lanes - 1
      var least = positions.least(lane)
      guard least <= reach, least < .infinity else { continue }
      var greatest = positions.greatest(lane)
      let candidate = tree.candidate(leaf, lane)
      // If bounds cannot tell on which side of a limit the position lies, measure it.
      if positions.isVague(lane) || greatest > outer || least <= inner ?? -1 {
        if let inner, greatest <= inner { continue }
        let meters = isReversed ? -meters(candidate) : meters(candidate)
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
  /// Coincident points are adjacent in the tree, so the last measurement is cached.
  private mutating func meters(_ candidate: Tree.Candidate) -> Double {
    let latitude = tree.latitude(candidate)
    // A pole is one point, whatever its longitude.
    let longitude = abs(latitude) == 90 ? 0 : tree.longitude(candidate)
    if latitude == lastMeasured.latitude, longitude == lastMeasured.longitude {
      return lastMeasured.meters
    }
    statistics.geodesics += 1
    let meters = metric.geodesic(latitude: latitude, longitude: longitude)
    lastMeasured = (latitude, longitude, meters)
    return meters
  }

  /// Reduces the reach, once as many positions are known as were requested.
  private mutating func tighten(by bound: Double) {
    // With no more positions than requested, all are wanted and the reach stays.
    guard limit < tree.count else { return }
    if bounds.count < limit {
      bounds.insert(-bound)
    } else if let farthest = bounds.first, -bound > farthest {
      bounds.replaceFirst(-bound)
    } else {
      return
    }
    guard bounds.count == limit, let farthest = bounds.first else { return }
    reach = min(reach, -farthest)
    // By the end of a long search most candidates are out of reach; drop them so they do not pile
    // up.
    if found.count > 4 * limit + 64, found.count == found.capacity {
      found.removeAll { $0.least > reach }
    }
  }
}
