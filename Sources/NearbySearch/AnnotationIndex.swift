import Geodesy
import MapAnnotations
import SpatialIndexing

/// An immutable index over annotations: k nearest, within a distance, in a box or an area, with filters that are part
/// of the search.
///
/// It is a value, built once and shared freely; build it off the main actor and swap it in as a whole.
///
///     let index = AnnotationIndex(shops)
///     let three = index.nearest(3, to: here) { $0.kind == .cinema }
///     print(three.annotations, three.validRadius ?? .infinity)
///
/// Results are ordered by (distance, id), ids by `AnnotationID`'s order, equal ids by source and
/// record number. Annotations without a coordinate are kept in `annotations`, counted in
/// `unplacedCount`, and never match a spatial query.
///
/// - Complexity: O(*n* log *n*) to build. A condition that is tested on many imported annotations adds columns for the
///   fields that it names, which are kept: see <doc:OneQuery>.
public struct AnnotationIndex<Annotations: RandomAccessCollection & Sendable>: Sendable
where Annotations.Element: Annotation, Annotations.Index == Int {
  /// The type of the annotations.
  public typealias Item = Annotations.Element

  /// The annotations that the index was built from, in the order given.
  public let annotations: Annotations
  /// The number of annotations without a coordinate.
  public let unplacedCount: Int

  /// The placed annotations' positions, in the order in which ties are broken.
  @usableFromInline let positions: KDTreeIndex
  /// Gives the annotation at each place of `positions`.
  @usableFromInline let shelf: AnnotationShelf<Item>
  /// By place, the offset in `annotations`; nil where they are the same.
  let offsets: [UInt32]?
  /// The categories of the kinds; nil where kinds are not indexed.
  let categories: KindCategories?
  let idTables = IDTables()
  /// The lines and areas among the annotations; nil where all are points.
  @usableFromInline let shapes: AnnotationShapes?

  /// Builds an index over annotations.
  ///
  /// - Parameters:
  ///   - annotations: In any order.
  ///   - kind: The index to use for positions: a tree or a list of geohashes. Results do not depend on it.
  ///   - shortcuts: Which steps to skip; see `IndexingShortcuts`.
  /// - Precondition: Fewer than 2³² annotations.
  @inlinable
  public init(
    _ annotations: Annotations, by kind: PositionIndexKind = .tree,
    shortcuts: IndexingShortcuts = []
  ) {
    var coordinates: [Coordinate] = []
    var offsets: [UInt32] = []
    var kinds: [AnnotationKind?] = []
    coordinates.reserveCapacity(annotations.count)
    offsets.reserveCapacity(annotations.count)
    var hasKinds = false
    let readsKinds = !shortcuts.contains(.unindexedKinds)
    let readsIDs = !shortcuts.contains(.idsAscend)
    var shapes: [(place: Int, shape: GroundShape)] = []
    var isOrdered = true
    var previous: AnnotationID?
    for (offset, annotation) in annotations.enumerated() {
      guard let coordinate = annotation.coordinate else { continue }
      if readsIDs, isOrdered {
        let id = annotation.id
        if let previous, !(previous < id) { isOrdered = false }
        previous = id
      }
      coordinates.append(coordinate)
      if let shape = annotation.searchedShape { shapes.append((offsets.count, shape)) }
      offsets.append(UInt32(offset))
      guard readsKinds else { continue }
      let kind = annotation.kind
      if kind != nil, !hasKinds {
        hasKinds = true
        kinds = Array(repeating: nil, count: offsets.count - 1)
      }
      if hasKinds { kinds.append(kind) }
    }
    if !isOrdered {
      let order = AnnotationIndex.tieOrder(annotations, offsets: offsets)
      coordinates = order.map { coordinates[$0] }
      offsets = order.map { offsets[$0] }
      if hasKinds { kinds = order.map { kinds[$0] } }
      if !shapes.isEmpty {
        var places = [Int](repeating: 0, count: order.count)
        for (place, was) in order.enumerated() { places[was] = place }
        shapes = shapes.map { (places[$0.place], $0.shape) }
      }
    }
    // Where annotations are in tie order and all have a coordinate, places are offsets.
    let places = isOrdered && offsets.count == annotations.count ? nil : offsets
    self.init(
      annotations, on: AnnotationShelf(annotations, offsets: places), coordinates: coordinates,
      offsets: places, kinds: readsKinds ? kinds : nil,
      leafOrder: kind == .geohash
        ? .geohash : shortcuts.contains(.unsortedPositions) ? .asGiven : .spatial,
      shapes: shapes.isEmpty ? nil : AnnotationShapes(shapes))
  }

  @usableFromInline
  init(
    _ annotations: Annotations, on shelf: AnnotationShelf<Item>, coordinates: [Coordinate],
    offsets: [UInt32]?, kinds: [AnnotationKind?]?, leafOrder: KDTreeIndex.LeafOrder,
    shapes: AnnotationShapes?
  ) {
    self.shapes = shapes
    self.annotations = annotations
    self.shelf = shelf
    self.offsets = offsets
    unplacedCount = annotations.count - coordinates.count
    let categories = kinds.map { KindCategories($0) }
    positions = KDTreeIndex(
      coordinates, categories: categories.flatMap { kinds?.map($0.set(of:)) } ?? [],
      leafOrder: leafOrder)
    self.categories = categories
  }

  /// An index that was built earlier, restored from a file.
  ///
  /// - Parameters:
  ///   - annotations: Those of `positions` first, in tie order as given by `tieOrderedOffsets`, then those without a
  ///     coordinate.
  ///   - positions: The tree of the index that was built.
  ///   - kinds: Its `kindNames`; nil where kinds were not indexed.
  ///   - shapes: Its `shapeBytes`, in the file; nil where it has no lines or areas.
  package init(
    _ annotations: Annotations, positions: KDTreeIndex,
    kinds: (names: [AnnotationKind], hasUnnamed: Bool)?, shapes: StoredShapeTables? = nil
  ) {
    let shelf = AnnotationShelf(annotations)
    self.shapes = shapes.map { stored in
      AnnotationShapes(stored, placeCount: positions.count) { shelf[$0].shape }
    }
    self.annotations = annotations
    self.shelf = shelf
    offsets = nil
    self.positions = positions
    unplacedCount = annotations.count - positions.count
    categories = kinds.map { KindCategories($0.names.map { $0 } + ($0.hasUnnamed ? [nil] : [])) }
  }

  /// The tree, to be stored in a file.
  package var tree: KDTreeIndex { positions }

  /// The tables that find lines and areas, to be stored in a file; nil where there are none.
  package var shapeBytes: [UInt8]? { shapes?.bytes }

  /// Whether the tables that find lines and areas match the shapes that the annotations have now.
  ///
  /// - Complexity: That of building the index.
  package var hasRightShapes: Bool {
    let read = (0..<placedCount).compactMap { place in
      annotation(at: place).searchedShape.map { (place, $0) }
    }
    guard let shapes else { return read.isEmpty }
    return !read.isEmpty && shapes.bytes == AnnotationShapes(read).bytes
  }

  /// The offsets of the placed annotations, in the order of the tree's positions.
  package var tieOrderedOffsets: [Int] { (0..<placedCount).map { offset(of: $0) } }

  /// The kinds that have categories, in the order of the categories.
  package var kindNames: (names: [AnnotationKind], hasUnnamed: Bool)? {
    categories.map { ($0.kindsByBit, $0.hasUnnamed) }
  }

  /// The places of the placed annotations, reordered by (id, source, record).
  @usableFromInline
  static func tieOrder(_ annotations: Annotations, offsets: [UInt32]) -> [Int] {
    offsets.enumerated().map { place, offset in
      ResultOrderKey(annotations[annotations.startIndex + Int(offset)], place: place)
    }.sorted().map(\.place)
  }

  /// The number of annotations that have a coordinate and can be found.
  public var placedCount: Int { positions.count }

  /// The kinds of the placed annotations, by name.
  ///
  /// - Complexity: O(*n*) where kinds are not indexed.
  public var kinds: [AnnotationKind] { placedKinds.kinds }

  var placedKinds: KindCategories {
    categories ?? KindCategories((0..<placedCount).map { annotation(at: $0).kind })
  }

  /// The annotation at a place of the tie order.
  func annotation(at place: Int) -> Item { shelf[place] }

  func offset(of place: Int) -> Int { offsets.map { Int($0[place]) } ?? place }
}

