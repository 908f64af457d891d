import Geodesy
import MapAnnotations
import NearbySearch
import NearbyTestSupport
import SpatialIndexing
import Testing

/// The judge: a static index over the annotations that are left.
@Suite struct LiveAnnotationIndexTests {
  private typealias Change = LiveAnnotationChange<BasicAnnotation>

  /// What changes and expiries leave, by id.
  private struct Model {
    var left: [AnnotationID: (annotation: BasicAnnotation, expiry: Double)] = [:]

    mutating func apply(_ changes: [Change]) {
      for change in changes {
        switch change {
        case .upsert(let annotation, let expiry): left[annotation.id] = (annotation, expiry)
        case .remove(let id): left[id] = nil
        }
      }
    }

    func annotations(now: Double) -> [BasicAnnotation] {
      left.values.filter { $0.expiry > now }.map(\.annotation).sorted { $0.id < $1.id }
    }
  }

  private struct World {
    let points: [Coordinate]
    let origin: Coordinate
    var generator: SeededGenerator

    init(_ pointSet: PointSet, seed: UInt64) {
      (points, origin) = pointSet.sample(300, seed: seed)
      generator = SeededGenerator(seed: seed)
    }

    mutating func batch(_ count: Int) -> [Change] {
      (0..<count).map { _ in
        let number = Int.random(in: 0..<400, using: &generator)
        // Numbers and texts, whose order is not that in which they come.
        let id = number % 3 == 0 ? AnnotationID("shop \(number)") : AnnotationID(number)
        if Int.random(in: 0..<5, using: &generator) == 0 { return .remove(id) }
        let isPlaced = Int.random(in: 0..<9, using: &generator) > 0
        let kind = Int.random(in: 0..<80, using: &generator)
        let annotation = BasicAnnotation(
          id: id, name: "shop \(generator.next())",
          kind: kind % 10 == 0 ? nil : AnnotationKind(rawValue: "kind \(kind)"),
          coordinate: isPlaced ? points.randomElement(using: &generator) : nil)
        return .upsert(
          annotation,
          expiry: Bool.random(using: &generator)
            ? .infinity : Double(Int.random(in: 0..<100, using: &generator)))
      }
    }
  }

