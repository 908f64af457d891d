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
    where isIncluded: (Item) -> Bool
  ) -> NearbyAnswer<Item> {
    withoutActuallyEscaping(isIncluded) { isIncluded in
      NearbyAnswer(
        nearest(
          limit, to: origin, within: outer, kinds: kinds, now: now,
          asking: { isIncluded(shelf[$0]) }), on: shelf, from: origin)
    }
  }

  /// Returns the annotations nearest to a position, nearest first: the same without a closure, which
  /// takes less time.
  public func nearest(
    _ limit: Int, to origin: Coordinate, within outer: Distance = .infinity,
    kinds: Set<AnnotationKind>? = nil, now: Double = -.infinity
  ) -> NearbyAnswer<Item> {
    NearbyAnswer(
      nearest(limit, to: origin, within: outer, kinds: kinds, now: now, asking: nil), on: shelf,
      from: origin)
  }

  /// Returns every annotation within a distance of a position, itself included, nearest first.
  ///
  /// - Returns: Results by ascending (distance, id); empty for a negative radius.
  /// - Complexity: O(log *n* + *r* log *r*) expected for *r* results.
  public func annotations(
    within radius: Distance, of origin: Coordinate, kinds: Set<AnnotationKind>? = nil,
    now: Double = -.infinity
  ) -> NearbyAnswer<Item> {
    nearest(.max, to: origin, within: radius, kinds: kinds, now: now)
  }

  /// Returns every annotation within a distance of which something is true, nearest first.
  public func annotations(
    within radius: Distance, of origin: Coordinate, kinds: Set<AnnotationKind>? = nil,
    now: Double = -.infinity, where isIncluded: (Item) -> Bool
  ) -> NearbyAnswer<Item> {
    nearest(.max, to: origin, within: radius, kinds: kinds, now: now, where: isIncluded)
  }

  /// Returns the annotations in a box, by ascending id; edges belong to it.
  ///
  /// - Complexity: O(√*n* + *r* log *r*) expected for *r* results.
  public func annotations(
    in box: BoundingBox, kinds: Set<AnnotationKind>? = nil, now: Double = -.infinity
  ) -> AnnotationList<Item> {
    let filter = KindFilter(kinds: kinds, among: categories)
    var rows = positions.objects(in: box, categories: filter.categories, now: now).map { object in
      (id: annotation(Int(object.id)).id, place: Int(object.id))
    }
    rows.sort { $0.id < $1.id }
    let list = AnnotationList(rows.map(\.place), on: shelf)
    return filter.isExact ? list : list.filtered(filter.includes)
  }

  /// Puts the answers of a search by numbers in the order of ids, and sees how long they hold.
  ///
  /// - Parameter isIncluded: Whether the annotation of a number counts; nil where all do.
  func nearest(
    _ limit: Int, to origin: Coordinate, within outer: Distance, kinds: Set<AnnotationKind>?,
    now: Double, asking isIncluded: ((Int) -> Bool)?
  ) -> NearestAnswer {
    precondition(limit >= 0, "cannot return \(limit) annotations")
    let ring = NearestRing(outer: outer)
    guard limit > 0, !ring.isEmpty else {
      return NearestAnswer(neighbors: [], validRadius: nil, statistics: SearchStatistics())
    }
    let filter = KindFilter(kinds: kinds, among: categories)
    let isAsked: ((LiveObject) -> Bool)? =
      if filter.isExact {
        isIncluded.map { isIncluded in { isIncluded(Int($0.id)) } }
      } else {
        { object in
          filter.includes(shelf[Int(object.id)]) && isIncluded?(Int(object.id)) ?? true
        }
      }
    func search(_ limit: Int, _ outer: Distance) -> [LiveNeighbor] {
      positions.nearest(
        limit, to: origin, within: outer, categories: filter.categories, now: now, where: isAsked)
    }
    // One more than asked: the first one left out says how far the answer holds.
    var found = search(limit == .max ? limit : limit + 1, ring.outer)
    if found.count > limit, found[limit - 1].distance == found[limit].distance {
      // Which of those at one distance belong to the answer, their ids decide.
      found = search(.max, found[limit].distance)
    }
    var ranked = found.map { Neighbor(position: Int($0.object.id), distance: $0.distance) }
    orderTies(&ranked)
    var next = ranked.count > limit ? ranked[limit].distance : nil
    if ranked.count > limit { ranked.removeSubrange(limit...) }
    if next == nil, ring.outer < .infinity {
      let more = search(ranked.count + 1, .infinity)
      next = more.count > ranked.count ? more.last?.distance : nil
    }
    return NearestAnswer(
      neighbors: ranked,
      validRadius: ring.validRadius(
        of: ranked, isFull: ranked.count == limit, next: next, lastInside: nil),
      statistics: SearchStatistics())
  }

  /// Puts neighbors at one distance, which stand by their numbers, in the order of their ids.
  private func orderTies(_ neighbors: inout [Neighbor]) {
    var start = 0
    while start + 1 < neighbors.count {
      var end = start + 1
      while end < neighbors.count, neighbors[end].distance == neighbors[start].distance { end += 1 }
      if end > start + 1 {
        neighbors[start..<end].sort {
          annotation($0.position).id < annotation($1.position).id
        }
      }
      start = end
    }
  }
}
