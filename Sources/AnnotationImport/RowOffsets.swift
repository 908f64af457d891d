import Geodesy

/// The offset of each kept row in its source, in four bytes for each row whatever the source's size.
struct RowOffsets: Sendable {
  /// The lower 32 bits of each offset.
  private var low: [UInt32] = []
  /// The rows at which the upper bits grow by one; offsets ascend, so this determines all of them.
  private var carries: [Int] = []

  init() {}

  /// Makes the offsets of a single row that begins below 2³².
  init(only offset: Int) { low = [UInt32(truncatingIfNeeded: offset)] }

  mutating func reserveCapacity(_ capacity: Int) { low.reserveCapacity(capacity) }

  /// - Precondition: `offset` is larger than all before it.
  mutating func append(_ offset: Int) {
    while offset >> 32 > carries.count { carries.append(low.count) }
    low.append(UInt32(truncatingIfNeeded: offset))
  }

  /// The offsets of some rows, ascending.
  func keeping(_ rows: [Int]) -> RowOffsets {
    var kept = RowOffsets()
    kept.reserveCapacity(rows.count)
    for row in rows { kept.append(self[row]) }
    return kept
  }

  subscript(row: Int) -> Int {
    let high = carries.isEmpty ? 0 : carries.partitioningCount { $0 <= row }
    return high << 32 | Int(low[row])
  }

  /// Asks memory for the offset of a row, without waiting for it.
  func prefetch(_ row: Int) { low.prefetch(row) }
}

/// The record number of each kept row, stored as the positions of the rejected records.
struct RecordNumbering: Sendable {
  /// For each run of rejected records, in order, the number of rows kept before it.
  private var keptBefore: [Int] = []
  /// For each run, how many were rejected up to its end.
  private var skipped: [Int] = []
  private let first: Int

  /// - Parameter first: The number of the first record.
  init(first: Int = 1) { self.first = first }

  /// - Parameters:
  ///   - kept: The number of rows kept before; at least that of the call before.
  ///   - count: How many records are rejected there.
  mutating func skip(afterRows kept: Int, _ count: Int = 1) {
    guard count > 0 else { return }
    let sum = (skipped.last ?? 0) + count
    if keptBefore.last == kept {
      skipped[skipped.count - 1] = sum
    } else {
      keptBefore.append(kept)
      skipped.append(sum)
    }
  }

  /// The numbers of some rows, ascending, as if the others had been left out.
  func keeping(_ rows: [Int]) -> RecordNumbering {
    var kept = RecordNumbering(first: first)
    var next = first
    for (place, row) in rows.enumerated() {
      let record = record(ofRow: row)
      kept.skip(afterRows: place, record - next)
      next = record + 1
    }
    return kept
  }

  /// The record number, from 1, of a row, from 0.
  ///
  /// - Complexity: O(log *r*) for *r* runs of rejected records.
  func record(ofRow row: Int) -> Int {
    let runs = keptBefore.isEmpty ? 0 : keptBefore.partitioningCount { $0 <= row }
    return row + first + (runs == 0 ? 0 : skipped[runs - 1])
  }
}
