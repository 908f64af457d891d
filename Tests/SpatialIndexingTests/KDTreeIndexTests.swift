import Geodesy
import SpatialIndexing
import TestSupport
import Testing

/// The sizes around which a packed tree changes shape.
private let sizes = [0, 1, 2, 31, 32, 33, 512, 513, 1_000]

@Suite struct KDTreeIndexTests {
  @Test(arguments: PointSet.allCases, sizes)
  func `k-nearest agrees with brute force bit for bit`(pointSet: PointSet, count: Int) {
    for seed: UInt64 in 0..<4 {
      let (points, origin) = pointSet.sample(count, seed: seed)
      let index = KDTreeIndex(points)
      let expected = BruteForce(points).ranked(from: origin)
      for limit in Set([1, 2, 3, 10, count / 2, count, count + 1]) {
        let answer = index.nearest(limit, to: origin)
        #expect(hits(answer.neighbors) == Array(expected.prefix(limit)), "seed \(seed), k \(limit)")
        if limit > 0 {
          #expect(answer.validRadius == gap(expected, after: limit), "seed \(seed), k \(limit)")
        }
      }
    }
  }

  @Test(arguments: PointSet.allCases, [33, 1_000])
  func `rings agree with brute force, edges included as they say`(pointSet: PointSet, count: Int) {
    for seed: UInt64 in 0..<6 {
      let (points, origin) = pointSet.sample(count, seed: seed)
      let index = KDTreeIndex(points)
      let all = BruteForce(points).ranked(from: origin)
      // Limits that some positions lie on exactly.
      let inner = all[count / 5].meters, outer = all[count / 2].meters
      let ring = BruteForce(points).ranked(from: origin, within: outer, beyond: inner)
      for limit in [1, 5, count] {
        let answer = index.nearest(
          limit, to: origin, within: .meters(outer), beyond: .meters(inner))
        #expect(hits(answer.neighbors) == Array(ring.prefix(limit)), "seed \(seed), k \(limit)")
      }
      let disk = all.filter { $0.meters <= outer }
      #expect(hits(index.neighbors(within: .meters(outer), of: origin)) == disk)
      #expect(index.count(within: .meters(outer), of: origin) == disk.count)
    }
  }

  @Test(arguments: PointSet.allCases)
  func `a predicate and categories are part of the search`(pointSet: PointSet) {
    for seed: UInt64 in 0..<6 {
      let (points, origin) = pointSet.sample(700, seed: seed)
      let categories = points.indices.map { CategorySet(category: $0 % 5 == 0 ? 1 : 0) }
      let index = KDTreeIndex(points, categories: categories)
      let fifth = BruteForce(points).ranked(from: origin) { $0 % 5 == 0 }
      let thirtyFifth = fifth.filter { $0.position % 7 == 0 }
      let ofCategory = index.nearest(9, to: origin, categories: CategorySet(category: 1))
      #expect(hits(ofCategory.neighbors) == Array(fifth.prefix(9)), "seed \(seed)")
      var asked: [Int] = []
      let both = index.nearest(9, to: origin, categories: CategorySet(category: 1)) {
        asked.append($0)
        return $0 % 7 == 0
      }
      #expect(hits(both.neighbors) == Array(thirtyFifth.prefix(9)), "seed \(seed)")
      #expect(Set(asked).count == asked.count, "asked twice, seed \(seed)")
      #expect(asked.allSatisfy { $0 % 5 == 0 })
      #expect(both.statistics.predicateCalls == asked.count)
    }
  }

