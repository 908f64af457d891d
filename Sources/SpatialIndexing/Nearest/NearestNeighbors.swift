import CNearbyKernels
import Geodesy

extension KDTreeIndex {
  /// Returns the positions nearest to an origin, nearest first.
  ///
  /// Distances are geodesics on WGS 84; the antimeridian and the poles are ordinary places.
  ///
  ///     let answer = index.nearest(3, to: cityHall, within: .kilometers(5)) { isOpen[$0] }
  ///
  /// - Parameters:
  ///   - limit: The maximum number of positions to return.
  ///   - origin: Where distances are measured from.
  ///   - outer: The maximum distance, inclusive.
  ///   - inner: Positions must lie beyond this distance, exclusive, so that `within` and `beyond`
  ///     the same distance partition the Earth; nil for no limit.
  ///   - categories: Positions must belong to one of these.
  ///   - isIncluded: Whether a position counts. Called during the walk, at most once per position,
  ///     and only for those near enough to matter.
  /// - Returns: At most `limit` neighbors by ascending (distance, offset), how far the origin may
  ///   move before another set could be the answer, and what the search did. No position counts if
  ///   `beyond` ≥ `within`.
  /// - Precondition: `limit >= 0`.
  /// - Complexity: O((*k* + *m*) log *n*) expected, *m* being positions rejected on the way; O(*n*)
  ///   at worst, as for a predicate that rejects everything. Allocates O(*k* + *m*).
  ///
  /// Source: the tree is walked depth first, nearest child first, as in Roussopoulos, Kelley and
  /// Vincent, "Nearest neighbor queries", SIGMOD 1995, doi:10.1145/223784.223794. Pruning is
  /// decided by chords, whose bracket around the geodesic is proved in `ChordBracket`.
  public func nearest(
    _ limit: Int, to origin: Coordinate, within outer: Distance = .infinity,
    beyond inner: Distance? = nil, categories: CategorySet = .any,
    where isIncluded: (Int) -> Bool
  ) -> NearestAnswer {
    withoutActuallyEscaping(isIncluded) { isIncluded in
      search(
        limit, to: origin, at: DistanceRange(beyond: inner, within: outer), categories: categories,
        isIncluded: isIncluded)
    }
  }

  /// Returns the positions nearest to an origin, nearest first.
  ///
  /// Without a predicate this takes less time.
  public func nearest(
    _ limit: Int, to origin: Coordinate, within outer: Distance = .infinity,
    beyond inner: Distance? = nil, categories: CategorySet = .any
  ) -> NearestAnswer {
    search(
      limit, to: origin, at: DistanceRange(beyond: inner, within: outer), categories: categories,
      isIncluded: nil)
  }

  private func search(
    _ limit: Int, to origin: Coordinate, at distances: DistanceRange, categories: CategorySet,
    isIncluded: ((Int) -> Bool)?
  ) -> NearestAnswer {
    precondition(limit >= 0, "cannot return \(limit) neighbors")
    let distances = distances.effective
    guard limit > 0, !distances.isEmpty else { return .nothing }
    let asking = isIncluded.map(PredicateAsking.init)
    return withTree(of: categories) { tree, categories in
      guard tree.shape.count > 0, tree.canTell(categories) else { return .nothing }
      var statistics = SearchStatistics()
      func counted() -> SearchStatistics {
        statistics.predicateCalls = asking?.calls ?? 0
        statistics.predicateRejections = asking?.rejections ?? 0
        return statistics
      }
      if distances.beyond == nil, limit < tree.shape.count, limit <= KDTreeIndex.greatestLocalLimit
      {
        var question = LocalQuestion(
          search: LocalSearch(
            tree: tree, origin: origin, limit: limit + 1, categories: categories, asking: asking),
          distances: distances)
        question.ask()
        statistics = question.search.statistics
        if let (neighbors, radius) = question.answer {
          return NearestAnswer(
            neighbors: neighbors, validRadius: radius, statistics: counted())
        }
      }
      let answer = searchAnywhere(
        limit, PackedTree(tree, categories: categories, asking: asking), origin: origin,
        at: distances)
      statistics = statistics + answer.statistics
      return NearestAnswer(
        neighbors: answer.neighbors, validRadius: answer.validRadius, statistics: counted(),
        lastInside: answer.lastInside)
    }
  }

