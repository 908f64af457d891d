import Geodesy
import LocationFiltering
import NearbyTestSupport
import Testing

/// What a gate learns of how a device moves.
@Suite struct MotionTests {
  private static func verdicts(_ fixes: [Fix], _ policy: GatePolicy = .careful) -> [GateVerdict] {
    var gate = LocationGate(policy)
    return fixes.map { gate.judge($0) }
  }

  /// The places of what was not believed.
  private static func rejected(_ verdicts: [GateVerdict]) -> [Int] {
    verdicts.indices.filter { verdicts[$0].isRejected }
  }

  @Test(arguments: [0.0, 90, 180, 270])
  func `a hundred meters aside are too many for a walker and few for a car`(bearing: Double) {
    let walk = Walks.fixes(Walks.walk)
    var spiked = walk
    spiked[15] = Walks.moved(walk[15], 100, bearing: bearing)
    let verdicts = Self.verdicts(spiked)
    #expect(verdicts[15].isRejected)
    let code = verdicts[15].reasons[0].code
    #expect(code == .unusualSpeed || code == .offCourse, "\(verdicts[15].reasons)")
    #expect(Self.rejected(verdicts) == [15])

    // A car that brakes and turns: its scatter is some meters a second.
    var bends: [(meters: Double, bearing: Double, seconds: Double)] = []
    for step in 0..<40 {
      let meters = Double(step % 5 + 1) * 60
      bends.append((meters, Double(step % 7) * 40, 10))
    }
    let drive = Walks.fixes(bends)
    var bent = drive
    bent[35] = Walks.moved(drive[35], 100, bearing: bearing)
    #expect(!Self.verdicts(bent)[35].isRejected)
  }

  @Test func `a spike without a time is refused, and good fixes without one are not`() {
    var walk = Walks.fixes(Array(repeating: (14, 45, 10), count: 40))
    for place in [10, 11, 15, 20, 21, 22] { walk[place].time = nil }
    var gate = LocationGate(.careful), limited = GatePolicy()
    limited.greatestSpeed = 12
    #expect(Self.rejected(Self.verdicts(walk)).isEmpty)
    #expect(Self.rejected(Self.verdicts(walk, limited)).isEmpty)
    walk[15] = Walks.moved(walk[15], 111_000, bearing: 0)
    // Behind one without a time the next is compared with the last time that is known.
    walk[23] = Walks.moved(walk[23], 30_000, bearing: 200)
    #expect(Self.rejected(Self.verdicts(walk)) == [15, 23])
    #expect(Self.rejected(Self.verdicts(walk, limited)) == [15, 23])
    // A device that stops saying times is believed, wherever it is by then.
    for place in 30..<41 {
      walk[place] = Walks.moved(walk[place], 5_000, bearing: 90)
      walk[place].time = nil
    }
    let verdicts = walk.map { gate.judge($0) }
    #expect(verdicts[30].isRejected)
    #expect(verdicts[33...].allSatisfy { $0.isAccepted })
  }

  @Test func `a small accuracy is believed and a large one allows for more`() {
    var walk = Walks.fixes(Walks.walk)
    walk[15] = Walks.moved(walk[15], 100, bearing: 135)
    #expect(Self.verdicts(walk)[15].isRejected)
    walk[15].accuracy = 120
    #expect(!Self.verdicts(walk)[15].isRejected)
  }

  @Test func `whoever boards a train is believed at the third fix, and from then on`() {
    let ride = Array(repeating: (meters: 700.0, bearing: 45.0, seconds: 10.0), count: 20)
    let verdicts = Self.verdicts(Walks.fixes(Walks.walk + ride))
    #expect(verdicts[...20].allSatisfy { !$0.isRejected })
    #expect(verdicts[21].isRejected && verdicts[22].isRejected)
    #expect(verdicts[23].reasons.map(\.code) == [.reanchored])
    #expect(verdicts[24...].allSatisfy { $0.isAccepted })
  }

  /// After how many known steps of 1 m/s the next one, aside and in 10 s, is believed and refused.
  @Test(arguments: [(0, 140.0, 150.0), (1, 70, 80), (2, 55, 65)])
  func `the first steps may be of ten meters a second, and of less the more is known`(
    known: Int, believed: Double, refused: Double
  ) {
    let before = Array(repeating: (meters: 10.0, bearing: 0.0, seconds: 10.0), count: known)
    #expect(Self.rejected(Self.verdicts(Walks.fixes(before + [(believed, 90, 10)]))).isEmpty)
    #expect(Self.rejected(Self.verdicts(Walks.fixes(before + [(refused, 90, 10)]))) == [known + 1])
  }