  @Test(arguments: PointSet.allCases)
  func `the valid radius holds: no smaller move changes the set`(pointSet: PointSet) {
    var generator = SeededGenerator(seed: 7)
    for seed: UInt64 in 0..<8 {
      let (points, origin) = pointSet.sample(200, seed: seed)
      let index = KDTreeIndex(points)
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
        let before = Set(answer.neighbors.map(\.position))
        for _ in 0..<4 {
          let moved = origin.destination(
            bearing: Double.random(in: 0..<360, using: &generator), distance: radius * 0.999)
          let after = index.nearest(limit, to: moved, within: outer, beyond: inner)
          #expect(Set(after.neighbors.map(\.position)) == before, "seed \(seed)")
        }
      }
    }
  }

  @Test(arguments: PointSet.allCases, [0, 1, 33, 1_000])
  func `the lazy sequence gives every position in order`(pointSet: PointSet, count: Int) {
    for seed: UInt64 in 0..<3 {
      let (points, origin) = pointSet.sample(count, seed: seed)
      let sequence = KDTreeIndex(points).neighborsByDistance(from: origin)
      #expect(hits(Array(sequence)) == BruteForce(points).ranked(from: origin), "seed \(seed)")
    }
  }

  @Test(arguments: PointSet.allCases)
  func `boxes agree with brute force, also across the antimeridian and at its edge`(
    pointSet: PointSet
  ) throws {
    var generator = SeededGenerator(seed: 11)
    for seed: UInt64 in 0..<10 {
      let (points, origin) = pointSet.sample(900, seed: seed)
      let index = KDTreeIndex(points)
      var boxes = [
        BoundingBox.world,
        try BoundingBox(south: -90, west: 170, north: 90, east: -170),
        try BoundingBox(south: -90, west: 170, north: 90, east: 180),
        try BoundingBox(south: -90, west: -180, north: 90, east: -170),
        try BoundingBox(south: -90, west: 180, north: 90, east: 180),
        try BoundingBox(south: 90, west: -180, north: 90, east: 180),
        BoundingBox(around: origin, radius: .kilometers(30)),
      ]
      // Boxes whose edges run through positions.
      for _ in 0..<10 {
        let a = points.randomElement(using: &generator) ?? origin
        let b = points.randomElement(using: &generator) ?? origin
        boxes.append(
          try BoundingBox(
            south: min(a.latitude, b.latitude), west: a.longitude,
            north: max(a.latitude, b.latitude), east: b.longitude))
      }
      for box in boxes {
        let expected = BruteForce(points).positions(in: box)
        #expect(index.positions(in: box) == expected, "seed \(seed), box \(box)")
        #expect(index.count(in: box) == expected.count, "seed \(seed), box \(box)")
      }
    }
  }

  @Test func `fifty thousand equal positions come out by position`() throws {
    let place = try Coordinate(latitude: 37.5666, longitude: 126.9784)
    let index = KDTreeIndex(Array(repeating: place, count: 50_000))
    let answer = index.nearest(1_000, to: place)
    #expect(answer.neighbors.map(\.position) == Array(0..<1_000))
    #expect(answer.validRadius == .zero)
    #expect(index.count(in: BoundingBox(around: place, radius: .zero)) == 50_000)
  }

  @Test func `longitude means nothing at a pole`() throws {
    let pole = try Coordinate(latitude: 90, longitude: 12)
    let points = try (0..<100).map {
      try Coordinate(latitude: $0 % 2 == 0 ? 90 : 89.5, longitude: Double($0) * 3 - 150)
    }
    let answer = KDTreeIndex(points).nearest(50, to: pole)
    #expect(answer.neighbors.map(\.position) == points.indices.filter { $0 % 2 == 0 })
    #expect(answer.neighbors.allSatisfy { $0.distance == .zero })
  }

  @Test func `a search reads a handful of leaves, not the index`() {
    let (points, origin) = PointSet.clustered.sample(50_000, seed: 3)
    let statistics = KDTreeIndex(points).nearest(10, to: origin).statistics
    #expect(statistics.leavesRead < 40)
    #expect(statistics.geodesics < 100)
    #expect(statistics.leavesRead > 0)
  }

  private func hits(_ neighbors: [Neighbor]) -> [BruteForce.Hit] {
    neighbors.map { BruteForce.Hit(position: $0.position, meters: $0.distance.meters) }
  }

  private func gap(_ ranked: [BruteForce.Hit], after limit: Int) -> Distance? {
    guard limit < ranked.count else { return nil }
    return (.meters(ranked[limit].meters) - .meters(ranked[limit - 1].meters)) / 2
  }
}
