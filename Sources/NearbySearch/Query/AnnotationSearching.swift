import Geodesy
import MapAnnotations
import SpatialIndexing

/// Anything that can answer a ``NearbyQuery``: an index, a snapshot of a live one, a plain list.
///
/// All of them give the same answers to the same query over the same annotations.
public protocol AnnotationSearching<Item>: Sendable {
  /// What answers are made of.
  associatedtype Item: Annotation

  /// Answers a query.
  ///
  /// - Parameters:
  ///   - query: What is wanted.
  ///   - context: What the query does not say and an answer may need.
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

/// What a query does not say and its answer may need.
public struct QueryContext<Item: Annotation>: Sendable {
  /// With which time zones and holidays hours are read; needed if a query asks for what is open.
  public var hours: HoursReader<Item>?
  /// Properties that annotations may have although none says anything there: a query may name them.
  public var columns: [String]
  /// What a live index drops at this instant or before does not count; by default nothing is dropped.
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
  /// The order, or what is to be counted, names a field that no annotation has, or a distance from nowhere.
  case field(ConditionError)
  /// `after` is no cursor of this query.
  case cursor(PageCursorError)
  /// Hours are asked about, and the context does not say how to read them.
  case hours
  /// Distances are limited, and there is no origin.
  case origin
  /// Each kind is asked for on its own, and an order or a page, too.
  case grouping
  /// The source of the annotations cannot be reached now; contains its code, and what is wrong.
  case source(code: String, message: String)

  /// The mistake's name, as `cursor-mismatch`.
  public var code: String {
    switch self {
    case .condition(let error): error.code
    // They name fields alone, so that the place in them tells nothing.
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
    case .hours: "hours are asked about; give the context a reader of hours"
    case .origin: "distances are limited, but from nowhere; give the query an origin"
    case .grouping: "each kind has an order of its own; leave out the order and the page"
    case .source(_, let message): message
    }
  }
}

/// What a query run asks of the annotations it is put to; the rest is the same for all.
protocol QuerySource<Item> {
  associatedtype Item: Annotation

  /// Has the annotations, by the places that searches give.
  var shelf: AnnotationShelf<Item> { get }
  /// All annotations, those without a position, too, to see which fields they have.
  associatedtype Items: Collection<Item>
  var items: Items { get }
  /// The kinds of the placed annotations by name, and whether some have none.
  var kindsByName: (named: [AnnotationKind], hasUnnamed: Bool) { get }
  /// Whether places ascend as ids do, equal ids by source and record.
  var placesAscend: Bool { get }

  /// The nearest that are of some kinds and of which something is true; nil where nothing is asked.
  func nearest(
    _ limit: Int, to origin: Coordinate, at distances: DistanceRange,
    of kinds: Set<AnnotationKind>?,
    where isIncluded: ((Int) -> Bool)?
  ) -> NearestAnswer
  /// The places of the placed annotations of some kinds in an area, ascending.
  func places(in area: QueryArea, of kinds: Set<AnnotationKind>?) -> [Int]
  /// The places of the placed annotations with these ids, ascending; nil where nobody knows without asking
  /// each.
  func places(withIDs ids: Set<AnnotationID>) -> [Int]?
  /// The places of the placed annotations whose ids are a number, however they write it, ascending; nil
  /// where nobody knows without asking each, as for every number then.
  func places(withNumber number: DecimalNumber) -> [Int]?
  /// How many placed annotations an area holds; nil where it takes long to tell.
  func placeCount(in area: QueryArea) -> Int?
  /// Whether no annotation is without a position, as far as the source knows.
  var hasPlacesForAll: Bool { get }
  /// All annotations, placed or not, and where to fetch them.
  var everything: (places: [Int], shelf: AnnotationShelf<Item>) { get }
}

extension QuerySource {
  func places(withNumber number: DecimalNumber) -> [Int]? { nil }

  func placeCount(in area: QueryArea) -> Int? { nil }

  var hasPlacesForAll: Bool { false }

  /// The nearest of each kind, kind after kind in the order of their names, those without one last.
  ///
  /// - Parameter wanted: Only of these kinds; nil for all, with or without a kind.
  func nearestOfEachKind(
    _ limit: Int, to origin: Coordinate, at distances: DistanceRange,
    of wanted: Set<AnnotationKind>?, where isIncluded: ((Int) -> Bool)?
  ) -> NearbyAnswer<Item> {
    let (named, hasUnnamed) = kindsByName
    var found = named.filter { wanted?.contains($0) ?? true }.map {
      nearest(limit, to: origin, at: distances, of: [$0], where: isIncluded)
    }
    if wanted == nil, hasUnnamed {
      found.append(
        nearest(limit, to: origin, at: distances, of: nil) {
          shelf[$0].kind == nil && isIncluded?($0) ?? true
        })
    }
    let answers = found.map { NearbyAnswer($0, on: shelf, from: origin) }
    return NearbyAnswer.joined(answers, on: shelf, from: origin)
  }
}
