import SystemCalls

/// The bytes of a file in memory, read page by page on access.
final class MappedFile: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer

  /// Maps a file for reading.
  ///
  /// - Parameter followsLinks: Whether the name may be a link.
  /// - Throws: A failure with the file name; an empty file is mapped as no bytes.
  init(_ path: FilePath, followsLinks: Bool = true) throws(IndexFileFailure) {
    // A pipe without a writer opens at once, and is then found not to be a file.
    guard let file = OpenFile(path, O_RDONLY | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)) else {
      throw errno == ENOENT || errno == ENOTDIR
        ? IndexFileFailure(path.text, .missing) : IndexFileFailure(path, attempt: "open")
    }
    guard let status = file.status else { throw IndexFileFailure(path, attempt: "read") }
    guard status.isRegularFile else { throw IndexFileFailure(path.text, .notAFile) }
    let count = Int(status.st_size)
    guard count > 0 else {
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, file.descriptor, 0)
    guard let start, start != MAP_FAILED else {
      throw IndexFileFailure(path, attempt: "map")
    }
    // Queries jump around, so reading ahead would load unneeded pages. Only advice.
    _ = madvise(start, count, MADV_RANDOM)
    bytes = UnsafeRawBufferPointer(start: start, count: count)
  }

  /// Advises the system that the whole file will be read in order, or no longer.
  func expectReadingInOrder(_ isExpected: Bool) {
    guard let start = bytes.baseAddress else { return }
    _ = madvise(
      UnsafeMutableRawPointer(mutating: start), bytes.count,
      isExpected ? MADV_SEQUENTIAL : MADV_RANDOM)
  }

  deinit {
    if let start = bytes.baseAddress {
      munmap(UnsafeMutableRawPointer(mutating: start), bytes.count)
    }
  }
}
