import Geodesy
import MapAnnotations
import SpatialIndexing

extension LiveAnnotationSnapshot: AnnotationSearching {
  /// Answers a query; annotations that expire at the context's `now` or before are left out.
  public func answer(
    _ query: NearbyQuery, in context: QueryContext<Item>
  ) throws(QueryError) -> NearbyAnswer<Item> {
    let source = LiveQuerySource(snapshot: self, now: context.now)
    return try QueryRun(source, query, QueryPlan(query), context).answer()
  }
}

/// A snapshot at an instant, whose places are numbers, assigned as annotations arrive.
struct LiveQuerySource<Item: Annotation>: QuerySource {
  let snapshot: LiveAnnotationSnapshot<Item>
  let now: Double

  var shelf: AnnotationShelf<Item> { snapshot.shelf }

  var items: AnnotationList<Item> {
    AnnotationList(everything.places, on: shelf)
  }

  var everything: (places: [Int], shelf: AnnotationShelf<Item>) {
    (snapshot.numbers(now: now), shelf)
  }

  var placedKinds: KindCategories { snapshot.categories }

  var categories: KindCategories? { snapshot.categories }

  var shapes: AnnotationShapes? { snapshot.shapes?.index }

  func places(in area: QueryArea, of kinds: Set<AnnotationKind>?) -> [Int] {
    snapshot.numbers(in: area, of: kinds, now: now).sorted()
  }

  func nearest(
    _ limit: Int, to origin: Coordinate, at distances: DistanceRange,
    of kinds: Set<AnnotationKind>?,
    where isIncluded: ((Int) -> Bool)?
  ) -> NearestAnswer {
    if distances.beyond != nil {
      // A live tree cannot leave out a hole: everything is ranked.
      let ranked = snapshot.nearest(
        .max, to: origin, within: .infinity, kinds: kinds, now: now, asking: isIncluded)
      return NearestAnswer(
        ranked: ranked.neighbors.map { measured($0, from: origin, at: distances) }, limit: limit,
        at: distances, statistics: ranked.statistics)
    }
    return snapshot.nearest(
      limit, to: origin, within: distances.within, kinds: kinds, now: now, asking: isIncluded)
  }
}
