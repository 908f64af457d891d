import SystemCalls

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
