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

  @Test(arguments: PointSet.allCases, [0, 1, 2, 3, 31, 32, 33])
  func `every limit from 1 to one more than there are is right`(pointSet: PointSet, count: Int) {
    for seed: UInt64 in 10..<13 {
      let (points, origin) = pointSet.sample(count, seed: seed)
      let index = KDTreeIndex(points)
      let expected = BruteForce(points).ranked(from: origin)
      for limit in 1...count + 1 {
        let answer = index.nearest(limit, to: origin)
        #expect(hits(answer.neighbors) == Array(expected.prefix(limit)), "seed \(seed), k \(limit)")
        #expect(answer.validRadius == gap(expected, after: limit), "seed \(seed), k \(limit)")
      }
      #expect(hits(index.nearest(.max, to: origin).neighbors) == expected, "seed \(seed)")
    }
  }

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
        let answer = KDTreeIndex(points).nearest(limit, to: origin)
        #expect(hits(answer.neighbors) == Array(expected.prefix(limit)), "seed \(seed), k \(limit)")
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
    let index = KDTreeIndex(points)
    let expected = BruteForce(points).ranked(from: origin)
    for limit in [1, 7, 300, 599] {
      #expect(hits(index.nearest(limit, to: origin).neighbors) == Array(expected.prefix(limit)))
      let radius = Distance.meters(expected[limit].meters)
      let inside = expected.count { $0.meters <= radius.meters }
      #expect(index.count(within: radius, of: origin) == inside)
    }
    #expect(hits(Array(index.neighborsByDistance(from: origin))) == expected)
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
    let index = KDTreeIndex(points)
    for origin in [PointSet.legal(latitude, longitude), nearby(1e-9), nearby(1e-3)] {
      let expected = BruteForce(points).ranked(from: origin)
      for limit in [1, 10, 250] {
        let answer = index.nearest(limit, to: origin)
        #expect(hits(answer.neighbors) == Array(expected.prefix(limit)))
      }
      #expect(hits(Array(index.neighborsByDistance(from: origin))) == expected)
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

  @Test func `a position of no category answers only who asks for any`() throws {
    let place = try Coordinate(latitude: 1, longitude: 2)
    let points = Array(repeating: place, count: 100)
    let first = CategorySet(category: 0)
    let mixed = KDTreeIndex(points, categories: points.indices.map { $0 < 50 ? first : [] })
    #expect(mixed.nearest(.max, to: place).neighbors.count == 100)
    #expect(mixed.nearest(.max, to: place, categories: first).neighbors.count == 50)
    #expect(mixed.nearest(.max, to: place, categories: []).neighbors.isEmpty)
    #expect(mixed.positions(in: .world).count == 100)
    let none = KDTreeIndex(points)
    #expect(none.nearest(.max, to: place).neighbors.count == 100)
    #expect(none.nearest(.max, to: place, categories: first).neighbors.isEmpty)
    #expect(none.positions(in: .world, categories: first).isEmpty)
  }

  @Test func `nothing is asked for and nothing can be found without a search`() throws {
    let (points, origin) = PointSet.uniform.sample(500, seed: 2)
    let index = KDTreeIndex(points)
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
    let index = KDTreeIndex(points)
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
    // The same with the limit near the next one, which comes in too late to matter.
    #expect(abs(try radius(2, within: 1.9, beyond: nil) - 0.5) < tolerance)
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
    let answer = KDTreeIndex(points).nearest(10, to: origin, beyond: hole) { _ in true }
    #expect(answer.statistics.leavesRead < 400)
    #expect(answer.statistics.predicateCalls < 500)
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

  @Test(arguments: [PointSet.uniform, .clustered, .city, .polarCap])
  func `a hundred thousand positions are searched exactly`(pointSet: PointSet) {
    let (points, origin) = pointSet.sample(100_000, seed: 17)
    let index = KDTreeIndex(points)
    let expected = BruteForce(points).ranked(from: origin)
    for limit in [1, 10, 1_000] {
      let answer = index.nearest(limit, to: origin)
      #expect(hits(answer.neighbors) == Array(expected.prefix(limit)))
      #expect(answer.validRadius == gap(expected, after: limit))
      let radius = Distance.meters(expected[limit].meters)
      let inside = expected.count { $0.meters <= radius.meters }
      #expect(index.count(within: radius, of: origin) == inside)
    }
    #expect(
      hits(Array(index.neighborsByDistance(from: origin).prefix(500)))
        == Array(expected.prefix(500)))
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
