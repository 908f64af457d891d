import Geodesy
import MapAnnotations
import SpatialIndexing

extension LiveAnnotationSnapshot {
  /// Returns the annotations nearest to a position, nearest first.
  ///
  /// - Parameters:
  ///   - limit: How many to return; more than there are returns them all.
  ///   - origin: Where distances are measured from.
  ///   - outer: The greatest distance, itself included.
  ///   - kinds: Only annotations of these kinds; nil for all, with or without a kind.
  ///   - now: What expires at this instant or before does not count; by default nothing does.
  ///   - isIncluded: Whether an annotation counts; now and then asked more than once for one.
  /// - Returns: What `AnnotationIndex.nearest` returns over the same annotations: results by
  ///   ascending (distance, id) and how far the origin may move before another set could be the
  ///   answer, as long as nothing changes. Its `statistics` are all 0: a live search does not count.
  /// - Precondition: `limit >= 0`.
  /// - Complexity: O((*k* + *m*) log *n*) expected, *m* being annotations refused on the way; O(*n*)
  ///   at worst.
  public func nearest(
    _ limit: Int, to origin: Coordinate, within outer: Distance = .infinity,
    kinds: Set<AnnotationKind>? = nil, now: Double = -.infinity,
    where isIncluded: (Item) -> Bool = { _ in true }
  ) -> NearbyAnswer<Item> {
    precondition(limit >= 0, "cannot return \(limit) annotations")
    let ring = NearestRing(outer: outer)
    guard limit > 0, !ring.isEmpty else {
      return NearbyAnswer(results: [], validRadius: nil, statistics: SearchStatistics())
    }
    return withoutActuallyEscaping(isIncluded) { isIncluded in
      let filter = KindFilter(kinds: kinds, among: categories)
      let search = { (limit: Int, outer: Distance) in
        positions.nearest(
          limit, to: origin, within: outer, categories: filter.categories, now: now
        ) {
          let item = item($0)
          return filter.includes(item) && isIncluded(item)
        }
      }
      return answer(limit, from: origin, in: ring, search)
    }
  }

  /// Returns every annotation within a distance of a position, itself included, nearest first.
  ///
  /// - Returns: Results by ascending (distance, id); empty for a negative radius.
  /// - Complexity: O(log *n* + *r* log *r*) expected for *r* results.
  public func annotations(
    within radius: Distance, of origin: Coordinate, kinds: Set<AnnotationKind>? = nil,
    now: Double = -.infinity, where isIncluded: (Item) -> Bool = { _ in true }
  ) -> NearbyAnswer<Item> {
    nearest(.max, to: origin, within: radius, kinds: kinds, now: now, where: isIncluded)
  }

  /// Returns the annotations in a box, by ascending id; edges belong to it.
  ///
  /// - Complexity: O(√*n* + *r* log *r*) expected for *r* results.
  public func annotations(
    in box: BoundingBox, kinds: Set<AnnotationKind>? = nil, now: Double = -.infinity
  ) -> [Item] {
    let filter = KindFilter(kinds: kinds, among: categories)
    return positions.objects(in: box, categories: filter.categories, now: now)
      .map(item).filter(filter.includes).sorted { $0.id < $1.id }
  }

  /// Puts the answers of a search by numbers in the order of ids, and sees how long they hold.
  private func answer(
    _ limit: Int, from origin: Coordinate, in ring: NearestRing,
    _ search: (_ limit: Int, _ outer: Distance) -> [LiveNeighbor]
  ) -> NearbyAnswer<Item> {
    // One more than asked: the first one left out says how far the answer holds.
    var found = search(limit == .max ? limit : limit + 1, ring.outer)
    if found.count > limit, found[limit - 1].distance == found[limit].distance {
      // Which of those at one distance belong to the answer, their ids decide.
      found = search(.max, found[limit].distance)
    }
    let ranked: [(item: Item, neighbor: LiveNeighbor)] = found.map { (item($0.object), $0) }
      .sorted { left, right in
        if left.neighbor.distance != right.neighbor.distance {
          return left.neighbor.distance < right.neighbor.distance
        }
        return left.item.id < right.item.id
      }
    let results = ranked.prefix(limit).map {
      NearbyResult(
        annotation: $0.item, coordinate: $0.neighbor.object.coordinate,
        distance: $0.neighbor.distance, origin: origin)
    }
    var next = ranked.count > limit ? ranked[limit].neighbor.distance : nil
    if next == nil, ring.outer < .infinity {
      let more = search(results.count + 1, .infinity)
      next = more.count > results.count ? more.last?.distance : nil
    }
    let neighbors = results.enumerated().map { Neighbor(position: $0, distance: $1.distance) }
    return NearbyAnswer(
      results: results,
      validRadius: ring.validRadius(
        of: neighbors, isFull: results.count == limit, next: next, lastInside: nil),
      statistics: SearchStatistics())
  }
}
