import Geodesy
import SpatialIndexing
import NearbyTestSupport
import Testing

/// Queries into a buffer, and batches.
@Suite(.inBothOrders) struct KDTreeFindingTests {
  @Test(arguments: PointSet.allCases, UInt64(0)..<2)
  func `what is found nearest is what brute force ranks first`(pointSet: PointSet, seed: UInt64) {
    let (points, origin) = pointSet.sample(400, seed: seed)
    let index = judgedIndex(points)
    let expected = BruteForce(points).ranked(from: origin)
    var buffer = QueryBuffer()
    for limit in [0, 1, 10, 16, 17, 100, 399, 400, 1_000] {
      index.findNearest(limit, to: origin, into: &buffer)
      #expect(Array(buffer.positions) == expected.prefix(limit).map(\.position), "k \(limit)")
      #expect(buffer.distances.isEmpty)
      index.measureNearest(limit, to: origin, into: &buffer)
      #expect(agree(buffer.neighbors, expected.prefix(limit)), "k \(limit)")
    }
  }

  @Test(arguments: PointSet.allCases, UInt64(0)..<2)
  func `circles and boxes hold what brute force puts there`(pointSet: PointSet, seed: UInt64) {
    let (points, origin) = pointSet.sample(400, seed: seed)
    let categories = points.indices.map { CategorySet(category: $0 % 3) }
    let index = judgedIndex(points, categories: categories)
    let judge = BruteForce(points)
    var buffer = QueryBuffer()
    let ranked = judge.ranked(from: origin)
    for radius in [-1, 0, ranked[5].meters, ranked[200].meters, 2e7] {
      let inside = ranked.filter { $0.meters <= radius }.map(\.position).sorted()
      // Whatever the buffer held before.
      index.measureNearest(3, to: origin, into: &buffer)
      index.find(within: .meters(radius), of: origin, into: &buffer)
      #expect(buffer.positions.sorted() == inside, "radius \(radius)")
      #expect(buffer.distances.isEmpty)
      #expect(index.count(within: .meters(radius), of: origin) == inside.count)
      index.find(
        within: .meters(radius), of: origin, categories: CategorySet(category: 1), into: &buffer)
      #expect(buffer.positions.sorted() == inside.filter { $0 % 3 == 1 }, "radius \(radius)")
      guard radius >= 0 else { continue }
      let box = BoundingBox(around: origin, radius: .meters(radius))
      index.measureNearest(3, to: origin, into: &buffer)
      index.find(in: box, into: &buffer)
      #expect(buffer.positions.sorted() == judge.positions(in: box), "radius \(radius)")
      #expect(buffer.distances.isEmpty)
      index.find(in: box, categories: CategorySet(category: 2), into: &buffer)
      #expect(
        buffer.positions.sorted() == judge.positions(in: box).filter { $0 % 3 == 2 },
        "radius \(radius)")
    }
  }

  @Test(arguments: PointSet.allCases)
  func `a batch finds for each what is found for one, in the order of the questions`(
    pointSet: PointSet
  ) async {
    let (points, _) = pointSet.sample(400, seed: 4)
    let places = (0..<280).map { pointSet.sample(1, seed: UInt64($0)).1 }
    // Enough for three tasks.
    let origins = (0..<1_600).map { places[$0 % places.count] }
    let categories = points.indices.map { CategorySet(category: $0 % 70 == 0 ? 1 : 0) }
    let index = judgedIndex(points, categories: categories)
    for (limit, wanted) in [
      (0, CategorySet.any), (10, .any), (3, CategorySet(category: 1)), (20, .any),
    ] {
      // Many of many are measured one by one, which takes long in a debug build.
      let origins = limit > 16 ? places : origins
      let batch = index.findNearest(limit, toEach: origins, categories: wanted)
      let parallel = await index.findNearest(
        limit, toEach: origins, categories: wanted, maximumTasks: 3)
      #expect(batch.count == origins.count && parallel.count == origins.count)
      var buffer = QueryBuffer()
      let singles = places.map { place in
        index.findNearest(limit, to: place, categories: wanted, into: &buffer)
        return Array(buffer.positions)
      }
      let different = origins.indices.filter { question in
        let single = singles[question % places.count]
        return !batch[question].elementsEqual(single) || !parallel[question].elementsEqual(single)
      }
      #expect(different.isEmpty, "k \(limit)")
    }
    #expect(index.findNearest(3, toEach: []).isEmpty)
  }

  @Test(arguments: [16, 17, 20, 58, 59, 70])
  func `positions at the very origin come in their order`(count: Int) {
    // As many annotations of one building, asked for from its door, with others a street away.
    let (others, origin) = PointSet.city.sample(300, seed: 3)
    let points = others + Array(repeating: origin, count: count)
    let judge = BruteForce(points).ranked(from: origin)
    let index = judgedIndex(points)
    var buffer = QueryBuffer()
    for limit in [1, 10, 16, 17, 40] {
      index.findNearest(limit, to: origin, into: &buffer)
      #expect(Array(buffer.positions) == judge.prefix(limit).map(\.position), "k \(limit)")
      index.measureNearest(limit, to: origin, into: &buffer)
      #expect(Array(buffer.positions) == judge.prefix(limit).map(\.position), "k \(limit)")
    }
  }

  @Test func `a list keeps its answer when the buffer is asked again`() {
    let (points, origin) = PointSet.clustered.sample(500, seed: 2)
    let index = judgedIndex(points)
    var buffer = QueryBuffer()
    #expect(buffer.positions.isEmpty)
    index.findNearest(20, to: origin, into: &buffer)
    let first = buffer.positions
    let kept = Array(first)
    index.findNearest(20, to: points[400], into: &buffer)
    #expect(Array(first) == kept)
    #expect(Array(buffer.positions) != kept)
  }

  @Test func `an index built off the actor answers as the other`() async throws {
    let (points, origin) = PointSet.clustered.sample(20_000, seed: 6)
    let index = try await KDTreeIndex(building: points, maximumTasks: 4)
    #expect(
      index.nearest(50, to: origin).neighbors
        == judgedIndex(points).nearest(50, to: origin).neighbors)
    #expect(index.byteCount < 22 * 20_000)
  }

  @Test func `a canceled build throws`() async {
    let (points, _) = PointSet.clustered.sample(60_000, seed: 6)
    let task = Task { try await KDTreeIndex(building: points) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
