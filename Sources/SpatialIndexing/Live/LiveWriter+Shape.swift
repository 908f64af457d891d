// Parts of the tree that are repacked: those that have lost their balance, and those that
// background compaction reaches.

extension LiveWriter {
  /// Whether a node is neither much higher than its object count requires, nor branches into nearly
  /// empty leaves.
  func hasGoodShape(_ node: LiveBlock) -> Bool {
    let count = node.count
    if count <= 8 { return false }
    if node.height > 1 {
      return count > LiveWriter.smallCount && node.height <= LiveWriter.greatestHeight(count)
    }
    return node.childCount <= 2 * (count / LiveBuilding.leafFill) + 3
  }

  /// The number of objects one node over leaves holds with room to spare.
  private static let smallCount = LiveBuilding.leafFill * LiveBlock.fanOut * 3 / 4

  /// The height at which a tree with this many objects counts as unbalanced: twice that of one
  /// whose nodes have sixteen children, plus 2.
  private static func greatestHeight(_ count: Int) -> Int {
    2 + (Int.bitWidth - (count >> 3).leadingZeroBitCount) / 2
  }

  /// A balanced tree in place of one that has lost its balance.
  func rebuilt(_ node: LiveBlock) -> LiveBlock {
    reserveRows(node.count)
    var count = 0
    dissolve(node, into: &count) { _ in true }
    return building.tree(of: 0..<count)
  }

  /// Writes the wanted objects below a block to `rows`, and frees its memory.
  func dissolve(
    _ block: LiveBlock, into count: inout Int, where isWanted: (LiveRow) -> Bool
  ) {
    if block.isNode {
      for lane in 0..<block.childCount {
        dissolve(block.child(lane), into: &count, where: isWanted)
      }
      memory.retire(block.splits)
    } else {
      block.bits.forEachBit { slot in
        let row = block.row(slot)
        if isWanted(row) {
          rows[count] = row
          count += 1
        }
      }
    }
    memory.retire(block)
  }

  /// The number of objects repacked at a time.
  private static let compactionUnit = 1_024

  /// Repacks the next part of the tree, without expired objects.
  ///
  /// - Parameters:
  ///   - cursor: The path to the last part done; nil before the first.
  ///   - now: Objects that expire at or before this instant are dropped.
  /// - Returns: The number of objects dropped; nil if no part is left.
  func compactNext(after cursor: inout [Int]?, now: Double) -> Int? {
    memory.reap()
    var path: [Int] = []
    let isDone = cursor != nil
    guard let (block, dropped) = compact(root, &path, after: &cursor, now: now, isDone: isDone)
    else { return nil }
    root = block
    return dropped
  }

  private func compact(
    _ block: LiveBlock, _ path: inout [Int], after cursor: inout [Int]?, now: Double, isDone: Bool
  ) -> (block: LiveBlock, dropped: Int)? {
    let isUnit = !block.isNode || block.count <= LiveWriter.compactionUnit
    // On the path to the last part done, everything up to it is done.
    var first = 0
    if isDone, let cursor {
      guard !isUnit, path.count < cursor.count else { return nil }
      first = cursor[path.count]
    }
    if isUnit {
      cursor = path
      return packed(block, now: now)
    }
    for lane in first..<max(first, block.childCount) {
      let child = block.child(lane)
      let oldCount = child.count
      path.append(lane)
      let result = compact(
        child, &path, after: &cursor, now: now, isDone: isDone && lane == first)
      path.removeLast()
      if let (replacement, dropped) = result {
        var node = owned(block)
        node.count += replacement.count - oldCount
        set(lane, of: &node, replacement)
        return (node, dropped)
      }
    }
    return nil
  }

  private func packed(_ block: LiveBlock, now: Double) -> (block: LiveBlock, dropped: Int) {
    let oldCount = block.count
    reserveRows(oldCount)
    var count = 0
    dissolve(block, into: &count) { row in
      guard row.expiry <= now else { return true }
      if let entry = table.find(row.id) { table.remove(entry) }
      return false
    }
    return (building.tree(of: 0..<count), oldCount - count)
  }
}
