import Geodesy
import MapAnnotations
import SpatialIndexing

/// What to find, as one value: where, how far, which, when, in which order, how many.
///
///     var query = NearbyQuery(from: here, limit: 3)
///     query.distances = DistanceRange(within: .kilometers(2))
///     query.condition = try Condition(parsing: "kind = 'mart' and rating >= 4.5")
///     let answer = try index.answer(query)
///
/// It knows nothing about how it will be answered, by what, or for whom: an app, the command line and a server use the
/// same queries. Over the same annotations, equal queries find the same results in the same order.
public struct NearbyQuery: Hashable, Sendable {
  /// Where annotations must lie.
  public var area = QueryArea.everywhere
  /// A second box in which they must lie, edges included; nil for none.
  ///
  /// It is tested on each annotation of `area`; for a single box use `area`, which indexes look up.
  public var clip: BoundingBox?
  /// Where distances are measured from; nil to measure none.
  public var origin: Coordinate?
  /// How far from `origin` annotations may be.
  public var distances = DistanceRange()
  /// Only annotations of these kinds; nil for all, with or without a kind.
  public var kinds: Set<AnnotationKind>?
  /// A condition on the fields of annotations.
  public var condition: Condition?
  /// When annotations must be open; nil if that does not matter.
  public var open: OpenCondition?
  /// On which days they must be valid; nil if that does not matter.
  public var dates: QueryDates?
  /// What results are ordered by; nil for the distance if there is an origin, otherwise the id.
  public var order: ResultOrder?
  /// The most results to return, for each kind if `isPerKind`.
  public var limit = Int.max
  /// The ``NearbyAnswer/next`` of the previous page; empty for the first page, nil where no pages are asked for.
  public var after: String?
  /// Whether each kind is answered separately: in the order of their names, those without a kind last.
  ///
  /// From an origin, each of an index's first 63 kinds takes a search, and all others one walk together.
  public var isPerKind = false
  /// The fields whose values are counted over all matches.
  public var facets: [Condition.Field] = []

  /// A query for everything, by id.
  public init() {}

  /// A query for the nearest annotations to a position.
  public init(from origin: Coordinate, limit: Int) {
    self.origin = origin
    self.limit = limit
  }

  /// Whether the origin decides which annotations match, not only their order: by distance limits, a condition on the
  /// distance, or hours on arrival.
  public var choosesByOrigin: Bool { !distances.isEverything || measuresDistance }

  /// Whether it only has kinds, a condition and hours: no limit, no order and no counts.
  package var asksOnlyWhich: Bool {
    var query = NearbyQuery()
    (query.kinds, query.condition, query.open) = (kinds, condition, open)
    return query == self
  }

  /// Whether a test of each annotation depends on its distance: a condition on the distance, or hours on arrival.
  ///
  /// Then nothing is known of how far the origin may move before others match.
  var measuresDistance: Bool {
    open?.isOnArrival ?? false || condition?.measuresDistance ?? false
  }

  /// The order of the results.
  var ordering: ResultOrder { order ?? (origin == nil ? .id : .distance) }

  /// Whether a plain nearest search, with or without kinds, answers the query.
  func asksOnlyForTheNearest(by plan: QueryPlan) -> Bool {
    plan.search == .nearest && !plan.testsArea && plan.condition == nil && open == nil
      && dates == nil && clip == nil && after == nil && !isPerKind && facets.isEmpty
      && (order == nil || order == .distance)
  }

  /// Whether a walk, nearest first, meets the few that are wanted of an area long before a search in the area has
  /// measured all that are in it.
  ///
  /// The walk also passes what is outside, which costs a fraction of a measured distance. So it takes little longer than
  /// the other search even if it passes all, unless the area holds only a small part of all.
  func isSoonMet(_ count: (QueryArea) -> Int?) -> Bool {
    guard origin != nil, ordering == .distance, !isPerKind, facets.isEmpty,
      limit < .max, let met = count(area), limit < met / 16, let all = count(.everywhere)
    else { return false }
    return met > all / 8
  }
}

/// Where the annotations of a query must lie.
public enum QueryArea: Hashable, Sendable {
  /// Anywhere on Earth; without an origin, also annotations without a position.
  case everywhere
  /// In a box, its edges included.
  case box(BoundingBox)
  /// In polygons, their borders included.
  case polygons(MultiPolygon)

