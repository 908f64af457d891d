import BusinessHours
import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing

@testable import NearbySearch

/// Queries of every shape, made from seeds, put to everything that answers queries, beside two plain loops.
@Suite struct QueryTests {
  /// Everything that matches, in order.
  private static func matches(_ question: QueryWorld.Question, _ items: [BasicAnnotation])
    -> [BasicAnnotation]
  {
    let query = question.query
    func distance(_ item: BasicAnnotation) -> Double? {
      query.origin.flatMap { QueryWorld.meters(from: $0, to: item) }
    }
    let rows = items.filter { item in
      guard question.tests.allSatisfy({ $0(item) }) else { return false }
      guard query.origin != nil else { return true }
      guard let meters = distance(item) else { return false }
      return meters <= query.distances.within.meters
        && query.distances.beyond.map { meters > $0.meters } ?? true
    }
    let order = query.order ?? (query.origin == nil ? .id : .distance)
    return rows.sorted { left, right in
      func ascending() -> Bool {
        let (near, far) = (distance(left) ?? 0, distance(right) ?? 0)
        return near != far ? near < far : left.id < right.id
      }
      if let band = order.band?.meters {
        let (near, far) = ((distance(left) ?? 0) / band, (distance(right) ?? 0) / band)
        if near.rounded(.down) != far.rounded(.down) { return near < far }
      }
      switch order.key {
      case .id: return order.isDescending ? right.id < left.id : left.id < right.id
      case .distance: return ascending()
      case .field:
        let none = order.isDescending ? -1.0 : 9
        let (first, second) = (QueryWorld.rating(left) ?? none, QueryWorld.rating(right) ?? none)
        if first != second { return order.isDescending ? first > second : first < second }
        if !order.ties.isEmpty, left.kind != right.kind {
          // Those without a kind come last.
          return (left.kind?.rawValue ?? "~") < (right.kind?.rawValue ?? "~")
        }
        return ascending()
      }
    }
  }

  /// The pages of an answer: until the end, or the one that was asked for.
  private static func pages<Search: AnnotationSearching<BasicAnnotation>>(
    of question: QueryWorld.Question, from search: Search
  ) throws -> [NearbyAnswer<BasicAnnotation>] {
    let seoul = HoursSetting(utcOffset: { _ in 0 })
    let context = QueryContext<BasicAnnotation>(
      hours: HoursReader(setting: seoul), columns: ["rating"])
    var query = question.query
    var pages: [NearbyAnswer<BasicAnnotation>] = []
    repeat {
      pages.append(try search.answer(query, in: context))
      query.after = pages.last?.next
    } while query.after != nil && pages.count < 6
    return pages
  }

  private static func check<Search: AnnotationSearching<BasicAnnotation>>(
    _ question: QueryWorld.Question, _ search: Search, _ items: [BasicAnnotation]
  ) throws {
    let query = question.query
    let pages = try pages(of: question, from: search)
    let said = "\(Search.self): \(query.text) limit \(query.limit): \(question.said)"
    let wanted = matches(question, items)
    let found = pages.flatMap { $0.annotations.map(\.id) }
    if query.isPerKind {
      let names = Set(wanted.map { $0.kind?.rawValue }).sorted { ($0 ?? "~") < ($1 ?? "~") }
      let first = names.flatMap { name in
        wanted.filter { $0.kind?.rawValue == name }.prefix(query.limit)
      }
      #expect(found == first.map(\.id), "\(said)")
    } else if query.after == nil {
      #expect(found == wanted.prefix(query.limit).map(\.id), "\(said)")
    } else {
      // Six pages of one tell as much as all.
      let shown = pages.last?.next == nil ? wanted.count : 6 * query.limit
      #expect(found == wanted.prefix(shown).map(\.id), "\(said)")
      #expect(pages.dropLast().allSatisfy { $0.count == query.limit }, "\(said)")
    }
    for result in pages.joined() {
      let wanted = query.origin.flatMap { origin in
        QueryWorld.meters(from: origin, to: result.annotation).map { Distance.meters($0) }
      }
      let slip = wanted.map { abs((result.distance - $0).meters) }
      #expect(slip.map { $0 < 20e-9 } ?? (result.distance == .infinity), "\(said)")
      #expect((result.openStatus == nil) == (query.open == nil), "\(said)")
    }
    if !query.facets.isEmpty {
      #expect(pages[0].matched == wanted.count, "\(said)")
      let kinds = pages[0].facets[0].counts
      #expect(kinds.map(\.count).reduce(0, +) == wanted.count, "\(said)")
      for count in kinds {
        #expect(count.count == wanted.count { $0.kind?.rawValue == count.value }, "\(said)")
      }
    }
    try checkRadius(pages[0], question, items, said)
  }

