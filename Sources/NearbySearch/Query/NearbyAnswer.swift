import Geodesy
import MapAnnotations
import SpatialIndexing

/// An annotation that matches a query, and its distance from the query's origin.
public struct NearbyResult<Item: Annotation>: Sendable {
  @usableFromInline let shelf: AnnotationShelf<Item>
  @usableFromInline let place: Int
  /// The geodesic distance from the query's origin; infinite if the query has none.
  public let distance: Distance
  /// Where the distance is measured from; nil where nothing is measured.
  public let origin: Coordinate?
  /// The details of all results of the answer, and the rank of this one among them.
  @usableFromInline let details: AnswerDetails<Item>?
  @usableFromInline let rank: Int

  @inlinable
  init(
    _ neighbor: Neighbor, on shelf: AnnotationShelf<Item>, from origin: Coordinate?,
    _ details: AnswerDetails<Item>? = nil, rank: Int = 0
  ) {
    self.shelf = shelf
    place = neighbor.offset
    distance = neighbor.distance
    self.origin = origin
    self.details = details
    self.rank = rank
  }

  /// A result by itself, with its open status.
  init(
    _ neighbor: Neighbor, on shelf: AnnotationShelf<Item>, from origin: Coordinate?,
    openStatus: OpenStatus?
  ) {
    self.init(
      neighbor, on: shelf, from: origin,
      openStatus.map { AnswerDetails(AnswerParts(openStatuses: [$0])) })
  }

  /// A result made by hand, for previews and tests.
  public init(
    _ annotation: Item, distance: Distance, from origin: Coordinate, openStatus: OpenStatus? = nil
  ) {
    self.init(
      Neighbor(offset: 0, distance: distance), on: AnnotationShelf([annotation]), from: origin,
      openStatus: openStatus)
  }

  /// The annotation, fetched each time it is read.
  @inlinable public var annotation: Item { shelf[place] }

  /// Its hours at the moment of the query; nil if the query does not test hours.
  public var openStatus: OpenStatus? {
    guard let statuses = details?.parts.openStatuses, !statuses.isEmpty else { return nil }
    return statuses[rank]
  }

  /// Where the annotation is; nil for one without a position, which only a query with neither an origin nor an area
  /// finds.
  public var coordinate: Coordinate? { annotation.coordinate }

  /// The initial direction from the origin, in degrees clockwise from north, 0 ≤ b < 360; nil at
  /// distance 0 and at a pole, where there is none, and if nothing is measured.
  ///
  /// - Complexity: one geodesic each time; it is not stored, so it costs nothing unless you read
  ///   it.
  public var bearing: Double? {
    origin.flatMap { origin in nearestPoint.flatMap { origin.initialBearing(to: $0) } }
  }

  /// The point that the distance is measured to: the nearest point of a line or an area, or the origin itself if it is
  /// inside; for a point, its coordinate.
  ///
  /// Where nothing is measured, `coordinate`.
  ///
  /// - Complexity: O(*v*) in the vertices of a shape each time; it is not stored.
  public var nearestPoint: Coordinate? {
    let annotation = annotation
    return origin.flatMap { annotation.nearestPoint(to: $0) } ?? annotation.coordinate
  }
}

extension NearbyResult: Identifiable {
  /// The id of the annotation.
  public var id: AnnotationID { annotation.id }
}

extension NearbyResult: Equatable where Item: Equatable {
  /// Whether both are equal results of equal annotations, whichever indexes they come from.
  public static func == (left: NearbyResult, right: NearbyResult) -> Bool {
    left.distance == right.distance && left.origin == right.origin
      && left.openStatus == right.openStatus && left.annotation == right.annotation
  }
}

