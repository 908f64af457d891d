import CNearbyKernels
import Geodesy

// Queries that only say which positions, at full speed: nothing is allocated once the buffer is
// warm, nothing is measured that need not be, and nothing is counted. Where the answer lies across
// ±180°, round a pole or farther than 400 km, the walk that knows the whole Earth finds it, in a few
// allocations and some ten times the time, however far away it is.

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
    find(limit, origin, categories, &buffer, level: .greatest)
  }

  /// Finds the positions nearest to an origin, nearest first, and how far they are: the answer of
  /// `nearest(_:to:)` without all that explains it.
  ///
  /// - Parameters:
  ///   - limit: How many to find; more than there are finds them all.
  ///   - origin: Where distances are measured from.
  ///   - categories: Positions must belong to one of these.
  ///   - buffer: Where the answer goes, with the distances in `buffer.distances`.
  /// - Precondition: `limit >= 0`.
  /// - Complexity: O(*k* log *n*) expected; 10 ns more a position than `findNearest` up to 100 km,
  ///   0.4 µs beyond.
  public func measureNearest(
    _ limit: Int, to origin: Coordinate, categories: CategorySet = .any,
    into buffer: inout QueryBuffer
  ) {
    precondition(limit >= 0, "cannot find \(limit) positions")
    find(limit, origin, categories, isMeasured: true, &buffer, level: .greatest)
  }

  /// `findNearest` by a set of instructions that the processor has.
  package func findNearest(
    _ limit: Int, to origin: Coordinate, categories: CategorySet = .any,
    into buffer: inout QueryBuffer, level: VectorLevel
  ) {
    find(limit, origin, categories, &buffer, level: level)
  }

  /// `measureNearest` by a set of instructions that the processor has.
  package func measureNearest(
    _ limit: Int, to origin: Coordinate, categories: CategorySet = .any,
    into buffer: inout QueryBuffer, level: VectorLevel
  ) {
    find(limit, origin, categories, isMeasured: true, &buffer, level: level)
  }

  /// Finds without measuring: a few straight into the buffer.
  @inline(__always)
  private func find(
    _ limit: Int, _ origin: Coordinate, _ categories: CategorySet, _ buffer: inout QueryBuffer,
    level: VectorLevel
  ) {
    let outcome = withTree(of: categories) { tree, categories in
      let limit = min(limit, tree.shape.count)
      guard FewSearch.canAnswer(limit, categories, in: tree) else { return NEARBY_LOST }
      let memory = buffer.scratch(byteCount: FewSearch.byteCount)
      let search = FewSearch(
        tree: tree, origin: origin, limit: limit, categories: categories, memory: memory)
      let outcome = search.answer(level: level, into: buffer.takeMemory(limit))
      if outcome == NEARBY_FOUND { buffer.put(count: limit) }
      return outcome
    }
    if outcome != NEARBY_FOUND {
      find(
        limit, origin, categories, isMeasured: false, &buffer, level: nil,
        isBeyond: outcome == NEARBY_BEYOND)
    }
  }

  /// Finds by what is slower and knows more.
  ///
  /// - Parameters:
  ///   - level: nil where a search for a few is known to lead nowhere.
  ///   - isBeyond: Whether flat squared chords are known not to reach so far.
  @inline(never)
  func find(
    _ limit: Int, _ origin: Coordinate, _ categories: CategorySet, isMeasured: Bool,
    _ buffer: inout QueryBuffer, level: VectorLevel?, isBeyond: Bool = false
  ) {
    var sink = buffer.takeSink()
    buffer.distances.removeAll(keepingCapacity: true)
    withTree(of: categories) { tree, categories in
      let limit = min(limit, tree.shape.count)
      if limit > 0 {
        sink.reserve(limit)
        var search = LocalSearch(
          tree: tree, origin: origin, limit: limit, categories: categories, level: level)
        var distances: [Double] = []
        swap(&distances, &buffer.distances)
        let found: Void? =
          isBeyond
          ? nil
          : search.run(isMeasured: isMeasured, buffer: &buffer) { ranking in
            ranking.append(limit, to: &sink)
            if isMeasured {
              for rank in 0..<limit { distances.append(ranking.distance(rank: rank)) }
            }
          }
        if found == nil {
          var walk = GroundWalk(
            PackedTree(tree, categories: categories), origin: origin, limit: limit)
          if isMeasured {
            for neighbor in tree.measuredNeighbors(of: walk.run(), from: origin).0.prefix(
              limit)
            {
              sink.append(UInt32(truncatingIfNeeded: neighbor.position))
              distances.append(neighbor.distance.meters)
            }
          } else {
            for slot in walk.runInOrder() { sink.append(tree.position(slot)) }
          }
        }
        swap(&distances, &buffer.distances)
      }
    }
    buffer.put(sink)
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
    find(in: box, categories: categories, into: &buffer, level: .greatest)
  }

  /// The same by a set of instructions that the processor has.
  @inline(__always)
  package func find(
    in box: BoundingBox, categories: CategorySet, into buffer: inout QueryBuffer, level: VectorLevel
  ) {
    var sink = buffer.takeSink()
    withTree(of: categories) { tree, categories in
      guard tree.shape.count > 0, tree.canTell(categories) else { return }
      forEachSpan(of: box, tree: tree, categories: categories, level: level) {
        $0.find(into: &sink)
      }
    }
    buffer.put(sink)
  }

  /// Finds the positions within a distance, itself included, in no particular order.
  ///
  /// - Complexity: O(√*n* + *r*) expected for *r* results; geodesics are computed only where the
  ///   chord cannot tell.
  public func find(
    within radius: Distance, of origin: Coordinate, categories: CategorySet = .any,
    into buffer: inout QueryBuffer
  ) {
    find(within: radius, of: origin, categories: categories, into: &buffer, level: .greatest)
  }

  /// The same by a set of instructions that the processor has.
  @inline(__always)
  package func find(
    within radius: Distance, of origin: Coordinate, categories: CategorySet,
    into buffer: inout QueryBuffer, level: VectorLevel
  ) {
    var sink = buffer.takeSink()
    if radius >= .zero {
      let isDone = withTree(of: categories) { tree, categories in
        guard tree.shape.count > 0, tree.canTell(categories) else { return true }
        guard
          let search = CircleSearch(
            tree: tree, origin: origin, radius: radius, categories: categories, level: level)
        else { return false }
        search.find(into: &sink)
        return true
      }
      if !isDone { findAnywhere(within: radius, of: origin, categories: categories, &sink) }
    }
    buffer.put(sink)
  }

  /// Finds the positions within a distance by the walk that knows the whole Earth.
  @inline(never)
  private func findAnywhere(
    within radius: Distance, of origin: Coordinate, categories: CategorySet,
    _ sink: inout PositionSink
  ) {
    for neighbor in neighbors(within: radius, of: origin, categories: categories) {
      sink.reserve(1)
      sink.append(UInt32(truncatingIfNeeded: neighbor.position))
    }
  }
}
