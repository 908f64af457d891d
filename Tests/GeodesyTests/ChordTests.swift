import Geodesy
import NearbyTestSupport
import Testing

@Suite struct `Chords and geodesics` {
  private func chord(_ pair: PositionPair) -> Double {
    let start = ECEFPosition(latitude: pair.latitude1, longitude: pair.longitude1)
    let end = ECEFPosition(latitude: pair.latitude2, longitude: pair.longitude2)
    return start.squaredChord(to: end).squareRoot()
  }

  private func expectBracket(_ pair: PositionPair, _ geodesic: Double) {
    let chord = chord(pair)
    #expect(ChordBracket.shortestGeodesic(chord: chord) <= geodesic, "\(pair)")
    #expect(ChordBracket.longestGeodesic(chord: chord) >= geodesic, "\(pair)")
    #expect(ChordBracket.shortestChord(geodesic: geodesic) <= chord, "\(pair)")
    #expect(ChordBracket.longestChord(geodesic: geodesic) >= chord, "\(pair)")
    let both = ChordBracket.geodesics(chord: chord)
    #expect(both.shortest <= geodesic && geodesic <= both.longest, "\(pair)")
  }

  @Test(arguments: PairClass.allCases)
  func `no pair of any class violates the bracket`(pairClass: PairClass) {
    for pair in pairClass.pairs(2_000, seed: 12) { expectBracket(pair, pair.distance) }
  }

  @Test(arguments: -3...7)
  func `no pair of any length violates the bracket, by PROJ's distances`(exponent: Int) {
    let judge = PROJJudge()
    var generator = SeededGenerator(seed: UInt64(100 + exponent))
    for _ in 0..<8_000 {
      let start = PointSet.anywhere(using: &generator)
      let length = min(
        20_003_931, PairClass.power(Double(exponent)...Double(exponent + 1), using: &generator))
      let end = judge.direct(
        start.latitude, start.longitude,
        azimuth: Double.random(in: -180...180, using: &generator), distance: length)
      let pair = PositionPair(
        latitude1: start.latitude, longitude1: start.longitude, latitude2: end.latitude,
        longitude2: Coordinate.wrappedLongitude(end.longitude))
      expectBracket(
        pair,
        judge.inverse(pair.latitude1, pair.longitude1, pair.latitude2, pair.longitude2).distance)
    }
  }

  @Test func `the bracket is as narrow as it should be`() {
    // 2.1·10⁻¹⁷ c³ meters, and twice the margin of 10 nm.
    for chord in [0.0, 1, 100, 1_000, 10_000, 100_000] {
      let width =
        ChordBracket.longestGeodesic(chord: chord) - ChordBracket.shortestGeodesic(chord: chord)
      #expect(width >= 0)
      #expect(width <= 2.1e-17 * chord * chord * chord + 41e-9 + 5e-15 * chord, "\(chord)")
      let both = ChordBracket.geodesics(chord: chord)
      let excess = both.longest - both.shortest - width
      #expect(excess <= 1.1e-19 * chord * chord * chord + 5e-15 * chord + 1e-9, "\(chord)")
    }
  }

  @Test func `bounds grow with what they are asked for`() {
    var previous = (0.0, 0.0, 0.0, 0.0)
    for step in 0...4_100 {
      let length = Double(step) * 5_000
      let bounds = (
        ChordBracket.shortestGeodesic(chord: length), ChordBracket.longestGeodesic(chord: length),
        ChordBracket.shortestChord(geodesic: length), ChordBracket.longestChord(geodesic: length)
      )
      #expect(bounds.0 >= previous.0)
      #expect(bounds.1 >= previous.1)
      #expect(bounds.2 >= previous.2)
      #expect(bounds.3 >= previous.3)
      previous = bounds
    }
  }

  @Test func `lengths beyond the Earth are bounded by its size`() {
    let longest = WGS84.longestDistance
    for length in [12_756_274, 13_000_000, Double.infinity] {
      #expect(abs(ChordBracket.longestGeodesic(chord: length) - longest) < 1e-6)
    }
    #expect(abs(ChordBracket.longestChord(geodesic: .infinity) - 12_756_274) < 1e-6)
    #expect(
      abs(ChordBracket.shortestChord(geodesic: longest) - 2 * WGS84.smallestCurvatureRadius) < 1e-6)
    #expect(ChordBracket.shortestGeodesic(chord: 0) == 0)
    #expect(ChordBracket.shortestChord(geodesic: 0) == 0)
  }

  @Test func `the radii of curvature bound what the proof says they bound`() {
    // A shortest line longer than πR₁ has a chord of more than 2R₁.
    let angle = Double.pi * WGS84.smallestCurvatureRadius / WGS84.equatorialRadius
    #expect(
      2 * WGS84.polarRadius * sine(angle / 2) > 2 * WGS84.smallestCurvatureRadius + 40_000)
    #expect(WGS84.longestDistance < .pi * WGS84.largestCurvatureRadius)
  }

  @Test func `positions on the axes are exact`() throws {
    for longitude in [-180.0, -77, 0, 33.3, 180] {
      let pole = ECEFPosition(try Coordinate(latitude: 90, longitude: longitude))
      #expect(pole.x == 0)
      #expect(pole.y == 0)
      #expect(pole.z == WGS84.polarRadius)
    }
    let equator = ECEFPosition(try Coordinate(latitude: 0, longitude: 90))
    #expect(equator == ECEFPosition(latitude: 0, longitude: 90))
    #expect(equator.x == 0)
    #expect(equator.y == WGS84.equatorialRadius)
    #expect(equator.z == 0)
    let dateLine = ECEFPosition(latitude: 0, longitude: -180)
    #expect(dateLine == ECEFPosition(latitude: 0, longitude: 180))
    #expect(dateLine.x == -WGS84.equatorialRadius)
    #expect(dateLine.y == 0)
  }

  @Test func `the place under a position is the position, with −180 for 180`() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<1_000 {
      let place = PointSet.anywhere(using: &generator)
      #expect(ECEFPosition(place).placeUnder.distance(to: place) < .meters(1e-7))
    }
    let antimeridian = ECEFPosition(x: -WGS84.equatorialRadius, y: 0, z: 0).placeUnder
    #expect(antimeridian.latitude == 0 && antimeridian.longitude == -180)
    #expect(ECEFPosition(x: 0, y: 0, z: WGS84.polarRadius).placeUnder.latitude == 90)
  }

  @Test func `positions agree with the textbook formula`() {
    // X = N cos φ cos λ, Z = N (1 − e²) sin φ, with N = a / √(1 − e² sin²φ).
    var generator = SeededGenerator(seed: 13)
    for _ in 0..<2_000 {
      let place = PointSet.anywhere(using: &generator)
      let (phi, lambda) = (radians(place.latitude), radians(place.longitude))
      let normal =
        WGS84.equatorialRadius
        / (1 - WGS84.eccentricitySquared * sine(phi) * sine(phi)).squareRoot()
      let position = ECEFPosition(place)
      #expect(abs(position.x - normal * cosine(phi) * cosine(lambda)) < 5e-9)
      #expect(abs(position.y - normal * cosine(phi) * sine(lambda)) < 5e-9)
      #expect(abs(position.z - normal * (1 - WGS84.eccentricitySquared) * sine(phi)) < 5e-9)
    }
  }
}
