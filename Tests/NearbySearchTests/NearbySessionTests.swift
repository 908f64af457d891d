import Geodesy
import LocationFiltering
import MapAnnotations
import NearbySearch
import Synchronization
import NearbyTestSupport
import Testing

@Suite struct NearbySessionTests {
  private static let seoul = PointSet.legal(37.5666, 126.9784)

  private static func shops(_ count: Int, seed: UInt64) -> [BasicAnnotation] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { number in
      BasicAnnotation(
        id: AnnotationID(number),
        coordinate: seoul.destination(
          bearing: Double.random(in: 0..<360, using: &generator),
          distance: .meters(Double.random(in: 0..<8_000, using: &generator))))
    }
  }

  /// A walk of some ten meters a step.
  private static func walk(_ count: Int, seed: UInt64) -> [Fix] {
    var generator = SeededGenerator(seed: seed)
    var place = seoul
    var bearing = 0.0
    return (0..<count).map { step in
      bearing += Double.random(in: -20...20, using: &generator)
      place = place.destination(
        bearing: bearing, distance: .meters(Double.random(in: 0...20, using: &generator)))
      return Fix(place, time: Double(step) * 10)
    }
  }

  @Test func `new data are searched from the last accepted fix, not from the last search`() {
    func shop(_ id: AnnotationID, _ longitude: Double) -> BasicAnnotation {
      BasicAnnotation(id: id, coordinate: PointSet.legal(1, longitude))
    }
    let live = LiveAnnotationIndex([shop("A", 0), shop("B", 0.2)])
    let session = NearbySession(GatePolicy()) { live.snapshot.nearest(1, to: $0) }
    let here = PointSet.legal(1, 0.08)
    session.take(Fix(PointSet.legal(1, 0)))
    #expect(session.take(Fix(here)).change == nil)
    live.apply([.upsert(shop("C", 0.1))])
    let change = session.refresh()
    #expect(change?.answer.first?.annotation.id == "C" && change?.answer.origin == here)
    #expect(session.replaceQuestion { live.snapshot.nearest(2, to: $0) }?.answer.origin == here)
  }

  @Test(arguments: UInt64(0)..<5)
  func `what is shown is always the nearest three, and asked for only then`(seed: UInt64) {
    let index = AnnotationIndex(Self.shops(400, seed: seed))
    let asked = Mutex(0)
    let session = NearbySession(GatePolicy()) { origin in
      asked.withLock { $0 += 1 }
      return index.nearest(3, to: origin)
    }
    var shown: [AnnotationID: BasicAnnotation] = [:]
    var changes = 0
    for fix in Self.walk(500, seed: seed) {
      guard let here = fix.coordinate else { continue }
      if let change = session.take(fix).change {
        changes += 1
        shown = change.diff.applied(to: shown.values)
      }
      #expect(Set(shown.keys) == Set(index.nearest(3, to: here).map(\.annotation.id)))
      #expect(
        Set((session.answer ?? index.nearest(0, to: here)).map(\.annotation.id)) == Set(shown.keys))
    }
    #expect(asked.withLock { $0 } == changes)
    // Half a thousand fixes, and the answer holds for most of them.
    #expect((2..<400).contains(changes), "\(changes)")
  }

  @Test func `a fix that is not believed asks nothing`() {
    let index = AnnotationIndex(Self.shops(50, seed: 3))
    let session = NearbySession(GatePolicy()) { index.nearest(3, to: $0) }
    #expect(session.take(Fix(latitude: 0, longitude: 0)).change == nil)
    #expect(session.answer == nil && session.refresh() == nil)
    #expect(session.take(Fix(Self.seoul)).change?.diff.added.count == 3)
    #expect(session.take(Fix(Self.seoul)).change == nil)
    #expect(session.take(Fix(latitude: 127, longitude: 37)).verdict.isRejected)
  }

  @Test func `what has changed since is shown on refresh`() {
    let live = LiveAnnotationIndex(Self.shops(20, seed: 4))
    let session = NearbySession(GatePolicy()) { live.snapshot.nearest(3, to: $0) }
    session.take(Fix(Self.seoul))
    #expect(session.refresh()?.diff.isEmpty == true)
    live.upsert([BasicAnnotation(id: "new", coordinate: Self.seoul)])
    let diff = session.refresh()?.diff
    #expect(diff?.added.map(\.id.text) == ["new"])
    #expect(diff?.removed.count == 1 && diff?.kept.count == 2)
    live.upsert([BasicAnnotation(id: "new", name: "renamed", coordinate: Self.seoul)])
    #expect(session.refresh()?.diff.updated.map(\.name) == ["renamed"])
  }

  @Test func `an answer of everything there is holds everywhere`() {
    let index = AnnotationIndex(Self.shops(2, seed: 5))
    let session = NearbySession(GatePolicy()) { index.nearest(3, to: $0) }
    #expect(session.take(Fix(Self.seoul)).change != nil)
    #expect(session.take(Fix(latitude: -33, longitude: 151)).change == nil)
  }

  /// SEED_APPS §8, "no position yet": Osaka Station, and the study app's place in Yeongdeungpo.
  @Test(arguments: [(34.7024, 135.4959), (37.517819364682694, 126.88647317074734)])
  func `without a fix a place stands in, the answer says so, and the first fix replaces it`(
    latitude: Double, longitude: Double
  ) {
    let index = AnnotationIndex(Self.shops(50, seed: 9))
    let session = NearbySession(GatePolicy()) { index.nearest(3, to: $0) }
    #expect(session.answer == nil && session.anchor == nil)
    let place = PointSet.legal(latitude, longitude)
    let change = session.standIn(at: place)
    #expect(change?.anchor == .standIn && session.anchor == .standIn)
    #expect(change?.answer.map(\.annotation.id) == index.nearest(3, to: place).map(\.annotation.id))
    // What is no position leaves it as it is.
    #expect(session.take(Fix(latitude: nil, longitude: nil)).change == nil)
    #expect(session.take(Fix(latitude: 0, longitude: 0)).change == nil)
    #expect(session.anchor == .standIn && session.refresh()?.anchor == .standIn)
    // Even a fix at that very place says that it is one.
    #expect(session.take(Fix(place)).change?.anchor == .fix)
    #expect(session.anchor == .fix && session.standIn(at: Self.seoul) == nil)
    #expect(session.take(Fix(place)).change == nil)
  }

  /// SEED_APPS §8, "newest by timestamp, not by index".
  @Test func `of fixes delivered together the newest counts last, whatever their order`() {
    var policy = GatePolicy()
    policy.movement = .meters(100, .exclusive)
    let index = AnnotationIndex(Self.shops(400, seed: 10))
    let way = (0..<6).map { step in
      Fix(
        Self.seoul.destination(bearing: 90, distance: .meters(Double(step) * 150)),
        time: Double(step))
    }
    for order in [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [2, 5, 0, 3, 1, 4]] {
      let session = NearbySession(policy) { index.nearest(3, to: $0) }
      let updates = session.take(together: order.map { way[$0] })
      #expect(updates.allSatisfy { $0.verdict.isAccepted })
      // What holds is what the newest would have asked.
      let last = way[5].coordinate ?? Self.seoul
      #expect(
        Set(session.answer?.map(\.annotation.id) ?? [])
          == Set(index.nearest(3, to: last).map(\.annotation.id)))
    }
    // Of one instant the later in the batch is the newer; without a time, newer than all.
    var timeless = way[0]
    timeless.time = nil
    var twin = way[4]
    twin.time = 5
    let session = NearbySession(policy) { index.nearest(3, to: $0) }
    let updates = session.take(together: [timeless, way[5], twin])
    #expect(updates.map(\.verdict.isAccepted) == [true, true, true])
    #expect(
      session.take(way[0]).verdict.reasons.first?.value == 0, "the timeless one was the last")
  }

  @Test func `sessions follow annotations that move, while many tasks feed, read and refresh them`()
    async
  {
    let shops = Self.shops(300, seed: 7)
    let live = LiveAnnotationIndex<BasicAnnotation>()
    live.upsert(shops)
    let sessions = (0..<2).map { _ in
      NearbySession(GatePolicy()) { live.snapshot.nearest(3, to: $0) }
    }
    let isWhole = await withTaskGroup(of: Bool.self) { group in
      for task in 0..<6 {
        group.addTask {
          let session = sessions[task % 2]
          for (step, fix) in Self.walk(150, seed: UInt64(task)).enumerated() {
            let update = session.take(fix)
            if !update.verdict.isAccepted { return false }
            if let change = update.change, change.answer.count != 3 { return false }
            if step % 10 == 9, let change = session.refresh(), change.answer.count != 3 {
              return false
            }
            if let answer = session.answer, Set(answer.map(\.annotation.id)).count != 3 {
              return false
            }
          }
          return true
        }
      }
      group.addTask {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<150 {
          let moved = (0..<20).map { _ in shops.randomElement(using: &generator)! }
          live.upsert(
            moved.map {
              BasicAnnotation(
                id: $0.id,
                coordinate: $0.coordinate!.destination(
                  bearing: Double.random(in: 0..<360, using: &generator), distance: .meters(300)))
            })
          await Task.yield()
        }
        return (try? await live.compact()) == 0
      }
      return await group.allSatisfy { $0 }
    }
    #expect(isWhole)
    // Once everything stands still, a refreshed session shows what the index says.
    for session in sessions {
      let change = session.refresh()
      #expect(
        change != nil && session.answer?.map(\.annotation.id) == change?.answer.map(\.annotation.id)
      )
    }
  }
}
