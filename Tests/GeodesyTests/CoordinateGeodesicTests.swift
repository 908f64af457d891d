import Geodesy
import NearbyTestSupport
import Testing

@Suite struct `Distances and bearings of coordinates` {
  let judge = PROJJudge()

  private func coordinates(of pair: PositionPair) -> (Coordinate, Coordinate) {
    (
      PointSet.legal(pair.latitude1, pair.longitude1),
      PointSet.legal(pair.latitude2, pair.longitude2)
    )
  }

  @Test(arguments: PairClass.allCases)
  func `the midpoint is as far from both ends, and half the way`(pairClass: PairClass) {
    for pair in pairClass.pairs(500, seed: 14) {
      let (start, end) = coordinates(of: pair)
      let middle = start.midpoint(to: end)
      let half = start.distance(to: end).meters / 2
      #expect(abs(start.distance(to: middle).meters - half) <= 60e-9, "\(pair)")
      #expect(abs(middle.distance(to: end).meters - half) <= 60e-9, "\(pair)")
    }
  }

  @Test(arguments: PairClass.allCases)
  func `going the bearing and the distance arrives at the other end`(pairClass: PairClass) throws {
    var count = 0
    for pair in pairClass.pairs(500, seed: 15) {
      let (start, end) = coordinates(of: pair)
      guard start.distance(to: end) > .zero else { continue }
      count += 1
      let bearing = try #require(start.initialBearing(to: end), "\(pair)")
      #expect((0..<360).contains(bearing), "\(pair)")
      let arrival = start.destination(bearing: bearing, distance: start.distance(to: end))
      #expect(arrival.distance(to: end).meters <= 60e-9, "\(pair)")
    }
    #expect(count > 400)
  }

  @Test func `the public line agrees with the bare one`() throws {
    let seoul = try Coordinate(latitude: 37.5665, longitude: 126.978)
    let suva = try Coordinate(latitude: -18.1416, longitude: 178.4419)
    let line = Geodesic.inverse(from: seoul, to: suva)
    let expected = judge.inverse(37.5665, 126.978, -18.1416, 178.4419)
    #expect(line.distance == seoul.distance(to: suva))
    #expect(abs(line.distance.meters - expected.distance) < 30e-9)
    #expect(abs(line.azimuth1 - expected.azimuth1) < 1e-11)
    #expect(abs(line.azimuth2 - expected.azimuth2) < 1e-11)
  }

  /// Azimuths of 32 digits (mpmath): the differential equation of the geodesic, shot at the second end.
  @Test(
    arguments: [
      (37.5665, 126.978, 37.5796, 126.977, 356.523392485508208),
      (37.5665, 126.978, 37.5666, 126.9781, 38.5198309390316669),
      (-41.2865, 174.7762, -41.35, 174.71, 218.144260410822042),
      (0.01, 179.99, -0.02, -179.97, 126.685345272745537),
      (0, 10, 0, 10.05, 90.0),
      (64.1466, -21.9426, 64.07, -22.03, 206.552965535946531),
      (-77.85, 166.67, -77.805, 166.32, 301.194411125860175),
      (88.9, -60, 88.93, -59, 31.7605070925515456),
      (51.4778, -0.0015, 51.4779, 0.12, 89.8769529922365476),
    ] as [(Double, Double, Double, Double, Double)])
  func `a short bearing is right to a trillionth of a degree`(
    _ line: (Double, Double, Double, Double, bearing: Double)
  ) throws {
    let start = try Coordinate(latitude: line.0, longitude: line.1)
    let end = try Coordinate(latitude: line.2, longitude: line.3)
    let bearing = try #require(start.initialBearing(to: end))
    #expect(turn(bearing, line.bearing) < 1e-12)
  }

  @Test func `short bearings are the azimuths of the general method`() throws {
    var generator = SeededGenerator(seed: 16)
    var nearCount = 0
    for _ in 0..<20_000 {
      let start = PointSet.anywhere(using: &generator)
      let end = start.destination(
        bearing: .random(in: 0...360, using: &generator),
        distance: .meters(PairClass.power(0...4.3, using: &generator)))
      let line = Geodesic.inverse(from: start, to: end)
      guard line.distance > .zero, !start.isPole else { continue }
      let bearing = try #require(start.initialBearing(to: end))
      // The general method may be 15 nm beside the other end.
      let tolerance = degrees(20e-9 / line.distance.meters) + 1e-12
      #expect(turn(bearing, line.azimuth1 < 0 ? line.azimuth1 + 360 : line.azimuth1) < tolerance)
      let near = LineOrigin(start).nearAzimuth(latitude: end.latitude, longitude: end.longitude)
      if near != nil { nearCount += 1 }
    }
    #expect(nearCount > 18_000)
  }

  @Test func `there is no bearing from a pole, nor to where one is`() throws {
    let pole = try Coordinate(latitude: 90, longitude: 5)
    let place = try Coordinate(latitude: 10, longitude: 20)
    #expect(pole.initialBearing(to: place) == nil)
    #expect(place.initialBearing(to: place) == nil)
    #expect(place.initialBearing(to: pole) == 0)
    #expect(
      place.initialBearing(to: try Coordinate(latitude: -90, longitude: 5)) == 180)
  }

  @Test func `a bearing just west of north stays below 360`() throws {
    let start = try Coordinate(latitude: 0, longitude: 0)
    let end = try Coordinate(latitude: 60, longitude: -1e-15)
    let bearing = try #require(start.initialBearing(to: end))
    #expect((0..<360).contains(bearing))
    #expect(turn(bearing, 0) < 1e-12)
  }

  @Test func `distance zero is where one is`() throws {
    let place = try Coordinate(latitude: 48.2, longitude: 16.4)
    let same = place.destination(bearing: 77, distance: .zero)
    #expect(place.distance(to: same).meters <= 2e-9)
    #expect(place.midpoint(to: place) == place)
  }

  @Test func `a destination across the antimeridian is on the other side`() throws {
    let fiji = try Coordinate(latitude: -17, longitude: 179.99)
    let east = fiji.destination(bearing: 90, distance: .kilometers(5))
    #expect(east.longitude < -179.9)
    let back = east.destination(bearing: 270, distance: .kilometers(5))
    #expect(back.distance(to: fiji).meters < 5)
  }

  @Test func `the sphere is at most 0.6 percent off the ellipsoid`() {
    for pair in PairClass.anywhere.pairs(2_000, seed: 16) {
      let (start, end) = coordinates(of: pair)
      let ratio = start.greatCircleDistance(to: end).meters / start.distance(to: end).meters
      #expect(abs(ratio - 1) < 0.006, "\(pair)")
    }
  }
}
