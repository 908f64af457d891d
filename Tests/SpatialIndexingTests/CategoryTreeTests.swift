import Geodesy
import NearbyTestSupport
import Testing

@testable import SpatialIndexing

/// Trees of single categories: which there are, and that no answer shows them.
@Suite(.inBothOrders) struct CategoryTreeTests {
  /// Every category a different case: half, a third, one in forty, two in forty twice over, one
  /// position, all positions.
  private static func categories(_ count: Int) -> [CategorySet] {
    (0..<count).map { position in
      var set: CategorySet = [CategorySet(category: 63)]
      if position % 2 == 0 { set.insert(CategorySet(category: 0)) }
      if position % 3 == 1 { set.insert(CategorySet(category: 1)) }
      if position % 40 == 7 { set.insert(CategorySet(category: 2)) }
      if position % 20 == 7 {
        set.formUnion([CategorySet(category: 5), CategorySet(category: 40)])
      }
      if position == count / 2 { set.insert(CategorySet(category: 62)) }
      return set
    }
  }

  /// One, several, one of which nobody is, those of all, none.
  private static let questions: [CategorySet] =
    [0, 1, 2, 5, 40, 62, 63, 9].map { CategorySet(category: $0) }
    + [
      [CategorySet(category: 2), CategorySet(category: 9)],
      [CategorySet(category: 1), CategorySet(category: 2)],
      [CategorySet(category: 2), CategorySet(category: 63)], [], .any,
    ]

  private static let options: [KDTreeIndex.OwnTrees] = [
    .rareCategories, .everyCategory, .noCategory,
  ]

  /// An index, and the categories that have a tree in it.
  private func index(
    _ points: [Coordinate], _ categories: [CategorySet], _ ownTrees: KDTreeIndex.OwnTrees
  ) -> (KDTreeIndex, owners: CategorySet) {
    let index = judgedIndex(points, categories: categories, ownTrees: ownTrees)
    return (index, index.trees.owners)
  }

  // MARK: Answers

