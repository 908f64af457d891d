import Geodesy
import NearbyTestSupport
import Testing

@testable import SpatialIndexing

@Suite struct NearestBatchTests {
  private static let points = PointSet.clustered.sample(2_000, seed: 5).0
  private static let origins = PointSet.city.sample(2_600, seed: 6).0
  private static let index = KDTreeIndex(
    points, categories: points.indices.map { CategorySet(category: $0 % 400 == 0 ? 1 : 0) })

  private static func all(_ batch: NearestBatch) -> [UInt32] {
    batch.withUnsafeBufferPointer { Array($0) }
  }

  @Test(arguments: [1, 20], [1, 2, 3, 9, nil])
  func `answers do not depend on how many tasks find them`(limit: Int, tasks: Int?) async {
    let one = Self.index.findNearest(limit, toEach: Self.origins)
    let batch = await Self.index.findNearest(limit, toEach: Self.origins, maximumTasks: tasks)
    #expect(batch.count == Self.origins.count && batch.limit == limit)
    #expect(Self.all(batch) == Self.all(one))
  }

  @Test(arguments: [0, 1, 511, 512, 1_023, 1_024, 1_025])
  func `every question is answered, however few there are for a task`(count: Int) async {
    let origins = Array(Self.origins.prefix(count))
    let batch = await Self.index.findNearest(3, toEach: origins, maximumTasks: 4)
    #expect(Self.all(batch) == Self.all(Self.index.findNearest(3, toEach: origins)))
    #expect(batch.map { $0.count } == Array(repeating: 3, count: count))
  }

  @Test func `answers end to end are those one by one, filled up where there are too few`() {
    let batch = Self.index.findNearest(
      7, toEach: Self.origins, categories: CategorySet(category: 1))
    #expect(batch.limit == 7)
    let all = Self.all(batch)
    for (question, positions) in batch.enumerated() {
      #expect(positions.count == 5)
      let row = positions.map { UInt32($0) } + [.max, .max]
      #expect(Array(all[7 * question..<7 * question + 7]) == row, "question \(question)")
    }
    #expect(Self.all(Self.index.findNearest(0, toEach: Self.origins)).isEmpty)
    #expect(Self.all(KDTreeIndex([]).findNearest(3, toEach: Self.origins)).isEmpty)
  }
}
