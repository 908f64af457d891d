import Geodesy
import SystemCalls

/// The files that this run has read, or is about to, by whatever names.
///
/// What it writes may replace none of them: rows that were rejected and columns that are not written
/// would be lost. Whoever reads a file notes it here, so that no command has to remember which of its
/// operands and options name files.
package enum ReadFiles {
  private static let identities = SharedValue<Set<FileIdentity>>([])
  /// Who may read and write all files that were read, as the bits of a mode.
  private static let permissions = SharedValue<mode_t>(0o666)

  package static func note(_ descriptor: Int32) {
    if let status = OpenFile.status(of: descriptor) { note(status) }
  }

  package static func note(_ file: FileName) {
    if file.isStandardInput { return note(STDIN_FILENO) }
    if let status = file.path.status { note(status) }
  }

  private static func note(_ status: stat) {
    guard let identity = FileIdentity(file: status) else { return }
    _ = identities.withLock { $0.insert(identity) }
    permissions.withLock { $0 &= Files.permissions(of: status, inGroup: getegid()) }
  }

  /// Makes files that hold what was read: nobody may read them who may not read all that was.
  package static func keepingPermissions<Result>(
    _ body: () throws(ReportedError) -> Result
  ) throws(ReportedError) -> Result {
    let before = umask(0)
    umask(before | ~permissions.withLock { $0 } & 0o666)
    defer { umask(before) }
    return try body()
  }

  /// Refuses to write to a file that is noted, by this name or another.
  package static func refuse(_ output: FileName) throws(ReportedError) {
    guard let identity = output.regularFileIdentity,
      identities.withLock({ $0.contains(identity) })
    else { return }
    throw ReportedError(
      "output-is-source",
      "\(output.text) is also an input and would be overwritten; name another output file",
      fault: .usage)
  }
}
