import Geodesy
import NearbyTestSupport
import Testing

@testable import SpatialIndexing

/// Questions asked from far away, where chords say next to nothing of the order.
@Suite(.inBothOrders) struct FarQuestionTests {
  /// Where shortest ways part, meet or run along what is special.
  enum Side: String, CaseIterable, CustomTestStringConvertible {
    case antipode, besideAntipode, quarterTurn, pole, equator, seam, middling

    var testDescription: String { rawValue }

    /// An origin on that side of a place.
    func origin(
      from center: Coordinate, using generator: inout SeededGenerator
    ) -> Coordinate {
      let opposite = Coordinate.wrappedLongitude(center.longitude + 180)
      func number(_ limit: Double) -> Double { .random(in: -limit...limit, using: &generator) }
      func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
        PointSet.legal(min(90, max(-90, latitude)), Coordinate.wrappedLongitude(longitude))
      }
      switch self {
      case .antipode: return place(-center.latitude, opposite)
      case .besideAntipode: return place(-center.latitude + number(4), opposite + number(6))
      case .quarterTurn: return place(number(90), center.longitude + 90)
      case .pole: return place(Bool.random(using: &generator) ? 90 : -90, number(180))
      case .equator: return place(0, number(180))
      case .seam: return place(number(90), Bool.random(using: &generator) ? 180 : 179.99)
      case .middling: return place(center.latitude + number(12), center.longitude + number(12))
      }
    }
  }

  static func cluster(
    _ count: Int, around center: Coordinate, degrees: Double,
    using generator: inout SeededGenerator
  ) -> [Coordinate] {
    (0..<count).map { number in
      // Some at one place, some on a lattice with ties abounding.
      if number % 17 == 0 { return center }
      var (north, east) = (
        Double.random(in: -degrees...degrees, using: &generator),
        Double.random(in: -degrees...degrees, using: &generator)
      )
      if number % 3 == 0 {
        (north, east) = ((north * 20).rounded() / 20, (east * 20).rounded() / 20)
      }
      return PointSet.legal(
        min(90, max(-90, center.latitude + north)),
        Coordinate.wrappedLongitude(center.longitude + east))
    }
  }

  static let centers: [(Double, Double)] = [
    (54, -2), (0, 100), (89.8, 30), (-90, 0), (0.2, -180), (-37, 175),
  ]

  @Test(arguments: Side.allCases, UInt64(0)..<3)
  func `a cluster asked from far away answers as brute force does`(side: Side, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for (latitude, longitude) in FarQuestionTests.centers {
      let center = PointSet.legal(latitude, longitude)
      let points = FarQuestionTests.cluster(
        500, around: center, degrees: [0.02, 1, 8][Int(seed) % 3], using: &generator)
      let index = judgedIndex(points)
      let live = LiveIndex().apply(
        points.indices.map { .put(LiveObject(id: UInt64($0), at: points[$0])) })
      let origin = side.origin(from: center, using: &generator)
      let ranked = BruteForce(points).ranked(from: origin)
      let isThird: (Int) -> Bool = { $0 % 3 == 0 }
      let thirds = ranked.filter { isThird($0.position) }
      let comment: Comment = "\(origin) to \(center)"
      var buffer = QueryBuffer()
      for limit in [1, 10, 100, 499, 500] {
        let expected = Array(ranked.prefix(limit))
        let answer = index.nearest(limit, to: origin)
        #expect(agree(answer.neighbors, expected), comment)
        #expect(agree(answer.validRadius, withGapIn: ranked, after: limit), comment)
        index.findNearest(limit, to: origin, into: &buffer)
        #expect(Array(buffer.positions) == expected.map(\.position), comment)
        index.measureNearest(limit, to: origin, into: &buffer)
        #expect(Array(buffer.positions) == expected.map(\.position), comment)
        #expect(
          agree(
            index.nearest(limit, to: origin, where: isThird).neighbors,
            thirds.prefix(limit)), comment)

        var ids: [UInt64] = []
        live.findNearest(limit, to: origin, into: &ids)
        #expect(ids == expected.map { UInt64($0.position) }, comment)
        let objects = live.nearest(limit, to: origin, where: { isThird(Int($0.id)) })
        #expect(objects.map { Int($0.object.id) } == thirds.prefix(limit).map(\.position), comment)
      }
      let inner = ranked[40].meters, outer = ranked[200].meters
      let ring = BruteForce(points).ranked(from: origin, within: outer, beyond: inner)
      for limit in [1, 20, 500] {
        let answer = index.nearest(
          limit, to: origin, within: .meters(outer), beyond: .meters(inner))
        #expect(agree(answer.neighbors, ring.prefix(limit)), comment)
      }
      let disk = ranked.filter { $0.meters <= outer }
      #expect(index.count(within: .meters(outer), of: origin) == disk.count, comment)
      #expect(agree(index.neighbors(within: .meters(outer), of: origin), disk), comment)
      #expect(
        live.neighbors(within: .meters(outer), of: origin).map { Int($0.object.id) }
          == disk.map(\.position), comment)
      #expect(agree(Array(index.neighborsByDistance(from: origin)), ranked), comment)
      let batch = index.findNearest(10, toEach: [origin, center])
      #expect(Array(batch[0]) == ranked.prefix(10).map(\.position), comment)
    }
  }

  /// What a question costs must not depend on how far away it is asked, but for a constant.
  @Test(arguments: [
    (-33.87, 151.2), (37.57, 126.97), (-80, 0), (-55, 178), (90, 0), (40.4, -3.7), (64.1, -21.9),
    (37.98, 23.7), (-36.85, 174.76), (-54, 178),
  ])
  func `a country asked from all the world is read no farther than at home`(
    latitude: Double, longitude: Double
  ) throws {
    var generator = SeededGenerator(seed: 3)
    // Towns of all sizes, 11,000 positions in all, between 50° and 59° north.
    var points: [Coordinate] = []
    for town in 0..<200 {
      let center = PointSet.legal(
        .random(in: 50...59, using: &generator), .random(in: -6...1.5, using: &generator))
      points += FarQuestionTests.cluster(
        10 + 5_000 / (town + 40), around: center, degrees: 0.1, using: &generator)
    }
    let index = judgedIndex(points)
    let origin = PointSet.legal(latitude, longitude)
    for limit in [1, 10, 100] {
      let statistics = index.nearest(limit, to: origin).statistics
      #expect(statistics.nodeGroupsTested <= 40, "\(statistics)")
      #expect(statistics.leavesRead <= 60 + limit, "\(statistics)")
      #expect(statistics.geodesics <= 3 * limit + 60, "\(statistics)")
    }
    for limit in [1, 10, 100] {
      let answer = index.nearest(limit, to: origin)
      #expect(agree(answer.neighbors, BruteForce(points).ranked(from: origin).prefix(limit)))
    }
  }
}
