import Geodesy
import MapAnnotations
import SpatialIndexing

/// A live index of annotations at one moment: a value that can be queried and never changes.
///
///     let snapshot = friends.snapshot
///     let near = snapshot.nearest(10, to: here, within: .kilometers(2), now: clock.seconds)
///     let shown = snapshot.annotations(in: viewport, now: clock.seconds)
///
/// All queries of one snapshot see the same annotations. Any number of threads may query it. If `now` is NaN, no
/// annotation counts.
public struct LiveAnnotationSnapshot<Item: Annotation>: Sendable {
  let positions: LiveSnapshot
  let unplaced: LiveSnapshot
  let slots: LiveSlotsVersion<Item>
  /// Gives the annotations, by number.
  @usableFromInline let shelf: AnnotationShelf<Item>
  let categories: KindCategories
  /// The lines and areas among the annotations; nil for none.
  let shapes: LiveShapes?

  /// The version of the index; later ones have greater numbers.
  public var version: Int { positions.version }

  /// The number of annotations with a coordinate, including expired ones that were not dropped yet.
  public var placedCount: Int { positions.count }

  /// The number of annotations without a coordinate, including expired ones that were not dropped yet.
  public var unplacedCount: Int { unplaced.count }

  /// All annotations that have not expired, placed or not, by id.
  ///
  /// - Complexity: O(*n* log *n*).
  public func annotations(now: Double = -.infinity) -> [Item] {
    LiveQuerySource(snapshot: self, now: now).everythingByID?.places.map { slots[$0] } ?? []
  }

  /// The numbers of all annotations that have not expired, placed or not, in no particular order.
  func numbers(now: Double) -> [Int] { positions.ids(now: now) + unplaced.ids(now: now) }

  init(
    positions: LiveSnapshot, unplaced: LiveSnapshot, slots: LiveSlotsVersion<Item>,
    categories: KindCategories, shapes: LiveShapes?
  ) {
    self.positions = positions
    self.unplaced = unplaced
    self.slots = slots
    self.categories = categories
    self.shapes = shapes
    shelf = AnnotationShelf({ slots[$0] }, memory: .addresses(slots.address))
  }
}

// MARK: - Queries

extension LiveAnnotationSnapshot: AnnotationSearching {
  /// Answers a query; annotations that expire at the context's `now` or before are left out.
  public func answer(
    _ query: NearbyQuery, in context: QueryContext<Item>
  ) throws(QueryError) -> NearbyAnswer<Item> {
    let source = LiveQuerySource(snapshot: self, now: context.now)
    return try QueryRun(source, query, QueryPlan(query), context).answer()
  }
}

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
  @inlinable
  public func nearest(
    _ limit: Int, to origin: Coordinate, within outer: Distance = .infinity,
    beyond inner: Distance? = nil, kinds: Set<AnnotationKind>? = nil, now: Double = -.infinity,
    where isIncluded: ((Item) -> Bool)? = nil
  ) -> NearbyAnswer<Item> {
    let found = nearest(
      limit, to: origin, at: DistanceRange(beyond: inner, within: outer), of: kinds, now: now,
      where: isIncluded)
    return NearbyAnswer(found, on: shelf, from: origin)
  }

  @usableFromInline
  func nearest(
    _ limit: Int, to origin: Coordinate, at distances: DistanceRange,
    of kinds: Set<AnnotationKind>?, now: Double, where isIncluded: ((Item) -> Bool)?
  ) -> NearestAnswer {
    precondition(limit >= 0, "cannot return \(limit) annotations")
    if kinds == nil, isIncluded == nil, shapes == nil, distances.beyond == nil {
      return positions.nearest(
        limit, to: origin, at: distances, categories: .any, now: now, where: nil,
        by: slots.precedes)
    }
    return LiveQuerySource(snapshot: self, now: now).nearest(
      limit, to: origin, at: distances.effective, of: kinds,
      where: isIncluded.map { isIncluded in { isIncluded(shelf[$0]) } })
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
    let places = LiveQuerySource(snapshot: self, now: now).numbers(in: .box(box), of: kinds)
      .map { (id: slots.key($0).id, place: $0) }.sorted { $0.id < $1.id }
    return AnnotationList(places.map(\.place), on: shelf)
  }

  /// Returns the number of annotations in a box, edges included.
  ///
  /// - Complexity: O(√*n* + *r*) expected for a number of *r*; annotations are not read.
  public func count(in box: BoundingBox, now: Double = -.infinity) -> Int {
    shapes == nil
      ? positions.count(in: box, now: now)
      : LiveQuerySource(snapshot: self, now: now).numbers(in: .box(box), of: nil).count
  }

  /// Returns the number of annotations within a distance, inclusive.
  ///
  /// - Complexity: O(log *n* + *r* log *r*) expected for a number of *r*; annotations are not read.
  public func count(
    within radius: Distance, of origin: Coordinate, now: Double = -.infinity
  ) -> Int {
    annotations(within: radius, of: origin, now: now).count
  }
}

/// A snapshot at an instant, whose places are numbers, assigned as annotations arrive.
struct LiveQuerySource<Item: Annotation>: QuerySource {
  let snapshot: LiveAnnotationSnapshot<Item>
  let now: Double

  var shelf: AnnotationShelf<Item> { snapshot.shelf }

  var items: AnnotationList<Item> { AnnotationList(everything.places, on: shelf) }

  var everything: (places: [Int], shelf: AnnotationShelf<Item>) {
    (snapshot.numbers(now: now), shelf)
  }

