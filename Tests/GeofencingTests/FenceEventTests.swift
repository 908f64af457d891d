import Geodesy
import Geofencing
import NearbyTestSupport
import Testing

/// What a monitor reports, case by case.
@Suite struct FenceEventTests {
  private static let center = PointSet.legal(37.5, 127)

  private static func monitor(
    radius: Double = 100, _ change: (inout FencePolicy) -> Void = { _ in }
  ) throws -> FenceMonitor {
    var policy = FencePolicy()
    change(&policy)
    let fence = try Fence(id: "home", center: center, radius: .meters(radius))
    return FenceMonitor(FenceIndex([fence]), policy)
  }

  /// A place so many meters north of the center.
  private static func north(_ meters: Double) -> Coordinate {
    center.destination(bearing: 0, distance: .meters(meters))
  }

  private static func kinds(
    _ monitor: inout FenceMonitor, _ steps: [(meters: Double, time: Double)],
    accuracy: Double? = nil
  ) -> [[FenceEvent.Kind]] {
    steps.map {
      monitor.take(north($0.meters), time: $0.time, accuracy: accuracy).events.map(\.kind)
    }
  }

  @Test(arguments: [0.0, 90, 180, 270])
  func `a move north, east, south or west alone enters and leaves`(bearing: Double) throws {
    var monitor = try Self.monitor()
    let kinds = [150.0, 99, 101, 0].map { meters in
      monitor.take(Self.center.destination(bearing: bearing, distance: .meters(meters)))
        .events.map(\.kind)
    }
    #expect(kinds == [[], [.enter], [.exit], [.enter]])
  }

  @Test func `who is inside at the first fix enters by it`() throws {
    var monitor = try Self.monitor()
    let event = try #require(monitor.take(Self.north(40), time: 7).events.first)
    #expect(event.kind == .enter && event.order == 1 && event.visit == 1 && event.time == 7)
    #expect(event.id == "home" && event.fence == 0)
    #expect(event.reasons.map(\.code) == [.inside, .firstFix])
    #expect(event.reasons.map(\.description) == ["inside by 60 m", "the first fix"])
  }

  @Test func `the border belongs to the fence, bit for bit`() throws {
    let place = Self.north(300)
    let radius = Self.center.distance(to: place)
    for (radius, isInside) in [(radius.meters, true), (radius.meters.nextDown, false)] {
      let fence = try Fence(id: "x", center: Self.center, radius: .meters(radius))
      var monitor = FenceMonitor(FenceIndex([fence]))
      #expect(monitor.take(place).events.isEmpty == !isInside)
      #expect(fence.contains(place) == isInside)
    }
  }

  @Test func `a fence of radius 0 holds its center`() throws {
    var monitor = try Self.monitor(radius: 0)
    let entry = monitor.take(Self.center).events
    #expect(entry.map(\.kind) == [.enter])
    // 0, not −0.
    #expect(entry.first?.reasons.first?.value?.sign == .plus)
    #expect(monitor.take(Self.north(0.001)).events.map(\.kind) == [.exit])
  }