  private func compare(
    _ snapshot: LiveAnnotationSnapshot<BasicAnnotation>, _ model: Model, from origin: Coordinate,
    now: Double
  ) {
    let annotations = model.annotations(now: now)
    let judge = AnnotationIndex(annotations)
    #expect(snapshot.annotations(now: now) == annotations)
    let kinds: [Set<AnnotationKind>?] = [
      nil, ["kind 1", "kind 2"], ["kind 79"],
      Set((0..<80).map { AnnotationKind(rawValue: "kind \($0)") }), ["none"],
    ]
    for kinds in kinds {
      for limit in [0, 1, 3, 20, 300, .max] {
        for outer in [Distance.infinity, .kilometers(40), .meters(-1)] {
          let answer = snapshot.nearest(limit, to: origin, within: outer, kinds: kinds, now: now)
          let expected = judge.nearest(limit, to: origin, within: outer, kinds: kinds)
          #expect(answer.map(\.annotation) == expected.map(\.annotation))
          #expect(
            zip(answer, expected).allSatisfy {
              abs($0.distance.meters - $1.distance.meters) <= 20e-9
            })
          #expect((answer.validRadius == nil) == (expected.validRadius == nil))
          if let radius = answer.validRadius, let other = expected.validRadius {
            #expect(abs(radius.meters - other.meters) <= 40e-9)
          }
        }
      }
      let box = BoundingBox(around: origin, radius: .kilometers(100))
      #expect(
        snapshot.annotations(in: box, kinds: kinds, now: now)
          == judge.annotations(in: box, kinds: kinds))
    }
    let named = snapshot.nearest(5, to: origin, now: now) { $0.kind != nil }
    #expect(
      named.map(\.annotation)
        == judge.nearest(5, to: origin) { $0.kind != nil }.map(\.annotation))
    let reach = Distance.kilometers(40)
    for inner in [Distance.meters(-1), .kilometers(5), .kilometers(50)] {
      let answer = snapshot.nearest(5, to: origin, within: reach, beyond: inner, now: now)
      let expected = judge.nearest(5, to: origin, within: reach, beyond: inner)
      #expect(answer.map(\.annotation) == expected.map(\.annotation), "beyond \(inner)")
    }
    let box = BoundingBox(around: origin, radius: reach)
    #expect(snapshot.count(in: box, now: now) == judge.count(in: box))
    #expect(
      snapshot.count(within: reach, of: origin, now: now)
        == judge.count(within: reach, of: origin))
  }

  @Test(arguments: PointSet.allCases)
  func `a snapshot answers as a static index of what is left`(pointSet: PointSet) {
    var world = World(pointSet, seed: 5)
    var model = Model()
    let index = LiveAnnotationIndex<BasicAnnotation>()
    for _ in 0..<4 {
      let batch = world.batch(250)
      model.apply(batch)
      let snapshot = index.apply(batch)
      for now in [-Double.infinity, 40] {
        compare(snapshot, model, from: world.origin, now: now)
      }
    }
    let placed = model.left.values.count { $0.annotation.coordinate != nil }
    #expect(index.snapshot.placedCount == placed)
    #expect(index.snapshot.unplacedCount == model.left.count - placed)
    for (id, kept) in model.left { #expect(index.annotation(id) == kept.annotation) }
    #expect(index.annotation("never was") == nil)
  }

  @Test func `a limit at the distance of an annotation is that of a static index`() throws {
    let world = World(.city, seed: 9)
    let items = world.points.enumerated().map { number, point in
      BasicAnnotation(id: AnnotationID(number), coordinate: point)
    }
    let index = AnnotationIndex(items)
    let live = LiveAnnotationIndex(items).snapshot
    var query = NearbyQuery(from: world.origin, limit: .max)
    for point in world.points.prefix(60) {
      let limit = world.origin.distance(to: point)
      for distances in [DistanceRange(beyond: limit), DistanceRange(beyond: .zero, within: limit)] {
        query.distances = distances
        let found = try live.answer(query)
        #expect(try found.map(\.id) == index.answer(query).map(\.id), "\(distances)")
      }
    }
  }

  @Test func `a snapshot does not change when the index does`() {
    var world = World(.allCases[0], seed: 6)
    let index = LiveAnnotationIndex<BasicAnnotation>()
    var kept: [(LiveAnnotationSnapshot<BasicAnnotation>, Model)] = []
    var model = Model()
    for _ in 0..<12 {
      let batch = world.batch(60)
      model.apply(batch)
      kept.append((index.apply(batch), model))
    }
    for (snapshot, model) in kept {
      #expect(snapshot.annotations() == model.annotations(now: -.infinity))
      #expect(
        snapshot.nearest(.max, to: world.origin).map(\.annotation)
          == AnnotationIndex(model.annotations(now: -.infinity))
          .nearest(.max, to: world.origin).map(\.annotation))
    }
  }

  @Test func `compaction drops what has expired, and its ids can come back`() async throws {
    var world = World(.allCases[0], seed: 7)
    var model = Model()
    let index = LiveAnnotationIndex<BasicAnnotation>()
    for _ in 0..<3 {
      let batch = world.batch(400)
      model.apply(batch)
      index.apply(batch)
    }
    let expired = model.left.values.count { $0.expiry <= 40 }
    #expect(expired > 0)
    #expect(try await index.compact(now: 40) == expired)
    model.left = model.left.filter { $0.value.expiry > 40 }
    compare(index.snapshot, model, from: world.origin, now: -.infinity)
    let batch = world.batch(400)
    model.apply(batch)
    compare(index.apply(batch), model, from: world.origin, now: 20)
  }

  @Test func `compaction forgets kinds that are gone, and others take their places`() async throws {
    let origin = Coordinate(unchecked: 37.5, 127)
    func shops(_ kinds: Range<Int>) -> [BasicAnnotation] {
      kinds.flatMap { kind in
        (0..<20).map { number in
          BasicAnnotation(
            id: AnnotationID("\(kind)-\(number)"), kind: AnnotationKind(rawValue: "kind \(kind)"),
            coordinate: Coordinate(unchecked: 37.5 + Double(number) / 100, 127 + Double(kind) / 100)
          )
        }
      }
    }
    let index = LiveAnnotationIndex(shops(0..<70))
    let held = index.snapshot
    index.remove(shops(5..<66).map(\.id))
    try await index.compact()
    index.upsert(shops(70..<150))
    let now = shops(0..<5) + shops(66..<150)
    for (snapshot, items) in [(index.snapshot, now), (held, shops(0..<70))] {
      let scan = AnnotationScan(items)
      for kind in [0, 4, 5, 30, 62, 63, 65, 66, 69, 70, 100, 127, 128, 149] {
        let kinds: Set = [AnnotationKind(rawValue: "kind \(kind)")]
        let expected = try scan.nearest(7, to: origin, kinds: kinds).map(\.id)
        #expect(snapshot.nearest(7, to: origin, kinds: kinds).map(\.id) == expected, "\(kind)")
      }
    }
    // A kind that took a free place is searched alone.
    func tested(_ kind: AnnotationKind) -> Int {
      index.snapshot.nearest(7, to: origin, kinds: [kind]).statistics.predicateCalls
    }
    #expect(tested("kind 100") == 0 && tested("kind 66") > 0)
  }

  @Test func `nothing counts at an instant that is not a number, and compaction drops nothing`()
    async throws
  {
    let world = World(.city, seed: 4)
    let index = LiveAnnotationIndex<BasicAnnotation>()
    for (number, point) in world.points.prefix(60).enumerated() {
      index.upsert(
        [
          BasicAnnotation(
            id: AnnotationID(number), kind: .mart, coordinate: number == 5 ? nil : point)
        ], expiry: number == 6 ? 10 : .infinity)
    }
    let snapshot = index.snapshot
    #expect(snapshot.nearest(20, to: world.origin, now: .nan).isEmpty)
    #expect(snapshot.nearest(20, to: world.origin, kinds: [.mart], now: .nan).isEmpty)
    #expect(snapshot.annotations(in: .world, now: .nan).isEmpty)
    #expect(snapshot.annotations(now: .nan).isEmpty)
    #expect(try await index.compact(now: .nan) == 0)
    #expect(index.snapshot.annotations().count == 60)
  }

  @Test func `of equal distances the least ids are the answer, whenever they came`() throws {
    let place = try Coordinate(latitude: 37.5, longitude: 127)
    var generator = SeededGenerator(seed: 3)
    let ids = ["-5", "2", "10", "010", "a", "b", "c", "가", "나"].map { AnnotationID($0) }
    for _ in 0..<10 {
      let index = LiveAnnotationIndex(
        ids.shuffled(using: &generator).map { BasicAnnotation(id: $0, coordinate: place) })
      for limit in 1...ids.count {
        let answer = index.snapshot.nearest(limit, to: place)
        #expect(answer.map(\.annotation.id) == Array(ids.prefix(limit)))
        #expect(answer.validRadius?.meters == (limit < ids.count ? 0 : nil))
      }
    }
  }

  @Test func `a search tells what it did, whichever walk finds the answer`() throws {
    let points = PointSet.city.sample(3_000, seed: 11).points
    let origin = points[0]
    let snapshot = LiveAnnotationIndex(
      points.enumerated().map { BasicAnnotation(id: AnnotationID($0), coordinate: $1) }
    ).snapshot
    // A few, more, and all but some.
    for limit in [3, 100, 2_900] {
      let work = snapshot.nearest(limit, to: origin).statistics
      #expect(work.nodeGroupsTested > 0 && work.leavesRead > 0, "\(limit): \(work)")
      #expect(work.candidates >= limit && work.predicateCalls == 0, "\(limit): \(work)")
    }
    #expect(snapshot.nearest(3, to: origin).statistics.leavesRead < 100)
    var calls = 0
    let work = snapshot.nearest(3, to: origin) { item in
      calls += 1
      return item.id.text.hasSuffix("7")
    }.statistics
    #expect(work.predicateCalls == calls)
    #expect(0 < work.predicateRejections && work.predicateRejections < calls)
    // What is farther than some distance is found behind all that is nearer.
    var query = NearbyQuery(from: origin, limit: 3)
    query.distances.beyond = .meters(100)
    #expect(try snapshot.answer(query).statistics.candidates >= 3)
  }

  private final class Alive: Sendable {
    let count = SharedValue(0)
  }

  /// An annotation that is counted as long as it lives.
  private final class Counted: Annotation {
    let id: AnnotationID
    let coordinate: Coordinate?
    let step: Int
    private let alive: Alive

    init(_ number: Int, step: Int, at coordinate: Coordinate?, _ alive: Alive) {
      id = AnnotationID(number)
      self.coordinate = coordinate
      self.step = step
      self.alive = alive
      alive.count.withLock { $0 += 1 }
    }

    deinit { alive.count.withLock { $0 -= 1 } }
  }

  @Test func `what was replaced or removed lives as long as a snapshot or an answer sees it`()
    async throws
  {
    let alive = Alive()
    func living() -> Int { alive.count.withLock { $0 } }
    var world = World(.allCases[0], seed: 8)
    // Every tenth has no coordinate.
    func batch(_ step: Int) -> [Counted] {
      (0..<300).map { number in
        Counted(
          number, step: step,
          at: number % 10 == 0 ? nil : world.points.randomElement(using: &world.generator), alive)
      }
    }
    do {
      let index = LiveAnnotationIndex(batch(0))
      var answer: NearbyAnswer? = index.snapshot.nearest(.max, to: world.origin)
      var snapshot: LiveAnnotationSnapshot? = index.upsert(batch(1))
      for step in 2..<6 { index.upsert(batch(step)) }
      index.remove((0..<100).map { AnnotationID($0) })
      #expect(try await index.compact() == 0)
      // Those of the answer, of the snapshot, and what is left of the last.
      #expect(living() == 300 + 300 + 200)
      #expect(answer?.count == 270)
      #expect(answer?.allSatisfy { $0.annotation.step == 0 } == true)
      #expect(snapshot?.annotations().map(\.step) == Array(repeating: 1, count: 300))
      #expect(snapshot?.unplacedCount == 30)
      answer = nil
      try await index.compact()
      #expect(living() == 300 + 200)
      snapshot = nil
      try await index.compact()
      #expect(living() == 200)
      #expect(index.snapshot.annotations().map(\.step) == Array(repeating: 5, count: 200))
      #expect(index.snapshot.unplacedCount == 20)
    }
    #expect(living() == 0)
  }

  private final class Sightings: Sendable {
    let counts = SharedValue<[Int]>([])
  }

  /// An annotation that searches the index when its coordinate is read and when it is released.
  private final class Curious: Annotation {
    let id: AnnotationID
    private let place: Coordinate
    private let index: LiveAnnotationIndex<Curious>
    private let sightings: Sightings

    init(
      _ number: Int, at place: Coordinate, in index: LiveAnnotationIndex<Curious>,
      _ sightings: Sightings
    ) {
      id = AnnotationID(number)
      self.place = place
      self.index = index
      self.sightings = sightings
    }

    var coordinate: Coordinate? {
      look()
      return place
    }

    deinit { look() }

    private func look() {
      let count = index.snapshot.nearest(5, to: place).count
      sightings.counts.withLock { $0.append(count) }
    }
  }

  @Test func `an annotation may search a snapshot while it is inserted or released`() throws {
    let here = try Coordinate(latitude: 37.57, longitude: 126.97)
    let index = LiveAnnotationIndex<Curious>()
    let sightings = Sightings()
    func counts() -> [Int] { sightings.counts.withLock { $0 } }
    index.upsert((0..<2).map { Curious($0, at: here, in: index, sightings) })
    #expect(counts() == [0, 0])
    index.remove([0, 1])
    // Now no snapshot sees the two any more.
    index.upsert([])
    #expect(counts() == [0, 0, 0, 0])
  }

  @Test func `readers see whole batches while a writer moves pairs`() async throws {
    let index = LiveAnnotationIndex<BasicAnnotation>()
    let place = { (latitude: Double) throws in try Coordinate(latitude: latitude, longitude: 127) }
    let pair = { (latitude: Double) throws in
      try (0..<2).map { BasicAnnotation(id: AnnotationID($0), coordinate: try place(latitude)) }
    }
    index.upsert(try pair(0))
    let here = try place(0)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<500 {
            let two = index.snapshot.nearest(2, to: here)
            if two.count != 2 || two[0].distance != two[1].distance { return true }
          }
          return false
        }
      }
      for step in 1..<500 { index.upsert(try pair(Double(step) / 100)) }
      for try await isTorn in group { #expect(!isTorn) }
    }
  }

  @Test func `a batch may be made from what the index has`() throws {
    let place = try Coordinate(latitude: 37.57, longitude: 126.97)
    let friends = LiveAnnotationIndex([BasicAnnotation(id: 1, name: "a", coordinate: place)])
    let ids: [AnnotationID] = [1, 2]
    friends.upsert(
      ids.lazy.compactMap { id -> BasicAnnotation? in
        var friend = friends.annotation(id)
        friend?.name = "b"
        return friend
      })
    #expect(friends.annotation(1)?.name == "b" && friends.annotation(2) == nil)
    let changes = ids.lazy.map { id -> Change in
      friends.annotation(id) == nil ? .upsert(BasicAnnotation(id: id)) : .remove(id)
    }
    friends.apply(changes)
    #expect(friends.annotation(1) == nil && friends.annotation(2) != nil)
  }
}