/// What decides between annotations at the same distance: id, then origin, then the order of the input.
struct ResultOrderKey: Comparable {
  let place: Int
  private let id: AnnotationID
  private let origin: RecordOrigin?

  init(_ annotation: some Annotation, place: Int = 0) {
    id = annotation.id
    origin = annotation.origin
    self.place = place
  }

  static func < (left: ResultOrderKey, right: ResultOrderKey) -> Bool {
    if left.id != right.id { return left.id < right.id }
    return (RecordOrigin.order(left.origin, right.origin), left.place) < (0, right.place)
  }
}

/// What is made of ids when it is first asked for.
final class IDTables: Sendable {
  /// The places of ids that are numbers but not in canonical form, such as `007` and `7.0`.
  let oddNumbers = SharedValue<[DecimalNumber: [Int]]?>(nil)
  /// The offsets of all annotations in the order of ids.
  let order = SharedValue<[Int]?>(nil)
}

/// Steps that building an index can skip, because they are already done or not worth the effort.
public struct IndexingShortcuts: OptionSet, Sendable {
  /// One bit for each shortcut.
  public let rawValue: Int

  /// Takes raw bits; prefer the named options.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Ids already ascend, so the given order is the tie order.
  ///
  /// If they do not, results at equal distances come in the order of the annotations.
  public static let idsAscend = IndexingShortcuts(rawValue: 1 << 0)

