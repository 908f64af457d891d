import Geodesy
import LocationFiltering
import NearbyTestSupport
import Testing

/// What is known of a fix when others have followed it.
@Suite struct OutlierFilterTests {
  /// Fixes that say ten meters, of which five times is what an outlier is off by at least.
  private static func fixes(
    _ steps: [Walks.Step], from start: Coordinate = PointSet.legal(37.5, 127)
  ) -> [Fix] { Walks.fixes(steps, from: start, accuracy: 10) }

  /// Somebody who walks: 14 m in 10 s, now and then round a corner.
  private static func walk(
    _ count: Int, from start: Coordinate = PointSet.legal(37.5, 127)
  ) -> [Fix] {
    fixes((0..<count).map { (14, Double($0 / 7) * 70, 10) }, from: start)
  }

  private static func reviewed(
    _ fixes: [Fix], policy: GatePolicy = GatePolicy(), lookahead: Int = 8
  ) -> [ReviewedFix] {
    var filter = OutlierFilter(for: policy, lookahead: lookahead)
    return fixes.compactMap { filter.take($0) } + filter.finish()
  }

  /// The places of what was found.
  private static func outliers(_ fixes: [Fix], lookahead: Int = 8) -> [Int] {
    let reviewed = reviewed(fixes, lookahead: lookahead)
    return reviewed.indices.filter { reviewed[$0].objection != nil }
  }

