import Geodesy
import MapAnnotations
import SpatialIndexing

/// Searches annotations one by one, without an index.
///
/// The right choice for a list of some hundreds, for annotations without positions, and for a list searched only once.
///
///     let milk = try AnnotationScan(fridge).answer(query)
///
/// - Complexity: Nothing to build; O(*n* log *n*) for each query.
public struct AnnotationScan<Annotations: RandomAccessCollection & Sendable>: Sendable
where Annotations.Element: Annotation, Annotations.Index == Int {
  /// The type of the annotations.
  public typealias Item = Annotations.Element

  /// The annotations to search, in any order.
  public let annotations: Annotations
  @usableFromInline let shelf: AnnotationShelf<Item>

  /// A scan of annotations.
  @inlinable
  public init(_ annotations: Annotations) {
    self.annotations = annotations
    shelf = AnnotationShelf(annotations)
  }
}

extension AnnotationScan: AnnotationSearching {
  /// Answers a query.
  public func answer(
    _ query: NearbyQuery, in context: QueryContext<Item>
  ) throws(QueryError) -> NearbyAnswer<Item> {
    try QueryRun(self, query, QueryPlan(query), context).answer()
  }
}

extension AnnotationScan {
  /// Which annotations match a query: their offsets in `annotations`, ascending.
  ///
  /// The query's order, limit, pages, groups and facets are ignored.
  ///
  /// - Throws: `QueryError`, where the query does not fit the annotations.
  /// - Complexity: O(*n*), and a geodesic for each match where there is an origin.
  public func offsets(
    matching query: NearbyQuery, in context: QueryContext<Item> = QueryContext()
  ) throws(QueryError) -> [Int] {
    var query = query
    query.order = nil
    query.limit = .max
    query.after = nil
    query.isPerKind = false
    query.facets = []
    return try QueryRun(self, query, QueryPlan(query), context).matchingPlaces()
  }
}

extension AnnotationScan: QuerySource {
  var items: Annotations { annotations }

  private var places: Range<Int> { 0..<annotations.count }

  var everything: (places: [Int], shelf: AnnotationShelf<Item>) { (Array(places), shelf) }

  var placedKinds: KindCategories {
    KindCategories(annotations.lazy.filter { $0.coordinate != nil }.map { $0.kind })
  }

  var categories: KindCategories? { nil }

  var shapes: AnnotationShapes? { nil }

  /// The same: each distance is a geodesic, whatever else is found.
  func measuredAlone(_ neighbors: [Neighbor], from origin: Coordinate) -> [Neighbor] { neighbors }

  func places(in area: QueryArea, of kinds: Set<AnnotationKind>?) -> [Int] {
    let isOfKind = KindFilter(kinds: kinds, among: nil)
    return places.filter { place in
      let item = shelf[place]
      return area.holds(item) && isOfKind.includes(item)
    }
  }

  func nearest(
    _ limit: Int, to origin: Coordinate, at distances: DistanceRange,
    of kinds: Set<AnnotationKind>?,
    where isIncluded: ((Int) -> Bool)?
  ) -> NearestAnswer {
    let isOfKind = KindFilter(kinds: kinds, among: nil)
    let rows = places.compactMap { place -> (neighbor: Neighbor, key: ResultOrderKey)? in
      let item = shelf[place]
      guard let distance = item.distance(from: origin), isOfKind.includes(item),
        isIncluded?(place) ?? true
      else { return nil }
      return (Neighbor(offset: place, distance: distance), ResultOrderKey(item, place: place))
    }.sorted { left, right in
      left.neighbor.distance == right.neighbor.distance
        ? left.key < right.key : left.neighbor.distance < right.neighbor.distance
    }
    return NearestAnswer(ranked: rows.map(\.neighbor), limit: limit, at: distances)
  }
}

extension NearestAnswer {
  /// The answer where everything that matches apart from its distance is known.
  ///
  /// - Parameters:
  ///   - ranked: All of it, nearest first.
  ///   - statistics: Those of the search that found it.
  init(
    ranked: [Neighbor], limit: Int, at distances: DistanceRange,
    statistics: SearchStatistics = SearchStatistics()
  ) {
    guard limit > 0, !distances.isEmpty else {
      self = .nothing
      return
    }
    let start =
      distances.beyond.flatMap { inner in
        ranked.firstIndex { $0.distance > inner } ?? ranked.count
      } ?? 0
    let inside = ranked[start...].prefix { $0.distance <= distances.within }
    let neighbors = Array(inside.prefix(limit))
    let rest = start + neighbors.count
    self.init(
      neighbors: neighbors,
      validRadius: distances.validRadius(
        of: neighbors, isFull: neighbors.count == limit,
        next: rest < ranked.count ? ranked[rest].distance : nil,
        lastInside: start > 0 ? ranked[start - 1].distance : nil),
      statistics: statistics)
  }
}
