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
