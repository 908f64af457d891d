import Geodesy

extension KDTreeIndex {
  /// Builds an index over some positions of a greater whole, whose answers name them as that does.
  ///
  /// - Parameters:
  ///   - coordinates: Of the part, in the order of the whole.
  ///   - positions: Their offsets in the whole, ascending.
  ///   - categories: One set for each of the part, or none at all.
  /// - Precondition: There are as many `positions` as `coordinates`.
  /// - Complexity: As of building any index of the size.
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
