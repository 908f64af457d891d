import Geodesy
import MapAnnotations
import SpatialIndexing

extension AnnotationIndex {
  /// Returns a page of the annotations around a position, in any order.
  ///
  /// By distance, the search goes on where the page before ended. In other orders everything in the
  /// ring that matches is looked at; in bands, the bands that the page needs.
  ///
  /// - Parameters:
  ///   - request: How many, in which order, behind which cursor.
  ///   - origin: Where distances are measured from.
  ///   - outer: The greatest distance, itself included.
  ///   - inner: Annotations must lie beyond this distance, itself excluded; nil for no such limit.
  ///   - kinds: Only annotations of these kinds; nil for all.
  ///   - isIncluded: Whether an annotation counts.
  /// - Throws: `ConditionError` where the order's field cannot be read.
  public func page(
    _ request: PageRequest, to origin: Coordinate, within outer: Distance = .infinity,
    beyond inner: Distance? = nil, kinds: Set<AnnotationKind>? = nil,
    where isIncluded: (Item) -> Bool = { _ in true }
  ) throws(ConditionError) -> ResultPage<Item> {
    let search = RingSearch(index: self, origin: origin, outer: outer, inner: inner, kinds: kinds)
    if request.order == .distance { return try search.nearest(request, isIncluded) }
    return try search.ordered(request, isIncluded)
  }
}

/// The annotations in a ring, to be taken page by page.
private struct RingSearch<Annotations: RandomAccessCollection & Sendable>
where Annotations.Element: Annotation, Annotations.Index == Int {
  typealias Item = Annotations.Element

  let index: AnnotationIndex<Annotations>
  let origin: Coordinate
  let outer: Distance
  let inner: Distance?
  let kinds: Set<AnnotationKind>?

  /// More than the index and a single geodesic differ by, in meters.
  private static var slack: Double { 0.001 }

  /// The nearest behind a cursor.
  func nearest(
    _ request: PageRequest, _ isIncluded: (Item) -> Bool
  ) throws(ConditionError) -> ResultPage<Item> {
    let placeOf = try request.order.places(of: Item.self, from: origin)
    let answer = nearest(request.limit, after: request.cursor?.place, placeOf, isIncluded)
    let items = answer.results.map(\.annotation)
    var next: PageCursor?
    if items.count == request.limit, let last = items.last {
      let place = placeOf(last)
      // Without limits the search has seen the first one that is left out.
      let isOpen = outer == .infinity && inner == nil && request.cursor == nil
      if isOpen
        ? answer.validRadius != nil : !nearest(1, after: place, placeOf, isIncluded).isEmpty
      {
        next = PageCursor(place, of: request.query)
      }
    }
    return ResultPage(
      items: items, next: next,
      validRadius: request.cursor == nil ? answer.validRadius : .meters(0),
      statistics: answer.statistics)
  }

  private func nearest(
    _ limit: Int, after place: ResultPlace?, _ placeOf: (Item) -> ResultPlace,
    _ isIncluded: (Item) -> Bool
  ) -> NearbyAnswer<Item> {
    guard let place else {
      return index.nearest(
        limit, to: origin, within: outer, beyond: inner, kinds: kinds, where: isIncluded)
    }
    return index.nearest(
      limit, to: origin, within: outer, beyond: hole(before: place.distance ?? 0), kinds: kinds
    ) { item in
      placeOf(item).order(to: place, in: .distance) > 0 && isIncluded(item)
    }
  }

  /// The inner limit that leaves out nothing at a distance or farther.
  private func hole(before distance: Double) -> Distance? {
    let start = distance - RingSearch.slack
    guard start > inner?.meters ?? 0 else { return inner }
    return .meters(start)
  }

  /// The first of everything behind a cursor.
  func ordered(
    _ request: PageRequest, _ isIncluded: (Item) -> Bool
  ) throws(ConditionError) -> ResultPage<Item> {
    let reach = try reach(of: request, isIncluded)
    let answer = index.nearest(
      .max, to: origin, within: reach, beyond: inner, kinds: kinds, where: isIncluded)
    let page = try ResultPage(of: answer.results.map(\.annotation), request, from: origin)
    let isWhole = page.next == nil && request.cursor == nil && reach == outer
    var next = page.next
    if next == nil, reach < outer { next = try rest(behind: page, request, reach, isIncluded) }
    return ResultPage(
      items: page.items, next: next,
      validRadius: isWhole ? answer.validRadius : .meters(0), statistics: answer.statistics)
  }

  /// How far away the results of a page may lie: the end of the band in which it ends.
  private func reach(
    of request: PageRequest, _ isIncluded: (Item) -> Bool
  ) throws(ConditionError) -> Distance {
    guard let width = request.order.band?.meters, request.limit < .max else { return outer }
    let placeOf = try request.order.places(of: Item.self, from: origin)
    let start = request.cursor.map { Double($0.place.band) * width } ?? 0
    let nearest = index.nearest(
      request.limit, to: origin, within: outer, beyond: hole(before: start), kinds: kinds
    ) { item in
      if let cursor = request.cursor,
        placeOf(item).order(to: cursor.place, in: request.order) <= 0
      {
        return false
      }
      return isIncluded(item)
    }
    guard nearest.count == request.limit, let last = nearest.results.last else { return outer }
    let band = (last.distance.meters / width).rounded(.down)
    return min(outer, .meters((band + 1) * width + RingSearch.slack))
  }

  /// The cursor of a page that ends with the bands that were looked at, where more lies beyond.
  private func rest(
    behind page: ResultPage<Item>, _ request: PageRequest, _ reach: Distance,
    _ isIncluded: (Item) -> Bool
  ) throws(ConditionError) -> PageCursor? {
    guard let last = page.items.last else { return nil }
    let beyond = index.nearest(
      1, to: origin, within: outer, beyond: reach, kinds: kinds, where: isIncluded)
    guard !beyond.isEmpty else { return nil }
    let placeOf = try request.order.places(of: Item.self, from: origin)
    return PageCursor(placeOf(last), of: request.query)
  }
}