  /// Above this limit the local search, which ignores an outer limit, does not pay.
  private static let greatestLocalLimit = 1_000

  /// Answers by the walks that cover the whole Earth, and distance ranges.
  private func searchAnywhere(
    _ limit: Int, _ tree: PackedTree, origin: Coordinate, at distances: DistanceRange
  ) -> NearestAnswer {
    var statistics = SearchStatistics()
    func nearest(_ limit: Int, _ distances: DistanceRange) -> ArraySlice<Neighbor> {
      tree.asking?.beginAgain()
      var walk = GroundWalk(tree, origin: origin, limit: limit, at: distances)
      let (neighbors, geodesics) = tree.view.measuredNeighbors(of: walk.run(), from: origin)
      statistics = statistics + walk.statistics
      statistics.geodesics += geodesics
      return neighbors.prefix(limit)
    }
    // Everything in a circle is found sooner unordered, mostly along with the first position left
    // out.
    func everything() -> (neighbors: [Neighbor], next: Distance?)? {
      func circle(_ radius: Distance) -> CircleSearch? {
        CircleSearch(
          tree: tree.view, origin: origin, radius: radius, categories: tree.categories)
      }
      guard limit == .max, distances.beyond == nil, tree.asking == nil,
        let inside = circle(distances.within),
        let slots = circle(distances.within * 1.05)?.slots()
      else { return nil }
      let (neighbors, geodesics) = tree.view.measuredNeighbors(of: slots, from: origin)
      statistics.candidates += slots.count
      statistics.geodesics += geodesics
      // Geodesics decide what lies on the edge; distances do not quite.
      let count = inside.count()
      return (
        Array(neighbors.prefix(count)), neighbors.count > count ? neighbors[count].distance : nil
      )
    }
    let all = everything()
    // One more than requested: the first one left out tells how far the answer holds.
    var neighbors = all?.neighbors ?? Array(nearest(limit == .max ? limit : limit + 1, distances))
    var next = all?.next ?? (neighbors.count > limit ? neighbors.removeLast().distance : nil)
    if next == nil, distances.within < .infinity {
      next = nearest(1, DistanceRange(beyond: distances.within)).first?.distance
    }
    var last: Distance?
    if let inner = distances.beyond {
      tree.asking?.beginAgain()
      var inside = GroundWalk(tree, origin: origin, farthestWithin: inner)
      last = tree.view.measuredNeighbors(of: inside.run(), from: origin).0.last?.distance
      statistics = statistics + inside.statistics
    }
    return NearestAnswer(
      neighbors: neighbors,
      validRadius: distances.validRadius(
        of: neighbors, isFull: neighbors.count == limit, next: next, lastInside: last),
      statistics: statistics, lastInside: last)
  }
}

/// One search for neighbors by the local metric, in stack memory.
private struct LocalQuestion {
  /// Searches for one more than requested: the first one left out tells how far the answer holds.
  var search: LocalSearch
  let distances: DistanceRange
  /// nil if the local metric cannot answer.
  var answer: (neighbors: [Neighbor], validRadius: Distance?)?

  mutating func ask() {
    withUnsafeMutablePointer(to: &self) { question in
      nearby_lend(
        { memory, question in
          guard let memory, let question else { return }
          question.assumingMemoryBound(to: LocalQuestion.self).pointee.ask(in: memory)
        }, question)
    }
  }

  private mutating func ask(in memory: UnsafeMutableRawPointer) {
    var scratch = Scratch(lent: memory)
    answer = search.run(isMeasured: true, &scratch).map {
      LocalQuestion.answer(search.limit - 1, of: $0, at: distances)
    }
    // The ranking lies in this memory.
    _ = consume scratch
  }

