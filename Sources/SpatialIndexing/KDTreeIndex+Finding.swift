import Geodesy

// Queries that only say which positions, at full speed: nothing is allocated once the buffer is
// warm, nothing is measured that need not be, and nothing is counted.

extension KDTreeIndex {
  /// Finds the positions nearest to an origin, nearest first, without measuring how far they are.
  ///
  /// The order is that of `nearest(_:to:)`: by geodesic on WGS 84, ties by position.
  ///
  /// - Parameters:
  ///   - limit: How many to find; more than there are finds them all.
  ///   - origin: Where distances are measured from.
  ///   - categories: Positions must belong to one of these.
  ///   - buffer: Where the answer goes.
  /// - Precondition: `limit >= 0`.
  /// - Complexity: O(*k* log *n*) expected.
  public func findNearest(
    _ limit: Int, to origin: Coordinate, categories: CategorySet = .any,
    into buffer: inout QueryBuffer
  ) {
    precondition(limit >= 0, "cannot find \(limit) positions")
    let limit = min(limit, count)
    var sink = buffer.takeSink()
    if limit > 0 {
      sink.reserve(limit)
      let isFound =
        limit <= FewNearest.greatestLimit
        ? collect(limit, origin, categories, FewNearest.self, &buffer, &sink)
        : collect(limit, origin, categories, ManyNearest.self, &buffer, &sink)
      if !isFound {
        for neighbor in nearest(limit, to: origin, categories: categories).neighbors {
          sink.append(UInt32(truncatingIfNeeded: neighbor.position))
        }
      }
    }
    buffer.positions = sink.finished()
  }

  /// - Returns: Whether the answer could be told by the local metric.
  private func collect<Collector: NearestCollector>(
    _ limit: Int, _ origin: Coordinate, _ categories: CategorySet, _: Collector.Type,
    _ buffer: inout QueryBuffer, _ sink: inout PositionSink
  ) -> Bool {
    withTree { tree in
      let byteCount = LocalWalk<Collector>.byteCount(limit: limit)
      let greatestCount = Collector.greatestCount(limit: limit)
      let memory = buffer.scratch(
        byteCount: byteCount + NearestRanking.byteCount(greatestCount))
      var walk = LocalWalk<Collector>(
        tree: tree, metric: LocalMetric(origin), limit: limit, squaredOuter: .infinity,
        categories: categories, isIncluded: nil, memory: memory)
      guard let slots = walk.run(), slots.count <= NearestRanking.greatestCount else {
        return false
      }
      let ranking = NearestRanking(
        tree: tree, origin: origin, count: greatestCount, memory: memory + byteCount)
      _ = ranking.rank(slots)
      for rank in 0..<limit { sink.append(ranking.position(rank: rank)) }
      return true
    }
  }

  /// Finds the positions in a box, in no particular order.
  ///
  /// Edges are closed, and 180° and −180° are one meridian, as `BoundingBox.contains` has it.
  ///
  /// - Complexity: O(√*n* + *r*) expected for *r* results; positions of nodes inside the box are
  ///   copied without a look at them.
  public func find(
    in box: BoundingBox, categories: CategorySet = .any, into buffer: inout QueryBuffer
  ) {
    withTree { tree in
      var selection = SlotSelection(
        tree: tree, categories: categories, sink: buffer.takeSink())
      forEachSpan(of: box, tree: tree, categories: categories) { walk in
        walk.run { node, level in
          selection.add(node: node, level: level)
        } part: { leaf, bits in
          selection.add(leaf: leaf, bits: bits)
        }
      }
      buffer.positions = selection.sink.finished()
    }
  }

  /// Finds the positions within a distance, itself included, in no particular order.
  ///
  /// - Complexity: O(√*n* + *r*) expected for *r* results; geodesics are computed only where the
  ///   chord cannot tell.
  public func find(
    within radius: Distance, of origin: Coordinate, categories: CategorySet = .any,
    into buffer: inout QueryBuffer
  ) {
    withTree { tree in
      var selection = SlotSelection(
        tree: tree, categories: categories, sink: buffer.takeSink())
      if radius >= .zero {
        if let walk = CircleWalk(
          tree: tree, origin: origin, radius: radius, categories: categories)
        {
          walk.run { node, level in
            selection.add(node: node, level: level)
          } part: { leaf, bits in
            selection.add(leaf: leaf, bits: bits)
          }
        } else {
          for neighbor in neighbors(within: radius, of: origin, categories: categories) {
            selection.sink.reserve(1)
            selection.sink.append(UInt32(truncatingIfNeeded: neighbor.position))
          }
        }
      }
      buffer.positions = selection.sink.finished()
    }
  }
}
