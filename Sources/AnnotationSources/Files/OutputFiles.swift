import Geodesy
import SpatialIndexing
import SystemCalls

/// The files that this run is asked to write, by whatever names.
///
/// Each is claimed by its option before anything is read: of two outputs in one file only the last
/// written would remain.
package enum OutputFiles {
  /// One place in the file system; two names of it have something in common.
  private struct Place {
    let option: String
    let identity: FileIdentity?
    /// Where there is no file yet, two names of it are one in a folder.
    let folder: FileIdentity?
    let name: [UInt8]

    init(_ file: FileName, option: String) {
      let target = Files.absolute(file)
      self.option = option
      identity = target.regularFileIdentity
      folder = target.enclosingFolder.path.identity
      name = target.lastComponent.bytes
    }

    func isSame(as other: Place) -> Bool {
      if let identity, identity == other.identity { return true }
      return folder != nil && folder == other.folder && name == other.name
    }
  }

  private static let places = SharedValue<[Place]>([])

  /// Makes sure that no other option names a file.
  ///
  /// Standard output, descriptors, pipes and devices take what several write.
  package static func claim(_ file: FileName, option: String) throws(ReportedError) {
    guard OutputTarget(file) == .file else { return }
    let place = Place(file, option: option)
    let other = places.withLock { places in
      defer { places.append(place) }
      return places.first { $0.option != option && $0.isSame(as: place) }
    }
    guard let other else { return }
    throw ReportedError(
      "same-output",
      "\(other.option) and \(option) both name \(file.text), which would hold only the last written; "
        + "name two files", fault: .usage)
  }

  /// What follows a folder in the name of a file in it; nil if the file is not in the folder, by whatever names.
  static func path(of file: FileName, inFolder folder: FileName) -> [UInt8]? {
    let slash = UInt8(ascii: "/")
    let place = Place(folder.withoutClosingSlashes, option: "")
    for name in [file.bytes, Files.absolute(file).bytes] {
      for end in name.indices.dropFirst() where name[end] == slash {
        let rest = name[end...].drop { $0 == slash }
        guard !rest.starts(with: "../".utf8) else { continue }
        if Place(FileName(bytes: Array(name[..<end])), option: "").isSame(as: place) {
          return Array(rest)
        }
      }
    }
    return nil
  }

  /// What stores, GeoPackages and all else that SQLite keeps begin with.
  package static let databaseMark = Array("SQLite format 3\0".utf8)

  /// What replaces a file.
  package enum Content { case text, index, database }

  /// Refuses to replace a file that was read, an index file by anything else, and a store or another
  /// database by anything whatever: it may hold more than one command wrote.
  ///
  /// - Parameter remedy: What else could be done than to name another file.
  package static func refuse(
    _ file: FileName, as content: Content, remedy: String = ""
  ) throws(ReportedError) {
    try ReadFiles.refuse(file)
    guard Files.isRegular(file) else { return }
    let held: String
    if content != .index, Files.begins(file, with: IndexFileFormat.mark) {
      held = "an index file"
    } else if Files.begins(file, with: databaseMark) {
      held = "a store or another database"
    } else {
      return
    }
    throw ReportedError(
      "file-in-use", "\(file.text) is \(held), which would be lost; name another file\(remedy)",
      fault: .usage)
  }
}

/// The files that this run has read, or is about to, by whatever names.
///
/// No output may replace one of them: rows that were rejected and columns that are not written would
/// be lost. The code that reads a file notes it here, so that no command has to remember which of
/// its operands and options name files.
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
