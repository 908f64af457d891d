import Geodesy
import MapAnnotations
import SpatialIndexing

/// The execution of one query.
struct QueryRun<Source: QuerySource> {
  typealias Item = Source.Item

  let source: Source
  let query: NearbyQuery
  let plan: QueryPlan
  /// Where the previous page ended; nil for the first page.
  let cursor: PageCursor?
  /// The place of an annotation in the order.
  let placeOf: (Item) -> ResultPlace
  /// Whether only placed annotations can match: where an area or an origin is named, or all have a position.
  private let isPlaced: Bool
  /// Counts the facets; it has counted nothing.
  private let facets: FacetCounter<Item>
  /// What is left of the condition; nil for nothing.
  private let filter: ConditionFilter<Item>?
  /// The same, tested by place; nil where each annotation must be tested.
  private let condition: PlaceCondition<Item>?
  /// The placed annotations with the ids in the query; nil where each annotation must be tested for that.
  private let placesFound: [Int]?
  /// Tests an annotation for everything else that no search has done; nil where nothing is left.
  private let isOtherwiseMatch: ((Item) -> Bool)?
  private let open: OpenFilter<Item>?

  private var order: ResultOrder { query.ordering }

  init(
    _ source: Source, _ query: NearbyQuery, _ plan: QueryPlan, _ context: QueryContext<Item>
  ) throws(QueryError) {
    self.source = source
    self.query = query
    self.plan = plan
    if query.isPerKind, query.order != nil || query.after != nil { throw .grouping }
    if query.origin == nil, !query.distances.isEverything { throw .origin }
    do throws(ConditionError) {
      let ordered = query.order?.fields ?? []
      try FieldUses(ordered).check(source.items, columns: context.columns)
      facets = try FacetCounter(query.facets, from: query.origin)
      try FieldUses(query.facets).check(source.items, columns: context.columns)
      placeOf = try query.ordering.places(of: Item.self, from: query.origin)
    } catch {
      // Bands are of distances that are measured.
      let mayBeProperty = query.order?.band == nil
      throw .field(
        mayBeProperty ? error.orProperty(of: source.items, columns: context.columns) : error)
    }
    isPlaced = query.origin != nil || query.area != .everywhere || source.hasPlacesForAll
    let placesFound = isPlaced ? QueryRun.foundByID(plan, query, source) : nil
    do throws(ConditionError) {
      filter =
        if let condition = QueryRun.condition(of: plan, isLookedUp: placesFound != nil) {
          try ConditionFilter(
            condition, for: source.items, columns: context.columns, from: query.origin)
        } else { nil }
    } catch {
      throw .condition(error)
    }
    self.placesFound = placesFound
    condition = filter.flatMap { PlaceCondition($0, on: source.shelf) }
    var tests: [(Item) -> Bool] = []
    if plan.testsArea { tests.append(query.area.holds) }
    if let clip = query.clip { tests.append(QueryArea.box(clip).holds) }
    if let dates = query.dates { tests.append(dates.includes) }
    if let condition = query.open {
      guard let hours = context.hours else { throw .hours }
      let filter = OpenFilter(condition, reader: hours, from: query.origin)
      tests.append(filter.includes)
      open = filter
    } else {
      open = nil
    }
    isOtherwiseMatch =
      tests.count > 1 ? { [tests] item in tests.allSatisfy { $0(item) } } : tests.first
    cursor = try query.cursor
  }

  func answer() -> NearbyAnswer<Item> {
    var answer = NearbyAnswer([], on: source.shelf, from: query.origin)
    if query.limit > 0 {
      if plan.search == .nearest, let origin = query.origin {
        let walk = QueryWalk(run: self, origin: origin)
        answer =
          query.isPerKind
          ? walk.nearestOfEachKind() : order == .distance ? walk.nearest() : walk.ordered()
      } else {
        answer = answerWithoutWalk()
      }
      // From elsewhere, other annotations may match.
      if query.origin != nil, query.measuresDistance { answer.validRadius = .zero }
    }
    if !query.facets.isEmpty { addFacets(to: &answer) }
    if query.limit > 0, let open { addHours(of: open, to: &answer) }
    answer.plan = plan
    return answer
  }

  // MARK: Testing

  /// Tests at a place what no search has done, after an optional first test; nil where there is nothing to test.
  func placeTest(after first: ((Item) -> Bool)? = nil) -> ((Int) -> Bool)? {
    let shelf = source.shelf
    let test: ((Item) -> Bool)? =
      switch (first, isOtherwiseMatch) {
      case (nil, nil): nil
      case (let test?, nil), (nil, let test?): test
      case (let first?, let second?): { first($0) && second($0) }
      }
    guard let filter else { return test.map { test in { test(shelf[$0]) } } }
    guard let condition else {
      let includes = filter.truth
      guard let test else { return { includes(shelf[$0]) == true } }
      return { place in
        let item = shelf[place]
        return includes(item) == true && test(item)
      }
    }
    guard let test else { return condition.includes }
    return { condition.includes($0) && test(shelf[$0]) }
  }