  /// Moving by less than the radius changes nothing.
  private static func checkRadius(
    _ answer: NearbyAnswer<BasicAnnotation>, _ question: QueryWorld.Question,
    _ items: [BasicAnnotation],
    _ said: String
  ) throws {
    guard let origin = question.query.origin, !question.query.isPerKind,
      question.query.order == nil || question.query.order == .distance,
      !question.said.contains(where: { $0.contains("distance") })
    else { return }
    let step = min(answer.validRadius?.meters ?? 1e6, 1e6) * 0.999
    guard step > 1e-3 else { return }
    for bearing in [10.0, 130, 250] {
      var moved = question
      moved.query.origin = origin.destination(bearing: bearing, distance: .meters(step))
      let there = Set(matches(moved, items).prefix(question.query.limit).map(\.id))
      #expect(there == Set(answer.annotations.map(\.id)), "\(said) moved by \(step)")
    }
  }

  @Test(arguments: PointSet.allCases, [UInt64(0)])
  func `every search answers every query as two loops do`(points: PointSet, seed: UInt64) throws {
    let (items, isOpen, origin) = try QueryWorld.world(44, points, seed: seed)
    let index = AnnotationIndex(items)
    let list = AnnotationIndex(items, by: .geohash)
    let live = LiveAnnotationIndex(items.prefix(25))
    live.upsert(items.suffix(30))
    var generator = SeededGenerator(seed: seed &+ 77)
    for _ in 0..<30 {
      let question = try QueryWorld.question(items, isOpen, origin, using: &generator)
      try Self.check(question, index, items)
      try Self.check(question, list, items)
      try Self.check(question, live.snapshot, items)
      try Self.check(question, AnnotationScan(items), items)
    }
  }

  @Test(arguments: [PointSet.clustered, .lattice, .city], [false, true])
  func `each of many kinds is answered as two loops do`(points: PointSet, isShaped: Bool) throws {
    let (items, isOpen, origin) = try QueryWorld.world(
      300, points, seed: 2, isShaped: isShaped, kindCount: 80)
    let index = AnnotationIndex(items)
    let byPredicate = AnnotationIndex(items, by: .geohash, shortcuts: .unindexedKinds)
    let live = LiveAnnotationIndex(items)
    var generator = SeededGenerator(seed: 78)
    for _ in 0..<8 {
      var question = try QueryWorld.question(items, isOpen, origin, using: &generator)
      question.query.isPerKind = true
      question.query.order = nil
      question.query.after = nil
      try Self.check(question, index, items)
      try Self.check(question, byPredicate, items)
      try Self.check(question, live.snapshot, items)
      try Self.check(question, AnnotationScan(items), items)
    }
  }

  @Test(arguments: [false, true], UInt64(0)..<4)
  func `a list names the offsets of what a query chooses`(isShaped: Bool, seed: UInt64) throws {
    let (items, isOpen, origin) = try QueryWorld.world(
      40, .clustered, seed: seed, isShaped: isShaped)
    let scan = AnnotationScan(items)
    let context = QueryContext<BasicAnnotation>(
      hours: HoursReader(setting: HoursSetting(utcOffset: { _ in 0 })), columns: ["rating"])
    var generator = SeededGenerator(seed: seed &+ 11)
    var found = 0
    for _ in 0..<40 {
      let question = try QueryWorld.question(items, isOpen, origin, using: &generator)
      let offsets = try scan.offsets(matching: question.query, in: context)
      let wanted = Set(Self.matches(question, items).map(\.id))
      #expect(offsets == items.indices.filter { wanted.contains(items[$0].id) }, "\(question.said)")
      found += offsets.count
    }
    #expect(found > 100)
  }

  @Test(arguments: PointSet.allCases, [UInt64(0)])
  func `lines and areas answer every query by their shape`(points: PointSet, seed: UInt64) throws {
    let (items, isOpen, origin) = try QueryWorld.world(30, points, seed: seed, isShaped: true)
    #expect(items.count { $0.shape != nil } > 10)
    #expect(items.contains { $0.shape?.isEmpty ?? false })
    let index = AnnotationIndex(items)
    let list = AnnotationIndex(items, by: .geohash)
    let live = Self.live(items).snapshot
    var generator = SeededGenerator(seed: seed &+ 99)
    for _ in 0..<12 {
      let question = try QueryWorld.question(items, isOpen, origin, using: &generator)
      try Self.check(question, index, items)
      try Self.check(question, list, items)
      try Self.check(question, live, items)
      try Self.check(question, AnnotationScan(items), items)
    }
  }

