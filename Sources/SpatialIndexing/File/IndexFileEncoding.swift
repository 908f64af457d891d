// An index file is written from front to back, and its first page last. Until that page is there,
// nobody takes the file for an index.

extension KDTreeIndex {
  /// Writes the bytes of an index file.
  ///
  ///     var bytes = [UInt8](repeating: 0, count: IndexFileFormat.pageSize)
  ///     let first = index.encode(rowCount: 0, row: { _, _ in }) { bytes += $0 }
  ///     bytes.replaceSubrange(0..<first.count, with: first)
  ///
  /// Rows are what is to be known of positions beside where they are. They are written in the order
  /// of the leaves, so that what lies near on the Earth lies near in the file; rows that belong to
  /// no position come after them.
  ///
  /// - Parameters:
  ///   - rowCount: How many rows; none at all, or no fewer than `count`. The row of a position has
  ///     its number.
  ///   - attachment: Bytes of whatever kind for the whole file.
  ///   - source: What the index was built from; nil when it was no single thing.
  ///   - row: Appends the bytes of a row; called once for each, with fewer than 2³² bytes.
  ///   - write: Takes the bytes that follow the first page, whole pages in any number.
  /// - Returns: The first page, worth nothing if the index is out of a file and has ``damage`` now. It belongs in front of what was written, once all that is safe.
  /// - Complexity: O(bytes); 8 bytes a row and a thousandth of the file while it runs.
  public func encode<Failure: Error>(
    rowCount: Int, attachment: [UInt8] = [], source: SourceStamp? = nil,
    row: (_ number: Int, _ bytes: inout [UInt8]) throws(Failure) -> Void,
    to write: @escaping (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) -> [UInt8] {
    precondition(
      rowCount == 0 || rowCount >= count, "\(rowCount) rows for \(count) positions")
    precondition(1.littleEndian == 1, "index files are written by little-endian machines only")
    checks?.checkAll()
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
    for tree in trees {
      // Memory of our own may go on behind a small tree.
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
        counts: categoryTrees.counts, owners: categoryTrees.owners, rowCount: rowCount,
        source: source, sections: sections, tableChecksum: tableChecksum
      ).page
    }
  }

  /// The bytes of a whole index file without rows, such as another index file may have attached:
  /// see `IndexBytes.attachedFile(in:validation:)`.
  ///
  /// - Parameter attachment: Bytes of whatever kind.
  /// - Complexity: O(bytes).
  package func fileBytes(attachment: [UInt8]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: IndexFileFormat.pageSize)
    let first = encode(rowCount: 0, attachment: attachment, row: { _, _ in }) { bytes += $0 }
    bytes.replaceSubrange(0..<first.count, with: first)
    return bytes
  }

  /// All trees, as they stand in a file: that of all positions, and those of categories.
  private var trees: [BuiltTree] {
    let whole = withTree { tree in
      BuiltTree(
        memory: memory, shape: tree.shape, encoding: tree.encoding,
        categoryEncoding: tree.categoryEncoding)
    }
    return [whole] + categoryTrees.trees
  }
}

/// Gathers bytes to whole pages, and takes their checksums.
private struct PageBuffer {
  /// Pages are handed on once there are so many bytes.
  static let capacity = 64 * IndexFileFormat.pageSize

  private var rest: [UInt8] = []
  /// Of the pages that were taken so far.
  private(set) var checksums: [UInt32] = []

  var isFull: Bool { rest.count >= PageBuffer.capacity }

  /// The checksum of what was not taken yet.
  var checksumOfRest: UInt32 { rest.withUnsafeBytes { CRC32C.checksum(of: $0) } }

  mutating func append(_ bytes: some Collection<UInt8>) { rest += bytes }

  mutating func append(_ bytes: Slice<UnsafeRawBufferPointer>) {
    rest += UnsafeRawBufferPointer(rebasing: bytes)
  }

  mutating func append(_ word: some FixedWidthInteger) {
    withUnsafeBytes(of: word.littleEndian) { rest += $0 }
  }

  /// Fills the last page with zeros.
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
