@testable import WebMaps

extension PMTilesArchive {
  /// Calls `body` with every tile in archive order; a run of equal tiles is passed once, with the number of its first
  /// tile and its length.
  ///
  /// - Throws: An error in a directory, such as a leaf whose entries do not ascend from the entry that points to it.
  func forEachRun(
    _ body: (_ firstID: UInt64, _ count: Int, _ bytes: [UInt8]) throws(PMTilesError) -> Void
  ) throws(PMTilesError) {
    var next: UInt64 = 0
    try forEachRun(in: root, depth: 1, from: &next, body)
  }

  private func forEachRun(
    in directory: PMTilesDirectory, depth: Int, from next: inout UInt64,
    _ body: (UInt64, Int, [UInt8]) throws(PMTilesError) -> Void
  ) throws(PMTilesError) {
    for entry in directory.entries {
      // Without this check, leaves that point to each other would loop for a long time.
      guard entry.id >= next else { throw .directory("entries out of order") }
      if entry.runLength > 0 {
        try body(entry.id, Int(entry.runLength), try bytes(of: entry))
        next = entry.id + UInt64(entry.runLength)
      } else {
        guard depth < Self.depthLimit else {
          throw .directory("directories in more than \(Self.depthLimit) levels")
        }
        let leaf = try leaf(entry)
        guard !leaf.entries.isEmpty else { throw .directory("a leaf without entries") }
        try forEachRun(in: leaf, depth: depth + 1, from: &next, body)
      }
    }
  }
}
