import Geodesy
import MapAnnotations
import SpatialIndexing

/// Anything that can answer a ``NearbyQuery``: an index, a snapshot of a live one, a plain list.
///
/// All of them find the same results in the same order for the same query over the same annotations. Distances, and
/// with them `validRadius`, agree to 20 nm but not bit for bit: a tree measures them by a series, a plain list one by
/// one.
public protocol AnnotationSearching<Item>: Sendable {
  /// The type of the annotations.
  associatedtype Item: Annotation

  /// Answers a query.
  ///
  /// - Parameters:
  ///   - query: What to find.
  ///   - context: What an answer may need besides the query.
  /// - Throws: ``QueryError``, where the query does not fit the annotations.
  func answer(
    _ query: NearbyQuery, in context: QueryContext<Item>
  ) throws(QueryError) -> NearbyAnswer<Item>
}

extension AnnotationSearching {
  /// Answers a query that needs nothing but the annotations.
  public func answer(_ query: NearbyQuery) throws(QueryError) -> NearbyAnswer<Item> {
    try answer(query, in: QueryContext())
  }

  /// Answers one query from many origins, on all cores: for example, the two nearest stops of each shop.
  ///
  ///     let two = NearbyQuery(from: anywhere, limit: 2)
  ///     let stops = try await index.answers(two, from: shops.compactMap(\.coordinate))
  ///
  /// Origins are taken in spatial order, so that each finds in the processor's caches what the one before it has read.
  ///
  /// - Parameters:
  ///   - query: The query; its own origin is ignored.
  ///   - origins: Where distances are measured from, one answer each.
  ///   - context: What the query does not say.
  /// - Returns: One answer for each origin, in their order.
  /// - Throws: ``QueryError``, where the query does not fit the annotations; `CancellationError` soon after the task is
  ///   canceled.
  public func answers(
    _ query: NearbyQuery, from origins: [Coordinate],
    in context: QueryContext<Item> = QueryContext()
  ) async throws -> [NearbyAnswer<Item>] {
    let results = try await mappedInSpatialOrder(origins) { place in
      var query = query
      query.origin = origins[place]
      do throws(QueryError) {
        return Result<NearbyAnswer<Item>, QueryError>.success(try answer(query, in: context))
      } catch {
        return .failure(error)
      }
    }
    return try results.map { try $0.get() }
  }
}

/// The short calls, which an index and a snapshot of a live one answer in quicker ways of their own.
extension AnnotationSearching {
  /// Returns the annotations nearest to a position, nearest first.
  ///
  /// - Parameters:
  ///   - limit: How many to return, at least 0; more than there are returns them all.
  ///   - origin: Where distances are measured from.
  ///   - outer: The greatest distance, inclusive.
  ///   - inner: Annotations must lie beyond this distance, exclusive; nil for no such limit.
  ///   - kinds: Only annotations of these kinds; nil for all, with or without a kind.
  public func nearest(
    _ limit: Int, to origin: Coordinate, within outer: Distance = .infinity,
    beyond inner: Distance? = nil, kinds: Set<AnnotationKind>? = nil
  ) throws(QueryError) -> NearbyAnswer<Item> {
    var query = NearbyQuery(from: origin, limit: limit)
    query.distances = DistanceRange(beyond: inner, within: outer)
    query.kinds = kinds
    return try answer(query)
  }

  /// Returns every annotation within a distance (inclusive) of a position, nearest first.
  public func annotations(
    within radius: Distance, of origin: Coordinate, kinds: Set<AnnotationKind>? = nil
  ) throws(QueryError) -> NearbyAnswer<Item> {
    try nearest(.max, to: origin, within: radius, kinds: kinds)
  }

  /// Returns the annotations in a box, edges included, by ascending id.
  public func annotations(
    in box: BoundingBox, kinds: Set<AnnotationKind>? = nil
  ) throws(QueryError) -> AnnotationList<Item> {
    var query = NearbyQuery()
    query.area = .box(box)
    query.kinds = kinds
    return try answer(query).annotations
  }

  /// Returns the number of annotations in a box, edges included.
  public func count(in box: BoundingBox) throws(QueryError) -> Int {
    try annotations(in: box).count
  }

  /// Returns the number of annotations within a distance, inclusive.
  public func count(within radius: Distance, of origin: Coordinate) throws(QueryError) -> Int {
    try annotations(within: radius, of: origin).count
  }
}

/// Why a query cannot be answered.
public enum QueryError: CodedError, Hashable {
  /// The condition does not fit the annotations.
  case condition(ConditionError)
  /// The order or a facet names a field that no annotation has, or a distance without an origin.
  case field(ConditionError)
  /// `after` is not a cursor of this query.
  case cursor(PageCursorError)
  /// The query tests hours, and the context does not say how to read them.
  case hours
  /// The query limits distances, and has no origin.
  case origin
  /// The query groups results by kind, and also sets an order or a page.
  case grouping
  /// The source of the annotations cannot be reached now; holds its error code and message.
  case source(code: String, message: String)

  /// The error code, such as `cursor-mismatch`.
  public var code: String {
    switch self {
    case .condition(let error): error.code
    // These name only fields, so their column tells nothing.
    case .field(let error): error.reason == .field ? "unknown-field" : error.code
    case .cursor(let error): error.code
    case .hours: "missing-hours"
    case .origin: "missing-position"
    case .grouping: "grouped-order"
    case .source(let code, _): code
    }
  }

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .condition(let error): error.description
    case .field(let error): error.message
    case .cursor(let error): error.description
    case .hours: "the query asks for what is open; give its context a reader of hours"
    case .origin: "distances are limited, but there is nothing to measure them from; give `origin`"
    case .grouping: "each kind has an order of its own; leave out the order and the page"
    case .source(_, let message): message
    }
  }
}
