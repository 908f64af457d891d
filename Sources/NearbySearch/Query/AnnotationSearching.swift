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
}

/// What an answer may need besides the query.
public struct QueryContext<Item: Annotation>: Sendable {
  /// The time zones and holidays to read hours with; needed if a query asks for what is open.
  public var hours: HoursReader<Item>?
  /// Properties that a query may name although no annotation has a value there.
  public var columns: [String]
  /// Annotations of a live index that expire at this instant or before are left out; by default, none are.
  public var now: Double

  /// A context.
  public init(
    hours: HoursReader<Item>? = nil, columns: [String] = [], now: Double = -.infinity
  ) {
    self.hours = hours
    self.columns = columns
    self.now = now
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
    case .origin: "distances are limited, but there is no origin; give the query one"
    case .grouping: "each kind has an order of its own; leave out the order and the page"
    case .source(_, let message): message
    }
  }
}

/// What a query run needs from the annotations that it searches; the rest is the same for all.
protocol QuerySource<Item> {
  associatedtype Item: Annotation

  /// Gives the annotations, by the places that searches return.
  var shelf: AnnotationShelf<Item> { get }
  /// All annotations, including those without a position, to see which fields they have.
  associatedtype Items: Collection<Item>
  var items: Items { get }
  /// The kinds of the placed annotations.
  var placedKinds: KindCategories { get }
  /// Whether places ascend as ids do, equal ids by source and record.
  var placesAscend: Bool { get }

  /// The nearest annotations of some kinds that satisfy a predicate; nil for no predicate.
  func nearest(
    _ limit: Int, to origin: Coordinate, at distances: DistanceRange,
    of kinds: Set<AnnotationKind>?,
    where isIncluded: ((Int) -> Bool)?
  ) -> NearestAnswer
  /// The places of the placed annotations of some kinds in an area, ascending.
  func places(in area: QueryArea, of kinds: Set<AnnotationKind>?) -> [Int]
  /// The places of the placed annotations with these ids, ascending; nil where that takes a test of each annotation.
  func places(withIDs ids: Set<AnnotationID>) -> [Int]?
  /// The places of the placed annotations whose ids are a number, however they write it, ascending; nil where that
  /// takes a test of each annotation, which is then so for every number.
  func places(withNumber number: DecimalNumber) -> [Int]?
  /// The number of placed annotations in an area; nil where counting takes long.
  func placeCount(in area: QueryArea) -> Int?
  /// Whether all annotations have a position, as far as the source knows.
  var hasPlacesForAll: Bool { get }
  /// All annotations, placed or not, and the shelf to fetch them from.
  var everything: (places: [Int], shelf: AnnotationShelf<Item>) { get }
}

extension QuerySource {
  var placesAscend: Bool { false }

  func places(withIDs ids: Set<AnnotationID>) -> [Int]? { nil }

  func places(withNumber number: DecimalNumber) -> [Int]? { nil }

  func placeCount(in area: QueryArea) -> Int? { nil }

  var hasPlacesForAll: Bool { false }
}