  // MARK: Without a walk

  /// A match that was found without a walk.
  private struct Match {
    let place: Int
    let item: Item
    let distance: Distance?
  }

  /// The places that may match apart from their distance, the shelf to fetch them from, and what is left to test on
  /// each; nil for nothing.
  private func prospects() -> (
    places: [Int], shelf: AnnotationShelf<Item>, isMatch: ((Item) -> Bool)?
  ) {
    var places: [Int]
    var shelf = source.shelf
    var ids: Set<AnnotationID>?
    if case .lookup(let wanted) = plan.search { ids = wanted }
    var isOfKind = KindFilter(kinds: plan.kinds, among: nil)
    if let found = placesFound {
      places = found
      ids = nil
    } else if isPlaced {
      places = candidates()
      isOfKind = KindFilter(kinds: nil, among: nil)
    } else {
      (places, shelf) = source.everything
    }
    var asks = filter?.truth
    if let filter {
      let condition =
        shelf === source.shelf ? condition : PlaceCondition(filter, on: shelf)
      if let included = condition?.included(places) {
        places = included
        asks = nil
      }
    }
    guard ids != nil || !isOfKind.isExact || asks != nil || isOtherwiseMatch != nil else {
      return (places, shelf, nil)
    }
    return (
      places, shelf,
      { [asks, ids, isOfKind, isOtherwiseMatch] item in
        ids?.contains(item.id) ?? true && isOfKind.includes(item)
          && asks.map { $0(item) == true } ?? true && isOtherwiseMatch?(item) ?? true
      }
    )
  }

  /// Everything that matches apart from its distance, and the shelf to fetch it from.
  private func matches() -> (matches: [Match], shelf: AnnotationShelf<Item>) {
    let (places, shelf, isMatch) = prospects()
    let matches = places.compactMap { place -> Match? in
      let item = shelf[place]
      guard isMatch?(item) ?? true else { return nil }
      let distance = query.origin.flatMap { item.distance(from: $0) }
      return Match(place: place, item: item, distance: distance)
    }
    return (matches, shelf)
  }

  /// The places of all matches, ascending.
  func matchingPlaces() -> [Int] { matches().matches.filter(isInReach).map(\.place).sorted() }

  /// Whether the distance of a match, if one is measured, is among those asked for.
  private func isInReach(_ match: Match) -> Bool {
    query.origin == nil || match.distance.map(plan.distances.contains) ?? false
  }

  /// The placed annotations of the kinds in the area, ascending, or only those for which the condition is true: where
  /// an area holds most annotations, it is faster to test matches for the area.
  private func candidates() -> [Int] {
    guard plan.kinds == nil, let condition, case .box = query.area,
      let count = source.placeCount(in: query.area),
      condition.isWorthAskingAll(insteadOf: count),
      let all = source.placeCount(in: .everywhere),
      let matching = condition.included(Array(0..<all)), matching.count < count / 8
    else { return source.places(in: query.area, of: plan.kinds) }
    let area = query.area
    return matching.filter { area.holds(source.shelf[$0]) }
  }

  private static func foundByID(
    _ plan: QueryPlan, _ query: NearbyQuery, _ source: Source
  ) -> [Int]? {
    let found: [Int]? =
      switch plan.search {
      case .lookup(let ids): source.places(withIDs: ids)
      case .lookupNumbers(let texts):
        source.places(withNumbers: Set(texts.compactMap { DecimalNumber($0) }))
      case .nearest, .area, .scan: nil
      }
    guard query.area != .everywhere else { return found }
    return found?.filter { query.area.holds(source.shelf[$0]) }
  }

  /// What is left to test on each annotation, including the numbers of a lookup that was not made.
  private static func condition(of plan: QueryPlan, isLookedUp: Bool) -> Condition? {
    guard case .lookupNumbers(let numbers) = plan.search, !isLookedUp else { return plan.condition }
    let test = Condition.isID(amongNumbers: numbers)
    return plan.condition.map { .all([test, $0]) } ?? test
  }

  /// The answer without a walk: what lies in an area, has an id, or is anywhere.
  private func answerWithoutWalk() -> NearbyAnswer<Item> {
    if let answer = firstByID() { return answer }
    let (matches, shelf) = matches()
    guard query.isPerKind else { return page(of: matches, on: shelf) }
    let groups = Dictionary(grouping: matches) { $0.item.kind }
    let kinds = KindCategories(groups.keys).kinds
    let answers = (kinds.map { $0 } + [nil]).compactMap { groups[$0] }.map {
      page(of: $0, on: shelf)
    }
    return NearbyAnswer.joined(answers, on: shelf, from: query.origin)
  }

