import Geodesy
import MapAnnotations
import SpatialIndexing

extension AnnotationIndex: AnnotationSearching {
  /// Answers a query.
  ///
  /// - Complexity: That of the search that ``QueryPlan`` chooses: of `nearest`, of `annotations(in:)`, O(*i* log *n*)
  ///   for *i* ids; O(*n*) if all must be tested. The rest of a condition is tested on what the search finds.
  public func answer(
    _ query: NearbyQuery, in context: QueryContext<Item>
  ) throws(QueryError) -> NearbyAnswer<Item> {
    let plan = QueryPlan(query)
    // The most common query is answered before anything is set up.
    if let origin = query.origin, query.asksOnlyForTheNearest(by: plan) {
      var answer = nearest(
        max(query.limit, 0), to: origin, within: plan.distances.within,
        beyond: plan.distances.beyond, kinds: plan.kinds)
      if query.measuresDistance { answer.validRadius = .zero }
      answer.plan = plan
      return answer
    }
    return try QueryRun(self, query, plan, context).answer()
  }
}

extension AnnotationIndex: QuerySource {
  var items: Annotations { annotations }

  var placesAscend: Bool { true }

  var hasPlacesForAll: Bool { unplacedCount == 0 }

  func placeCount(in area: QueryArea) -> Int? {
    switch area {
    case .everywhere: placedCount
    case .box(let box): shapes == nil ? positions.count(in: box) : nil
    case .polygons: nil
    }
  }

  var everything: (places: [Int], shelf: AnnotationShelf<Item>) {
    (
      Array(0..<annotations.count),
      offsets == nil ? shelf : AnnotationShelf(annotations, columns: shelf.columns)
    )
  }

  @usableFromInline
  func nearest(
    _ limit: Int, to origin: Coordinate, at distances: DistanceRange,
    of kinds: Set<AnnotationKind>?,
    where isIncluded: ((Int) -> Bool)?
  ) -> NearestAnswer {
    let filter = filter(kinds: kinds)
    if let shapes {
      let isAsked = filter.asking(isIncluded, on: shelf)
      // The search among shapes has not tested categories.
      let isShapeAsked = KindFilter(kinds: kinds, among: nil).asking(isIncluded, on: shelf)
      return shapes.nearest(
        limit, origin, NearestRing(outer: distances.within, inner: distances.beyond),
        { isShapeAsked?($0) ?? true },
        distance: { shelf[$0].distance(from: origin) }
      ) { limit in
        positions.nearest(
          limit, to: origin, within: distances.within, beyond: distances.beyond,
          categories: filter.categories
        ) { place in !shapes.has(place) && isAsked?(place) ?? true }
      }
    }
    guard let isAsked = filter.asking(isIncluded, on: shelf) else {
      return positions.nearest(
        limit, to: origin, within: distances.within, beyond: distances.beyond,
        categories: filter.categories)
    }
    return positions.nearest(
      limit, to: origin, within: distances.within, beyond: distances.beyond,
      categories: filter.categories, where: isAsked)
  }

  func places(in area: QueryArea, of kinds: Set<AnnotationKind>?) -> [Int] {
    if let shapes, area != .everywhere {
      // Shapes match by intersection, all others by their coordinate.
      let isOfKind = KindFilter(kinds: kinds, among: nil).asking(nil, on: shelf)
      let met = shapes.places(in: area).filter { isOfKind?($0) ?? true }
      let others = placesByCoordinate(in: area, of: kinds).filter { !shapes.has($0) }
      return (met + others).sorted()
    }
    return placesByCoordinate(in: area, of: kinds)
  }

  private func placesByCoordinate(
    in area: QueryArea, of kinds: Set<AnnotationKind>?
  ) -> [Int] {
    let filter = filter(kinds: kinds)
    let places =
      switch area {
      case .everywhere:
        kinds == nil || !filter.isExact
          ? Array(0..<placedCount)
          : positions.positions(in: BoundingBox.world, categories: filter.categories)
      case .box(let box): positions.positions(in: box, categories: filter.categories)
      case .polygons(let polygons): positions.positions(in: polygons, categories: filter.categories)
      }
    return filter.isExact ? places : places.filter { filter.includes(shelf[$0]) }
  }

  func places(withIDs ids: Set<AnnotationID>) -> [Int]? {
    ids.sorted().flatMap(places(withID:))
  }

  private func places(withID id: AnnotationID) -> Range<Int> {
    // From the first id that is not less, for as long as ids are equal.
    let start = firstPlace { !($0 < id) }
    var end = start
    while end < placedCount, shelf[end].id == id { end += 1 }
    return start..<end
  }

  func places(withNumber number: DecimalNumber) -> [Int]? {
    // The plan looks up no other numbers.
    guard let ids = number.canonicalIDs else { return nil }
    return ids.flatMap(places(withID:)) + oddNumbers.places(of: number) { oddNumberPlaces() }
  }

  /// The ids that are numbers but not in canonical form, such as `07`: they come after all that are.
  private func oddNumberPlaces() -> [DecimalNumber: [Int]] {
    var places: [DecimalNumber: [Int]] = [:]
    for place in firstPlace(where: { !$0.isNumber })..<placedCount {
      if let number = PropertyValue.string(shelf[place].id.text).decimal {
        places[number, default: []].append(place)
      }
    }
    return places
  }

  /// The first place whose id satisfies a predicate; ids ascend, and once it is true it stays true.
  private func firstPlace(where isSo: (AnnotationID) -> Bool) -> Int {
    (0..<placedCount).partitioningCount { !isSo(shelf[$0].id) }
  }
}

/// The places of ids that are numbers but not in canonical form, such as `007` and `7.0`.
///
/// They are found when a number is first looked up, and cached.
final class OddNumbers: Sendable {
  private let places = SharedValue<[DecimalNumber: [Int]]?>(nil)

  /// - Parameter find: Called once at most.
  func places(of number: DecimalNumber, _ find: () -> [DecimalNumber: [Int]]) -> [Int] {
    if let known = places.withLock({ $0.map { $0[number] ?? [] } }) { return known }
    // Two threads that come at once find the same.
    let found = find()
    places.withLock { $0 = found }
    return found[number] ?? []
  }
}
