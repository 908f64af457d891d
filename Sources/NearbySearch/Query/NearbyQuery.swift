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
  ///
  /// - Complexity: O(size of the condition) to set, O(1) to read and to plan with, however often the query is answered.
  public var condition: Condition? {
    get { conditionParts?.condition }
    set { conditionParts = newValue.map { ConditionParts($0) } }
  }
  /// The condition, taken apart for plans.
  var conditionParts: ConditionParts?
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
    (query.kinds, query.conditionParts, query.open) = (kinds, conditionParts, open)
    return query == self
  }

  /// Whether a test of each annotation depends on its distance: a condition on the distance, or hours on arrival.
  ///
  /// Then nothing is known of how far the origin may move before others match.
  @usableFromInline var measuresDistance: Bool {
    open?.isOnArrival ?? false || conditionParts?.measuresDistance ?? false
  }

  /// The order of the results.
  var ordering: ResultOrder { order ?? (origin == nil ? .id : .distance) }

  /// Whether a plain nearest search, with or without kinds, answers the query.
  @usableFromInline
  func asksOnlyForTheNearest(by plan: QueryPlan) -> Bool {
    plan.search == .nearest && plan.condition == nil && open == nil && dates == nil
      && clip == nil && after == nil && !isPerKind && facets.isEmpty
      && (order == nil || order == .distance)
  }

  /// Whether a walk, nearest first, meets the few that are wanted of an area long before a search in the area has
  /// measured all that are in it.
  ///
  /// The walk also passes what is outside, and all of it if nothing matches. To pass one takes a third of the time of
  /// measuring one, so that it takes at most three times as long as the other search if the area holds an eighth of all.
  func prefersWalk(_ count: (QueryArea) -> Int?) -> Bool {
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

// MARK: - Its plan

/// How a query is answered: which search finds candidates, and what is left to test on each.
///
///     let plan = QueryPlan(query)
///     print(plan)   // nearest first, within 50 m, of kind mart, asking each: rating >= 4.5
///
/// Tests joined by `and` are taken out of the condition if a search does them: `kind = …` and
/// `kind in (…)` become categories of the tree, `distance < …` limits of the search, `id = …` and
/// `id in (…)` lookups. What a search does exactly is not tested again.
public struct QueryPlan: Hashable, Sendable {
  /// The search that finds the annotations that may match.
  public enum Search: Hashable, Sendable {
    /// A lookup of the annotations with these ids.
    case lookup(Set<AnnotationID>)
    /// A lookup of the annotations whose ids are one of these decimal numbers, however they write it.
    case lookupNumbers([String])
    /// A walk through the tree, nearest first, until there are enough results.
    case nearest
    /// A search in a box or in polygons.
    case area
    /// A test of all annotations.
    case scan
  }

  /// The search that finds the annotations that may match.
  public let search: Search
  /// Only annotations of these kinds are found; nil for all.
  public let kinds: Set<AnnotationKind>?
  /// Only annotations at these distances are found.
  public let distances: DistanceRange
  /// What is left to test on each annotation found; nil for nothing.
  public let condition: Condition?
  /// Whether each annotation found is tested for the area, because the search is not one in the area.
  public let testsArea: Bool

  /// Plans a query.
  ///
  /// - Complexity: O(1), and that of joining two sets of kinds where the condition names some, too.
  public init(_ query: borrowing NearbyQuery) { self.init(query) { _ in nil } }

  /// Plans a query of annotations that are in an index.
  ///
  /// - Parameter count: Returns how many of them are in an area; nil where counting takes long.
  init(_ query: borrowing NearbyQuery, count: (QueryArea) -> Int?) {
    let parts = query.origin == nil ? query.conditionParts?.unmeasured : query.conditionParts
    kinds =
      if let named = parts?.kinds { query.kinds?.intersection(named) ?? named } else { query.kinds }
    distances =
      parts.map { query.distances.intersection($0.distances) } ?? query.distances
    condition = parts?.rest
    if let ids = parts?.ids {
      search = .lookup(ids)
    } else if let numbers = parts?.numbers {
      search = .lookupNumbers(numbers)
    } else if query.area != .everywhere {
      search = query.prefersWalk(count) ? .nearest : .area
    } else {
      search = query.origin == nil ? .scan : .nearest
    }
    testsArea = search == .nearest && query.area != .everywhere
  }
}

/// A condition, taken apart into what a search does and what is left to test: once, because a query is often asked
/// again from elsewhere.
final class ConditionParts: Sendable {
  let condition: Condition
  /// The kinds that it allows; nil for all.
  let kinds: Set<AnnotationKind>?
  /// The distances that it allows.
  let distances: DistanceRange
  /// The ids that it allows; nil for all.
  let ids: Set<AnnotationID>?
  /// The numbers of which ids must be one, where `ids` is nil; nil for any id.
  let numbers: [String]?
  /// What no search does; nil for nothing.
  let rest: Condition?
  /// Whether some test is about the distance.
  let measuresDistance: Bool

  /// - Parameter measures: Whether there is an origin to measure from.
  init(_ condition: Condition, measures: Bool = true) {
    self.condition = condition
    measuresDistance = condition.measuresDistance
    var kinds: Set<AnnotationKind>?
    var distances = DistanceRange()
    var ids: Set<AnnotationID>?
    var numbers: [String]?
    var rest: [Condition] = []
    func take(_ test: Condition) {
      if case .all(let members) = test {
        for member in members { take(member) }
      } else if let named = test.kinds {
        kinds = kinds?.intersection(named) ?? named
      } else if let named = test.ids {
        ids = ids?.intersection(named) ?? named
      } else if measures, let limits = test.distances {
        distances = distances.intersection(limits)
      } else if numbers == nil, let named = test.idNumbers {
        numbers = named
      } else {
        rest.append(test)
      }
    }
    take(condition)
    // Ids are looked up as texts or as numbers, not both: the numbers are then tested on what was found.
    if ids != nil, let tested = numbers {
      rest.append(.isID(amongNumbers: tested))
      numbers = nil
    }
    self.kinds = kinds
    self.distances = distances
    self.ids = ids
    self.numbers = numbers
    self.rest = rest.count > 1 ? .all(rest) : rest.first
  }

  /// The parts where there is no origin to measure from: tests of the distance are left.
  var unmeasured: ConditionParts {
    measuresDistance ? ConditionParts(condition, measures: false) : self
  }
}

extension ConditionParts: Hashable {
  static func == (left: ConditionParts, right: ConditionParts) -> Bool {
    left === right || left.condition == right.condition
  }

  func hash(into hasher: inout Hasher) { hasher.combine(condition) }
}

extension QueryPlan: CustomStringConvertible {
  /// The plan in one line.
  public var description: String {
    var parts: [String] = []
    func lookUp(_ ids: [String]) {
      parts.append(
        "look up id \(ids.prefix(5).joined(separator: ", "))"
          + (ids.count > 5 ? " and \(ids.count - 5) more" : ""))
    }
    switch search {
    case .lookup(let ids): lookUp(ids.sorted().map(\.text))
    case .lookupNumbers(let numbers): lookUp(numbers)
    case .nearest: parts.append(testsArea ? "nearest first, in the area" : "nearest first")
    case .area: parts.append("what lies in the area")
    case .scan: parts.append("ask all")
    }
    // Rounded to a micrometer: to a reader, the last binary number before 50 is 50.
    func said(_ distance: Distance) -> String {
      let meters = distance.meters
      return plainDecimal(abs(meters) < 1e9 ? (meters * 1e6).rounded() / 1e6 : meters)
    }
    if let beyond = distances.beyond { parts.append("beyond \(said(beyond)) m") }
    if distances.within < .infinity { parts.append("within \(said(distances.within)) m") }
    if let kinds {
      parts.append("of kind \(kinds.map(\.rawValue).sorted().joined(separator: ", "))")
    }
    if let condition { parts.append("asking each: \(condition)") }
    return parts.joined(separator: ", ")
  }
}

extension Condition {
  /// A test of whether an id is one of some numbers.
  static func isID(amongNumbers numbers: [String]) -> Condition {
    let literals = numbers.map { Literal.number($0) }
    return literals.count == 1
      ? .comparison(.field(.common(.id)), .equal, .literal(literals[0]))
      : .membership(.field(.common(.id)), literals)
  }

  /// The texts that a test compares a field with; nil where it is no such test, or also names other values.
  private func texts(equalTo wanted: Field) -> [String]? {
    switch self {
    case .comparison(.field(let field), .equal, .literal(.text(let text))),
      .comparison(.literal(.text(let text)), .equal, .field(let field)):
      return field == wanted ? [text] : nil
    case .membership(.field(let field), let literals) where field == wanted:
      let texts = literals.compactMap { if case .text(let text) = $0 { text } else { nil } }
      return texts.count == literals.count ? texts : nil
    default: return nil
    }
  }

  /// The kinds that a test names, where it is true for exactly these.
  fileprivate var kinds: Set<AnnotationKind>? {
    guard let texts = texts(equalTo: .common(.kind)), !texts.contains(where: NullText.isNull) else {
      return nil
    }
    return Set(texts.lazy.map { AnnotationKind(rawValue: $0) })
  }

  /// The ids that a test names, where it is true for exactly these.
  ///
  /// Numbers are left out: `id = 7` is true for the ids `7`, `7.0` and `07`.
  fileprivate var ids: Set<AnnotationID>? {
    guard let texts = texts(equalTo: .common(.id)), !texts.contains("") else { return nil }
    // Texts are equal if they are canonically equivalent, ids only if their bytes are equal.
    guard texts.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) else { return nil }
    return Set(texts.lazy.map { AnnotationID($0) })
  }

  /// The numbers that a test compares ids with, where it is true for exactly the ids that equal one of them.
  ///
  /// `id = 7` is true for the ids `7`, `7.0` and `07`.
  fileprivate var idNumbers: [String]? {
    let literals: [Literal]
    switch self {
    case .comparison(.field(let field), .equal, .literal(let literal)) where field == .common(.id),
      .comparison(.literal(let literal), .equal, .field(let field)) where field == .common(.id):
      literals = [literal]
    case .membership(.field(let field), let members) where field == .common(.id): literals = members
    default: return nil
    }
    var numbers: [String] = []
    for literal in literals {
      // A number that no id can have is better tested on each annotation.
      guard case .number(let text) = literal, DecimalNumber(text)?.canonicalIDs != nil else {
        return nil
      }
      numbers.append(text)
    }
    return numbers.isEmpty ? nil : numbers
  }

  /// The distances for which a test is true, and no others; nil for other kinds of tests.
  fileprivate var distances: DistanceRange? {
    switch self {
    case .comparison(.field(let field), let comparison, .literal(.number(let limit)))
    where field == .common(.distance):
      return NearestBinary(limit)?.distances(comparison)
    case .comparison(.literal(.number(let limit)), let comparison, .field(let field))
    where field == .common(.distance):
      return NearestBinary(limit)?.distances(comparison.mirrored)
    case .range(.field(let field), .literal(.number(let low)), .literal(.number(let high)))
    where field == .common(.distance):
      guard let above = NearestBinary(low)?.distances(.atLeast),
        let below = NearestBinary(high)?.distances(.atMost)
      else { return nil }
      return above.intersection(below)
    default: return nil
    }
  }
}

extension NearestBinary {
  /// The distances for which a comparison with the number is true; nil where no range expresses them.
  ///
  /// A condition compares decimals and a range binary numbers, which have the same order (see `order(of:)`): only for
  /// the binary number nearest to the literal does it matter on which side of the literal it lies.
  fileprivate func distances(_ comparison: Condition.Comparison) -> DistanceRange? {
    guard double.isFinite else { return nil }
    let isIn = comparison.holds(tie)
    switch comparison {
    case .less, .atMost: return DistanceRange(within: .meters(isIn ? double : double.nextDown))
    case .greater, .atLeast:
      let beyond = isIn ? double.nextDown : double
      // No distance is below zero, so a range needs no limit there.
      return DistanceRange(beyond: beyond < 0 ? nil : .meters(beyond))
    case .equal:
      guard isIn else { return DistanceRange(within: .meters(-1)) }
      return DistanceRange(
        beyond: double > 0 ? .meters(double.nextDown) : nil, within: .meters(double))
    case .unequal: return nil
    }
  }
}
