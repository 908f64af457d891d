import CKernels

// The way of a batch down the tree: every node hands its operations to the children they concern.

extension LiveWriter {
  func updateTree() {
    if operationCapacity < operations.count { growOrders(to: operations.count) }
    var count = 0
    for index in operations.indices where operations[index].kind != .nothing {
      order[count] = UInt32(truncatingIfNeeded: index)
      count += 1
    }
    guard count > 0 else { return }
    operations.withUnsafeBufferPointer { operations in
      let batch = Batch(
        operations: operations.baseAddress.unsafelyUnwrapped, order: order, other: otherOrder,
        paths: paths)
      if root.isNode {
        root = update(root, 0..<count, batch, pathLength: nil)
      } else if let leaf = updatedLeaf(root, 0..<count, batch) {
        root = leaf
      } else {
        let rowCount = gather(root, 0..<count, batch)
        memory.retire(root)
        root = building.tree(of: 0..<rowCount)
      }
    }
  }

  private func growOrders(to least: Int) {
    order.deallocate()
    otherOrder.deallocate()
    lanes.deallocate()
    paths.deallocate()
    operationCapacity = max(2 * operationCapacity, least)
    order = .allocate(capacity: operationCapacity)
    otherOrder = .allocate(capacity: operationCapacity)
    lanes = .allocate(capacity: operationCapacity)
    paths = .allocate(capacity: operationCapacity)
  }

  /// The operations of a batch, in the order in which the node at hand was given them.
  struct Batch {
    let operations: UnsafePointer<LiveOperation>
    let order: UnsafeMutablePointer<UInt32>
    let other: UnsafeMutablePointer<UInt32>
    /// For each operation the children on its way down from where it was taken first, four bits each.
    let paths: UnsafeMutablePointer<UInt64>

    @inline(__always)
    func operation(_ place: Int) -> UnsafePointer<LiveOperation> {
      operations + Int(order[place])
    }

    @inline(__always)
    func row(_ place: Int) -> LiveRow { operation(place).pointee.row }

    @inline(__always)
    func kind(_ place: Int) -> LiveOperation.Kind { operations[Int(order[place])].kind }

    /// The same, as a node's children are given them.
    var below: Batch { Batch(operations: operations, order: other, other: order, paths: paths) }
  }

