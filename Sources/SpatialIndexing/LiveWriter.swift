import CKernels
import Geodesy

/// The one writer of a live index: turns batches of changes into new versions of the tree.
///
/// A batch goes down the tree as a whole. Each node hands its operations out to the children they
/// concern, so that whatever a batch touches is copied once, and the paths from there to the root.
///
/// Sendable because `LiveIndex` keeps it behind a mutex.
final class LiveWriter: @unchecked Sendable {
  let memory = LiveMemory()
  @exclusivity(unchecked) private(set) var root: LiveBlock
  @exclusivity(unchecked) private var table = LiveObjectTable()

  /// What the present batch does to the tree.
  @exclusivity(unchecked) private var operations: [LiveOperation] = []
  /// Numbers of operations, twice, and the children they go to.
  @exclusivity(unchecked) private var order: UnsafeMutablePointer<UInt32>
  @exclusivity(unchecked) private var otherOrder: UnsafeMutablePointer<UInt32>
  @exclusivity(unchecked) private var lanes: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private var paths: UnsafeMutablePointer<UInt64>
  @exclusivity(unchecked) private var operationCapacity = 1_024
  /// Rows on their way into new leaves.
  @exclusivity(unchecked) private var rows: UnsafeMutablePointer<LiveRow>
  @exclusivity(unchecked) private var rowCapacity = 4_096

  init() {
    order = .allocate(capacity: operationCapacity)
    otherOrder = .allocate(capacity: operationCapacity)
    lanes = .allocate(capacity: operationCapacity)
    paths = .allocate(capacity: operationCapacity)
    rows = .allocate(capacity: rowCapacity)
    root = memory.make(.plainLeaf)
  }

  deinit {
    order.deallocate()
    otherOrder.deallocate()
    lanes.deallocate()
    paths.deallocate()
    rows.deallocate()
  }

  /// The tree as it is now, for snapshots to share; changes from now on are the next version's.
  func publish() -> LiveVersion {
    let number = memory.version
    memory.publish()
    return LiveVersion(number: number, root: root, memory: memory)
  }

  // MARK: What a batch comes to

  /// Applies a batch to the table and the tree.
  func apply(_ changes: UnsafeBufferPointer<LiveChange>) {
    memory.reap()
    operations.removeAll(keepingCapacity: true)
    operations.reserveCapacity(2 * changes.count)
    for index in changes.indices {
      if index + LiveWriter.lookAhead < changes.count {
        switch changes[index + LiveWriter.lookAhead] {
        case .put(let object): table.prefetch(object.id)
        case .remove(let id): table.prefetch(id)
        }
      }
      switch changes[index] {
      case .put(let object): put(LiveRow(object))
      case .remove(let id): remove(id)
      }
    }
    updateTree()
  }

  /// How many changes ahead the table is read.
  private static let lookAhead = 12

  private func put(_ row: LiveRow) {
    guard let entry = table.find(row.id) else {
      table.insert(
        LiveObjectTable.Entry(
          id: row.id, latitude: row.latitude, longitude: row.longitude,
          operation: operations.count))
      return operations.append(LiveOperation(row: row, kind: .insert))
    }
    if inserts(entry.pointee) {
      operations[entry.pointee.operation].row = row
    } else {
      operations.append(removal(of: entry.pointee))
      entry.pointee.operation = operations.count
      operations.append(LiveOperation(row: row, kind: .insert))
    }
    entry.pointee.latitude = row.latitude
    entry.pointee.longitude = row.longitude
  }

  private func remove(_ id: UInt64) {
    guard let entry = table.find(id) else { return }
    if inserts(entry.pointee) {
      operations[entry.pointee.operation].kind = .nothing
    } else {
      operations.append(removal(of: entry.pointee))
    }
    table.remove(entry)
  }

  /// Whether the present batch inserts the object of an entry.
  ///
  /// Numbers from earlier batches are not cleared, but there is at most one insertion of an object,
  /// so that what the number leads to tells.
  private func inserts(_ entry: LiveObjectTable.Entry) -> Bool {
    entry.operation < operations.count && operations[entry.operation].row.id == entry.id
      && operations[entry.operation].kind == .insert
  }

  private func removal(of entry: LiveObjectTable.Entry) -> LiveOperation {
    LiveOperation(
      row: LiveRow(
        latitude: entry.latitude, longitude: entry.longitude, id: entry.id, categories: 0,
        expiry: .infinity),
      kind: .remove)
  }

  // MARK: The way down

