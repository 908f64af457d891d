import CNearbyKernels

// How a batch moves down the tree: every node hands its operations to the children they concern.

extension LiveWriter {
  func updateTree() {
    // Drop objects that came and went within this batch.
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

  /// The operations of a batch, in the order in which the current node received them.
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

    /// The batch in the order for a node's children.
    var below: Batch { Batch(operations: operations, order: other, other: order) }
  }

  /// Applies operations to the objects below a node.
  ///
  /// - Returns: The block that replaces it.
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

  /// For this many operations, memory read and written mostly fits a core's own cache.
  private static let togetherCount = 512

  /// Applies operations to the objects below a node, one height of the tree at a time: down to the
  /// leaves, and up again.
  ///
  /// Each block only points to the next, and a batch touches memory all over the place. One height
  /// at a time, everything the next height needs is prefetched long before it is read.
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

  /// The number of leaves prefetched before the first of them is read.
  ///
  /// Reading and writing them takes as long as fetching the next from memory.
  private static let leavesInFlight = 32

  /// How many visits ahead a node's splits, or a leaf's second half, are prefetched.
  private static let visitsAhead = 4

  /// Makes a node writable for the batch, and hands its operations to its children, which are visited
  /// later.
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

  /// Updates the first leaves among those to be visited.
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

  /// Hands operations to the children of a node, those of one child consecutively in `batch.below`.
  ///
  /// There must be room behind a range for one more entry per move in it; each child's range gets
  /// the same room.
  ///
  /// - Parameter body: Called for each child that has operations, with its lane and its range.
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
        sort(range, batch, among: node, starts: starts, ends: ends).forEachBit { lane in
          body(lane, Int(starts[lane])..<Int(ends[lane]))
        }
      }
    }
  }

  /// Hands out a single operation, the usual case for nodes over leaves.
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
  ///   - starts: Gets the offsets where the operations of each child begin.
  ///   - ends: Gets the offsets where they end.
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
    touched.forEachBit { lane in
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

  /// Puts a child in a lane of a node that this batch may write to; a plain node becomes a full one
  /// if needed.
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

  /// A node that this batch may write to: the node itself, or a copy.
  func owned(_ node: LiveBlock) -> LiveBlock {
    node.birth < memory.version ? copied(node, node.kind) : node
  }
}

/// A part of the tree that a batch's operations concern.
struct LiveVisit: BitwiseCopyable {
  /// A node or a leaf; once a node has been visited, the version that the batch may write to.
  var block: LiveBlock
  /// The number of objects that were below.
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

  /// The operations.
  @inline(__always)
  var range: Range<Int> {
    Range(uncheckedBounds: (Int(truncatingIfNeeded: start), Int(truncatingIfNeeded: end)))
  }

  /// The number of the visit to the node above.
  @inline(__always)
  var parent: Int { Int(truncatingIfNeeded: parentVisit) }

  /// The lane of the block in its parent.
  @inline(__always)
  var lane: Int { Int(truncatingIfNeeded: parentLane) }
}

// Where a batch ends: objects written into leaves, and overfull leaves.

extension LiveWriter {
  typealias Role = LiveOperation.Role

  /// Applies operations to a leaf.
  ///
  /// - Returns: The leaf in its new state; nil if it has too little room; then nothing was done.
  func updatedLeaf(_ old: LiveBlock, _ range: Range<Int>, _ batch: Batch) -> LiveBlock? {
    var count = old.count
    var isPlain = !old.isFullLeaf
    for place in range {
      let roles = batch.roles(place)
      count &+= Int(roles >> 1) &- Int(roles & 1)
      if roles & Role.comes != 0 { isPlain = isPlain && batch.operation(place).pointee.isPlain }
    }
    guard count <= LiveBlock.fanOut else { return nil }
    var leaf = old
    if old.birth < memory.version || isPlain == old.isFullLeaf {
      leaf = memory.take(isPlain ? .plainLeaf : .fullLeaf)
      leaf.copyObjects(of: old)
      memory.retire(old)
    }
    // An arriving object may have the id of a leaving one, so do all removals first.
    count = leaf.count
    for place in range where batch.roles(place) == Role.goes {
      let slot = leaf.slot(of: batch.operation(place).pointee.goingID)
      count &-= 1
      leaf.write(leaf.row(count), slot: slot)
      leaf.holdFirst(count)
    }
    // For the same reason, find all that move before any is written. A slot takes four bits.
    var slots: UInt64 = 0
    for place in range where batch.roles(place) == Role.moves {
      let slot = leaf.slot(of: batch.operation(place).pointee.goingID)
      slots = slots << 4 | UInt64(truncatingIfNeeded: slot)
    }
    for place in range.reversed() where batch.roles(place) == Role.moves {
      leaf.write(batch.operation(place).pointee.row, slot: Int(truncatingIfNeeded: slots & 15))
      slots >>= 4
    }
    for place in range where batch.roles(place) == Role.comes {
      leaf.write(batch.operation(place).pointee.row, slot: count)
      count &+= 1
    }
    leaf.holdFirst(count)
    return leaf
  }

  /// Writes the objects of a leaf after some operations to `rows`.
  ///
  /// - Returns: The number of rows.
  func gather(_ leaf: LiveBlock, _ range: Range<Int>, _ batch: Batch) -> Int {
    reserveRows(leaf.count + range.count)
    var staying = leaf.bits
    for place in range where batch.roles(place) & Role.goes != 0 {
      let slot = leaf.slot(of: batch.operation(place).pointee.goingID)
      staying &= ~(1 << UInt32(truncatingIfNeeded: slot))
    }
    var count = 0
    staying.forEachBit { slot in
      rows[count] = leaf.row(slot)
      count += 1
    }
    for place in range where batch.roles(place) & Role.comes != 0 {
      rows[count] = batch.operation(place).pointee.row
      count += 1
    }
    return count
  }

  func reserveRows(_ count: Int) {
    guard rowCapacity < count else { return }
    rows.deallocate()
    rowCapacity = max(2 * rowCapacity, count)
    rows = .allocate(capacity: rowCapacity)
  }

  var building: LiveBuilding { LiveBuilding(memory: memory, rows: rows) }

  /// Puts the first rows, too many for one leaf, in place of a leaf: in leaves beside it while the
  /// node has room, or else below it.
  func spread(_ count: Int, over node: inout LiveBlock, _ lane: Int) {
    let laneCount = (count + LiveBuilding.leafFill - 1) / LiveBuilding.leafFill
    guard node.childCount + laneCount - 1 <= LiveBlock.fanOut else {
      return set(lane, of: &node, building.tree(of: 0..<count))
    }
    if !node.isFullNode, !(0..<count).allSatisfy({ rows[$0].isPlain }) {
      node = copied(node, .fullNode)
    }
    let old = node.splits
    if old.birth < memory.version {
      node.splits = memory.take(.splits)
      node.splits.copySplits(old)
      memory.retire(old)
    }
    let splitCount = node.splits.splitCount
    let name = building.divide(0..<count, laneCount: laneCount, of: node, reusing: lane)
    node.splits.redirect(lane, to: name, among: splitCount)
  }
}
