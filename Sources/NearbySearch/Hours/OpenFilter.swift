import BusinessHours
import Geodesy
import MapAnnotations
import SpatialIndexing

/// Tests whether annotations are open, and remembers how long its answers stay valid.
///
///     let filter = OpenFilter(OpenCondition(at: now), reader: reader, from: nil)
///     let open = shops.filter(filter.includes)
///     print(open.map(filter.status), filter.validUntil(showing: open))
///
/// Each different text is read once, and evaluated again only when its hours have changed, even across queries. It is
/// for one caller at a time. To search, ask a ``NearbyQuery`` with ``NearbyQuery/open``; if many search a large index, a
/// `HoursIndex` is faster.
public final class OpenFilter<Item: Annotation> {
  /// When annotations must be open.
  ///
  /// Setting another moment keeps what is known.
  public var condition: OpenCondition {
    didSet {
      if condition.terms != table.terms { table = AdmissionTable(condition.terms) }
      rejections.removeAll(keepingCapacity: true)
    }
  }
  /// Where journeys begin; without it, everybody has already arrived.
  public let origin: Coordinate?

  private var book: HoursBook<Item>
  private var table: AdmissionTable
  /// What was rejected, and the instant of the query at which it would be admitted.
  private var rejections: [(item: Item, until: Int64)] = []

  /// A filter that has read nothing yet.
  public init(_ condition: OpenCondition, reader: HoursReader<Item>, from origin: Coordinate?) {
    self.condition = condition
    self.origin = origin
    book = HoursBook(reader)
    table = AdmissionTable(condition.terms)
  }

  /// Whether an annotation matches.
  public func includes(_ item: Item) -> Bool {
    let number = book.number(of: item)
    let moment = moment(of: item)
    let admission = table.admission(number, at: moment, in: book.entries)
    if !admission.isAdmitted {
      rejections.append((item, condition.asked(admission.until, insteadOf: moment)))
    }
    return admission.isAdmitted
  }

  /// The status of an annotation at the moment asked about, whether or not it matches.
  public func status(of item: Item) -> OpenStatus {
    table.status(book.number(of: item), at: moment(of: item), in: book.entries)
  }

  /// The hours of an annotation, the same object for all that have the same.
  package func entry(of item: Item) -> HoursEntry {
    let number = book.number(of: item)
    return book.entries[number]
  }

  private func moment(of item: Item) -> Int64 {
    condition.secondAsked { origin.flatMap { item.distance(from: $0) } }
  }

  /// The first later instant at which time alone changes the answer to the same query; nil when there is none.
  ///
  /// The answer is the set of annotations shown, and their states.
  ///
  /// - Parameters:
  ///   - shown: The answer's annotations.
  ///   - isInReach: Whether an annotation that was tested and rejected would be shown if it matched.
  public func validUntil(
    showing shown: some Sequence<Item>, where isInReach: (Item) -> Bool = { _ in true }
  ) -> Instant? {
    var earliest = Admission.never
    for item in shown {
      let moment = moment(of: item)
      let change = table.change(book.number(of: item), at: moment, in: book.entries)
      earliest = min(earliest, condition.asked(change, insteadOf: moment))
    }
    for rejection in rejections where rejection.until < earliest && isInReach(rejection.item) {
      earliest = rejection.until
    }
    return Admission.instant(of: earliest)
  }

  /// Until when the answer of a nearest search holds, and what it passes over.
  ///
  /// - Parameters:
  ///   - shown: The results of a search in which this filter tested everything that matches otherwise.
  ///   - limit: The limit of the search.
  ///   - origin: Where distances are measured from.
  ///   - distances: How far the search reached.
  func validity(
    of shown: [Item], limit: Int, from origin: Coordinate, at distances: DistanceRange
  ) -> (validUntil: Instant?, passedOver: [NearbyResult<Item>]) {
    let last = shown.count == limit ? shown.last : nil
    let reach = OpenReach<ResultOrderKey>(
      distances: distances,
      last: last.flatMap { last in
        last.distance(from: origin).map { (distance: $0, key: ResultOrderKey(last)) }
      })
    /// The distance of an annotation in reach; nil for others.
    func way(to item: Item) -> Distance? {
      item.distance(from: origin).flatMap { reach.contains($0, ResultOrderKey(item)) ? $0 : nil }
    }
    let end = validUntil(showing: shown) { way(to: $0) != nil }
    guard condition.isOnArrival, limit > 0 else { return (end, []) }
    var seen: Set<String> = []
    let nearer = rejections.compactMap { rejection -> (item: Item, distance: Distance)? in
      way(to: rejection.item).map { (rejection.item, $0) }
    }.sorted { ($0.distance, ResultOrderKey($0.item)) < ($1.distance, ResultOrderKey($1.item)) }
      .filter { row in
        // A page may have been searched for more than once.
        seen.insert(
          "\(row.item.id) \(row.item.origin?.record ?? 0) \(row.item.origin?.source ?? "")"
        )
        .inserted
      }
    let passedOver = nearer.prefix(limit).map { row in
      NearbyResult(
        Neighbor(offset: 0, distance: row.distance), on: AnnotationShelf([row.item]),
        from: origin, openStatus: status(of: row.item))
    }
    return (end, passedOver)
  }

  /// Until when a page, or a page for each kind, holds.
  ///
  /// Annotations that are equal in everything that orders them are taken to have the same hours.
  ///
  /// - Parameters:
  ///   - shown: Its results, from a search in which this filter tested everything that matches otherwise.
  ///   - limit: The limit of the page, or of each kind's page.
  ///   - order: What results are ordered by.
  ///   - placeOf: Returns an annotation's place in that order.
  ///   - cursor: Where the previous page ended; nil for the first page.
  ///   - eachKind: Whether there is a page for each kind.
  ///   - isInArea: Whether an annotation lies where results may.
  /// - Returns: The first later instant at which time alone changes the answer to the same query; perhaps too early
  ///   where the last result of the previous page has closed since.
  func validUntil(
    showing shown: [Item], limit: Int, order: ResultOrder, _ placeOf: (Item) -> ResultPlace,
    behind cursor: PageCursor?, eachKind: Bool, where isInArea: (Item) -> Bool
  ) -> Instant? {
    func group(_ item: Item) -> AnnotationKind? { eachKind ? item.kind : nil }
    var counts: [AnnotationKind?: Int] = [:]
    var lasts: [AnnotationKind?: ResultPlace] = [:]
    for item in shown {
      counts[group(item), default: 0] += 1
      // The page is full here.
      if counts[group(item)] == limit { lasts[group(item)] = placeOf(item) }
    }
    return validUntil(showing: shown) { item in
      guard isInArea(item) else { return false }
      let place = placeOf(item)
      // What has the cursor's place may or may not be what an earlier page showed.
      if let cursor, place.side(of: cursor.place, in: order) < 0 { return false }
      return lasts[group(item)].map { place.order(to: $0, in: order) < 0 } ?? true
    }
  }
}

/// Where something must lie to become a result as soon as it is admitted.
struct OpenReach<Key: Comparable> {
  let distances: DistanceRange
  /// The last result, where the limit is reached.
  let last: (distance: Distance, key: Key)?

  /// - Parameter key: What decides between two at the same distance.
  @inline(__always)
  func contains(_ distance: Distance, _ key: @autoclosure () -> Key) -> Bool {
    guard distances.contains(distance) else { return false }
    guard let last, distance >= last.distance else { return true }
    return distance == last.distance && key() < last.key
  }
}
