import Geodesy
import LocationFiltering
import NearbyTestSupport
import Testing

/// Any policy, and anything that a device could deliver: the gate beside a judge written from its table.
@Suite struct TableJudgeTests {
  private static let movements: [MovementRule?] = [
    nil, .meters(300, .exclusive), .meters(0, .exclusive), .meters(5, .inclusive),
    .degrees(0.0005, axes: .any, .inclusive), .degrees(0.0005, axes: .all, .exclusive),
    .degreesSouthOrWest(0.0005),
  ]
  private static let regions: [Region?] = [nil, nil, nil, .martAppKorea, .southKorea]

  private static func policy(using generator: inout SeededGenerator) -> GatePolicy {
    func one<Value>(_ values: [Value], _ generator: inout SeededGenerator) -> Value {
      values[Int.random(in: 0..<values.count, using: &generator)]
    }
    var policy = GatePolicy()
    policy.movement = one(movements, &generator)
    policy.reference = one([.lastAccepted, .lastSeen, .lastDelivered], &generator)
    if case .degrees = policy.movement, policy.reference == .lastDelivered {
      // What is delivered may be no position, and how far anything is from that nobody says.
      policy.reference = .lastSeen
    }
    policy.needsMoreThanAccuracy = Bool.random(using: &generator)
    policy.leastInterval = one([nil, 0, 5, 60], &generator)
    policy.region = one(regions, &generator)
    policy.worstAccuracy = one([nil, 0, 50], &generator)
    policy.rejectsSimulated = Bool.random(using: &generator)
    policy.allowsNullIsland = Bool.random(using: &generator)
    policy.greatestAge = one([nil, 0, 30], &generator)
    policy.greatestLead = one([nil, 0, 5], &generator)
    policy.greatestSpeed = one([nil, 1, 50, 100], &generator)
    policy.greatestJump = one([nil, 0, 100, 10_000], &generator)
    policy.rejectsOutOfOrder = Bool.random(using: &generator)
    policy.timeResolution = one([0, 0.1, 1], &generator)
    policy.reanchorCount = Int.random(in: 0...4, using: &generator)
    policy.firstFixCount = Int.random(in: 1...3, using: &generator)
    return policy
  }

  private static let numbers: [Double] = [
    0, -0.0, 90, -90, 180, -180, .nan, .infinity, -.infinity, 0.0005, -0.0005, 0.00049, 89.9999999,
    179.9999999, -179.9999999, 33, 39, 126, 130, 127.5, 200, 1e308,
  ]

  private static let starts: [(latitude: Double, longitude: Double)] = [
    (37.5, 127), (35, 139.7), (0, 0), (0, 179.9999), (89.999, 127), (-90, -180),
  ]
  private static let steps: [Double] = [0, 1e-6, 1e-4, 5e-4, 1e-3, 3e-3, 0.1]
  private static let intervals: [Double] = [0, 0, 1, 2, 5, 10, 60, -1, -5]
  private static let times: [Double?] = [nil, .nan, .infinity, -.infinity, 0, -1e9, 1e12]
  private static let accuracies: [Double?] = [
    nil, 0, -0.0, 50, 50.0001, -1, .nan, .infinity, 1e6,
  ]

  private static func fixes(_ count: Int, using generator: inout SeededGenerator) -> [Fix] {
    var (latitude, longitude) = starts[Int.random(in: 0..<starts.count, using: &generator)]
    var time = 1e6
    var fixes: [Fix] = []
    for _ in 0..<count {
      let step = steps[Int.random(in: 0..<steps.count, using: &generator)]
      latitude += Double.random(in: -1...1, using: &generator) * step
      latitude = min(90, max(-90, latitude))
      longitude = Coordinate.wrappedLongitude(
        longitude + Double.random(in: -1...1, using: &generator) * step)
      time += intervals[Int.random(in: 0..<intervals.count, using: &generator)]
      var fix = Fix(latitude: latitude, longitude: longitude, time: time, accuracy: 5)
      fix.isSimulated = Int.random(in: 0..<10, using: &generator) == 0
      let number = numbers[Int.random(in: 0..<numbers.count, using: &generator)]
      switch Int.random(in: 0..<20, using: &generator) {
      case 0: fix.latitude = number
      case 1: fix.longitude = number
      case 2: (fix.latitude, fix.longitude) = (number, numbers.randomElement(using: &generator))
      case 3: fix.time = times[Int.random(in: 0..<times.count, using: &generator)]
      case 4: (fix.latitude, fix.longitude) = (longitude, latitude)
      case 5: fix.latitude = nil
      case 6: fix = fixes.randomElement(using: &generator) ?? fix
      case 7: fix.latitude = latitude > 0 ? latitude - 1 : latitude + 1
      case 8: fix.longitude = -longitude
      case 9...12:
        fix.accuracy = accuracies[Int.random(in: 0..<accuracies.count, using: &generator)]
      default: break
      }
      fixes.append(fix)
    }
    return fixes
  }

  private static let places = Dictionary(
    uniqueKeysWithValues: GateReason.Code.allCases.enumerated().map { ($1, $0) })

  @Test(arguments: UInt64(0)..<200)
  func `verdicts, reasons and states are those of the table`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let policy = Self.policy(using: &generator)
    var gate = LocationGate(policy), judge = TableJudge(policy)
    for fix in Self.fixes(60, using: &generator) {
      let isAsked = Bool.random(using: &generator),
        age = Double.random(
          in: -10...60, using: &generator)
      let now = isAsked ? fix.time.map { $0 + age } : nil
      let verdict = gate.judge(fix, now: now)
      let expected = judge.judge(fix, now: now)
      try #require([verdict.name] + verdict.reasons.map(\.code.rawValue) == expected, "\(fix)")
      #expect(gate.state.rawValue == judge.state)
      // In the order of their codes, each once.
      let order = try verdict.reasons.map { try #require(Self.places[$0.code]) }
      #expect(zip(order, order.dropFirst()).allSatisfy { $0 < $1 }, "\(verdict.reasons)")
    }
  }

  @Test(arguments: UInt64(0)..<20)
  func `what would flip a verdict does, and no part of it can be left out`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let policy = Self.policy(using: &generator)
    var gate = LocationGate(policy)
    var flipCount = 0
    for fix in Self.fixes(60, using: &generator) {
      let now = fix.time.map { $0 + 20 }
      let settings = gate.whatWouldItTake(toFlip: fix, now: now)
      let before = gate
      let isAccepted = gate.judge(fix, now: now).isAccepted
      guard let settings else { continue }
      func flips(_ settings: some Sequence<GateSetting>) -> Bool {
        var changed = policy
        for setting in settings { changed.apply(setting) }
        return before.judged(fix, now: now, under: changed).isAccepted != isAccepted
      }
      flipCount += 1
      #expect(flips(settings), "\(fix) \(settings)")
      for place in settings.indices {
        let others = settings.enumerated().filter { $0.offset != place }.map(\.element)
        #expect(!flips(others), "\(fix) \(settings)")
      }
    }
    #expect(flipCount > 0)
  }
}
