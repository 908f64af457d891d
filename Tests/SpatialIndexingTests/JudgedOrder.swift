import Geodesy
import SpatialIndexing
import Testing

/// In which order the positions of the index under test stand: a suite that says `.inBothOrders` judges
/// the tree and the list of geohashes alike.
enum JudgedOrder {
  @TaskLocal static var leafOrder = KDTreeIndex.LeafOrder.spatial
}

/// An index in the order that is being judged.
func judgedIndex(
  _ points: [Coordinate], categories: [CategorySet] = [],
  ownTrees: KDTreeIndex.OwnTrees = .rareCategories
) -> KDTreeIndex {
  KDTreeIndex(
    points, categories: categories, leafOrder: JudgedOrder.leafOrder, ownTrees: ownTrees)
}

/// Runs each test once for either order.
///
/// A test trait as well, for a suite hands its traits on to tests only then.
struct InBothOrders: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func scopeProvider(for test: Test, testCase: Test.Case?) -> InBothOrders? {
    testCase == nil ? nil : self
  }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    for order in [KDTreeIndex.LeafOrder.spatial, .geohash] {
      try await JudgedOrder.$leafOrder.withValue(order) { try await function() }
    }
  }
}

extension Trait where Self == InBothOrders {
  static var inBothOrders: Self { InBothOrders() }
}
