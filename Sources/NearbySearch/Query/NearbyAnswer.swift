import Geodesy
import MapAnnotations
import SpatialIndexing

/// An annotation that answers a query, and how far it is from the query's origin.
public struct NearbyResult<Item: Annotation>: Sendable {
  @usableFromInline let shelf: AnnotationShelf<Item>
  @usableFromInline let place: Int
  /// The geodesic distance from the query's origin; infinite if the query has none.
  public let distance: Distance
  /// Where the distance is measured from; nil where nothing is measured.
  public let origin: Coordinate?
  /// What is said of all the results beside, and which of them this is.
  @usableFromInline let details: AnswerDetails<Item>?
  @usableFromInline let rank: Int

  @inlinable
  init(
    _ neighbor: Neighbor, on shelf: AnnotationShelf<Item>, from origin: Coordinate?,
    _ details: AnswerDetails<Item>? = nil, rank: Int = 0
  ) {
    self.shelf = shelf
    place = neighbor.position
    distance = neighbor.distance
    self.origin = origin
    self.details = details
    self.rank = rank
  }

  /// A result by itself, with what its hours say.
  init(
    _ neighbor: Neighbor, on shelf: AnnotationShelf<Item>, from origin: Coordinate?,
    openStatus: OpenStatus?
  ) {
    self.init(
      neighbor, on: shelf, from: origin,
      openStatus.map { status in
        let details = AnswerDetails<Item>()
        details.openStatuses = [status]
        return details
      })
  }

  /// A result made by hand, for previews and tests.
  public init(_ annotation: Item, distance: Distance, from origin: Coordinate) {
    self.init(
      Neighbor(position: 0, distance: distance), on: AnnotationShelf([annotation]), from: origin)
  }

  /// What was found, fetched each time it is looked at.
  @inlinable public var annotation: Item { shelf[place] }

  /// What its hours say about the moment that was asked about; nil if none was.
  public var openStatus: OpenStatus? {
    guard let statuses = details?.openStatuses, !statuses.isEmpty else { return nil }
    return statuses[rank]
  }

  /// Where the annotation is; nil for one without a position, which only a query without an origin and
  /// an area finds.
  public var coordinate: Coordinate? { annotation.coordinate }

  /// The initial direction from the origin, in degrees clockwise from north, 0 ≤ b < 360; nil at
  /// distance 0 and at a pole, where there is none, and if nothing is measured.
  ///
  /// - Complexity: one geodesic each time; it is not stored, so it costs nothing unless you read
  ///   it.
  public var bearing: Double? {
    origin.flatMap { origin in nearestPoint.flatMap { origin.initialBearing(to: $0) } }
  }

  /// The point that the distance is measured to: the nearest point of a line or an area, or the
  /// origin itself if it is inside; for a point, where it is.
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
  /// That of the annotation.
  public var id: AnnotationID { annotation.id }
}

extension NearbyResult: Equatable where Item: Equatable {
  /// Whether both say the same of equal annotations, whichever indexes they come from.
  public static func == (left: NearbyResult, right: NearbyResult) -> Bool {
    left.distance == right.distance && left.origin == right.origin
      && left.openStatus == right.openStatus && left.annotation == right.annotation
  }
}

