import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The files that this run has read, or is about to, by whatever names.
///
/// What it writes may replace none of them: rows that were rejected and columns that are not written
/// would be lost. Whoever reads a file notes it here, so that no command has to remember which of its
/// operands and options name files.
enum ReadFiles {
  private struct Identity: Hashable {
    let device: UInt64, inode: UInt64
  }

  private static let identities = Mutex<Set<Identity>>([])

  static func note(_ descriptor: Int32) {
    var status = stat()
    if fstat(descriptor, &status) == 0 { note(status) }
  }

  static func note(_ file: FileName) {
    if file.isStandardInput { return note(STDIN_FILENO) }
    var status = stat()
    if file.withPath({ stat($0, &status) }) == 0 { note(status) }
  }

  private static func note(_ status: stat) {
    guard let identity = identity(status) else { return }
    _ = identities.withLock { $0.insert(identity) }
  }

  /// Refuses to write to a file that is noted, by this name or another.
  static func refuse(_ output: FileName) throws(CommandError) {
    var status = stat()
    guard output.withPath({ stat($0, &status) }) == 0, let identity = identity(status),
      identities.withLock({ $0.contains(identity) })
    else { return }
    throw CommandError(
      "output-is-source",
      "\(output.text) is what this is made from, and would be lost; name another file",
      status: .usage)
  }

  /// nil for what is no file.
  private static func identity(_ status: stat) -> Identity? {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      inode: UInt64(truncatingIfNeeded: status.st_ino))
  }
}
