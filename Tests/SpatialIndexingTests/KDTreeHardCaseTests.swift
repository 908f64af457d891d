import Geodesy
import SpatialIndexing
import NearbyTestSupport
import Testing

/// What floats, chords and bounds might get wrong.
@Suite(.inBothOrders) struct KDTreeHardCaseTests {
  @Test(arguments: PointSet.allCases)
  func `from the antipode, where chords say least, the order is the geodesic's`(
    pointSet: PointSet
  ) {
    for seed: UInt64 in 0..<4 {
      let (points, near) = pointSet.sample(300, seed: seed)
      let origin = PointSet.legal(
        -near.latitude, Coordinate.wrappedLongitude(near.longitude + 180))
      let expected = BruteForce(points).ranked(from: origin)
      for limit in [1, 10, 299] {
        let answer = judgedIndex(points).nearest(limit, to: origin)
        #expect(agree(answer.neighbors, Array(expected.prefix(limit))), "seed \(seed), k \(limit)")
      }
    }
  }

  @Test(arguments: [0.5, 300, 20_000, 900_000, 5e6, 1.5e7, 1.99e7], UInt64(0)..<3)
  func `positions on a circle, within 100 nm of each other, are in order`(
    meters: Double, seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    let origin = PointSet.anywhere(using: &generator)
    let points = (0..<600).map { _ in
      origin.destination(
        bearing: Double.random(in: 0..<360, using: &generator),
        distance: .meters(meters + Double.random(in: -5e-8...5e-8, using: &generator)))
    }
    let index = judgedIndex(points)
    let expected = BruteForce(points).ranked(from: origin)
    for limit in [1, 7, 300, 599] {
      #expect(agree(index.nearest(limit, to: origin).neighbors, Array(expected.prefix(limit))))
      let radius = Distance.meters(expected[limit].meters)
      let inside = expected.count { $0.meters <= radius.meters }
      #expect(index.count(within: radius, of: origin) == inside)
    }
    #expect(agree(Array(index.neighborsByDistance(from: origin)), expected))
  }

  @Test(arguments: [
    (90.0, 0.0), (-90, 0), (0, 0), (0, 90), (0, -180), (0, -90), (45, -180), (37.5, 127),
  ])
  func `positions a billionth of a degree apart are told apart`(
    latitude: Double, longitude: Double
  ) {
    var generator = SeededGenerator(seed: 5)
    func nearby(_ degrees: Double) -> Coordinate {
      PointSet.legal(
        min(90, max(-90, latitude + Double.random(in: -degrees...degrees, using: &generator))),
        Coordinate.wrappedLongitude(
          longitude + Double.random(in: -degrees...degrees, using: &generator)))
    }
    let points = (0..<500).map { nearby([1e-9, 1e-10, 1e-12, 1e-8][$0 % 4]) }
    let index = judgedIndex(points)
    for origin in [PointSet.legal(latitude, longitude), nearby(1e-9), nearby(1e-3)] {
      let expected = BruteForce(points).ranked(from: origin)
      for limit in [1, 10, 250] {
        let answer = index.nearest(limit, to: origin)
        #expect(agree(answer.neighbors, Array(expected.prefix(limit))))
      }
      #expect(agree(Array(index.neighborsByDistance(from: origin)), expected))
    }
  }

  @Test func `fifty thousand equal positions come out by position`() throws {
    let place = try Coordinate(latitude: 37.5666, longitude: 126.9784)
    let index = judgedIndex(Array(repeating: place, count: 50_000))
    let answer = index.nearest(1_000, to: place)
    #expect(answer.neighbors.map(\.offset) == Array(0..<1_000))
    #expect(answer.validRadius == .zero)
    #expect(index.count(in: BoundingBox(around: place, radius: .zero)) == 50_000)
  }

  @Test func `longitude means nothing at a pole`() throws {
    let pole = try Coordinate(latitude: 90, longitude: 12)
    let points = try (0..<100).map {
      try Coordinate(latitude: $0 % 2 == 0 ? 90 : 89.5, longitude: Double($0) * 3 - 150)
    }
    let answer = judgedIndex(points).nearest(50, to: pole)
    #expect(answer.neighbors.map(\.offset) == points.indices.filter { $0 % 2 == 0 })
    #expect(answer.neighbors.allSatisfy { $0.distance == .zero })
  }

  @Test(arguments: [PointSet.uniform, .clustered, .city, .polarCap])
  func `thirty thousand positions are searched exactly`(pointSet: PointSet) {
    let (points, origin) = pointSet.sample(30_000, seed: 17)
    let index = judgedIndex(points)
    let expected = BruteForce(points).ranked(from: origin)
    for limit in [1, 10, 1_000] {
      let answer = index.nearest(limit, to: origin)
      #expect(agree(answer.neighbors, Array(expected.prefix(limit))))
      #expect(agree(answer.validRadius, withGapIn: expected, after: limit))
      let radius = Distance.meters(expected[limit].meters)
      let inside = expected.count { $0.meters <= radius.meters }
      #expect(index.count(within: radius, of: origin) == inside)
    }
    #expect(
      agree(
        Array(index.neighborsByDistance(from: origin).prefix(500)), expected.prefix(500)))
  }
}
