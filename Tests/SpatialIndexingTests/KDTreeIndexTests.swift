import Geodesy
import SpatialIndexing
import NearbyTestSupport
import Testing

/// The sizes around which a packed tree changes shape.
private let sizes = [0, 1, 2, 31, 32, 33, 512, 513, 1_000]

@Suite(.inBothOrders) struct KDTreeIndexTests {
  @Test(arguments: PointSet.allCases, sizes)
  func `k-nearest agrees with brute force bit for bit`(pointSet: PointSet, count: Int) {
    for seed: UInt64 in 0..<4 {
      let (points, origin) = pointSet.sample(count, seed: seed)
      let index = judgedIndex(points)
      let expected = BruteForce(points).ranked(from: origin)
      for limit in Set([1, 2, 3, 10, count / 2, count, count + 1]) {
        let answer = index.nearest(limit, to: origin)
        #expect(agree(answer.neighbors, Array(expected.prefix(limit))), "seed \(seed), k \(limit)")
        if limit > 0 {
          #expect(
            agree(answer.validRadius, withGapIn: expected, after: limit), "seed \(seed), k \(limit)"
          )
        }
      }
    }
  }

  @Test(arguments: PointSet.allCases, [0, 1, 2, 3, 31, 32, 33])
  func `every limit from 1 to one more than there are is right`(pointSet: PointSet, count: Int) {
    for seed: UInt64 in 10..<13 {
      let (points, origin) = pointSet.sample(count, seed: seed)
      let index = judgedIndex(points)
      let expected = BruteForce(points).ranked(from: origin)
      for limit in 1...count + 1 {
        let answer = index.nearest(limit, to: origin)
        #expect(agree(answer.neighbors, Array(expected.prefix(limit))), "seed \(seed), k \(limit)")
        #expect(
          agree(answer.validRadius, withGapIn: expected, after: limit), "seed \(seed), k \(limit)")
      }
      #expect(agree(index.nearest(.max, to: origin).neighbors, expected), "seed \(seed)")
    }
  }

  @Test(arguments: PointSet.allCases, [1, 33, 1_000])
  func `positions left as they come give the same answers`(pointSet: PointSet, count: Int) {
    let (points, origin) = pointSet.sample(count, seed: 21)
    let categories = points.indices.map { CategorySet(category: $0 % 3) }
    let sorted = judgedIndex(points, categories: categories)
    let asGiven = KDTreeIndex(points, categories: categories, leafOrder: .asGiven)
    let radius = Distance.kilometers(700)
    for limit in [1, 10, count] {
      let answer = asGiven.nearest(limit, to: origin)
      #expect(answer.neighbors == sorted.nearest(limit, to: origin).neighbors)
      #expect(answer.validRadius == sorted.nearest(limit, to: origin).validRadius)
      let ofOne = asGiven.nearest(
        limit, to: origin, beyond: radius, categories: CategorySet(category: 1))
      let expected = sorted.nearest(
        limit, to: origin, beyond: radius, categories: CategorySet(category: 1))
      #expect(ofOne.neighbors == expected.neighbors)
      #expect(ofOne.validRadius == expected.validRadius)
    }
    #expect(
      agree(
        Array(asGiven.neighborsByDistance(from: origin)), BruteForce(points).ranked(from: origin)))
    let box = BoundingBox(around: origin, radius: radius)
    #expect(asGiven.positions(in: box) == BruteForce(points).positions(in: box))
    #expect(asGiven.count(within: radius, of: origin) == sorted.count(within: radius, of: origin))
  }

  @Test(arguments: PointSet.allCases)
  func `a predicate and categories are part of the search`(pointSet: PointSet) {
    for seed: UInt64 in 0..<6 {
      let (points, origin) = pointSet.sample(700, seed: seed)
      let categories = points.indices.map { CategorySet(category: $0 % 5 == 0 ? 1 : 0) }
      let index = judgedIndex(points, categories: categories)
      let fifth = BruteForce(points).ranked(from: origin) { $0 % 5 == 0 }
      let thirtyFifth = fifth.filter { $0.position % 7 == 0 }
      let ofCategory = index.nearest(9, to: origin, categories: CategorySet(category: 1))
      #expect(agree(ofCategory.neighbors, Array(fifth.prefix(9))), "seed \(seed)")
      var asked: [Int] = []
      let both = index.nearest(9, to: origin, categories: CategorySet(category: 1)) {
        asked.append($0)
        return $0 % 7 == 0
      }
      #expect(agree(both.neighbors, Array(thirtyFifth.prefix(9))), "seed \(seed)")
      #expect(Set(asked).count == asked.count, "asked twice, seed \(seed)")
      #expect(asked.allSatisfy { $0 % 5 == 0 })
      #expect(both.statistics.predicateCalls == asked.count)
    }
  }

  @Test func `a position of no category answers only who asks for any`() throws {
    let place = try Coordinate(latitude: 1, longitude: 2)
    let points = Array(repeating: place, count: 100)
    let first = CategorySet(category: 0)
    let mixed = judgedIndex(points, categories: points.indices.map { $0 < 50 ? first : [] })
    #expect(mixed.nearest(.max, to: place).neighbors.count == 100)
    #expect(mixed.nearest(.max, to: place, categories: first).neighbors.count == 50)
    #expect(mixed.nearest(.max, to: place, categories: []).neighbors.isEmpty)
    #expect(mixed.positions(in: .world).count == 100)
    let none = judgedIndex(points)
    #expect(none.nearest(.max, to: place).neighbors.count == 100)
    #expect(none.nearest(.max, to: place, categories: first).neighbors.isEmpty)
    #expect(none.positions(in: .world, categories: first).isEmpty)
  }

  @Test(arguments: PointSet.allCases, [0, 1, 33, 1_000])
  func `the lazy sequence gives every position in order`(pointSet: PointSet, count: Int) {
    for seed: UInt64 in 0..<3 {
      let (points, origin) = pointSet.sample(count, seed: seed)
      let sequence = judgedIndex(points).neighborsByDistance(from: origin)
      #expect(agree(Array(sequence), BruteForce(points).ranked(from: origin)), "seed \(seed)")
    }
  }

  @Test(arguments: PointSet.allCases)
  func `boxes agree with brute force, also across the antimeridian and at its edge`(
    pointSet: PointSet
  ) throws {
    var generator = SeededGenerator(seed: 11)
    for seed: UInt64 in 0..<10 {
      let (points, origin) = pointSet.sample(900, seed: seed)
      let index = judgedIndex(points)
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

  @Test func `a search reads a handful of leaves, not the index`() {
    let (points, origin) = PointSet.clustered.sample(50_000, seed: 3)
    let statistics = judgedIndex(points).nearest(10, to: origin).statistics
    #expect(statistics.leavesRead < 40)
    #expect(statistics.geodesics < 100)
    #expect(statistics.leavesRead > 0)
  }
}