  @Test func `without times a fix of any distance is believed`() {
    let walk = Walks.fixes(Array(repeating: (14, 45, 10), count: 10) + [(100_000, 0, 10)])
    let verdicts = Self.verdicts(Walks.changed(walk) { $0.time = nil })
    #expect(verdicts.allSatisfy { !$0.isRejected })
  }

  @Test func `silence counts for 45 seconds, and beyond that for little more`() {
    // Aside of the way: in 45 s, in five minutes, and in an hour.
    for (seconds, far) in [(45.0, 60.0), (290, 80), (3_600, 120)] {
      let near = Walks.fixes(Walks.walk + [(far, 45, seconds)])
      #expect(Self.rejected(Self.verdicts(near)).isEmpty)
      let spiked = Walks.fixes(Walks.walk + [(max(far * 6, 1.6 * seconds), 135, seconds)])
      #expect(Self.rejected(Self.verdicts(spiked)) == [21], "\(seconds) s")
    }
  }

  @Test func `who may have gone on in a long silence is doubted, and believed by two fixes more`() {
    let away = Walks.fixes(
      Walks.walk + [(4_900, 135, 3_600), (14, 45, 10), (14, 45, 10), (14, 45, 10)])
    let verdicts = Self.verdicts(away)
    #expect(Self.rejected(verdicts).isEmpty)
    #expect(verdicts[21].isDoubted && verdicts[22].isDoubted)
    #expect(verdicts[21].reasons.map(\.code) == [.unusualSpeed, .unconfirmed])
    #expect(verdicts[23].reasons.map(\.code) == [.reanchored])
    // The next proves it a spike: nothing has come of it.
    let spiked = Walks.fixes(Walks.walk + [(4_900, 135, 3_600), (4_886, 315, 10), (14, 45, 10)])
    let after = Self.verdicts(spiked)
    #expect(after[21].isDoubted && after[22].isAccepted && after[23].isAccepted)
  }

  @Test(arguments: [0.0, 45, 90, 135, 180, 225, 270, 315], [40.0, 388, 7_200])
  func `whoever stops on the way is believed where he stopped`(bearing: Double, seconds: Double) {
    let ride = Array(repeating: (meters: 60.0, bearing: 45.0, seconds: 10.0), count: 20)
    let verdicts = Self.verdicts(Walks.fixes(ride + [(25, bearing, seconds)] + ride))
    #expect(Self.rejected(verdicts).isEmpty)
  }

  /// Red lights and corners: what velocities differ by is nothing like normally distributed.
  @Test(arguments: [4.0, 10])
  func `a car in a town loses nothing at its lights and corners`(seconds: Double) {
    var steps: [(meters: Double, bearing: Double, seconds: Double)] = []
    for block in 0..<20 {
      let bearing = Double(block % 4 / 2) * 90
      steps += [(6 * seconds, bearing, seconds)]
      steps += Array(repeating: (13 * seconds, bearing, seconds), count: 4)
      steps += [(4 * seconds, bearing, seconds)]
      if block % 2 == 1 { steps += Array(repeating: (0, 0, seconds), count: Int(40 / seconds)) }
    }
    let verdicts = Self.verdicts(Walks.fixes(steps))
    let rejected = Self.rejected(verdicts)
    #expect(rejected.isEmpty, "\(rejected.map { verdicts[$0] })")
  }

  @Test func `who rides at one speed is not believed at another`() {
    let ride = (0..<40).map { place in
      let seconds = Double(20 + place * 37 % 80)
      return (meters: 2.8 * seconds, bearing: Double(place * 50 % 120), seconds: seconds)
    }
    let fixes = Walks.fixes(ride + [(230, 0, 80)])
    #expect(Self.rejected(Self.verdicts(fixes)).isEmpty)
    var spiked = fixes
    spiked[41] = Walks.moved(fixes[41], 130, bearing: 0)
    #expect(Self.rejected(Self.verdicts(spiked)) == [41])
    // With speeds between 1 and 2.8 the same fix is believed.
    let uneven = ride.enumerated().map { place, step in
      (step.meters * (place % 3 == 0 ? 0.4 : 1), step.bearing, step.seconds)
    }
    spiked = Walks.fixes(uneven + [(230, 0, 80)])
    spiked[41] = Walks.moved(spiked[41], 50, bearing: 0)
    #expect(Self.rejected(Self.verdicts(spiked)).isEmpty)
  }

  /// By the fixed rules alone, 100 m/s, it would agree with two good ones that were refused.
  @Test(arguments: [0.0, 120, 240], [3_000.0, 5_000])
  func `a spike is not the third of those that agree`(bearing: Double, meters: Double) {
    let drive = Array(repeating: (meters: 900.0, bearing: 45.0, seconds: 60.0), count: 10)
    var fixes = Walks.fixes(Walks.walk + drive)
    #expect(Self.verdicts(fixes)[23].reasons.map(\.code) == [.reanchored])
    fixes[23] = Walks.moved(fixes[23], meters, bearing: bearing)
    let verdicts = Self.verdicts(fixes)
    #expect(verdicts[21].isRejected && verdicts[22].isRejected)
    #expect(!verdicts[23].isAccepted, "\(verdicts[23])")
    #expect(verdicts[24...].contains { $0.isAccepted })
    #expect(!verdicts[26...].contains { $0.isRejected })
  }

