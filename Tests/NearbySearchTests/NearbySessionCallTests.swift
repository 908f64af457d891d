import Foundation
import Geodesy
import LocationFiltering
import MapAnnotations
import NearbySearch
import NearbyTestSupport
import Synchronization
import Testing

/// An annotation of an app, with a field that no protocol knows.
private struct Stall: Annotation, Equatable {
  var id: AnnotationID
  var coordinate: Coordinate?
  var terms = ""
}

/// One that cannot be compared by `==`.
private struct Cart: Annotation {
  var id: AnnotationID
  var coordinate: Coordinate?
  var terms = ""
}

@Suite struct `Calls of a nearby session` {
  private static let here = PointSet.legal(37.5666, 126.9784)

  private static func place(_ meters: Double, _ bearing: Double = 90) -> Coordinate {
    here.destination(bearing: bearing, distance: .meters(meters))
  }

  @Test func `see what an app's own type says`() {
    let terms = Mutex("1,000 off")
    func session<Item: Annotation>(
      isSame: (@Sendable (Item, Item) -> Bool)? = nil, _ make: @escaping @Sendable (String) -> Item
    ) -> NearbySession<Item> {
      let ask: @Sendable (Coordinate) -> NearbyAnswer<Item> = {
        NearbyAnswer([make(terms.withLock { $0 })], from: $0, validRadius: .zero)
      }
      // In generic code nothing is known of the type but that it is an annotation.
      return isSame.map { NearbySession(GatePolicy(), isSame: $0, ask: ask) }
        ?? NearbySession(GatePolicy(), ask: ask)
    }
    let stalls = session { Stall(id: 1, coordinate: Self.here, terms: $0) }
    let wrapped = session { AnyAnnotation(Stall(id: 1, coordinate: Self.here, terms: $0)) }
    let carts = session { Cart(id: 1, coordinate: Self.here, terms: $0) }
    let compared = session(isSame: { $0.terms == $1.terms }) {
      Cart(id: 1, coordinate: Self.here, terms: $0)
    }
    let unread = session(isSame: { _, _ in true }) {
      Stall(id: 1, coordinate: Self.here, terms: $0)
    }
    func updates() -> [Int?] {
      [
        stalls.refresh()?.diff.updated.count, wrapped.refresh()?.diff.updated.count,
        carts.refresh()?.diff.updated.count, compared.refresh()?.diff.updated.count,
        unread.refresh()?.diff.updated.count,
      ]
    }
    #expect(updates() == [nil, nil, nil, nil, nil])
    let fix = Fix(Self.here)
    #expect(stalls.take(fix).change?.diff.added.count == 1)
    _ = (wrapped.take(fix), carts.take(fix), compared.take(fix), unread.take(fix))
    #expect(updates() == [0, 0, 0, 0, 0])
    terms.withLock { $0 = "2,000 off" }
    // A cart says nothing else that any annotation says.
    #expect(updates() == [1, 1, 0, 1, 0])
    #expect(updates() == [0, 0, 0, 0, 0])
  }

  @Test func `from inside of the question are judged, and asked from outside`() {
    let session = Mutex<NearbySession<BasicAnnotation>?>(nil)
    let inside = Mutex<[String]>([])
    let asked = Mutex(0)
    let index = AnnotationIndex(
      (0..<50).map {
        BasicAnnotation(id: AnnotationID($0), coordinate: Self.place(Double($0) * 90))
      }
    )
    @Sendable func own() -> NearbySession<BasicAnnotation> { session.withLock { $0 }! }
    let made = NearbySession<BasicAnnotation>(
      GatePolicy(), isSame: { own().answer != nil && own().refresh() == nil && $0 == $1 }
    ) { origin in
      let session = own()
      asked.withLock { $0 += 1 }
      let far = session.take(Fix(Self.place(3_000)))
      let said = [
        "\(far.verdict.isAccepted)", "\(far.change == nil)", "\(session.refresh() == nil)",
        "\(session.tick(5) == nil)", "\(session.standIn(at: origin) == nil)",
        "\(session.answer?.count ?? 0)",
      ]
      inside.withLock { $0 = said }
      return index.nearest(3, to: origin)
    }
    session.withLock { $0 = made }
    let first = made.take(Fix(Self.here))
    #expect(first.change?.number == 1 && asked.withLock { $0 } == 1)
    #expect(inside.withLock { $0 } == ["true", "true", "true", "true", "true", "0"])
    // What the fix inside called for is due now, and asked once.
    let second = made.tick(6)
    #expect(second?.number == 2 && second?.answer.origin == Self.place(3_000))
    #expect(inside.withLock { $0 }.last == "3" && asked.withLock { $0 } == 2)
    // So is a new question that the old one puts.
    let old = NearbySession<BasicAnnotation>(GatePolicy()) { origin in
      own().replaceQuestion { index.nearest(1, to: $0) }
      return index.nearest(3, to: origin)
    }
    session.withLock { $0 = old }
    #expect(old.take(Fix(Self.here)).change?.answer.count == 3)
    #expect(old.take(Fix(Self.here)).change?.answer.count == 1)
    #expect(old.take(Fix(Self.here)).change == nil)
  }

