import Geodesy
import SpatialIndexing
import NearbyTestSupport
import Testing

/// Searches between two limits, and how far the origin may move before their answer changes.
@Suite(.inBothOrders) struct KDTreeRingTests {
  @Test(arguments: PointSet.allCases, [33, 1_000])
  func `rings agree with brute force, edges included as they say`(pointSet: PointSet, count: Int) {
    for seed: UInt64 in 0..<6 {
      let (points, origin) = pointSet.sample(count, seed: seed)
      let index = judgedIndex(points)
      let all = BruteForce(points).ranked(from: origin)
      // Limits that some positions lie on exactly.
      let inner = all[count / 5].meters, outer = all[count / 2].meters
      let ring = BruteForce(points).ranked(from: origin, within: outer, beyond: inner)
      for limit in [1, 5, count] {
        let answer = index.nearest(
          limit, to: origin, within: .meters(outer), beyond: .meters(inner))
        #expect(agree(answer.neighbors, Array(ring.prefix(limit))), "seed \(seed), k \(limit)")
      }
      let disk = all.filter { $0.meters <= outer }
      #expect(agree(index.neighbors(within: .meters(outer), of: origin), disk))
      #expect(index.count(within: .meters(outer), of: origin) == disk.count)
    }
  }

  @Test func `what is far away is found beside both poles`() throws {
    // The three are one node, whose middle is on the equator.
    let points = try [(90.0, 179.0), (-90, 179), (1, 179)].map {
      try Coordinate(latitude: $0.0, longitude: $0.1)
    }
    let origin = try Coordinate(latitude: 1, longitude: 1)
    let far = judgedIndex(points).nearest(3, to: origin, beyond: .kilometers(17_000))
    #expect(far.neighbors.map(\.offset) == [2])
  }

  @Test func `nothing is asked for and nothing can be found without a search`() throws {
    let (points, origin) = PointSet.uniform.sample(500, seed: 2)
    let index = judgedIndex(points)
    let nothing = [
      index.nearest(0, to: origin),
      index.nearest(0, to: origin, within: .kilometers(100), beyond: .kilometers(1)),
      index.nearest(5, to: origin, within: .meters(-1)),
      index.nearest(5, to: origin, within: .kilometers(5), beyond: .kilometers(5)),
      index.nearest(5, to: origin, within: .kilometers(5), beyond: .kilometers(9_000)),
      index.nearest(5, to: origin, beyond: .kilometers(30_000)),
      index.nearest(5, to: origin, beyond: .infinity),
    ]
    for answer in nothing {
      #expect(answer.neighbors.isEmpty)
      #expect(answer.validRadius == nil, "no movement changes an empty answer")
      #expect(answer.statistics == SearchStatistics())
    }
    #expect(index.neighbors(within: .meters(-1), of: origin).isEmpty)
    #expect(index.count(within: .meters(-1), of: origin) == 0)
    // Limits that no distance reaches are none.
    let unlimited = index.nearest(5, to: origin)
    #expect(
      index.nearest(5, to: origin, within: .kilometers(30_000), beyond: .meters(-1)).neighbors
        == unlimited.neighbors)
    #expect(
      index.nearest(5, to: origin, within: .kilometers(30_000)).validRadius
        == unlimited.validRadius)
    #expect(index.count(within: .kilometers(30_000), of: origin) == 500)
  }

  @Test func `a ring's valid radius is set by its edges or by who is next`() throws {
    // On the equator, 1° apart and asked from the first: 0, 1, 2, … times as far.
    let points = try (0..<20).map { try Coordinate(latitude: 0, longitude: Double($0)) }
    let index = judgedIndex(points)
    let degree = points[0].distance(to: points[1])
    func radius(_ limit: Int, within outer: Double, beyond inner: Double?) throws -> Double {
      let answer = index.nearest(
        limit, to: points[0], within: degree * outer, beyond: inner.map { degree * $0 })
      return try #require(answer.validRadius).meters / degree.meters
    }
    let tolerance = 1e-9
    // Full: 0 and 1 are found, 2 may overtake 1 after half a degree.
    #expect(abs(try radius(2, within: 9.9, beyond: nil) - 0.5) < tolerance)
    // Full, the next one outside: 1 leaves after 0.3, before 2 can drive it out.
    #expect(abs(try radius(2, within: 1.3, beyond: nil) - 0.3) < tolerance)
    // The same with the limit near the next one: after 0.1 there are three within it.
    #expect(abs(try radius(2, within: 1.9, beyond: nil) - 0.1) < tolerance)
    // Not full: 5 comes in after 0.2.
    #expect(abs(try radius(9, within: 4.8, beyond: 2.3) - 0.2) < tolerance)
    // 2 comes out of the hole after 0.1.
    #expect(abs(try radius(2, within: 9.5, beyond: 2.1) - 0.1) < tolerance)
    // 3 falls into the hole after 0.05.
    #expect(abs(try radius(2, within: 9.5, beyond: 2.95) - 0.05) < tolerance)
  }

  @Test func `a ring far out passes over its hole`() {
    let (points, origin) = PointSet.uniform.sample(50_000, seed: 3)
    let hole = Distance.kilometers(5_000)
    #expect(BruteForce(points).ranked(from: origin, within: hole.meters).count > 5_000)
    let answer = judgedIndex(points).nearest(10, to: origin, beyond: hole) { _ in true }
    #expect(answer.statistics.leavesRead < 400)
    #expect(answer.statistics.predicateCalls < 500)
  }

  @Test(arguments: PointSet.allCases)
  func `the valid radius holds: no smaller move changes the set`(pointSet: PointSet) {
    var generator = SeededGenerator(seed: 7)
    var moveCount = 0
    for seed: UInt64 in 0..<8 {
      let (points, origin) = pointSet.sample(200, seed: seed)
      let index = judgedIndex(points)
      let reach = BruteForce(points).ranked(from: origin)[40].meters
      for (limit, outer, inner) in [
        (3, Distance.infinity, Distance?.none), (3, .meters(reach), nil),
        (500, .meters(reach), nil),
        (5, .meters(reach), .meters(reach / 3)),
      ] {
        let answer = index.nearest(limit, to: origin, within: outer, beyond: inner)
        guard let radius = answer.validRadius, radius.meters > 1e-3, radius.meters < 1e6 else {
          continue
        }
        let before = Set(answer.neighbors.map(\.offset))
        for _ in 0..<4 {
          let moved = origin.destination(
            bearing: Double.random(in: 0..<360, using: &generator), distance: radius * 0.999)
          let after = index.nearest(limit, to: moved, within: outer, beyond: inner)
          #expect(Set(after.neighbors.map(\.offset)) == before, "seed \(seed)")
          moveCount += 1
        }
      }
    }
    // Where all are equally far, any move may change which come first.
    #expect(moveCount > 0 || pointSet == .allEqual)
  }
}