  @Test func `a radius that is negative, infinite or too long is refused and named`() {
    for (meters, text) in [
      (-1.0, "a fence's radius cannot be -1 m; give 0 to 5000 km, or a polygon"),
      (.infinity, "a fence's radius cannot be inf m; give 0 to 5000 km, or a polygon"),
    ] {
      let error = #expect(throws: FenceError.self) {
        try Fence(id: "x", center: Self.center, radius: .meters(meters))
      }
      #expect(error?.code == "fence-radius")
      #expect(error?.description == text)
    }
    #expect(throws: FenceError.noPolygon) { try Fence(id: "x", area: MultiPolygon([])) }
  }

  @Test func `who walks along the border leaves once the buffer is passed`() throws {
    var monitor = try Self.monitor { $0.exitBuffer = .meters(25) }
    let kinds = Self.kinds(&monitor, [(99, 0), (101, 1), (99, 2), (124, 3), (126, 4), (101, 5)])
    #expect(kinds == [[.enter], [], [], [], [.exit], []])
  }

  @Test func `leaving takes being outside by more than the accuracy`() throws {
    var monitor = try Self.monitor {
      $0.exitNeedsAccuracy = true
      $0.exitBuffer = .meters(10)
    }
    _ = monitor.take(Self.north(50), time: 0)
    #expect(monitor.take(Self.north(140), time: 1, accuracy: 40).events.isEmpty)
    let exit = monitor.take(Self.north(140), time: 2, accuracy: 20).events
    #expect(exit.map(\.kind) == [.exit])
    #expect(exit[0].reasons.map(\.description) == ["outside by 40 m, more than 30 m", "after 2 s"])
    #expect(exit[0].visit == 1)
  }

  @Test func `a change counts once enough fixes in a row confirm it`() throws {
    var monitor = try Self.monitor {
      $0.entry = .fixes(2)
      $0.exit = .fixes(3)
    }
    let kinds = Self.kinds(
      &monitor,
      [
        (50, 0), (150, 1), (50, 2), (50, 3), (150, 4), (150, 5), (50, 6), (150, 7), (150, 8),
        (150, 9),
      ])
    #expect(kinds == [[], [], [], [.enter], [], [], [], [], [], [.exit]])
  }

  @Test func `a change counts once fixes over enough seconds confirm it`() throws {
    var monitor = try Self.monitor {
      $0.entry = .seconds(10)
      $0.exit = .seconds(5)
    }
    let kinds = Self.kinds(
      &monitor, [(50, 0), (50, 9.9), (50, 10), (150, 20), (150, 24.9), (150, 25)])
    #expect(kinds == [[], [], [.enter], [], [], [.exit]])
    _ = monitor.take(Self.north(50))
    #expect(monitor.take(Self.north(50)).events.isEmpty, "without times nothing lasts")
  }

  @Test func `dwelling is reported once a stay, at the first fix that is late enough`() throws {
    var monitor = try Self.monitor { $0.dwell = 60 }
    let kinds = Self.kinds(
      &monitor, [(50, 0), (40, 59.9), (30, 60), (20, 200), (150, 201), (50, 202), (50, 262)])
    #expect(kinds == [[.enter], [], [.dwell], [], [.exit], [.enter], [.dwell]])
  }

  @Test func `dwelling is reported without a fix when an instant is given`() throws {
    var monitor = try Self.monitor { $0.dwell = 60 }
    _ = monitor.take(Self.north(50), time: 0)
    #expect(monitor.advance(to: 59).isEmpty)
    let events = monitor.advance(to: 61)
    #expect(events.map(\.kind) == [.dwell])
    #expect(events[0].visit == 1 && events[0].order == 2)
    #expect(events[0].reasons.map(\.description) == ["inside for 61 s of 60 s"])
    #expect(monitor.advance(to: 500).isEmpty)
    #expect(monitor.take(Self.north(150), time: 30).events.map(\.kind) == [.exit])
  }

  @Test func `an exit says how long a stay was only where its first fix has a time`() throws {
    for first in [nil, 0] as [Double?] {
      var monitor = try Self.monitor { $0.dwell = 60 }
      _ = monitor.take(Self.north(50), time: first)
      #expect(monitor.take(Self.north(40), time: 10).events.isEmpty)
      #expect(monitor.take(Self.north(30), time: 70).events.map(\.kind) == [.dwell])
      let exit = monitor.take(Self.north(150), time: 100).events
      #expect(exit.map(\.kind) == [.exit])
      #expect(exit[0].reasons.contains { $0.code == .stayed } == (first != nil))
    }
  }

  @Test func `a stay is counted from its first fix, also where several confirm it`() throws {
    var monitor = try Self.monitor {
      $0.entry = .fixes(3)
      $0.dwell = 60
    }
    let kinds = Self.kinds(&monitor, [(50, 0), (50, 30), (50, 60)])
    #expect(kinds == [[], [], [.enter, .dwell]])
  }

  @Test func `who passes through between two fixes crosses`() throws {
    var monitor = try Self.monitor()
    _ = monitor.take(Self.north(500), time: 0)
    let events = monitor.take(Self.north(-500), time: 10).events
    #expect(events.map(\.kind) == [.cross])
    #expect(events[0].visit == nil)
    #expect(events[0].position.distance(to: Self.center) < .meters(1e-4))
    #expect(events[0].reasons.map(\.code) == [.approached])
    #expect(events[0].reasons[0].limit == 100)
  }

  @Test func `a path past the border by a millimeter does not cross, and one within it does`()
    throws
  {
    for (meters, count) in [(100.001, 0), (99.999, 1)] {
      // A geodesic square to the one east of the center, at that distance.
      let foot = Self.center.destination(bearing: 90, distance: .meters(meters))
      let back = try #require(foot.initialBearing(to: Self.center))
      var monitor = try Self.monitor()
      _ = monitor.take(foot.destination(bearing: back + 90, distance: .meters(800)))
      let end = foot.destination(bearing: back - 90, distance: .meters(700))
      #expect(monitor.take(end).events.count == count, "\(meters) m")
    }
  }

  @Test func `no crossing is reported if the path is unknown or the policy does not ask for it`()
    throws
  {
    var gap = try Self.monitor { $0.greatestCrossingGap = 5 }
    _ = gap.take(Self.north(500), time: 0)
    #expect(gap.take(Self.north(-500), time: 5.1).events.isEmpty)
    #expect(gap.take(Self.north(500), time: 10).events.map(\.kind) == [.cross])
    var silent = try Self.monitor { $0.reportsCrossing = false }
    _ = silent.take(Self.north(500))
    #expect(silent.take(Self.north(-500)).events.isEmpty)
    var broken = try Self.monitor()
    _ = broken.take(Self.north(500))
    #expect(broken.take(Self.north(-500), isContinuous: false).events.isEmpty)
  }

  @Test func `fixes of one instant count in the order they come`() throws {
    var monitor = try Self.monitor()
    #expect(
      Self.kinds(&monitor, [(150, 5), (50, 5), (150, 5)]) == [[], [.enter], [.exit]])
  }

  @Test func `events of one fix come by kind, then by the fence's number`() throws {
    let fences = try [(0.0, 100.0), (0, 200), (300, 20), (600, 100), (600, 200)].map {
      try Fence(
        id: .init("\($0.0) \($0.1)"), center: Self.north($0.0), radius: .meters($0.1))
    }
    var monitor = FenceMonitor(FenceIndex(fences))
    #expect(monitor.take(Self.north(0)).events.map(\.fence) == [0, 1])
    let events = monitor.take(Self.north(600)).events
    #expect(events.map(\.kind) == [.exit, .exit, .cross, .enter, .enter])
    #expect(events.map(\.fence) == [0, 1, 2, 3, 4])
    #expect(events.map(\.order) == [3, 4, 5, 6, 7])
    #expect(events.map(\.visit) == [1, 2, nil, 6, 7])
  }

  @Test func `fences hold across 180° and around the poles`() throws {
    let fiji = try Fence(id: "fiji", center: PointSet.legal(-17, 179.999), radius: .meters(500))
    let pole = try Fence(id: "pole", center: PointSet.legal(90, 0), radius: .kilometers(1))
    var monitor = FenceMonitor(FenceIndex([fiji, pole]))
    #expect(monitor.take(PointSet.legal(-17, -179.999)).events.map(\.id) == ["fiji"])
    #expect(monitor.take(PointSet.legal(-17, -179.99)).events.map(\.kind) == [.exit])
    #expect(monitor.take(PointSet.legal(-17, 179.98)).events.map(\.kind) == [.cross])
    _ = monitor.take(PointSet.legal(89.98, 90))
    #expect(monitor.take(PointSet.legal(89.98, -90)).events.map(\.id) == ["pole"])
    #expect(monitor.take(PointSet.legal(89.995, 13)).events.map(\.kind) == [.enter])
  }

  @Test func `a hole is outside, and its border inside`() throws {
    func square(_ half: Double) throws -> [PolygonVertex] {
      try [(-half, -half), (-half, half), (half, half), (half, -half)].map {
        try PolygonVertex(latitude: 37 + $0.0, longitude: 127 + $0.1)
      }
    }
    let area = MultiPolygon([try Polygon(outer: square(0.01), holes: [square(0.005)])])
    var monitor = FenceMonitor(FenceIndex([try Fence(id: "ring", area: area)]))
    let places = [(37.0, 127.0), (37.005, 127), (37.0051, 127), (37, 127), (37.02, 127)]
    let kinds = places.map {
      monitor.take(PointSet.legal($0.0, $0.1)).events.map(\.kind)
    }
    // From inside the hole to beyond, the path crosses the body.
    #expect(kinds == [[], [.enter], [], [.exit], [.cross]])
  }
}
