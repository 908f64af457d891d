import Geodesy

extension KDTreeIndex {
  /// All positions, nearest first, found lazily.
  ///
  /// For searches whose end is not known in advance: "the next page", "until one is open".
  ///
  ///     for neighbor in index.neighborsByDistance(from: here) where isOpen[neighbor.offset] {
  ///       return neighbor
  ///     }
  ///
  /// - Complexity: O(*m* log *n*) expected time and O(*m*) memory for the first *m*, which `nearest(_:to:)` finds:
  ///   fifteen at first, then four times as many whenever these are used up.
  public func neighborsByDistance(from origin: Coordinate) -> NeighborSequence {
    NeighborSequence(index: self, origin: origin)
  }
}

/// The positions of an index by ascending (distance, offset), lazily.
public struct NeighborSequence: Sequence, Sendable {
  let index: KDTreeIndex
  let origin: Coordinate

  /// Starts over, at the nearest position.
  public func makeIterator() -> NeighborIterator {
    NeighborIterator(index: index, origin: origin)
  }
}

/// The neighbors of a ``NeighborSequence``, one after another.
public struct NeighborIterator: IteratorProtocol {
  private let index: KDTreeIndex
  private let origin: Coordinate
  /// The nearest, `limit` of them unless there are fewer; those before `place` were returned.
  private var found: [Neighbor] = []
  private var limit = 0
  private var place = 0

  init(index: KDTreeIndex, origin: Coordinate) {
    self.index = index
    self.origin = origin
  }

  /// The next neighbor; nil after the last.
  public mutating func next() -> Neighbor? {
    if place == limit {
      // With the first one left out, fifteen are as many as the search for a few finds.
      limit = max(15, 4 * limit)
      found = index.nearest(limit, to: origin).neighbors
    }
    guard place < found.count else { return nil }
    defer { place += 1 }
    return found[place]
  }
}
