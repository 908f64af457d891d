import CNearbyKernels

// The way of a batch down the tree: every node hands its operations to the children they concern.

extension LiveWriter {
  func updateTree() {
    // What came and went in this batch has nothing to do.
    var count = 0
    for index in 0..<operationCount where order[index] & Role.moves != 0 {
      order[count] = order[index]
      count &+= 1
    }
    guard count > 0 else { return }
    let batch = Batch(operations: operations, order: order, other: otherOrder)
    if root.isNode {
      root = update(root, 0..<count, batch)
    } else if let leaf = updatedLeaf(root, 0..<count, batch) {
      root = leaf
    } else {
      let rowCount = gather(root, 0..<count, batch)
      memory.retire(root)
      root = building.tree(of: 0..<rowCount)
    }
  }

  /// The operations of a batch, in the order in which the node at hand was given them.
  ///
  /// An entry is an operation's number and, in its lowest two bits, what it still has to do here.
  struct Batch {
    let operations: UnsafePointer<LiveOperation>
    let order: UnsafeMutablePointer<UInt32>
    let other: UnsafeMutablePointer<UInt32>

    @inline(__always)
    func operation(_ place: Int) -> UnsafePointer<LiveOperation> { operation(of: order[place]) }

    @inline(__always)
    func operation(of entry: UInt32) -> UnsafePointer<LiveOperation> {
      operations + Int(truncatingIfNeeded: entry >> 2)
    }

    @inline(__always)
    func roles(_ place: Int) -> UInt32 { order[place] & 3 }

    /// The same, as a node's children are given them.
    var below: Batch { Batch(operations: operations, order: other, other: order) }
  }

  /// Applies operations to what lies below a node.
  ///
  /// - Returns: What stands in its place now.
  private func update(_ old: LiveBlock, _ range: Range<Int>, _ batch: Batch) -> LiveBlock {
    if range.count <= LiveWriter.togetherCount { return updateTogether(old, range, batch) }
    var node = owned(old)
    handOut(range, batch, among: node) { lane, range in
      let child = node.child(lane)
      guard child.isNode else { return updateLeaf(lane, of: &node, range, batch.below) }
      let oldCount = child.count
      let updated = update(child, range, batch.below)
      node.count &+= updated.count &- oldCount
      set(lane, of: &node, updated)
    }
    return hasGoodShape(node) ? node : rebuilt(node)
  }

  /// For so many operations what is read and written mostly fits a processor's own cache.
  private static let togetherCount = 512

  /// Applies operations to what lies below a node, one height of the tree after another: down to the
  /// leaves, and up again.
  ///
  /// Each block says only where the next one is, and what a batch touches lies all over the memory.
  /// A height at a time, all that the next one needs is asked for long before it is read.
  private func updateTogether(
    _ top: LiveBlock, _ range: Range<Int>, _ batch: Batch
  ) -> LiveBlock {
    nodes.removeAll()
    nodes.append(LiveVisit(block: top, range: range, parent: 0, lane: 0))
    var batch = batch
    var height = 0..<1
    while !height.isEmpty {
      for visit in height {
        let ahead = visit &+ LiveWriter.visitsAhead
        if ahead < height.upperBound { nodes[ahead].block.prefetchSplits() }
        descend(visit, batch)
        updateLeaves(upTo: leaves.count &- LiveWriter.leavesInFlight, batch.below)
      }
      updateLeaves(upTo: leaves.count, batch.below)
      leaves.removeAll()
      doneLeaves = 0
      batch = batch.below
      height = height.upperBound..<nodes.count
    }
    while true {
      let visit = nodes.removeLast()
      let node = hasGoodShape(visit.block) ? visit.block : rebuilt(visit.block)
      if nodes.isEmpty { return node }
      nodes[visit.parent].block.count &+= node.count &- visit.oldCount
      set(visit.lane, of: &nodes[visit.parent].block, node)
    }
  }

  /// How many leaves have been asked for before the first of them is read.
  ///
  /// Reading and writing them takes as long as what comes from memory meanwhile.
  private static let leavesInFlight = 32