  @Test(arguments: PointSet.allCases, [UInt64(0)])
  func `the calls without a query find lines and areas as a query does`(
    points: PointSet, seed: UInt64
  ) throws {
    let (items, _, origin) = try QueryWorld.world(30, points, seed: seed, isShaped: true)
    let index = AnnotationIndex(items)
    let live = Self.live(items).snapshot
    let all = try index.answer(NearbyQuery(from: origin, limit: .max))
    #expect(index.nearest(3, to: origin).annotations.map(\.id) == all.prefix(3).map(\.id))
    #expect(
      index.nearest(3, to: origin) { $0.kind != .mart }.map(\.id)
        == all.filter { $0.annotation.kind != .mart }.prefix(3).map(\.id))
    #expect(
      index.nearest(.max, to: origin, kinds: [.mart]).map(\.id)
        == all.filter { $0.annotation.kind == .mart }.map(\.id))
    let box = BoundingBox(around: origin, radius: .kilometers(50))
    let inside = items.filter { item in
      QueryWorld.shape(of: item)?.meets(box) ?? item.coordinate.map(box.contains) ?? false
    }
    #expect(index.annotations(in: box).map(\.id) == inside.map(\.id).sorted())
    #expect(live.annotations(in: box).map(\.id) == inside.map(\.id).sorted())
    #expect(live.nearest(3, to: origin).map(\.id) == all.prefix(3).map(\.id))
    #expect(index.count(in: box) == inside.count)
    let near = Distance.kilometers(50), hole = Distance.meters(300)
    let count = all.count { $0.distance <= near }
    #expect(index.count(within: near, of: origin) == count)
    #expect(live.count(in: box) == inside.count)
    #expect(live.count(within: near, of: origin) == count)
    let between = all.filter { $0.distance > hole && $0.distance <= near }.prefix(3).map(\.id)
    #expect(index.nearest(3, to: origin, within: near, beyond: hole).map(\.id) == between)
    #expect(live.nearest(3, to: origin, within: near, beyond: hole).map(\.id) == between)
    let scan = AnnotationScan(items)
    #expect(try scan.nearest(3, to: origin, within: near, beyond: hole).map(\.id) == between)
    #expect(try scan.annotations(in: box).map(\.id) == inside.map(\.id).sorted())
    #expect(
      try scan.annotations(within: near, of: origin, kinds: [.mart]).map(\.id)
        == index.annotations(within: near, of: origin, kinds: [.mart]).map(\.id))
    #expect(try scan.count(in: box) == inside.count)
    #expect(try scan.count(within: near, of: origin) == count)
    for result in all {
      let point = try #require(result.nearestPoint)
      #expect(abs(origin.distance(to: point).meters - result.distance.meters) < 1e-3)
    }
  }

  /// A live index of annotations that took many steps: shapes that went, came, changed and expired.
  private static func live(_ items: [BasicAnnotation]) -> LiveAnnotationIndex<BasicAnnotation> {
    func with(_ shape: GroundShape?, _ item: BasicAnnotation) -> BasicAnnotation {
      var item = item
      item.shape = shape
      return item
    }
    let shapes = items.compactMap(\.shape)
    let live = LiveAnnotationIndex(items.map { with($0.shape == nil ? shapes.first : nil, $0) })
    _ = live.snapshot.annotations(in: .world)
    live.upsert(items.map { with(shapes.last, $0) })
    live.remove(items.prefix(7).map(\.id))
    live.upsert(items)
    // What has expired is not there, whenever one asks.
    live.upsert(
      items.prefix(5).map { item in
        var item = with(shapes.first, item)
        item.id = AnnotationID("gone-\(item.id.text)")
        return item
      }, expiry: -.infinity)
    return live
  }

  @Test func `many origins have the answers that each has alone`() async throws {
    let (items, _, _) = try QueryWorld.world(80, .clustered, seed: 5)
    let origins = PointSet.clustered.sample(700, seed: 9).points
    let index = AnnotationIndex(items)
    var queries = [NearbyQuery(), NearbyQuery()]
    for place in queries.indices { queries[place].limit = 3 }
    queries[1].condition = try Condition(parsing: "rating >= 3 and distance > 10")
    queries[1].kinds = [.mart, .deal]
    for query in queries {
      let answers = try await index.answers(query, from: origins)
      #expect(answers.count == origins.count)
      for (origin, answer) in zip(origins, answers) {
        var alone = query
        alone.origin = origin
        #expect(try answer == index.answer(alone))
      }
      #expect(try await index.answers(query, from: []).isEmpty)
    }
    var wrong = queries[0]
    wrong.condition = try Condition(parsing: "nosuch = 1")
    await #expect(throws: QueryError.self) { try await index.answers(wrong, from: origins) }
  }

  /// Answers nothing, and counts how often.
  private final class Counting: AnnotationSearching {
    let asked = SharedValue(0)

    func answer(
      _ query: NearbyQuery, in context: QueryContext<BasicAnnotation>
    ) throws(QueryError) -> NearbyAnswer<BasicAnnotation> {
      asked.withLock { $0 += 1 }
      return NearbyAnswer([], from: query.origin ?? Coordinate(unchecked: 0, 0))
    }
  }

  @Test func `a canceled task asks from no further origin`() async throws {
    let origins = PointSet.clustered.sample(700, seed: 9).points
    let searching = Counting()
    #expect(try await searching.answers(NearbyQuery(), from: origins).count == origins.count)
    #expect(searching.asked.withLock { $0 } == origins.count)
    let canceled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await searching.answers(NearbyQuery(), from: origins)
    }
    await #expect(throws: CancellationError.self) { try await canceled.value }
    #expect(searching.asked.withLock { $0 } == origins.count)
  }

  @Test func `fields that are named again and again are looked for once`() throws {
    let order = ResultOrder(
      .field(.property("a")), ties: ["a", "b", "a", "b", "c"].map { .init(.property($0)) })
    #expect(order.ties.map(\.field) == [.property("b"), .property("c")])
    // A walk over all annotations for each of them would take minutes where there are many.
    let asked = SharedCount()
    let index = AnnotationIndex(
      (0..<500).map { Asked(id: AnnotationID("\($0)"), asked: asked) })
    var query = NearbyQuery()
    for test in [{ "nothing = \($0)" }, { "nothing\($0) = 1" }] as [(Int) -> String] {
      query.condition = try Condition(parsing: (0..<300).map(test).joined(separator: " or "))
      asked.value.withLock { $0 = 0 }
      #expect(throws: QueryError.self) { try index.answer(query) }
      #expect(asked.value.withLock { $0 } <= 2 * 500)
    }
  }

  private final class SharedCount: Sendable { let value = SharedValue(0) }

  /// Counts how often properties are read.
  private struct Asked: Annotation {
    let id: AnnotationID
    let asked: SharedCount
    let coordinate: Coordinate? = Coordinate(unchecked: 1, 2)
    func property(_ name: String) -> PropertyValue? {
      asked.value.withLock { $0 += 1 }
      return nil
    }
  }

  @Test func `what a search does is not asked again`() throws {
    let origin = Coordinate(unchecked: 37.5, 127)
    func plan(_ condition: String, from origin: Coordinate? = nil) throws -> String {
      var query = NearbyQuery()
      query.origin = origin
      query.condition = try Condition(parsing: condition)
      return "\(QueryPlan(query))"
    }
    #expect(try plan("kind = 'mart'", from: origin) == "nearest first, of kind mart")
    #expect(
      try plan("kind in ('mart', 'deal') and rating > 3", from: origin)
        == "nearest first, of kind deal, mart, asking each: rating > 3")
    #expect(try plan("id = 'a' and kind = 'mart'") == "look up id a, of kind mart")
    #expect(
      try plan("kind = 'mart' or rating > 3") == "ask all, asking each: kind = 'mart' or rating > 3"
    )
    #expect(try plan("not kind = 'mart'") == "ask all, asking each: not kind = 'mart'")
    #expect(try plan("distance < 50", from: origin) == "nearest first, within 50 m")
    #expect(try plan("distance < 10000000", from: origin) == "nearest first, within 10000000 m")
    #expect(
      try plan("distance between 10 and 50 and rating > 3", from: origin)
        == "nearest first, beyond 10 m, within 50 m, asking each: rating > 3")
    // A number is also the ids that look otherwise.
    #expect(try plan("id = 7") == "look up id 7")
    #expect(try plan("id in (7, 9) and kind = 'mart'") == "look up id 7, 9, of kind mart")
    #expect(
      try plan("id = '7' and id in (7, 9)") == "look up id 7, asking each: id in (7, 9)")
  }

  @Test(arguments: [
    "id = 7", "id in (9, 7)", "id in (7, 7.0, 1e1)", "id in (0, -7)", "id = 0.5",
    "id in (7, 9) and id = 9", "not id in (7, 9)",
  ])
  func `a number finds ids however they write it, in everything that answers`(condition: String)
    throws
  {
    let ids = [
      "7", "07", " 7", "7.0", "70e-1", "+7", "-7", "-07", "9", "09", "10", "1e1", "0", "-0", ".5",
      "8", "77", "x7", "7x", "7 7", "",
    ]
    let items = ids.enumerated().map { place, id in
      BasicAnnotation(
        id: AnnotationID(id), coordinate: Coordinate(unchecked: Double(place) / 100, 127))
    }
    for origin in [nil, Coordinate(unchecked: 0, 127)] {
      var query = NearbyQuery()
      query.origin = origin
      query.condition = try Condition(parsing: condition)
      // An alternative is not looked up.
      var judge = query
      judge.condition = try Condition(parsing: "(\(condition)) or id = 'none'")
      let wanted = try AnnotationScan(items).answer(judge).map(\.id)
      #expect(!wanted.isEmpty)
      #expect(try AnnotationIndex(items).answer(query).map(\.id) == wanted)
      #expect(try AnnotationScan(items).answer(query).map(\.id) == wanted)
      #expect(try LiveAnnotationIndex(items).snapshot.answer(query).map(\.id) == wanted)
    }
  }

  @Test func `a query that does not fit is an error in words`() throws {
    let index = AnnotationIndex([BasicAnnotation(id: 1, coordinate: Coordinate(unchecked: 1, 2))])
    func error(_ change: (inout NearbyQuery) throws -> Void) throws -> String? {
      var query = NearbyQuery()
      try change(&query)
      do throws(QueryError) {
        _ = try index.answer(query)
        return nil
      } catch {
        #expect(!error.description.isEmpty)
        return error.code
      }
    }
    #expect(try error { $0.open = OpenCondition(at: 0) } == "missing-hours")
    #expect(try error { $0.distances.within = .meters(5) } == "missing-position")
    #expect(try error { $0.order = .distance } == "missing-position")
    #expect(try error { $0.order = ResultOrder(.field(.property("x"))) } == "unknown-field")
    #expect(try error { $0.facets = [.property("x")] } == "unknown-field")
    #expect(try error { $0.condition = try Condition(parsing: "x = 1") } == "where-field")
    #expect(
      try error { $0.condition = try Condition(parsing: "distance < 5") } == "missing-position")
    #expect(try error { $0.after = "nonsense" } == "cursor-syntax")
    #expect(
      try error {
        $0.isPerKind = true
        $0.after = ""
      } == "grouped-order")
    #expect(try error { $0.limit = 0 } == nil)
  }

  @Test func `the valid radius of shapes beyond a limit asks only what may come in`() throws {
    let origin = try Coordinate(latitude: 37, longitude: 127)
    func place(_ id: String, _ meters: Double, bearing: Double = 90) -> BasicAnnotation {
      BasicAnnotation(
        id: AnnotationID(id), name: nil,
        coordinate: origin.destination(bearing: bearing, distance: .meters(meters)))
    }
    var line = place("line", 20_000)
    let ends = try [-1.0, 1].map { step in
      try #require(place("end", 20_000 + 500 * (step + 1)).coordinate)
    }
    line.shape = GroundShape(lines: [Polyline(ends)])
    let outside = [place("a", 10_000), line, place("b", 30_000), place("c", 30_100)]
    for (items, radius) in [(outside, 5_000.0), (outside + [place("in", 40, bearing: 200)], 60)] {
      let answer = AnnotationIndex(items).nearest(1, to: origin, beyond: .meters(100))
      #expect(answer.map(\.id) == [AnnotationID("a")])
      #expect(abs(try #require(answer.validRadius).meters - radius) < 0.001)
    }
  }

  @Test func `an answer made by hand is what one that was searched for is`() throws {
    let (items, _, origin) = try QueryWorld.world(40, .city, seed: 3)
    let found = AnnotationIndex(items).nearest(5, to: origin)
    let made = NearbyAnswer(Array(found.annotations), from: origin, validRadius: found.validRadius)
    // A walk measures by a series, a single distance by the geodesic: they differ by nanometers.
    #expect(made == found.measured(from: origin))
    #expect(made.map(\.id) == found.annotations.map(\.id))
    let step = try #require(found.validRadius).meters / 2
    let there = origin.destination(bearing: 40, distance: .meters(step))
    let measured = found.measured(from: there)
    #expect(measured.annotations == found.annotations)
    for result in measured {
      #expect(result.distance == result.coordinate.map { there.distance(to: $0) })
    }
    let left = try #require(measured.validRadius).meters
    #expect(abs(left - step) < 1e-6)
    let missing = MissingParts(names: ["seoul", "busan"], certainCount: 2)
    let lacking = NearbyAnswer(Array(found.annotations), from: origin, missing: missing)
    #expect(lacking.missing?.names == ["busan", "seoul"] && lacking.missing?.certainCount == 2)
  }
}
