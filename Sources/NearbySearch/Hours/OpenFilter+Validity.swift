import Geodesy
import MapAnnotations
import SpatialIndexing

extension OpenFilter {
  /// Until when the answer of a nearest search holds, and what it passes over.
  ///
  /// - Parameters:
  ///   - shown: The results of a search in which this filter tested everything that matches otherwise.
  ///   - limit: The limit of the search.
  ///   - origin: Where distances are measured from.
  ///   - distances: How far the search reached.
  func telling(
    of shown: [Item], limit: Int, from origin: Coordinate, at distances: DistanceRange
  ) -> (validUntil: Instant?, passedOver: [NearbyResult<Item>]) {
    let last = shown.count == limit ? shown.last : nil
    let reach = OpenReach<TieKey>(
      distances: distances,
      last: last.flatMap { last in
        last.distance(from: origin).map { (distance: $0, key: TieKey(last)) }
      })
    func isInReach(_ item: Item) -> Bool {
      item.distance(from: origin).map { reach.contains($0, TieKey(item)) } ?? false
    }
    let end = validUntil(showing: shown, where: isInReach)
    guard condition.isOnArrival, limit > 0 else { return (end, []) }
    var seen: Set<String> = []
    let nearer = rejected(from: origin, where: isInReach).filter { row in
      // A page may have been searched for more than once.
      seen.insert("\(row.item.id) \(row.item.origin?.record ?? 0) \(row.item.origin?.source ?? "")")
        .inserted
    }
    let passedOver = nearer.prefix(limit).map { row in
      NearbyResult(
        Neighbor(offset: 0, distance: row.distance), on: AnnotationShelf([row.item]),
        from: origin,
        openStatus: status(of: row.item))
    }
    return (end, passedOver)
  }
}

extension OpenFilter {
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
