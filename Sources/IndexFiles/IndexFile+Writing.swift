import Geodesy
import SpatialIndexing
import SystemCalls

extension IndexFile {
  /// Writes an index file, completely or not at all.
  ///
  /// The file is written under a temporary name in the same folder, flushed to the disk, and only then renamed. A
  /// process that has the old file open keeps it; one that opens the name finds the old file or the new one. A run that
  /// is killed may leave a file that ends in `.partial` and is not an index file.
  ///
  /// - Parameters:
  ///   - index: The index.
  ///   - path: The file name; a link stays, and its target is replaced.
  ///   - rowCount: The number of rows; 0 for an index without rows, or at least one for each position.
  ///   - attachment: Any bytes for the whole file.
  ///   - source: The stamp of the source, taken before it was read, so that a later change makes the index stale.
  ///   - row: Appends the bytes of a row.
  /// - Throws: The system's error; ``IndexFileFailure/Reason/notAFile`` for a folder, a pipe or a device, which stays
  ///   unchanged.
  public static func write(
    _ index: KDTreeIndex, to path: String, rowCount: Int = 0, attachment: [UInt8] = [],
    source: SourceStamp? = nil,
    row: (_ number: Int, _ bytes: inout [UInt8]) throws(IndexFileFailure) -> Void = { _, _ in }
  ) throws(IndexFileFailure) {
    try write(
      index, toPathBytes: Array(path.utf8), rowCount: rowCount, attachment: attachment,
      source: source, row: row)
  }

  /// Writes an index of positions that arrive one by one, such as a list larger than memory.
  ///
  /// They are first stored in an unnamed file next to the target, 16 bytes each. Memory use is at most 29 bytes for
  /// each position, 37 if coordinates have more than seven decimals: 10⁸ positions fit into 4 GB.
  ///
  /// - Parameters:
  ///   - positions: In the order in which ties are to be broken; iterated once.
  ///   - path: The file name, as above.
  /// - Returns: The number of positions.
  /// - Throws: The system's error, such as a full disk; an existing file with the name is then unchanged. Also
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
  ///   - original: The file that the index is kept beside, if the user did not choose the name. Then links are not
  ///     followed, only an index file is replaced, and only users who may read the original may read the index. nil if
  ///     the user chose the name.
  ///   - rowCount: The number of rows.
  ///   - attachment: Bytes that are stored with the index unchanged.
  ///   - source: The stamp of the source; nil to omit it.
  ///   - willMake: Called with the temporary name before the file exists, so that a program interrupted by a signal can
  ///     remove it.
  ///   - row: Appends the bytes of the row with this number.
  /// - Throws: ``IndexFileFailure/Reason/notReplaced(_:)`` for a file beside an original that must not be replaced.
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
      // Renaming would replace a device or a pipe that others use.
      guard model?.isRegularFile != false else { throw IndexFileFailure(given.text, .notAFile) }
    } else {
      _ = try holdsIndex(target)
    }
    func failure() -> IndexFileFailure { IndexFileFailure(given, attempt: "write") }
    guard
      let file = ReplacedFile(
        target, like: model, mode: original == nil ? 0o666 : 0o600,
        willMake: { willMake($0.bytes) })
    else { throw failure() }

    func send(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(IndexFileFailure) {
      guard OpenFile.send(bytes, to: file.descriptor, at: offset) else { throw failure() }
    }
    var end = IndexFileFormat.pageSize
    let first = try index.encode(
      rowCount: rowCount, attachment: attachment, source: source, row: row
    ) { bytes throws(IndexFileFailure) in
      try send(bytes, at: end)
      end += bytes.count
    }
    if let damage = index.damage { throw IndexFileFailure(given.text, .bytes(damage)) }
    // The first page makes it an index file, so the rest must be on the disk before.
    guard file.synchronize() else { throw failure() }
    let isWritten = first.withUnsafeBytes { OpenFile.send($0, to: file.descriptor, at: 0) }
    guard isWritten else { throw failure() }
    while original != nil, try !holdsIndex(target) {
      if file.takeFreeName() { return }
      // Some file systems have no links.
      if errno == EPERM || errno == ENOTSUP || errno == ENOSYS { break }
      guard errno == EEXIST else { throw failure() }
    }
    guard file.replace() else { throw failure() }
  }

  /// Checks that an index may be kept under a name that the user did not choose.
  ///
  /// - Parameter pathBytes: The file name; links are not followed.
  /// - Throws: ``IndexFileFailure/Reason/notReplaced(_:)`` for a link, for anything but a regular
  ///   file, and for a file that is not an index.
  public static func checkMayBeKept(pathBytes: [UInt8]) throws(IndexFileFailure) {
    _ = try holdsIndex(FilePath(pathBytes))
  }

  /// Checks that a file can be created in the folder of an index, before the index is built in vain.
  ///
  /// - Parameter pathBytes: The file name.
  /// - Throws: The system's error about its folder.
  package static func checkCanBeMade(pathBytes: [UInt8]) throws(IndexFileFailure) {
    let path = FilePath(pathBytes)
    guard path.folder.withPointer({ access($0, W_OK | X_OK) }) == 0 else {
      throw IndexFileFailure(path, attempt: "write")
    }
  }

  /// Whether there is an index file that may be replaced; false if the name is free.
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
    guard IndexFileFormat.isMark(OpenFile.bytes(0..<16, of: file.descriptor) ?? []) else {
      throw IndexFileFailure(path.text, .notReplaced("no index file"))
    }
    return true
  }
}
