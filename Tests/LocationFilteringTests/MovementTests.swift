import Geodesy
import LocationFiltering
import NearbyTestSupport
import Testing

/// The edges of movement: SEED_APPS §8.
@Suite struct MovementTests {
  private static let seoul = PointSet.legal(37.5666, 126.9784)

  /// The verdicts on positions, one after another.
  private static func verdicts(_ policy: GatePolicy, _ positions: [Coordinate]) -> [String] {
    var gate = LocationGate(policy)
    return positions.map { gate.judge(Fix($0)).name }
  }

  /// The places of the positions that are accepted.
  private static func accepted(_ policy: GatePolicy, _ positions: [Coordinate]) -> [Int] {
    let verdicts = verdicts(policy, positions)
    return verdicts.indices.filter { verdicts[$0] == "accepted" }
  }

  /// The verdicts on fixes at one position.
  private static func verdicts(_ policy: GatePolicy, at times: [Double]) -> [String] {
    var gate = LocationGate(policy)
    return times.map { gate.judge(Fix(seoul, time: $0)).name }
  }

  private static func meters(_ edge: MovementRule.Edge) -> GatePolicy {
    var policy = GatePolicy()
    policy.movement = .meters(300, edge)
    return policy
  }

  private static func degrees(
    _ axes: MovementRule.Axes, _ edge: MovementRule.Edge = .inclusive
  ) -> GatePolicy {
    var policy = GatePolicy()
    policy.movement = .degrees(0.0005, axes: axes, edge)
    return policy
  }

  @Test(arguments: Array(stride(from: 0.0, to: 360, by: 7.5)))
  func `exactly 300 m counts where the edge does`(bearing: Double) {
    for start in [Self.seoul, PointSet.legal(0, 100), PointSet.legal(-77, 179.999)] {
      let end = start.destination(bearing: bearing, distance: .meters(300))
      #expect(Self.verdicts(Self.meters(.exclusive), [start, end]) == ["accepted", "held"])
      #expect(Self.verdicts(Self.meters(.inclusive), [start, end]) == ["accepted", "accepted"])
      let past = start.destination(bearing: bearing, distance: .meters(300.00001))
      #expect(Self.verdicts(Self.meters(.exclusive), [start, past]) == ["accepted", "accepted"])
      let before = start.destination(bearing: bearing, distance: .meters(299.99999))
      #expect(Self.verdicts(Self.meters(.inclusive), [start, before]) == ["accepted", "held"])
    }
  }

  @Test func `slow drift adds up from the last accepted fix and not from the last seen`() {
    let steps = (0...40).map {
      Self.seoul.destination(bearing: 45, distance: .meters(Double($0) * 10))
    }
    var policy = GatePolicy.cinema300m
    #expect(Self.accepted(policy, steps) == [0, 31])
    policy.reference = .lastSeen
    #expect(Self.accepted(policy, steps) == [0])
  }

  @Test func `slow drift adds up in degrees, too, and not in the mart app as built`() {
    let steps = (0...20).map { PointSet.legal(37.5 - Double($0) * 0.0001, 127) }
    #expect(Self.accepted(.mart0005deg, steps) == [0, 5, 10, 15, 20])
    var policy = GatePolicy.mart0005deg
    policy.reference = .lastSeen
    #expect(Self.accepted(policy, steps) == [0])
    #expect(Self.accepted(.martAsBuilt, steps) == [0])
  }

