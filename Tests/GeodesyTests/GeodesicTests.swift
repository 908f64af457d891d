import Geodesy
import NearbyTestSupport
import Testing

/// Distances in meters by which two solvers may differ: each is right to some 15 nm.
private let distanceTolerance = 30e-9

/// What an azimuth may be wrong by, in degrees, over a line of a length in meters.
///
/// Rounding the ends moves each by nanometers, which turns a short line; 10⁻¹⁰ degrees is a
/// nanometer over 570 km.
private func azimuthTolerance(over distance: Double) -> Double {
  1e-10 + 3e-7 / max(distance, 1e-3)
}

@Suite struct `Geodesics between two positions` {
  let judge = PROJJudge()

  @Test(arguments: PairClass.allCases, [1, 2] as [UInt64])
  func `the distance agrees with PROJ`(pairClass: PairClass, seed: UInt64) {
    for pair in pairClass.pairs(2_000, seed: seed) {
      let expected = judge.inverse(
        pair.latitude1, pair.longitude1, pair.latitude2, pair.longitude2)
      let line = pair.inverse
      #expect(abs(line.distance - expected.distance) <= distanceTolerance, "\(pair)")
      #expect(pair.distance == line.distance, "\(pair)")
    }
  }

  /// Near opposite points, azimuths turn by degrees for each meter; there ends rounded by
  /// nanometers allow 10⁻⁶.
  @Test(arguments: PairClass.allCases, [1, 2] as [UInt64])
  func `the azimuths agree with PROJ`(pairClass: PairClass, seed: UInt64) {
    let isOpposite = [.nearAntipodal, .nearAstroid, .equatorial, .nearEquatorial, .nearMeridional]
      .contains(pairClass)
    var count = 0
    for pair in pairClass.pairs(2_000, seed: seed) {
      let expected = judge.inverse(
        pair.latitude1, pair.longitude1, pair.latitude2, pair.longitude2)
      guard expected.distance > 0 else { continue }
      count += 1
      let line = pair.inverse
      let tolerance =
        isOpposite && expected.distance > 19e6 ? 1e-6 : azimuthTolerance(over: expected.distance)
      #expect(turn(line.azimuth1, expected.azimuth1) <= tolerance, "\(pair)")
      #expect(turn(line.azimuth2, expected.azimuth2) <= tolerance, "\(pair)")
    }
    #expect(count > 1_000)
  }

  @Test(arguments: PairClass.allCases)
  func `the distance is the same to the last bit after exchanging or mirroring`(
    pairClass: PairClass
  ) {
    for pair in pairClass.pairs(2_000, seed: 3) {
      let distance = pair.distance
      #expect(pair.exchanged.distance == distance, "\(pair)")
      #expect(pair.latitudesMirrored.distance == distance, "\(pair)")
      #expect(pair.longitudesMirrored.distance == distance, "\(pair)")
      #expect(pair.exchanged.latitudesMirrored.longitudesMirrored.distance == distance, "\(pair)")
    }
  }

  @Test func `the distance from a pole is the same whatever longitude the pole has`() {
    for pair in PairClass.anywhere.pairs(500, seed: 4) {
      for pole in [90.0, -90] {
        func distance(_ longitude: Double) -> Double {
          Geodesic.distance(
            latitude1: pole, longitude1: longitude, latitude2: pair.latitude2,
            longitude2: pair.longitude2)
        }
        #expect(distance(pair.longitude1) == distance(0))
        #expect(distance(pair.longitude2) == distance(0))
        #expect(distance(-180) == distance(0))
        #expect(distance(180) == distance(0))
      }
    }
  }

  @Test func `the distance between equal positions is exactly zero`() {
    for pair in PairClass.anywhere.pairs(1_000, seed: 5) {
      let here = PositionPair(
        latitude1: pair.latitude1, longitude1: pair.longitude1, latitude2: pair.latitude1,
        longitude2: pair.longitude1)
      #expect(here.distance == 0, "\(here)")
    }
    for longitude in stride(from: -180.0, through: 180, by: 7.5) {
      for pole in [90.0, -90] {
        let pair = PositionPair(
          latitude1: pole, longitude1: 12.5, latitude2: pole, longitude2: longitude)
        #expect(pair.distance == 0, "\(pair)")
      }
    }
    let seam = PositionPair(latitude1: 17, longitude1: 180, latitude2: 17, longitude2: -180)
    #expect(seam.distance == 0)
  }

  @Test func `from pole to pole it is half a meridian, the longest distance`() {
    let pair = PositionPair(latitude1: 90, longitude1: 10, latitude2: -90, longitude2: -35)
    #expect(abs(pair.distance - WGS84.longestDistance) <= WGS84.longestDistance.ulp)
    for pair in PairClass.nearAntipodal.pairs(5_000, seed: 6) {
      #expect(pair.distance <= WGS84.longestDistance + distanceTolerance, "\(pair)")
    }
  }

  @Test func `positions a picometer apart and less are told apart or equal, never wrong`() {
    for step in [1e-300, 1e-200, 1e-100, 1e-20, 5e-18, 1e-17, 1e-16, 1e-15] {
      let expected = judge.inverse(0, 0, step, step).distance
      let pair = PositionPair(latitude1: 0, longitude1: 0, latitude2: step, longitude2: step)
      #expect(abs(pair.distance - expected) <= 1e-12, "\(step)")
      let opposite = PositionPair(
        latitude1: step, longitude1: 0, latitude2: step, longitude2: 180 - 1e-13)
      let far = judge.inverse(step, 0, step, 180 - 1e-13).distance
      #expect(abs(opposite.distance - far) <= distanceTolerance, "\(step)")
    }
  }

