import Synchronization

/// The checksums of a file's pages, each looked at when its page is first read.
///
/// Checksums stand in pages of their own, whose checksums stand in a last table, whose checksum is in
/// the header. So nothing is believed that leads not back to the header, and little is read for that:
/// one page of checksums covers 4 MiB.
///
/// A page that does not match is remembered, and whoever gives an answer asks for it.
final class PageChecks: @unchecked Sendable {
  private let file: UnsafeRawPointer
  private let sections: IndexFileSections
  /// One bit for each page that is known to match, the pages of the checksums among them.
  private let matching: UnsafeMutablePointer<Atomic<UInt64>>
  private let wordCount: Int
  /// Where a page begins that does not match; 0, where none can be, while there is none.
  private let damagedOffset = Atomic<Int>(0)

  /// - Throws: `IndexFileError.checksum` where the last table does not match.
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

  /// What was wrong with the pages read so far.
  var damage: IndexFileError? {
    let offset = damagedOffset.load(ordering: .relaxed)
    return offset == 0 ? nil : .checksum(offset: offset)
  }

  /// Looks at the pages that some bytes lie in, unless that was done before.
  @inline(never)
  func check(_ bytes: UnsafeRawPointer, count: Int) {
    let offset = bytes - file
    let last = (offset + max(count, 1) - 1) / IndexFileFormat.pageSize
    for page in offset / IndexFileFormat.pageSize...last { check(page: page) }
  }

  /// Looks at all pages, up to the first that does not match.
  func checkAll() {
    for page in stride(from: 1, through: sections.pageCount, by: 1) where damage == nil {
      check(page: page)
    }
  }

  private func check(page: Int) {
    guard !isKnown(page) else { return }
    // The checksums of pages are four bytes each, 1,024 a page.
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
