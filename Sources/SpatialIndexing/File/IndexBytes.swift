/// The extent to which an index file is checked when it is opened.
public enum IndexValidation: Sendable {
  /// Checks the header, and what keeps every later read inside the file: a few pages, however long
  /// it is.
  ///
  /// Pages are checked against their checksums when they are first read; check
  /// ``IndexBytes/damage`` after each query. A forged file with correct checksums may give wrong
  /// answers, but never a position that does not exist, and nothing is read beyond its end.
  case structure
  /// Checks all checksums and everything that correct answers depend on, by reading the whole file.
  case everything
}

/// The bytes of an index file: an index that answers from them, and the data stored with it.
///
/// Nothing is copied. If the bytes are a mapped file, only the pages that an answer needs are read.
///
///     let file = try IndexBytes(bytes, lentBy: owner, validation: .structure)
///     let three = file.index.nearest(3, to: cityHall)
///     if let damage = file.damage { throw damage }
///
/// Any number of threads may query at once.
public struct IndexBytes: Sendable {
  /// The index that answers from the bytes, and keeps them alive.
  public let index: KDTreeIndex
  /// The number of rows; 0, or at least the number of positions.
  public let rowCount: Int
  /// The number of attached bytes.
  public var attachmentByteCount: Int { sections.attachment.count }
  /// The source the index was built from; nil if there was no single source.
  public let source: SourceStamp?

  private let file: TreeMemory
  private let sections: IndexFileSections
  private let checks: PageChecks

  /// Opens the bytes of an index file.
  ///
  /// - Parameters:
  ///   - bytes: Must stay as they are while `owner` lives; if they change, even by
  ///     another program in a mapped file, nothing is guaranteed.
  ///   - owner: Kept alive by anything made from this.
  ///   - validation: What is checked now.
  /// - Throws: What is wrong with the bytes. No input makes this crash.
  /// - Precondition: The bytes are aligned to 64.
  /// - Complexity: O(levels) for `.structure`, and one bit per page; O(bytes) for `.everything`.
  public init(
    _ bytes: UnsafeRawBufferPointer, lentBy owner: AnyObject, validation: IndexValidation
  ) throws(IndexFileError) {
    let header = try IndexFileHeader(bytes)
    let start = bytes.baseAddress.unsafelyUnwrapped
    precondition(Int(bitPattern: start) & 63 == 0, "the bytes begin at no multiple of 64")
    header.willReadWhatOpeningReads(of: start)
    let checks = try PageChecks(file: bytes, header: header)
    let isTrusted = validation == .everything
    let built = header.built(bytes, lentBy: owner, checks: checks, isTrusted: isTrusted)
    self.checks = checks
    file = TreeMemory(lent: bytes, by: owner)
    sections = header.sections
    rowCount = header.rowCount
    source = header.source
    index = KDTreeIndex(built)
    if isTrusted { try verify() } else { try verifyTree(wholly: false) }
  }

  /// The damage found in the pages read so far; nil if there is none.
  ///
  /// Discard an answer if a page read for it did not match its checksum.
  public var damage: IndexFileError? { checks.damage }

  /// Verifies all checksums, and everything that correct answers depend on.
  ///
  /// - Complexity: O(bytes).
  public func verify() throws(IndexFileError) {
    checks.checkAll()
    if let damage { throw damage }
    try verifyTree(wholly: true)
    for row in 0..<rowCount { _ = try rowRange(row) }
  }

  private func verifyTree(wholly: Bool) throws(IndexFileError) {
    do throws(IndexFileError) {
      try index.withTree { (tree) throws(IndexFileError) in
        let verification = TreeVerification(tree: tree)
        if wholly {
          try verification.verifyAll()
          if index.shape.isInGeohashOrder { try verification.verifyGeohashOrder() }
        } else {
          try verification.verifyEnds()
        }
        try verification.verify(index.trees, wholly: wholly)
      }
    } catch {
      // A mismatched page is damaged, so what it seems to say does not matter.
      throw damage ?? error
    }
    if let damage { throw damage }
  }

  // MARK: Rows and attachment

