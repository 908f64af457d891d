import Geodesy
import LocationFiltering
import NearbyTestSupport
import Testing

/// What StateMachine.md promises, over random tracks and policies.
@Suite struct StateMachineTests {
  /// A walk, a ride or a flight with pauses, whose fixes agree with each other under any policy here.
  private static func track(
    _ count: Int, using generator: inout SeededGenerator
  ) -> [Fix] {
    var place = PointSet.legal(
      Double.random(in: -80...80, using: &generator),
      Double.random(in: -179...179, using: &generator))
    var time = 1_000_000.0
    let speed: Double = [0, 1.4, 14].randomElement(using: &generator) ?? 0
    var bearing = Double.random(in: 0..<360, using: &generator)
    return (0..<count).map { _ in
      let elapsed = Double(Int.random(in: 1...10, using: &generator))
      time += elapsed
      bearing += Double.random(in: -30...30, using: &generator)
      place = place.destination(bearing: bearing, distance: .meters(speed * elapsed))
      return Fix(place, time: time, accuracy: Double(Int.random(in: 3...20, using: &generator)))
    }
  }

  private static func policy(using generator: inout SeededGenerator) -> GatePolicy {
    var policy = GatePolicy()
    policy.movement =
      [
        nil, .meters(300, .exclusive), .meters(20, .inclusive),
        .degrees(0.0005, axes: .any, .inclusive),
      ]
      .randomElement(using: &generator) ?? nil
    policy.reference = Bool.random(using: &generator) ? .lastAccepted : .lastSeen
    policy.greatestSpeed = 50
    policy.rejectsOutOfOrder = Bool.random(using: &generator)
    policy.needsMoreThanAccuracy = Bool.random(using: &generator)
    policy.reanchorCount = Int.random(in: 2...4, using: &generator)
    policy.firstFixCount = Int.random(in: 1...3, using: &generator)
    if Bool.random(using: &generator) { policy.leastInterval = 5 }
    if Bool.random(using: &generator) { policy.greatestJump = 10_000 }
    return policy
  }