  @Test func `of two sessions inside of each other end`() {
    let other = Mutex<NearbySession<BasicAnnotation>?>(nil)
    let asked = Mutex(0)
    let item = BasicAnnotation(id: 1, coordinate: Self.here)
    let first = NearbySession<BasicAnnotation>(GatePolicy()) { origin in
      asked.withLock { $0 += 1 }
      #expect(other.withLock { $0 }?.refresh()?.answer.count == 1)
      return NearbyAnswer([item], from: origin, validRadius: .zero)
    }
    let second = NearbySession<BasicAnnotation>(GatePolicy()) { origin in
      // Inside of the first one's question, through this one's.
      #expect(first.refresh() == nil)
      return NearbyAnswer([item], from: origin, validRadius: .zero)
    }
    second.take(Fix(Self.here))
    other.withLock { $0 = second }
    #expect(first.take(Fix(Self.here)).change?.number == 1)
    #expect(asked.withLock { $0 } == 1 && second.answer?.count == 1)
  }

  @Test func `of a task that the question made are from outside`() async {
    let session = Mutex<NearbySession<BasicAnnotation>?>(nil)
    let tasks = Mutex<[Task<Int?, Never>]>([])
    let item = BasicAnnotation(id: 1, coordinate: Self.here)
    let made = NearbySession<BasicAnnotation>(GatePolicy()) { origin in
      let isFirst = tasks.withLock { $0.isEmpty }
      if isFirst {
        let own = session.withLock { $0 }
        let task = Task { own?.refresh()?.number }
        tasks.withLock { $0.append(task) }
      }
      return NearbyAnswer([item], from: origin, validRadius: nil)
    }
    session.withLock { $0 = made }
    let first = made.take(Fix(Self.here)).change?.number
    let second = await tasks.withLock { $0[0] }.value
    // In either order; an answer that comes behind the task's is dropped.
    #expect(second == 1 || second == 2)
    #expect((first == nil) == (second == 1))
    #expect(made.answer?.count == 1)
  }