/// The results of a query, nearest first, and how long they stay the answer.
///
///     let three = index.nearest(3, to: cityHall)
///     print(three[0].annotation.name ?? "?", three[0].distance, three.validRadius ?? .infinity)
///
/// A collection of results in the order of the query, by default by (distance, id); grouped by kind where the query
/// asks for each kind.
public struct NearbyAnswer<Item: Annotation>: Sendable {
  @usableFromInline let shelf: AnnotationShelf<Item>
  @usableFromInline let neighbors: [Neighbor]
  @usableFromInline var radius: Distance?
  @usableFromInline var details: AnswerDetails<Item>?
  /// Where distances are measured from; nil where nothing is measured.
  public let origin: Coordinate?
  /// How far the origin may move before another set of annotations could be the answer; nil when
  /// no movement changes it.
  ///
  /// Zero where that is unknown: for a page after a cursor, for a page cut off in an order other than by distance,
  /// where a condition tests the distance, and for hours on arrival.
  public internal(set) var validRadius: Distance? {
    get { radius }
    set { radius = newValue }
  }
  /// The statistics of the search.
  public let statistics: SearchStatistics
  /// The first instant after that of the query at which time alone changes the answer; nil when there is none, and
  /// where hours were not tested.
  ///
  /// Another answer is one with other annotations, or in other states. Like `validRadius`, it refers to which results
  /// there are, not to what else is known of them.
  public internal(set) var validUntil: Instant? {
    get { details?.parts.validUntil }
    set { change { $0.validUntil = newValue } }
  }
  /// Annotations nearer than the last result that are not open on arrival, nearest first, at most as many as the limit
  /// of the query; empty if the query is not about arrivals.
  public internal(set) var passedOver: [NearbyResult<Item>] {
    get { details?.parts.passedOver ?? [] }
    set { change { $0.passedOver = newValue } }
  }

  /// The value of ``NearbyQuery/after`` for the next page; nil for the last page, and where no pages were asked for.
  public internal(set) var next: String? {
    get { details?.parts.next }
    set { change { $0.next = newValue } }
  }
  /// The values of the query's facet fields, counted over all matches.
  public internal(set) var facets: [Facet] {
    get { details?.parts.facets ?? [] }
    set { change { $0.facets = newValue } }
  }
  /// The number of all matches; nil where nothing was counted.
  public internal(set) var matched: Int? {
    get { details?.parts.matched }
    set { change { $0.matched = newValue } }
  }
  /// The servers that could not be reached; nil where the answer is complete, as that of one index always is.
  ///
  /// Then `matched` and `facets` count only what could be reached.
  public internal(set) var missing: MissingParts? {
    get { details?.parts.missing }
    set { change { $0.missing = newValue } }
  }
  /// How many seconds the answer may be behind, because it comes from a replica of a database; nil
  /// if it does not.
  public internal(set) var replicaLag: Double? {
    get { details?.parts.replicaLag }
    set { change { $0.replicaLag = newValue } }
  }
  /// How the query was answered; nil without a query.
  public internal(set) var plan: QueryPlan? {
    get { usedPlan }
    set { usedPlan = newValue }
  }
  @usableFromInline var usedPlan: QueryPlan?
  /// By result; empty where hours were not tested.
  var openStatuses: [OpenStatus] {
    get { details?.parts.openStatuses ?? [] }
    set { change { $0.openStatuses = newValue } }
  }

  /// Changes a detail that few answers have.
  private mutating func change(_ body: (inout AnswerParts<Item>) -> Void) {
    if !isKnownUniquelyReferenced(&details) {
      details = AnswerDetails(details?.parts ?? AnswerParts())
    }
    details.map { body(&$0.parts) }
  }

  @inlinable
  init(
    _ neighbors: [Neighbor], on shelf: AnnotationShelf<Item>, from origin: Coordinate?,
    validRadius: Distance? = nil, statistics: SearchStatistics = SearchStatistics()
  ) {
    self.neighbors = neighbors
    self.shelf = shelf
    self.origin = origin
    radius = validRadius
    self.statistics = statistics
  }

  @inlinable
  init(_ found: NearestAnswer, on shelf: AnnotationShelf<Item>, from origin: Coordinate) {
    shelf.prefetch(found.neighbors)
    self.init(
      found.neighbors, on: shelf, from: origin, validRadius: found.validRadius,
      statistics: found.statistics)
  }

  /// An answer made by hand, for previews and tests.
  ///
  /// - Parameters:
  ///   - annotations: In their order; those without a coordinate are left out.
  ///   - origin: Where distances are measured from.
  ///   - validRadius: How far the origin may move; nil for anywhere.
  ///   - missing: What it lacks; nil for nothing.
  public init(
    _ annotations: [Item], from origin: Coordinate, validRadius: Distance? = nil,
    missing: MissingParts? = nil
  ) {
    let neighbors = annotations.enumerated().compactMap { place, annotation in
      annotation.distance(from: origin).map { Neighbor(offset: place, distance: $0) }
    }
    self.init(neighbors, on: AnnotationShelf(annotations), from: origin, validRadius: validRadius)
    if let missing { self.missing = missing }
  }

