import Synchronization

/// The checksums of a file's pages, each verified when its page is first read.
///
/// Checksums have pages of their own, whose checksums are in a last table, whose checksum is in the
/// header. So all trust leads back to the header, and little is read for it: one page of checksums
/// covers 4 MiB.
///
/// A mismatched page is remembered, and callers check for it before they return an answer.
final class PageChecks: @unchecked Sendable {
  private let file: UnsafeRawPointer
  private let sections: IndexFileSections
  /// One bit for each page known to match, checksum pages included.
  private let matching: UnsafeMutablePointer<Atomic<UInt64>>
  private let wordCount: Int
  /// The offset of a mismatched page; 0, an impossible value, if there is none.
  private let damagedOffset = Atomic<Int>(0)

  /// - Throws: `IndexFileError.checksum` if the last table does not match.
  init(file: UnsafeRawBufferPointer, header: IndexFileHeader) throws(IndexFileError) {
    let start = file.baseAddress.unsafelyUnwrapped
    let table = UnsafeRawBufferPointer(
      start: start + header.sections.tableChecksums.lowerBound,
      count: IndexFileFormat.wholePages(header.sections.tableChecksums.count))
    guard CRC32C.checksum(of: table) == header.tableChecksum else {
      throw .checksum(offset: header.sections.tableChecksums.lowerBound)
    }
    self.file = start
    sections = header.sections
    wordCount = header.sections.byteCount / IndexFileFormat.pageSize / 64 + 1
    matching = .allocate(capacity: wordCount)
    for word in 0..<wordCount { (matching + word).initialize(to: Atomic(0)) }
  }

  deinit {
    matching.deinitialize(count: wordCount)
    matching.deallocate()
  }

  /// The damage found in the pages read so far.
  var damage: IndexFileError? {
    let offset = damagedOffset.load(ordering: .relaxed)
    return offset == 0 ? nil : .checksum(offset: offset)
  }

  /// Checks the pages that some bytes lie in, unless already checked.
  @inline(never)
  func check(_ bytes: UnsafeRawPointer, count: Int) {
    let offset = bytes - file
    let last = (offset + max(count, 1) - 1) / IndexFileFormat.pageSize
    for page in offset / IndexFileFormat.pageSize...last { check(page: page) }
  }

  /// Checks all pages, up to the first that does not match.
  func checkAll() {
    for page in stride(from: 1, through: sections.pageCount, by: 1) where damage == nil {
      check(page: page)
    }
  }

  private func check(page: Int) {
    guard !isKnown(page) else { return }
    // Page checksums are four bytes each, 1,024 per page.
    let number = page - 1
    let table = sections.pageChecksums.lowerBound / IndexFileFormat.pageSize + number / 1_024
    if !isKnown(table) {
      compare(page: table, sections.tableChecksums.lowerBound + number / 1_024 * 4)
    }
    compare(page: page, sections.pageChecksums.lowerBound + number * 4)
  }

  private func compare(page: Int, _ place: Int) {
    let start = page * IndexFileFormat.pageSize
    let checksum = CRC32C.checksum(
      of: UnsafeRawBufferPointer(start: file + start, count: IndexFileFormat.pageSize))
    if checksum == UInt32(littleEndian: file.load(fromByteOffset: place, as: UInt32.self)) {
      matching[page >> 6].bitwiseOr(1 << UInt64(page & 63), ordering: .relaxed)
    } else {
      damagedOffset.store(start, ordering: .relaxed)
    }
  }

  @inline(__always)
  private func isKnown(_ page: Int) -> Bool {
    matching[page >> 6].load(ordering: .relaxed) >> UInt64(page & 63) & 1 == 1
  }
}
