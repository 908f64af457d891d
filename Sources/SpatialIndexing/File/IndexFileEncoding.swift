// An index file is written from front to back, and its first page last. Without that page, it is
// not recognized as an index.

extension KDTreeIndex {
  /// Writes the bytes of an index file.
  ///
  ///     var bytes = [UInt8](repeating: 0, count: IndexFileFormat.pageSize)
  ///     let first = index.encode(rowCount: 0, row: { _, _ in }) { bytes += $0 }
  ///     bytes.replaceSubrange(0..<first.count, with: first)
  ///
  /// Rows hold the data of positions besides their coordinates. They are written in leaf order, so that neighbors on
  /// the Earth are neighbors in the file; rows that belong to no position follow.
  ///
  /// - Parameters:
  ///   - rowCount: The number of rows; 0, or at least `count`. The row of a position has its number.
  ///   - attachment: Arbitrary bytes for the whole file.
  ///   - source: The source the index was built from; nil if there was no single source.
  ///   - row: Appends the bytes of a row; called once for each, with fewer than 2³² bytes.
  ///   - write: Receives the bytes that follow the first page, any number of whole pages at a time.
  /// - Returns: The first page, worthless if the index comes from a file and has `damage` now. Put it in front of the
  ///   other pages once those are safely stored.
  /// - Complexity: O(bytes); 8 bytes per row and a thousandth of the file while it runs.
  public func encode<Failure: Error>(
    rowCount: Int, attachment: [UInt8] = [], source: SourceStamp? = nil,
    row: (_ number: Int, _ bytes: inout [UInt8]) throws(Failure) -> Void,
    to write: @escaping (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) -> [UInt8] {
    precondition(
      rowCount == 0 || rowCount >= count, "\(rowCount) rows for \(count) positions")
    precondition(1.littleEndian == 1, "index files are written by little-endian machines only")
    trees.checks?.checkAll()
    var pages = PageWriter(to: write)
    // The index's own memory may extend past the end of a small tree.
    for tree in trees.all {
      try pages.append(UnsafeRawBufferPointer(rebasing: tree.memory.bytes[..<tree.byteCount]))
    }
    try pages.endSection()
    var offsets = [UInt64](repeating: 0, count: rowCount)
    let rowsByteCount = try writeRows(&offsets, row: row, to: &pages)
    try pages.endSection()
    for offset in offsets { try pages.append(offset) }
    try pages.endSection()
    try pages.append(attachment)
    try pages.endSection()
    let pageChecksums = pages.checksums
    for checksum in pageChecksums { try pages.append(checksum) }
    try pages.endSection()
    var table: [UInt8] = []
    for checksum in pages.checksums[pageChecksums.count...] {
      withUnsafeBytes(of: checksum.littleEndian) { table += $0 }
    }
    table += repeatElement(0, count: IndexFileFormat.wholePages(table.count) - table.count)
    try pages.append(table)
    try pages.endSection()
    let tableChecksum = table.withUnsafeBytes { CRC32C.checksum(of: $0) }

    let sections = IndexFileSections(
      treeByteCount: trees.all.reduce(0) { $0 + $1.byteCount }, rowsByteCount: rowsByteCount,
      rowCount: rowCount, attachmentByteCount: attachment.count)
    return withTree { tree in
      IndexFileHeader(
        shape: tree.shape, encoding: tree.encoding, categoryEncoding: tree.categoryEncoding,
        counts: trees.counts, owners: trees.owners, rowCount: rowCount,
        source: source, sections: sections, tableChecksum: tableChecksum
      ).page
    }
  }

  /// Writes the rows in leaf order.
  ///
  /// - Parameter offsets: By number, gets where each row begins.
  /// - Returns: The number of bytes written.
  private func writeRows<Failure: Error>(
    _ offsets: inout [UInt64],
    row: (_ number: Int, _ bytes: inout [UInt8]) throws(Failure) -> Void,
    to pages: inout PageWriter<Failure>
  ) throws(Failure) -> Int {
    var byteCount = 0
    var bytes: [UInt8] = []
    for place in offsets.indices {
      let number = place < count ? withTree { Int($0.position(place)) } : place
      bytes.removeAll(keepingCapacity: true)
      try row(number, &bytes)
      guard let length = UInt32(exactly: bytes.count) else {
        preconditionFailure("row \(number) has \(bytes.count) bytes; a row has fewer than 2³²")
      }
      offsets[number] = UInt64(byteCount)
      try pages.append(length)
      try pages.append(bytes)
      byteCount += 4 + bytes.count
    }
    return byteCount
  }

  /// The bytes of a whole index file without rows, which can be attached to another index file.
  ///
  /// See `IndexBytes.attachedFile(in:validation:)`.
  ///
  /// - Parameter attachment: Arbitrary bytes.
  /// - Complexity: O(bytes).
  package func fileBytes(attachment: [UInt8]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: IndexFileFormat.pageSize)
    let first = encode(rowCount: 0, attachment: attachment, row: { _, _ in }) { bytes += $0 }
    bytes.replaceSubrange(0..<first.count, with: first)
    return bytes
  }
}

/// Collects bytes into whole pages, computes their checksums, and passes them on.
private struct PageWriter<Failure: Error> {
  private let write: (UnsafeRawBufferPointer) throws(Failure) -> Void
  /// The bytes not passed on yet; whole pages of them are once there are `capacity`.
  private var rest: [UInt8] = []
  private static var capacity: Int { 64 * IndexFileFormat.pageSize }
  /// The checksums of the pages passed on.
  private(set) var checksums: [UInt32] = []

  init(to write: @escaping (UnsafeRawBufferPointer) throws(Failure) -> Void) { self.write = write }

  mutating func append(_ bytes: [UInt8]) throws(Failure) {
    for start in stride(from: 0, to: bytes.count, by: Self.capacity) {
      rest += bytes[start..<min(start + Self.capacity, bytes.count)]
      try passOnIfFull()
    }
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    for start in stride(from: 0, to: bytes.count, by: Self.capacity) {
      let end = min(start + Self.capacity, bytes.count)
      rest += UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      try passOnIfFull()
    }
  }

  mutating func append(_ word: some FixedWidthInteger) throws(Failure) {
    withUnsafeBytes(of: word.littleEndian) { rest += $0 }
    try passOnIfFull()
  }

  /// Pads the last page with zeros, and passes on all pages.
  mutating func endSection() throws(Failure) {
    rest += repeatElement(0, count: IndexFileFormat.wholePages(rest.count) - rest.count)
    try passOn()
  }

  private mutating func passOnIfFull() throws(Failure) {
    if rest.count >= Self.capacity { try passOn() }
  }

  /// Passes on all whole pages.
  private mutating func passOn() throws(Failure) {
    let whole = rest.count / IndexFileFormat.pageSize * IndexFileFormat.pageSize
    guard whole > 0 else { return }
    var failure: Failure?
    rest.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: whole, by: IndexFileFormat.pageSize) {
        checksums.append(
          CRC32C.checksum(
            of: UnsafeRawBufferPointer(rebasing: bytes[start..<start + IndexFileFormat.pageSize])))
      }
      do throws(Failure) {
        try write(UnsafeRawBufferPointer(rebasing: bytes[..<whole]))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    rest.removeFirst(whole)
  }
}