  var everythingByID: (places: [Int], shelf: AnnotationShelf<Item>)? {
    let (slots, now) = (snapshot.slots, now)
    let all = slots.numbersByID { snapshot.numbers(now: -.infinity) }
    return (now == -.infinity ? all : all.filter { slots.key($0).expiry > now }, shelf)
  }

  var placedKinds: KindCategories { snapshot.categories }

  var categories: KindCategories? { snapshot.categories }

  var shapes: AnnotationShapes? { snapshot.shapes?.index }

  func places(in area: QueryArea, of kinds: Set<AnnotationKind>?) -> [Int] {
    numbers(in: area, of: kinds).sorted()
  }

  /// The numbers of the annotations in an area, each once, in no particular order.
  func numbers(in area: QueryArea, of kinds: Set<AnnotationKind>?) -> [Int] {
    let filter = KindFilter(kinds: kinds, among: snapshot.categories)
    func objects(in box: BoundingBox) -> [LiveObject] {
      snapshot.positions.objects(in: box, categories: filter.categories, now: now)
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
    guard area != .everywhere, let shapes else { return found }
    // Shapes match by intersection, all others by their coordinate.
    let isWanted = shapeTest(of: kinds, nil)
    return found.filter { !shapes.has($0) } + shapes.places(in: area).filter(isWanted)
  }

  /// Tests of a shape what a search among shapes has not: its expiry, its kind and a predicate.
  private func shapeTest(
    of kinds: Set<AnnotationKind>?, _ isIncluded: ((Int) -> Bool)?
  ) -> (Int) -> Bool {
    let isOfKind = KindFilter(kinds: kinds, among: nil)
    return { [slots = snapshot.slots, now] place in
      slots.key(place).expiry > now && isOfKind.includes(slots[place])
        && isIncluded?(place) ?? true
    }
  }

  // MARK: Nearest

  func nearest(
    _ limit: Int, to origin: Coordinate, at distances: DistanceRange,
    of kinds: Set<AnnotationKind>?,
    where isIncluded: ((Int) -> Bool)?
  ) -> NearestAnswer {
    precondition(limit >= 0, "cannot return \(limit) annotations")
    guard distances.beyond == nil else {
      // A live tree cannot leave out a hole: everything is ranked.
      let ranked = nearest(.max, to: origin, at: DistanceRange(), of: kinds, where: isIncluded)
      return NearestAnswer(
        ranked: ranked.neighbors.map { measured($0, from: origin, at: distances) }, limit: limit,
        at: distances, statistics: ranked.statistics)
    }
    guard let shapes else {
      return nearestPoints(limit, to: origin, at: distances, of: kinds, where: isIncluded)
    }
    return shapes.nearest(
      limit, origin, distances, shapeTest(of: kinds, isIncluded), by: snapshot.slots.precedes,
      distance: { shelf[$0].distance(from: origin) }
    ) { limit in
      nearestPoints(limit, to: origin, at: distances, of: kinds) { place in
        !shapes.has(place) && isIncluded?(place) ?? true
      }
    }
  }

  /// Searches by coordinates alone.
  private func nearestPoints(
    _ limit: Int, to origin: Coordinate, at distances: DistanceRange,
    of kinds: Set<AnnotationKind>?, where isIncluded: ((Int) -> Bool)?
  ) -> NearestAnswer {
    let filter = KindFilter(kinds: kinds, among: snapshot.categories)
    return snapshot.positions.nearest(
      limit, to: origin, at: distances, categories: filter.categories, now: now,
      where: filter.placeTest(and: isIncluded, on: shelf), by: snapshot.slots.precedes)
  }
}

extension LiveSlotsVersion {
  /// Whether a neighbor comes before another: by distance, ties by id.
  fileprivate func precedes(_ left: Neighbor, _ right: Neighbor) -> Bool {
    left.distance == right.distance
      ? key(left.offset).id < key(right.offset).id
      : left.distance < right.distance
  }
}

// Not generic, so that a search of an app's own type looks no types up.
extension LiveSnapshot {
  /// Searches by coordinates, with ties in an order of the caller's, and finds how far the answer holds.
  fileprivate func nearest(
    _ limit: Int, to origin: Coordinate, at distances: DistanceRange, categories: CategorySet,
    now: Double, where isWanted: ((Int) -> Bool)?, by precedes: (Neighbor, Neighbor) -> Bool
  ) -> NearestAnswer {
    let distances = distances.effective
    guard limit > 0, !distances.isEmpty else { return .nothing }
    var statistics = SearchStatistics()
    func search(_ limit: Int, _ outer: Distance) -> [Neighbor] {
      let found = nearestIDs(
        limit, to: origin, within: outer, categories: categories, now: now, where: isWanted)
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
    // They ascend by distance already; most have no ties, and sorting would take half of a search.
    let hasTies = ranked.indices.dropFirst().contains {
      ranked[$0 - 1].distance == ranked[$0].distance
    }
    if hasTies { ranked.sort(by: precedes) }
    var next: Distance?
    if ranked.count > limit {
      next = ranked[limit].distance
      ranked.removeLast(ranked.count - limit)
    } else if distances.within < .infinity {
      let more = search(ranked.count + 1, .infinity)
      next = more.count > ranked.count ? more.last?.distance : nil
    }
    return NearestAnswer(
      neighbors: ranked,
      validRadius: distances.validRadius(
        of: ranked, isFull: ranked.count == limit, next: next, lastInside: nil),
      statistics: statistics)
  }
}