  /// The first results by id, where annotations need not be read to find them.
  private func firstByID() -> NearbyAnswer<Item>? {
    guard query.origin == nil, isOtherwiseMatch == nil, order == .id, !query.isPerKind else {
      return nil
    }
    var places: [Int]
    var shelf = source.shelf
    if let placesFound {
      guard source.placesAscend, plan.kinds == nil else { return nil }
      places = placesFound
    } else if case .lookup = plan.search {
      return nil
    } else if source.placesAscend, isPlaced {
      places = candidates()
    } else if query.area == .everywhere, plan.kinds == nil, let all = source.everythingByID {
      (places, shelf) = all
    } else {
      return nil
    }
    if let filter {
      let condition = shelf === source.shelf ? condition : PlaceCondition(filter, on: shelf)
      places = condition?.included(places) ?? places.filter { filter.includes(shelf[$0]) }
    }
    let rest =
      cursor.map { places[firstPlace(behind: $0, among: places, on: shelf)...] } ?? places[...]
    let shown = rest.prefix(query.limit)
    var answer = NearbyAnswer(
      shown.map { Neighbor(offset: $0, distance: .infinity) }, on: shelf, from: nil)
    if shown.count < rest.count {
      answer.next = next(behind: shown.lazy.map { placeOf(shelf[$0]) })
    }
    return answer
  }

  /// Where a page begins among places that ascend as ids do.
  ///
  /// - Complexity: O(log *n*); as many annotations are read.
  private func firstPlace(
    behind cursor: PageCursor, among places: [Int], on shelf: AnnotationShelf<Item>
  ) -> Int {
    func side(_ place: Int) -> Int { placeOf(shelf[place]).side(of: cursor.place, in: order) }
    let first = places.partitioningCount { side($0) < 0 }
    return min(first + cursor.shownCount, places.partitioningCount { side($0) <= 0 })
  }

  /// The cursor behind a page of results; nil behind none.
  func end(of page: some BidirectionalCollection<ResultPlace>) -> PageCursor? {
    guard let last = page.last else { return nil }
    func isLast(_ place: ResultPlace) -> Bool { place.side(of: last, in: order) == 0 }
    var shownCount = 0
    if let cursor, isLast(cursor.place) { shownCount = cursor.shownCount }
    for place in page.reversed() {
      guard isLast(place) else { break }
      shownCount += 1
    }
    return PageCursor(last, shownCount: shownCount, of: query.pagesText)
  }

  /// The cursor behind a page of results as text; nil where no pages are asked for.
  func next(behind page: some BidirectionalCollection<ResultPlace>) -> String? {
    query.after == nil ? nil : end(of: page)?.description
  }

  private func page(of matches: [Match], on shelf: AnnotationShelf<Item>) -> NearbyAnswer<Item> {
    var leading = Leading<Match>(count: query.limit, order: order, behind: cursor)
    for match in matches where isInReach(match) { leading.insert(match, placeOf(match.item)) }
    let (rows, hasMore) = leading.sorted()
    let neighbors = rows.map {
      Neighbor(offset: $0.item.place, distance: $0.item.distance ?? .infinity)
    }
    let isWhole = !hasMore && cursor == nil
    var radius: Distance? = query.origin == nil ? nil : .zero
    if query.origin != nil, isWhole || (order == .distance && cursor == nil) {
      radius = validRadius(of: neighbors, among: matches)
    }
    var answer = NearbyAnswer(neighbors, on: shelf, from: query.origin, validRadius: radius)
    if hasMore { answer.next = next(behind: rows.map(\.place)) }
    return answer
  }

  /// How far the origin may move before another set is the answer.
  ///
  /// - Parameter matches: All that match apart from their distance.
  private func validRadius(of neighbors: [Neighbor], among matches: [Match]) -> Distance? {
    let isFull = neighbors.count == query.limit
    var next: Distance?
    var lastInside: Distance?
    let shown = Set(neighbors.map(\.offset))
    for match in matches where !shown.contains(match.place) {
      guard let distance = match.distance else { continue }
      if let inner = plan.distances.beyond, distance <= inner {
        lastInside = max(lastInside ?? distance, distance)
      } else {
        next = min(next ?? distance, distance)
      }
    }
    return plan.distances.validRadius(
      of: neighbors.sorted(), isFull: isFull, next: next, lastInside: lastInside)
  }

  // MARK: Facets and hours

