import CKernels

// The way of a batch down the tree: every node hands its operations to the children they concern.

extension LiveWriter {
  func updateTree() {
    if operationCapacity < operations.count { growOrders(to: operations.count) }
    var count = 0
    for index in operations.indices where operations[index].roles != 0 {
      order[count] = UInt32(truncatingIfNeeded: index) << 2 | operations[index].roles
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
    operationCapacity = max(2 * operationCapacity, least, 1_024)
    // A move becomes two entries where its ways part.
    order = .allocate(capacity: 2 * operationCapacity)
    otherOrder = .allocate(capacity: 2 * operationCapacity)
    lanes = .allocate(capacity: 2 * operationCapacity)
    paths = .allocate(capacity: 2 * operationCapacity)
  }

  /// The operations of a batch, in the order in which the node at hand was given them.
  ///
  /// An entry is an operation's number and, in its lowest two bits, what it still has to do here.
  struct Batch {
    let operations: UnsafePointer<LiveOperation>
    let order: UnsafeMutablePointer<UInt32>
    let other: UnsafeMutablePointer<UInt32>
    /// For each operation the children on its ways down from where it was taken first, that of what
    /// goes and that of what comes, four bits for each child.
    let paths: UnsafeMutablePointer<UInt64>

    @inline(__always)
    func operation(_ place: Int) -> UnsafePointer<LiveOperation> { operation(of: order[place]) }

    @inline(__always)
    func operation(of entry: UInt32) -> UnsafePointer<LiveOperation> {
      operations + Int(truncatingIfNeeded: entry >> 2)
    }

    @inline(__always)
    func roles(_ place: Int) -> UInt32 { order[place] & 3 }

    @inline(__always)
    func paths(of entry: UInt32) -> UnsafeMutablePointer<UInt64> {
      paths + Int(truncatingIfNeeded: (entry >> 2) << 1)
    }

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
    return withUnsafeTemporaryAllocation(
      of: UInt32.self, capacity: 2 * LiveBlock.fanOut
    ) { places in
      let starts = places.baseAddress.unsafelyUnwrapped, ends = starts + LiveBlock.fanOut
      var touched = sort(range, batch, among: node, pathLength, starts: starts, ends: ends)
      while touched != 0 {
        let lane = touched.trailingZeroBitCount
        touched &= touched &- 1
        updateChild(
          lane, of: &node, Int(starts[lane])..<Int(ends[lane]), batch.below,
          pathLength: pathLength.map { $0 &+ 1 })
      }
      return hasGoodShape(node) ? node : rebuilt(node)
    }
  }

  /// Hands operations out to the children of a node, those of one child next to each other in
  /// `batch.below`.
  ///
  /// There must be room behind a range for as many entries more as it has moves; each child's range
  /// gets the same.
  ///
  /// - Parameters:
  ///   - starts: Gets the places where the operations of each child begin.
  ///   - ends: Gets the places where they end.
  /// - Returns: A bit for each child that has operations.
  @inline(__always)
  private func sort(
    _ range: Range<Int>, _ batch: Batch, among node: LiveBlock, _ pathLength: Int?,
    starts: UnsafeMutablePointer<UInt32>, ends: UnsafeMutablePointer<UInt32>
  ) -> UInt32 {
    let splits = node.splits
    let isKnown = (pathLength ?? .max) < LiveWriter.longestPath
    let shift = UInt64(truncatingIfNeeded: 4 &* (pathLength ?? 0))
    ends.update(repeating: 0, count: LiveBlock.fanOut)
    var touched: UInt32 = 0
    var place = range.lowerBound
    while place < range.upperBound {
      let entry = batch.order[place], roles = entry & 3
      var lane: (from: Int, to: Int)
      if isKnown {
        let paths = batch.paths(of: entry)
        lane.from = Int(truncatingIfNeeded: paths[0] &>> shift & 15)
        lane.to = Int(truncatingIfNeeded: paths[1] &>> shift & 15)
      } else {
        lane = splits.lanes(of: batch.operation(of: entry), roles)
      }
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

  /// For so many operations all that is read and written fits a processor's own cache.
  private static let warmCount = 128
  /// How many ways down are taken at a time.
  private static let strandCount = 16

  /// How many children a path holds at most.
  private static let longestPath = 16

  /// One way down, of what goes, of what comes, or of both.
  private struct Strand {
    var block: LiveBlock
    var entry: UInt32
  }

  /// Asks for the memory that operations will need, many at a time, since each block says only where
  /// the next one is; notes their paths.
  private func warm(_ node: LiveBlock, _ range: Range<Int>, _ batch: Batch) {
    withUnsafeTemporaryAllocation(
      of: Strand.self, capacity: 2 * LiveWriter.strandCount
    ) { strands in
      let strands = strands.baseAddress.unsafelyUnwrapped
      var start = range.lowerBound
      while start < range.upperBound {
        var count = min(LiveWriter.strandCount, range.upperBound &- start)
        for index in 0..<count {
          let entry = batch.order[start &+ index]
          let paths = batch.paths(of: entry)
          // What goes elsewhere may have been warmed before, and its path is needed.
          if entry & Role.goes != 0 { paths[0] = 0 }
          if entry & Role.comes != 0 { paths[1] = 0 }
          strands[index] = Strand(block: node, entry: entry)
        }
        start &+= count
        var shift: UInt64 = 0
        var isBelow = true
        while isBelow {
          isBelow = false
          for index in 0..<count where strands[index].block.isNode {
            strands[index].block.prefetchNode()
          }
          for index in 0..<count where strands[index].block.isNode {
            isBelow = true
            let block = strands[index].block, entry = strands[index].entry
            let paths = batch.paths(of: entry)
            let (from, to) = block.splits.lanes(of: batch.operation(of: entry), entry & 3)
            if entry & Role.goes != 0 { paths[0] |= UInt64(truncatingIfNeeded: from) << shift }
            if entry & Role.comes != 0 { paths[1] |= UInt64(truncatingIfNeeded: to) << shift }
            let child = block.child(from)
            nearby_prefetch(child.memory)
            strands[index].block = child
            guard from != to else { continue }
            strands[index].entry = entry & ~Role.comes
            let other = block.child(to)
            nearby_prefetch(other.memory)
            strands[count] = Strand(block: other, entry: entry & ~Role.goes)
            count &+= 1
          }
          shift += 4
        }
        for index in 0..<count { strands[index].block.prefetchLeaf() }
      }
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
