/// The nonempty cells of the coarse levels, level by level, each with its positions and the sums of
/// their columns and rows: the data for views of many positions, adjacent in memory.
///
/// Finer cells have few positions each, and are found in the order itself.
///
/// 28 bytes for each cell, and at most one cell for every `positionsPerCell` positions.
struct CoarseCells: Sendable {
  /// A cell of a level.
  struct Node {
    /// The number in its level.
    let cell: UInt32
    /// The rank of its first position; the next node's is the end.
    let start: UInt32
    /// The first of its quarters, a node of the next level; the next node's is the end.
    let first: UInt32
  }

  /// The nonempty cells, level by level from 0, ascending in each level, with a node at the end of each level.
  private(set) var nodes: [Node] = []
  /// The sums of columns and rows of each node's positions.
  private(set) var sums: [SIMD2<UInt64>] = []
  /// The finest level stored here.
  private(set) var level = 0

  /// The minimum average number of positions for each cell, over all levels.
  private static var positionsPerCell: Int { 4 }
  /// The numbers of cells must fit into 32 bits.
  private static var lastLevel: Int { 16 }

  /// - Parameters:
  ///   - codes: Ascending.
  ///   - cellCounts: The number of nonempty cells of each level.
  ///   - sum: Returns the sums of the columns and rows of a run.
  init(
    _ codes: UnsafeBufferPointer<UInt64>, cellCounts: [Int],
    sum: (Range<Int>) -> SIMD2<UInt64>
  ) {
    guard !codes.isEmpty else { return }
    var total = cellCounts[0]
    while level < CoarseCells.lastLevel,
      total + cellCounts[level + 1] <= codes.count / CoarseCells.positionsPerCell
    {
      level += 1
      total += cellCounts[level]
    }
    // Where each level begins.
    var offsets = [0]
    for level in 0...level { offsets.append(offsets[level] + cellCounts[level] + 1) }
    let count = offsets[level + 1]
    nodes = [Node](repeating: Node(cell: 0, start: 0, first: UInt32(count)), count: count)
    sums = [SIMD2<UInt64>](repeating: .zero, count: count)
    fillFinestLevel(offsets[level]..<count - 1, codes, sum: sum)
    for coarse in stride(from: level - 1, through: 0, by: -1) {
      fillLevel(
        offsets[coarse]..<offsets[coarse + 1] - 1,
        from: offsets[coarse + 1]..<offsets[coarse + 2] - 1, positionCount: codes.count)
    }
  }

  /// Fills the nodes of the finest level, and the node at its end, from the positions.
  private mutating func fillFinestLevel(
    _ places: Range<Int>, _ codes: UnsafeBufferPointer<UInt64>, sum: (Range<Int>) -> SIMD2<UInt64>
  ) {
    let shift = UInt64(64 - 2 * level), none = UInt32(nodes.count)
    var start = 0
    for place in places {
      let cell = codes[start] >> shift
      let end = ClusterOrder.end(
        ofCell: cell, shift: shift, in: codes, from: start, limit: codes.count)
      nodes[place] = Node(cell: UInt32(cell), start: UInt32(start), first: none)
      sums[place] = sum(start..<end)
      start = end
    }
    nodes[places.upperBound] = Node(cell: 0, start: UInt32(codes.count), first: none)
  }

  /// Fills the nodes of a coarser level, and the node at its end, from those of the next finer one.
  private mutating func fillLevel(
    _ places: Range<Int>, from finer: Range<Int>, positionCount: Int
  ) {
    var child = finer.lowerBound
    for place in places {
      let cell = nodes[child].cell >> 2
      nodes[place] = Node(cell: cell, start: nodes[child].start, first: UInt32(child))
      while child < finer.upperBound, nodes[child].cell >> 2 == cell {
        sums[place] &+= sums[child]
        child += 1
      }
    }
    nodes[places.upperBound] = Node(
      cell: 0, start: UInt32(positionCount), first: UInt32(finer.upperBound))
  }

  /// The positions of a cell of a stored level; empty if it has none.
  func run(ofCell cell: UInt64, level: Int) -> Range<Int> {
    guard !nodes.isEmpty else { return 0..<0 }
    var place = 0
    for below in stride(from: level - 1, through: 0, by: -1) {
      let part = UInt32(cell >> UInt64(2 * below))
      let quarters = Int(nodes[place].first)..<Int(nodes[place + 1].first)
      guard let next = quarters.first(where: { nodes[$0].cell == part }) else { return 0..<0 }
      place = next
    }
    return Int(nodes[place].start)..<Int(nodes[place + 1].start)
  }

  /// The size in bytes.
  var byteCount: Int {
    nodes.count * MemoryLayout<Node>.stride + sums.count * MemoryLayout<SIMD2<UInt64>>.stride
  }
}
