import CNearbyKernels
import Geodesy

extension KDTreeIndex {
  /// Returns every position within a distance (inclusive), nearest first.
  ///
  /// - Returns: Neighbors by ascending (distance, position); empty for a negative radius.
  /// - Complexity: O(log *n* + *r* log *r*) expected for *r* results.
  public func neighbors(
    within radius: Distance, of origin: Coordinate, categories: CategorySet = .any,
    where isIncluded: (Int) -> Bool = { _ in true }
  ) -> [Neighbor] {
    let ring = NearestRing(outer: radius)
    guard !ring.isEmpty else { return [] }
    return withoutActuallyEscaping(isIncluded) { isIncluded in
      withTree(of: categories) { tree, categories in
        guard tree.shape.count > 0, tree.canTell(categories) else { return [] }
        if let search = CircleSearch(
          tree: tree, origin: origin, radius: ring.outer, categories: categories)
        {
          let slots = search.slots().filter { isIncluded(Int(tree.position($0))) }
          return tree.measuredNeighbors(of: slots, from: origin).0
        }
        var walk = GroundWalk(
          PackedTree(tree, categories: categories, asking: PredicateAsking(isIncluded)),
          origin: origin, limit: .max, ring: ring)
        return tree.measuredNeighbors(of: walk.run(), from: origin).0
      }
    }
  }

  /// Returns the number of positions within a distance (inclusive); 0 for a negative radius.
  ///
  /// - Complexity: O(√*n*) expected: nodes inside the circle are counted whole, and geodesics are
  ///   computed only where chords cannot decide.
  public func count(within radius: Distance, of origin: Coordinate) -> Int {
    guard count > 0, radius >= .zero else { return 0 }
    return withTree { tree in
      if let search = CircleSearch(
        tree: tree, origin: origin, radius: radius, categories: .any)
      {
        return search.count()
      }
      return CircleCount(tree: tree, metric: GroundMetric(origin), radius: radius.meters)
        .count(group: 0, level: tree.shape.firstLevel)
    }
  }
}

/// A walk that counts the positions within a radius, anywhere on the Earth.
private struct CircleCount {
  let tree: TreeView
  let metric: GroundMetric
  let radius: Double

  func count(group: Int, level: Int) -> Int {
    let memory = tree.groupMemory(level: level, group)
    var siblings = nearby_bounds()
    metric.bound(nodes: memory, reach: .infinity, &siblings)
    var count = 0
    for lane in 0..<TreeShape.fanOut where siblings.least(lane) <= radius {
      // An empty lane is infinitely far, and the radius may be infinite, too.
      guard siblings.least(lane) < .infinity else { continue }
      let node = group << 4 + lane
      if siblings.isVague(lane), siblings.greatest(lane) > radius {
        metric.sharpen(lane, of: memory, &siblings)
      }
      if siblings.greatest(lane) <= radius {
        count += tree.shape.slots(below: node, level: level).count
      } else if siblings.least(lane) <= radius {
        count += level > 0 ? self.count(group: node, level: level - 1) : self.count(leaf: node)
      }
    }
    return count
  }

  private func count(leaf: Int) -> Int {
    var positions = nearby_bounds()
    metric.bound(
      positions: tree.leaf(leaf), isDecimal: tree.encoding == .decimal, &positions)
    let first = leaf << 4
    return (0..<tree.slots(below: leaf, level: 0).count).count { lane in
      positions.greatest(lane) <= radius
        || positions.least(lane) <= radius
          && tree.geodesic(from: metric.coordinate, toSlot: first + lane) <= radius
    }
  }
}