  @Test func `each fix comes out once, in its order, as many fixes later as was said`() {
    let walk = Self.walk(30)
    for lookahead in [2, 8, 29, 100] {
      var filter = OutlierFilter(lookahead: lookahead)
      for (place, fix) in walk.enumerated() {
        #expect(
          filter.take(fix, now: Double(place))?.fix
            == (place < lookahead ? nil : walk[place - lookahead]))
      }
      let rest = filter.finish()
      #expect(rest.map(\.fix) == walk.suffix(min(lookahead, walk.count)))
      #expect(rest.map(\.now) == walk.indices.suffix(rest.count).map { Double($0) })
      #expect(filter.finish().isEmpty)
    }
  }

  @Test func `whoever moves as ever loses one fix in two thousand at most`() {
    var generator = SeededGenerator(seed: 3)
    var count = 0, lost = 0
    for _ in 0..<200 {
      // From a walker to a train, with fixes every second to every minute.
      let speed = [1.0, 2, 5, 10, 20, 50].randomElement(using: &generator)!
      let seconds = Double.random(in: 1...60, using: &generator)
      var bearing = 0.0
      let steps = (0..<60).map { _ -> Walks.Step in
        bearing += Double.random(in: -40...40, using: &generator)
        let factor = Double.random(in: 0.8...1.2, using: &generator)
        return (speed * seconds * factor, bearing, seconds)
      }
      let way = Self.fixes(steps).map { fix in
        Walks.moved(
          fix, Double.random(in: 0...8, using: &generator),
          bearing: Double.random(in: 0...360, using: &generator))
      }
      count += way.count
      lost += Self.outliers(way).count
    }
    #expect(lost * 2_000 <= count, "\(lost) of \(count)")
  }

  @Test func `a spike is found wherever it is, the first and the last fix among them`() {
    let walk = Self.walk(40)
    for place in walk.indices {
      for (number, meters) in [120, 1_000, 30_000, 2e6, 2.0015e7].enumerated() {
        var spiked = walk
        spiked[place] = Walks.moved(
          walk[place], meters, bearing: Double(place * 47 + number * 90))
        #expect(Self.outliers(spiked) == [place], "\(meters) m at \(place)")
      }
    }
  }

  @Test func `what lies within five times the accuracy stays`() throws {
    var walk = Self.walk(40)
    walk[20] = Walks.moved(walk[20], 49, bearing: 10)
    #expect(Self.outliers(walk) == [])
    walk[20] = Walks.moved(Self.walk(40)[20], 75, bearing: 10)
    #expect(Self.outliers(walk) == [20])
    let objection = try #require(Self.reviewed(walk)[20].objection)
    #expect(objection.code == .outlier)
    #expect(objection.limit == 50 && objection.unit == "m")
    // Not in full: the way bends toward it.
    #expect((50...75).contains(try #require(objection.value)))
    // The accuracy of a neighbor counts as well as its own.
    walk[21].accuracy = 20
    #expect(Self.outliers(walk) == [])
  }

  @Test(arguments: 1...5)
  func `a run of up to five fixes to the side is found whole`(count: Int) {
    for bearing in stride(from: 0.0, to: 360, by: 30) {
      var walk = Self.walk(60)
      for place in 25..<25 + count { walk[place] = Walks.moved(walk[place], 200, bearing: bearing) }
      #expect(Self.outliers(walk) == Array(25..<25 + count), "toward \(bearing)°")
    }
  }

  @Test func `who is elsewhere for longer is believed, and so is the way back`() {
    var walk = Self.walk(60)
    for place in 25..<33 { walk[place] = Walks.moved(walk[place], 200, bearing: 90) }
    #expect(Self.outliers(walk) == [])
  }

  @Test func `good fixes between two bad ones at one place are not the run`() {
    // Coordinates exchanged twice lie beside each other.
    for (first, second) in [(12, 14), (12, 15), (12, 17), (12, 18), (1, 4), (35, 39)] {
      var walk = Self.walk(40)
      for place in [first, second] {
        (walk[place].latitude, walk[place].longitude) = (
          walk[place].longitude.map { $0 - 90 }, walk[place].latitude
        )
      }
      #expect(Self.outliers(walk) == [first, second], "\(first), \(second)")
    }
  }

  @Test func `boarding a train, a ride and a halt are no outliers`() {
    let ride = Array(repeating: Walks.Step(meters: 500, bearing: 80, seconds: 10), count: 20)
    let halt = Array(repeating: Walks.Step(meters: 0, bearing: 0, seconds: 10), count: 20)
    #expect(Self.outliers(Self.fixes(Walks.walk + ride + halt + ride + Walks.walk)) == [])
    // A train of which a single step is seen, as between two stations underground.
    #expect(Self.outliers(Self.fixes(Walks.walk + [(3_000, 80, 240)] + Walks.walk)) == [])
  }

  @Test func `there and back is an outlier only where it took more speed than usual`() {
    // To a shop 300 m away, where one fix was made, and back.
    let errand: (Double) -> [Fix] = { seconds in
      Self.fixes(Walks.walk + [(300, 0, seconds), (300, 180, seconds)] + Walks.walk)
    }
    #expect(Self.outliers(errand(240)) == [])
    #expect(Self.outliers(errand(20)) == [21])
  }

  @Test(arguments: 2...7)
  func `a ride that a track begins or ends with is none, from its second fix on`(count: Int) {
    let walk = Array(repeating: Walks.Step(meters: 14, bearing: 45, seconds: 10), count: 30)
    let ride = Array(repeating: Walks.Step(meters: 500, bearing: 80, seconds: 10), count: count)
    #expect(Self.outliers(Self.fixes(walk + ride)) == [])
    #expect(Self.outliers(Self.fixes(ride + walk)) == [])
    #expect(Self.outliers(Self.fixes(walk + [ride[0]])) == [31])
    #expect(Self.outliers(Self.fixes([ride[0]] + walk)) == [0])
  }

  @Test func `taking off and landing are none`() {
    // A fix a minute, faster by 1.5 km each time, up to 250 m/s.
    let walk = Array(repeating: Walks.Step(meters: 84, bearing: 30, seconds: 60), count: 20)
    let start = (1...10).map { Walks.Step(meters: 1_500 * Double($0), bearing: 60, seconds: 60) }
    let flight = Array(repeating: Walks.Step(meters: 15_000, bearing: 60, seconds: 60), count: 20)
    #expect(Self.outliers(Self.fixes(walk + start + flight + start.reversed() + walk)) == [])
  }

  @Test func `of a steady flight no good fix is lost to a bad one`() {
    let flight = Self.fixes(
      (0..<80).map { (15_000, 90 + Double($0) * 0.2, 60) })
    for meters in [1_000.0, 5_000, 20_000, 100_000] {
      var way = flight
      way[40] = Walks.moved(way[40], meters, bearing: 10)
      #expect(Self.outliers(way) == [40], "\(meters) m")
    }
  }

  @Test func `bad fixes at either end are found where they lie apart`() {
    for meters in [120.0, 300, 1_000, 1e5] {
      for count in 1...3 {
        var first = Self.walk(40), last = Self.walk(40)
        for place in 0..<count {
          let off = meters * Double(place + 1), bearing = Double(90 + 110 * place)
          first[place] = Walks.moved(first[place], off, bearing: bearing)
          last[39 + place - count + 2] = Walks.moved(
            last[39 + place - count + 2], off, bearing: bearing)
        }
        #expect(Self.outliers(first) == Array(0..<count), "\(count) of \(meters) m")
        #expect(Self.outliers(last) == Array(41 - count..<41), "\(count) of \(meters) m")
      }
    }
  }

  @Test func `what is more than twenty good fixes ago says nothing`() {
    var generator = SeededGenerator(seed: 5)
    var found = 0
    for _ in 0..<300 {
      // By car, where it matters by how much the way bends.
      var way = Self.fixes(
        (0..<40).map { _ in
          let bearing = Double.random(in: -40...40, using: &generator)
          return (Double.random(in: 80...180, using: &generator), bearing, 10)
        })
      let off = Double.random(in: 150...400, using: &generator)
      way[30] = Walks.moved(way[30], off, bearing: Double.random(in: 0...360, using: &generator))
      var other = way
      other[9] = Walks.moved(way[9], 80, bearing: Double.random(in: 0...360, using: &generator))
      let objections = Self.reviewed(way).map(\.objection)
      let others = Self.reviewed(other).map(\.objection)
      guard (objections[..<30] + others[..<30]).allSatisfy({ $0 == nil }) else { continue }
      #expect(objections[30...] == others[30...])
      found += objections[30] == nil ? 0 : 1
    }
    #expect(found > 100, "\(found)")
  }

  @Test func `neither a pole nor the antimeridian is special`() {
    for start in [
      PointSet.legal(89.9998, 10), PointSet.legal(-89.9998, -100), PointSet.legal(0.001, 179.999),
      PointSet.legal(-17, -179.9995), PointSet.legal(60, 0),
    ] {
      var walk = Self.walk(40, from: start)
      #expect(Self.outliers(walk) == [], "\(start)")
      walk[20] = Walks.moved(walk[20], 150, bearing: 33)
      for place in 30..<33 { walk[place] = Walks.moved(walk[place], 200, bearing: 200) }
      #expect(Self.outliers(walk) == [20, 30, 31, 32], "\(start)")
    }
  }

  @Test func `what is no position is not reviewed and hides nothing`() {
    var policy = GatePolicy.careful
    policy.region = .southKorea
    policy.worstAccuracy = 100
    var walk = Self.walk(40)
    walk[10] = Fix(latitude: nil, longitude: nil, time: 1_100)
    walk[11] = Fix(latitude: 0, longitude: 0, time: 1_110)
    walk[13] = Fix(latitude: 200, longitude: .nan)
    walk[14] = Fix(latitude: 35.68, longitude: 139.76, time: 1_140)
    walk[15].accuracy = 500
    walk[12] = Walks.moved(walk[12], 300, bearing: 5)
    let reviewed = Self.reviewed(walk, policy: policy)
    #expect(reviewed.indices.filter { reviewed[$0].objection != nil } == [12])
    // The gate behind it says what is wrong with the others, and believes the rest.
    policy.learnsMotion = false
    var gate = LocationGate(policy)
    let verdicts = reviewed.map { gate.judge($0) }
    #expect(verdicts.indices.filter { verdicts[$0].isRejected } == Array(10...15))
    #expect(verdicts[12].reasons.map(\.code) == [.outlier])
    #expect(verdicts[14].reasons.map(\.code) == [.outsideRegion, .speed])
  }

  @Test func `an outlier leaves the gate as it was`() {
    var walk = Self.walk(40)
    walk[20] = Walks.moved(walk[20], 5_000, bearing: 0)
    var gate = LocationGate(.cinema300m), other = LocationGate(.cinema300m)
    let reviewed = Self.reviewed(walk)
    #expect(reviewed.count == walk.count)
    for (place, fix) in reviewed.enumerated() {
      let verdict = gate.judge(fix)
      if place != 20 { #expect(verdict == other.judge(fix.fix)) }
      #expect(verdict.isRejected == (place == 20))
      #expect(gate == other)
    }
  }

  @Test func `without times fixes count as evenly spaced`() {
    var walk = Walks.changed(Self.walk(40)) { $0.time = nil }
    #expect(Self.outliers(walk) == [])
    walk[20] = Walks.moved(walk[20], 300, bearing: 33)
    #expect(Self.outliers(walk) == [20])
    // One time for all says as little.
    #expect(Self.outliers(Walks.changed(walk) { $0.time = 7 }) == [20])
  }

  @Test func `a fix that does not say counts as accurate to ten meters`() {
    var walk = Self.walk(40)
    walk[20] = Walks.moved(walk[20], 75, bearing: 10)
    let silent = Walks.changed(walk) { $0.accuracy = nil }
    #expect(Self.reviewed(silent).map(\.objection) == Self.reviewed(walk).map(\.objection))
  }

  @Test func `no times, places and accuracies stop it`() {
    var generator = SeededGenerator(seed: 11)
    let odd: [Double?] = [
      nil, .nan, .infinity, -.infinity, 0, -0.0, 1e300, -1e300, 1e15, 1e-300, 90, -90, 180, -180, 7,
    ]
    for lookahead in [2, 3, 8] {
      var filter = OutlierFilter(lookahead: lookahead)
      var count = 0
      for _ in 0..<5_000 {
        let fix = Fix(
          latitude: Bool.random(using: &generator) ? 37.5 : odd.randomElement(using: &generator)!,
          longitude: Bool.random(using: &generator) ? 127 : odd.randomElement(using: &generator)!,
          time: odd.randomElement(using: &generator)!,
          accuracy: odd.randomElement(using: &generator)!)
        if filter.take(fix) != nil { count += 1 }
      }
      #expect(count + filter.finish().count == 5_000)
    }
  }

  @Test func `three fixes are too few to know anything, and say so by saying nothing`() {
    #expect(Self.outliers([]) == [])
    for count in 1...3 {
      var walk = Self.walk(count)
      walk[walk.count - 1] = Walks.moved(walk[walk.count - 1], 1e6, bearing: 0)
      #expect(Self.outliers(walk) == [])
    }
  }

  @Test func `two fixes ahead are enough for a spike, not for a run`() {
    var walk = Self.walk(40)
    walk[10] = Walks.moved(walk[10], 500, bearing: 0)
    for place in 20..<24 { walk[place] = Walks.moved(walk[place], 200, bearing: 90) }
    #expect(Self.outliers(walk, lookahead: 2) == [10])
    #expect(Self.outliers(walk, lookahead: 8) == [10, 20, 21, 22, 23])
  }
}
