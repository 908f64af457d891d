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
  /// - Returns: At most `limit` neighbors by ascending (distance, position), how far the origin may
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
        limit, to: origin, ring: NearestRing(outer: outer, inner: inner), categories: categories,
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
      limit, to: origin, ring: NearestRing(outer: outer, inner: inner), categories: categories,
      isIncluded: nil)
  }

  private func search(
    _ limit: Int, to origin: Coordinate, ring: NearestRing, categories: CategorySet,
    isIncluded: ((Int) -> Bool)?
  ) -> NearestAnswer {
    precondition(limit >= 0, "cannot return \(limit) neighbors")
    guard limit > 0, !ring.isEmpty else {
      return NearestAnswer(neighbors: [], validRadius: nil, statistics: SearchStatistics())
    }
    let asking = isIncluded.map(PredicateAsking.init)
    return withTree(of: categories) { tree, categories in
      guard tree.shape.count > 0, tree.canTell(categories) else {
        return NearestAnswer(neighbors: [], validRadius: nil, statistics: SearchStatistics())
      }
      var statistics = SearchStatistics()
      func counted() -> SearchStatistics {
        statistics.predicateCalls = asking?.calls ?? 0
        statistics.predicateRejections = asking?.rejections ?? 0
        return statistics
      }
      if ring.inner == nil, limit < tree.shape.count, limit <= KDTreeIndex.greatestLocalLimit {
        var question = LocalQuestion(
          search: LocalSearch(
            tree: tree, origin: origin, limit: limit + 1, categories: categories, asking: asking),
          ring: ring)
        question.ask()
        statistics = question.search.statistics
        if let (neighbors, radius) = question.answer {
          return NearestAnswer(
            neighbors: neighbors, validRadius: radius, statistics: counted())
        }
      }
      let answer = searchAnywhere(
        limit, PackedTree(tree, categories: categories, asking: asking), origin: origin, ring: ring)
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
    _ limit: Int, _ tree: PackedTree, origin: Coordinate, ring: NearestRing
  ) -> NearestAnswer {
    var statistics = SearchStatistics()
    func nearest(_ limit: Int, _ ring: NearestRing) -> ArraySlice<Neighbor> {
      tree.asking?.beginAgain()
      var walk = GroundWalk(tree, origin: origin, limit: limit, ring: ring)
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
      guard limit == .max, ring.inner == nil, tree.asking == nil, let inside = circle(ring.outer),
        let slots = circle(ring.outer * 1.05)?.slots()
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
    var neighbors = all?.neighbors ?? Array(nearest(limit == .max ? limit : limit + 1, ring))
    var next = all?.next ?? (neighbors.count > limit ? neighbors.removeLast().distance : nil)
    if next == nil, ring.outer < .infinity {
      next = nearest(1, NearestRing(outer: .infinity, inner: ring.outer)).first?.distance
    }
    var last: Distance?
    if let inner = ring.inner {
      tree.asking?.beginAgain()
      var inside = GroundWalk(tree, origin: origin, farthestWithin: inner)
      last = tree.view.measuredNeighbors(of: inside.run(), from: origin).0.last?.distance
      statistics = statistics + inside.statistics
    }
    return NearestAnswer(
      neighbors: neighbors,
      validRadius: ring.validRadius(
        of: neighbors, isFull: neighbors.count == limit, next: next, lastInside: last),
      statistics: statistics, lastInside: last)
  }
}

/// One search for neighbors by the local metric, in stack memory.
private struct LocalQuestion {
  /// Searches for one more than requested: the first one left out tells how far the answer holds.
  var search: LocalSearch
  let ring: NearestRing
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
    var buffer = QueryBuffer(lent: memory)
    answer = search.run(isMeasured: true, buffer: &buffer) { [ring, limit = search.limit - 1] in
      LocalQuestion.answer(limit, of: $0, in: ring)
    }
  }

  /// Returns the first `limit` of a ranking within a range without an inner limit.
  private static func answer(
    _ limit: Int, of ranking: NearestRanking, in ring: NearestRing
  ) -> (neighbors: [Neighbor], validRadius: Distance?) {
    func distance(_ rank: Int) -> Distance { .meters(ranking.distance(rank: rank)) }
    var inside = 0
    while inside < limit, distance(inside) <= ring.outer { inside += 1 }
    let neighbors = (0..<inside).map { rank in
      Neighbor(position: Int(ranking.position(rank: rank)), distance: distance(rank))
    }
    return (
      neighbors,
      ring.validRadius(
        of: neighbors, isFull: inside == limit, next: distance(inside), lastInside: nil)
    )
  }
}
