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
  ///   may move before another set could be the answer, and what the search did. Nothing lies in a
  ///   ring with `beyond` ≥ `within`.
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
    let ring = NearestRing(outer: outer, inner: inner)
    guard limit > 0, !ring.isEmpty else {
      return NearestAnswer(neighbors: [], validRadius: nil, statistics: SearchStatistics())
    }
    return withoutActuallyEscaping(isIncluded) { isIncluded in
      withTree { tree in
        // One more than asked: the first one left out says how far the answer holds.
        var walk = NearestWalk(
          tree: tree, origin: origin, limit: limit == .max ? limit : limit + 1, ring: ring,
          categories: categories, isIncluded: isIncluded)
        var neighbors = walk.run()
        var statistics = walk.statistics
        var next = neighbors.count > limit ? neighbors.removeLast().distance : nil
        if next == nil, ring.outer < .infinity {
          var beyond = NearestWalk(
            tree: tree, origin: origin, limit: 1,
            ring: NearestRing(outer: .infinity, inner: ring.outer), categories: categories,
            isIncluded: isIncluded)
          next = beyond.run().first?.distance
          statistics = statistics + beyond.statistics
        }
        var last: Distance?
        if let inner = ring.inner {
          var inside = NearestHoleWalk(
            tree: tree, origin: origin, radius: inner, categories: categories,
            isIncluded: isIncluded)
          last = inside.run()
          statistics = statistics + inside.statistics
        }
        return NearestAnswer(
          neighbors: neighbors,
          validRadius: ring.validRadius(
            of: neighbors, isFull: neighbors.count == limit, next: next, lastInside: last),
          statistics: statistics)
      }
    }
  }
}
