import GeoJSONCoding
import Geodesy
import MapAnnotations
import SpatialIndexing
import SystemCalls

/// Where results go: standard output, as they come, or a file that appears whole or not at all.
///
/// A file is written under another name beside its own, which it takes in `finish()`. Whatever
/// happens before leaves the file that was there as it was. What is not replaced, as `/dev/null`, a
/// named pipe or `/dev/stdout`, is written to as results come, and stays what it is (`OutputTarget`).
package final class OutputSink {
  /// Written bytes are sent on once there are more than so many.
  package static let chunk = 1 << 18

  private let file: FileName?
  /// What becomes the file once it is finished; nil where the file itself is written to.
  private var replaced: ReplacedFile?
  /// The file itself where that is written to; −1 for none.
  private var stream: Int32 = -1
  /// How far what was written to places of a file reaches.
  private(set) var byteCount = 0

  /// - Parameter file: nil and `-` stand for standard output; no file that `OutputFiles` refuses.
  package init(_ file: FileName?) throws(ReportedError) {
    guard let file, !file.isStandardInput else {
      self.file = nil
      return
    }
    try OutputFiles.refuse(file, as: .text)
    switch OutputTarget(file) {
    case .descriptor(STDOUT_FILENO):
      self.file = nil
      return
    case .descriptor(let number):
      self.file = file
      stream = OutputTarget.duplicate(number)
    case .stream:
      self.file = file
      // Another program's file is appended to.
      stream = file.path.withPointer { open($0, O_WRONLY | O_APPEND | O_CLOEXEC) }
    case .file:
      self.file = file
      // A link stays, and what it leads to is replaced.
      let target = file.path.resolved
      replaced = ReplacedFile(target, like: target.status) {
        PartialFiles.note(FileName(path: $0))
      }
    }
    guard descriptor >= 0 else { throw Files.writeFailure(file) }
  }

  private var descriptor: Int32 { replaced?.descriptor ?? stream }

  deinit { discard() }

  /// Leaves nothing of a file that is not finished, and no way to write to it.
  package func discard() {
    if stream >= 0 { close(stream) }
    stream = -1
    replaced = nil
  }

  /// Sends bytes on once there are enough of them, and forgets them then.
  package func writeChunk(_ bytes: inout [UInt8]) throws(ReportedError) {
    guard bytes.count > OutputSink.chunk else { return }
    try write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes elements one behind another, some at a time.
  ///
  /// - Parameter start: What stands before them.
  package func write<Element>(
    _ start: [UInt8] = [], each elements: some Sequence<Element>,
    _ append: (Element, inout [UInt8]) -> Void
  ) throws(ReportedError) {
    var bytes = start
    for element in elements {
      append(element, &bytes)
      try writeChunk(&bytes)
    }
    try write(bytes)
  }

  /// Writes objects as JSON, one a line.
  package func writeLines(_ objects: some Sequence<Properties>) throws(ReportedError) {
    var writer = JSONWriter()
    try write(each: objects) { members, bytes in
      writer.value(.object(members))
      writer.endLine()
      bytes += writer.bytes
      writer.removeAll()
    }
  }

  package func write(_ bytes: [UInt8]) throws(ReportedError) {
    guard let file else { return try Files.writeToStandardOutput(bytes) }
    guard Files.send(bytes, to: descriptor) else {
      let failure = Files.writeFailure(file)
      throw errno == EPIPE ? ReportedError(failure, fault: .readerLeft) : failure
    }
  }

  /// Writes bytes to a place of a file, which may lie before or behind what was written.
  ///
  /// - Precondition: `OutputTarget.requireFile` has passed the file.
  package func write(_ bytes: [UInt8], at offset: Int) throws(ReportedError) {
    guard let file else {
      throw ReportedError(
        "cannot-write", "this cannot be written to standard output; name a file",
        fault: .cannotWrite)
    }
    let isWritten = bytes.withUnsafeBytes { OpenFile.send($0, to: descriptor, at: offset) }
    guard isWritten else { throw Files.writeFailure(file) }
    byteCount = max(byteCount, offset + bytes.count)
  }

  /// Gives a file its name, once everything is on the disk.
  package func finish() throws(ReportedError) {
    guard let file, let replaced else { return }
    // It may have been read since.
    try ReadFiles.refuse(file)
    guard replaced.replace() else { throw Files.writeFailure(file) }
    self.replaced = nil
  }
}

/// What a name that is written to stands for.
package enum OutputTarget: Equatable {
  /// A file, or nothing yet: replaced whole.
  case file
  /// A pipe, a device, or what another program has open: written to as results come.
  case stream
  /// What this program was started with: `-`, `/dev/stdout`, `/dev/fd/3`, links to these, and the
  /// file that standard output or standard error goes to, by whatever name.
  ///
  /// A new file in its place would hide what a shell's `>>` is to keep.
  case descriptor(Int32)

  package init(_ file: FileName) {
    if file.isStandardInput {
      self = .descriptor(STDOUT_FILENO)
    } else if let opened = OutputTarget.opened(by: file) {
      self = opened
    } else if let status = file.path.status {
      guard let identity = FileIdentity(file: status) else {
        self = .stream
        return
      }
      let used = [STDOUT_FILENO, STDERR_FILENO].first {
        OutputTarget.writes($0) && FileIdentity(descriptor: $0) == identity
      }
      self = used.map { .descriptor($0) } ?? .file
    } else {
      self = .file
    }
  }

  /// Refuses what cannot be replaced whole: standard output, descriptors, pipes and devices.
  ///
  /// - Parameters:
  ///   - what: What is written, as `an index file`.
  ///   - example: A name for it.
  package static func requireFile(
    _ file: FileName, for what: String, as example: String
  ) throws(ReportedError) {
    guard OutputTarget(file) != .file else { return }
    throw ReportedError(
      "cannot-write",
      "cannot write \(file.text): \(what) needs a file; name one, such as \(example)",
      fault: .cannotWrite)
  }

  /// A descriptor that writes to what is open already.
  ///
  /// - Returns: −1 with `errno` where it is not open: the program's own files are none of it.
  static func duplicate(_ descriptor: Int32) -> Int32 {
    let flags = fcntl(descriptor, F_GETFD)
    guard flags >= 0 else { return -1 }
    // What another program handed on is not closed by starting a program; what is opened here is.
    guard flags & FD_CLOEXEC == 0 else {
      errno = EBADF
      return -1
    }
    return fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
  }

  private static func writes(_ descriptor: Int32) -> Bool {
    let flags = fcntl(descriptor, F_GETFL)
    return flags >= 0 && flags & O_ACCMODE != O_RDONLY
  }

  /// What is open under a name, or what a link to it leads to; nil for every other name.
  private static func opened(by file: FileName) -> OutputTarget? {
    var name = file
    // As many links as the system follows.
    for _ in 0..<40 {
      if let opened = descriptor(named: name) { return opened }
      guard let target = name.path.linkTarget else { return nil }
      name = FileName(path: target)
    }
    return nil
  }

  /// A name of the system's for a descriptor; nil for every other.
  private static func descriptor(named file: FileName) -> OutputTarget? {
    let parts = Files.absolute(file.enclosingFolder).text.split(separator: "/")
    let last = file.lastComponent.text
    if parts == ["dev"] {
      let names = ["stdin": STDIN_FILENO, "stdout": STDOUT_FILENO, "stderr": STDERR_FILENO]
      return names[last].map { .descriptor($0) }
    }
    guard let number = Int32(last), number >= 0 else { return nil }
    if parts == ["dev", "fd"] { return .descriptor(number) }
    guard parts.count == 3 || parts.count == 5 && parts[2] == "task", parts.first == "proc",
      parts.last == "fd"
    else { return nil }
    let own = ["self", "thread-self", "\(getpid())"]
    return own.contains(String(parts[1])) ? .descriptor(number) : .stream
  }
}

// MARK: - What may not be replaced

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
