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
    var pages = PageWriter(write)
    try pages.add(memory.bytes.prefix(treeByteCount))
    try pages.endSection()

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
      try pages.add(withUnsafeBytes(of: length.littleEndian) { Array($0) })
      try pages.add(bytes)
      rowsByteCount += 4 + bytes.count
    }
    try pages.endSection()
    try pages.add(words: offsets)
    try pages.endSection()
    try pages.add(attachment)
    try pages.endSection()

    let sections = IndexFileSections(
      treeByteCount: treeByteCount, rowsByteCount: rowsByteCount, rowCount: rowCount,
      attachmentByteCount: attachment.count)
    for _ in 0..<2 {
      let checksums = pages.takeChecksums()
      try pages.add(words: checksums)
      try pages.endSection()
    }
    return withTree { tree in
      IndexFileHeader(
        shape: tree.shape, encoding: tree.encoding, categoryEncoding: tree.categoryEncoding,
        rowCount: rowCount, source: source, sections: sections,
        tableChecksum: pages.lastSectionChecksum
      ).page
    }
  }

  private var treeByteCount: Int {
    withTree { tree in
      TreeSections(
        shape: tree.shape, leaves: tree.encoding, categories: tree.categoryEncoding
      ).byteCount
    }
  }
}

/// Hands on whole pages, and takes their checksums.
private struct PageWriter<Failure: Error> {
  private let write: (UnsafeRawBufferPointer) throws(Failure) -> Void
  /// Less than a page, except within `add`.
  private var rest: [UInt8] = []
  private var checksums: [UInt32] = []
  private var section = CRC32C()
  private(set) var lastSectionChecksum = CRC32C().value

  /// Pages are handed on by so many bytes.
  private static var chunk: Int { 64 * IndexFileFormat.pageSize }

  init(_ write: @escaping (UnsafeRawBufferPointer) throws(Failure) -> Void) {
    self.write = write
  }

  mutating func add(_ bytes: some Collection<UInt8>) throws(Failure) {
    rest += bytes
    if rest.count >= PageWriter.chunk { try handOn() }
  }

  mutating func add(_ bytes: Slice<UnsafeRawBufferPointer>) throws(Failure) {
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let end = min(start + PageWriter.chunk, bytes.endIndex)
      rest += UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      try handOn()
      start = end
    }
  }

  mutating func add<Word: FixedWidthInteger>(words: [Word]) throws(Failure) {
    for start in stride(from: 0, to: words.count, by: 4_096) {
      let slice = words[start..<min(start + 4_096, words.count)]
      try add(slice.withUnsafeBytes { Array($0) })
    }
  }

  /// Fills the last page of a section with zeros.
  mutating func endSection() throws(Failure) {
    rest.append(
      contentsOf: repeatElement(0, count: IndexFileFormat.wholePages(rest.count) - rest.count))
    try handOn()
    lastSectionChecksum = section.value
    section = CRC32C()
  }

  /// The checksums of the pages since this was last called.
  mutating func takeChecksums() -> [UInt32] {
    defer { checksums = [] }
    return checksums
  }

  private mutating func handOn() throws(Failure) {
    let whole = rest.count / IndexFileFormat.pageSize * IndexFileFormat.pageSize
    guard whole > 0 else { return }
    var failure: Failure?
    rest.withUnsafeBytes { bytes in
      let bytes = UnsafeRawBufferPointer(rebasing: bytes[..<whole])
      section.add(bytes)
      for start in stride(from: 0, to: whole, by: IndexFileFormat.pageSize) {
        checksums.append(
          CRC32C.checksum(
            of: UnsafeRawBufferPointer(rebasing: bytes[start..<start + IndexFileFormat.pageSize])))
      }
      do throws(Failure) { try write(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
    rest.removeFirst(whole)
  }
}