  /// Kinds are read from each annotation that the search meets, instead of being indexed.
  ///
  /// For an index that answers one query and is discarded.
  public static let unindexedKinds = IndexingShortcuts(rawValue: 1 << 1)

  /// Positions of a tree stay in the order of the annotations: see `KDTreeIndex.LeafOrder.asGiven`.
  ///
  /// It does not affect a list of geohashes.
  ///
  /// For an index that answers one query and is discarded.
  public static let unsortedPositions = IndexingShortcuts(rawValue: 1 << 2)
}

// MARK: - Queries

extension AnnotationIndex: AnnotationSearching {
  /// Answers a query.
  ///
  /// - Complexity: That of the search that ``QueryPlan`` chooses: of `nearest`, of `annotations(in:)`, O(*i* log *n*)
  ///   for *i* ids; O(*n*) if all must be tested. The rest of a condition is tested on what the search finds.
  @inlinable
  public func answer(
    _ query: NearbyQuery, in context: QueryContext<Item>
  ) throws(QueryError) -> NearbyAnswer<Item> {
    let plan = QueryPlan(query)
    // The most common query is answered before anything is set up, and specialized for the caller's type.
    guard let origin = query.origin, query.asksOnlyForTheNearest(by: plan) else {
      return try run(query, in: context)
    }
    var answer = nearest(
      max(query.limit, 0), to: origin, within: plan.distances.within,
      beyond: plan.distances.beyond, kinds: plan.kinds)
    if query.measuresDistance { answer.radius = .zero }
    answer.usedPlan = plan
    return answer
  }

  @usableFromInline
  func run(
    _ query: NearbyQuery, in context: QueryContext<Item>
  ) throws(QueryError) -> NearbyAnswer<Item> {
    try QueryRun(self, query, QueryPlan(query, count: placeCount), context).answer()
  }
}

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
      : nearest(.max, to: origin, within: radius).count
  }

  func filter(kinds: Set<AnnotationKind>?) -> KindFilter {
    KindFilter(kinds: kinds, among: categories)
  }
}

// MARK: - Places for a query

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
      let isWanted = filter.placeTest(and: isIncluded, on: shelf)
      // The search among shapes has not tested categories.
      let isShapeWanted = KindFilter(kinds: kinds, among: nil).placeTest(and: isIncluded, on: shelf)
      return shapes.nearest(
        limit, origin, distances, { isShapeWanted?($0) ?? true },
        distance: { shelf[$0].distance(from: origin) }
      ) { limit in
        positions.nearest(
          limit, to: origin, within: distances.within, beyond: distances.beyond,
          categories: filter.categories
        ) { place in !shapes.has(place) && isWanted?(place) ?? true }
      }
    }
    guard let isWanted = filter.placeTest(and: isIncluded, on: shelf) else {
      return positions.nearest(
        limit, to: origin, within: distances.within, beyond: distances.beyond,
        categories: filter.categories)
    }
    return positions.nearest(
      limit, to: origin, within: distances.within, beyond: distances.beyond,
      categories: filter.categories, where: isWanted)
  }

  func places(in area: QueryArea, of kinds: Set<AnnotationKind>?) -> [Int] {
    if let shapes, area != .everywhere {
      // Shapes match by intersection, all others by their coordinate.
      let isOfKind = KindFilter(kinds: kinds, among: nil).placeTest(and: nil, on: shelf)
      let met = shapes.places(in: area).filter { isOfKind?($0) ?? true }
      let others = placesByCoordinate(in: area, of: kinds).filter { !shapes.has($0) }
      return (met + others).sorted()
    }
    return placesByCoordinate(in: area, of: kinds)
  }

  private func placesByCoordinate(in area: QueryArea, of kinds: Set<AnnotationKind>?) -> [Int] {
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
}