  /// Returns the first `limit` of a ranking within a range without an inner limit.
  private static func answer(
    _ limit: Int, of ranking: NearestRanking, at distances: DistanceRange
  ) -> (neighbors: [Neighbor], validRadius: Distance?) {
    func distance(_ rank: Int) -> Distance { .meters(ranking.distance(rank: rank)) }
    var inside = 0
    while inside < limit, distance(inside) <= distances.within { inside += 1 }
    let neighbors = (0..<inside).map { rank in
      Neighbor(offset: Int(ranking.position(rank: rank)), distance: distance(rank))
    }
    return (
      neighbors,
      distances.validRadius(
        of: neighbors, isFull: inside == limit, next: distance(inside), lastInside: nil)
    )
  }
}

// MARK: - One by one

extension PositionIndex {
  /// All positions, nearest first, found lazily.
  ///
  /// For searches whose end is not known in advance: "the next page", "until one is open".
  ///
  ///     for neighbor in index.neighborsByDistance(from: here) where isOpen[neighbor.offset] {
  ///       return neighbor
  ///     }
  ///
  /// - Complexity: O(*m* log *n*) expected time and O(*m*) memory for the first *m*, which `nearest(_:to:)` finds:
  ///   fifteen at first, then four times as many whenever these are used up.
  public func neighborsByDistance(from origin: Coordinate) -> NeighborSequence {
    NeighborSequence(index: packed, origin: origin)
  }
}

/// The positions of an index by ascending (distance, offset), lazily.
public struct NeighborSequence: Sequence, IteratorProtocol, Sendable {
  private let index: KDTreeIndex
  private let origin: Coordinate
  /// The nearest, `limit` of them unless there are fewer; those before `place` were returned.
  private var found: [Neighbor] = []
  private var limit = 0
  private var place = 0

  fileprivate init(index: KDTreeIndex, origin: Coordinate) {
    self.index = index
    self.origin = origin
  }

  /// The next neighbor; nil after the last.
  public mutating func next() -> Neighbor? {
    if place == limit {
      // With the first one left out, fifteen are as many as the search for a few finds.
      limit = Swift.max(15, 4 * limit)
      found = index.nearest(limit, to: origin).neighbors
    }
    guard place < found.count else { return nil }
    defer { place += 1 }
    return found[place]
  }
}

// The chords that correspond to distances on the ground, by `ChordBracket`.

extension ChordBracket {
  /// The total error of chords and geodesics, in meters.
  ///
  /// Positions in space are right to about 2 nm and geodesics to 15 nm. A margin of 100 nm costs
  /// nothing, because whatever lies inside it is measured and compared exactly.
  private static var margin: Double { 1e-7 }

  /// The squared chords that a geodesic of a given length may have.
  ///
  /// Below the range a position is certainly nearer than that length, above it certainly farther;
  /// inside it only the geodesic can tell.
  static func shell(around geodesic: Double) -> ClosedRange<Double> {
    guard geodesic >= 0 else { return -1 ... -1 }
    guard geodesic < DistanceRange.longestGeodesic else {
      return Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    }
    let short = max(0, shortestChord(geodesic: geodesic) - margin)
    let long = longestChord(geodesic: geodesic) + margin
    return short * short...long * long
  }

  /// The greatest squared chord of any geodesic no longer than one with this chord.
  ///
  /// With c the chord, the geodesic is at most 2R₁ asin(c/2R₁), and chords of geodesics that long
  /// are at most 2R₂ sin(R₁/R₂ · asin(c/2R₁)) = c (1 + c² (1 − R₁²/R₂²)/24R₁² + …) = c (1 +
  /// 2.072e-17 c² + …). Up to 1,000 km the further terms are under 1 % of that one.
  @inline(__always)
  static func squaredReach(past squaredChord: Double) -> Double {
    let chord = squaredChord.squareRoot()
    let reach =
      squaredChord < 1e12
      ? chord * (1 + 2.2e-17 * squaredChord)
      : longestChord(geodesic: longestGeodesic(chord: chord))
    return (reach + margin) * (reach + margin)
  }
}

// MARK: - Answers

/// One answer of a search: which position, and its distance.
public struct Neighbor: Hashable, Sendable {
  /// The offset of the position in the collection that the index was built from.
  public let offset: Int
  /// The geodesic distance on WGS 84.
  public let distance: Distance

