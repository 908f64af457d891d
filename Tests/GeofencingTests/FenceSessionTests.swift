import Geodesy
import Geofencing
import LocationFiltering
import NearbyTestSupport
import Testing

/// Fences behind a gate.
@Suite struct FenceSessionTests {
  private static let center = PointSet.legal(37.5, 127)

  private static func session(_ policy: GatePolicy) throws -> FenceSession {
    let fence = try Fence(id: "home", center: center, radius: .meters(200))
    let ocean = try Fence(id: "ocean", center: PointSet.legal(0, 0), radius: .kilometers(10))
    let index = FenceIndex([fence, ocean])
    return FenceSession(FenceMonitor(index), gate: LocationGate(policy))
  }

  @Test func `a first fix at 0,0 enters nothing`() throws {
    var session = try Self.session(GatePolicy())
    let update = session.take(Fix(latitude: 0, longitude: 0, time: 0))
    #expect(update.verdict.isRejected && update.events.isEmpty)
    #expect(session.take(Fix(Self.center, time: 1)).events.map(\.id) == ["home"])
  }

  @Test func `updates made by hand are those that a fix gives`() throws {
    var session = try Self.session(GatePolicy())
    let update = session.take(Fix(Self.center, time: 5))
    let event = try #require(update.events.first)
    let made = FenceEvent(kind: .enter, id: "home", visit: 1, time: 5, position: Self.center)
    #expect(made.kind == event.kind && made.fence == event.fence && made.id == event.id)
    #expect(made.order == event.order && made.visit == event.visit && made.time == event.time)
    #expect(made.position == event.position && made.reasons.map(\.code) == [.inside])
    #expect(FenceSession.Update(verdict: update.verdict, events: update.events) == update)
    #expect(FenceUpdate(events: [made]).events == [made])
    for kind in FenceEvent.Kind.allCases {
      #expect(!FenceEvent(kind: kind, id: "home", position: Self.center).reasons.isEmpty)
    }
  }

  @Test func `a fix without a position, or out of range, changes nothing`() throws {
    var session = try Self.session(GatePolicy())
    _ = session.take(Fix(Self.center, time: 0))
    for (latitude, longitude) in [(nil, nil), (.nan, 127), (200, 127), (127, 37.5)]
      as [(Double?, Double?)]
    {
      let update = session.take(Fix(latitude: latitude, longitude: longitude, time: 1))
      #expect(update.verdict.isRejected && update.events.isEmpty)
    }
    #expect(session.monitor.inside == [0])
  }

  @Test func `a fix that the gate holds counts`() throws {
    var session = try Self.session(.cinema300m)
    _ = session.take(Fix(Self.center.destination(bearing: 0, distance: .meters(250)), time: 0))
    let update = session.take(Fix(Self.center, time: 60))
    #expect(update.verdict.name == "held")
    #expect(update.events.map(\.kind) == [.enter])
  }

  @Test func `a first fix that waits to be confirmed does not count`() throws {
    var policy = GatePolicy()
    policy.firstFixCount = 2
    var session = try Self.session(policy)
    #expect(session.take(Fix(Self.center, time: 0)).events.isEmpty)
    #expect(session.take(Fix(Self.center, time: 1)).events.map(\.kind) == [.enter])
  }

  @Test func `where the gate re-anchors nothing is crossed`() throws {
    var policy = GatePolicy()
    policy.greatestSpeed = 50
    policy.reanchorCount = 2
    var session = try Self.session(policy)
    let (south, north) = (
      Self.center.destination(bearing: 180, distance: .kilometers(20)),
      Self.center.destination(bearing: 0, distance: .kilometers(20))
    )
    _ = session.take(Fix(south, time: 0))
    #expect(session.take(Fix(north, time: 1)).verdict.isRejected)
    let update = session.take(Fix(north, time: 2))
    #expect(update.verdict.reasons.map(\.code) == [.reanchored])
    #expect(update.events.isEmpty)
  }

  @Test(arguments: UInt64(0)..<60)
  func `fixes that the gate rejects change nothing`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let scene = Scene(20, using: &generator)
    var policy = GatePolicy()
    policy.greatestSpeed = 1e6
    policy.worstAccuracy = 1e6
    let index = FenceIndex(scene.fences)
    let rules = Scene.policy(scene.spread, using: &generator)
    var plain = FenceSession(FenceMonitor(index, rules), gate: LocationGate(policy))
    var disturbed = plain
    for step in scene.track(50, using: &generator) {
      let fix = Fix(step.position, time: step.time, accuracy: step.accuracy)
      #expect(plain.take(fix).events == disturbed.take(fix).events)
      var bad = Fix(Scene.near(scene.middle, scene.spread, using: &generator), time: step.time)
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: (bad.latitude, bad.longitude) = (0, 0)
      case 1: bad.accuracy = -1
      default: bad.accuracy = 2e6
      }
      let update = disturbed.take(bad)
      #expect(update.verdict.isRejected && update.events.isEmpty)
      #expect(plain.monitor.inside == disturbed.monitor.inside)
    }
  }
}
