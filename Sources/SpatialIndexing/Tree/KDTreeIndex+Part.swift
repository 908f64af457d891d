import Geodesy

extension KDTreeIndex {
  /// Builds an index over a part of a larger whole, whose answers use the whole's offsets.
  ///
  /// - Parameters:
  ///   - coordinates: The part's coordinates, in the order of the whole.
  ///   - positions: Their offsets in the whole, ascending.
  ///   - categories: One set for each position of the part, or none at all.
  /// - Precondition: There are as many `positions` as `coordinates`.
  /// - Complexity: That of building any index of this size.
  package init(
    part coordinates: [Coordinate], positions: [UInt32], categories: [CategorySet] = []
  ) {
    precondition(
      positions.count == coordinates.count,
      "\(positions.count) names for \(coordinates.count) positions")
    let built = coordinates.withUnsafeBufferPointer { coordinates in
      categories.withUnsafeBufferPointer { categories in
        CategoryTreeBuilder.build(
          coordinates, categories: categories, leafOrder: .spatial, ownTrees: .noCategory)
      }
    }
    built.whole.replacePositions(with: positions)
    self.init(built)
  }
}
