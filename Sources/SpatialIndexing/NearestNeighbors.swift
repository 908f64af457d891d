import Geodesy

extension KDTreeIndex {
  /// Returns the positions nearest to an origin, nearest first.
  ///
  /// Distances are geodesics on WGS 84; the antimeridian and the poles are ordinary places.
  ///
  ///     let answer = index.nearest(3, to: cityHall, within: .kilometers(5)) { isOpen[$0] }
  ///
  /// - Parameters:
  ///   - limit: How many to return; more than there are returns them all.
  ///   - origin: Where distances are measured from.
  ///   - outer: The greatest distance, itself included.
  ///   - inner: Positions must lie beyond this distance, itself excluded, so that `within` and
  ///     `beyond` the same distance share the Earth between them; nil for none.
  ///   - categories: Positions must belong to one of these.
  ///   - isIncluded: Whether a position counts. Asked during the walk, at most once for each
  ///     position, and only for those near enough to matter.
  /// - Returns: At most `limit` neighbors by ascending (distance, position), how far the origin
  ///   may move before another set could be the answer, and what the search did.
  /// - Precondition: `limit >= 0`.
  /// - Complexity: O((*k* + *m*) log *n*) expected, *m* being positions refused on the way; O(*n*)
  ///   at worst, as for a predicate that refuses everything. Allocates O(*k* + *m*).
  ///
  /// Source: the tree is walked depth first, the nearest child first, as by Roussopoulos, Kelley
  /// and Vincent, "Nearest neighbor queries", SIGMOD 1995, doi:10.1145/223784.223794. What may be
  /// passed over is decided by chords, whose bracket around the geodesic is proved in
  /// `ChordBracket`.
  public func nearest(
    _ limit: Int, to origin: Coordinate, within outer: Distance = .infinity,
    beyond inner: Distance? = nil, categories: CategorySet = .any,
    where isIncluded: (Int) -> Bool = { _ in true }
  ) -> NearestAnswer {
    precondition(limit >= 0, "cannot return \(limit) neighbors")
    return withoutActuallyEscaping(isIncluded) { isIncluded in
      withTree { tree in
        // One more than asked: the first one left out says how far the answer holds.
        let wanted = limit == .max ? limit : limit + 1
        var walk = NearestWalk(
          tree: tree, origin: origin, limit: wanted, outer: outer.meters, inner: inner?.meters,
          categories: categories, isIncluded: isIncluded)
        let found = walk.run()
        var statistics = walk.statistics

        var next = found.count > limit ? found[limit].distance : nil
        if next == nil, outer < .infinity {
          var beyond = NearestWalk(
            tree: tree, origin: origin, limit: 1, outer: .infinity, inner: outer.meters,
            categories: categories, isIncluded: isIncluded)
          beyond.ignoresInnerPositions = true
          next = beyond.run().first?.distance
          statistics = statistics + beyond.statistics
        }
        let neighbors = Array(found.prefix(limit))
        return NearestAnswer(
          neighbors: neighbors,
          validRadius: validRadius(
            first: neighbors.first?.distance, last: neighbors.last?.distance, next: next,
            outer: outer, inner: inner, farthestInside: walk.farthestInside),
          statistics: statistics)
      }
    }
  }

  /// Returns every position within a distance, itself included, nearest first.
  ///
  /// - Complexity: O(log *n* + *r* log *r*) expected for *r* results.
  public func neighbors(
    within radius: Distance, of origin: Coordinate, categories: CategorySet = .any,
    where isIncluded: (Int) -> Bool = { _ in true }
  ) -> [Neighbor] {
    withoutActuallyEscaping(isIncluded) { isIncluded in
      withTree { tree in
        var walk = NearestWalk(
          tree: tree, origin: origin, limit: .max, outer: radius.meters, inner: nil,
          categories: categories, isIncluded: isIncluded)
        return walk.run()
      }
    }
  }

  /// How far the origin may move before the set of neighbors could change.
  ///
  /// Moving by r changes every distance by at most r, because the geodesic is a metric. So two
  /// positions d apart in distance cannot change places before r = d / 2, and none can pass a
  /// fixed limit that it is d away from before r = d.
  private func validRadius(
    first: Distance?, last: Distance?, next: Distance?, outer: Distance, inner: Distance?,
    farthestInside: Double?
  ) -> Distance? {
    var radius = Distance.infinity
    if let last, let next { radius = min(radius, (next - last) / 2) }
    if outer < .infinity {
      if let last { radius = min(radius, outer - last) }
      if let next, next > outer { radius = min(radius, next - outer) }
    }
    if let inner {
      if let first { radius = min(radius, first - inner) }
      if let farthestInside { radius = min(radius, inner - .meters(farthestInside)) }
    }
    return radius < .infinity ? radius : nil
  }
}

