import Geodesy
@testable import Geofencing
import NearbyTestSupport
import Testing

/// A monitor beside a comparison of every fence with every fix.
@Suite struct FenceMonitorTests {
  /// Places on a path: if one of them is inside a fence, a crossing must be reported.
  private static func samples(_ start: Coordinate, _ end: Coordinate) -> [Coordinate] {
    let line = Geodesic.inverse(from: start, to: end)
    return (1..<60).map {
      start.destination(bearing: line.azimuth1, distance: line.distance * (Double($0) / 60))
    }
  }

  @Test(arguments: UInt64(0)..<100)
  func `events agree with a comparison of every fence with every fix`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let scene = Scene(Int.random(in: 1...40, using: &generator), using: &generator)
    let track = scene.track(40, using: &generator)
    try Self.compare(scene, track, Scene.policy(scene.spread, using: &generator))
  }

  @Test(arguments: [0.0005, 0.01, 0.1, 0.5, 2], UInt64(0)..<6)
  func `events agree at any pace among fences that lie over each other`(
    pace: Double, seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed + 1_000)
    let scene = Scene(150, using: &generator)
    let track = scene.track(25, pace: pace, using: &generator)
    try Self.compare(scene, track, Scene.policy(scene.spread, using: &generator))
  }

  @Test(arguments: UInt64(0)..<20)
  func `events agree after leaps round the Earth, and between steps of a millimeter`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed + 2_000)
    let scene = Scene(12, spread: seed % 2 == 0 ? 2_500_000 : 0.02, using: &generator)
    var track: [Scene.Step] = []
    for stretch in scene.track(6, pace: 1, using: &generator) {
      let away = stretch.position.destination(
        bearing: Double.random(in: 0..<360, using: &generator), distance: .kilometers(15_000))
      track.append(Scene.Step(position: away, time: nil, accuracy: nil))
      for _ in 0..<6 {
        track.append(
          Scene.Step(
            position: Scene.near(stretch.position, scene.spread * 0.1, using: &generator),
            time: nil, accuracy: nil))
      }
    }
    try Self.compare(scene, track, FencePolicy())
  }

  /// Gives a track to a monitor and to the model.
  private static func compare(
    _ scene: Scene, _ track: [Scene.Step], _ policy: FencePolicy
  ) throws {
    #expect(!track.isEmpty)
    var monitor = FenceMonitor(FenceIndex(scene.fences), policy)
    var model = FenceModel(scene.fences, policy)
    var order = 0
    var previous: Coordinate?
    for step in track {
      let update = monitor.take(step.position, time: step.time, accuracy: step.accuracy)
      let (expected, paths) = model.take(step)
      let events = update.events
      let happenings = events.map { FenceModel.Happening(kind: $0.kind, fence: $0.fence) }
      #expect(happenings.filter { $0.kind != .cross } == expected)
      #expect(happenings == happenings.sorted())
      #expect(monitor.inside == model.inside)
      for event in events {
        order += 1
        #expect(event.order == order)
        #expect(!event.reasons.isEmpty)
      }
      let crossed = events.filter { $0.kind == .cross }
      #expect(Set(crossed.map(\.fence)).isSubset(of: paths.map(\.fence)))
      for event in crossed {
        let start = try #require(previous)
        // The place lies on the path, and in the fence or on its border.
        let detour =
          start.distance(to: event.position) + event.position.distance(to: step.position)
          - start.distance(to: step.position)
        #expect(detour < .meters(1e-5))
        let fence = scene.fences[event.fence]
        #expect(fence.contains(event.position) || FenceModel.gap(fence, event.position) < 0.2)
      }
      let length = previous.map { $0.distance(to: step.position).meters } ?? 0
      let missed = paths.filter { path in
        let circle = scene.circles[path.fence]
        return !crossed.contains { $0.fence == path.fence }
          && circle.center.distance(to: step.position).meters <= circle.radius + length
      }
      if let path = missed.first {
        let samples = Self.samples(path.from, step.position)
        for (fence, _) in missed {
          #expect(!samples.contains(where: scene.fences[fence].contains))
        }
      }
      if update.lateness == nil { previous = step.position }
    }
  }

  @Test(arguments: UInt64(0)..<40)
  func `nothing happens within the safe distance`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let scene = Scene(30, using: &generator)
    var monitor = FenceMonitor(FenceIndex(scene.fences))
    var safeCount = 0
    for step in scene.track(30, using: &generator) {
      _ = monitor.take(step.position)
      let safe = monitor.safeDistance.meters
      guard safe > 0, safe < 1e6 else { continue }
      safeCount += 1
      for _ in 0..<10 {
        let near = step.position.destination(
          bearing: Double.random(in: 0..<360, using: &generator),
          distance: .meters(safe * Double.random(in: 0..<1, using: &generator)))
        #expect(
          scene.fences.map { $0.contains(near) } == scene.fences.map { $0.contains(step.position) })
      }
    }
    #expect(safeCount > 0)
  }

  @Test(arguments: UInt64(0)..<40)
  func `late fixes change nothing, and say how late they are`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let scene = Scene(30, using: &generator)
    let policy = Scene.policy(scene.spread, using: &generator)
    let index = FenceIndex(scene.fences)
    var plain = FenceMonitor(index, policy), disturbed = FenceMonitor(index, policy)
    var lateCount = 0
    for step in scene.track(60, using: &generator) {
      #expect(
        plain.take(step.position, time: step.time, accuracy: step.accuracy)
          == disturbed.take(step.position, time: step.time, accuracy: step.accuracy))
      guard let time = disturbed.lastTime else { continue }
      let late = Double(Int.random(in: 1...50, using: &generator))
      let update = disturbed.take(
        Scene.near(scene.middle, scene.spread, using: &generator), time: time - late)
      #expect(update == FenceUpdate.late(by: late))
      #expect(plain.inside == disturbed.inside)
      lateCount += 1
    }
    #expect(lateCount > 0)
  }

  @Test(arguments: UInt64(0)..<20)
  func `a copy goes its own way, and a replay gives the same events`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let scene = Scene(30, using: &generator)
    let policy = Scene.policy(scene.spread, using: &generator)
    var monitor = FenceMonitor(FenceIndex(scene.fences), policy)
    let track = scene.track(60, using: &generator)
    for step in track.prefix(30) { _ = monitor.take(step.position, time: step.time) }
    let copy = monitor
    let first = track.dropFirst(30).map { monitor.take($0.position, time: $0.time) }
    monitor = copy
    #expect(track.dropFirst(30).map { monitor.take($0.position, time: $0.time) } == first)
  }

  @Test func `an index of no fences says nothing`() {
    var monitor = FenceMonitor(FenceIndex([]))
    #expect(monitor.take(PointSet.legal(37, 127)).events.isEmpty)
    #expect(monitor.take(PointSet.legal(-37, -53)).events.isEmpty)
    #expect(monitor.inside.isEmpty)
  }

  @Test func `the neighborhood follows through ten thousand fences in one place`() throws {
    let center = PointSet.legal(37.5, 127)
    let fences = try (1...10_000).map {
      try Fence(id: .init($0), center: center, radius: .meters(Double($0)))
    }
    var monitor = FenceMonitor(FenceIndex(fences))
    for meters in stride(from: 10_050.5, through: 0, by: -50) {
      let place = center.destination(bearing: 30, distance: .meters(meters))
      _ = monitor.take(place)
      #expect(monitor.inside.count == max(0, 10_000 - Int(meters)))
    }
    #expect(monitor.eventCount == 10_000)
  }
}

extension FenceUpdate {
  static func late(by seconds: Double) -> FenceUpdate {
    FenceUpdate(events: [], lateness: seconds)
  }
}