  @Test func `every pair of awkward latitudes and longitudes agrees with PROJ`() {
    let northern: [Double] = [
      0, 1e-300, 1e-17, 1e-14, 1e-8, 0.3, 30, 45, 89.9, 89.99999, 89.999999999, 90.0.nextDown, 90,
    ]
    let eastern: [Double] = [
      0, 1e-300, 1e-15, 1e-9, 0.1, 90, 179, 179.39646, 179.5, 179.9, 179.999999, 180.0.nextDown,
      180,
    ]
    for latitude1 in northern + northern.map(-) {
      for latitude2 in northern + northern.map(-) {
        for longitude in eastern + eastern.map(-) {
          for start in [0.0, -180, 33.3] {
            let pair = PositionPair(
              latitude1: latitude1, longitude1: start, latitude2: latitude2,
              longitude2: Coordinate.wrappedLongitude(start + longitude))
            let expected = judge.inverse(latitude1, start, latitude2, pair.longitude2).distance
            let line = pair.inverse
            #expect(abs(line.distance - expected) <= distanceTolerance, "\(pair)")
            #expect(line.distance >= 0 && line.distance == pair.distance, "\(pair)")
            #expect(abs(line.azimuth1) <= 180 && abs(line.azimuth2) <= 180, "\(pair)")
          }
        }
      }
    }
  }

  @Test func `longitudes beyond 180 are counted round the Earth`() {
    let line = Geodesic.inverse(latitude1: 0, longitude1: 539, latitude2: 0, longitude2: 181)
    #expect(abs(line.distance - 222_638.981586547) < 1e-6)
    #expect(line.azimuth1 == 90)
    #expect(line.azimuth2 == 90)
  }
}

@Suite struct `Geodesics from a position in a direction` {
  let judge = PROJJudge()

  @Test(arguments: [-3...0, 0...3, 3...6, 6...7.3] as [ClosedRange<Double>])
  func `they agree with PROJ`(exponents: ClosedRange<Double>) {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<4_000 {
      let start = PointSet.anywhere(using: &generator)
      let azimuth = Double.random(in: -180...180, using: &generator)
      let distance = PairClass.power(exponents, using: &generator)
      let expected = judge.direct(
        start.latitude, start.longitude, azimuth: azimuth, distance: distance)
      let end = Geodesic.direct(
        latitude: start.latitude, longitude: start.longitude, azimuth: azimuth, distance: distance)
      let miss = judge.inverse(
        expected.latitude, expected.longitude, end.latitude, end.longitude)
      #expect(miss.distance <= distanceTolerance, "\(start) \(azimuth) \(distance)")
      // Near a pole the azimuth turns with the longitude; their difference is what is well known.
      let turned = turn(
        end.azimuth - expected.azimuth, end.longitude - expected.longitude)
      let side = start.latitude > 0 ? 1.0 : -1
      let alternative = turn(
        end.azimuth - expected.azimuth, -side * (end.longitude - expected.longitude))
      #expect(
        min(turned, alternative, turn(end.azimuth, expected.azimuth)) <= 1e-9,
        "\(start) \(azimuth) \(distance)")
    }
  }

  @Test(arguments: PairClass.allCases)
  func `following the inverse arrives where it should`(pairClass: PairClass) {
    for pair in pairClass.pairs(1_000, seed: 8) {
      let line = pair.inverse
      let end = Geodesic.direct(
        latitude: pair.latitude1, longitude: pair.longitude1, azimuth: line.azimuth1,
        distance: line.distance)
      let miss = Geodesic.distance(
        latitude1: end.latitude, longitude1: end.longitude, latitude2: pair.latitude2,
        longitude2: pair.longitude2)
      // Both ways round: twice the error of one.
      #expect(miss <= 2 * distanceTolerance, "\(pair)")
    }
  }

  @Test func `from a pole they run down the meridian that the azimuth names`() {
    let end = Geodesic.direct(latitude: 90, longitude: 20, azimuth: 150, distance: 1_000_000)
    let expected = judge.direct(90, 20, azimuth: 150, distance: 1_000_000)
    #expect(abs(end.latitude - expected.latitude) < 1e-12)
    #expect(turn(end.longitude, expected.longitude) < 1e-12)
    #expect(turn(end.longitude, 50) < 1e-12)
  }

  @Test func `along the equator they stay on it, any number of times round`() {
    let circumference = 2 * Double.pi * WGS84.equatorialRadius
    for turns in [0.25, 0.75, 1, 2.5, -0.25, -3] {
      let end = Geodesic.direct(
        latitude: 0, longitude: 0, azimuth: 90, distance: turns * circumference)
      #expect(end.latitude == 0)
      #expect(turn(end.longitude, turns * 360) < 1e-12)
    }
  }

  @Test func `over a pole they come down on the other side`() {
    let end = Geodesic.direct(latitude: 89, longitude: 30, azimuth: 0, distance: 223_387.9)
    #expect(abs(end.latitude - 89) < 1e-5)
    #expect(end.longitude == -150)
    #expect(end.azimuth == 180)
  }
}