/// One walk down the tree for the nearest positions in a ring.
///
/// It works in squared chords and keeps every position whose geodesic could still be among the
/// `limit` shortest; those few are then measured exactly.
private struct NearestWalk {
  /// What chords and geodesics may be off by together, in meters. Positions in space are right to
  /// some 2 nm and geodesics to 15 nm; a margin of 100 nm costs nothing, because whatever lies
  /// inside it is measured and compared exactly.
  static let margin = 1e-7

  private struct Candidate {
    let squaredChord: Double
    let slot: Int
  }

  let tree: TreeView
  let origin: Coordinate
  let limit: Int
  let categories: CategorySet
  let isIncluded: (Int) -> Bool
  let outer: Double
  let inner: Double?
  /// Leaves alone what lies inside the ring, instead of looking for its farthest position.
  var ignoresInnerPositions = false

  private let place: ECEFPosition
  private let lowerPlace: SIMD3<Float>
  private let upperPlace: SIMD3<Float>
  /// Positions with a chord beyond this cannot be in the answer.
  private var squaredReach: Double
  /// The chords that could belong to the outer and the inner limit themselves.
  private let outerShell: ClosedRange<Double>
  private let innerShell: ClosedRange<Double>
  private var candidates: [Candidate] = []
  /// The `limit` shortest squared chords so far, as a heap with the longest on top.
  private var shortest: [Double] = []

  private(set) var farthestInside: Double?
  private(set) var statistics = SearchStatistics()

  init(
    tree: TreeView, origin: Coordinate, limit: Int, outer: Double, inner: Double?,
    categories: CategorySet, isIncluded: @escaping (Int) -> Bool
  ) {
    self.tree = tree
    self.origin = origin
    self.limit = min(limit, tree.shape.count)
    self.outer = outer
    self.inner = inner
    self.categories = categories
    self.isIncluded = isIncluded
    place = ECEFPosition(origin)
    lowerPlace = SIMD3(
      KDTreeBuilder.roundedDown(place.x), KDTreeBuilder.roundedDown(place.y),
      KDTreeBuilder.roundedDown(place.z))
    upperPlace = SIMD3(
      KDTreeBuilder.roundedUp(place.x), KDTreeBuilder.roundedUp(place.y),
      KDTreeBuilder.roundedUp(place.z))
    outerShell = NearestWalk.shell(around: outer)
    innerShell = inner.map(NearestWalk.shell) ?? -1 ... -1
    squaredReach = outerShell.upperBound
  }

  /// The squared chords that a geodesic of some length may have.
  private static func shell(around geodesic: Double) -> ClosedRange<Double> {
    guard geodesic >= 0 else { return -1 ... -1 }
    // Longer than any geodesic: every chord lies inside.
    guard geodesic < WGS84.longestDistance + 1 else {
      return Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    }
    let short = max(0, ChordBracket.shortestChord(geodesic: geodesic) - margin)
    let long = ChordBracket.longestChord(geodesic: geodesic) + margin
    return short * short...long * long
  }

  mutating func run() -> [Neighbor] {
    guard limit > 0, outer >= 0, tree.shape.count > 0 else { return [] }
    if limit < tree.shape.count { shortest.reserveCapacity(limit) }
    visit(group: 0, level: tree.shape.topLevel)
    return measured()
  }

  /// Visits sixteen siblings, nearest first, while they can hold an answer.
  private mutating func visit(group: Int, level: Int) {
    statistics.nodeGroupsTested += 1
    var bounds = squaredDistances(toGroup: group, level: level)
    while true {
      let nearest = bounds.min()
      // A nearer child than this one has been visited already, so no other can do better.
      guard Double(nearest) <= squaredReach, nearest < .infinity else { return }
      var lane = 0
      while bounds[lane] != nearest { lane += 1 }
      bounds[lane] = .infinity
      let node = group << 4 + lane
      guard tree.node(node, level: level, holds: categories) else { continue }
      if level == 0 { read(leaf: node) } else { visit(group: node, level: level - 1) }
    }
  }

  /// Lower bounds for the squared chords to sixteen nodes.
  ///
  /// The boxes are rounded outward and the origin both ways; the factor covers the rounding of
  /// the six operations here, each within 2⁻²⁴.
  private func squaredDistances(toGroup group: Int, level: Int) -> SIMD16<Float> {
    let bounds = tree.group(level: level, group)
    let zero = SIMD16<Float>.zero
    let x = pointwiseMax(
      pointwiseMax(bounds[NodeGroup.minX] - upperPlace.x, lowerPlace.x - bounds[NodeGroup.maxX]),
      zero)
    let y = pointwiseMax(
      pointwiseMax(bounds[NodeGroup.minY] - upperPlace.y, lowerPlace.y - bounds[NodeGroup.maxY]),
      zero)
    let z = pointwiseMax(
      pointwiseMax(bounds[NodeGroup.minZ] - upperPlace.z, lowerPlace.z - bounds[NodeGroup.maxZ]),
      zero)
    return (x * x + y * y + z * z) * (1 - 1e-6)
  }