  private func updateTree() {
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
  private struct Batch {
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
  private func set(_ lane: Int, of node: inout LiveBlock, _ child: LiveBlock) {
    if child.mayHaveCategories, !node.isFullNode { node = copied(node, .fullNode) }
    node.setChild(lane, child)
  }

  private func copied(_ node: LiveBlock, _ kind: LiveKind) -> LiveBlock {
    let copy = memory.take(kind)
    copy.copyNode(node)
    memory.retire(node)
    return copy
  }

  /// A node that this batch may write in: the node itself, or a copy.
  private func owned(_ node: LiveBlock) -> LiveBlock {
    node.birth < memory.version ? copied(node, node.kind) : node
  }

  /// Applies operations to a leaf.
  ///
  /// - Returns: The leaf in its new state; nil when it has too little room, and nothing was done.
  private func updatedLeaf(_ old: LiveBlock, _ range: Range<Int>, _ batch: Batch) -> LiveBlock? {
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
  private func gather(_ leaf: LiveBlock, _ range: Range<Int>, _ batch: Batch) -> Int {
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

  private func reserveRows(_ count: Int) {
    guard rowCapacity < count else { return }
    rows.deallocate()
    rowCapacity = max(2 * rowCapacity, count)
    rows = .allocate(capacity: rowCapacity)
  }

  private var building: LiveBuilding { LiveBuilding(memory: memory, rows: rows) }

  /// Puts the first rows, too many for one leaf, where a leaf was: in leaves beside it while the
  /// node has room for them, or else below it.
  private func spread(_ count: Int, over node: inout LiveBlock, _ lane: Int) {
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

  // MARK: Shape

  /// Whether a node is neither much higher than its objects ask for, nor fans out to leaves that are
  /// nearly empty.
  private func hasGoodShape(_ node: LiveBlock) -> Bool {
    let count = node.count
    if count <= 8 { return false }
    if node.height > 1 {
      return count > LiveWriter.smallCount && node.height <= LiveWriter.greatestHeight(count)
    }
    return node.childCount <= 2 * (count / LiveBuilding.leafFill) + 3
  }

  /// What one node over leaves holds with room to spare.
  private static let smallCount = LiveBuilding.leafFill * LiveBlock.fanOut * 3 / 4

  /// The height at which a tree of so many objects counts as leaning: twice that of one whose nodes
  /// have sixteen children, and 2 more.
  private static func greatestHeight(_ count: Int) -> Int {
    2 + (Int.bitWidth - (count >> 3).leadingZeroBitCount) / 2
  }

  /// A balanced tree in place of one that has lost its shape.
  private func rebuilt(_ node: LiveBlock) -> LiveBlock {
    reserveRows(node.count)
    var count = 0
    dissolve(node, into: &count) { _ in true }
    return building.tree(of: 0..<count)
  }

  /// Writes the objects below a block that are wanted to `rows`, and takes its memory back.
  private func dissolve(
    _ block: LiveBlock, into count: inout Int, where isWanted: (LiveRow) -> Bool
  ) {
    if block.isNode {
      for lane in 0..<block.childCount {
        dissolve(block.child(lane), into: &count, where: isWanted)
      }
      memory.retire(block.splits)
    } else {
      var bits = block.bits
      while bits != 0 {
        let row = block.row(bits.trailingZeroBitCount)
        bits &= bits &- 1
        if isWanted(row) {
          rows[count] = row
          count += 1
        }
      }
    }
    memory.retire(block)
  }

  // MARK: Compaction

  /// How many objects are packed anew at a time.
  private static let compactionUnit = 1_024

  /// Packs the next part of the tree anew, without what has expired.
  ///
  /// - Parameters:
  ///   - cursor: The way to the part that was done last; nil before the first.
  ///   - now: What expires at this instant or before is dropped.
  /// - Returns: How many objects were dropped; nil when no part is left.
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
    // On the way to what was done last, all up to there is done.
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
      if row.expiry > now { return true }
      if let entry = table.find(row.id) { table.remove(entry) }
      return false
    }
    return (building.tree(of: 0..<count), oldCount - count)
  }

  // MARK: Looking up

  /// The object with an id, as it is now.
  func object(_ id: UInt64) -> LiveObject? {
    guard let entry = table.find(id) else { return nil }
    let row = LiveRow(
      latitude: entry.pointee.latitude, longitude: entry.pointee.longitude, id: id,
      categories: 0, expiry: .infinity)
    return withUnsafePointer(to: LiveOperation(row: row, kind: .nothing)) { operation in
      var block = root
      while block.isNode { block = block.child(block.splits.lane(of: operation)) }
      return block.object(block.slot(of: id))
    }
  }
}