  @Test func `what follows a train that was believed is measured by the train`() {
    let ride = Array(repeating: (meters: 300.0, bearing: 45.0, seconds: 10.0), count: 8)
    var fixes = Walks.fixes(Walks.walk + ride)
    fixes[24] = Walks.moved(fixes[24], 700, bearing: 135)
    let verdicts = Self.verdicts(fixes)
    #expect(verdicts[23].reasons.map(\.code) == [.reanchored])
    #expect(verdicts[24].isRejected && verdicts[25].isAccepted)
  }

  @Test(arguments: [1.0, 60, 300, 3_600])
  func `a fix that is missed costs none of those behind it, however slow the log`(seconds: Double) {
    let walk = Array(repeating: (meters: 1.4 * seconds, bearing: 45.0, seconds: seconds), count: 20)
    for missed in 1...2 {
      let gap = (
        meters: 1.4 * seconds * Double(missed + 1), bearing: 45.0,
        seconds: seconds * Double(missed + 1)
      )
      let verdicts = Self.verdicts(Walks.fixes(walk + [gap] + walk))
      #expect(Self.rejected(verdicts).isEmpty)
    }
    // The bad one itself, and the next, which comes twice as late.
    var spiked = Walks.fixes(walk)
    spiked[15] = Walks.moved(spiked[15], 2_000 + 20 * seconds, bearing: 135)
    #expect(Self.rejected(Self.verdicts(spiked)) == [15])
  }

  @Test func `what a fix a second has taught fits the fix after a pause`() {
    let drive = Array(repeating: (meters: 11.0, bearing: 45.0, seconds: 1.0), count: 20)
    let verdicts = Self.verdicts(Walks.fixes(drive + [(160, 45, 14)] + drive))
    #expect(Self.rejected(verdicts).isEmpty)
    #expect(Self.rejected(Self.verdicts(Walks.fixes(drive + [(400, 45, 14)]))) == [21])
  }

  /// A walk whose fixes from one place on, so many of them, all lie aside the same way.
  private static func offsetWalk(
    at place: Int, count: Int, meters: Double = 200, bearing: Double = 135
  ) -> [Fix] {
    var walk = Walks.fixes(Array(repeating: (14, 45, 10), count: 50))
    for number in place..<min(place + count, walk.count) {
      walk[number] = Walks.moved(walk[number], meters, bearing: bearing)
    }
    return walk
  }

  @Test(arguments: [3, 5, 15], [0.0, 135, 225])
  func `an offset costs no good fix, however long it lasts`(count: Int, bearing: Double) {
    let verdicts = Self.verdicts(Self.offsetWalk(at: 20, count: count, bearing: bearing))
    // One that contradicts is refused, the second that agrees is held, the third believed.
    #expect(Self.rejected(verdicts) == [20])
    #expect(verdicts[21].isDoubted)
    #expect(verdicts[22].reasons.map(\.code) == [.reanchored])
    #expect(verdicts[23..<(20 + count)].allSatisfy { $0.isAccepted })
    // The first behind it is where the walk would be by now, and the second proves it.
    let end = 20 + count
    #expect(verdicts[end].isDoubted)
    #expect(verdicts[end].reasons.map(\.code).suffix(2) == [.unconfirmed, .undoesJump])
    #expect(abs((verdicts[end].reasons.last?.value ?? 0) - 200) < 20)
    #expect(verdicts[end + 1].reasons.map(\.code) == [.reanchored, .undoesJump])
    #expect(verdicts[(end + 2)...].allSatisfy { $0.isAccepted })
  }

  @Test func `offsets that follow each other at once are undone like one`() {
    var walk = Self.offsetWalk(at: 20, count: 4)
    for number in 25..<29 { walk[number] = Walks.moved(walk[number], 200, bearing: 300) }
    let verdicts = Self.verdicts(walk)
    // One good fix stands between them, and is held; those behind the second are all good.
    #expect(verdicts[24].isDoubted)
    #expect(Self.rejected(verdicts).allSatisfy { (20..<24).contains($0) || (25..<29).contains($0) })
    #expect(verdicts[31...].allSatisfy { $0.isAccepted })
  }

