import Geodesy

/// A number for every position of an index, and the least of them below every node: for finding the
/// least in an area without a look at each.
package struct PositionMinima: Sendable {
  /// By slot, in whole leaves; the greatest number where there is no position.
  fileprivate let slots: [UInt32]
  /// By group and lane, as nodes stand in the tree.
  fileprivate let nodes: [UInt32]

  /// What a position has that is never the least.
  package static let none = UInt32.max

  /// The numbers of the positions of an index.
  ///
  /// - Complexity: O(*n*), in the order of the tree; 4.3 bytes a position.
  package init(of index: KDTreeIndex, _ number: (Int) -> UInt32) {
    (slots, nodes) = index.withTree { tree in
      let shape = tree.shape
      var slots = [UInt32](repeating: Self.none, count: shape.leafCount * TreeShape.fanOut)
      var nodes = [UInt32](repeating: Self.none, count: shape.groupCount * TreeShape.fanOut)
      for leaf in 0..<(shape.count > 0 ? shape.leafCount : 0) {
        var least = Self.none
        for slot in tree.slots(below: leaf, level: 0) {
          slots[slot] = number(Int(tree.position(slot)))
          least = min(least, slots[slot])
        }
        nodes[shape.groupOffset(level: 0) << 4 + leaf] = least
      }
      for level in stride(from: 1, to: shape.levelCount, by: 1) {
        for node in 0..<shape.nodeCount(level: level) {
          let below = (shape.groupOffset(level: level - 1) + node) << 4
          nodes[shape.groupOffset(level: level) << 4 + node] =
            nodes[below..<below + TreeShape.fanOut].min() ?? Self.none
        }
      }
      return (slots, nodes)
    }
  }

  /// How many bytes the numbers take.
  package var byteCount: Int { 4 * (slots.count + nodes.count) }
}

extension KDTreeIndex {
  /// Returns the least number among the positions within a distance, itself included.
  ///
  /// - Parameters:
  ///   - minima: Made of this index.
  ///   - bound: Only less than this is looked for.
  ///   - isIncluded: Whether a position counts, and whether it lies at the very distance; asked only
  ///     of positions with less than the least so far.
  /// - Returns: `bound` where nothing is less.
  /// - Complexity: O(√*n*) expected and mostly O(log *n*): nodes without less than what is known are
  ///   passed over, and those inside the circle that have it are descended without a distance.
  package func least(
    of minima: PositionMinima, within radius: Distance, of origin: Coordinate, below bound: UInt32,
    where isIncluded: (_ position: Int, _ isAtRadius: Bool) -> Bool
  ) -> UInt32 {
    guard count > 0, radius >= .zero else { return bound }
    return withTree { tree in
      minima.slots.withUnsafeBufferPointer { slots in
        minima.nodes.withUnsafeBufferPointer { nodes in
          withoutActuallyEscaping(isIncluded) { isIncluded in
            var walk = LeastWalk(
              tree: tree, slots: slots, nodes: nodes, origin: NearestOrigin(origin),
              radius: radius.meters, isIncluded: isIncluded, least: bound)
            walk.visit(group: 0, level: tree.shape.firstLevel)
            return walk.least
          }
        }
      }
    }
  }
}

/// A walk for the least number within a radius, anywhere on the Earth.
private struct LeastWalk {
  let tree: TreeView
  let slots: UnsafeBufferPointer<UInt32>
  let nodes: UnsafeBufferPointer<UInt32>
  let origin: NearestOrigin
  let radius: Double
  /// The chords that could belong to the radius itself.
  let shell: ClosedRange<Double>
  let isIncluded: (Int, Bool) -> Bool
  var least: UInt32

  init(
    tree: TreeView, slots: UnsafeBufferPointer<UInt32>, nodes: UnsafeBufferPointer<UInt32>,
    origin: NearestOrigin, radius: Double, isIncluded: @escaping (Int, Bool) -> Bool, least: UInt32
  ) {
    self.tree = tree
    self.slots = slots
    self.nodes = nodes
    self.origin = origin
    self.radius = radius
    shell = NearestOrigin.shell(around: radius)
    self.isIncluded = isIncluded
    self.least = least
  }

  mutating func visit(group: Int, level: Int) {
    let first = (tree.shape.groupOffset(level: level) + group) << 4
    var wanted: UInt32 = 0
    for lane in 0..<TreeShape.fanOut where nodes[first + lane] < least {
      wanted |= 1 << UInt32(lane)
    }
    guard wanted != 0 else { return }
    // Lanes without a node are infinitely far.
    let squares = origin.leastSquaredChords(to: tree.group(level: level, group))
    while wanted != 0 {
      let lane = wanted.trailingZeroBitCount
      wanted &= wanted - 1
      guard Double(squares[lane]) <= shell.upperBound, nodes[first + lane] < least else { continue }
      if level > 0 {
        visit(group: group << 4 + lane, level: level - 1)
      } else {
        read(leaf: group << 4 + lane)
      }
    }
  }

  private mutating func read(leaf: Int) {
    for slot in tree.slots(below: leaf, level: 0) where slots[slot] < least {
      let squaredChord = tree.squaredChord(from: origin, toSlot: slot)
      guard squaredChord <= shell.upperBound else { continue }
      var isAtRadius = false
      if squaredChord >= shell.lowerBound {
        let distance = tree.geodesic(from: origin.coordinate, toSlot: slot)
        guard distance <= radius else { continue }
        isAtRadius = distance == radius
      }
      if isIncluded(Int(tree.position(slot)), isAtRadius) { least = slots[slot] }
    }
  }
}