  private mutating func read(leaf: Int) {
    statistics.leavesRead += 1
    let x = tree.field(0, ofLeaf: leaf), y = tree.field(1, ofLeaf: leaf)
    let z = tree.field(2, ofLeaf: leaf)
    for chunk in stride(from: 0, to: KDTreeIndex.leafCapacity, by: 8) {
      let dx = load8(x + chunk) - place.x
      let dy = load8(y + chunk) - place.y
      let dz = load8(z + chunk) - place.z
      let squared = dx * dx + dy * dy + dz * dz
      guard squared.min() <= squaredReach else { continue }
      for lane in 0..<8 where squared[lane] <= squaredReach && squared[lane] < .infinity {
        consider(slot: leaf << 5 + chunk + lane, squaredChord: squared[lane])
      }
    }
  }

  @inline(__always)
  private func load8(_ pointer: UnsafePointer<Double>) -> SIMD8<Double> {
    UnsafeRawPointer(pointer).loadUnaligned(as: SIMD8<Double>.self)
  }

  private mutating func consider(slot: Int, squaredChord: Double) {
    guard tree.slot(slot, isIn: categories) else { return }
    statistics.candidates += 1
    if let inner, squaredChord <= innerShell.upperBound {
      // Inside the ring's hole, or too near its edge for the chord to tell.
      if squaredChord < innerShell.lowerBound || geodesic(slot) <= inner {
        return noteInside(slot: slot, squaredChord: squaredChord)
      }
    }
    if squaredChord >= outerShell.lowerBound, geodesic(slot) > outer { return }
    guard asks(slot) else { return }
    candidates.append(Candidate(squaredChord: squaredChord, slot: slot))
    tighten(by: squaredChord)
  }

  private mutating func asks(_ slot: Int) -> Bool {
    statistics.predicateCalls += 1
    if isIncluded(Int(tree.positions[slot])) { return true }
    statistics.predicateRejections += 1
    return false
  }

  private mutating func geodesic(_ slot: Int) -> Double {
    statistics.geodesics += 1
    return tree.geodesic(from: origin, toSlot: slot)
  }

  /// Remembers the farthest position inside the ring's hole, the first that could come out of it.
  private mutating func noteInside(slot: Int, squaredChord: Double) {
    if ignoresInnerPositions { return }
    if let farthestInside {
      guard
        squaredChord.squareRoot() + NearestWalk.margin
          >= ChordBracket.shortestChord(geodesic: farthestInside)
      else { return }
    }
    guard asks(slot) else { return }
    farthestInside = max(farthestInside ?? 0, geodesic(slot))
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
    squaredReach = min(squaredReach, NearestWalk.squaredReach(past: shortest[0]))
    // Most candidates of a long search are out of reach by its end; they need not pile up.
    if candidates.count > 4 * limit + 64, candidates.count == candidates.capacity {
      candidates.removeAll { $0.squaredChord > squaredReach }
    }
  }

  /// The longest squared chord that may belong to a geodesic no longer than one with this chord.
  ///
  /// With c the chord, the geodesic is at most 2R₁ asin(c/2R₁), and chords of geodesics so long are
  /// at most 2R₂ sin(R₁/R₂ · asin(c/2R₁)) = c (1 + c² (1 − R₁²/R₂²)/24R₁² + …) =
  /// c (1 + 2.07e-17 c² + …). Up to 1,000 km the further terms are under 1 % of that one.
  private static func squaredReach(past squaredChord: Double) -> Double {
    let chord = squaredChord.squareRoot()
    let reach =
      squaredChord < 1e12
      ? chord * (1 + 2.2e-17 * squaredChord)
      : ChordBracket.longestChord(geodesic: ChordBracket.longestGeodesic(chord: chord))
    return (reach + margin) * (reach + margin)
  }

  /// Measures the candidates still in reach and puts the nearest in order.
  private mutating func measured() -> [Neighbor] {
    var neighbors: [Neighbor] = []
    for candidate in candidates where candidate.squaredChord <= squaredReach {
      neighbors.append(
        Neighbor(
          position: Int(tree.positions[candidate.slot]),
          distance: .meters(geodesic(candidate.slot))))
    }
    neighbors.sort()
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