  /// The annotations alone, in the same order.
  public var annotations: AnnotationList<Item> {
    AnnotationList(neighbors.map(\.offset), on: shelf)
  }

  /// The same results in the same order, with distances from another position.
  ///
  /// For a screen whose user walks on within `validRadius`: the set stays the answer there, but its order may no longer
  /// be nearest first.
  ///
  /// - Complexity: one geodesic for each result.
  public func measured(from position: Coordinate) -> NearbyAnswer {
    let neighbors = neighbors.map { neighbor in
      Neighbor(
        offset: neighbor.offset,
        distance: shelf[neighbor.offset].distance(from: position) ?? neighbor.distance)
    }
    let moved = origin.map { $0.distance(to: position) } ?? .infinity
    // An infinite radius holds wherever it is measured from.
    let left = validRadius.map { $0 == .infinity ? $0 : Swift.max($0 - moved, .zero) }
    var answer = NearbyAnswer(
      neighbors, on: shelf, from: position, validRadius: left, statistics: statistics)
    answer.details = details
    return answer
  }

  /// Several answers of one index, concatenated.
  ///
  /// - Parameters:
  ///   - answers: Their results are on one shelf.
  static func joined(
    _ answers: [NearbyAnswer], on shelf: AnnotationShelf<Item>, from origin: Coordinate?
  ) -> NearbyAnswer {
    NearbyAnswer(
      answers.flatMap(\.neighbors), on: shelf, from: origin,
      validRadius: answers.compactMap(\.validRadius).min(),
      statistics: answers.reduce(SearchStatistics()) { $0 + $1.statistics })
  }
}

extension NearbyAnswer: RandomAccessCollection {
  /// Always 0.
  @inlinable public var startIndex: Int { 0 }
  /// The number of results.
  @inlinable public var endIndex: Int { neighbors.count }
  /// The result at a place, the nearest at 0.
  ///
  /// - Precondition: `position` is in 0..<`count`.
  @inlinable public subscript(position: Int) -> NearbyResult<Item> {
    NearbyResult(neighbors[position], on: shelf, from: origin, details, rank: position)
  }

  /// Reads the results in order.
  @inlinable public func makeIterator() -> Iterator { Iterator(self) }

  /// Reads the results of an answer in order.
  ///
  /// It holds only what results are made of: a loop with the standard iterator copies the whole answer, which for ten
  /// results takes a tenth of the time of the query.
  public struct Iterator: IteratorProtocol, Sendable {
    @usableFromInline let shelf: AnnotationShelf<Item>
    @usableFromInline let neighbors: [Neighbor]
    @usableFromInline let origin: Coordinate?
    @usableFromInline let details: AnswerDetails<Item>?
    @usableFromInline var position = 0

    @inlinable
    init(_ answer: NearbyAnswer) {
      shelf = answer.shelf
      neighbors = answer.neighbors
      origin = answer.origin
      details = answer.details
    }

    /// The next result; nil at the end.
    @inlinable public mutating func next() -> NearbyResult<Item>? {
      guard position < neighbors.count else { return nil }
      defer { position &+= 1 }
      let ahead = position &+ AnnotationShelf<Item>.readAhead
      if ahead < neighbors.count { shelf.prefetch(neighbors[ahead].offset) }
      return NearbyResult(neighbors[position], on: shelf, from: origin, details, rank: position)
    }
  }
}

extension NearbyAnswer: Equatable where Item: Equatable {
  /// Whether both have equal results in one order that hold as long; how they were found, and any replica lag, do not
  /// count.
  ///
  /// Distances are compared bit for bit. Those of two kinds of index may differ by up to 20 nm; of their answers, compare
  /// the ids.
  public static func == (left: NearbyAnswer, right: NearbyAnswer) -> Bool {
    left.origin == right.origin && left.validRadius == right.validRadius
      && left.validUntil == right.validUntil && left.elementsEqual(right)
      && left.passedOver == right.passedOver && left.next == right.next
      && left.facets == right.facets && left.matched == right.matched
      && left.missing == right.missing
  }
}

