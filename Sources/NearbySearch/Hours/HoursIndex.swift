import BusinessHours
import Geodesy
import MapAnnotations
import SpatialIndexing

/// An index that knows when its annotations are open.
///
/// It finds the nearest open ones in about twice the time that a plain nearest search takes.
///
///     let hours = HoursIndex(index, reader: HoursReader(setting: seoul))
///     await Task { hours.prepare(for: OpenCondition(at: now)) }.value   // may be left out
///     let three = hours.nearest(3, to: here, open: OpenCondition(at: now, showsUnknown: false))
///
/// Every different text is read once. A query about an instant is answered from a *window*: a separate tree of what may
/// be open in that quarter of an hour, with the times at which the rest opens. A window is made once queries have
/// looked at as many annotations in its quarter as the index holds, so making it never costs more than it saves;
/// ``prepare(for:)`` makes it at once. Until then, for arrivals, with `beyond:` and among lines and areas, annotations
/// are tested one by one during the search.
///
/// It is a value that any number of tasks may search at once.
///
/// - Complexity: O(*n*) to build; 4 bytes per annotation, and for each window a tree of what is open then and 4.3 bytes
///   per annotation.
public struct HoursIndex<Annotations: RandomAccessCollection & Sendable>: Sendable
where Annotations.Element: Annotation, Annotations.Index == Int {
  /// The type of the annotations.
  public typealias Item = Annotations.Element

  /// The index of the annotations.
  public let index: AnnotationIndex<Annotations>
  private let hours: PlaceHours
  private let knowledge: HoursKnowledge

  /// Reads the hours of an index's annotations.
  ///
  /// - Complexity: O(*n*); each different text is read once.
  public init(_ index: AnnotationIndex<Annotations>, reader: HoursReader<Item>) {
    self.index = index
    var book = HoursBook<Item>(reader)
    let shelf = index.shelf
    let numbers = (0..<index.placedCount).map { UInt32(book.number(of: shelf[$0])) }
    hours = PlaceHours(entries: book.entries, numbers: numbers)
    knowledge = HoursKnowledge(count: index.placedCount)
  }

  /// Makes the window for a condition's quarter of an hour, unless there is one.
  ///
  /// For arrivals, and for an index with lines or areas, there are no windows.
  ///
  /// - Complexity: O(*n*), some 0.1 µs for each that is open; and O(different hours), some 5 µs each.
  public func prepare(for condition: OpenCondition) {
    guard isForWindows(condition),
      knowledge.window(at: condition.second, condition.terms) == nil
    else { return }
    knowledge.keep(window(around: condition.second, condition.terms))
  }

  /// Whether a window can answer a condition: it knows one instant, and coordinates.
  private func isForWindows(_ condition: OpenCondition) -> Bool {
    index.shapes == nil && !condition.isOnArrival
  }

  private func window(around instant: Int64, _ terms: AdmissionTerms) -> OpenWindow {
    let shelf = index.shelf
    return OpenWindow(
      OpenWindow.interval(around: instant), terms, of: index.positions, hours: hours,
      coordinate: { shelf[$0].coordinate },
      categories: index.categories.map { categories in { categories.set(of: shelf[$0].kind) } })
  }

  /// Returns the open annotations nearest to a position, nearest first.
  ///
  /// - Parameters:
  ///   - limit: How many to return.
  ///   - origin: Where distances are measured from, and where journeys begin.
  ///   - outer: The greatest distance, inclusive.
  ///   - inner: Annotations must lie beyond this distance, exclusive; nil for no such limit.
  ///   - kinds: Only annotations of these kinds; nil for all.
  ///   - condition: When they must be open.
  ///   - isIncluded: Whether an annotation matches otherwise; nil where all do.
  /// - Returns: At most `limit` results with their `openStatus`, by ascending distance, ties by ascending id;
  ///   `validUntil` is the first later instant at which the same query has another answer, and `passedOver` holds
  ///   nearer annotations that do not match. The same as from a ``NearbyQuery`` with the condition.
  /// - Precondition: `limit >= 0`.
  /// - Complexity: From a window, that of `nearest` in an index of what is open, and a walk to find when the answer
  ///   ends.
  public func nearest(
    _ limit: Int, to origin: Coordinate, within outer: Distance = .infinity,
    beyond inner: Distance? = nil, kinds: Set<AnnotationKind>? = nil,
    open condition: OpenCondition, where isIncluded: ((Item) -> Bool)? = nil
  ) -> NearbyAnswer<Item> {
    let filter = index.filter(kinds: kinds)
    let isPlaceIncluded: ((Int) -> Bool)? = isIncluded.map { isIncluded in
      { isIncluded(index.annotation(at: $0)) }
    }
    let question = HoursQuestion(
      limit: limit, origin: origin,
      distances: DistanceRange(beyond: inner, within: outer).effective,
      categories: filter.categories, condition: condition,
      isMatch: filter.placeTest(and: isPlaceIncluded, on: index.shelf),
      isMatchAnywhere: KindFilter(kinds: kinds, among: nil)
        .placeTest(and: isPlaceIncluded, on: index.shelf))
    let isFromWindow = isForWindows(condition) && inner == nil && limit > 0
    let window = isFromWindow ? knowledge.window(at: condition.second, condition.terms) : nil
    if let window, question.isMatch == nil, let answer = wholeAnswer(question, from: window) {
      return answer
    }
    let table = knowledge.takeTable(condition.terms)
    defer { knowledge.giveBack(table) }
    guard isFromWindow else { return searchOneByOne(question, kinds, of: nil, table).answer }
    if let window { return answer(question, kinds, from: window, table) }
    let (answer, _, looks) = searchOneByOne(question, kinds, of: nil, table)
    if knowledge.isWorthWindow(at: condition.second, condition.terms, after: looks) {
      prepare(for: condition)
    }
    return answer
  }

  // MARK: One by one

  /// Searches by testing one annotation after another.
  ///
  /// An `OpenFilter` in a query finds the same, but reads the texts of each annotation that it tests; here each place
  /// has the number of its hours.
  ///
  /// - Parameters:
  ///   - kinds: Those of the question.
  ///   - candidates: Some of the index's positions, with the same numbering; nil for all, and all shapes.
  /// - Returns: The answer, its last result where the limit is reached, and how many annotations were looked at.
  private func searchOneByOne(
    _ question: HoursQuestion, _ kinds: Set<AnnotationKind>?, of candidates: KDTreeIndex?,
    _ table: AdmissionTable
  ) -> (answer: NearbyAnswer<Item>, last: Neighbor?, looks: Int) {
    let (condition, distances) = (question.condition, question.distances)
    var looks = 0
    var rejections: [(place: Int, until: Int64)] = []
    func isIncluded(_ place: Int) -> Bool {
      looks += 1
      let moment = self.moment(of: place, question)
      let admission = hours.admission(of: place, at: moment, table)
      if !admission.isAdmitted {
        rejections.append((place, condition.asked(admission.until, insteadOf: moment)))
        return false
      }
      return question.isMatch?(place) ?? true
    }
    let found =
      candidates == nil && index.shapes != nil
      ? index.nearest(
        question.limit, to: question.origin, at: distances, of: kinds, where: isIncluded)
      : (candidates ?? index.positions).nearest(
        question.limit, to: question.origin, within: distances.within, beyond: distances.beyond,
        categories: question.categories, where: isIncluded)
    var answer = NearbyAnswer(found, on: index.shelf, from: question.origin)
    // From elsewhere, others may be open on arrival.
    if condition.isOnArrival, question.limit > 0 { answer.validRadius = .zero }
    let last = found.neighbors.count == question.limit ? found.neighbors.last : nil
    addHours(to: &answer, last: last, rejections, question, table)
    return (answer, last, looks)
  }

  /// Adds the status of each result, until when the answer holds, and what it passes over.
  ///
  /// - Parameters:
  ///   - last: The last result, where the limit is reached.
  ///   - rejections: The places that were not admitted, and the instant of the query at which each would be.
  private func addHours(
    to answer: inout NearbyAnswer<Item>, last: Neighbor?,
    _ rejections: [(place: Int, until: Int64)], _ question: HoursQuestion, _ table: AdmissionTable
  ) {
    answer.openStatuses = answer.neighbors.map { status(of: $0.offset, question, table) }
    let isOnArrival = question.condition.isOnArrival
    let reach = OpenReach<Int>(
      distances: question.distances,
      last: last.flatMap { last in
        way(to: last.offset, from: question.origin).map { (distance: $0, key: last.offset) }
      })
    var earliest = Admission.never
    for neighbor in answer.neighbors {
      let moment = moment(of: neighbor.offset, question)
      let change = hours.change(of: neighbor.offset, at: moment, table)
      earliest = min(earliest, question.condition.asked(change, insteadOf: moment))
    }
    var nearer: [(place: Int, distance: Distance)] = []
    for rejection in rejections where isOnArrival || rejection.until < earliest {
      guard let distance = way(to: rejection.place, from: question.origin),
        reach.contains(distance, rejection.place),
        question.isMatch?(rejection.place) ?? true
      else { continue }
      earliest = min(earliest, rejection.until)
      if isOnArrival { nearer.append((rejection.place, distance)) }
    }
    answer.validUntil = Admission.instant(of: earliest)
    nearer.sort { ($0.distance, $0.place) < ($1.distance, $1.place) }
    answer.passedOver = nearer.prefix(question.limit).map { place, distance in
      NearbyResult(
        Neighbor(offset: place, distance: distance), on: index.shelf, from: question.origin,
        openStatus: status(of: place, question, table))
    }
  }

  private func moment(of place: Int, _ question: HoursQuestion) -> Int64 {
    question.condition.secondAsked { way(to: place, from: question.origin) }
  }

  private func way(to place: Int, from origin: Coordinate) -> Distance? {
    index.annotation(at: place).distance(from: origin)
  }

  // MARK: From a window

  /// The answer where the window's tree alone decides what matches; nil where annotations must be tested.
  private func wholeAnswer(
    _ question: HoursQuestion, from window: OpenWindow
  ) -> NearbyAnswer<Item>? {
    let finding = window.answer(
      question, hours, knowledge, positions: index.positions, prefetch: index.shelf.prefetch(_:)
    ) {
      index.annotation(at: $0).coordinate
    }
    guard let finding else { return nil }
    var answer = NearbyAnswer(
      finding.neighbors, on: index.shelf, from: question.origin,
      validRadius: finding.validRadius, statistics: finding.statistics)
    answer.openStatuses = finding.statuses
    answer.validUntil = Admission.instant(of: finding.change)
    return answer
  }

  private func answer(
    _ question: HoursQuestion, _ kinds: Set<AnnotationKind>?, from window: OpenWindow,
    _ table: AdmissionTable
  ) -> NearbyAnswer<Item> {
    var (answer, last, _) = searchOneByOne(question, kinds, of: window.candidates, table)
    let end = window.firstOpening(
      in: index.positions, question, before: last,
      earlierThan: answer.validUntil?.seconds ?? Admission.never
    ) { index.annotation(at: $0).coordinate }
    answer.validUntil = Admission.instant(of: end)
    return answer
  }

  private func status(
    of place: Int, _ question: HoursQuestion, _ table: AdmissionTable
  ) -> OpenStatus {
    hours.status(of: place, at: moment(of: place, question), table)
  }
}

