import BusinessHours
import Geodesy
import MapAnnotations
import SpatialIndexing

/// An index that knows when its annotations are open: the nearest that are, in about the time that
/// the nearest take.
///
///     let hours = HoursIndex(index, reader: HoursReader(setting: seoul))
///     await Task { hours.prepare(for: OpenCondition(at: now)) }.value   // may be left out
///     let three = hours.nearest(3, to: here, open: OpenCondition(at: now, showsUnknown: false))
///
/// Every different text is read once. A question about an instant is answered from a *window*: a tree
/// of its own of what may be open in that quarter of an hour, with the times at which the rest
/// opens. A window is made once as many annotations of its quarter have been looked at without one
/// as there are, so that making it never costs more than it saves; ``prepare(for:)`` makes it at
/// once. Until then, for arrivals and with `beyond:`, annotations are asked one by one on the way.
///
/// A value that any number of tasks may ask at once.
///
/// - Complexity: O(*n*) to build; 4 bytes an annotation, and while a quarter of an hour lasts a tree
///   of what is open then and 4.3 bytes an annotation.
public struct HoursIndex<Annotations: RandomAccessCollection & Sendable>: Sendable
where Annotations.Element: Annotation, Annotations.Index == Int {
  /// What the index holds and results give back.
  public typealias Item = Annotations.Element

  /// The index of the annotations.
  public let index: AnnotationIndex<Annotations>
  /// By place in the index, which of the book's entries an annotation's hours are.
  private let numbers: [UInt32]
  private let book: HoursBook<Item>
  private let knowledge: HoursKnowledge

  /// Reads the hours of an index's annotations.
  ///
  /// - Complexity: O(*n*); each different text is read once.
  public init(_ index: AnnotationIndex<Annotations>, reader: HoursReader<Item>) {
    self.index = index
    var book = HoursBook<Item>(reader)
    numbers = (0..<index.placedCount).map { UInt32(book.number(of: index.annotation(at: $0))) }
    self.book = book
    knowledge = HoursKnowledge(count: index.placedCount)
  }

  /// How many different hours there are: texts, by zone, and by position for rules of the sun.
  public var differentHours: Int { book.entries.count - 1 }

  /// Makes the window of a question's quarter of an hour, if there is none.
  ///
  /// - Complexity: O(*n*), some 0.1 µs for each that is open; and O(different hours), some 5 µs each.
  public func prepare(for condition: OpenCondition) {
    guard case .instant = condition.moment,
      knowledge.window(at: condition.instant, condition.terms) == nil
    else { return }
    knowledge.keep(window(around: condition.instant, condition.terms))
  }

  private func window(around instant: Int64, _ terms: AdmissionTerms) -> OpenWindow {
    OpenWindow(
      OpenWindow.interval(around: instant), terms, of: index.positions, entries: book.entries,
      numbers: numbers, coordinate: { index.annotation(at: $0).coordinate },
      categories: index.categories.map { categories in
        { categories.set(of: index.annotation(at: $0).kind) }
      })
  }

  /// Returns the annotations nearest to a position that are open, nearest first.
  ///
  /// - Parameters:
  ///   - limit: How many to return.
  ///   - origin: Where distances are measured from, and where journeys begin.
  ///   - outer: The greatest distance, itself included.
  ///   - inner: Annotations must lie beyond this distance, itself excluded; nil for no such limit.
  ///   - kinds: Only annotations of these kinds; nil for all.
  ///   - condition: When they must be open.
  ///   - isIncluded: Whether an annotation counts otherwise; nil where all do.
  /// - Returns: As of `AnnotationIndex.nearest(_:to:within:beyond:kinds:open:where:)`.
  /// - Precondition: `limit >= 0`.
  /// - Complexity: From a window that of `nearest` in the index of what is open, and a walk for the
  ///   time at which the answer ends.
  public func nearest(
    _ limit: Int, to origin: Coordinate, within outer: Distance = .infinity,
    beyond inner: Distance? = nil, kinds: Set<AnnotationKind>? = nil,
    open condition: OpenCondition, where isIncluded: ((Item) -> Bool)? = nil
  ) -> NearbyAnswer<Item> {
    let question = HoursQuestion(
      limit: limit, origin: origin, ring: NearestRing(outer: outer, inner: inner),
      kinds: kinds, filter: index.filter(kinds: kinds), condition: condition,
      isIncluded: isIncluded)
    var table = knowledge.takeTable(condition.terms)
    defer { knowledge.giveBack(table) }
    guard case .instant = condition.moment, inner == nil, limit > 0 else {
      return asking(question, of: index.positions, &table).answer
    }
    if let window = knowledge.window(at: condition.instant, condition.terms) {
      return answer(question, from: window, &table)
    }
    let (answer, _, looks) = asking(question, of: index.positions, &table)
    if knowledge.isWorthWindow(at: condition.instant, condition.terms, after: looks) {
      prepare(for: condition)
    }
    return answer
  }

  // MARK: One by one

  /// Asks annotation after annotation.
  ///
  /// - Parameter positions: Those of the index, or some of them under the same names.
  /// - Returns: The answer, its last result where there may be no more, and how many were looked at.
  private func asking(
    _ question: HoursQuestion<Item>, of positions: KDTreeIndex, _ table: inout AdmissionTable
  ) -> (answer: NearbyAnswer<Item>, last: Neighbor?, looks: Int) {
    var looks = 0
    var rejections: [(place: Int, until: Int64)] = []
    let found = positions.nearest(
      question.limit, to: question.origin, within: question.ring.outer,
      beyond: question.ring.inner, categories: question.filter.categories
    ) { place in
      looks += 1
      let admission = self.admission(of: place, question, &table)
      if !admission.isAdmitted {
        rejections.append((place, question.asked(admission.until, self.moment(of: place, question))))
        return false
      }
      return question.counts { index.annotation(at: place) }
    }
    var answer = self.answer(found, question, &table)
    let last = found.neighbors.count == question.limit ? found.neighbors.last : nil
    let reach = PlaceReach(question.origin, question.ring, before: last) {
      index.annotation(at: $0).coordinate
    }
    var earliest = validUntil(found.neighbors, question, &table)
    var nearer: [(place: Int, distance: Distance)] = []
    let isArrival = if case .arrival = question.condition.moment { true } else { false }
    for rejection in rejections where isArrival || rejection.until < earliest {
      guard let distance = reach.distance(ofIncluded: rejection.place),
        question.counts({ index.annotation(at: rejection.place) })
      else { continue }
      earliest = min(earliest, rejection.until)
      if isArrival { nearer.append((rejection.place, distance)) }
    }
    answer.validUntil = earliest == Admission.never ? nil : earliest
    nearer.sort { ($0.distance, $0.place) < ($1.distance, $1.place) }
    answer.passedOver = nearer.prefix(question.limit).map { place, distance in
      result(Neighbor(position: place, distance: distance), question, &table)
    }
    return (answer, last, looks)
  }

  private func moment(of place: Int, _ question: HoursQuestion<Item>) -> Int64 {
    guard case .arrival(let journey) = question.condition.moment,
      let coordinate = index.annotation(at: place).coordinate
    else { return question.condition.instant }
    return journey.arrival(after: question.origin.distance(to: coordinate))
  }

  @inline(__always)
  private func admission(
    of place: Int, _ question: HoursQuestion<Item>, _ table: inout AdmissionTable
  ) -> Admission {
    table.admission(Int(numbers[place]), at: moment(of: place, question), in: book.entries)
  }

  // MARK: From a window

  private func answer(
    _ question: HoursQuestion<Item>, from window: OpenWindow, _ table: inout AdmissionTable
  ) -> NearbyAnswer<Item> {
    var answer: NearbyAnswer<Item>
    let last: Neighbor?
    if let (found, change) = unasked(question, from: window, &table) {
      answer = self.answer(found, question, &table)
      let earliest = min(change, validUntil(found.neighbors, question, &table))
      answer.validUntil = earliest == Admission.never ? nil : earliest
      last = found.neighbors.count == question.limit ? found.neighbors.last : nil
    } else {
      (answer, last, _) = asking(question, of: window.candidates, &table)
    }
    answer.validUntil = firstOpening(before: last, question, window, answer.validUntil)
    return answer
  }

  /// How many more than wanted are fetched from a tree in which some may not count, and the most
  /// that the search for a few finds.
  private static var surplus: Int { 4 }
  private static var mostOfAFew: Int { 15 }

  /// Takes the nearest from a window without asking on the way: nearly all of its tree count.
  ///
  /// - Returns: What was found and when the first that did not count will; nil where asking is
  ///   called for.
  private func unasked(
    _ question: HoursQuestion<Item>, from window: OpenWindow, _ table: inout AdmissionTable
  ) -> (found: NearestAnswer, change: Int64)? {
    guard question.isWhole else { return nil }
    func nearest(_ limit: Int) -> NearestAnswer {
      window.candidates.nearest(
        limit, to: question.origin, within: question.ring.outer,
        categories: question.filter.categories)
    }
    guard window.uncertainCount > 0 else { return (nearest(question.limit), Admission.never) }
    guard question.limit + 1 + Self.surplus <= Self.mostOfAFew else { return nil }
    let all = nearest(question.limit + 1 + Self.surplus)
    var counted: [Neighbor] = []
    var change = Admission.never
    for neighbor in all.neighbors where counted.count <= question.limit {
      let admission = admission(of: neighbor.position, question, &table)
      if admission.isAdmitted {
        counted.append(neighbor)
      } else if counted.count < question.limit {
        change = min(change, admission.until)
      }
    }
    // Without one more it is not known how far the answer holds.
    guard counted.count > question.limit else { return nil }
    let next = counted.removeLast().distance
    let radius = question.ring.validRadius(
      of: counted, isFull: true, next: next, lastInside: nil)
    return (
      NearestAnswer(neighbors: counted, validRadius: radius, statistics: all.statistics), change
    )
  }

  /// The first instant at which the answer changes, when what certainly does not count in the window
  /// and lies where results would is thought of, too.
  ///
  /// - Parameters:
  ///   - last: The last result, where there may be no more.
  ///   - bound: When the answer changes otherwise.
  private func firstOpening(
    before last: Neighbor?, _ question: HoursQuestion<Item>, _ window: OpenWindow, _ bound: Int64?
  ) -> Int64? {
    let coordinate = last.flatMap { index.annotation(at: $0.position).coordinate }
    let radius = coordinate.map { question.origin.distance(to: $0) } ?? question.ring.outer
    let start = window.interval.lowerBound
    let wait = index.positions.least(
      of: window.openings, within: radius, of: question.origin,
      below: bound.map { UInt32(clamping: $0 - start) } ?? PositionMinima.none
    ) { place, isAtRadius in
      if isAtRadius, let last, place > last.position { return false }
      return question.countsAnywhere { index.annotation(at: place) }
    }
    return wait == PositionMinima.none ? bound : start + Int64(wait)
  }

  // MARK: Results

  private func answer(
    _ found: NearestAnswer, _ question: HoursQuestion<Item>, _ table: inout AdmissionTable
  ) -> NearbyAnswer<Item> {
    NearbyAnswer(
      results: found.neighbors.map { result($0, question, &table) },
      validRadius: found.validRadius, statistics: found.statistics)
  }

  private func result(
    _ neighbor: Neighbor, _ question: HoursQuestion<Item>, _ table: inout AdmissionTable
  ) -> NearbyResult<Item> {
    var result = index.result(neighbor, from: question.origin)
    result.openStatus = table.status(
      Int(numbers[neighbor.position]), at: moment(of: neighbor.position, question),
      in: book.entries)
    return result
  }

  /// The first instant of the question at which a result is in another state, or no result.
  private func validUntil(
    _ neighbors: [Neighbor], _ question: HoursQuestion<Item>, _ table: inout AdmissionTable
  ) -> Int64 {
    var earliest = Admission.never
    for neighbor in neighbors {
      let number = Int(numbers[neighbor.position])
      let moment = moment(of: neighbor.position, question)
      let admission = table.admission(number, at: moment, in: book.entries)
      let state = table.state(number, at: moment, in: book.entries)
      earliest = min(earliest, question.asked(min(admission.until, state.until), moment))
    }
    return earliest
  }
}

