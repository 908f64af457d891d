import Foundation
import SpatialIndexing

/// Bytes between two pages that may not be touched, so that a read beyond either end is a crash.
final class GuardedBytes {
  let bytes: UnsafeRawBufferPointer
  private let mapping: UnsafeMutableRawPointer
  private let mappedCount: Int

  /// Ends at the guard where the count is a multiple of the page size; begins right behind the other.
  init(_ content: [UInt8]) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let whole = max(1, (content.count + page - 1) / page) * page
    mappedCount = whole + 2 * page
    let start = mmap(nil, mappedCount, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let start, start != MAP_FAILED else { fatalError("no memory for a test") }
    mapping = start
    mprotect(start + page, whole, PROT_READ | PROT_WRITE)
    content.withUnsafeBytes {
      (start + page).copyMemory(from: $0.baseAddress ?? .init(start), byteCount: content.count)
    }
    bytes = UnsafeRawBufferPointer(start: start + page, count: content.count)
  }

  deinit { munmap(mapping, mappedCount) }
}

extension IndexBytes {
  /// Opens an index file between such pages.
  init(guarding content: [UInt8], validation: IndexValidation = .structure) throws(IndexFileError) {
    let owner = GuardedBytes(content)
    try self.init(owner.bytes, lentBy: owner, validation: validation)
  }
}
