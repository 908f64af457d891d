// Where a batch ends: objects written into leaves, and leaves that have become too full.

extension LiveWriter {
  /// Applies operations to a leaf.
  ///
  /// - Returns: The leaf in its new state; nil when it has too little room, and nothing was done.
  func updatedLeaf(_ old: LiveBlock, _ range: Range<Int>, _ batch: Batch) -> LiveBlock? {
    var count = old.count
    var isPlain = !old.isFullLeaf
    for place in range {
      switch batch.kind(place) {
      case .remove: count -= 1
      case .insert:
        count += 1
        isPlain = isPlain && batch.row(place).isPlain
      case .nothing: break
      }
    }
    guard count <= LiveBlock.fanOut else { return nil }
    var leaf = old
    if old.birth < memory.version || isPlain == old.isFullLeaf {
      leaf = memory.take(isPlain ? .plainLeaf : .fullLeaf)
      leaf.copyObjects(of: old)
      memory.retire(old)
    }
    var bits = leaf.bits
    for place in range where batch.kind(place) == .remove {
      bits &= ~(1 << UInt32(truncatingIfNeeded: leaf.slot(of: batch.row(place).id)))
    }
    for place in range where batch.kind(place) == .insert {
      let slot = (~bits).trailingZeroBitCount
      bits |= 1 << UInt32(truncatingIfNeeded: slot)
      leaf.write(batch.row(place), slot: slot)
    }
    leaf.bits = bits
    leaf.count = count
    return leaf
  }

  /// Writes what a leaf holds after some operations to `rows`.
  ///
  /// - Returns: How many rows that are.
  func gather(_ leaf: LiveBlock, _ range: Range<Int>, _ batch: Batch) -> Int {
    reserveRows(leaf.count + range.count)
    var bits = leaf.bits
    for place in range where batch.kind(place) == .remove {
      bits &= ~(1 << UInt32(truncatingIfNeeded: leaf.slot(of: batch.row(place).id)))
    }
    var count = 0
    while bits != 0 {
      rows[count] = leaf.row(bits.trailingZeroBitCount)
      bits &= bits &- 1
      count += 1
    }
    for place in range where batch.kind(place) == .insert {
      rows[count] = batch.row(place)
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

  /// Puts the first rows, too many for one leaf, where a leaf was: in leaves beside it while the
  /// node has room for them, or else below it.
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
