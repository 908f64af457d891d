import Geodesy
import MapAnnotations
import SpatialIndexing

extension AnnotationIndex {
  /// Returns the annotations nearest to a position, nearest first.
  ///
  /// Distances are geodesics on WGS 84. Positions across the antimeridian and around the poles
  /// are neighbors like any other.
  ///
  ///     let three = index.nearest(3, to: cityHall) { $0.kind == .cinema }
  ///     print(three[0].annotation.name ?? "?", three[0].distance)
  ///
  /// - Parameters:
  ///   - limit: How many to return. More than the index holds returns them all.
  ///   - origin: Where distances are measured from.
  ///   - outer: The greatest distance, inclusive.
  ///   - inner: Annotations must lie beyond this distance, exclusive; nil for no such limit.
  ///   - kinds: Only annotations of these kinds; nil for all, with or without a kind.
  ///   - isIncluded: Whether to include an annotation; called at most once for each.
  /// - Returns: At most `limit` results by ascending distance, ties by ascending id; empty when
  ///   none match.
  /// - Precondition: `limit >= 0`; 0 gives an empty answer (the command line refuses it).
  /// - Complexity: O((*k* + *m*) log *n*) expected, *m* being the annotations rejected on the way; O(*n*) at worst.
  public func nearest(
    _ limit: Int, to origin: Coordinate, within outer: Distance = .infinity,
    beyond inner: Distance? = nil, kinds: Set<AnnotationKind>? = nil,
    where isIncluded: (Item) -> Bool
  ) -> NearbyAnswer<Item> {
    let found = withoutActuallyEscaping(isIncluded) { isIncluded in
      nearest(
        limit, to: origin, at: DistanceRange(beyond: inner, within: outer), of: kinds,
        where: { [shelf] in isIncluded(shelf[$0]) })
    }
    return NearbyAnswer(found, on: shelf, from: origin)
  }

  /// Returns the annotations nearest to a position, nearest first.
  ///
  /// Faster than the same search with a closure.
  @inlinable
  public func nearest(
    _ limit: Int, to origin: Coordinate, within outer: Distance = .infinity,
    beyond inner: Distance? = nil, kinds: Set<AnnotationKind>? = nil
  ) -> NearbyAnswer<Item> {
    if kinds != nil || shapes != nil {
      return nearest(limit, to: origin, within: outer, beyond: inner, ofKinds: kinds)
    }
    return NearbyAnswer(
      positions.nearest(limit, to: origin, within: outer, beyond: inner), on: shelf, from: origin)
  }

  @usableFromInline
  func nearest(
    _ limit: Int, to origin: Coordinate, within outer: Distance, beyond inner: Distance?,
    ofKinds kinds: Set<AnnotationKind>?
  ) -> NearbyAnswer<Item> {
    NearbyAnswer(
      nearest(
        limit, to: origin, at: DistanceRange(beyond: inner, within: outer), of: kinds, where: nil),
      on: shelf, from: origin)
  }

  /// Returns the nearest annotations of each kind, grouped by kind.
  ///
  /// Kinds come in the order of their names, annotations without a kind last.
  ///
  /// - Parameters: As for `nearest`; `limit` applies to each kind.
  /// - Returns: Each kind's results by ascending (distance, id); `validRadius` is the smallest over all kinds.
  /// - Complexity: one search for each kind.
  public func nearestOfEachKind(
    _ limit: Int, to origin: Coordinate, within outer: Distance = .infinity,
    beyond inner: Distance? = nil, kinds: Set<AnnotationKind>? = nil,
    where isIncluded: ((Item) -> Bool)? = nil
  ) -> NearbyAnswer<Item> {
    nearestOfEachKind(
      limit, to: origin, at: DistanceRange(beyond: inner, within: outer), of: kinds,
      where: isIncluded.map { isIncluded in { isIncluded(annotation(at: $0)) } })
  }

  /// Returns every annotation within a distance (inclusive) of a position, nearest first.
  ///
  /// - Returns: Results by ascending (distance, id); empty for a negative radius.
  /// - Complexity: O(log *n* + *r* log *r*) expected for *r* results.
  public func annotations(
    within radius: Distance, of origin: Coordinate, kinds: Set<AnnotationKind>? = nil,
    where isIncluded: (Item) -> Bool
  ) -> NearbyAnswer<Item> {
    nearest(.max, to: origin, within: radius, kinds: kinds, where: isIncluded)
  }

  /// Returns every annotation within a distance (inclusive) of a position, nearest first.
  ///
  /// Faster than the same search with a closure.
  public func annotations(
    within radius: Distance, of origin: Coordinate, kinds: Set<AnnotationKind>? = nil
  ) -> NearbyAnswer<Item> {
    nearest(.max, to: origin, within: radius, kinds: kinds)
  }

  /// Returns the annotations in a box, edges included, by ascending id.
  ///
  /// - Complexity: O(√*n* + *r* log *r*) expected for *r* results.
  public func annotations(
    in box: BoundingBox, kinds: Set<AnnotationKind>? = nil
  ) -> AnnotationList<Item> {
    AnnotationList(places(in: .box(box), of: kinds), on: shelf)
  }

  /// Returns the annotations in an area with straight edges, border included, by ascending id.
  ///
  /// For polygons, lines and areas count if they intersect them; for any other kind of area, if their coordinate is in
  /// it.
  public func annotations(
    in area: some Area, kinds: Set<AnnotationKind>? = nil
  ) -> AnnotationList<Item> {
    if shapes != nil,
      let polygons = area as? MultiPolygon ?? (area as? Polygon).map({ MultiPolygon([$0]) })
    {
      return AnnotationList(places(in: .polygons(polygons), of: kinds), on: shelf)
    }
    let filter = filter(kinds: kinds)
    let list = AnnotationList(
      positions.positions(in: area, categories: filter.categories), on: shelf)
    return filter.isExact ? list : list.filtered(filter.includes)
  }

  /// Returns the number of placed annotations in a box, edges included.
  ///
  /// - Complexity: O(√*n*) expected; annotations are not read.
  public func count(in box: BoundingBox) -> Int {
    shapes == nil ? positions.count(in: box) : places(in: .box(box), of: nil).count
  }

  /// Returns the number of placed annotations within a distance, inclusive.
  ///
  /// - Complexity: O(√*n*) expected; annotations are not read.
  public func count(within radius: Distance, of origin: Coordinate) -> Int {
    shapes == nil
      ? positions.count(within: radius, of: origin)
      : nearest(
        .max, to: origin, at: DistanceRange(beyond: nil, within: radius), of: nil, where: nil
      ).neighbors.count
  }

  /// All placed annotations, nearest first, found lazily as you iterate.
  ///
  /// For pages whose end is not known beforehand: `prefix(20)`, then twenty more from the same
  /// iterator.
  ///
  /// - Returns: Results by ascending (distance, id).
  /// - Complexity: O(log *n*) expected for each result; O(*m*) memory for the first *m*.
  public func annotationsByDistance(
    from origin: Coordinate
  ) -> some Sequence<NearbyResult<Item>> {
    shapes == nil
      ? AnySequence(
        positions.neighborsByDistance(from: origin).lazy.map { [shelf] in
          NearbyResult($0, on: shelf, from: origin)
        })
      : AnySequence(nearest(.max, to: origin))
  }

  func filter(kinds: Set<AnnotationKind>?) -> KindFilter {
    KindFilter(kinds: kinds, among: categories)
  }
}