  @Test func `after twenty good fixes a jump is final`() {
    var walk = Self.offsetWalk(at: 15, count: 100)
    walk[45] = Walks.moved(walk[45], 200, bearing: 315)
    #expect(Self.verdicts(walk)[45].isRejected)
    walk = Self.offsetWalk(at: 15, count: 100)
    walk[30] = Walks.moved(walk[30], 200, bearing: 315)
    #expect(Self.verdicts(walk)[30].isDoubted)
  }

  /// The place that undoes a jump is the one place where a bad fix would not be refused.
  @Test(arguments: UInt64(0)..<200)
  func `a single fix that undoes a jump fires nothing`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let start = Int.random(in: 8..<20, using: &generator)
    let bearing = Double.random(in: 0..<360, using: &generator)
    let meters = Double.random(in: 150...3_000, using: &generator)
    var walk = Self.offsetWalk(at: start, count: 100, meters: meters, bearing: bearing)
    let place = Int.random(in: (start + 6)..<49, using: &generator)
    let undone = Walks.fixes(Array(repeating: (14, 45, 10), count: 50))[place]
    walk[place] = Walks.moved(
      undone, .random(in: 0...15, using: &generator), bearing: bearing + 90)
    var policy = GatePolicy.careful
    policy.reanchorCount = Int.random(in: 2...5, using: &generator)
    let verdicts = Self.verdicts(walk, policy)
    #expect(!verdicts[place].isAccepted, "\(verdicts[place])")
    #expect(verdicts[(place + 1)...].allSatisfy { $0.isAccepted })
  }

  @Test func `what is held because it contradicts does not move the smoothed position`() {
    var gate = LocationGate(.careful), smoother = TrackSmoother(speed: 2)
    var heldCount = 0
    for (number, fix) in Self.offsetWalk(at: 20, count: 5).enumerated() {
      let verdict = gate.judge(fix), before = smoother
      let shown = smoother.smooth(fix, verdict)
      #expect((shown == nil) == (verdict.isRejected || verdict.isDoubted))
      guard shown == nil else { continue }
      #expect(smoother == before, "fix \(number)")
      heldCount += 1
    }
    // Where the offset begins one is refused and one held; behind it one is held.
    #expect(heldCount >= 3)
  }

  @Test func `a time that is no number is none`() {
    var walk = Walks.fixes(Walks.walk)
    walk[5].time = .nan
    walk[6].time = .infinity
    walk[18] = Walks.moved(walk[18], 300, bearing: 0)
    let verdicts = Self.verdicts(walk)
    #expect(Self.rejected(verdicts) == [18])
  }

  @Test func `the first fix waits for a second`() {
    let walk = Walks.fixes(Array(repeating: (14, 45, 10), count: 3))
    let bad = Walks.moved(walk[0], 500_000, bearing: 0)
    let verdicts = Self.verdicts([bad] + walk.dropFirst())
    #expect(!verdicts[0].isAccepted)
    #expect(verdicts.map(\.name) == ["held", "rejected", "rejected", "accepted"])
    #expect(Self.verdicts(walk).map(\.name) == ["held", "accepted", "accepted", "accepted"])
  }

  /// Any three fixes that agree by the fixed rules: no more than two of them can be refused.
  @Test(arguments: UInt64(0)..<20)
  func `no three fixes in a row that agree are all refused`(group: UInt64) {
    // Ten walks a case, since in some of them no three are refused in a row.
    var runCount = 0
    for seed in group * 10..<group * 10 + 10 {
      var generator = SeededGenerator(seed: seed)
      var policy = GatePolicy.careful
      policy.rejectsOutOfOrder = Bool.random(using: &generator)
      var gate = LocationGate(policy)
      var refused: [Fix] = []
      var place = PointSet.legal(
        .random(in: -89...89, using: &generator), .random(in: -180...179, using: &generator))
      var time = 0.0
      for _ in 0..<200 {
        time += Double(Int.random(in: 0...30, using: &generator))
        let speed: Double = [0, 1, 5, 20, 99, 5_000].randomElement(using: &generator) ?? 0
        place = place.destination(
          bearing: .random(in: 0..<360, using: &generator), distance: .meters(speed * 10))
        let fix = Fix(place, time: time)
        if gate.judge(fix).isRejected { refused.append(fix) } else { refused = [] }
        guard refused.count >= 3 else { continue }
        // Judged by a gate of the fixed rules alone, one of the steps between them is impossible.
        var fixed = policy
        fixed.learnsMotion = false
        fixed.firstFixCount = 1
        let last = refused.suffix(3)
        let contradicts = zip(last, last.dropFirst()).contains { earlier, later in
          var pair = LocationGate(fixed)
          _ = pair.judge(earlier)
          return pair.judge(later).isRejected
        }
        #expect(contradicts, "seed \(seed)")
        runCount += 1
      }
    }
    #expect(runCount > 0)
  }
}
