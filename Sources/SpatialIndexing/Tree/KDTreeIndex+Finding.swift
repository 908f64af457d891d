import CNearbyKernels
import Geodesy

// Queries that return only positions, at full speed: once the buffer is warm nothing is allocated,
// nothing is measured needlessly, and nothing is counted. If the answer lies across ±180°, around a
// pole or farther than 400 km, the walk that covers the whole Earth finds it, with a few allocations
// and in about ten times the time, however far away it is.

extension KDTreeIndex {
  /// Finds the positions nearest to an origin, nearest first, without measuring their distances.
  ///
  /// The order is that of `nearest(_:to:)`: by geodesic on WGS 84, ties by offset.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of positions to find.
  ///   - origin: Where distances are measured from.
  ///   - categories: Positions must belong to one of these.
  ///   - buffer: Receives the answer.
  /// - Precondition: `limit >= 0`.
  /// - Complexity: O(*k* log *n*) expected.
  public func findNearest(
    _ limit: Int, to origin: Coordinate, categories: CategorySet = .any,
    into buffer: inout QueryBuffer
  ) {
    precondition(limit >= 0, "cannot find \(limit) positions")
    // A few go straight into the buffer.
    let outcome = withTree(of: categories) { tree, categories in
      let limit = min(limit, tree.shape.count)
      guard FewSearch.canAnswer(limit, categories, in: tree) else { return NEARBY_LOST }
      let memory = buffer.scratch(byteCount: FewSearch.byteCount)
      let search = FewSearch(
        tree: tree, origin: origin, limit: limit, categories: categories, memory: memory)
      let outcome = search.answer(into: buffer.begin(limit))
      if outcome == NEARBY_FOUND { buffer.found.count = limit }
      return outcome
    }
    if outcome != NEARBY_FOUND {
      find(
        limit, origin, categories, isMeasured: false, &buffer, mayBeFew: false,
        isBeyond: outcome == NEARBY_BEYOND)
    }
  }

  /// Finds the positions nearest to an origin, nearest first, and their distances.
  ///
  /// This is the answer of `nearest(_:to:)` without its explanations, with the distances in `buffer.distances`.
  ///
  /// - Precondition: `limit >= 0`.
  /// - Complexity: O(*k* log *n*) expected; 10 ns more per position than `findNearest` up to 100
  ///   km, 0.4 µs beyond.
  public func measureNearest(
    _ limit: Int, to origin: Coordinate, categories: CategorySet = .any,
    into buffer: inout QueryBuffer
  ) {
    precondition(limit >= 0, "cannot find \(limit) positions")
    find(limit, origin, categories, isMeasured: true, &buffer)
  }

  /// Finds positions by the slower, more general searches.
  ///
  /// - Parameters:
  ///   - mayBeFew: False if a search for a few is known to fail.
  ///   - isBeyond: Whether flat squared chords are known not to reach that far.
  @inline(never)
  func find(
    _ limit: Int, _ origin: Coordinate, _ categories: CategorySet, isMeasured: Bool,
    _ buffer: inout QueryBuffer, mayBeFew: Bool = true, isBeyond: Bool = false
  ) {
    withTree(of: categories) { tree, categories in
      let limit = min(limit, tree.shape.count)
      let positions = buffer.begin(limit)
      guard limit > 0 else { return }
      var search = LocalSearch(
        tree: tree, origin: origin, limit: limit, categories: categories, mayBeFew: mayBeFew)
      var distances: [Double] = []
      swap(&distances, &buffer.distances)
      var count = limit
      let found: Void? =
        isBeyond
        ? nil
        : search.run(isMeasured: isMeasured, buffer: &buffer) { ranking in
          ranking.write(limit, to: positions)
          if isMeasured {
            for rank in 0..<limit { distances.append(ranking.distance(rank: rank)) }
          }
        }
      if found == nil {
        var walk = GroundWalk(
          PackedTree(tree, categories: categories), origin: origin, limit: limit)
        if isMeasured {
          let neighbors = tree.measuredNeighbors(of: walk.run(), from: origin).0.prefix(limit)
          count = neighbors.count
          for (rank, neighbor) in neighbors.enumerated() {
            positions[rank] = UInt32(truncatingIfNeeded: neighbor.offset)
            distances.append(neighbor.distance.meters)
          }
        } else {
          let slots = walk.runInOrder()
          count = slots.count
          for rank in 0..<count { positions[rank] = tree.position(slots[rank]) }
        }
      }
      buffer.found.count = count
      swap(&distances, &buffer.distances)
    }
  }

  /// Finds the positions in a box, in no particular order.
  ///
  /// Edges are included, and 180° and −180° are one meridian, as in `BoundingBox.contains`.
  ///
  /// - Complexity: O(√*n* + *r*) expected for *r* results; positions in nodes inside the box are
  ///   copied unread.
  public func find(
    in box: BoundingBox, categories: CategorySet = .any, into buffer: inout QueryBuffer
  ) {
    buffer.begin(64)
    withTree(of: categories) { tree, categories in
      guard tree.shape.count > 0, tree.canTell(categories) else { return }
      forEachSpan(of: box, tree: tree, categories: categories) { $0.find(into: &buffer.found) }
    }
  }

  /// Finds the positions within a distance (inclusive), in no particular order.
  ///
  /// - Complexity: O(√*n* + *r*) expected for *r* results; geodesics are computed only where chords
  ///   cannot decide.
  public func find(
    within radius: Distance, of origin: Coordinate, categories: CategorySet = .any,
    into buffer: inout QueryBuffer
  ) {
    buffer.begin(64)
    guard radius >= .zero else { return }
    let isDone = withTree(of: categories) { tree, categories in
      guard tree.shape.count > 0, tree.canTell(categories) else { return true }
      guard
        let search = CircleSearch(
          tree: tree, origin: origin, radius: radius, categories: categories)
      else { return false }
      search.find(into: &buffer.found)
      return true
    }
    if !isDone { findAnywhere(within: radius, of: origin, categories: categories, &buffer.found) }
  }

  /// Finds the positions within a distance by the walk that covers the whole Earth.
  @inline(never)
  private func findAnywhere(
    within radius: Distance, of origin: Coordinate, categories: CategorySet,
    _ sink: inout PositionSink
  ) {
    for neighbor in neighbors(within: radius, of: origin, categories: categories) {
      sink.reserve(1)
      sink.append(UInt32(truncatingIfNeeded: neighbor.offset))
    }
  }
}