  /// Pairs an offset with its distance.
  public init(offset: Int, distance: Distance) {
    self.offset = offset
    self.distance = distance
  }
}

extension Neighbor: Comparable {
  /// Orders by distance, and by offset if distances are equal bit for bit.
  public static func < (left: Neighbor, right: Neighbor) -> Bool {
    (left.distance, left.offset) < (right.distance, right.offset)
  }
}

/// The neighbors of an origin, and the movement for which they stay the same.
public struct NearestAnswer: Hashable, Sendable {
  /// Nearest first, ties by offset.
  public let neighbors: [Neighbor]
  /// How far the origin may move before another *set* of positions could be the answer; nil if it
  /// can move anywhere.
  ///
  /// The order of the neighbors may change sooner.
  public let validRadius: Distance?
  /// What the search did.
  public let statistics: SearchStatistics
  /// The distance of the farthest position inside the inner limit; nil if there is none.
  package let lastInside: Distance?

  package init(
    neighbors: [Neighbor], validRadius: Distance?, statistics: SearchStatistics,
    lastInside: Distance? = nil
  ) {
    self.neighbors = neighbors
    self.validRadius = validRadius
    self.statistics = statistics
    self.lastInside = lastInside
  }

  /// No neighbors, wherever the origin moves, without a search.
  package static let nothing = NearestAnswer(
    neighbors: [], validRadius: nil, statistics: SearchStatistics())
}

/// Counts of what a search did, to explain its running time.
public struct SearchStatistics: Hashable, Sendable {
  /// Groups of sixteen tree nodes whose distances from the origin were bounded at once.
  public internal(set) var nodeGroupsTested = 0
  /// Leaves read, of up to sixteen positions; in a geohash list, runs of it.
  public internal(set) var leavesRead = 0
  /// Positions near enough by their chord to be candidates.
  public internal(set) var candidates = 0
  /// Geodesics computed.
  public internal(set) var geodesics = 0
  /// Calls of the caller's predicate.
  public internal(set) var predicateCalls = 0
  /// Calls in which the predicate returned false.
  public internal(set) var predicateRejections = 0

  /// The statistics of a search that has done nothing yet.
  public init() {}

  /// The combined statistics of two searches.
  public static func + (left: SearchStatistics, right: SearchStatistics) -> SearchStatistics {
    var sum = left
    sum.nodeGroupsTested += right.nodeGroupsTested
    sum.leavesRead += right.leavesRead
    sum.candidates += right.candidates
    sum.geodesics += right.geodesics
    sum.predicateCalls += right.predicateCalls
    sum.predicateRejections += right.predicateRejections
    return sum
  }
}

// MARK: - How long an answer stays right

extension DistanceRange {
  /// The distance the origin may move before the set of neighbors could change; nil if it never
  /// can.
  ///
  /// Moving by r changes every distance by at most r, because the geodesic is a metric. So two
  /// positions whose distances differ by d cannot swap before r = d / 2, and none can cross a fixed
  /// limit d away before r = d.
  ///
  /// - Parameters:
  ///   - neighbors: The answer, nearest first.
  ///   - isFull: Whether another position can only enter by displacing one.
  ///   - next: The distance of the first position after the answer, in the range or beyond it.
  ///   - lastInside: The distance of the farthest position inside the inner limit.
  package func validRadius(
    of neighbors: [Neighbor], isFull: Bool, next: Distance?, lastInside: Distance?
  ) -> Distance? {
    let (outer, inner) = (effective.within, effective.beyond)
    var radius = Distance.infinity
    if let first = neighbors.first?.distance, let last = neighbors.last?.distance {
      if isFull, let next { radius = min(radius, (next - last) / 2) }
      radius = min(radius, outer - last)
      if let inner { radius = min(radius, first - inner) }
    }
    // A position that crosses the outer edge may not displace any yet, but a program that shows
    // everything within the edge then has more to show.
    if let next, next > outer { radius = min(radius, next - outer) }
    if let inner, let lastInside { radius = min(radius, inner - lastInside) }
    return radius < .infinity ? radius : nil
  }
}
