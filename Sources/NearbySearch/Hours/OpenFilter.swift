import BusinessHours
import Geodesy
import MapAnnotations

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

  /// The annotations in reach that were rejected since the last answer began, nearest first.
  ///
  /// - Complexity: O(*m* log *m*) for *m* of them.
  func rejected(
    from origin: Coordinate, where isInReach: (Item) -> Bool
  ) -> [(item: Item, distance: Distance)] {
    rejections.compactMap { rejection -> (item: Item, distance: Distance)? in
      guard isInReach(rejection.item) else { return nil }
      return rejection.item.distance(from: origin).map { (rejection.item, $0) }
    }.sorted { one, other in
      one.distance != other.distance
        ? one.distance < other.distance : TieKey(one.item) < TieKey(other.item)
    }
  }
}