/// The parts of an answer that few answers have.
struct AnswerParts<Item: Annotation> {
  /// By result; empty where hours were not tested.
  var openStatuses: [OpenStatus] = []
  var validUntil: Instant?
  var passedOver: [NearbyResult<Item>] = []
  var next: String?
  var facets: [Facet] = []
  var matched: Int?
  var missing: MissingParts?
  var replicaLag: Double?
}

/// Stores those parts apart, so that other answers stay small: each loop copies its answer.
///
/// Changed only while a single answer references it, and so safe to share.
@usableFromInline
final class AnswerDetails<Item: Annotation>: @unchecked Sendable {
  var parts: AnswerParts<Item>

  init(_ parts: AnswerParts<Item>) { self.parts = parts }
}

/// A collection of annotations that were found; each is fetched when it is read.
///
///     let shown = index.annotations(in: viewport)
///     print(shown.count, shown.first?.name ?? "?")
///
/// - Complexity: O(1) to make and to copy; each reading fetches the annotation again.
public struct AnnotationList<Item: Annotation>: RandomAccessCollection, Sendable {
  @usableFromInline let shelf: AnnotationShelf<Item>
  @usableFromInline let places: [Int]

  init(_ places: [Int], on shelf: AnnotationShelf<Item>) {
    self.places = places
    self.shelf = shelf
  }

  /// Always 0.
  @inlinable public var startIndex: Int { 0 }
  /// The number of annotations.
  @inlinable public var endIndex: Int { places.count }
  /// The annotation at an offset.
  ///
  /// - Precondition: `position` is in 0..<`count`.
  @inlinable public subscript(position: Int) -> Item {
    if position % AnnotationShelf<Item>.readAhead == 0 { shelf.prefetch(places, from: position) }
    return shelf[places[position]]
  }
}

extension AnnotationList: Equatable where Item: Equatable {
  /// Whether both hold the same annotations in the same order, wherever they come from.
  public static func == (left: AnnotationList, right: AnnotationList) -> Bool {
    left.elementsEqual(right)
  }
}

/// The servers that could not be reached, and how much of an answer is certain without them.
///
/// Such an answer is not simply shorter: it says which servers did not answer, and how many of its
/// first results would be the same with them.
public struct MissingParts: Hashable, Sendable, Encodable {
  /// The names of the servers that did not answer, in order.
  public let names: [String]
  /// How many of the first results would be the same with them.
  ///
  /// 0 where results are not ordered by distance: then anything may be missing anywhere.
  public let certainCount: Int

  /// Says by hand what is missing, for previews and tests.
  ///
  /// - Parameters:
  ///   - names: The servers that did not answer.
  ///   - certainCount: How many of the first results are certain.
  public init(names: [String], certainCount: Int) {
    self.names = names.sorted()
    self.certainCount = certainCount
  }

  /// nil if there are none, as where what they hold is too far away to matter.
  ///
  /// - Parameters:
  ///   - names: The servers that did not answer.
  ///   - clearance: The least distance from the origin to anything that they hold.
  ///   - query: The query.
  ///   - distances: The distances of the results, in their order.
  package init?(
    names: [String], clearance: Distance, in query: NearbyQuery,
    distances: some Sequence<Distance>
  ) {
    guard !names.isEmpty else { return nil }
    let isByDistance = query.origin != nil && query.order == nil && !query.isPerKind
    self.init(
      names: names,
      certainCount: isByDistance ? distances.prefix { $0 < clearance }.count : 0)
  }
}

extension NearbyAnswer {
  /// The answer with what several servers, or a replica of one, do not know.
  ///
  /// - Parameters:
  ///   - missing: The servers that did not answer, and the least distance from the origin to anything that they hold;
  ///     nil for none. Otherwise, how far the answer holds is unknown. No servers if what they hold is too far away to
  ///     be in the answer.
  ///   - query: The query.
  ///   - lag: For how many seconds changes may be missing from it; nil where it is not from a replica.
  package func lacking(
    _ missing: (servers: [String], clearance: Distance)?, in query: NearbyQuery, lag: Double?
  ) -> NearbyAnswer {
    if missing == nil, lag == nil { return self }
    var answer = self
    answer.replicaLag = lag
    if let missing {
      if origin != nil { answer.validRadius = .zero }
      answer.missing = MissingParts(
        names: missing.servers, clearance: missing.clearance, in: query, distances: map(\.distance))
    }
    return answer
  }
}