/// The annotations that answer a query, nearest first, and how long they stay the answer.
///
///     let three = index.nearest(3, to: cityHall)
///     print(three[0].annotation.name ?? "?", three[0].distance, three.validRadius ?? .infinity)
///
/// A collection of results in the order that was asked for, by (distance, id) unless it was another; kind by
/// kind where each kind was asked for.
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
  /// Zero where that cannot be told: of a page that begins behind a cursor, of one that ends inside of an
  /// order other than that by distance, and where a condition asks for the distance.
  public internal(set) var validRadius: Distance? {
    get { radius }
    set { radius = newValue }
  }
  /// What the search did.
  public let statistics: SearchStatistics
  /// The first instant after the one asked about at which the same question has another answer by
  /// time alone; nil when there is none, and where hours were not asked about.
  ///
  /// Another answer is one with other annotations, or in other states. Like `validRadius`, it
  /// refers to which results there are, not to what else is known of them.
  public internal(set) var validUntil: Instant? {
    get { details?.validUntil }
    set { change { $0.validUntil = newValue } }
  }
  /// Annotations nearer than the last result that are not open on arrival, nearest first, at most
  /// as many as results were asked for; empty if the query is not about arrivals.
  public internal(set) var passedOver: [NearbyResult<Item>] {
    get { details?.passedOver ?? [] }
    set { change { $0.passedOver = newValue } }
  }

  /// What ``NearbyQuery/after`` must be for the next page; nil for the last one, and where no pages were
  /// asked for.
  public internal(set) var next: String? {
    get { details?.next }
    set { change { $0.next = newValue } }
  }
  /// The values of the fields that were to be counted, over all that match.
  public internal(set) var facets: [Facet] {
    get { details?.facets ?? [] }
    set { change { $0.facets = newValue } }
  }
  /// How many match in all; nil where nothing was counted.
  public internal(set) var matched: Int? {
    get { details?.matched }
    set { change { $0.matched = newValue } }
  }
  /// What could not be asked; nil where the answer is complete, as that of one index always is.
  ///
  /// Then `matched` and `facets` count what could be asked.
  public internal(set) var missing: MissingParts? {
    get { details?.missing }
    set { change { $0.missing = newValue } }
  }
  /// How many seconds the answer may be behind, because it comes from a replica of a database; nil
  /// if it does not.
  public internal(set) var replicaLag: Double? {
    get { details?.replicaLag }
    set { change { $0.replicaLag = newValue } }
  }
  /// How the query was answered; nil without a query.
  public internal(set) var plan: QueryPlan? {
    get { details?.plan }
    set { change { $0.plan = newValue } }
  }
  /// By result; empty where no hours were asked about.
  var openStatuses: [OpenStatus] {
    get { details?.openStatuses ?? [] }
    set { change { $0.openStatuses = newValue } }
  }

  /// Says something that few answers say.
  private mutating func change(_ body: (AnswerDetails<Item>) -> Void) {
    if !isKnownUniquelyReferenced(&details) { details = AnswerDetails(details) }
    details.map(body)
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
  public init(_ annotations: [Item], from origin: Coordinate, validRadius: Distance? = nil) {
    let neighbors = annotations.enumerated().compactMap { place, annotation in
      annotation.distance(from: origin).map { Neighbor(position: place, distance: $0) }
    }
    self.init(neighbors, on: AnnotationShelf(annotations), from: origin, validRadius: validRadius)
  }

  /// The annotations alone, in the same order.
  public var annotations: AnnotationList<Item> {
    AnnotationList(neighbors.map(\.position), on: shelf)
  }

  /// The same annotations in the same order, with distances from another position: what a screen shows
  /// while one walks on within `validRadius`.
  ///
  /// The set stays the answer within `validRadius` of where it was asked; nearest first it need not be.
  ///
  /// - Complexity: one geodesic for each result.
  public func measured(from position: Coordinate) -> NearbyAnswer {
    let neighbors = neighbors.map { neighbor in
      Neighbor(
        position: neighbor.position,
        distance: shelf[neighbor.position].distance(from: position) ?? neighbor.distance)
    }
    let moved = origin.map { $0.distance(to: position) } ?? .infinity
    var answer = NearbyAnswer(
      neighbors, on: shelf, from: position,
      validRadius: validRadius.map { Swift.max($0 - moved, .zero) }, statistics: statistics)
    answer.openStatuses = openStatuses
    answer.validUntil = validUntil
    answer.passedOver = passedOver
    return answer
  }

  /// Without the results of which something is true; how long the rest stays the answer nobody knows.
  package func dropping(_ isDropped: (Item) -> Bool) -> NearbyAnswer {
    let kept = neighbors.indices.filter { !isDropped(shelf[neighbors[$0].position]) }
    return kept.count == count ? self : chosen(kept)
  }

  /// The first results alone; how long they stay the answer nobody knows.
  package func first(_ limit: Int) -> NearbyAnswer {
    chosen(Array(neighbors.indices.prefix(limit)))
  }

  private func chosen(_ ranks: [Int]) -> NearbyAnswer {
    var answer = NearbyAnswer(
      ranks.map { neighbors[$0] }, on: shelf, from: origin, validRadius: .zero,
      statistics: statistics)
    if !openStatuses.isEmpty { answer.openStatuses = ranks.map { openStatuses[$0] } }
    return answer
  }

  /// The answer with what hours say of each result.
  func stating(_ statuses: [OpenStatus]) -> NearbyAnswer {
    var answer = self
    answer.openStatuses = statuses
    return answer
  }

  /// Several answers of one index, one after the other.
  ///
  /// - Parameters:
  ///   - answers: At least one is asked; their results are of one shelf.
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
  /// 0.
  @inlinable public var startIndex: Int { 0 }
  /// How many results there are.
  @inlinable public var endIndex: Int { neighbors.count }
  /// The result at a place, the nearest at 0.
  ///
  /// - Precondition: `position` is in 0..<`count`.
  @inlinable public subscript(position: Int) -> NearbyResult<Item> {
    let ahead = position + AnnotationShelf<Item>.readAhead
    if ahead < neighbors.count { shelf.prefetch(neighbors[ahead].position) }
    return NearbyResult(neighbors[position], on: shelf, from: origin, details, rank: position)
  }
}

extension NearbyAnswer: Equatable where Item: Equatable {
  /// Whether both say the same: equal results in one order, that hold as long; what the searches did does
  /// not count.
  public static func == (left: NearbyAnswer, right: NearbyAnswer) -> Bool {
    left.origin == right.origin && left.validRadius == right.validRadius
      && left.validUntil == right.validUntil && left.elementsEqual(right)
      && left.passedOver == right.passedOver && left.next == right.next
      && left.facets == right.facets && left.matched == right.matched
      && left.missing == right.missing
  }
}

/// What few answers say.
///
/// It stands apart, so that the others stay small: each loop copies its answer.
///
/// Changed only while a single answer has it, and so safe to share.
@usableFromInline
final class AnswerDetails<Item: Annotation>: @unchecked Sendable {
  /// By result; empty where no hours were asked about.
  var openStatuses: [OpenStatus] = []
  var validUntil: Instant?
  var passedOver: [NearbyResult<Item>] = []
  var next: String?
  var facets: [Facet] = []
  var matched: Int?
  var missing: MissingParts?
  var replicaLag: Double?
  var plan: QueryPlan?

  /// The same as others say, or nothing.
  init(_ others: AnswerDetails? = nil) {
    guard let others else { return }
    openStatuses = others.openStatuses
    validUntil = others.validUntil
    passedOver = others.passedOver
    next = others.next
    facets = others.facets
    matched = others.matched
    missing = others.missing
    replicaLag = others.replicaLag
    plan = others.plan
  }
}
