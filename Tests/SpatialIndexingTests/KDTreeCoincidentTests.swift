import Geodesy
import SpatialIndexing
import NearbyTestSupport
import Testing

/// Many neighbors, and many that are equally far or nearly so.
@Suite(.inBothOrders) struct KDTreeCoincidentTests {
  private static let limits = [1, 2, 10, 16, 17, 48, 49, 64, 100, 300, 1_000, 2_999, 3_000, 5_000]

  private func near(
    _ center: Coordinate, degrees: Double, using generator: inout SeededGenerator
  ) -> Coordinate {
    PointSet.legal(
      center.latitude + Double.random(in: -degrees...degrees, using: &generator),
      center.longitude + Double.random(in: -degrees...degrees, using: &generator))
  }

  private func expectOrder(
    of points: [Coordinate], from origins: [Coordinate],
    limits: [Int] = KDTreeCoincidentTests.limits,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let index = judgedIndex(points)
    let judge = BruteForce(points)
    var buffer = QueryBuffer()
    for origin in origins {
      let expected = judge.ranked(from: origin)
      for limit in limits {
        index.findNearest(limit, to: origin, into: &buffer)
        #expect(
          Array(buffer.positions) == expected.prefix(limit).map(\.position),
          "k \(limit) from \(origin)", sourceLocation: sourceLocation)
        index.measureNearest(limit, to: origin, into: &buffer)
        #expect(
          agree(buffer.neighbors, expected.prefix(limit)), "measured, k \(limit) from \(origin)",
          sourceLocation: sourceLocation)
      }
    }
  }

  @Test(arguments: [1, 30, 150, 700], [true, false])
  func `runs of equal places come out by position`(run: Int, isDecimal: Bool) {
    var generator = SeededGenerator(seed: UInt64(run))
    let scale = isDecimal ? 1e7 : 1e9 * Double.pi
    func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
      PointSet.legal((latitude * scale).rounded() / scale, (longitude * scale).rounded() / scale)
    }
    let places = (0..<max(4, 3_000 / run)).map { _ in
      place(
        51.5 + Double.random(in: -0.05...0.05, using: &generator),
        -0.12 + Double.random(in: -0.05...0.05, using: &generator))
    }
    // Positions of one place lie far apart in the collection.
    var points = (0..<3_000).map { places[$0 % places.count] }
    points.shuffle(using: &generator)
    expectOrder(of: points, from: [places[1], place(51.503, -0.127), place(51.9, -0.5)])
  }

  @Test(arguments: [2.0, 800, 60_000, 700_000])
  func `rings of positions equally far come out as the geodesics say`(meters: Double) {
    var generator = SeededGenerator(seed: 11)
    let origin = PointSet.legal(48.2, 16.37)
    // Mirror images across the meridian are exactly as far; rings lie nanometers or meters apart.
    let points = (0..<1_500).flatMap { number in
      let bearing = Double.random(in: 0...180, using: &generator)
      let ring = meters * (1 + Double(number % 3) * 0.01)
      let end = origin.destination(
        bearing: bearing,
        distance: .meters(ring + Double.random(in: -1e-7...1e-7, using: &generator)))
      return [
        end, PointSet.legal(end.latitude, 2 * origin.longitude - end.longitude),
      ]
    }
    expectOrder(of: points, from: [origin], limits: [1, 16, 17, 48, 49, 100, 999, 1_001, 3_000])
  }

  @Test(arguments: UInt64(0)..<4)
  func `coincident points far away behind a few near ones are told apart`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let origin = PointSet.legal(35 + Double(seed) * 9, 20)
    let city = origin.destination(
      bearing: Double(seed) * 80, distance: .kilometers([150, 600, 1_500, 2_300][Int(seed)]))
    let points = (0..<3_000).map { number in
      number < 12
        ? near(origin, degrees: 0.01, using: &generator)
        : near(city, degrees: 0.02, using: &generator)
    }
    expectOrder(of: points, from: [origin], limits: [1, 12, 13, 16, 17, 100, 1_000, 2_999])
  }

  @Test(arguments: UInt64(0)..<3)
  func `twenty thousand in one street and one place leave room for an answer`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let place = PointSet.legal(37.5665, 126.978)
    let points = (0..<20_000).map { number in
      number % 4 == 0 ? place : near(place, degrees: 2e-5, using: &generator)
    }
    expectOrder(
      of: points, from: [place, near(place, degrees: 1, using: &generator)],
      limits: [1, 17, 100, 4_999, 5_001])
  }

  @Test(arguments: PointSet.allCases, UInt64(0)..<3)
  func `three thousand of any kind come out in order`(pointSet: PointSet, seed: UInt64) {
    let (points, origin) = pointSet.sample(3_000, seed: seed)
    expectOrder(of: points, from: [origin, points[7]], limits: [17, 48, 49, 100, 1_000, 5_000])
  }
}