  /// How many visits ahead of a node its splits are asked for, and of a leaf its second half.
  private static let visitsAhead = 4

  /// Makes a node one that the batch may write in, and hands its operations on to its children, which
  /// will be visited later.
  @inline(__always)
  private func descend(_ visit: Int, _ batch: Batch) {
    let range = nodes[visit].range
    nodes[visit].oldCount = nodes[visit].block.count
    let node = owned(nodes[visit].block)
    nodes[visit].block = node
    handOut(range, batch, among: node) { lane, range in
      let below = LiveVisit(block: node.child(lane), range: range, parent: visit, lane: lane)
      if node.isNode(lane) {
        below.block.prefetchNode()
        nodes.append(below)
      } else {
        below.block.prefetchLeaf()
        leaves.append(below)
      }
    }
  }

  /// Updates the leaves that come first among those to be visited.
  @inline(__always)
  private func updateLeaves(upTo end: Int, _ batch: Batch) {
    while doneLeaves < end {
      let ahead = doneLeaves &+ LiveWriter.visitsAhead
      if ahead < leaves.count { leaves[ahead].block.prefetchRestOfLeaf() }
      let visit = leaves[doneLeaves]
      updateLeaf(visit.lane, of: &nodes[visit.parent].block, visit.range, batch)
      doneLeaves &+= 1
    }
  }

  /// Applies operations to a child that is a leaf.
  @inline(__always)
  private func updateLeaf(
    _ lane: Int, of node: inout LiveBlock, _ range: Range<Int>, _ batch: Batch
  ) {
    let old = node.child(lane)
    let oldCount = old.count
    if let leaf = updatedLeaf(old, range, batch) {
      node.count &+= leaf.count &- oldCount
      set(lane, of: &node, leaf)
    } else {
      let rowCount = gather(old, range, batch)
      memory.retire(old)
      node.count += rowCount - oldCount
      spread(rowCount, over: &node, lane)
    }
  }

  /// Hands operations out to the children of a node, those of one child next to each other in
  /// `batch.below`.
  ///
  /// There must be room behind a range for as many entries more as it has moves; each child's range
  /// gets the same.
  ///
  /// - Parameter body: Is called for each child that has operations, with its lane and its range.
  @inline(__always)
  private func handOut(
    _ range: Range<Int>, _ batch: Batch, among node: LiveBlock,
    to body: (_ lane: Int, Range<Int>) -> Void
  ) {
    if range.count == 1 {
      handOut(range.lowerBound, batch, among: node, to: body)
    } else {
      withUnsafeTemporaryAllocation(
        of: UInt32.self, capacity: 2 * LiveBlock.fanOut
      ) { places in
        let starts = places.baseAddress.unsafelyUnwrapped, ends = starts + LiveBlock.fanOut
        var touched = sort(range, batch, among: node, starts: starts, ends: ends)
        while touched != 0 {
          let lane = touched.trailingZeroBitCount
          touched &= touched &- 1
          body(lane, Int(starts[lane])..<Int(ends[lane]))
        }
      }
    }
  }

  /// The same for one operation, as most nodes over leaves have it.
  @inline(__always)
  private func handOut(
    _ place: Int, _ batch: Batch, among node: LiveBlock, to body: (_ lane: Int, Range<Int>) -> Void
  ) {
    let entry = batch.order[place]
    let lane = node.splits.lanes(of: batch.operation(of: entry), entry & Role.moves)
    guard lane.from != lane.to else {
      batch.other[place] = entry
      return body(lane.from, place..<place &+ 1)
    }
    batch.other[place] = entry & ~Role.comes
    batch.other[place &+ 1] = entry & ~Role.goes
    body(lane.from, place..<place &+ 1)
    body(lane.to, place &+ 1..<place &+ 2)
  }

