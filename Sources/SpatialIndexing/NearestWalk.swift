import Geodesy

/// One walk down the tree for the nearest positions in a ring.
///
/// It works in squared chords and keeps every position whose geodesic could still be among the
/// `limit` shortest; those few are then measured exactly.
struct NearestWalk {
  private struct Candidate {
    let squaredChord: Double
    let slot: Int
  }

  private let tree: TreeView
  private let origin: NearestOrigin
  private let limit: Int
  private let outer: Double
  private let inner: Double?
  private let categories: CategorySet
  private let isIncluded: (Int) -> Bool
  /// What the caller has said already, by position.
  private let verdicts: [UInt32: Bool]

  /// Positions with a chord beyond this cannot be in the answer.
  private var squaredReach: Double
  /// The chords that could belong to the outer and the inner limit themselves.
  private let outerShell: ClosedRange<Double>
  private let innerShell: ClosedRange<Double>
  private var candidates: [Candidate] = []
  /// The `limit` shortest squared chords so far, as a heap with the longest on top.
  private var shortest: [Double] = []

  /// No position has a latitude that is not a number.
  private var lastMeasured = (latitude: Double.nan, longitude: 0.0, meters: 0.0)

  private(set) var statistics = SearchStatistics()

  init(
    tree: TreeView, origin: Coordinate, limit: Int, ring: NearestRing, categories: CategorySet,
    isIncluded: @escaping (Int) -> Bool, verdicts: [UInt32: Bool] = [:]
  ) {
    self.tree = tree
    self.origin = NearestOrigin(origin)
    self.limit = min(limit, tree.shape.count)
    self.categories = categories
    self.isIncluded = isIncluded
    self.verdicts = verdicts
    outer = ring.outer.meters
    inner = ring.inner?.meters
    outerShell = NearestOrigin.shell(around: outer)
    innerShell = NearestOrigin.shell(around: inner ?? -1)
    squaredReach = outerShell.upperBound
  }

  /// Walks the tree and measures the nearest.
  mutating func run() -> [Neighbor] { measured(runUnmeasured()) }

  /// Walks the tree.
  ///
  /// - Returns: The slots of positions among which the nearest are, in no particular order.
  mutating func runUnmeasured() -> [Int] {
    guard limit > 0, tree.shape.count > 0 else { return [] }
    if limit < tree.shape.count { shortest.reserveCapacity(limit) }
    candidates.reserveCapacity(min(2 * limit, 256) + 32)
    visit(group: 0, level: tree.shape.firstLevel)
    candidates.removeAll { $0.squaredChord > squaredReach }
    return candidates.map(\.slot)
  }

  /// Visits sixteen siblings, nearest first, while they can hold an answer.
  private mutating func visit(group: Int, level: Int) {
    statistics.nodeGroupsTested += 1
    let siblings = tree.group(level: level, group)
    var bounds = origin.leastSquaredChords(to: siblings)
    if inner != nil {
      // Nodes that lie in the hole as a whole have no answer.
      let hole = KDTreeBuilder.roundedDown(innerShell.lowerBound)
      bounds.replace(
        with: .infinity, where: origin.greatestSquaredChords(to: siblings) .< hole)
    }
    while true {
      let nearest = bounds.leastLane
      // A nearer child than this one has been visited already, so no other can do better.
      guard Double(nearest) <= squaredReach, nearest < .infinity else { return }
      let lane = bounds.firstLane(of: nearest)
      bounds[lane] = .infinity
      let node = group << 4 + lane
      guard tree.node(node, level: level, holds: categories) else { continue }
      if level == 0 { read(leaf: node) } else { visit(group: node, level: level - 1) }
    }
  }

  private mutating func read(leaf: Int) {
    statistics.leavesRead += 1
    let bounds = tree.withBoxes(ofLeaf: leaf) { origin.leastSquaredChords(to: $0) }
    for lane in 0..<TreeShape.fanOut
    where Double(bounds[lane]) <= squaredReach && bounds[lane] < .infinity {
      let slot = leaf << 4 + lane
      let squaredChord = tree.squaredChord(from: origin, toSlot: slot)
      guard squaredChord <= squaredReach else { continue }
      consider(slot: slot, squaredChord: squaredChord)
    }
  }

  private mutating func consider(slot: Int, squaredChord: Double) {
    guard tree.slot(slot, isIn: categories) else { return }
    statistics.candidates += 1
    // Where the chord alone cannot tell on which side of a limit the position lies, measure.
    if let inner, squaredChord <= innerShell.upperBound {
      guard squaredChord >= innerShell.lowerBound, geodesic(slot) > inner else { return }
    }
    if squaredChord >= outerShell.lowerBound {
      guard geodesic(slot) <= outer else { return }
    }
    guard asks(slot) else { return }
    candidates.append(Candidate(squaredChord: squaredChord, slot: slot))
    tighten(by: squaredChord)
  }

  /// Asks the caller whether a position counts.
  private mutating func asks(_ slot: Int) -> Bool {
    let position = tree.position(slot)
    if !verdicts.isEmpty, let verdict = verdicts[position] { return verdict }
    statistics.predicateCalls += 1
    if isIncluded(Int(position)) { return true }
    statistics.predicateRejections += 1
    return false
  }

  /// The distance of a slot's position, in meters.
  ///
  /// Many annotations at one place lie side by side in the tree, so what was measured last is kept.
  private mutating func geodesic(_ slot: Int) -> Double {
    let latitude = tree.latitude(slot), longitude = tree.longitude(slot)
    if latitude == lastMeasured.latitude, longitude == lastMeasured.longitude {
      return lastMeasured.meters
    }
    statistics.geodesics += 1
    let meters = tree.geodesic(from: origin.coordinate, toSlot: slot)
    lastMeasured = (latitude, longitude, meters)
    return meters
  }

  /// Draws the reach in, once as many positions are known as were asked for.
  private mutating func tighten(by squaredChord: Double) {
    // With no more positions than were asked for, all are wanted and the reach stays.
    guard limit < tree.shape.count else { return }
    if shortest.count < limit {
      shortest.append(squaredChord)
      siftUp()
      guard shortest.count == limit else { return }
    } else {
      guard squaredChord < shortest[0] else { return }
      shortest[0] = squaredChord
      siftDown()
    }
    squaredReach = min(squaredReach, NearestOrigin.squaredReach(past: shortest[0]))
    // Most candidates of a long search are out of reach by its end; they need not pile up.
    if candidates.count > 4 * limit + 64, candidates.count == candidates.capacity {
      candidates.removeAll { $0.squaredChord > squaredReach }
    }
  }

  /// Measures positions and puts the nearest in order.
  private mutating func measured(_ slots: [Int]) -> [Neighbor] {
    var (neighbors, geodesics) = tree.measuredNeighbors(of: slots, from: origin.coordinate)
    statistics.geodesics += geodesics
    if neighbors.count > limit { neighbors.removeLast(neighbors.count - limit) }
    return neighbors
  }

  // MARK: The heap of shortest chords

  private mutating func siftUp() {
    var child = shortest.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard shortest[parent] < shortest[child] else { return }
      shortest.swapAt(parent, child)
      child = parent
    }
  }

  private mutating func siftDown() {
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < shortest.count else { return }
      if child + 1 < shortest.count, shortest[child + 1] > shortest[child] { child += 1 }
      guard shortest[parent] < shortest[child] else { return }
      shortest.swapAt(parent, child)
      parent = child
    }
  }
}