/// The cache of an `HoursIndex`: windows, and tables that successive queries fill.
///
/// Values go in and out whole, so that no query waits for another's search.
final class HoursKnowledge: Sendable {
  private let count: Int
  private let state = SharedValue(State())

  private struct State {
    /// The most recently used one first.
    var windows: [OpenWindow] = []
    var tables: [AdmissionTable] = []
    /// The quarter of an hour that is queried without a window, and the cost of that so far.
    var spent: (interval: Range<Int64>, terms: AdmissionTerms, looks: Int)?
  }

  /// The most windows kept: for now, for what comes next, and for another user's time.
  private static let mostWindows = 3
  /// The most tables kept: as many queries can run at once without reading hours again.
  private static let mostTables = 16
  /// The cost of a search besides its looks, counted in looks.
  private static let searchCost = 16

  init(count: Int) { self.count = count }

  func window(at instant: Int64, _ terms: AdmissionTerms) -> OpenWindow? {
    state.withLock { state in
      guard
        let place = state.windows.firstIndex(where: {
          $0.terms == terms && $0.interval.contains(instant)
        })
      else { return nil }
      if place > 0 { state.windows.insert(state.windows.remove(at: place), at: 0) }
      return state.windows[0]
    }
  }

  func keep(_ window: OpenWindow) {
    state.withLock { state in
      state.windows.removeAll { $0.terms == window.terms && $0.interval == window.interval }
      state.windows.insert(window, at: 0)
      if state.windows.count > Self.mostWindows { state.windows.removeLast() }
    }
  }

  /// Whether queries of a quarter of an hour have cost as much as its window would.
  func isWorthWindow(at instant: Int64, _ terms: AdmissionTerms, after looks: Int) -> Bool {
    let interval = OpenWindow.interval(around: instant)
    return state.withLock { state in
      var spent = looks + Self.searchCost
      if let before = state.spent, before.interval == interval, before.terms == terms {
        spent += before.looks
      }
      state.spent = (interval, terms, spent)
      return spent >= count
    }
  }

  /// A table for one query, with what earlier queries have found out.
  func takeTable(_ terms: AdmissionTerms) -> AdmissionTable {
    state.withLock { state in
      guard let place = state.tables.lastIndex(where: { $0.terms == terms }) else { return nil }
      return state.tables.remove(at: place)
    } ?? AdmissionTable(terms)
  }

  func giveBack(_ table: AdmissionTable) {
    state.withLock { state in
      state.tables.append(table)
      if state.tables.count > Self.mostTables { state.tables.removeFirst() }
    }
  }
}