  /// Puts the operations of a range in the order of a node's children.
  ///
  /// - Parameters:
  ///   - starts: Gets the places where the operations of each child begin.
  ///   - ends: Gets the places where they end.
  /// - Returns: A bit for each child that has operations.
  @inline(__always)
  private func sort(
    _ range: Range<Int>, _ batch: Batch, among node: LiveBlock,
    starts: UnsafeMutablePointer<UInt32>, ends: UnsafeMutablePointer<UInt32>
  ) -> UInt32 {
    let splits = node.splits
    UnsafeMutableRawPointer(ends).storeBytes(of: SIMD16<UInt32>(), as: SIMD16<UInt32>.self)
    var touched: UInt32 = 0
    var place = range.lowerBound
    while place < range.upperBound {
      let entry = batch.order[place], roles = entry & Role.moves
      let lane = splits.lanes(of: batch.operation(of: entry), roles)
      lanes[place] = UInt16(truncatingIfNeeded: lane.from | lane.to << 8)
      let goes = roles & 1, comes = roles >> 1
      ends[lane.from] &+= goes
      ends[lane.to] &+= comes
      touched |= goes << UInt32(truncatingIfNeeded: lane.from)
      touched |= comes << UInt32(truncatingIfNeeded: lane.to)
      place &+= 1
    }
    var start = UInt32(truncatingIfNeeded: range.lowerBound)
    var bits = touched
    while bits != 0 {
      let lane = bits.trailingZeroBitCount
      bits &= bits &- 1
      let count = ends[lane]
      starts[lane] = start
      ends[lane] = start
      start &+= count
    }
    place = range.lowerBound
    while place < range.upperBound {
      let entry = batch.order[place]
      let from = Int(lanes[place] & 255), to = Int(lanes[place] >> 8)
      let first = entry & Role.goes != 0 ? from : to
      if entry & Role.moves == Role.moves, from != to {
        batch.other[Int(ends[from])] = entry & ~Role.comes
        ends[from] &+= 1
        batch.other[Int(ends[to])] = entry & ~Role.goes
        ends[to] &+= 1
      } else {
        batch.other[Int(ends[first])] = entry
        ends[first] &+= 1
      }
      place &+= 1
    }
    return touched
  }

  /// Puts a child in a lane of a node that this batch may write in; a plain node becomes a full one
  /// where that is needed.
  @inline(__always)
  func set(_ lane: Int, of node: inout LiveBlock, _ child: LiveBlock) {
    if child.mayHaveCategories, !node.isFullNode { node = copied(node, .fullNode) }
    node.setChild(lane, child)
  }

  func copied(_ node: LiveBlock, _ kind: LiveKind) -> LiveBlock {
    let copy = memory.take(kind)
    copy.copyNode(node)
    memory.retire(node)
    return copy
  }

  /// A node that this batch may write in: the node itself, or a copy.
  func owned(_ node: LiveBlock) -> LiveBlock {
    node.birth < memory.version ? copied(node, node.kind) : node
  }
}

/// A part of the tree that operations of a batch come to.
struct LiveVisit: BitwiseCopyable {
  /// A node or a leaf; once a node has been gone through, the one that the batch may write in.
  var block: LiveBlock
  /// How many objects there were below.
  var oldCount = 0
  private let start, end, parentVisit, parentLane: UInt32

  @inline(__always)
  init(block: LiveBlock, range: Range<Int>, parent: Int, lane: Int) {
    self.block = block
    start = UInt32(truncatingIfNeeded: range.lowerBound)
    end = UInt32(truncatingIfNeeded: range.upperBound)
    parentVisit = UInt32(truncatingIfNeeded: parent)
    parentLane = UInt32(truncatingIfNeeded: lane)
  }

  /// Its operations.
  @inline(__always)
  var range: Range<Int> {
    Range(uncheckedBounds: (Int(truncatingIfNeeded: start), Int(truncatingIfNeeded: end)))
  }

  /// The number of the node above among those visited.
  @inline(__always)
  var parent: Int { Int(truncatingIfNeeded: parentVisit) }

  /// Which child of that it is.
  @inline(__always)
  var lane: Int { Int(truncatingIfNeeded: parentLane) }
}