  @Test(arguments: PointSet.allCases, CategoryTreeTests.options)
  func `the nearest of a category are those that brute force ranks first`(
    pointSet: PointSet, ownTrees: KDTreeIndex.OwnTrees
  ) {
    let (points, origin) = pointSet.sample(400, seed: 21)
    let categories = CategoryTreeTests.categories(400)
    let (index, owners) = index(points, categories, ownTrees)
    switch ownTrees {
    case .rareCategories: #expect(owners.numbers == [62])
    case .everyCategory: #expect(owners.numbers == [0, 1, 2, 5, 40, 62])
    case .noCategory: #expect(owners == [])
    }
    var buffer = QueryBuffer()
    let judged = BruteForce(points).ranked(from: origin)
    for wanted in CategoryTreeTests.questions {
      let isWanted = { wanted == .any || !categories[$0].isDisjoint(with: wanted) }
      let expected = judged.filter { isWanted($0.position) }
      for limit in [1, 10, 17, 1_000] {
        let ranked = expected.prefix(limit)
        let answer = index.nearest(limit, to: origin, categories: wanted)
        #expect(agree(answer.neighbors, ranked), "\(wanted) k \(limit)")
        #expect(agree(answer.validRadius, withGapIn: expected, after: limit), "\(wanted) \(limit)")
        index.findNearest(limit, to: origin, categories: wanted, into: &buffer)
        #expect(Array(buffer.positions) == ranked.map(\.position), "\(wanted) k \(limit)")
        index.measureNearest(limit, to: origin, categories: wanted, into: &buffer)
        #expect(agree(buffer.neighbors, ranked), "\(wanted) k \(limit)")
      }
      var asked: [Int] = []
      let odd = index.nearest(4, to: origin, categories: wanted) { position in
        asked.append(position)
        return position % 4 != 3
      }
      let expectedOdd = expected.filter { $0.position % 4 != 3 }
      #expect(agree(odd.neighbors, expectedOdd.prefix(4)))
      #expect(agree(odd.validRadius, withGapIn: expectedOdd, after: 4))
      #expect(Set(asked).count == asked.count && asked.allSatisfy(isWanted))
      #expect(odd.statistics.predicateCalls == asked.count)
      guard expected.count > 3 else { continue }
      let outer = expected[expected.count * 3 / 4].meters, inner = expected[1].meters
      #expect(
        agree(
          index.nearest(
            7, to: origin, within: .meters(outer), beyond: .meters(inner), categories: wanted
          ).neighbors,
          expected.filter { $0.meters <= outer && $0.meters > inner }.prefix(7)))
    }
  }

  @Test(arguments: PointSet.allCases, CategoryTreeTests.options)
  func `circles, boxes, areas and batches hold what brute force puts there`(
    pointSet: PointSet, ownTrees: KDTreeIndex.OwnTrees
  ) async {
    let (points, origin) = pointSet.sample(400, seed: 22)
    let categories = CategoryTreeTests.categories(400)
    let (index, _) = index(points, categories, ownTrees)
    let judge = BruteForce(points)
    let ranked = judge.ranked(from: origin)
    let origins = [origin] + (0..<9).map { pointSet.sample(1, seed: $0).1 }
    let rankings = origins.map { judge.ranked(from: $0).map(\.position) }
    var buffer = QueryBuffer()
    for wanted in CategoryTreeTests.questions {
      let isWanted = { wanted == .any || !categories[$0].isDisjoint(with: wanted) }
      for radius in [ranked[5].meters, ranked[200].meters, 2e7] {
        let inside = ranked.filter { $0.meters <= radius && isWanted($0.position) }
        index.find(within: .meters(radius), of: origin, categories: wanted, into: &buffer)
        #expect(buffer.positions.sorted() == inside.map(\.position).sorted(), "\(wanted)")
        #expect(
          agree(
            index.neighbors(within: .meters(radius), of: origin, categories: wanted), inside))
        let box = BoundingBox(around: origin, radius: .meters(radius))
        let inBox = judge.positions(in: box).filter(isWanted)
        #expect(index.positions(in: box, categories: wanted) == inBox, "\(wanted)")
        let area: some Area = box
        #expect(index.positions(in: area, categories: wanted) == inBox, "\(wanted)")
      }
      for limit in [2, 30] {
        let batch = index.findNearest(limit, toEach: origins, categories: wanted)
        let parallel = await index.findNearest(
          limit, toEach: origins, categories: wanted, maximumTasks: 2)
        for (question, ranking) in rankings.enumerated() {
          let expected = Array(ranking.lazy.filter(isWanted).prefix(limit))
          #expect(Array(batch[question]) == expected, "\(wanted) question \(question)")
          #expect(Array(parallel[question]) == expected, "\(wanted) question \(question)")
        }
      }
    }
  }

  // MARK: Trees

  @Test func `the rarest get trees while these find room in a sixteenth of the whole`() {
    var generator = SeededGenerator(seed: 23)
    let points = PointSet.clustered.sample(20_000, seed: 23).points
    // Categories of 1, 2, 4 … positions, and the rest.
    let categories = points.indices.map { position in
      CategorySet(category: min(14, (position + 1).leadingZeroBitCount ^ 63))
    }.shuffled(using: &generator)
    for points in [points, points.map(\.onGrid)] {
      let none = judgedIndex(points, categories: categories, ownTrees: .noCategory)
      let rare = judgedIndex(points, categories: categories)
      let every = KDTreeIndex(points, categories: categories, ownTrees: .everyCategory)
      #expect(none.trees.owners == [])
      let owners = rare.trees.owners
      // 1,024 positions would find no room beside 1,023.
      // What a list of geohashes keeps besides leaves room for one less.
      #expect(owners.numbers == Array(0..<(JudgedOrder.leafOrder == .spatial ? 10 : 9)))
      #expect(every.trees.owners.numbers == Array(0..<15))
      #expect(rare.byteCount - none.byteCount <= none.byteCount / 16 + 1)
      #expect(rare.byteCount > none.byteCount && every.byteCount > rare.byteCount)
      // What an index asked once would not pay for.
      let asGiven = KDTreeIndex(points, categories: categories, leafOrder: .asGiven)
      #expect(asGiven.trees.owners == [])
    }
    #expect(judgedIndex(points).trees.owners == [])
    // A tree of all positions there is already.
    let one = KDTreeIndex(
      points, categories: points.map { _ in CategorySet(category: 4) }, ownTrees: .everyCategory)
    #expect(one.trees.owners == [])
  }

  @Test func `trees hold the positions of their category, and do not depend on tasks`()
    async throws
  {
    let points = PointSet.clustered.sample(2 * RankSplitting.mostSites + 77, seed: 24).points
    let categories = CategoryTreeTests.categories(points.count)
    for points in [points, points.map(\.onGrid)] {
      for order in [KDTreeIndex.LeafOrder.spatial, .asGiven] {
        let index = KDTreeIndex(
          points, categories: categories, leafOrder: order, ownTrees: .everyCategory)
        let trees = index.trees
        #expect(trees.owners.numbers == [0, 1, 2, 5, 40, 62])
        for own in trees.ownViews {
          let positions = (0..<own.view.shape.count).map { Int(own.view.position($0)) }
          let expected = points.indices.filter { categories[$0].contains(own.category) }
          #expect(positions.sorted() == expected)
          let isThere = positions.enumerated().allSatisfy { slot, position in
            own.view.latitude(slot).bitPattern == points[position].latitude.bitPattern
              && own.view.longitude(slot).bitPattern == points[position].longitude.bitPattern
          }
          #expect(isThere)
        }
        let expected = index.fileBytes(attachment: [])
        for tasks in order == .spatial ? [0, 1, 3, nil] : [2] {
          let other = try await KDTreeIndex(
            building: points, categories: categories, leafOrder: order, ownTrees: .everyCategory,
            maximumTasks: tasks)
          #expect(other.fileBytes(attachment: []) == expected)
        }
      }
    }
  }

  @Test func `progress goes on over all trees, and never back`() async throws {
    let points = PointSet.clustered.sample(60_000, seed: 25).points
    let (shares, continuation) = AsyncStream.makeStream(of: Double.self)
    _ = try await KDTreeIndex(
      building: points, categories: CategoryTreeTests.categories(points.count),
      ownTrees: .everyCategory
    ) { continuation.yield($0) }
    continuation.finish()
    var told: [Double] = []
    for await share in shares { told.append(share) }
    #expect(told.first == 0 && told.last == 1)
    #expect(told == told.sorted())
  }

  // MARK: Limits

  @Test func `more positions than an index holds are refused, the limit being named`() async {
    let points = PointSet.uniform.sample(5, seed: 26).points
    func build(mostPositions: Int) async throws -> KDTreeIndex {
      try await KDTreeIndex(
        building: points, categories: [], leafOrder: .spatial, ownTrees: .rareCategories,
        maximumTasks: 1, mostPositions: mostPositions, progress: nil)
    }
    let error = await #expect(throws: IndexLimitError.self) { try await build(mostPositions: 4) }
    #expect(error == IndexLimitError(count: 5, limit: 4))
    #expect(error?.code == "index-limit")
    #expect(error?.description.contains("5 positions; the limit of an index is 4, so") == true)
    await #expect(throws: Never.self) { try await build(mostPositions: 5) }
    let real = IndexLimitError(count: 1 << 32, limit: IndexFileFormat.mostPositions)
    #expect(real.description.contains("4294967296 positions"))
    #expect(real.description.contains("4294967294 = 2³² − 2"))
  }

  @Test func `more positions than an index holds end the program elsewhere`() async {
    await #expect(processExitsWith: .failure) {
      _ = TreeConstruction(
        count: 5, categoryCount: 0, leafOrder: .spatial, pieceCount: 1, mayBeCancelled: false,
        mostPositions: 4)
    }
    await #expect(processExitsWith: .success) {
      _ = TreeConstruction(
        count: 4, categoryCount: 0, leafOrder: .spatial, pieceCount: 1, mayBeCancelled: false,
        mostPositions: 4)
    }
  }
}
