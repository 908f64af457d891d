import Geodesy
import MapAnnotations
import SpatialIndexing

/// The part of a query run that walks through a tree.
struct QueryWalk<Source: QuerySource> {
  typealias Item = Source.Item

  let run: QueryRun<Source>
  let origin: Coordinate

  private var distances: DistanceRange { run.plan.distances }
  /// More than distances from an index and from a single geodesic differ by, in meters.
  private static var slack: Double { 0.001 }

  private func search(
    _ limit: Int, at distances: DistanceRange, where isIncluded: ((Int) -> Bool)?
  ) -> NearestAnswer {
    run.source.nearest(limit, to: origin, at: distances, of: run.plan.kinds, where: isIncluded)
  }

  private func answer(_ found: NearestAnswer) -> NearbyAnswer<Item> {
    NearbyAnswer(found, on: run.source.shelf, from: origin)
  }

  /// The nearest results after the cursor.
  func nearest() -> NearbyAnswer<Item> {
    let limit = run.query.limit
    let found =
      run.cursor.map { search(limit, behind: $0) }
      ?? search(limit, at: distances, where: run.placeTest())
    var answer = answer(found)
    guard run.query.after != nil, found.neighbors.count == limit,
      let end = run.end(of: found.neighbors.lazy.map { place(of: $0) })
    else { return answer }
    // Without a cursor and distance limits, the search has seen the first one that is left out.
    let hasMore =
      run.cursor == nil && distances.isEverything
      ? found.validRadius != nil : !search(1, behind: end).neighbors.isEmpty
    if hasMore { answer.next = end.description }
    return answer
  }

  /// The nearest of each kind, by the names of kinds; those without a kind last.
  ///
  /// A kind with a bit of its own has a search of its own, which skips all others. The others have one together: a
  /// search for one of them would test the annotations of all.
  func nearestOfEachKind() -> NearbyAnswer<Item> {
    let (source, shelf) = (run.source, run.source.shelf)
    let (limit, wanted, isIncluded) = (run.query.limit, run.plan.kinds, run.placeTest())
    let placed = source.placedKinds
    let kinds = placed.kinds.filter { wanted?.contains($0) ?? true }
    let others = Set(kinds.filter { !(source.categories?.hasOwnBit($0) ?? false) })
    let (together, statistics) = nearest(ofEach: others, where: isIncluded)
    var answers = kinds.compactMap { kind in
      others.contains(kind)
        ? together[kind]
        : source.nearest(limit, to: origin, at: distances, of: [kind], where: isIncluded)
    }.map { answer($0) }
    if wanted == nil, placed.hasUnnamed {
      answers.append(
        answer(
          search(limit, at: distances) { shelf[$0].kind == nil && isIncluded?($0) ?? true }))
    }
    answers.append(NearbyAnswer([], on: shelf, from: origin, statistics: statistics))
    return NearbyAnswer.joined(answers, on: shelf, from: origin)
  }

  /// The answers of a search for each of some kinds, found by one walk outward that counts by kind.
  ///
  /// How far it must go is not known. So it is repeated, for eight times as many and only of the kinds that lack some,
  /// until none does or everything is seen; all walks together take little longer than the last.
  private func nearest(
    ofEach kinds: Set<AnnotationKind>, where isIncluded: ((Int) -> Bool)?
  ) -> (answers: [AnnotationKind: NearestAnswer], statistics: SearchStatistics) {
    let (source, limit) = (run.source, run.query.limit)
    var answers: [AnnotationKind: NearestAnswer] = [:]
    var statistics = SearchStatistics()
    var lacking = kinds
    // Twice what is needed if all kinds are as frequent; a limit is cut only so that it can be multiplied.
    var count = max(256, 2 * kinds.count * (min(limit, 1 << 24) + 1))
    while !lacking.isEmpty {
      let found = source.nearest(
        count, to: origin, at: DistanceRange(), of: lacking, where: isIncluded)
      statistics = statistics + found.statistics
      let isEverything = found.neighbors.count < count
      // What ties with the last may not have been found.
      let seen =
        isEverything ? .infinity : (found.neighbors.last?.distance.meters ?? 0) - Self.slack
      var isBeyondRange = false
      let groups = Dictionary(grouping: found.neighbors) { source.shelf[$0.offset].kind }
      for case (let kind?, let group) in groups {
        let members = source.measuredAlone(group, from: origin).map {
          source.measured($0, from: origin, at: distances)
        }
        answers[kind] = NearestAnswer(ranked: members, limit: limit, at: distances)
        let known = members.prefix { $0.distance.meters < seen }
        // The first that is left out tells how far the answer holds.
        if known.count(where: { distances.contains($0.distance) }) > limit {
          lacking.remove(kind)
        } else if let last = known.last, last.distance > distances.within {
          // The walk has passed the outer limit: no kind has more within it.
          isBeyondRange = true
        }
      }
      if isEverything || isBeyondRange { break }
      count *= 8
    }
    return (answers, statistics)
  }

  private func place(of neighbor: Neighbor) -> ResultPlace {
    run.placeOf(run.source.shelf[neighbor.offset])
  }

