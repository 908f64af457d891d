/// How much of an index file is looked at when it is opened.
public enum IndexValidation: Sendable {
  /// The header, and what keeps every later read inside the file: a few pages, whatever its length.
  ///
  /// Pages are compared with their checksums when they are first read; ask ``IndexBytes/damage``
  /// after an answer. A file whose checksums are right but whose contents were made up may answer
  /// wrongly, but never with a position that there is not, and never by reading beyond its end.
  case structure
  /// All checksums, and all that right answers follow from. It reads the whole file.
  case everything
}

/// The bytes of an index file: an index that answers out of them, and what is kept beside it.
///
/// Nothing is copied. The bytes may lie in a mapped file, of which then only those pages are read that
/// an answer needs.
///
///     let file = try IndexBytes(bytes, lentBy: owner, validation: .structure)
///     let three = file.index.nearest(3, to: cityHall)
///     if let damage = file.damage { throw damage }
///
/// Any number of threads may ask at once.
public struct IndexBytes: Sendable {
  /// Answers out of the bytes, and keeps them alive.
  public let index: KDTreeIndex
  /// How many rows there are; 0, or at least as many as positions.
  public let rowCount: Int
  /// How many bytes are attached.
  public var attachmentByteCount: Int { sections.attachment.count }
  /// What the index was built from; nil when that was no single thing.
  public let source: SourceStamp?

  private let file: TreeMemory
  private let sections: IndexFileSections
  private let checks: PageChecks

  /// Opens the bytes of an index file.
  ///
  /// - Parameters:
  ///   - bytes: Must stay as they are while `owner` lives; if they change, even by
  ///     another program in a mapped file, nothing is guaranteed.
  ///   - owner: Kept as long as anything made from this lives.
  ///   - validation: What is looked at now.
  /// - Throws: What is wrong with the bytes. No bytes whatever make this crash.
  /// - Precondition: The bytes begin at a multiple of 64.
  /// - Complexity: O(levels) for `.structure`, and a bit for each page; O(bytes) for `.everything`.
  public init(
    _ bytes: UnsafeRawBufferPointer, lentBy owner: AnyObject, validation: IndexValidation
  ) throws(IndexFileError) {
    let header = try IndexFileHeader(bytes)
    let start = bytes.baseAddress.unsafelyUnwrapped
    precondition(Int(bitPattern: start) & 63 == 0, "the bytes begin at no multiple of 64")
    header.willReadWhatOpeningReads(of: start)
    let checks = try PageChecks(file: bytes, header: header)
    if validation == .everything {
      checks.checkAll()
      if let damage = checks.damage { throw damage }
    }
    let isTrusted = validation == .everything
    let built = header.built(bytes, lentBy: owner, checks: checks, isTrusted: isTrusted)
    self.checks = checks
    file = TreeMemory(lent: bytes, by: owner)
    sections = header.sections
    rowCount = header.rowCount
    source = header.source
    index = KDTreeIndex(built, checks: checks, isTrusted: isTrusted)
    try verifyTree(wholly: isTrusted)
    if validation == .everything {
      for row in 0..<rowCount { _ = try rowRange(row) }
    }
  }

  /// What was wrong with the pages that were read so far; nil when nothing was.
  ///
  /// An answer during which a page did not match its checksum is worth nothing.
  public var damage: IndexFileError? { checks.damage }

  /// Makes sure of all checksums, and of all that right answers follow from.
  ///
  /// - Complexity: O(bytes).
  public func verify() throws(IndexFileError) {
    checks.checkAll()
    if let damage { throw damage }
    try verifyTree(wholly: true)
    for row in 0..<rowCount { _ = try rowRange(row) }
  }

  private func verifyTree(wholly: Bool) throws(IndexFileError) {
    let result = index.withTree { tree -> Result<Void, IndexFileError> in
      do throws(IndexFileError) {
        let verification = TreeVerification(tree: tree)
        if wholly {
          try verification.verifyAll()
          if index.shape.isInGeohashOrder { try verification.verifyGeohashOrder() }
        } else {
          try verification.verifyEnds()
        }
        try verification.verify(index.categoryTrees, wholly: wholly)
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    // What does not match is damaged, and what it seems to say does not matter.
    if let damage { throw damage }
    try result.get()
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

  /// An index file that is attached to this one; nothing of it is copied.
  ///
  /// Its pages are compared with its own checksums, so ask its ``damage`` beside that of this file.
  ///
  /// - Parameters:
  ///   - range: Where it stands among the attached bytes.
  ///   - validation: What is looked at now.
  /// - Throws: What is wrong with it, or with the range. No bytes whatever make this crash.
  /// - Complexity: As of opening any index file.
  package func attachedFile(
    in range: Range<Int>, validation: IndexValidation = .structure
  ) throws(IndexFileError) -> IndexBytes {
    let (memory, _) = try attachedBytes(in: range)
    return try IndexBytes(memory.bytes, lentBy: memory, validation: validation)
  }

  /// Some of the attached bytes where they lie, and what compares them with their checksums.
  func attachedBytes(
    in range: Range<Int>
  ) throws(IndexFileError) -> (memory: TreeMemory, checks: PageChecks) {
    let start = sections.attachment.lowerBound
    // The attachment begins on a page, and what lies in it for itself at a multiple of 64.
    guard range.lowerBound >= 0, range.lowerBound & 63 == 0,
      range.upperBound <= attachmentByteCount
    else {
      throw .invalid("nothing can be attached at \(range) of \(attachmentByteCount) bytes")
    }
    let bytes = UnsafeRawBufferPointer(
      rebasing: file.bytes[start + range.lowerBound..<start + range.upperBound])
    return (TreeMemory(lent: bytes, by: file), checks)
  }

  /// Where a row's bytes lie in the file.
  ///
  /// Both numbers that say it are made sure of, and read once.
  private func rowRange(_ row: Int) throws(IndexFileError) -> Range<Int> {
    let offset = try integer(at: sections.rowOffsets.lowerBound + 8 * row, UInt64.self)
    guard sections.rows.count >= 4, offset <= UInt64(sections.rows.count - 4) else {
      throw .invalid("row \(row) begins at byte \(offset) of \(sections.rows.count)")
    }
    let start = sections.rows.lowerBound + Int(offset)
    let length = try integer(at: start, UInt32.self)
    guard Int(length) <= sections.rows.upperBound - start - 4 else {
      throw .invalid("row \(row) is said to have \(length) bytes")
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

extension KDTreeIndex {
  /// Opens the index in the bytes of an index file; ``IndexBytes`` has its rows as well.
  ///
  /// - Parameters:
  ///   - bytes: Must stay as they are while `owner` lives.
  ///   - owner: Kept as long as the index lives.
  ///   - validation: What is looked at now. With `.structure`, ask ``damage`` after an answer.
  /// - Throws: What is wrong with the bytes.
  /// - Precondition: The bytes begin at a multiple of 64.
  public init(
    bytes: UnsafeRawBufferPointer, lentBy owner: AnyObject, validation: IndexValidation
  ) throws(IndexFileError) {
    self = try IndexBytes(bytes, lentBy: owner, validation: validation).index
  }

  /// What was wrong with the pages of a file that were read so far; nil when nothing was, and for an
  /// index in memory of its own.
  public var damage: IndexFileError? { checks?.damage }
}
