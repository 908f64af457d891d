import CNearbyKernels
import Geodesy
import NearbyTestSupport
import Testing

@testable import SpatialIndexing

/// The least of numbers within a distance, in every set of instructions that this processor has.
@Suite(.inBothOrders) struct PositionMinimaTests {
  /// A number for each position: small ones rare, some that are never the least.
  private static func numbers(_ count: Int, seed: UInt64) -> [UInt32] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      let number = random.next()
      return number % 3 == 0 ? PositionMinima.none : UInt32(truncatingIfNeeded: number >> 40)
    }
  }

  @Test(arguments: PointSet.allCases, VectorLevel.available)
  func `the least within a distance is what brute force finds`(
    pointSet: PointSet, level: VectorLevel
  ) {
    for seed in UInt64(0)..<3 {
      for (points, origin) in SmallKSearchTests.samples(pointSet, 700, seed: seed) {
        let index = judgedIndex(points).searched(with: level)
        let numbers = Self.numbers(points.count, seed: seed)
        let minima = PositionMinima(of: index) { numbers[$0] }
        let ranked = BruteForce(points).ranked(from: origin)
        for radius in AreaSearchTests.radii(ranked) {
          for bound in [PositionMinima.none, 1 << 23, 1 << 18, 0] {
            let least = ranked.filter { $0.meters <= radius }.map { numbers[$0.position] }.min()
            let expected = min(least ?? bound, bound)
            let found = index.least(
              of: minima, within: .meters(radius), of: origin, below: bound,
              edge: { position, distance in
                #expect(abs(distance.meters - radius) <= 0.001 + radius * 0.1)
                return distance.meters <= radius
              })
            #expect(found == expected, "\(radius) m below \(bound), seed \(seed)")
            let asked = index.least(
              of: minima, within: .meters(radius), of: origin, below: bound,
              where: { _, distance in distance.map { $0.meters <= radius } ?? true })
            #expect(asked == expected, "\(radius) m below \(bound), asked, seed \(seed)")
          }
        }
      }
    }
  }

  @Test func `coincident points on the edge of a circle are measured one by one`() throws {
    let coincident = try Coordinate(latitude: 37.5, longitude: 127)
    let inside = try Coordinate(latitude: 37.501, longitude: 127)
    let origin = try Coordinate(latitude: 37.505, longitude: 127)
    let index = KDTreeIndex([inside] + Array(repeating: coincident, count: 200))
    let minima = PositionMinima(of: index) { UInt32(1_000 - $0) }
    let radius = origin.distance(to: coincident)
    // Of those at the very distance, only some are thought to be within.
    for (first, expected) in [(201, 1_000), (150, 800), (0, 800)] as [(Int, UInt32)] {
      let found = index.least(
        of: minima, within: radius, of: origin, below: .max,
        where: { position, undecided in undecided == nil || position >= first })
      #expect(found == expected)
    }
  }
}