  /// Counts the facets over all matches, wherever a page begins and ends.
  private func addFacets(to answer: inout NearbyAnswer<Item>) {
    var counter = facets
    countMatches(with: &counter)
    answer.facets = counter.facets
    answer.matched = counter.total
  }

  private func countMatches(with counter: inout FacetCounter<Item>) {
    guard let origin = query.origin else {
      let (places, shelf, isMatch) = prospects()
      if isMatch == nil, counter.count(places, on: shelf) { return }
      for place in places {
        let item = shelf[place]
        if isMatch?(item) ?? true { counter.count(item) }
      }
      return
    }
    guard plan.search == .nearest else {
      for match in matches().matches where isInReach(match) { counter.count(match.item) }
      return
    }
    let isMatch = placeTest()
    guard !plan.distances.isEverything else {
      for place in source.places(in: .everywhere, of: plan.kinds) where isMatch?(place) ?? true {
        counter.count(source.shelf[place])
      }
      return
    }
    let found = source.nearest(
      .max, to: origin, at: plan.distances, of: plan.kinds, where: isMatch)
    for neighbor in found.neighbors { counter.count(source.shelf[neighbor.offset]) }
  }

  /// Adds the open status of each result, and until when the answer holds.
  private func addHours(of open: OpenFilter<Item>, to answer: inout NearbyAnswer<Item>) {
    let shown = Array(answer.annotations)
    answer.openStatuses = shown.map(open.status)
    let distances = plan.distances
    if let origin = query.origin, order == .distance, cursor == nil, !query.isPerKind {
      (answer.validUntil, answer.passedOver) = open.validity(
        of: shown, limit: query.limit, from: origin, at: distances)
      return
    }
    answer.validUntil = open.validUntil(
      showing: shown, limit: query.limit, order: order, placeOf, behind: cursor,
      eachKind: query.isPerKind
    ) { item in
      guard let origin = query.origin else { return true }
      return item.distance(from: origin).map(distances.contains) ?? false
    }
  }
}

/// What a query run needs from the annotations that it searches; the rest is the same for all.
protocol QuerySource<Item> {
  associatedtype Item: Annotation

  /// Gives the annotations, by the places that searches return.
  var shelf: AnnotationShelf<Item> { get }
  /// All annotations, including those without a position, to see which fields they have.
  associatedtype Items: Collection<Item>
  var items: Items { get }
  /// The kinds of the placed annotations.
  var placedKinds: KindCategories { get }
  /// The categories by which a search tells kinds apart; nil where it tests each annotation.
  var categories: KindCategories? { get }
  /// The lines and areas among the annotations; nil where all are points.
  var shapes: AnnotationShapes? { get }
  /// Whether places ascend as ids do, equal ids by source and record.
  var placesAscend: Bool { get }

  /// The nearest annotations of some kinds that satisfy a predicate; nil for no predicate.
  func nearest(
    _ limit: Int, to origin: Coordinate, at distances: DistanceRange,
    of kinds: Set<AnnotationKind>?,
    where isIncluded: ((Int) -> Bool)?
  ) -> NearestAnswer
  /// Some neighbors that a search has found, in order, with the distances that one finding only these would give.
  func measuredAlone(_ neighbors: [Neighbor], from origin: Coordinate) -> [Neighbor]
  /// The places of the placed annotations of some kinds in an area, ascending.
  func places(in area: QueryArea, of kinds: Set<AnnotationKind>?) -> [Int]
  /// The places of the placed annotations with these ids, ascending; nil where that takes a test of each annotation.
  func places(withIDs ids: Set<AnnotationID>) -> [Int]?
  /// The places of the placed annotations whose ids are one of some numbers, however they write it, ascending; nil where
  /// that takes a test of each annotation, which is then so for all numbers.
  func places(withNumbers numbers: Set<DecimalNumber>) -> [Int]?
  /// The number of placed annotations in an area; nil where counting takes long.
  func placeCount(in area: QueryArea) -> Int?
  /// Whether all annotations have a position, as far as the source knows.
  var hasPlacesForAll: Bool { get }
  /// All annotations, placed or not, and the shelf to fetch them from.
  var everything: (places: [Int], shelf: AnnotationShelf<Item>) { get }
  /// The same in the order of ids, equal ids by source and record, which is found once; nil where it would be found each
  /// time.
  var everythingByID: (places: [Int], shelf: AnnotationShelf<Item>)? { get }
}

extension QuerySource {
  var placesAscend: Bool { false }

  func places(withIDs ids: Set<AnnotationID>) -> [Int]? { nil }

  func places(withNumbers numbers: Set<DecimalNumber>) -> [Int]? { nil }

  func placeCount(in area: QueryArea) -> Int? { nil }

  var hasPlacesForAll: Bool { false }

  var everythingByID: (places: [Int], shelf: AnnotationShelf<Item>)? { nil }
}
