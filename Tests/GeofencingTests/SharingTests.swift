import Geodesy
import Geofencing
import LocationFiltering
import SpatialIndexing
import NearbyTestSupport
import Testing

/// Fences and pairs that many tasks feed and read at once, for the thread sanitizer above all.
@Suite struct SharingTests {
  @Test func `many tasks share one index, and each sees what it would see alone`() async {
    var generator = SeededGenerator(seed: 1)
    let scene = Scene(200, using: &generator)
    let tracks = (0..<6).map { _ in scene.track(60, using: &generator) }
    let index = FenceIndex(scene.fences)
    let alone = tracks.map { Self.events(FenceIndex(scene.fences), $0) }
    let together = await withTaskGroup(of: (Int, [FenceEvent]).self) { group in
      for (number, track) in tracks.enumerated() {
        group.addTask { (number, Self.events(index, track)) }
      }
      return await group.reduce(into: [Int: [FenceEvent]]()) { $0[$1.0] = $1.1 }
    }
    for (number, events) in alone.enumerated() { #expect(together[number] == events) }
    #expect(alone.contains { !$0.isEmpty })
  }

  private static func events(_ index: FenceIndex, _ track: [Scene.Step]) -> [FenceEvent] {
    var session = FenceSession(FenceMonitor(index, .phone))
    return track.flatMap {
      session.take(Fix($0.position, time: $0.time, accuracy: $0.accuracy)).events
    }
  }

  @Test func `one session that many tasks feed and read numbers its events without a gap`() async {
    var generator = SeededGenerator(seed: 2)
    let scene = Scene(100, using: &generator)
    let tracks = (0..<4).map { _ in scene.track(80, using: &generator) }
    let session = Shared(FenceSession(FenceMonitor(FenceIndex(scene.fences))))
    let orders = await withTaskGroup(of: [Int].self) { group in
      for track in tracks {
        group.addTask {
          track.flatMap { step in
            session.withLock { $0.take(Fix(step.position)).events.map(\.order) }
          }
        }
      }
      group.addTask {
        for _ in 0..<200 {
          let (inside, count) = session.withLock {
            ($0.monitor.inside, $0.monitor.eventCount)
          }
          if inside.count > count { return [-1] }
          await Task.yield()
        }
        return []
      }
      return await group.reduce([], +)
    }
    #expect(orders.sorted() == Array(1...orders.count))
  }

  @Test func `pairs follow a live index that many tasks feed while others read it`() async {
    let center = PointSet.legal(37.5, 127)
    let friends = LiveIndex()
    let pairs = Shared(RoamingPairs(within: .meters(200), until: .meters(300)))
    let isSound = await withTaskGroup(of: Bool.self) { group in
      for task in UInt64(0)..<4 {
        group.addTask {
          var generator = SeededGenerator(seed: task)
          for _ in 0..<40 {
            let batch: [LiveChange] = (0..<5).map { _ in
              .put(
                LiveObject(
                  id: task * 100 + UInt64.random(in: 0..<20, using: &generator),
                  at: Scene.near(center, 1_500, using: &generator)))
            }
            // Batches and pairs have to take turns together.
            pairs.withLock { _ = $0.apply(batch, to: friends) }
          }
          return true
        }
      }
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<80 {
            let near = friends.snapshot.neighbors(within: .meters(500), of: center)
            if Set(near.map(\.object.id)).count != near.count { return false }
            let standing = pairs.withLock { $0.pairs }
            if standing != Array(Set(standing)).sorted() { return false }
            await Task.yield()
          }
          return true
        }
      }
      return await group.allSatisfy { $0 }
    }
    #expect(isSound)
    let people = friends.snapshot.neighbors(within: .kilometers(10), of: center).map(\.object)
    for pair in pairs.withLock({ $0.pairs }) {
      let places = people.filter { $0.id == pair.first || $0.id == pair.second }
      #expect(places.count == 2)
      #expect(places[0].coordinate.distance(to: places[1].coordinate) <= .meters(300))
    }
  }
}

/// A value that tasks take turns with, as an app's own object around a session would.
private final class Shared<Value: Sendable>: Sendable {
  private let value: SharedValue<Value>

  init(_ value: Value) { self.value = SharedValue(value) }

  func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    value.withLock { body(&$0) }
  }
}
