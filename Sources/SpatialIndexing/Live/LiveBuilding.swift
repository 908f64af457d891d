import Geodesy

/// Makes a balanced tree of rows, for a first load or for a part of a tree that has lost its
/// balance.
struct LiveBuilding {
  let memory: LiveMemory
  let rows: UnsafeMutablePointer<LiveRow>

  /// The number of objects put into a leaf, out of room for sixteen.
  static let leafFill = 12

  /// Makes a tree of a range of the rows, which are reordered.
  func tree(of range: Range<Int>) -> LiveBlock {
    if range.count <= LiveBlock.fanOut { return leaf(of: range) }
    // The least height that suffices for leaves at their standard fill.
    var childCapacity = LiveBuilding.leafFill
    while range.count > childCapacity * LiveBlock.fanOut { childCapacity *= LiveBlock.fanOut }
    let isPlain = range.allSatisfy { rows[$0].isPlain }
    let node = memory.make(isPlain ? .plainNode : .fullNode)
    node.splits = memory.make(.splits)
    let laneCount = max(2, (range.count + childCapacity - 1) / childCapacity)
    node.count = range.count
    _ = divide(range, laneCount: laneCount, of: node, reusing: nil)
    return node
  }

  private func leaf(of range: Range<Int>) -> LiveBlock {
    let isPlain = range.allSatisfy { rows[$0].isPlain }
    let leaf = memory.make(isPlain ? .plainLeaf : .fullLeaf)
    for (slot, index) in range.enumerated() { leaf.write(rows[index], slot: slot) }
    leaf.holdFirst(range.count)
    return leaf
  }

  /// Splits a range among a number of children of a node.
  ///
  /// - Parameters:
  ///   - node: Made by this version, like its splits, and full if a row is not plain.
  ///   - lane: A lane to use first; nil if all are new.
  /// - Returns: The value of the side that leads to the range.
  func divide(_ range: Range<Int>, laneCount: Int, of node: LiveBlock, reusing lane: Int?) -> Int {
    guard laneCount > 1, range.count > 1 else {
      let ownLane = lane ?? node.childCount
      if lane == nil { node.childCount = ownLane + 1 }
      node.setChild(ownLane, tree(of: range))
      return ownLane
    }
    let lowLanes = laneCount / 2
    let target = range.lowerBound + range.count * lowLanes / laneCount
    let (axis, key, middle) = split(range, near: target)
    let name = node.splits.addSplit(axis: axis, key: key)
    // If many rows share a key, one side may be much smaller than intended.
    func lanes(_ wanted: Int, for count: Int) -> Int { min(wanted, max(1, (count + 3) / 4)) }
    let low = divide(
      range.lowerBound..<middle,
      laneCount: lanes(lowLanes, for: middle - range.lowerBound), of: node, reusing: lane)
    let high = divide(
      middle..<range.upperBound,
      laneCount: lanes(laneCount - lowLanes, for: range.upperBound - middle), of: node,
      reusing: nil)
    node.splits.setSides(ofSplit: name, low: low, high: high)
    return name
  }

  /// Partitions a range along its longer side on the ground; neither part is empty.
  ///
  /// - Returns: The axis, the least key of the high part, and where that part begins.
  private func split(_ range: Range<Int>, near target: Int) -> (axis: Int, key: UInt64, middle: Int)
  {
    var south = rows[range.lowerBound].latitude, north = south
    var west = rows[range.lowerBound].longitude, east = west
    for index in range.dropFirst() {
      let latitude = rows[index].latitude, longitude = rows[index].longitude
      south = latitude < south ? latitude : south
      north = latitude > north ? latitude : north
      west = longitude < west ? longitude : west
      east = longitude > east ? longitude : east
    }
    // No answer depends on the axis, so an approximate cosine is enough.
    let middleLatitude = (south + north) / 180
    let isTall = north - south >= (east - west) * (1 - middleLatitude * middleLatitude)
    let axis =
      if north > south, isTall || east == west { 0 } else if east > west { 1 } else { 2 }
    let median = select(
      target - range.lowerBound,
      of: UnsafeMutableBufferPointer(start: rows + range.lowerBound, count: range.count)
    ) { LiveRow.key(at: UnsafeRawPointer($0), axis: axis) }
    var middle = part(range, axis: axis) { $0 < median }
    var key = median
    if middle == range.lowerBound {
      // The median is the least key: the low part gets all rows with that key.
      middle = part(range, axis: axis) { $0 <= median }
      key = (middle..<range.upperBound).reduce(UInt64.max) { min($0, self.key($1, axis)) }
    }
    return (axis, key, middle)
  }

  @inline(__always)
  private func key(_ index: Int, _ axis: Int) -> UInt64 {
    LiveRow.key(at: UnsafeRawPointer(rows + index), axis: axis)
  }

  /// Partitions rows so that those whose key satisfies a condition come first.
  ///
  /// - Returns: The start of the others.
  @inline(__always)
  private func part(_ range: Range<Int>, axis: Int, _ isLow: (UInt64) -> Bool) -> Int {
    var low = range.lowerBound, high = range.upperBound
    while true {
      while low < high, isLow(key(low, axis)) { low += 1 }
      while low < high, !isLow(key(high - 1, axis)) { high -= 1 }
      guard low < high else { return low }
      high -= 1
      let row = rows[low]
      rows[low] = rows[high]
      rows[high] = row
      low += 1
    }
  }
}

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