  @Test func `meters from the last fix delivered are those from a bad one, too`() {
    var policy = Self.meters(.exclusive)
    policy.reference = .lastDelivered
    policy.worstAccuracy = 50
    func fix(_ meters: Double, accuracy: Double = 5) -> Fix {
      Fix(Self.seoul.destination(bearing: 90, distance: .meters(meters)), accuracy: accuracy)
    }
    func verdicts(_ fixes: [Fix]) -> [String] {
      var gate = LocationGate(policy)
      return fixes.map { gate.judge($0).name }
    }
    #expect(
      verdicts([fix(0), fix(1_000, accuracy: 60), fix(10), fix(20)])
        == ["accepted", "rejected", "accepted", "held"])
    #expect(
      verdicts([fix(0, accuracy: 60), fix(10), fix(400)]) == ["rejected", "held", "accepted"])
    // From what is no position nobody can measure.
    let nowhere = Fix(latitude: 95, longitude: 0)
    #expect(verdicts([fix(0), nowhere, fix(10)]) == ["accepted", "rejected", "held"])
    #expect(verdicts([nowhere, fix(10)]) == ["rejected", "accepted"])
  }

  @Test func `a clock that goes back holds fixes until the interval has passed again`() {
    var policy = GatePolicy()
    policy.leastInterval = 5
    var gate = LocationGate(policy)
    let names = [100, 90, 94, 104.9, 105].map { gate.judge(Fix(Self.seoul, time: $0)).name }
    #expect(names == ["accepted", "held", "held", "held", "accepted"])
    #expect(
      gate.judge(Fix(Self.seoul, time: 95)).reasons.map(\.description)
        == ["measured 10 s before the last accepted"])
    // Refused where the order counts; the third that agree say that the clock was set.
    policy.rejectsOutOfOrder = true
    gate = LocationGate(policy)
    let ordered = [100, 90, 91, 92, 97].map { gate.judge(Fix(Self.seoul, time: $0)) }
    #expect(ordered.map(\.name) == ["accepted", "rejected", "rejected", "accepted", "accepted"])
    #expect(ordered[1].reasons.map(\.code) == [.outOfOrder] && ordered[1].reasons[0].value == 10)
  }

  @Test func `a time from the future does not hold up all that follows`() {
    var policy = GatePolicy()
    policy.leastInterval = 5
    let times = [100, 4e9, 105, 110, 115, 117, 120]
    #expect(
      Self.verdicts(policy, at: times)
        == ["accepted", "accepted", "held", "held", "accepted", "held", "accepted"])
    // Three late ones with one in time between them say nothing about the clock.
    let late = Self.verdicts(policy, at: [100, 90, 91, 101, 92, 93, 105])
    #expect(late == ["accepted", "held", "held", "held", "held", "held", "accepted"])
    policy.reanchorCount = 0
    #expect(
      Self.verdicts(policy, at: times)
        == ["accepted", "accepted", "held", "held", "held", "held", "held"])
  }

  @Test(arguments: [(1.0, 0.0), (-1, 0), (0, 1), (0, -1)])
  func `a move north, south, east or west alone counts, in degrees`(north: Double, east: Double) {
    func moved(_ degrees: Double) -> Coordinate {
      PointSet.legal(37.5 + north * degrees, 127 + east * degrees)
    }
    let start = PointSet.legal(37.5, 127)
    #expect(Self.verdicts(Self.degrees(.any), [start, moved(0.0006)]).last == "accepted")
    #expect(Self.verdicts(Self.degrees(.any), [start, moved(0.0004)]).last == "held")
    #expect(Self.verdicts(Self.degrees(.all), [start, moved(0.0006)]).last == "held")
    // As built: south and west alone.
    let isNoticed = north < 0 || east < 0
    #expect(
      Self.verdicts(.martAsBuilt, [start, moved(0.0006)]).last
        == (isNoticed ? "accepted" : "held"))
  }

  @Test func `a move due east goes 0 degrees to the south and not -0`() throws {
    var gate = LocationGate(.martAsBuilt)
    _ = gate.judge(Fix(Self.seoul))
    let east = PointSet.legal(Self.seoul.latitude, Self.seoul.longitude + 0.001)
    let verdict = gate.judge(Fix(east))
    let moved = try #require(verdict.reasons.first?.value)
    #expect(moved == 0 && moved.sign == .plus)
  }

  @Test func `0.0005 degrees typed is 0.0005 degrees, whatever its binary value`() {
    // Hundreds of starts, whose differences fall on both sides of the binary 0.0005.
    var sides: Set<Bool> = []
    for step in 0..<400 {
      let start = PointSet.legal(Double(375_000 + step * 7) / 10_000, 127)
      let end = PointSet.legal(Double(375_005 + step * 7) / 10_000, 127)
      sides.insert(end.latitude - start.latitude < 0.0005)
      #expect(Self.verdicts(Self.degrees(.any), [start, end]).last == "accepted")
      #expect(Self.verdicts(Self.degrees(.any, .exclusive), [start, end]).last == "held")
      #expect(Self.verdicts(.mart0005deg, [start, end]).last == "accepted")
    }
    #expect(sides == [true, false])
  }

  @Test func `moves across 180 degrees are as long as they look`() {
    let west = PointSet.legal(10, 179.9999), east = PointSet.legal(10, -179.9999)
    #expect(Self.verdicts(Self.degrees(.any), [west, east]).last == "held")
    #expect(Self.verdicts(Self.meters(.exclusive), [west, east]).last == "held")
    let farther = PointSet.legal(10, -179.99)
    #expect(Self.verdicts(Self.degrees(.any), [west, farther]).last == "accepted")
    #expect(Self.verdicts(Self.meters(.exclusive), [west, farther]).last == "accepted")
  }

  @Test func `moves within both accuracies are held`() {
    var policy = GatePolicy()
    policy.needsMoreThanAccuracy = true
    var gate = LocationGate(policy)
    let start = Fix(Self.seoul, accuracy: 20)
    func at(_ meters: Double, accuracy: Double?) -> Fix {
      Fix(Self.seoul.destination(bearing: 90, distance: .meters(meters)), accuracy: accuracy)
    }
    #expect(gate.judge(start).isAccepted)
    #expect(gate.judge(at(40, accuracy: 25)).reasons.map(\.code) == [.withinAccuracy])
    #expect(gate.judge(at(40, accuracy: nil)).isAccepted)
    var other = LocationGate(policy)
    #expect(other.judge(start).isAccepted)
    #expect(other.judge(at(46, accuracy: 25)).isAccepted)
  }

  @Test func `exactly five seconds after the last is late enough`() {
    var policy = GatePolicy()
    policy.leastInterval = 5
    let names = Self.verdicts(policy, at: [100, 104.999, 105, 109, 110.5])
    #expect(names == ["accepted", "held", "accepted", "held", "accepted"])
  }

  @Test func `fractions of a second count as they are written, in any year`() {
    var policy = GatePolicy()
    policy.leastInterval = 0.8
    for start in [0.0, 1_795_309_800, 4_102_444_800] {
      for offset in stride(from: 0.1, to: 1, by: 0.1) {
        let first = start + offset
        let names = Self.verdicts(policy, at: [first, first + 0.799, first + 0.8])
        #expect(names == ["accepted", "held", "accepted"], "\(start) \(offset)")
      }
    }
  }

  @Test(arguments: PointSet.allCases)
  func `moves in meters are the geodesic's`(pointSet: PointSet) {
    let (points, _) = pointSet.sample(300, seed: 11)
    var count = 0
    for (start, end) in zip(points, points.dropFirst()) {
      var gate = LocationGate(.cinema300m)
      guard gate.judge(Fix(start)).isAccepted else { continue }
      let verdict = gate.judge(Fix(end))
      guard let moved = verdict.reasons.first, moved.code == .moved else {
        #expect(verdict.reasons.map(\.code) == [.nullIsland])
        continue
      }
      #expect(abs((moved.value ?? .nan) - start.distance(to: end).meters) <= 20e-9)
      #expect(verdict.isAccepted == (start.distance(to: end).meters > 300.0000005))
      count += 1
    }
    // Of 299 moves, but for those from or to 0,0.
    #expect(count > 200)
  }

  @Test(arguments: [Int.min, -1, 0])
  func `a jump is never believed where no number of fixes is enough`(count: Int) {
    var policy = GatePolicy()
    policy.greatestSpeed = 50
    policy.reanchorCount = count
    policy.firstFixCount = count
    var gate = LocationGate(policy)
    #expect(gate.judge(Fix(Self.seoul, time: 1_000)).isAccepted)
    for second in 1...5 {
      // Busan.
      let far = Fix(PointSet.legal(35.18, 129.08), time: 1_000 + Double(second))
      #expect(gate.judge(far).isRejected)
    }
  }
}
