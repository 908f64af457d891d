import Geodesy

extension KDTreeIndex {
  /// All positions, nearest first, found only as far as they are asked for.
  ///
  /// For searches whose end is not known before: "the next page", "until one is open".
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

  /// Starts over, at the nearest.
  public func makeIterator() -> NeighborIterator {
    NeighborIterator(index: index, origin: origin)
  }
}

/// Best-first search: a queue of nodes and positions by the least distance they can have.
public struct NeighborIterator: IteratorProtocol {
  private enum Content {
    case node(Int, level: Int)
    /// Known by its chord only.
    case slot(Int)
    case neighbor(position: Int)
  }

  private struct Entry {
    /// No geodesic to what the entry holds is shorter; for a neighbor, its distance.
    let meters: Double
    let content: Content

    /// Whatever may still hide a neighbor comes out before a neighbor at the same distance, so
    /// that ties leave in the order of their positions.
    func precedes(_ other: Entry) -> Bool {
      if meters != other.meters { return meters < other.meters }
      switch (content, other.content) {
      case (.neighbor(let position), .neighbor(let otherPosition)):
        return position < otherPosition
      case (.neighbor, _): return false
      case (_, .neighbor): return true
      default: return false
      }
    }
  }

  private let index: KDTreeIndex
  private let origin: NearestOrigin
  private var queue: [Entry] = []

  init(index: KDTreeIndex, origin: Coordinate) {
    self.index = index
    self.origin = NearestOrigin(origin)
    if index.count > 0 { push(Entry(meters: 0, content: .node(0, level: index.shape.topLevel))) }
  }

  /// The next neighbor; nil after the last.
  public mutating func next() -> Neighbor? {
    while let entry = pop() {
      switch entry.content {
      case .neighbor(let position):
        return Neighbor(position: position, distance: .meters(entry.meters))
      case .slot(let slot):
        let (position, meters) = index.withTree { tree in
          (Int(tree.position(slot)), tree.geodesic(from: origin.coordinate, toSlot: slot))
        }
        push(Entry(meters: meters, content: .neighbor(position: position)))
      case .node(let node, let level):
        expand(node, level: level)
      }
    }
    return nil
  }

  private mutating func expand(_ node: Int, level: Int) {
    let entries = index.withTree { tree in
      level == 0
        ? positions(in: node, tree: tree) : children(of: node, level: level, tree: tree)
    }
    for entry in entries { push(entry) }
  }

  private func positions(in leaf: Int, tree: TreeView) -> [Entry] {
    tree.slots(below: leaf, level: 0).map { slot in
      Entry(
        meters: leastGeodesic(squaredChord: tree.squaredChord(from: origin, toSlot: slot)),
        content: .slot(slot))
    }
  }

  private func children(of node: Int, level: Int, tree: TreeView) -> [Entry] {
    let least = origin.leastSquaredChords(to: tree.group(level: level - 1, node))
    return (0..<TreeShape.fanOut).compactMap { lane in
      guard least[lane] < .infinity else { return nil }
      return Entry(
        meters: leastGeodesic(squaredChord: Double(least[lane])),
        content: .node(node << 4 + lane, level: level - 1))
    }
  }

  /// Less than any geodesic with this chord, by more than both can be off.
  private func leastGeodesic(squaredChord: Double) -> Double {
    max(
      0,
      ChordBracket.shortestGeodesic(chord: squaredChord.squareRoot()) - NearestOrigin.margin)
  }

  // MARK: The queue, a binary heap with the first entry on top

  private mutating func push(_ entry: Entry) {
    queue.append(entry)
    var child = queue.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard queue[child].precedes(queue[parent]) else { return }
      queue.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func pop() -> Entry? {
    guard let last = queue.popLast() else { return nil }
    guard let first = queue.first else { return last }
    queue[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < queue.count else { return first }
      if child + 1 < queue.count, queue[child + 1].precedes(queue[child]) { child += 1 }
      guard queue[child].precedes(queue[parent]) else { return first }
      queue.swapAt(child, parent)
      parent = child
    }
  }
}
