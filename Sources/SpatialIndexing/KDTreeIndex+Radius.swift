import Geodesy

extension KDTreeIndex {
  /// Returns every position within a distance, itself included, nearest first.
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
        var walk = NearestWalk(
          tree: tree, origin: origin, limit: .max, ring: ring, categories: categories,
          isIncluded: isIncluded)
        return walk.run()
      }
    }
  }

  /// Returns how many positions lie within a distance, itself included; 0 for a negative radius.
  ///
  /// - Complexity: O(√*n*) expected: nodes inside the circle are counted whole, and geodesics are
  ///   computed only where the chord cannot tell.
  public func count(within radius: Distance, of origin: Coordinate) -> Int {
    guard count > 0, radius >= .zero else { return 0 }
    return withTree { tree in
      if let search = CircleSearch(
        tree: tree, origin: origin, radius: radius, categories: .any)
      {
        return search.count()
      }
      return CircleCount(tree: tree, origin: NearestOrigin(origin), radius: radius.meters)
        .count(group: 0, level: tree.shape.firstLevel)
    }
  }
}

/// A walk that counts the positions within a radius, anywhere on the Earth.
private struct CircleCount {
  let tree: TreeView
  let origin: NearestOrigin
  let radius: Double
  /// The chords that could belong to the radius itself.
  let shell: ClosedRange<Double>

  init(tree: TreeView, origin: NearestOrigin, radius: Double) {
    self.tree = tree
    self.origin = origin
    self.radius = radius
    shell = NearestOrigin.shell(around: radius)
  }

  func count(group: Int, level: Int) -> Int {
    let siblings = tree.group(level: level, group)
    let least = origin.leastSquaredChords(to: siblings)
    let greatest = origin.greatestSquaredChords(to: siblings)
    var count = 0
    // Lanes without a node are infinitely far.
    for lane in 0..<TreeShape.fanOut where Double(least[lane]) <= shell.upperBound {
      let node = group << 4 + lane
      if Double(greatest[lane]) < shell.lowerBound {
        count += tree.shape.slots(below: node, level: level).count
      } else if level > 0 {
        count += self.count(group: node, level: level - 1)
      } else {
        count += tree.slots(below: node, level: 0).count(where: isWithinRadius)
      }
    }
    return count
  }

  private func isWithinRadius(_ slot: Int) -> Bool {
    let squaredChord = tree.squaredChord(from: origin, toSlot: slot)
    if squaredChord < shell.lowerBound { return true }
    return squaredChord <= shell.upperBound
      && tree.geodesic(from: origin.coordinate, toSlot: slot) <= radius
  }
}
