import Geodesy
import MapAnnotations
import SpatialIndexing

extension LiveAnnotationSnapshot {
  /// Returns the annotations nearest to a position, nearest first.
  ///
  /// - Parameters:
  ///   - limit: How many to return; more than there are returns them all.
  ///   - origin: Where distances are measured from.
  ///   - outer: The greatest distance, inclusive.
  ///   - inner: Annotations must lie beyond this distance, exclusive; nil for no such limit.
  ///   - kinds: Only annotations of these kinds; nil for all, with or without a kind.
  ///   - now: Annotations that expire at this instant or before are left out; by default, none are.
  ///   - isIncluded: Whether to include an annotation, occasionally called more than once for one; nil to include all,
  ///     which is faster.
  /// - Returns: As from `AnnotationIndex.nearest` over the same annotations: results by ascending (distance, id), and
  ///   how far the origin may move before another set could be the answer, as long as the data does not change.
  /// - Precondition: `limit >= 0`.
  /// - Complexity: O((*k* + *m*) log *n*) expected, *m* being the annotations rejected on the way; O(*n*) at worst. With
  ///   `beyond`, O(*n* log *n*): everything is measured.
  public func nearest(
    _ limit: Int, to origin: Coordinate, within outer: Distance = .infinity,
    beyond inner: Distance? = nil, kinds: Set<AnnotationKind>? = nil, now: Double = -.infinity,
    where isIncluded: ((Item) -> Bool)? = nil
  ) -> NearbyAnswer<Item> {
    precondition(limit >= 0, "cannot return \(limit) annotations")
    let isPlaceIncluded: ((Int) -> Bool)? = isIncluded.map { isIncluded in
      { isIncluded(shelf[$0]) }
    }
    let found = LiveQuerySource(snapshot: self, now: now).nearest(
      limit, to: origin, at: DistanceRange(beyond: inner, within: outer).effective, of: kinds,
      where: isPlaceIncluded)
    return NearbyAnswer(found, on: shelf, from: origin)
  }

  /// Returns every annotation within a distance (inclusive) of a position, nearest first.
  ///
  /// - Returns: Results by ascending (distance, id); empty for a negative radius.
  /// - Complexity: O(log *n* + *r* log *r*) expected for *r* results.
  public func annotations(
    within radius: Distance, of origin: Coordinate, kinds: Set<AnnotationKind>? = nil,
    now: Double = -.infinity
  ) -> NearbyAnswer<Item> {
    nearest(.max, to: origin, within: radius, kinds: kinds, now: now)
  }

  /// Returns the annotations in a box, edges included, by ascending id.
  ///
  /// - Complexity: O(√*n* + *r* log *r*) expected for *r* results.
  public func annotations(
    in box: BoundingBox, kinds: Set<AnnotationKind>? = nil, now: Double = -.infinity
  ) -> AnnotationList<Item> {
    let places = numbers(in: .box(box), of: kinds, now: now)
      .map { (id: slots.key($0).id, place: $0) }.sorted { $0.id < $1.id }
    return AnnotationList(places.map(\.place), on: shelf)
  }

  /// Returns the number of annotations in a box, edges included.
  ///
  /// - Complexity: O(√*n* + *r*) expected for a number of *r*; annotations are not read.
  public func count(in box: BoundingBox, now: Double = -.infinity) -> Int {
    shapes == nil
      ? positions.count(in: box, now: now) : numbers(in: .box(box), of: nil, now: now).count
  }

  /// Returns the number of annotations within a distance, inclusive.
  ///
  /// - Complexity: O(log *n* + *r* log *r*) expected for a number of *r*; annotations are not read.
  public func count(
    within radius: Distance, of origin: Coordinate, now: Double = -.infinity
  ) -> Int {
    nearest(.max, to: origin, within: radius, kinds: nil, now: now, asking: nil).neighbors.count
  }

