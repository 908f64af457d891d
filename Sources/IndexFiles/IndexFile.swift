import SpatialIndexing
import SystemCalls

/// A memory-mapped index file: opened in microseconds whatever its size, and read only where a query needs it.
///
///     let file = try IndexFile(path: "shops.nbx")
///     let three = try file.answer { $0.nearest(3, to: cityHall) }
///     for neighbor in three.neighbors { print(try file.row(neighbor.offset)) }
///
/// It may be copied and queried from any number of threads. The file stays mapped until the last copy is gone, even if
/// another file has taken its name.
///
/// > Warning: The system ends a program that reads a mapped page which somebody has cut off (SIGBUS),
/// > and shows it bytes that somebody writes into the file. So an index file is replaced as a whole,
/// > as ``write(_:to:rowCount:attachment:source:row:)`` does, and never changed in place. On a
/// > network drive, or where others may write, copy it first.
public struct IndexFile: Sendable {
  /// The file name as text.
  public let name: String
  /// The index and the data stored with it.
  ///
  /// After a query on it, check `IndexBytes.damage`; ``answer(_:)`` does that.
  public let bytes: IndexBytes
  /// nil if the bytes were read instead of mapped.
  private let mapping: MappedFile?

  /// Maps and opens a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - validation: What to check now; a full check takes as long as reading the file.
  /// - Throws: What is wrong, with the file name.
  public init(
    path: String, validation: IndexValidation = .structure
  ) throws(IndexFileFailure) {
    try self.init(pathBytes: Array(path.utf8), validation: validation)
  }

  /// Maps a file whose name need not be UTF-8.
  ///
  /// - Parameters:
  ///   - pathBytes: The name of the file.
  ///   - validation: What to check before the index is used.
  ///   - followsLinks: Whether the name may be a link.
  public init(
    pathBytes: [UInt8], validation: IndexValidation = .structure, followsLinks: Bool = true
  ) throws(IndexFileFailure) {
    let path = FilePath(pathBytes)
    let mapping = try MappedFile(path, followsLinks: followsLinks)
    if validation == .everything { mapping.advise(MADV_SEQUENTIAL) }
    try self.init(mapping.bytes, of: mapping, mapping, named: path.text, validation)
    if validation == .everything { mapping.advise(MADV_RANDOM) }
  }

  /// Opens the bytes of an index file, for example from a pipe.
  ///
  /// - Parameters:
  ///   - contents: The whole file; copied.
  ///   - name: The name in messages.
  ///   - validation: What to check before the index is used.
  public init(
    contents: [UInt8], named name: String, validation: IndexValidation = .structure
  ) throws(IndexFileFailure) {
    let copy = AlignedCopy(contents)
    try self.init(copy.bytes, of: copy, nil, named: name, validation)
  }

  private init(
    _ contents: UnsafeRawBufferPointer, of owner: AnyObject, _ mapping: MappedFile?,
    named name: String, _ validation: IndexValidation
  ) throws(IndexFileFailure) {
    bytes = try IndexFileFailure.of(name) { () throws(IndexFileError) in
      try IndexBytes(contents, lentBy: owner, validation: validation)
    }
    self.mapping = mapping
    self.name = name
  }

  /// Queries the index, and checks that no page it read was damaged.
  ///
  /// - Throws: The damage of a page, now or in an earlier query; the answer is then lost.
  public func answer<Answer>(
    _ ask: (KDTreeIndex) -> Answer
  ) throws(IndexFileFailure) -> Answer {
    let answer = ask(bytes.index)
    if let damage = bytes.damage { throw IndexFileFailure(name, .bytes(damage)) }
    return answer
  }

  /// The bytes of a row.
  ///
  /// - Precondition: `row` is at least 0 and less than `bytes.rowCount`.
  public func row(_ row: Int) throws(IndexFileFailure) -> [UInt8] {
    try IndexFileFailure.of(name) { () throws(IndexFileError) in try bytes.row(row) }
  }

  /// Checks all checksums, and everything that correct answers depend on.
  ///
  /// - Complexity: O(bytes); the whole file is read.
  public func verify() throws(IndexFileFailure) {
    mapping?.advise(MADV_SEQUENTIAL)
    defer { mapping?.advise(MADV_RANDOM) }
    try IndexFileFailure.of(name) { () throws(IndexFileError) in try bytes.verify() }
  }

  /// Throws if the source differs from the one that the index was built from.
  ///
  /// Length and modification time decide. If only the time differs, the contents are compared, so a
  /// file that was merely copied or touched is not stale. A deleted source counts as unchanged.
  ///
  /// - Parameter source: The file that the index was built from.
  /// - Complexity: O(1), or O(length of the source) if only the time differs.
  public func checkIsCurrent(with source: String) throws(IndexFileFailure) {
    guard let stamp = bytes.source else { return }
    guard let now = SourceStamp.withoutChecksum(FilePath(source)) else { return }
    if now == FileStamp(byteCount: stamp.byteCount, modified: stamp.modified) { return }
    if now.byteCount == stamp.byteCount, let whole = try SourceStamp(path: source),
      whole.checksum == stamp.checksum
    {
      return
    }
    throw IndexFileFailure(name, .stale(source: source))
  }
}

/// A copy of bytes at an address aligned for an index; unchecked, because nothing writes to it once it is made.
private final class AlignedCopy: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer

  init(_ contents: [UInt8]) {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(contents.count, 1), alignment: 64)
    memory.copyBytes(from: contents)
    bytes = UnsafeRawBufferPointer(rebasing: memory[..<contents.count])
    allocation = memory
  }

  private let allocation: UnsafeMutableRawBufferPointer

  deinit { allocation.deallocate() }
}

extension SourceStamp {
  /// Makes the stamp of a file; nil if the file does not exist.
  ///
  /// - Complexity: O(length): the contents are read for their checksum.
  public init?(path: String) throws(IndexFileFailure) {
    let path = FilePath(path)
    guard let before = SourceStamp.withoutChecksum(path) else { return nil }
    let mapping = try MappedFile(path)
    mapping.advise(MADV_SEQUENTIAL)
    self.init(
      byteCount: before.byteCount, modified: before.modified,
      checksum: SourceStamp.checksum(of: mapping.bytes))
  }

  /// The length and modification time of a file.
  static func withoutChecksum(_ path: FilePath) -> FileStamp? {
    // Without opening it: a process that closes a store's file loses SQLite's locks on it.
    path.isReadable ? path.stamp : nil
  }
}

/// The bytes of a file in memory, read page by page on access; unchecked, because they are only read.
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
    guard let start, start != MAP_FAILED else { throw IndexFileFailure(path, attempt: "map") }
    // Queries jump around, so reading ahead would load unneeded pages. Only advice.
    _ = madvise(start, count, MADV_RANDOM)
    bytes = UnsafeRawBufferPointer(start: start, count: count)
  }

  /// Advises the system how the file will be read: `MADV_SEQUENTIAL` or `MADV_RANDOM`.
  func advise(_ order: Int32) {
    guard let start = bytes.baseAddress else { return }
    _ = madvise(UnsafeMutableRawPointer(mutating: start), bytes.count, order)
  }

  deinit {
    if let start = bytes.baseAddress {
      munmap(UnsafeMutableRawPointer(mutating: start), bytes.count)
    }
  }
}
