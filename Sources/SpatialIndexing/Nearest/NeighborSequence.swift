import CNearbyKernels
import Geodesy

extension KDTreeIndex {
  /// All positions, nearest first, found lazily.
  ///
  /// For searches whose end is not known in advance: "the next page", "until one is open".
  ///
  ///     for neighbor in index.neighborsByDistance(from: here) where isOpen[neighbor.position] {
  ///       return neighbor
  ///     }
  ///
  /// - Complexity: O(log *n*) expected for each neighbor; O(*m*) memory for the first *m*.
  ///
  /// Source: G. R. Hjaltason and H. Samet, "Distance Browsing in Spatial Databases",
  /// ACM TODS 24(2), 1999, doi:10.1145/320248.320255.
  public func neighborsByDistance(from origin: Coordinate) -> NeighborSequence {
    NeighborSequence(index: self, origin: origin)
  }
}

/// The positions of an index by ascending (distance, position), lazily.
public struct NeighborSequence: Sequence, Sendable {
  let index: KDTreeIndex
  let origin: Coordinate

  /// Starts over, at the nearest position.
  public func makeIterator() -> NeighborIterator {
    NeighborIterator(index: index, origin: origin)
  }
}

/// Best-first search: a queue of nodes and positions by the least distance they can have.
public struct NeighborIterator: IteratorProtocol {
  private enum Content: Equatable {
    case node(Int, level: Int)
    /// A position not measured yet.
    case slot(Int)
    case neighbor(position: Int)
  }

  private struct Entry: Comparable {
    /// A lower bound of the geodesics to the entry's contents; for a neighbor, its distance.
    let meters: Double
    let content: Content

    /// Entries that may still hide a neighbor come before a neighbor at the same distance, so that
    /// ties come out in position order.
    static func < (one: Entry, other: Entry) -> Bool {
      if one.meters != other.meters { return one.meters < other.meters }
      switch (one.content, other.content) {
      case (.neighbor(let position), .neighbor(let otherPosition)):
        return position < otherPosition
      case (.neighbor, _): return false
      case (_, .neighbor): return true
      default: return false
      }
    }
  }

  private let index: KDTreeIndex
  private let metric: GroundMetric
  private var queue = Heap<Entry>()

  init(index: KDTreeIndex, origin: Coordinate) {
    self.index = index
    metric = GroundMetric(origin)
    if index.count > 0 {
      queue.insert(Entry(meters: 0, content: .node(0, level: index.shape.topLevel)))
    }
  }

  /// The next neighbor; nil after the last.
  public mutating func next() -> Neighbor? {
    while let entry = queue.removeFirst() {
      switch entry.content {
      case .neighbor(let position):
        return Neighbor(position: position, distance: .meters(entry.meters))
      case .slot(let slot):
        let (position, meters) = index.withTree { tree in
          (Int(tree.position(slot)), tree.geodesic(from: metric.coordinate, toSlot: slot))
        }
        queue.insert(Entry(meters: meters, content: .neighbor(position: position)))
      case .node(let node, let level):
        expand(node, level: level)
      }
    }
    return nil
  }

  private mutating func expand(_ node: Int, level: Int) {
    var bounds = nearby_bounds()
    index.withTree { tree in
      if level == 0 {
        metric.bound(
          positions: tree.leaf(node), isDecimal: tree.encoding == .decimal, &bounds)
      } else {
        let group = tree.groupMemory(level: level - 1, node)
        metric.bound(nodes: group, reach: .infinity, &bounds)
        for lane in 0..<TreeShape.fanOut where bounds.isVague(lane) {
          metric.sharpen(lane, of: group, &bounds)
        }
      }
    }
    let lanes = level == 0 ? index.shape.slots(below: node, level: 0).count : TreeShape.fanOut
    for lane in 0..<lanes where bounds.least(lane) < .infinity {
      let child = node << 4 + lane
      queue.insert(
        Entry(
          meters: bounds.least(lane),
          content: level == 0 ? .slot(child) : .node(child, level: level - 1)))
    }
  }
}