  /// The numbers of the annotations in an area, each once, in no particular order.
  func numbers(in area: QueryArea, of kinds: Set<AnnotationKind>?, now: Double) -> [Int] {
    let filter = KindFilter(kinds: kinds, among: categories)
    func objects(in box: BoundingBox) -> [LiveObject] {
      positions.objects(in: box, categories: filter.categories, now: now)
    }
    var found: [Int]
    switch area {
    case .everywhere: found = objects(in: .world).map { Int($0.id) }
    case .box(let box): found = objects(in: box).map { Int($0.id) }
    case .polygons(let polygons):
      let held = polygons.boundingBoxes.flatMap(objects).filter { polygons.contains($0.coordinate) }
      found = Array(Set(held.map { Int($0.id) }))
    }
    if !filter.isExact { found.removeAll { !filter.includes(shelf[$0]) } }
    guard area != .everywhere, let shapes = shapes?.index else { return found }
    // Shapes match by intersection, all others by their coordinate.
    let isOfKind = KindFilter(kinds: kinds, among: nil)
    return found.filter { !shapes.has($0) }
      + shapes.places(in: area).filter { place in
        slots.key(place).expiry > now && isOfKind.includes(slots[place])
      }
  }

  /// Searches by number, with ties in the order of ids, and finds how far the answer holds.
  ///
  /// - Parameter isIncluded: Whether to include the annotation with a number; nil to include all.
  func nearest(
    _ limit: Int, to origin: Coordinate, within outer: Distance, kinds: Set<AnnotationKind>?,
    now: Double, asking isIncluded: ((Int) -> Bool)?
  ) -> NearestAnswer {
    precondition(limit >= 0, "cannot return \(limit) annotations")
    if let shapes = shapes?.index {
      let isOfKind = KindFilter(kinds: kinds, among: nil)
      func isAsked(_ place: Int) -> Bool {
        slots.key(place).expiry > now && isOfKind.includes(slots[place])
          && isIncluded?(place) ?? true
      }
      return shapes.nearest(
        limit, origin, DistanceRange(within: outer), isAsked, by: precedes,
        distance: { slots[$0].distance(from: origin) }
      ) { limit in
        nearestPoints(limit, to: origin, within: outer, kinds: kinds, now: now) { place in
          !shapes.has(place) && isIncluded?(place) ?? true
        }
      }
    }
    return nearestPoints(
      limit, to: origin, within: outer, kinds: kinds, now: now, asking: isIncluded)
  }

  /// The same search by coordinates alone.
  private func nearestPoints(
    _ limit: Int, to origin: Coordinate, within outer: Distance, kinds: Set<AnnotationKind>?,
    now: Double, asking isIncluded: ((Int) -> Bool)?
  ) -> NearestAnswer {
    let distances = DistanceRange(within: outer).effective
    guard limit > 0, !distances.isEmpty else {
      return NearestAnswer(neighbors: [], validRadius: nil, statistics: SearchStatistics())
    }
    let filter = KindFilter(kinds: kinds, among: categories)
    let isAsked = filter.asking(isIncluded, on: shelf)
    var statistics = SearchStatistics()
    func search(_ limit: Int, _ outer: Distance) -> [Neighbor] {
      let found = positions.nearestIDs(
        limit, to: origin, within: outer, categories: filter.categories, now: now, where: isAsked)
      statistics = statistics + found.statistics
      return found.neighbors
    }
    // One more than asked for: the first one left out tells how far the answer holds.
    var ranked = search(limit == .max ? limit : limit + 1, distances.within)
    if ranked.count > limit, ranked[limit - 1].distance == ranked[limit].distance {
      // Ids decide which of those at the same distance belong to the answer. Measured again, a distance may differ by
      // some nanometers.
      ranked = search(.max, min(distances.within, ranked[limit].distance + .meters(1e-6)))
    }
    orderTies(&ranked)
    var next = ranked.count > limit ? ranked[limit].distance : nil
    if ranked.count > limit { ranked.removeSubrange(limit...) }
    if next == nil, distances.within < .infinity {
      let more = search(ranked.count + 1, .infinity)
      next = more.count > ranked.count ? more.last?.distance : nil
    }
    return NearestAnswer(
      neighbors: ranked,
      validRadius: distances.validRadius(
        of: ranked, isFull: ranked.count == limit, next: next, lastInside: nil),
      statistics: statistics)
  }

  /// Orders neighbors whose distances ascend already; most have no equal ones, and sorting would take half of a search.
  private func orderTies(_ neighbors: inout [Neighbor]) {
    let hasTies = neighbors.indices.dropFirst().contains {
      neighbors[$0 - 1].distance == neighbors[$0].distance
    }
    if hasTies { neighbors.sort(by: precedes) }
  }

  /// Whether a neighbor comes before another: by distance, ties by id.
  private func precedes(_ left: Neighbor, _ right: Neighbor) -> Bool {
    left.distance == right.distance
      ? slots.key(left.offset).id < slots.key(right.offset).id
      : left.distance < right.distance
  }
}
