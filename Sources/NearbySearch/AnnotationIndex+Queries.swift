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
    let found =
      kinds != nil || shapes != nil
      ? nearest(
        limit, to: origin, at: DistanceRange(beyond: inner, within: outer), of: kinds, where: nil)
      : positions.nearest(limit, to: origin, within: outer, beyond: inner)
    return NearbyAnswer(found, on: shelf, from: origin)
  }

  /// Returns every annotation within a distance (inclusive) of a position, nearest first.
  ///
  /// - Returns: Results by ascending (distance, id); empty for a negative radius.
  /// - Complexity: O(log *n* + *r* log *r*) expected for *r* results.
  public func annotations(
    within radius: Distance, of origin: Coordinate, kinds: Set<AnnotationKind>? = nil
  ) -> NearbyAnswer<Item> {
    nearest(.max, to: origin, within: radius, kinds: kinds)
  }

  /// Returns the annotations in a box, edges included, by ascending id.
  ///
  /// Polygons are asked for with ``NearbyQuery/area``.
  ///
  /// - Complexity: O(√*n* + *r* log *r*) expected for *r* results.
  public func annotations(
    in box: BoundingBox, kinds: Set<AnnotationKind>? = nil
  ) -> AnnotationList<Item> {
    AnnotationList(places(in: .box(box), of: kinds), on: shelf)
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

  func filter(kinds: Set<AnnotationKind>?) -> KindFilter {
    KindFilter(kinds: kinds, among: categories)
  }
}
