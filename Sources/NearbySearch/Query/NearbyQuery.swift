import Geodesy
import MapAnnotations

/// What to find, as one value: where, how far, which, when, in which order, how many.
///
///     var query = NearbyQuery(from: here, limit: 3)
///     query.distances = DistanceRange(within: .kilometers(2))
///     query.condition = try Condition(parsing: "kind = 'mart' and rating >= 4.5")
///     let answer = try index.answer(query)
///
/// It knows nothing about how it will be answered, by what, or for whom: an app, the command line
/// and a server use the same queries. Equal queries have equal answers, unless their annotations
/// differ.
public struct NearbyQuery: Hashable, Sendable {
  /// Where annotations must lie.
  public var area = QueryArea.everywhere
  /// A box in which they must lie, too, its edges included; nil for none.
  ///
  /// It is tested on each annotation of `area`; for a box alone use `area`, which indexes look up.
  public var clip: BoundingBox?
  /// Where distances are measured from; nil for nowhere, and then nothing is measured.
  public var origin: Coordinate?
  /// How far from `origin` annotations may be.
  public var distances = DistanceRange()
  /// Only annotations of these kinds; nil for all, with or without a kind.
  public var kinds: Set<AnnotationKind>?
  /// What must be true of an annotation's fields.
  public var condition: Condition?
  /// When annotations must be open; nil where that does not matter.
  public var open: OpenCondition?
  /// On which days they must be valid; nil if that does not matter.
  public var dates: QueryDates?
  /// What results are ordered by; nil for the distance where there is an origin, and else the id.
  public var order: ResultOrder?
  /// How many results there are at most, of each kind where they are grouped.
  public var limit = Int.max
  /// The page behind this cursor, the ``NearbyAnswer/next`` of the page before; nil for the first page.
  public var after: String?
  /// Whether each kind is answered separately: kind after kind in the order of their names, those
  /// without a kind last.
  public var isPerKind = false
  /// The fields whose values are counted over all that match.
  public var facets: [Condition.Field] = []

  /// Everything, by id.
  public init() {}

  /// The nearest annotations to a position.
  public init(from origin: Coordinate, limit: Int) {
    self.origin = origin
    self.limit = limit
  }

  /// Whether the origin decides which annotations there are, and not only their order: by limits of
  /// distance, a condition on the distance, or hours on arrival.
  public var choosesByOrigin: Bool {
    if case .arrival? = open?.moment { return true }
    return !distances.isEverything || condition?.measuresDistance ?? false
  }

  /// The order of the results.
  var ordering: ResultOrder { order ?? (origin == nil ? .id : .distance) }

  /// Whether a search for the nearest of some kinds is all that it takes.
  func asksOnlyForTheNearest(by plan: QueryPlan) -> Bool {
    plan.search == .nearest && plan.condition == nil && open == nil && dates == nil
      && clip == nil && after == nil && !isPerKind && facets.isEmpty && ordering == .distance
  }
}

/// Where the annotations of a query must lie.
public enum QueryArea: Hashable, Sendable {
  /// Anywhere on Earth; without an origin also what has no position.
  case everywhere
  /// In a box, its edges included.
  case box(BoundingBox)
  /// In polygons, their borders included.
  case polygons(MultiPolygon)
}

/// The distances between which results lie: beyond one, itself excluded, up to another, itself included, so
/// that two ranges that share an end share the Earth between them.
public struct DistanceRange: Hashable, Sendable {
  /// Farther than this; nil for no such limit.
  public var beyond: Distance?
  /// The greatest distance; infinite for no such limit.
  public var within: Distance

  /// A range; nothing lies in one whose `beyond` is not less than its `within`.
  public init(beyond: Distance? = nil, within: Distance = .infinity) {
    self.beyond = beyond
    self.within = within
  }

  /// Whether a distance lies in the range.
  public func contains(_ distance: Distance) -> Bool {
    distance <= within && beyond.map { distance > $0 } ?? true
  }

  /// Whether every distance does.
  var isEverything: Bool { within == .infinity && beyond == nil }

  /// The distances that are in both.
  func intersection(_ other: DistanceRange) -> DistanceRange {
    DistanceRange(
      beyond: [beyond, other.beyond].compactMap { $0 }.max(), within: min(within, other.within))
  }
}

/// Which days the annotations of a query must hold on.
public struct QueryDates: Hashable, Sendable {
  /// What is asked for.
  public enum Choice: Hashable, Sendable {
    /// Any of the days of a segment.
    case segment(DateSegment)
    /// Each annotation's own first business day, today or later.
    case next
  }

  /// What is asked for.
  public var choice: Choice
  /// Today's date where the query is asked; nothing here reads a clock.
  public var today: CalendarDate

  /// Asks about days.
  public init(_ choice: Choice, today: CalendarDate) {
    self.choice = choice
    self.today = today
  }

  /// The days that are asked for; nil where they have no end.
  public var days: ClosedRange<CalendarDate>? {
    guard case .segment(let segment) = choice else { return nil }
    return segment.days(today: today)
  }

  /// The one day that is asked for; nil for more than one.
  public var day: CalendarDate? {
    days.flatMap { $0.lowerBound == $0.upperBound ? $0.lowerBound : nil }
  }

  /// Whether an annotation is valid on those days, or may be: dates that were not understood stay
  /// visible.
  public func includes(_ annotation: some Annotation) -> Bool {
    let calendar = annotation.calendar
    switch choice {
    case .segment(let segment): return calendar.holds(in: segment, today: today) ?? true
    case .next: return calendar.firstDay(onOrAfter: today) != nil || !calendar.unread.isEmpty
    }
  }

  /// The sessions to show: those of the day, or of the first of the days that has some.
  ///
  /// - Returns: nil for an annotation without a timetable.
  public func sessions(of annotation: some Annotation) -> [Session]? {
    let calendar = annotation.calendar
    guard calendar.timetable != nil else { return nil }
    let first = days?.lowerBound ?? today
    guard let day = calendar.firstDay(onOrAfter: first), days.map({ day <= $0.upperBound }) ?? true
    else { return [] }
    return calendar.sessions(on: day)
  }

  /// The days of the answer on which an annotation is certain to hold; nil where the answer has no end.
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