  /// A fix that cannot stand between its neighbors, or is no position.
  private static func badFix(_ good: Fix, using generator: inout SeededGenerator) -> Fix {
    var bad = good
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: (bad.latitude, bad.longitude) = (0, 0)
    case 1: (bad.latitude, bad.longitude) = (.nan, nil)
    default:
      let meters = Double.random(in: 2_000...9_000_000, using: &generator)
      let spike = good.coordinate?.destination(
        bearing: Double.random(in: 0..<360, using: &generator), distance: .meters(meters))
      (bad.latitude, bad.longitude) = (spike?.latitude, spike?.longitude)
    }
    return bad
  }

  @Test(arguments: UInt64(0)..<200)
  func `no single bad fix is accepted, and those after it are judged as without it`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var policy = Self.policy(using: &generator)
    policy.learnsMotion = seed.isMultiple(of: 2)
    let good = Self.track(40, using: &generator)
    let place = Int.random(in: 3..<good.count, using: &generator)
    let bad = Self.badFix(good[place], using: &generator)
    var plain = LocationGate(policy), disturbed = LocationGate(policy)
    for (number, fix) in good.enumerated() {
      if number == place {
        let verdict = disturbed.judge(bad)
        #expect(verdict.isRejected, "\(verdict)")
      }
      #expect(plain.judge(fix) == disturbed.judge(fix))
    }
  }

  @Test(arguments: UInt64(0)..<200)
  func `the very first fix does not count alone where two must agree`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var policy = Self.policy(using: &generator)
    policy.firstFixCount = max(2, policy.firstFixCount)
    let good = Self.track(10, using: &generator)
    var gate = LocationGate(policy)
    #expect(!gate.judge(Self.badFix(good[0], using: &generator)).isAccepted)
    let verdicts = good.map { gate.judge($0) }
    let first = verdicts.firstIndex { $0.isAccepted }
    #expect((first ?? .max) < max(policy.firstFixCount, policy.reanchorCount))
  }

  @Test(arguments: UInt64(0)..<300)
  func `whatever came before, good fixes in a row are believed`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let policy = Self.policy(using: &generator)  // Without motion: MotionTests has that.
    var gate = LocationGate(policy)
    for fix in Self.track(30, using: &generator) {
      let isBad = Int.random(in: 0..<3, using: &generator) == 0
      _ = gate.judge(isBad ? Self.badFix(fix, using: &generator) : fix)
    }
    // Elsewhere on the Earth, and perhaps earlier than what was before.
    let verdicts = Self.track(8, using: &generator).map { gate.judge($0) }
    let believed = verdicts.firstIndex { !$0.isRejected }
    #expect((believed ?? .max) < max(policy.reanchorCount, policy.firstFixCount), "\(verdicts)")
    for verdict in verdicts.dropFirst(believed ?? 0) { #expect(!verdict.isRejected) }
  }

  @Test(arguments: UInt64(0)..<100)
  func `a replay gives the same verdicts`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var policy = Self.policy(using: &generator)
    policy.learnsMotion = seed.isMultiple(of: 2)
    let fixes = Self.track(60, using: &generator).map {
      Int.random(in: 0..<5, using: &generator) == 0 ? Self.badFix($0, using: &generator) : $0
    }
    var first = LocationGate(policy), second = LocationGate(policy)
    let verdicts = fixes.map { first.judge($0) }
    #expect(fixes.map { second.judge($0) } == verdicts)
    #expect(first == second)
    for (number, fix) in fixes.enumerated() where number % 7 == 0 {
      // A copy goes on where the gate stood.
      var copy = LocationGate(policy)
      for earlier in fixes[..<number] { _ = copy.judge(earlier) }
      let fork = copy
      #expect(copy.judge(fix) == verdicts[number])
      #expect(fork != copy || verdicts[number].isRejected || number == 0)
    }
  }

  @Test(arguments: UInt64(0)..<60)
  func `what would have flipped a verdict flips it`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var policy = Self.policy(using: &generator)
    policy.worstAccuracy = 12
    policy.region = .southKorea
    policy.greatestAge = 30
    policy.learnsMotion = Bool.random(using: &generator)
    var fixes = Self.track(30, using: &generator)
    // Jumps and their ends, so that fixes are doubted, believed and taken back.
    for place in fixes.indices where (10..<15).contains(place) || (20..<24).contains(place) {
      fixes[place].latitude = fixes[place].latitude.map { min($0 + 0.05, 89) }
    }
    for place in fixes.indices where Bool.random(using: &generator) {
      fixes[place].latitude = fixes[place].latitude.map { 37 + $0 / 90 }
      fixes[place].longitude = fixes[place].longitude.map { 127 + $0 / 180 }
    }
    var gate = LocationGate(policy)
    var flips = 0
    for (number, fix) in fixes.enumerated() {
      let now = (fix.time ?? 0) + Double(number % 50)
      let verdict = gate.judged(fix, now: now, under: policy)
      defer { _ = gate.judge(fix, now: now) }
      guard let settings = gate.whatWouldItTake(toFlip: fix, now: now) else {
        #expect(verdict.reasons.contains { $0.value == nil && $0.code != .firstFix })
        continue
      }
      var changed = policy
      for setting in settings { changed.apply(setting) }
      flips += 1
      // The same past under the old policy, this fix under the new one.
      #expect(!settings.isEmpty)
      #expect(gate.judged(fix, now: now, under: changed).isAccepted != verdict.isAccepted)
    }
    #expect(flips > 0)
  }

  @Test func `times that stand still or go back are handled and named`() {
    var policy = GatePolicy()
    policy.greatestSpeed = 50
    policy.rejectsOutOfOrder = true
    var gate = LocationGate(policy)
    let here = PointSet.legal(46, 13)
    func fix(_ meters: Double, _ time: Double) -> Fix {
      Fix(here.destination(bearing: 0, distance: .meters(meters)), time: time)
    }
    #expect(gate.judge(fix(0, 100)).isAccepted)
    #expect(gate.judge(fix(15, 100)).isAccepted)  // within the second that its time may be off by
    #expect(gate.judge(fix(400, 100)).reasons.map(\.code) == [.speed])
    #expect(gate.judge(fix(20, 99)).reasons.map(\.code) == [.outOfOrder])
    #expect(gate.state == .suspect)
    #expect(gate.judge(fix(30, 101)).isAccepted)
    #expect(gate.state == .moving)
  }

  @Test(arguments: UInt64(0)..<50)
  func `smoothing keeps rejected fixes out, stays finite and comes to rest`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var policy = GatePolicy()
    policy.greatestSpeed = 50
    var gate = LocationGate(policy), smoother = TrackSmoother(speed: 2)
    for fix in Self.track(50, using: &generator) {
      let bad = Self.badFix(fix, using: &generator)
      let before = smoother
      let verdict = gate.judge(bad)
      if verdict.isRejected {
        #expect(smoother.smooth(bad, verdict) == nil)
        #expect(smoother == before)
      }
      let good = gate.judge(fix)
      if let shown = smoother.smooth(fix, good), let measured = fix.coordinate {
        #expect(shown.latitude.isFinite && shown.longitude.isFinite)
        #expect(shown.distance(to: measured).meters < 2_000)
      }
    }
    let still = PointSet.legal(10, 179.99999)
    var last: Coordinate?
    for second in 0..<2_000 {
      last = smoother.smooth(
        Fix(still, time: 2_000_000 + Double(second), accuracy: 5), .held([]))
    }
    #expect((last?.distance(to: still).meters ?? .infinity) < 0.01)
  }
}
