import Geodesy
import Geofencing
import SpatialIndexing
import NearbyTestSupport
import Testing

/// Pairs beside a comparison of everybody with everybody.
@Suite struct RoamingPairTests {
  @Test(arguments: UInt64(0)..<40)
  func `pairs agree with a comparison of everybody with everybody`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let scene = Scene(0, using: &generator)
    let within = scene.spread * 0.15, until = within * [1.0, 1.3][Int(seed % 2)]
    let index = LiveIndex()
    var pairs = RoamingPairs(within: .meters(within), until: .meters(until))
    var people: [UInt64: LiveObject] = [:]
    var judged: Set<RoamingPairs.Pair> = []
    var now = 0.0
    for _ in 0..<25 {
      now += 1
      var batch: [LiveChange] = []
      for _ in 0..<Int.random(in: 0...20, using: &generator) {
        let id = UInt64.random(in: 1...40, using: &generator)
        let choice = Int.random(in: 0..<8, using: &generator)
        if choice == 0 {
          batch.append(.remove(id))
          people[id] = nil
        } else {
          let expiry =
            Int.random(in: 0..<3, using: &generator) == 0
            ? now + Double(Int.random(in: 0...4, using: &generator)) : .infinity
          let object = LiveObject(
            id: id, at: Scene.near(scene.middle, scene.spread, using: &generator), expiry: expiry)
          // Now and then in the place of another, or of nobody.
          let gone = UInt64.random(in: 1...40, using: &generator)
          batch.append(choice == 1 && gone != id ? .replace(gone, with: object) : .put(object))
          if choice == 1, gone != id { people[gone] = nil }
          people[id] = object
        }
      }
      let events = pairs.apply(batch, to: index, now: now)
      var next: Set<RoamingPairs.Pair> = []
      let there = people.values.filter { $0.expiry > now }
      for one in there {
        for other in there where one.id < other.id {
          let pair = RoamingPairs.Pair(one.id, other.id)
          let distance = one.coordinate.distance(to: other.coordinate).meters
          if distance <= (judged.contains(pair) ? until : within) { next.insert(pair) }
        }
      }
      #expect(pairs.pairs == next.sorted())
      var met: [RoamingPairs.Pair] = [], ended: [RoamingPairs.Pair] = []
      for event in events {
        switch event {
        case .met(let pair, let distance):
          met.append(pair)
          #expect(distance.meters <= within)
        case .parted(let pair, let distance):
          ended.append(pair)
          #expect(distance.meters > until)
        case .lost(let pair): ended.append(pair)
        }
      }
      // Each once; a pair that somebody's removal ended may begin again in the same batch.
      #expect(met == Array(Set(met)).sorted() && ended == Array(Set(ended)).sorted())
      #expect(judged.subtracting(ended).union(met) == next)
      judged = next
    }
  }

  @Test func `two at one place are a pair, across 180° too, and a pair of one is none`() {
    let index = LiveIndex()
    var pairs = RoamingPairs(within: .meters(300))
    let events = pairs.apply(
      [
        .put(LiveObject(id: 2, at: PointSet.legal(-17, 179.999))),
        .put(LiveObject(id: 1, at: PointSet.legal(-17, -179.999))),
        .put(LiveObject(id: 7, at: PointSet.legal(-17, -179.999))),
      ], to: index)
    #expect(events.map(\.pair) == [.init(1, 2), .init(1, 7), .init(2, 7)])
    #expect(pairs.partners(of: 2) == [1, 7])
    #expect(pairs.apply([.remove(2)], to: index) == [.lost(.init(1, 2)), .lost(.init(2, 7))])
    #expect(pairs.pairs == [.init(1, 7)])
  }

  @Test func `nobody is near anybody at an instant that is not a number`() {
    let index = LiveIndex()
    var pairs = RoamingPairs(within: .meters(300))
    let here = PointSet.legal(37.5, 127)
    let events = pairs.apply(
      (1...3).map { .put(LiveObject(id: $0, at: here)) }, to: index, now: 0)
    #expect(events.map(\.pair) == [.init(1, 2), .init(1, 3), .init(2, 3)])
    #expect(
      pairs.apply([.put(LiveObject(id: 3, at: here))], to: index, now: .nan)
        == [.lost(.init(1, 2)), .lost(.init(1, 3)), .lost(.init(2, 3))])
    #expect(pairs.pairs.isEmpty)
  }
}
