import CKernels
import Geodesy

// Queries that only say which positions, at full speed: nothing is allocated once the buffer is
// warm, nothing is measured that need not be, and nothing is counted. Where the answer lies across
// ±180°, round a pole or very far away, the walk that knows the whole Earth finds it, in a few
// allocations and some ten times the time.

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
    _ limit: Int, to origin: Coordinate, into buffer: inout QueryBuffer, level: VectorLevel
  ) {
    find(limit, origin, .any, &buffer, level: level)
  }

  /// `measureNearest` by a set of instructions that the processor has.
  package func measureNearest(
    _ limit: Int, to origin: Coordinate, into buffer: inout QueryBuffer, level: VectorLevel
  ) {
    find(limit, origin, .any, isMeasured: true, &buffer, level: level)
  }

  /// Finds without measuring: a few of all positions straight into the buffer.
  @inline(__always)
  private func find(
    _ limit: Int, _ origin: Coordinate, _ categories: CategorySet, _ buffer: inout QueryBuffer,
    level: VectorLevel
  ) {
    let limit = min(limit, count)
    guard FewSearch.canAnswer(limit, categories) else {
      return find(limit, origin, categories, isMeasured: false, &buffer, level: level)
    }
    let memory = buffer.scratch(byteCount: FewSearch.byteCount)
    let outcome = withTree { tree in
      let search = FewSearch(tree: tree, origin: origin, limit: limit, memory: memory)
      return search.answer(level: level, into: buffer.takeMemory(limit))
    }
    if outcome == NEARBY_FOUND {
      buffer.put(count: limit)
    } else {
      findCrowded(limit, origin, &buffer, isBeyond: outcome == NEARBY_BEYOND)
    }
  }

  /// Finds a few of all positions where `FewSearch` could not.
  ///
  /// - Parameter isBeyond: Whether flat squared chords do not reach so far; otherwise more were as far
  ///   away as the last one than it keeps.
  @inline(never)
  func findCrowded(
    _ limit: Int, _ origin: Coordinate, _ buffer: inout QueryBuffer, isBeyond: Bool
  ) {
    guard isBeyond else {
      return find(limit, origin, .any, isMeasured: false, &buffer, level: nil)
    }
    var sink = buffer.takeSink()
    buffer.distances.removeAll(keepingCapacity: true)
    sink.reserve(limit)
    withTree { tree in
      for neighbor in nearestAnywhere(limit, origin, .any, tree) {
        sink.append(UInt32(truncatingIfNeeded: neighbor.position))
      }
    }
    buffer.put(sink)
  }

  @inline(never)
  private func find(
    _ limit: Int, _ origin: Coordinate, _ categories: CategorySet, isMeasured: Bool,
    _ buffer: inout QueryBuffer, level: VectorLevel?
  ) {
    let limit = min(limit, count)
    var sink = buffer.takeSink()
    buffer.distances.removeAll(keepingCapacity: true)
    if limit > 0 {
      sink.reserve(limit)
      withTree { tree in
        var search = LocalSearch(
          tree: tree, origin: origin, limit: limit, categories: categories, level: level)
        var distances: [Double] = []
        swap(&distances, &buffer.distances)
        let found: Void? = search.run(isMeasured: isMeasured, buffer: &buffer) { ranking in
          for rank in 0..<limit {
            sink.append(ranking.position(rank: rank))
            if isMeasured { distances.append(ranking.distance(rank: rank)) }
          }
        }
        if found == nil {
          for neighbor in nearestAnywhere(limit, origin, categories, tree) {
            sink.append(UInt32(truncatingIfNeeded: neighbor.position))
            if isMeasured { distances.append(neighbor.distance.meters) }
          }
        }
        swap(&distances, &buffer.distances)
      }
    }
    buffer.put(sink)
  }

  /// The nearest positions by the walk that knows the whole Earth.
  func nearestAnywhere(
    _ limit: Int, _ origin: Coordinate, _ categories: CategorySet, _ tree: TreeView
  ) -> [Neighbor] {
    var walk = NearestWalk(
      tree: tree, origin: origin, limit: limit, ring: NearestRing(), categories: categories,
      isIncluded: { _ in true })
    return walk.run()
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
      buffer.put(selection.sink)
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
        let metric = LocalMetric(origin)
        if CircleWalk.canJudge(radius, metric) {
          let walk = CircleWalk(
            tree: tree, origin: origin, radius: radius, categories: categories, metric: metric)
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
      buffer.put(selection.sink)
    }
  }
}
