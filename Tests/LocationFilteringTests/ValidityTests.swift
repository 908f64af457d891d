import Geodesy
import LocationFiltering
import NearbyTestSupport
import Testing

/// What a fix is refused for by itself.
@Suite struct ValidityTests {
  private static func codes(_ policy: GatePolicy, _ fix: Fix, now: Double? = nil) -> [String] {
    var gate = LocationGate(policy)
    return gate.judge(fix, now: now).reasons.map(\.code.rawValue)
  }

  private static func fix(_ latitude: Double?, _ longitude: Double?) -> Fix {
    Fix(latitude: latitude, longitude: longitude)
  }

  @Test func `what is no position is named for what it is`() {
    let policy = GatePolicy()
    #expect(Self.codes(policy, Self.fix(nil, nil)) == ["no-fix"])
    #expect(Self.codes(policy, Self.fix(37, nil)) == ["no-fix"])
    #expect(Self.codes(policy, Self.fix(.nan, 127)) == ["not-a-number"])
    #expect(Self.codes(policy, Self.fix(37, .infinity)) == ["not-a-number"])
    #expect(Self.codes(policy, Self.fix(127, 37)) == ["lat-lon-swapped"])
    #expect(Self.codes(policy, Self.fix(200, 37)) == ["lat-range"])
    #expect(Self.codes(policy, Self.fix(37, 181)) == ["lon-range"])
    // What Core Location calls the invalid coordinate.
    #expect(Self.codes(policy, Self.fix(-180, -180)) == ["lat-range"])
    #expect(Self.codes(policy, Self.fix(0, 0)) == ["null-island"])
    #expect(Self.codes(policy, Self.fix(0.00049, -0.00049)) == ["null-island"])
    #expect(Self.codes(policy, Self.fix(0.0005, 0)) == ["first-fix"])
    // The equator is a place, unlike in the cinema app.
    #expect(Self.codes(policy, Self.fix(0, 127)) == ["first-fix"])
  }

