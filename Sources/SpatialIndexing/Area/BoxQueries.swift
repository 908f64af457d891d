import Geodesy

extension KDTreeIndex {
  /// Returns the positions inside a box, in ascending order.
  ///
  /// Edges are included, and 180° and −180° are one meridian, as in `BoundingBox.contains`.
  ///
  /// - Complexity: O(√*n* + *r* log *r*) expected for *r* results.
  public func positions(in box: BoundingBox, categories: CategorySet = .any) -> [Int] {
    var buffer = QueryBuffer()
    find(in: box, categories: categories, into: &buffer)
    return buffer.positions.withUnsafeBufferPointer { $0.ascending() }
  }

  /// Returns the number of positions inside a box, without listing them.
  ///
  /// - Complexity: O(√*n*) expected; positions in nodes inside the box are not read.
  public func count(in box: BoundingBox) -> Int {
    guard count > 0 else { return 0 }
    return withTree { tree in
      var count = 0
      forEachSpan(of: box, tree: tree, categories: .any) { count += $0.count() }
      return count
    }
  }

  /// Calls `body` with a search for each longitude span of a box.
  ///
  /// The spans share no longitude that a position can have, so no position is found twice.
  @inline(__always)
  func forEachSpan(
    of box: BoundingBox, tree: TreeView, categories: CategorySet, level: VectorLevel = .greatest,
    _ body: (BoxSearch) -> Void
  ) {
    let spans = box.longitudeSpans
    body(
      BoxSearch(
        tree: tree, latitudes: box.south...box.north, longitudes: spans.first,
        categories: categories, level: level))
    if let second = spans.second {
      body(
        BoxSearch(
          tree: tree, latitudes: box.south...box.north, longitudes: second,
          categories: categories, level: level))
    }
  }

  /// Returns the positions inside an area, in ascending order; its border belongs to it.
  ///
  /// - Complexity: O(*m* · *v*) for *m* positions in nodes on the border and *v* vertices of the
  ///   area; nodes that lie wholly inside or outside are taken or skipped as a whole.
  public func positions(in area: some Area, categories: CategorySet = .any) -> [Int] {
    guard count > 0 else { return [] }
    var positions: [UInt32] = []
    withTree(of: categories) { tree, categories in
      let walk = AreaWalk(tree: tree, area: area, categories: categories)
      walk.visit(group: 0, level: tree.shape.firstLevel) { slot in
        positions.append(tree.position(slot))
      }
    }
    return positions.withUnsafeBufferPointer { $0.ascending() }
  }
}

/// A walk for an area with straight edges in longitude and latitude.
private struct AreaWalk<Shape: Area> {
  let tree: TreeView
  let area: Shape
  let categories: CategorySet

  func visit(group: Int, level: Int, _ body: (Int) -> Void) {
    let bounds = tree.group(level: level, group)
    for lane in 0..<TreeShape.fanOut where bounds.south[lane] < .infinity {
      let node = group << 4 + lane
      guard tree.node(node, level: level, holds: categories) else { continue }
      // Edges rounded outward may exceed the legal range, and a file may hold any value.
      let south = min(90, max(-90, Double(bounds.south[lane])))
      let west = min(180, max(-180, Double(bounds.west[lane])))
      let box = BoundingBox(
        unchecked: south, west,
        max(south, min(90, Double(bounds.north[lane]))),
        max(west, min(180, Double(bounds.east[lane]))))
      switch area.relation(to: box) {
      case .disjoint:
        continue
      case .covers:
        for slot in tree.slots(below: node, level: level)
        where tree.slot(slot, isIn: categories) { body(slot) }
      case .unknown where level > 0:
        visit(group: node, level: level - 1, body)
      case .unknown:
        for slot in tree.slots(below: node, level: 0)
        where tree.slot(slot, isIn: categories)
          && area.contains(Coordinate(unchecked: tree.latitude(slot), tree.longitude(slot)))
        {
          body(slot)
        }
      }
    }
  }
}