/// One question, in the parts that all ways to answer it share.
private struct HoursQuestion<Item: Annotation> {
  let limit: Int
  let origin: Coordinate
  let ring: NearestRing
  let kinds: Set<AnnotationKind>?
  let filter: KindFilter
  let condition: OpenCondition
  let isIncluded: ((Item) -> Bool)?

  /// Whether the tree alone decides what counts.
  var isWhole: Bool { isIncluded == nil && filter.isExact }

  /// Whether an annotation that no tree has chosen counts, its hours apart.
  func countsAnywhere(_ item: () -> Item) -> Bool {
    if kinds == nil, isIncluded == nil { return true }
    let item = item()
    if let kinds, !(item.kind.map(kinds.contains) ?? false) { return false }
    return isIncluded?(item) ?? true
  }

  /// Whether an annotation that a tree has chosen by its categories counts, its hours apart.
  @inline(__always)
  func counts(_ item: () -> Item) -> Bool {
    if isWhole { return true }
    let item = item()
    return filter.includes(item) && (isIncluded?(item) ?? true)
  }

  /// The instant of the question at which the moment of an annotation is another one.
  func asked(_ other: Int64, _ moment: Int64) -> Int64 {
    other == Admission.never ? other : other - moment + condition.instant
  }
}

/// Where a place must be to be among the results, if only it counted.
private struct PlaceReach {
  private let origin: Coordinate
  private let ring: NearestRing
  private let last: (place: Int, distance: Distance)?
  private let coordinate: (Int) -> Coordinate?

  init(
    _ origin: Coordinate, _ ring: NearestRing, before last: Neighbor?,
    coordinate: @escaping (Int) -> Coordinate?
  ) {
    self.origin = origin
    self.ring = ring
    self.coordinate = coordinate
    self.last = last.flatMap { last in
      coordinate(last.position).map { (last.position, origin.distance(to: $0)) }
    }
  }

  /// How far a place is; nil where it would be no result.
  func distance(ofIncluded place: Int) -> Distance? {
    guard let distance = coordinate(place).map({ origin.distance(to: $0) }),
      distance <= ring.outer, ring.inner.map({ distance > $0 }) ?? true
    else { return nil }
    guard let last, (distance, place) >= (last.distance, last.place) else { return distance }
    return nil
  }
}
