import CNearbyKernels
import Geodesy

/// A number for every position of an index, and the least number below every node.
///
/// It finds the least number in an area without visiting each position.
package struct PositionMinima: Sendable {
  /// By slot, in whole leaves; the greatest number if there is no position.
  fileprivate let slots: [UInt32]
  /// By group and lane, like the nodes of the tree.
  fileprivate let nodes: [UInt32]

  /// The number of a position that is never the least.
  package static let none = UInt32.max

  /// Stores the numbers of the positions of an index.
  ///
  /// - Complexity: O(*n*), in the order of the tree; 4.3 bytes per position.
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

  /// The number of bytes that the numbers take.
  package var byteCount: Int { 4 * (slots.count + nodes.count) }
}

extension KDTreeIndex {
  /// Returns the least number among the positions within a distance.
  ///
  /// - Parameters:
  ///   - minima: The numbers of this index.
  ///   - bound: Only lesser numbers are searched for.
  ///   - isIncluded: Whether a position counts; called only for numbers less than the least so far.
  ///     Within a micrometer of the distance, on either side, it receives the geodesic, and has to
  ///     decide.
  /// - Returns: `bound` if no number is less.
  /// - Complexity: O(√*n*) expected and mostly O(log *n*): nodes without a lesser number are skipped,
  ///   and those inside the circle are descended without computing distances.
  package func least(
    of minima: PositionMinima, within radius: Distance, of origin: Coordinate, below bound: UInt32,
    where isIncluded: (_ position: Int, _ undecided: Distance?) -> Bool
  ) -> UInt32 {
    guard count > 0, radius >= .zero else { return bound }
    return withTree { tree in
      minima.slots.withUnsafeBufferPointer { slots in
        minima.nodes.withUnsafeBufferPointer { nodes in
          withoutActuallyEscaping(isIncluded) { isIncluded in
            var walk = LeastWalk(
              tree: tree, slots: slots, nodes: nodes, metric: GroundMetric(origin),
              radius: radius.meters, isIncluded: isIncluded, least: bound)
            walk.visit(group: 0, level: tree.shape.firstLevel)
            return walk.least
          }
        }
      }
    }
  }

  /// Returns the least number among the positions within a distance.
  ///
  /// All positions certainly within the distance count, which takes a fraction of the time.
  ///
  /// - Parameters:
  ///   - isWithin: Called with the geodesic for positions within a few thousandths of the distance.
  package func least(
    of minima: PositionMinima, within radius: Distance, of origin: Coordinate, below bound: UInt32,
    edge isWithin: (_ position: Int, _ distance: Distance) -> Bool
  ) -> UInt32 {
    guard count > 0, radius >= .zero else { return bound }
    let found: UInt32? = withTree { tree in
      // A micrometer on either side is left to geodesics.
      let shortest = max(0, radius.meters - LeastWalk.slack)
      guard
        var circle = nearby_circle(
          around: origin,
          outer: ChordBracket.shell(around: radius.meters + LeastWalk.slack).upperBound,
          inner: ChordBracket.shell(around: shortest).lowerBound)
      else { return nil }
      var found = nearby_least_found()
      found.least = bound
      var searched = tree.searched
      let outcome = minima.slots.withUnsafeBytes { slots in
        minima.nodes.withUnsafeBytes { nodes in
          var numbers = nearby_minima(slots: slots.baseAddress, nodes: nodes.baseAddress)
          return nearby_find_least(tree.level.rawValue, &searched, &numbers, &circle, &found)
        }
      }
      guard outcome == NEARBY_DONE else { return nil }
      var least = found.least
      withUnsafeBytes(of: &found.undecided) { undecided in
        for index in 0..<Int(found.undecided_count) {
          let slot = Int(undecided.load(fromByteOffset: 4 * index, as: UInt32.self))
          let number = minima.slots[slot]
          guard number < least else { continue }
          let distance = Distance.meters(tree.geodesic(from: origin, toSlot: slot))
          if isWithin(Int(tree.position(slot)), distance) { least = number }
        }
      }
      return least
    }
    // Too far for a flat Earth, or many coincident points on the edge.
    return found
      ?? least(
        of: minima, within: radius, of: origin, below: bound,
        where: { position, distance in distance.map { isWithin(position, $0) } ?? true })
  }
}

/// A walk for the least number within a radius, anywhere on the Earth.
private struct LeastWalk {
  let tree: TreeView
  let slots: UnsafeBufferPointer<UInt32>
  let nodes: UnsafeBufferPointer<UInt32>
  let metric: GroundMetric
  let radius: Double
  let isIncluded: (Int, Distance?) -> Bool
  var least: UInt32

  /// A bound, in meters, for the difference between distances found in different ways.
  static let slack = 1e-6

  mutating func visit(group: Int, level: Int) {
    let first = (tree.shape.groupOffset(level: level) + group) << 4
    var wanted: UInt32 = 0
    for lane in 0..<TreeShape.fanOut where nodes[first + lane] < least {
      wanted |= 1 << UInt32(lane)
    }
    guard wanted != 0 else { return }
    let memory = tree.groupMemory(level: level, group)
    var siblings = nearby_bounds()
    metric.bound(nodes: memory, reach: .infinity, &siblings)
    wanted.forEachBit { lane in
      guard siblings.least(lane) <= radius + Self.slack, nodes[first + lane] < least else {
        return
      }
      if siblings.isVague(lane) {
        metric.sharpen(lane, of: memory, &siblings)
        guard siblings.least(lane) <= radius + Self.slack else { return }
      }
      if level > 0 {
        visit(group: group << 4 + lane, level: level - 1)
      } else {
        read(leaf: group << 4 + lane)
      }
    }
  }

  private mutating func read(leaf: Int) {
    var positions = nearby_bounds()
    metric.bound(
      positions: tree.leaf(leaf), isDecimal: tree.encoding == .decimal, &positions)
    for slot in tree.slots(below: leaf, level: 0) where slots[slot] < least {
      let lane = slot & 15
      guard positions.least(lane) <= radius + Self.slack else { continue }
      let undecided: Distance? =
        positions.greatest(lane) < radius - Self.slack
        ? nil : .meters(tree.geodesic(from: metric.coordinate, toSlot: slot))
      if isIncluded(Int(tree.position(slot)), undecided) { least = slots[slot] }
    }
  }
}