  /// The bytes of a row.
  ///
  /// - Precondition: `row` is at least 0 and less than `rowCount`.
  /// - Complexity: O(length); one page, and those of the row, are read.
  public func row(_ row: Int) throws(IndexFileError) -> [UInt8] {
    precondition((0..<rowCount).contains(row), "there is no row \(row) of \(rowCount)")
    return try bytes(try rowRange(row))
  }

  /// Some of the attached bytes.
  ///
  /// - Precondition: `range` lies in 0..<`attachmentByteCount`.
  public func attachment(_ range: Range<Int>) throws(IndexFileError) -> [UInt8] {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= attachmentByteCount,
      "\(range) of \(attachmentByteCount) bytes")
    let start = sections.attachment.lowerBound
    return try bytes(start + range.lowerBound..<start + range.upperBound)
  }

  /// All attached bytes.
  public func attachment() throws(IndexFileError) -> [UInt8] { try bytes(sections.attachment) }

  /// Opens an index file that is attached to this one, without copying it.
  ///
  /// Its pages are checked against its own checksums, so check its ``damage`` as well as this
  /// file's.
  ///
  /// - Parameters:
  ///   - range: Its range in the attached bytes.
  ///   - validation: What is checked now.
  /// - Throws: What is wrong with it, or with the range. No input makes this crash.
  /// - Complexity: That of opening any index file.
  package func attachedFile(
    in range: Range<Int>, validation: IndexValidation = .structure
  ) throws(IndexFileError) -> IndexBytes {
    let (memory, _) = try attachedBytes(in: range)
    return try IndexBytes(memory.bytes, lentBy: memory, validation: validation)
  }

  /// Some of the attached bytes in place, and what checks them against their checksums.
  func attachedBytes(
    in range: Range<Int>
  ) throws(IndexFileError) -> (memory: TreeMemory, checks: PageChecks) {
    let start = sections.attachment.lowerBound
    // The attachment begins on a page boundary, and separate contents in it at a multiple of 64.
    guard range.lowerBound >= 0, range.lowerBound & 63 == 0,
      range.upperBound <= attachmentByteCount
    else {
      throw .invalid("nothing can be attached at \(range) of \(attachmentByteCount) bytes")
    }
    let bytes = UnsafeRawBufferPointer(
      rebasing: file.bytes[start + range.lowerBound..<start + range.upperBound])
    return (TreeMemory(lent: bytes, by: file), checks)
  }

  /// The range of a row's bytes in the file.
  ///
  /// Both bounds are validated, and read only once.
  private func rowRange(_ row: Int) throws(IndexFileError) -> Range<Int> {
    let offset = try integer(at: sections.rowOffsets.lowerBound + 8 * row, UInt64.self)
    guard sections.rows.count >= 4, offset <= UInt64(sections.rows.count - 4) else {
      throw .invalid("row \(row) begins at byte \(offset) of \(sections.rows.count)")
    }
    let start = sections.rows.lowerBound + Int(offset)
    let length = try integer(at: start, UInt32.self)
    guard Int(length) <= sections.rows.upperBound - start - 4 else {
      throw .invalid("row \(row) claims to have \(length) bytes")
    }
    return start + 4..<start + 4 + Int(length)
  }

  private func integer<Value: FixedWidthInteger>(
    at place: Int, _: Value.Type
  ) throws(IndexFileError) -> Value {
    try check(place..<place + MemoryLayout<Value>.size)
    return Value(littleEndian: file.bytes.loadUnaligned(fromByteOffset: place, as: Value.self))
  }

  private func bytes(_ range: Range<Int>) throws(IndexFileError) -> [UInt8] {
    guard !range.isEmpty else { return [] }
    try check(range)
    return Array(file.bytes[range])
  }

  private func check(_ range: Range<Int>) throws(IndexFileError) {
    checks.check(
      file.bytes.baseAddress.unsafelyUnwrapped + range.lowerBound, count: range.count)
    if let damage { throw damage }
  }
}

extension PositionIndex {
  /// The damage found in the pages of a file read so far; nil if there is none, or if the index owns
  /// its memory.
  public var damage: IndexFileError? { packed.trees.checks?.damage }
}
