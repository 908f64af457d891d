import Geodesy
import MapAnnotations

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
    plan.search == .nearest && plan.condition == nil && open == nil && dates == nil
      && clip == nil && after == nil && !isPerKind && facets.isEmpty && ordering == .distance
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
}

/// The distances between which results lie: beyond one, exclusive, up to another, inclusive.
///
/// So two ranges that share an end neither overlap nor leave a gap.
public struct DistanceRange: Hashable, Sendable {
  /// Farther than this; nil for no such limit.
  public var beyond: Distance?
  /// The greatest distance; infinite for no such limit.
  public var within: Distance

  /// A range; empty where `beyond` is not less than `within`.
  public init(beyond: Distance? = nil, within: Distance = .infinity) {
    self.beyond = beyond
    self.within = within
  }

  /// Whether a distance lies in the range.
  public func contains(_ distance: Distance) -> Bool {
    distance <= within && beyond.map { distance > $0 } ?? true
  }

  /// Whether it contains every distance.
  var isEverything: Bool { within == .infinity && beyond == nil }

  /// The distances in both ranges.
  func intersection(_ other: DistanceRange) -> DistanceRange {
    DistanceRange(
      beyond: [beyond, other.beyond].compactMap { $0 }.max(), within: min(within, other.within))
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
    let calendar = annotation.calendar
    switch choice {
    case .segment(let segment): return calendar.holds(in: segment, today: today) ?? true
    case .next: return calendar.holds(onOrAfter: today) ?? true
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
