import Geodesy
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
  /// It is written under another name beside its own, sent to the disk, and only then renamed. A
  /// process that has the old file open keeps it; one that opens the name finds the old file or the new one. A run
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

  /// Writes an index of positions that come one by one, as of a list that is longer than memory.
  ///
  /// They wait in a file without a name beside the one that is written, 16 bytes each. Of memory it takes 29 bytes a
  /// position at the most, 37 where coordinates have more than seven decimals: 10⁸ positions fit into 4 GB.
  ///
  /// - Parameters:
  ///   - positions: In the order in which ties are to be broken; gone through once.
  ///   - path: The file's name, as above.
  /// - Returns: How many there were.
  /// - Throws: What the system says, as when the disk is full; what had the name is then still there. Also
  ///   ``IndexFileFailure/Reason/bytes(_:)`` for more positions than an index can hold.
  /// - Complexity: O(*n* log *n*) time, on the caller's thread.
  @discardableResult
  public static func write(
    positions: some Sequence<Coordinate>, to path: String
  ) throws(IndexFileFailure) -> Int {
    let spool = try PositionSpool(beside: FilePath(path).resolved)
    for position in positions {
      guard spool.count < IndexFileFormat.mostPositions else {
        throw IndexFileFailure(path, .bytes(.tooManyPositions(UInt64(spool.count) + 1)))
      }
      try spool.append(position)
    }
    let index = KDTreeIndex(try spool.positions(), in: spool)
    try write(index, to: path)
    return index.count
  }

  /// Writes an index file whose name need not be UTF-8; see above.
  ///
  /// - Parameters:
  ///   - index: The index.
  ///   - pathBytes: The name of the file.
  ///   - original: The file that the index is kept beside, when the user did not choose the name. Then
  ///     links are not followed, only an index file is replaced, and only those who may read the
  ///     original may read the index. nil when the user chose the name.
  ///   - rowCount: The number of rows.
  ///   - attachment: Bytes that are kept with the index as they are.
  ///   - source: What the index was built from; nil leaves that out.
  ///   - willMake: Called with the temporary name before the file exists, so that a program
  ///     interrupted by a signal can remove it.
  ///   - row: Appends the bytes of the row with this number.
  /// - Throws: ``IndexFileFailure/Reason/notReplaced(_:)`` for what is not replaced beside an original.
  public static func write(
    _ index: KDTreeIndex, toPathBytes pathBytes: [UInt8], keptBeside original: [UInt8]? = nil,
    rowCount: Int, attachment: [UInt8], source: SourceStamp?,
    willMake: (_ pathBytes: [UInt8]) -> Void = { _ in },
    row: (_ number: Int, _ bytes: inout [UInt8]) throws(IndexFileFailure) -> Void
  ) throws(IndexFileFailure) {
    let given = FilePath(pathBytes)
    let target = original == nil ? given.resolved : given
    let model = original.map { FilePath($0).status } ?? target.status
    if original == nil {
      // A new name would take the place of a device or a pipe that others use.
      guard model?.isRegularFile != false else { throw IndexFileFailure(given.text, .notAFile) }
    } else {
      _ = try holdsIndex(target)
    }
    func failure() -> IndexFileFailure {
      IndexFileFailure(given.text, .system(attempt: "write", message: systemMessage()))
    }
    let temporary = target.temporaryName
    willMake(temporary.bytes)
    // Nobody else may open it before its owner and mode are set.
    let mode: mode_t = original == nil && model == nil ? 0o666 : 0o600
    guard let file = OpenFile(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: mode) else {
      throw failure()
    }
    var isRenamed = false
    defer { if !isRenamed { _ = temporary.withPointer { unlink($0) } } }
    // Who may read the file that was there may read the new one, and no one else.
    if let model { file.restrict(to: model) }

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
    // Unlike renaming, linking never replaces what has come meanwhile.
    var isLinked = false
    while original != nil, !isLinked, try !holdsIndex(target) {
      isLinked = temporary.withPointer { from in target.withPointer { link(from, $0) } } == 0
      // Some file systems have no links.
      if !isLinked, errno == EPERM || errno == ENOTSUP || errno == ENOSYS { break }
      guard isLinked || errno == EEXIST else { throw failure() }
    }
    if !isLinked {
      let renamed = temporary.withPointer { from in target.withPointer { rename(from, $0) } }
      guard renamed == 0 else { throw failure() }
      isRenamed = true
    }
    // The new name itself. Some file systems cannot do that, and then the old file may come back.
    if let folder = OpenFile(target.folder, O_RDONLY) { _ = fsync(folder.descriptor) }
  }

  /// Whether bytes begin as an index file does, of this or another version.
  public static func isMark(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: IndexFileFormat.mark) || bytes.starts(with: Array("nearby-index ".utf8))
  }

  /// Makes sure that an index may be kept under a name that nobody chose.
  ///
  /// - Parameter pathBytes: The file's name; no link is followed.
  /// - Throws: ``IndexFileFailure/Reason/notReplaced(_:)`` for a link, for what is no file, and for a
  ///   file that is no index.
  public static func checkMayBeKept(pathBytes: [UInt8]) throws(IndexFileFailure) {
    _ = try holdsIndex(FilePath(pathBytes))
  }

  /// Makes sure that files can be made where an index is to be, before it is built for nothing.
  ///
  /// - Parameter pathBytes: The file's name.
  /// - Throws: What the system says of its folder.
  package static func checkCanBeMade(pathBytes: [UInt8]) throws(IndexFileFailure) {
    let path = FilePath(pathBytes)
    guard path.folder.withPointer({ access($0, W_OK | X_OK) }) == 0 else {
      throw IndexFileFailure(path.text, .system(attempt: "write", message: systemMessage()))
    }
  }

  /// Whether there is an index file that may be replaced; false where nothing has the name.
  private static func holdsIndex(_ path: FilePath) throws(IndexFileFailure) -> Bool {
    guard let file = OpenFile(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW) else {
      if errno == ENOENT { return false }
      let isLink = path.ownStatus.map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
      throw IndexFileFailure(
        path.text, .notReplaced(isLink ? "a link" : "a file that cannot be read"))
    }
    guard file.status?.isRegularFile == true else {
      throw IndexFileFailure(path.text, .notReplaced("no file"))
    }
    var start = [UInt8](repeating: 0, count: 16)
    let count = start.withUnsafeMutableBytes {
      pread(file.descriptor, $0.baseAddress, $0.count, 0)
    }
    guard IndexFile.isMark(start.prefix(max(0, count))) else {
      throw IndexFileFailure(path.text, .notReplaced("no index file"))
    }
    return true
  }
}
