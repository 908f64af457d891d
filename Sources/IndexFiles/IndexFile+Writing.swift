import SpatialIndexing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension IndexFile {
  /// Writes an index file, whole or not at all.
  ///
  /// It is written under another name beside its own, sent to the disk, and only then renamed. Who
  /// has the old file open keeps it; whoever opens the name finds the old file or the new one. A run
  /// that is killed may leave a file that ends in `.partial` and is no index file.
  ///
  /// - Parameters:
  ///   - index: What to write.
  ///   - path: The file's name; a link stays, and what it leads to is replaced.
  ///   - rowCount: How many rows; none at all, or at least one for each position.
  ///   - attachment: Bytes of whatever kind for the whole file.
  ///   - source: What the index was built from; taken before it was read, so that a change meanwhile
  ///     makes the index stale.
  ///   - row: Appends the bytes of a row.
  /// - Throws: What the system says; ``IndexFileFailure/Reason/notAFile`` for a folder, a pipe or a
  ///   device, which stays what it is.
  public static func write(
    _ index: KDTreeIndex, to path: String, rowCount: Int = 0, attachment: [UInt8] = [],
    source: SourceStamp? = nil,
    row: (_ number: Int, _ bytes: inout [UInt8]) throws(IndexFileFailure) -> Void
  ) throws(IndexFileFailure) {
    try write(
      index, toPathBytes: Array(path.utf8), rowCount: rowCount, attachment: attachment,
      source: source, row: row)
  }

  /// Writes an index without rows; see above.
  public static func write(
    _ index: KDTreeIndex, to path: String, attachment: [UInt8] = [], source: SourceStamp? = nil
  ) throws(IndexFileFailure) {
    try write(index, to: path, rowCount: 0, attachment: attachment, source: source) { _, _ in }
  }

  /// Writes an index file whose name need not be UTF-8; see above.
  ///
  /// - Parameter willMake: Called with the name under which it is written, before there is such a file:
  ///   whoever is ended by a signal meanwhile may remove it.
  public static func write(
    _ index: KDTreeIndex, toPathBytes pathBytes: [UInt8], rowCount: Int,
    attachment: [UInt8], source: SourceStamp?, willMake: (_ pathBytes: [UInt8]) -> Void = { _ in },
    row: (_ number: Int, _ bytes: inout [UInt8]) throws(IndexFileFailure) -> Void
  ) throws(IndexFileFailure) {
    let given = FilePath(pathBytes)
    let target = given.resolved
    let before = target.status
    // A new name would take the place of a device or a pipe that others use.
    guard before?.isRegularFile != false else { throw IndexFileFailure(given.text, .notAFile) }
    func failure() -> IndexFileFailure {
      IndexFileFailure(given.text, .system(attempt: "write", message: systemMessage()))
    }
    let temporary = target.appending(".\(getpid())-\(UInt32.random(in: 0 ... .max)).partial")
    willMake(temporary.bytes)
    guard let file = OpenFile(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666) else {
      throw failure()
    }
    var isRenamed = false
    defer { if !isRenamed { _ = temporary.withPointer { unlink($0) } } }
    // Who may read the file that was there may read the new one, and no one else.
    if let before { fchmod(file.descriptor, before.st_mode & 0o7777) }

    let descriptor = file.descriptor
    func send(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(IndexFileFailure) {
      guard OpenFile.write(bytes, to: descriptor, at: offset) else { throw failure() }
    }
    var end = IndexFileFormat.pageSize
    let first = try index.encode(
      rowCount: rowCount, attachment: attachment, source: source, row: row
    ) { bytes throws(IndexFileFailure) in
      try send(bytes, at: end)
      end += bytes.count
    }
    if let damage = index.damage { throw IndexFileFailure(given.text, .bytes(damage)) }
    // The first page makes it an index file, so the rest is on the disk before.
    guard fsync(descriptor) == 0 else { throw failure() }
    let isWritten = first.withUnsafeBytes { OpenFile.write($0, to: descriptor, at: 0) }
    guard isWritten, fsync(descriptor) == 0 else { throw failure() }
    let renamed = temporary.withPointer { from in target.withPointer { rename(from, $0) } }
    guard renamed == 0 else { throw failure() }
    isRenamed = true
    // The new name itself. Some file systems cannot do that, and then the old file may come back.
    if let folder = OpenFile(target.folder, O_RDONLY) { _ = fsync(folder.descriptor) }
  }
}

extension FilePath {
  /// The name that links lead to; itself where there is no file yet.
  fileprivate var resolved: FilePath {
    guard let path = withPointer({ realpath($0, nil) }) else { return self }
    defer { free(path) }
    return FilePath(Array(UnsafeRawBufferPointer(start: path, count: strlen(path))))
  }

  /// What the system knows about the file; nil where there is none.
  fileprivate var status: stat? {
    var status = stat()
    return withPointer { stat($0, &status) } == 0 ? status : nil
  }
}
