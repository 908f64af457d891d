import Geodesy

/// The single writer of a live index: turns batches of changes into new versions of the tree.
///
/// A batch goes down the tree as a whole. Each node hands its operations to the children they
/// concern, so each block a batch touches, and the path from it to the root, is copied once.
///
/// Sendable because `LiveIndex` keeps it behind a mutex.
final class LiveWriter: @unchecked Sendable {
  let memory = LiveMemory()
  @exclusivity(unchecked) var root: LiveBlock
  @exclusivity(unchecked) var table = LiveObjectTable()

  /// The current batch's operations on the tree.
  @exclusivity(unchecked) var operations: UnsafeMutablePointer<LiveOperation>
  @exclusivity(unchecked) var operationCount = 0
  @exclusivity(unchecked) var operationCapacity = 0
  /// The memory of `Batch`, for up to `operationCapacity` operations.
  @exclusivity(unchecked) var order: UnsafeMutablePointer<UInt32>
  @exclusivity(unchecked) var otherOrder: UnsafeMutablePointer<UInt32>
  @exclusivity(unchecked) var lanes: UnsafeMutablePointer<UInt16>
  /// The nodes and leaves that operations reach, on the way down.
  @exclusivity(unchecked) var nodes = PlainList<LiveVisit>()
  @exclusivity(unchecked) var leaves = PlainList<LiveVisit>()
  /// The number of leaves already written.
  @exclusivity(unchecked) var doneLeaves = 0
  /// Rows on their way into new leaves.
  @exclusivity(unchecked) var rows: UnsafeMutablePointer<LiveRow>
  @exclusivity(unchecked) var rowCapacity = 4_096

  init() {
    operations = .allocate(capacity: 0)
    order = .allocate(capacity: 0)
    otherOrder = .allocate(capacity: 0)
    lanes = .allocate(capacity: 0)
    rows = .allocate(capacity: rowCapacity)
    root = memory.make(.plainLeaf)
  }

  deinit {
    operations.deallocate()
    order.deallocate()
    otherOrder.deallocate()
    lanes.deallocate()
    nodes.deallocate()
    leaves.deallocate()
    rows.deallocate()
  }

  /// The current tree, for snapshots to share; later changes belong to the next version.
  func publish() -> LiveVersion {
    let number = memory.version
    memory.publish()
    return LiveVersion(number: number, root: root, memory: memory)
  }

  /// Applies a batch to the table and the tree.
  func apply(_ changes: UnsafeBufferPointer<LiveChange>) {
    precondition(
      changes.count <= LiveWriter.mostChanges,
      "\(changes.count) changes at a time; at most \(LiveWriter.mostChanges)")
    memory.reap()
    operationCount = 0
    if operationCapacity < changes.count { reserveOperations(changes.count) }
    for index in changes.indices {
      if index + LiveWriter.lookAhead < changes.count {
        switch changes[index + LiveWriter.lookAhead] {
        case .put(let object): table.prefetch(object.id)
        case .remove(let id): table.prefetch(id)
        case .replace(let id, let object):
          table.prefetch(id)
          table.prefetch(object.id)
        }
      }
      switch changes[index] {
      case .put(let object): put(object)
      case .remove(let id): remove(id)
      case .replace(let id, let object): replace(id, with: object)
      }
    }
    updateTree()
    // Memory for a first load may never be needed again.
    if operationCapacity > LiveWriter.keptCapacity {
      operationCapacity = 0
      reserveOperations(0)
    }
    if rowCapacity > LiveWriter.keptCapacity {
      rowCapacity = 0
      reserveRows(4_096)
    }
  }

  /// The number of operations and rows whose memory is kept between batches.
  private static let keptCapacity = 1 << 17

  /// Operations are named by numbers of 30 bits.
  private static let mostChanges = 1 << 30

  /// How many changes ahead the table is prefetched.
  private static let lookAhead = 12

  private func reserveOperations(_ least: Int) {
    operations.deallocate()
    order.deallocate()
    otherOrder.deallocate()
    lanes.deallocate()
    operationCapacity = max(2 * operationCapacity, least, 1_024)
    operations = LargePages.allocate(
      byteCount: operationCapacity * MemoryLayout<LiveOperation>.stride
    ).bindMemory(to: LiveOperation.self, capacity: operationCapacity)
    // A move becomes two entries where its paths fork.
    order = .allocate(capacity: 2 * operationCapacity)
    otherOrder = .allocate(capacity: 2 * operationCapacity)
    lanes = .allocate(capacity: 2 * operationCapacity)
  }

  private func append(_ operation: LiveOperation, _ roles: UInt32) {
    operations[operationCount] = operation
    order[operationCount] = UInt32(truncatingIfNeeded: operationCount) << 2 | roles
    operationCount &+= 1
  }

  private func put(_ object: LiveObject) {
    guard let entry = table.find(object.id) else {
      table.insert(LiveObjectTable.Entry(object, operation: operationCount))
      return append(LiveOperation(coming: object), LiveOperation.Role.comes)
    }
    entry.pointee = LiveObjectTable.Entry(object, operation: move(entry.pointee, to: object))
  }

  /// Puts an object in place of one with another id: one move in the tree.
  private func replace(_ id: UInt64, with object: LiveObject) {
    guard let entry = table.find(id), table.find(object.id) == nil else {
      if id != object.id { remove(id) }
      return put(object)
    }
    let operation = move(entry.pointee, to: object)
    table.remove(entry)
    table.insert(LiveObjectTable.Entry(object, operation: operation))
  }

  /// Makes an object come in place of the one of an entry, and returns the number of the operation.
  private func move(_ entry: LiveObjectTable.Entry, to object: LiveObject) -> Int {
    if inserts(entry) {
      operations[entry.operation].come(object)
      return entry.operation
    }
    var operation = removal(of: entry)
    operation.come(object)
    append(operation, LiveOperation.Role.moves)
    return operationCount - 1
  }

  private func remove(_ id: UInt64) {
    guard let entry = table.find(id) else { return }
    if inserts(entry.pointee) {
      order[entry.pointee.operation] &= ~LiveOperation.Role.comes
    } else {
      append(removal(of: entry.pointee), LiveOperation.Role.goes)
    }
    table.remove(entry)
  }

  /// Whether the current batch inserts the object of an entry.
  ///
  /// Numbers from earlier batches are not cleared, but an object is inserted at most once, so the
  /// operation with that number decides.
  private func inserts(_ entry: LiveObjectTable.Entry) -> Bool {
    entry.operation < operationCount && operations[entry.operation].id == entry.id
      && order[entry.operation] & LiveOperation.Role.comes != 0
  }

  private func removal(of entry: LiveObjectTable.Entry) -> LiveOperation {
    LiveOperation(going: entry.id, from: entry.latitude, entry.longitude)
  }

  /// The object with an id, in its current state.
  func object(_ id: UInt64) -> LiveObject? {
    guard let entry = table.find(id) else { return nil }
    return withUnsafePointer(to: removal(of: entry.pointee)) { operation in
      var block = root
      while block.isNode {
        block = block.child(block.splits.lanes(of: operation, LiveOperation.Role.goes).from)
      }
      return block.object(block.slot(of: id))
    }
  }
}