  @Test func `put another index in the place of the first`() {
    let near = (0..<9).map {
      BasicAnnotation(id: AnnotationID($0), coordinate: Self.place(Double($0)))
    }
    let old = AnnotationIndex(near.prefix(5)), new = AnnotationIndex(near.suffix(5))
    let session = NearbySession(GatePolicy()) { old.nearest(3, to: $0) }
    #expect(session.replaceQuestion { old.nearest(2, to: $0) } == nil)
    #expect(session.take(Fix(Self.here)).change?.answer.map(\.id) == [0, 1])
    let change = session.replaceQuestion { new.nearest(2, to: $0) }
    #expect(change?.number == 2 && change?.answer.map(\.id) == [4, 5])
    #expect(change?.diff.removed.map(\.id) == [0, 1] && change?.diff.added.map(\.id) == [4, 5])
    #expect(session.take(Fix(Self.here)).change == nil)
    #expect(session.take(Fix(Self.place(4_000, 270))).change?.answer.map(\.id) == [4, 5])
    // One that follows the time is asked again by a tick before the instant it was asked for.
    session.take(Fix(Self.here), now: 50)
    #expect(
      session.replaceQuestion { origin, now in
        NearbyAnswer(now < 100 ? near : [], from: origin, validRadius: nil)
      }?.answer.count == 9)
  }

  @Test func `drop an answer that comes behind that to a later question`() async {
    // The first question waits until the second is answered.
    let isAnswered = Mutex(false), isAsked = Mutex(false)
    let (slow, quick) = (Self.place(0), Self.place(5_000))
    let session = NearbySession<BasicAnnotation>(GatePolicy()) { origin in
      let isSlow = origin.distance(to: slow).meters < 1
      if isSlow {
        isAsked.withLock { $0 = true }
        while !isAnswered.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.001) }
      }
      return NearbyAnswer(
        [BasicAnnotation(id: isSlow ? "slow" : "quick", coordinate: origin)], from: origin,
        validRadius: .meters(100))
    }
    let (late, answered) = AsyncStream.makeStream(of: Int?.self)
    // A thread of its own, since there may be one alone for tasks.
    Thread.detachNewThread {
      answered.yield(session.take(Fix(slow, time: 1)).change?.number)
      answered.finish()
    }
    while !isAsked.withLock({ $0 }) { await Task.yield() }
    // No lock is held while the first one waits.
    let change = session.take(Fix(quick, time: 2)).change
    isAnswered.withLock { $0 = true }
    #expect(change?.number == 1 && change?.diff.added.map(\.id) == ["quick"])
    for await number in late { #expect(number == nil) }
    #expect(session.answer?.map(\.id) == ["quick"])
    #expect(session.refresh()?.number == 2)
  }

  @Test(arguments: UInt64(0)..<4)
  func `of eight tasks are changes in a row, and the last answer is their sum`(seed: UInt64) async {
    var generator = SeededGenerator(seed: seed)
    let items = (0..<300).map { number in
      Stall(
        id: AnnotationID(number),
        coordinate: Self.place(
          Double.random(in: 0..<2_000, using: &generator),
          Double.random(in: 0..<360, using: &generator)))
    }
    let index = AnnotationIndex(items)
    let session = NearbySession(GatePolicy()) { index.nearest(3, to: $0) }
    let changes = await withTaskGroup(of: [NearbySession<Stall>.Change].self) { group in
      for task in 0..<8 {
        group.addTask {
          var generator = SeededGenerator(seed: seed &* 31 &+ UInt64(task))
          var changes: [NearbySession<Stall>.Change] = []
          for step in 0..<150 {
            let place = Self.place(
              Double.random(in: 0..<2_000, using: &generator),
              Double.random(in: 0..<360, using: &generator))
            let change: NearbySession<Stall>.Change?
            switch step % 10 {
            case 7: change = session.refresh()
            case 8: change = session.tick(Instant(seconds: Int64(step)))
            case 9 where task == 0:
              // Another index of the same, whose stalls say when they were made.
              let renewed = AnnotationIndex(
                items.map { Stall(id: $0.id, coordinate: $0.coordinate, terms: "\(step)") })
              change = session.replaceQuestion { renewed.nearest(3, to: $0) }
            default: change = session.take(Fix(place)).change
            }
            if let change { changes.append(change) }
            if step % 5 == 0 { await Task.yield() }
          }
          return changes
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    let ordered = changes.sorted { $0.number < $1.number }
    #expect(ordered.map(\.number) == Array(1...ordered.count))
    #expect(ordered.count > 100)
    var shown: [AnnotationID: Stall] = [:]
    for change in ordered {
      for item in change.diff.removed + change.diff.updated { #expect(shown[item.id] != nil) }
      for item in change.diff.added { #expect(shown[item.id] == nil) }
      for item in change.diff.kept { #expect(shown[item.id] == item) }
      shown = change.diff.applied(to: shown.values)
      let answer = Dictionary(
        uniqueKeysWithValues: change.answer.annotations.map { ($0.id, $0) })
      #expect(shown == answer, "change \(change.number)")
    }
    #expect(session.answer == ordered.last?.answer)
    // It holds, and is that of the last index.
    #expect(shown.values.allSatisfy { $0.terms == "149" })
    let there = ordered.last?.answer.origin ?? Self.here
    #expect(Set(shown.keys) == Set(index.nearest(3, to: there).map(\.id)))
  }
}
