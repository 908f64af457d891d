import Geodesy

extension KDTreeIndex {
  /// Returns the positions inside a box, in ascending order.
  ///
  /// Edges are closed, and 180° and −180° are one meridian, as `BoundingBox.contains` has it.
  ///
  /// - Complexity: O(√*n* + *r* log *r*) expected for *r* results.
  public func positions(in box: BoundingBox, categories: CategorySet = .any) -> [Int] {
    var positions: [Int] = []
    withTree { tree in
      forEachSlotRange(in: box, tree: tree, categories: categories) { slots in
        for slot in slots where tree.slot(slot, isIn: categories) {
          positions.append(Int(tree.position(slot)))
        }
      }
    }
    positions.sort()
    return positions
  }

  /// Returns how many positions a box holds, without listing them.
  ///
  /// - Complexity: O(√*n*) expected; positions of nodes inside the box are not read.
  public func count(in box: BoundingBox) -> Int {
    withTree { tree in
      var count = 0
      forEachSlotRange(in: box, tree: tree, categories: .any) { count += $0.count }
      return count
    }
  }

  /// Calls `body` with runs of slots that lie inside the box and together are all of them.
  private func forEachSlotRange(
    in box: BoundingBox, tree: TreeView, categories: CategorySet, _ body: (Range<Int>) -> Void
  ) {
    guard count > 0 else { return }
    let spans = box.longitudeSpans
    // The spans share no longitude that a position can have, so none is met twice.
    for span in [spans.first, spans.second].compactMap({ $0 }) {
      let walk = BoxWalk(
        tree: tree, latitudes: box.south...box.north, longitudes: span, categories: categories)
      walk.visit(group: 0, level: tree.shape.topLevel, body)
    }
  }

  /// Returns the positions inside an area, in ascending order; its border belongs to it.
  ///
  /// - Complexity: O(*m* · *v*) for *m* positions in nodes on the border and *v* vertices of the
  ///   area; nodes that lie wholly inside or outside are taken or passed over whole.
  public func positions(in area: some Area, categories: CategorySet = .any) -> [Int] {
    guard count > 0 else { return [] }
    var positions: [Int] = []
    withTree { tree in
      let walk = AreaWalk(tree: tree, area: area, categories: categories)
      walk.visit(group: 0, level: tree.shape.topLevel) { slot in
        positions.append(Int(tree.position(slot)))
      }
    }
    positions.sort()
    return positions
  }
}

/// A walk for one span of latitudes and one of longitudes.
private struct BoxWalk {
  let tree: TreeView
  let latitudes: ClosedRange<Double>
  let longitudes: ClosedRange<Double>
  let categories: CategorySet

  func visit(group: Int, level: Int, _ body: (Range<Int>) -> Void) {
    let bounds = tree.group(level: level, group)
    let south = bounds.south, north = bounds.north
    let west = bounds.west, east = bounds.east
    for lane in 0..<TreeShape.fanOut {
      // Empty lanes have south = ∞ and so meet no box.
      guard Double(south[lane]) <= latitudes.upperBound,
        Double(north[lane]) >= latitudes.lowerBound,
        Double(west[lane]) <= longitudes.upperBound, Double(east[lane]) >= longitudes.lowerBound
      else { continue }
      let node = group << 4 + lane
      guard tree.node(node, level: level, holds: categories) else { continue }
      // Bounds are rounded outward, so a node that seems to lie inside does.
      let isInside =
        Double(south[lane]) >= latitudes.lowerBound && Double(north[lane]) <= latitudes.upperBound
        && Double(west[lane]) >= longitudes.lowerBound
        && Double(east[lane]) <= longitudes.upperBound
      if isInside {
        body(tree.shape.slots(below: node, level: level))
      } else if level > 0 {
        visit(group: node, level: level - 1, body)
      } else {
        for slot in tree.shape.slots(below: node, level: 0)
        where latitudes.contains(tree.latitude(slot)) && longitudes.contains(tree.longitude(slot)) {
          body(slot..<slot + 1)
        }
      }
    }
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
      // Rounding outward may step past the ranges of a box.
      let box = BoundingBox(
        unchecked: max(-90, Double(bounds.south[lane])),
        max(-180, Double(bounds.west[lane])),
        min(90, Double(bounds.north[lane])),
        min(180, Double(bounds.east[lane])))
      switch area.relation(to: box) {
      case .disjoint:
        continue
      case .covers:
        for slot in tree.shape.slots(below: node, level: level)
        where tree.slot(slot, isIn: categories) { body(slot) }
      case .unknown where level > 0:
        visit(group: node, level: level - 1, body)
      case .unknown:
        for slot in tree.shape.slots(below: node, level: 0)
        where tree.slot(slot, isIn: categories)
          && area.contains(Coordinate(unchecked: tree.latitude(slot), tree.longitude(slot)))
        {
          body(slot)
        }
      }
    }
  }
}