  /// Applies operations to what lies below a node.
  ///
  /// - Parameter pathLength: How many children of the operations' paths lie behind them; nil while
  ///   the paths are not known and what will be read has not been asked for.
  /// - Returns: What stands in its place now.
  private func update(
    _ old: LiveBlock, _ range: Range<Int>, _ batch: Batch, pathLength: Int?
  ) -> LiveBlock {
    var pathLength = pathLength
    if pathLength == nil, range.count <= LiveWriter.warmCount {
      warm(old, range, batch)
      pathLength = 0
    }
    var node = owned(old)
    return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: LiveBlock.fanOut) { ends in
      var touched = sort(
        range, batch, among: node, pathLength, ends: ends.baseAddress.unsafelyUnwrapped)
      var first = range.lowerBound
      while touched != 0 {
        let lane = touched.trailingZeroBitCount
        touched &= touched &- 1
        let end = Int(ends[lane])
        updateChild(
          lane, of: &node, first..<end, batch.below, pathLength: pathLength.map { $0 &+ 1 })
        first = end
      }
      return hasGoodShape(node) ? node : rebuilt(node)
    }
  }

  /// Hands operations out to the children of a node, those of one child next to each other in
  /// `batch.below`.
  ///
  /// - Parameter ends: Gets the places where the operations of each child end.
  /// - Returns: A bit for each child that has operations.
  @inline(__always)
  private func sort(
    _ range: Range<Int>, _ batch: Batch, among node: LiveBlock, _ pathLength: Int?,
    ends: UnsafeMutablePointer<UInt32>
  ) -> UInt32 {
    let splits = node.splits
    let isKnown = (pathLength ?? .max) < LiveWriter.longestPath
    let shift = UInt64(truncatingIfNeeded: 4 &* (pathLength ?? 0))
    ends.update(repeating: 0, count: LiveBlock.fanOut)
    var touched: UInt32 = 0
    var place = range.lowerBound
    while place < range.upperBound {
      let lane =
        isKnown
        ? Int(truncatingIfNeeded: batch.paths[Int(batch.order[place])] &>> shift & 15)
        : splits.lane(of: batch.operation(place))
      lanes[place] = UInt8(truncatingIfNeeded: lane)
      ends[lane] &+= 1
      touched |= 1 << UInt32(truncatingIfNeeded: lane)
      place &+= 1
    }
    var start = UInt32(truncatingIfNeeded: range.lowerBound)
    var bits = touched
    while bits != 0 {
      let lane = bits.trailingZeroBitCount
      bits &= bits &- 1
      let count = ends[lane]
      ends[lane] = start
      start &+= count
    }
    place = range.lowerBound
    while place < range.upperBound {
      let lane = Int(lanes[place])
      batch.other[Int(ends[lane])] = batch.order[place]
      ends[lane] &+= 1
      place &+= 1
    }
    return touched
  }

  /// For so many operations all that is read and written fits a processor's own cache.
  private static let warmCount = 256
  /// How many ways down are taken at a time.
  private static let strandCount = 32

  /// How many children a path holds at most.
  private static let longestPath = 16

  /// Asks for the memory that operations will need, many at a time, since each block says only where
  /// the next one is; notes their paths.
  private func warm(_ node: LiveBlock, _ range: Range<Int>, _ batch: Batch) {
    withUnsafeTemporaryAllocation(of: LiveBlock.self, capacity: LiveWriter.strandCount) { strands in
      let strands = strands.baseAddress.unsafelyUnwrapped
      var start = range.lowerBound
      while start < range.upperBound {
        let count = min(LiveWriter.strandCount, range.upperBound &- start)
        for strand in 0..<count {
          strands[strand] = node
          batch.paths[Int(batch.order[start &+ strand])] = 0
        }
        var shift: UInt64 = 0
        var isBelow = true
        while isBelow {
          isBelow = false
          for strand in 0..<count where strands[strand].isNode {
            prefetch(strands[strand].splits, from: 64, to: LiveKind.splits.byteCount)
            prefetch(strands[strand], from: 64, to: LiveKind.plainNode.byteCount)
          }
          for strand in 0..<count where strands[strand].isNode {
            let block = strands[strand]
            let lane = block.splits.lane(of: batch.operation(start &+ strand))
            let child = block.child(lane)
            batch.paths[Int(batch.order[start &+ strand])] |=
              UInt64(truncatingIfNeeded: lane) << shift
            prefetch(child, from: 0, to: 64)
            strands[strand] = child
            isBelow = true
          }
          shift += 4
        }
        for strand in 0..<count {
          prefetch(strands[strand], from: 64, to: LiveKind.plainLeaf.byteCount)
        }
        start &+= count
      }
    }
  }

  @inline(__always)
  private func prefetch(_ block: LiveBlock, from start: Int, to end: Int) {
    var offset = start
    while offset < end {
      nearby_prefetch(block.memory + offset)
      offset &+= 64
    }
  }

  private func updateChild(
    _ lane: Int, of node: inout LiveBlock, _ range: Range<Int>, _ batch: Batch,
    pathLength: Int?
  ) {
    let child = node.child(lane)
    let oldCount = child.count
    if child.isNode {
      let updated = update(child, range, batch, pathLength: pathLength)
      node.count &+= updated.count &- oldCount
      set(lane, of: &node, updated)
    } else if let leaf = updatedLeaf(child, range, batch) {
      node.count &+= leaf.count &- oldCount
      set(lane, of: &node, leaf)
    } else {
      let rowCount = gather(child, range, batch)
      memory.retire(child)
      node.count += rowCount - oldCount
      spread(rowCount, over: &node, lane)
    }
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