  @Test func `each corner of the mart app's box is inside, and a step beyond is not`() {
    let step = 0.0001
    for (latitude, longitude) in [(33.0, 126.0), (33, 130), (39, 126), (39, 130)] {
      #expect(Self.codes(.mart0005deg, Self.fix(latitude, longitude)) == ["first-fix"])
      let outward = (latitude == 33 ? -step : step, longitude == 126 ? -step : step)
      #expect(
        Self.codes(.mart0005deg, Self.fix(latitude + outward.0, longitude)) == ["outside-region"])
      #expect(
        Self.codes(.mart0005deg, Self.fix(latitude, longitude + outward.1)) == ["outside-region"])
    }
    #expect(Self.codes(.mart0005deg, Self.fix(.nan, 127)) == ["not-a-number"])
  }

  /// Positions of the islands, to two decimals of a degree or better.
  private static let islands: [(name: String, latitude: Double, longitude: Double)] = [
    ("Jeju", 33.4996, 126.5312), ("Marado", 33.117, 126.267), ("Ulleungdo", 37.4844, 130.9058),
    ("Dokdo", 37.2426, 131.8597), ("Baengnyeongdo", 37.967, 124.71), ("Heuksando", 34.684, 125.435),
    ("Hongdo", 34.686, 125.19), ("Gageodo", 34.05, 125.12),
  ]

  @Test func `Korea has its islands, and the mart app's box lacks some`() {
    var policy = GatePolicy.cinema300m
    policy.region = .southKorea
    for island in Self.islands {
      #expect(
        Self.codes(policy, Self.fix(island.latitude, island.longitude)) == ["first-fix"],
        "\(island.name)")
    }
    let refused = Self.islands.filter {
      Self.codes(.mart0005deg, Self.fix($0.latitude, $0.longitude)) == ["outside-region"]
    }
    #expect(
      refused.map(\.name)
        == ["Ulleungdo", "Dokdo", "Baengnyeongdo", "Heuksando", "Hongdo", "Gageodo"])
    // Tsushima is Japan, whatever the mart app thinks.
    #expect(Self.codes(policy, Self.fix(34.2, 129.29)) == ["outside-region"])
    #expect(Self.codes(.mart0005deg, Self.fix(34.2, 129.29)) == ["first-fix"])
  }

  @Test func `a region of polygons has holes, from which a fix is outside by the way to the rim`()
    throws
  {
    func ring(_ west: Double, _ south: Double, _ east: Double, _ north: Double) throws
      -> [PolygonVertex]
    {
      try [(south, west), (south, east), (north, east), (north, west)].map {
        try PolygonVertex(latitude: $0.0, longitude: $0.1)
      }
    }
    let atoll = try Polygon(
      outer: ring(179, -18, -179, -16), holes: [ring(179.5, -17.5, -179.5, -17)])
    var policy = GatePolicy()
    policy.region = Region(name: "atoll", polygons: [atoll])
    #expect(Self.codes(policy, Self.fix(-17.8, 180)) == ["first-fix"])
    var gate = LocationGate(policy)
    let inHole = gate.judge(Self.fix(-17.25, 179.6)).reasons[0]
    #expect(inHole.code == .outsideRegion && abs((inHole.value ?? .nan) - 10_650) < 100)
    #expect(inHole.description.hasSuffix(" km outside atoll"))
  }

  @Test func `how far outside is said, and a swapped pair that would be inside`() throws {
    var policy = GatePolicy()
    policy.region = .southKorea
    var gate = LocationGate(policy)
    let reasons = gate.judge(Self.fix(48.85, 2.35)).reasons
    #expect(reasons.map(\.code) == [.outsideRegion])
    #expect(reasons[0].description.hasSuffix(" km outside KR"))
    let paris = PointSet.legal(48.85, 2.35)
    #expect(reasons[0].value == Region.southKorea.distance(to: paris).meters)
    // Legal either way: only the region tells.
    policy.region = Region(
      name: "Nairobi", boxes: [try BoundingBox(south: -2, west: 36, north: -1, east: 37)])
    #expect(
      Self.codes(policy, Self.fix(36.8, -1.3)) == ["outside-region", "lat-lon-swapped"])
  }

  @Test func `accuracy, age and programs are judged where the policy asks`() {
    let here = PointSet.legal(37.5, 127)
    var policy = GatePolicy()
    #expect(Self.codes(policy, Fix(here, accuracy: 5_000)) == ["first-fix"])
    // Negative is what devices say for an invalid position, whatever the policy.
    #expect(Self.codes(policy, Fix(here, accuracy: -1)) == ["accuracy"])
    #expect(Self.codes(policy, Fix(here, accuracy: .nan)) == ["accuracy"])
    var gate = LocationGate(policy)
    #expect(
      gate.judge(Fix(here, accuracy: .nan)).reasons.map(\.description)
        == ["the device marks its position as invalid"])
    policy.worstAccuracy = 100
    policy.greatestAge = 60
    policy.greatestLead = 5
    policy.rejectsSimulated = true
    #expect(Self.codes(policy, Fix(here, accuracy: 100)) == ["first-fix"])
    #expect(Self.codes(policy, Fix(here, accuracy: 100.5)) == ["accuracy"])
    #expect(Self.codes(policy, Fix(here)) == ["first-fix"])
    #expect(Self.codes(policy, Fix(here, time: 940), now: 1_000) == ["first-fix"])
    #expect(Self.codes(policy, Fix(here, time: 939.9), now: 1_000) == ["too-old"])
    #expect(Self.codes(policy, Fix(here, time: 1_005.1), now: 1_000) == ["in-future"])
    #expect(Self.codes(policy, Fix(here, time: 10)) == ["first-fix"])
    var simulated = Fix(here, accuracy: 500)
    simulated.isSimulated = true
    #expect(Self.codes(policy, simulated) == ["simulated", "accuracy"])
  }

  @Test func `a bad first fix holds nobody up, except in the mart app as built`() {
    let bad = Self.fix(0, 0), seoul = Self.fix(37.5666, 126.9784)
    for policy in [GatePolicy.cinema300m, .mart0005deg] {
      var gate = LocationGate(policy)
      #expect(gate.judge(bad).isRejected)
      #expect(gate.judge(seoul).isAccepted)
    }
    var gate = LocationGate(.martAsBuilt)
    #expect(gate.judge(bad).isRejected)
    #expect(gate.judge(seoul).name == "held")
    // North and east never count; south does.
    #expect(gate.judge(Self.fix(37.6, 127)).name == "held")
    #expect(gate.judge(Self.fix(37.5994, 127)).isAccepted)
  }
}
