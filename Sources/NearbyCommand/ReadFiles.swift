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
  private static let identities = Mutex<Set<FileIdentity>>([])

  static func note(_ descriptor: Int32) {
    var status = stat()
    if fstat(descriptor, &status) == 0 { note(FileIdentity(file: status)) }
  }

  static func note(_ file: FileName) {
    if file.isStandardInput { return note(STDIN_FILENO) }
    note(FileIdentity(file: file))
  }

  private static func note(_ identity: FileIdentity?) {
    guard let identity else { return }
    _ = identities.withLock { $0.insert(identity) }
  }

  /// Refuses to write to a file that is noted, by this name or another.
  static func refuse(_ output: FileName) throws(CommandError) {
    guard let identity = FileIdentity(file: output),
      identities.withLock({ $0.contains(identity) })
    else { return }
    throw CommandError(
      "output-is-source",
      "\(output.text) is what this is made from, and would be lost; name another file",
      status: .usage)
  }
}