  /// Whether a position lies in the area.
  public func contains(_ coordinate: Coordinate) -> Bool {
    switch self {
    case .everywhere: true
    case .box(let box): box.contains(coordinate)
    case .polygons(let polygons): polygons.contains(coordinate)
    }
  }

  /// Whether an annotation lies in the area: its coordinate, or any part of its shape.
  func holds(_ item: some Annotation) -> Bool {
    let meets: Bool? =
      switch self {
      case .everywhere: item.coordinate != nil
      case .box(let box): item.searchedShape?.meets(box)
      case .polygons(let polygons): item.searchedShape?.meets(polygons)
      }
    return meets ?? item.coordinate.map(contains) ?? false
  }
}

/// The days on which the annotations of a query must be valid.
public struct QueryDates: Hashable, Sendable {
  /// A way to choose days.
  public enum Choice: Hashable, Sendable {
    /// Any of the days of a segment.
    case segment(DateSegment)
    /// Each annotation's own first business day, today or later.
    case next
  }

  /// How the days are chosen.
  public var choice: Choice
  /// Today's date where the query is asked; nothing here reads a clock.
  public var today: CalendarDate

  /// A choice of days.
  public init(_ choice: Choice, today: CalendarDate) {
    self.choice = choice
    self.today = today
  }

  /// The chosen days; nil for `next`, and where they have no end.
  public var days: ClosedRange<CalendarDate>? {
    guard case .segment(let segment) = choice else { return nil }
    return segment.days(today: today)
  }

  /// The chosen day where it is a single one; otherwise nil.
  public var day: CalendarDate? {
    days.flatMap { $0.lowerBound == $0.upperBound ? $0.lowerBound : nil }
  }

  /// Whether an annotation is valid on those days, or may be: one whose dates were not understood stays visible.
  public func includes(_ annotation: some Annotation) -> Bool {
    isMet(by: annotation.calendar) ?? true
  }

  /// Whether a calendar has one of those days; nil if words that were not understood might decide it.
  package func isMet(by calendar: AnnotationCalendar) -> Bool? {
    switch choice {
    case .segment(let segment): calendar.holds(in: segment, today: today)
    case .next: calendar.holds(onOrAfter: today)
    }
  }

  /// The sessions to show, day by day: those of the chosen days, or where these have no end, of the first that has some.
  ///
  /// - Returns: nil for an annotation without a timetable.
  public func sessions(of annotation: some Annotation) -> [Session]? {
    let calendar = annotation.calendar
    guard calendar.timetable != nil else { return nil }
    let chosen =
      days.map { calendar.days(in: $0) }
      ?? calendar.firstDay(onOrAfter: today).map { [$0] } ?? []
    return chosen.flatMap { calendar.sessions(on: $0) }
  }

  /// The chosen days on which an annotation is certain to be valid; nil where the choice has no end.
  public func days(of annotation: some Annotation) -> [CalendarDate]? {
    if choice == .next { return annotation.calendar.firstDay(onOrAfter: today).map { [$0] } ?? [] }
    return days.map { annotation.calendar.days(in: $0) }
  }
}

extension QueryDates: CustomStringConvertible {
  /// `2026-12-13`, `2026-12-01/2026-12-31`, `all`, or `next:2026-12-13`.
  public var description: String {
    if let day { return "\(day)" }
    if choice == .next { return "next:\(today)" }
    return days.map { "\($0.lowerBound)/\($0.upperBound)" } ?? "all"
  }
}

// MARK: - Asking

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
  /// - Throws: ``QueryError``, where the query does not fit the annotations.
  public func answers(
    _ query: NearbyQuery, from origins: [Coordinate],
    in context: QueryContext<Item> = QueryContext()
  ) async throws(QueryError) -> [NearbyAnswer<Item>] {
    let results = await mappedInSpatialOrder(origins) { place in
      var query = query
      query.origin = origins[place]
      do throws(QueryError) {
        return Result<NearbyAnswer<Item>, QueryError>.success(try answer(query, in: context))
      } catch {
        return .failure(error)
      }
    }
    return try results.map { (result) throws(QueryError) in try result.get() }
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
    case .origin: "distances are limited, but there is nothing to measure them from; give `origin`"
    case .grouping: "each kind has an order of its own; leave out the order and the page"
    case .source(_, let message): message
    }
  }
}
