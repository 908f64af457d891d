import Geodesy

/// The one writer of a live index: turns batches of changes into new versions of the tree.
///
/// A batch goes down the tree as a whole. Each node hands its operations out to the children they
/// concern, so that whatever a batch touches is copied once, and the paths from there to the root.
///
/// Sendable because `LiveIndex` keeps it behind a mutex.
final class LiveWriter: @unchecked Sendable {
  let memory = LiveMemory()
  @exclusivity(unchecked) var root: LiveBlock
  @exclusivity(unchecked) var table = LiveObjectTable()

  /// What the present batch does to the tree.
  @exclusivity(unchecked) var operations: [LiveOperation] = []
  /// What `Batch` tells of, for up to `operationCapacity` operations.
  @exclusivity(unchecked) var order: UnsafeMutablePointer<UInt32>
  @exclusivity(unchecked) var otherOrder: UnsafeMutablePointer<UInt32>
  @exclusivity(unchecked) var lanes: UnsafeMutablePointer<UInt16>
  @exclusivity(unchecked) var paths: UnsafeMutablePointer<UInt64>
  @exclusivity(unchecked) var operationCapacity = 0
  /// Rows on their way into new leaves.
  @exclusivity(unchecked) var rows: UnsafeMutablePointer<LiveRow>
  @exclusivity(unchecked) var rowCapacity = 4_096

  init() {
    order = .allocate(capacity: 0)
    otherOrder = .allocate(capacity: 0)
    lanes = .allocate(capacity: 0)
    paths = .allocate(capacity: 0)
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

  /// Applies a batch to the table and the tree.
  func apply(_ changes: UnsafeBufferPointer<LiveChange>) {
    precondition(
      changes.count <= LiveWriter.mostChanges,
      "\(changes.count) changes at a time; at most \(LiveWriter.mostChanges)")
    memory.reap()
    operations.removeAll(keepingCapacity: true)
    operations.reserveCapacity(changes.count)
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

  /// Operations are named by numbers of 30 bits.
  private static let mostChanges = 1 << 30

  /// How many changes ahead the table is read.
  private static let lookAhead = 12

  private func put(_ row: LiveRow) {
    guard let entry = table.find(row.id) else {
      table.insert(
        LiveObjectTable.Entry(
          id: row.id, latitude: row.latitude, longitude: row.longitude,
          operation: operations.count))
      return operations.append(LiveOperation(coming: row))
    }
    if inserts(entry.pointee) {
      operations[entry.pointee.operation].come(row)
    } else {
      entry.pointee.operation = operations.count
      var operation = removal(of: entry.pointee)
      operation.come(row)
      operations.append(operation)
    }
    entry.pointee.latitude = row.latitude
    entry.pointee.longitude = row.longitude
  }

  private func remove(_ id: UInt64) {
    guard let entry = table.find(id) else { return }
    if inserts(entry.pointee) {
      operations[entry.pointee.operation].roles &= ~LiveOperation.Role.comes
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
      && operations[entry.operation].roles & LiveOperation.Role.comes != 0
  }

  private func removal(of entry: LiveObjectTable.Entry) -> LiveOperation {
    LiveOperation(going: entry.id, from: entry.latitude, entry.longitude)
  }

  /// The object with an id, as it is now.
  func object(_ id: UInt64) -> LiveObject? {
    guard let entry = table.find(id) else { return nil }
    let keys = LiveKeys(
      latitude: entry.pointee.latitude, longitude: entry.pointee.longitude, id: id)
    return withUnsafePointer(to: keys) { keys in
      var block = root
      while block.isNode { block = block.child(block.splits.lane(of: keys)) }
      return block.object(block.slot(of: id))
    }
  }
}