  /// The nearest results behind a cursor of the order by distance; how far they hold is not known.
  private func search(_ limit: Int, behind cursor: PageCursor) -> NearestAnswer {
    let order = run.query.ordering
    let found = search(
      limit + min(cursor.shownCount, Int.max - limit),
      at: DistanceRange(
        beyond: hole(before: cursor.place.distance ?? 0), within: distances.within),
      where: run.placeTest { item in run.placeOf(item).side(of: cursor.place, in: order) >= 0 })
    // Of those with the cursor's place, earlier pages showed the first.
    var leftOutCount = 0
    let rest = found.neighbors.filter { neighbor in
      guard leftOutCount < cursor.shownCount,
        place(of: neighbor).side(of: cursor.place, in: order) == 0
      else { return true }
      leftOutCount += 1
      return false
    }
    return NearestAnswer(
      neighbors: Array(rest.prefix(limit)), validRadius: .zero, statistics: found.statistics)
  }

  /// The inner limit that leaves out nothing at the given distance or farther.
  private func hole(before distance: Double) -> Distance? {
    let start = distance - Self.slack
    guard start > distances.beyond?.meters ?? 0 else { return distances.beyond }
    return .meters(start)
  }

  /// The first results after the cursor of everything in the range, in an order other than by distance.
  func ordered() -> NearbyAnswer<Item> {
    let order = run.query.ordering
    let reach = reach(order)
    let found = search(
      .max, at: DistanceRange(beyond: distances.beyond, within: reach), where: run.placeTest())
    var leading = Leading<Neighbor>(
      count: run.query.limit, order: order, behind: run.cursor)
    for neighbor in found.neighbors { leading.insert(neighbor, place(of: neighbor)) }
    let (rows, hasMore) = leading.sorted()
    let isWhole = !hasMore && run.cursor == nil && reach == distances.within
    var answer = NearbyAnswer<Item>(
      rows.map(\.item), on: run.source.shelf, from: origin,
      validRadius: isWhole ? found.validRadius : .zero, statistics: found.statistics)
    if hasMore || (reach < distances.within && isAnything(beyond: reach)) {
      answer.next = run.next(behind: rows.map(\.place))
    }
    return answer
  }

  /// How far away the results of a page may lie: the end of the band in which it ends.
  private func reach(_ order: ResultOrder) -> Distance {
    let limit = run.query.limit
    guard let width = order.band?.meters, limit < .max else { return distances.within }
    let cursor = run.cursor
    let start = cursor.map { Double($0.place.band) * width } ?? 0
    // Those that earlier pages showed of the cursor's place are found again.
    let wanted = limit + min(cursor?.shownCount ?? 0, Int.max - limit)
    let found = search(
      wanted, at: DistanceRange(beyond: hole(before: start), within: distances.within),
      where: run.placeTest { item in
        cursor.map { run.placeOf(item).side(of: $0.place, in: order) >= 0 } ?? true
      })
    guard found.neighbors.count == wanted, let last = found.neighbors.last else {
      return distances.within
    }
    let band = (last.distance.meters / width).rounded(.down)
    return min(distances.within, .meters((band + 1) * width + Self.slack))
  }

  private func isAnything(beyond reach: Distance) -> Bool {
    let rest = DistanceRange(beyond: reach, within: distances.within)
    return !search(1, at: rest, where: run.placeTest()).neighbors.isEmpty
  }
}

// MARK: - Distances

extension QuerySource {
  /// Some neighbors that a search has found, in order, with the distances that one finding only these would give.
  ///
  /// An index measures by a series, and by geodesics where that cannot tell two neighbors apart: so a distance depends,
  /// by some nanometers, on what else is found.
  func measuredAlone(_ neighbors: [Neighbor], from origin: Coordinate) -> [Neighbor] {
    func measured(_ points: [Neighbor]) -> [Neighbor] {
      points.measuredAlone(from: origin) { shelf[$0].coordinate ?? origin }
    }
    guard let shapes else { return measured(neighbors) }
    let shaped = neighbors.filter { shapes.has($0.offset) }
    let points = AnnotationShapes.measured(
      measured(neighbors.filter { !shapes.has($0.offset) }), tiedWith: shaped
    ) { shelf[$0].distance(from: origin) }
    var next = points.makeIterator()
    return neighbors.map { shapes.has($0.offset) ? $0 : next.next() ?? $0 }
  }

  /// A neighbor, with its geodesic where only that tells on which side of a limit it lies.
  func measured(
    _ neighbor: Neighbor, from origin: Coordinate, at distances: DistanceRange
  ) -> Neighbor {
    func isClear(of limit: Distance) -> Bool {
      abs(neighbor.distance.meters - limit.meters) > LineOrigin.tie
    }
    if isClear(of: distances.within), distances.beyond.map({ isClear(of: $0) }) ?? true {
      return neighbor
    }
    let geodesic = shelf[neighbor.offset].distance(from: origin)
    return Neighbor(offset: neighbor.offset, distance: geodesic ?? neighbor.distance)
  }
}
