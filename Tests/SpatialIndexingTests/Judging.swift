import Geodesy
import NearbyTestSupport
import Testing

@testable import SpatialIndexing

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

extension KDTreeIndex {
  /// The same index, searched with a set of instructions.
  func searched(with level: VectorLevel) -> KDTreeIndex {
    KDTreeIndex(
      IndexTrees(
        trees.whole, counts: trees.counts, owners: trees.owners, ofCategories: trees.ofCategories,
        level: level))
  }
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

extension Coordinate {
  /// The same place to the nearest 1e-7 degree, which leaves hold as integers.
  var onGrid: Coordinate {
    PointSet.legal((latitude * 1e7).rounded() / 1e7, (longitude * 1e7).rounded() / 1e7)
  }
}

extension QueryBuffer {
  /// What was found and measured.
  var neighbors: [Neighbor] {
    zip(positions, distances).map { Neighbor(offset: $0, distance: .meters($1)) }
  }
}

/// What a distance of an index may differ by from the geodesic of brute force, in meters: the 15 nm of
/// the one and the 4.1 nm of the other.
let distanceTolerance = 20e-9

/// Whether an index found what brute force finds, in the same order.
///
/// Where distances are equal or nearly so, the index has measured by the same geodesic, so that
/// the order needs no tolerance.
func agree(_ neighbors: [Neighbor], _ expected: some Collection<BruteForce.Hit>) -> Bool {
  neighbors.count == expected.count
    && zip(neighbors, expected).allSatisfy { neighbor, hit in
      neighbor.offset == hit.position
        && abs(neighbor.distance.meters - hit.meters) <= distanceTolerance
    }
    && zip(neighbors, neighbors.dropFirst()).allSatisfy { $0.distance <= $1.distance }
}

/// Whether a valid radius is that of the nearest `limit`: half the gap to the next, nil where there is
/// none.
func agree(_ validRadius: Distance?, withGapIn ranked: [BruteForce.Hit], after limit: Int) -> Bool {
  guard limit < ranked.count else { return validRadius == nil }
  guard let validRadius else { return false }
  let gap = (ranked[limit].meters - ranked[limit - 1].meters) / 2
  return abs(validRadius.meters - gap) <= distanceTolerance
}
