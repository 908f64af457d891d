import Geodesy
import NearbyTestSupport
import Testing

@testable import SpatialIndexing

/// How far the origin of a far search may move, and the batches that are answered by it.
@Suite(.inBothOrders) struct ClearanceWalkTests {
  private typealias Side = FarQuestionTests.Side

  private static func walk(
    _ index: KDTreeIndex, _ limit: Int, from origin: Coordinate
  ) -> ClearanceWalk {
    index.withTree(of: .any) { tree, categories in
      let packed = PackedTree(tree, categories: categories)
      var search = GroundWalk(packed, origin: origin, limit: limit)
      return ClearanceWalk(packed, origin: origin, answer: search.runInOrder())
    }
  }

  private static func found(
    _ limit: Int, _ index: KDTreeIndex, from origin: Coordinate
  ) -> [Int] {
    var buffer = QueryBuffer()
    index.findNearest(limit, to: origin, into: &buffer)
    return Array(buffer.positions)
  }

  @Test(arguments: FarQuestionTests.Side.allCases, UInt64(0)..<3)
  func `an origin that moves no farther keeps its answer`(
    side: FarQuestionTests.Side, seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    for center in FarQuestionTests.centers {
      let center = PointSet.legal(center.0, center.1)
      let points = FarQuestionTests.cluster(
        300, around: center, degrees: [0.02, 1, 8][Int(seed) % 3], using: &generator)
      let index = judgedIndex(points)
      let origin = side.origin(from: center, using: &generator)
      let ranked = BruteForce(points).ranked(from: origin)
      for limit in [1, 2, 5, 16] {
        let answer = Array(ranked.prefix(limit))
        let walk = ClearanceWalkTests.walk(index, limit, from: origin)
        #expect(walk.reached == answer.last?.meters)
        // Never less than follows from the geodesic being a metric.
        var gap = Double.infinity
        for (one, next) in zip(ranked, ranked.dropFirst()).prefix(limit)
        where points[one.position] != points[next.position] {
          gap = min(gap, next.meters - one.meters)
        }
        let last = points[answer[limit - 1].position]
        if let next = ranked.dropFirst(limit).first(where: { points[$0.position] != last }) {
          gap = min(gap, next.meters - answer[limit - 1].meters)
        }
        let safe = min(gap / 2, answer[0].meters / 4, 100_000)
        #expect(walk.clearance >= safe - 1e-5, "\(origin) to \(center)")
        for _ in 0..<8 {
          let moved = origin.destination(
            bearing: .random(in: 0..<360, using: &generator),
            distance: .meters(walk.clearance * .random(in: 0.9...0.9999, using: &generator)))
          #expect(
            ClearanceWalkTests.found(limit, index, from: moved) == answer.map(\.position),
            "\(walk.clearance) m from \(origin)")
        }
      }
    }
  }

  @Test func `the border between two far positions is met closely`() throws {
    // 1 km apart, 1,000 km away, one of them 18 m nearer: the border is some 18 km away.
    let origin = try Coordinate(latitude: 48, longitude: 11)
    let near = origin.destination(bearing: 300, distance: .kilometers(1_000))
    let back = try #require(near.initialBearing(to: origin))
    let far = near.destination(bearing: back + 91, distance: .kilometers(1))
    let gap = origin.distance(to: far) - origin.distance(to: near)
    let bearings = try [near, far].map { try #require(origin.initialBearing(to: $0)) }
    let border = gap.meters / abs(bearings[1] - bearings[0]) * 180 / .pi
    let clearance = ClearanceWalkTests.walk(judgedIndex([near, far]), 1, from: origin).clearance
    #expect(border > 15_000)
    #expect(clearance < border && clearance > 0.7 * border, "\(clearance) of \(border)")
  }

  @Test(arguments: FarQuestionTests.Side.allCases, UInt64(0)..<3)
  func `a batch of far neighbors is answered as each alone`(
    side: FarQuestionTests.Side, seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    for center in FarQuestionTests.centers {
      let center = PointSet.legal(center.0, center.1)
      let points = FarQuestionTests.cluster(
        300, around: center, degrees: [0.02, 1, 8][Int(seed) % 3], using: &generator)
      let index = judgedIndex(points)
      let origin = side.origin(from: center, using: &generator)
      let spread = [1e-4, 0.05, 2][Int.random(in: 0..<3, using: &generator)]
      let origins = FarQuestionTests.cluster(
        200, around: origin, degrees: spread, using: &generator)
      for limit in [1, 3, 16] {
        let batch = index.findNearest(limit, toEach: origins)
        for (asked, answer) in zip(origins, batch) {
          #expect(
            Array(answer) == ClearanceWalkTests.found(limit, index, from: asked),
            "\(asked) to \(center)")
        }
      }
    }
  }

  @Test func `a batch with categories, some of them empty`() {
    var generator = SeededGenerator(seed: 7)
    let center = PointSet.legal(54, -2)
    let points = FarQuestionTests.cluster(300, around: center, degrees: 1, using: &generator)
    let index = judgedIndex(
      points, categories: points.indices.map { CategorySet(category: $0 % 150 == 0 ? 1 : 0) })
    let origins = FarQuestionTests.cluster(
      300, around: PointSet.legal(37, 127), degrees: 1, using: &generator)
    var buffer = QueryBuffer()
    for category in 0..<3 {
      let wanted = CategorySet(category: category)
      let batch = index.findNearest(3, toEach: origins, categories: wanted)
      for (asked, answer) in zip(origins, batch) {
        index.findNearest(3, to: asked, categories: wanted, into: &buffer)
        #expect(Array(answer) == Array(buffer.positions))
      }
    }
  }
}
