import Geodesy
import MapAnnotations
import NearbyTestSupport
import Synchronization
import Testing
import ViewportClustering

/// An annotation of an app, with a field that no protocol knows.
private struct Offer: Annotation, Equatable {
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

@Suite struct `Steps of a map session` {
  private static let center = PointSet.legal(37.5, 127)
  private static let screen = MapViewport(center: center, zoom: 17, width: 800, height: 600)

  @Test func `see what an app's own type says`() {
    func changes<Item: Annotation>(
      isSame: (@Sendable (Item, Item) -> Bool)? = nil, _ make: (String) -> Item
    ) -> [MapChange<Item>] {
      // In generic code nothing is known of the type but that it is an annotation.
      let session =
        isSame.map { MapSession([make("1,000 off")], isSame: $0) }
        ?? MapSession([make("1,000 off")])
      return [
        session.move(to: Self.screen), session.apply([.upsert(make("1,000 off"))]),
        session.apply([.upsert(make("2,000 off"))]), session.replaceAll(by: [make("3,000 off")]),
      ]
    }
    func counts<Item>(_ changes: [MapChange<Item>]) -> [Int] {
      #expect(changes.map(\.number) == [1, 2, 3, 4])
      return changes.map(\.pins.updated.count)
    }
    let place = Self.center
    #expect(counts(changes { Offer(id: 1, coordinate: place, terms: $0) }) == [0, 0, 1, 1])
    #expect(
      counts(changes { AnyAnnotation(Offer(id: 1, coordinate: place, terms: $0)) }) == [0, 0, 1, 1])
    // A cart says nothing else that any annotation says.
    #expect(counts(changes { Cart(id: 1, coordinate: place, terms: $0) }) == [0, 0, 0, 0])
    #expect(
      counts(
        changes(isSame: { $0.terms == $1.terms }) { Cart(id: 1, coordinate: place, terms: $0) })
        == [0, 0, 1, 1])
    #expect(
      counts(changes(isSame: { _, _ in true }) { Offer(id: 1, coordinate: place, terms: $0) })
        == [0, 0, 0, 0])
  }

  @Test func `are refused from inside of a step, which may read`() throws {
    let session = Mutex<MapSession<Offer>?>(nil)
    let seen = Mutex<[String]>([])
    /// Calls everything that a session has, once it is made.
    @Sendable func callBack(_ name: String) {
      guard let session = session.withLock({ $0 }) else { return }
      let changes: [MapChange<Offer>] = [
        session.move(to: Self.screen), session.setSegment(.all), session.setFilter(nil),
        session.tick(now: 9), session.apply([.remove(1)]), session.replaceAll(by: [Offer(id: 4)]),
        session.change(to: Self.screen, .all),
      ]
      let late = session.receive([Offer(id: 4)], for: session.request(Self.screen))
      let isRefused = changes.allSatisfy { $0.isRefused && $0.isEmpty } && late == nil
      let numbers = Set(changes.map(\.number))
      seen.withLock {
        $0.append("\(name) \(isRefused) \(numbers) \(session.pins.count + session.fanOut().count)")
      }
    }
    let made = MapSession(
      [Offer(id: 1, coordinate: Self.center), Offer(id: 2, coordinate: nil)],
      status: { _, _ in
        callBack("status")
        return PinStatus(validUntil: 5)
      },
      isSame: {
        callBack("same")
        return $0 == $1
      },
      optsOut: { _ in
        callBack("optsOut")
        return false
      })
    session.withLock { $0 = made }
    #expect(made.move(to: Self.screen).number == 1)
    func seenNow() -> Set<String> {
      seen.withLock { seen in
        defer { seen = [] }
        return Set(seen)
      }
    }
    #expect(seenNow() == [])
    #expect(made.tick(now: 6).number == 2)
    #expect(seenNow() == ["status true [1] 1"])
    let filtered = made.setFilter { _ in
      callBack("filter")
      return true
    }
    #expect(filtered.number == 3 && !filtered.isRefused)
    let segmented = made.setSegment(
      MapSegment { _ in
        callBack("segment")
        return true
      })
    #expect(segmented.number == 4)
    #expect(seenNow() == ["filter true [2] 1", "segment true [3] 1", "filter true [3] 1"])
    let change = made.apply([.upsert(Offer(id: 1, coordinate: Self.center, terms: "new"))])
    #expect(change.number == 5 && change.pins.updated.map(\.terms) == ["new"])
    #expect(
      seenNow() == [
        "same true [4] 1", "status true [4] 1", "optsOut true [4] 1", "filter true [4] 1",
        "segment true [4] 1",
      ])
    // What came from inside changed nothing, and a request made there is not the last one.
    #expect(made.pins.count == 1)
    let request = made.request(Self.screen)
    #expect(made.receive([Offer(id: 3, coordinate: Self.center)], for: request)?.number == 6)
  }

  @Test func `of a task that a closure made are taken`() async {
    let session = Mutex<MapSession<Offer>?>(nil)
    let tasks = Mutex<[Task<Bool?, Never>]>([])
    let made = MapSession(
      [Offer(id: 1, coordinate: Self.center)],
      status: { _, _ in
        tasks.withLock { tasks in
          guard tasks.isEmpty, let session = session.withLock({ $0 }) else { return }
          tasks.append(Task { session.apply([.remove(1)]).isRefused })
        }
        return PinStatus(validUntil: 5)
      })
    session.withLock { $0 = made }
    _ = made.move(to: Self.screen)
    let change = made.tick(now: 6)
    #expect(await tasks.withLock { $0[0] }.value == false)
    #expect(made.pins.isEmpty && !change.isRefused)
  }

  private static func item(_ number: Int, _ generator: inout SeededGenerator) -> Offer {
    Offer(
      id: AnnotationID(number),
      coordinate: PointSet.legal(
        37.5 + Double.random(in: -0.01...0.01, using: &generator),
        127 + Double.random(in: -0.01...0.01, using: &generator)),
      terms: "\(Int.random(in: 0...2, using: &generator))")
  }

  /// What one of several tasks does to a session, and the changes that it got.
  private static func changes(
    _ session: MapSession<Offer>, _ items: [Offer], _ generator: inout SeededGenerator
  ) async -> [MapChange<Offer>] {
    var changes: [MapChange<Offer>] = []
    for step in 0..<60 {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0...3:
        let zoom = Double.random(in: 11...18, using: &generator)
        let viewport = MapViewport(center: center, zoom: zoom, width: 800, height: 600)
        changes.append(session.move(to: viewport))
      case 4, 5:
        let number = Int.random(in: 0..<300, using: &generator)
        let edits: [MapEdit<Offer>] = [
          .upsert(item(number, &generator)), .remove(AnnotationID((number + 1) % 300)),
        ]
        changes.append(session.apply(edits))
      case 6:
        let isAll = Bool.random(using: &generator)
        changes.append(isAll ? session.setFilter(nil) : session.setFilter { $0.terms != "1" })
      case 7: changes.append(session.tick(now: Instant(seconds: Int64(step))))
      case 8:
        let others = (0..<200).map { _ in
          item(Int.random(in: 0..<300, using: &generator), &generator)
        }
        changes.append(session.replaceAll(by: others))
      default:
        let request = session.request(
          MapViewport(center: center, zoom: 15, width: 800, height: 600))
        await Task.yield()
        if let change = session.receive(items, for: request) { changes.append(change) }
      }
      if step % 5 == 0 { await Task.yield() }
    }
    return changes
  }

  @Test(arguments: UInt64(0)..<4)
  func `of eight tasks are in a row, and lead to what is shown`(seed: UInt64) async {
    var generator = SeededGenerator(seed: seed)
    let items = (0..<300).map { Self.item($0, &generator) }
    let session = MapSession(items) { _, now in
      PinStatus(
        look: Int(now.seconds / 10) % 2, validUntil: Instant(seconds: now.seconds / 10 * 10 + 10))
    }
    var changes = await withTaskGroup(of: [MapChange<Offer>].self) { group in
      for task in 0..<8 {
        group.addTask {
          var generator = SeededGenerator(seed: seed &* 31 &+ UInt64(task))
          return await Self.changes(session, items, &generator)
        }
      }
      var all: [MapChange<Offer>] = []
      for await some in group { all += some }
      return all
    }
    changes.sort { $0.number < $1.number }
    #expect(changes.map(\.number) == Array(1...changes.count))
    #expect(changes.count > 300 && !changes.contains { $0.isRefused })
    var map = StandInMap<Offer>()
    for change in changes { map.draw(change) }
    #expect(map.pins == Dictionary(uniqueKeysWithValues: session.pins.map { ($0.id, $0) }))
    #expect(Set(map.clusters.values) == Set(session.clusters))
  }

  @Test(arguments: UInt64(0)..<4)
  func `leave an index and a selection that fit each other`(seed: UInt64) async {
    var generator = SeededGenerator(seed: seed)
    let items = (0..<200).map { Self.item($0, &generator) }
    let session = MapSession(items)
    _ = session.setFilter { $0.terms != "1" }
    let fit = await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        // By turns many annotations come and go.
        var generator = SeededGenerator(seed: seed &+ 1)
        for step in 0..<100 {
          let numbers = 200..<600
          let edits: [MapEdit<Offer>]
          if step % 2 == 0 {
            edits = numbers.map { MapEdit.upsert(Self.item($0, &generator)) }
          } else {
            edits = numbers.map { MapEdit.remove(AnnotationID($0)) }
          }
          _ = session.apply(edits)
          await Task.yield()
        }
        return true
      }
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<100 {
            let (index, selection) = session.clustering
            let view = index.view(ofZoom: 3, selection: selection)
            var offsets = view.annotations
            for cluster in view.clusters {
              offsets +=
                index.leaves(of: cluster.id, limit: cluster.count, selection: selection) ?? []
            }
            let isFiltered = offsets.allSatisfy { index.annotations[$0].terms != "1" }
            guard isFiltered, offsets.count == selection.count, selection.count > 0 else {
              return false
            }
            await Task.yield()
          }
          return true
        }
      }
      return await group.allSatisfy { $0 }
    }
    #expect(fit)
  }

  @Test func `have the looks and their end, even if refused or before the first viewport`() throws {
    let session = MapSession(
      [Offer(id: 1, coordinate: Self.center)],
      status: { _, _ in PinStatus(look: 1, validUntil: 10) })
    #expect(session.tick(now: 1).validUntil == 10)
    let first = session.move(to: Self.screen)
    #expect(first.looks == [1: 1] && first.validUntil == 10)
    let refused = Mutex<MapChange<Offer>?>(nil)
    _ = session.setFilter { _ in
      let change = session.move(to: Self.screen)
      refused.withLock { $0 = change }
      return true
    }
    let change = try #require(refused.withLock { $0 })
    #expect(change.isRefused && change.isEmpty)
    #expect(change.looks == first.looks && change.validUntil == first.validUntil)
  }
}
