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
    var pages = PageBuffer()
    func handOn() throws(Failure) {
      var failure: Failure?
      pages.takeWholePages().withUnsafeBytes { bytes in
        guard !bytes.isEmpty else { return }
        do throws(Failure) { try write(bytes) } catch { failure = error }
      }
      if let failure { throw failure }
    }
    func endSection() throws(Failure) {
      pages.fillPage()
      try handOn()
    }

    var treeByteCount = 0
    for tree in trees.all {
      // The index's own memory may extend past the end of a small tree.
      for start in stride(from: 0, to: tree.byteCount, by: PageBuffer.capacity) {
        let end = min(start + PageBuffer.capacity, tree.byteCount)
        pages.append(tree.memory.bytes[start..<end])
        if pages.isFull { try handOn() }
      }
      treeByteCount += tree.byteCount
    }
    try endSection()

    var offsets = [UInt64](repeating: 0, count: rowCount)
    var rowsByteCount = 0
    var bytes: [UInt8] = []
    for place in 0..<rowCount {
      let number = place < count ? withTree { Int($0.position(place)) } : place
      bytes.removeAll(keepingCapacity: true)
      try row(number, &bytes)
      guard let length = UInt32(exactly: bytes.count) else {
        preconditionFailure("row \(number) has \(bytes.count) bytes; a row has fewer than 2³²")
      }
      offsets[number] = UInt64(rowsByteCount)
      pages.append(length)
      pages.append(bytes)
      if pages.isFull { try handOn() }
      rowsByteCount += 4 + bytes.count
    }
    try endSection()
    for offset in offsets {
      pages.append(offset)
      if pages.isFull { try handOn() }
    }
    try endSection()
    for start in stride(from: 0, to: attachment.count, by: PageBuffer.capacity) {
      pages.append(attachment[start..<min(start + PageBuffer.capacity, attachment.count)])
      try handOn()
    }
    try endSection()

    let pageChecksums = pages.checksums
    for checksum in pageChecksums { pages.append(checksum) }
    try endSection()
    for checksum in pages.checksums[pageChecksums.count...] { pages.append(checksum) }
    pages.fillPage()
    let tableChecksum = pages.checksumOfRest
    try handOn()

    let sections = IndexFileSections(
      treeByteCount: treeByteCount, rowsByteCount: rowsByteCount, rowCount: rowCount,
      attachmentByteCount: attachment.count)
    return withTree { tree in
      IndexFileHeader(
        shape: tree.shape, encoding: tree.encoding, categoryEncoding: tree.categoryEncoding,
        counts: trees.counts, owners: trees.owners, rowCount: rowCount,
        source: source, sections: sections, tableChecksum: tableChecksum
      ).page
    }
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

/// Collects bytes into whole pages, and computes their checksums.
private struct PageBuffer {
  /// Pages are passed on once there are this many bytes.
  static let capacity = 64 * IndexFileFormat.pageSize

  private var rest: [UInt8] = []
  /// The checksums of the pages taken so far.
  private(set) var checksums: [UInt32] = []

  var isFull: Bool { rest.count >= PageBuffer.capacity }

  /// The checksum of the bytes not yet taken.
  var checksumOfRest: UInt32 { rest.withUnsafeBytes { CRC32C.checksum(of: $0) } }

  mutating func append(_ bytes: some Collection<UInt8>) { rest += bytes }

  mutating func append(_ bytes: Slice<UnsafeRawBufferPointer>) {
    rest += UnsafeRawBufferPointer(rebasing: bytes)
  }

  mutating func append(_ word: some FixedWidthInteger) {
    withUnsafeBytes(of: word.littleEndian) { rest += $0 }
  }

  /// Pads the last page with zeros.
  mutating func fillPage() {
    rest.append(
      contentsOf: repeatElement(0, count: IndexFileFormat.wholePages(rest.count) - rest.count))
  }

  mutating func takeWholePages() -> [UInt8] {
    let whole = rest.count / IndexFileFormat.pageSize * IndexFileFormat.pageSize
    let pages = whole == rest.count ? rest : Array(rest[..<whole])
    pages.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: whole, by: IndexFileFormat.pageSize) {
        checksums.append(
          CRC32C.checksum(
            of: UnsafeRawBufferPointer(rebasing: bytes[start..<start + IndexFileFormat.pageSize])))
      }
    }
    rest.removeFirst(whole)
    return pages
  }
}
