#if canImport(Darwin)
  @_exported import Darwin
#elseif canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#endif

// The system's library, whatever its name, and what differs in it between systems.

/// A file name: bytes that need not be UTF-8.
package struct FilePath: Equatable, Sendable {
  package let bytes: [UInt8]

  package init(_ text: String) { bytes = Array(text.utf8) }

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The name as text for messages.
  package var text: String { FilePath.shown(String(decoding: bytes, as: UTF8.self)) }

  /// A name as messages show it: an empty one in quotes, so that it is seen.
  package static func shown(_ name: String) -> String { name.isEmpty ? "\"\"" : name }

  /// The folder that the file is in.
  package var folder: FilePath {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else {
      return FilePath([UInt8(ascii: ".")])
    }
    return FilePath(slash == 0 ? [UInt8(ascii: "/")] : Array(bytes[..<slash]))
  }

  package func appending(_ suffix: String) -> FilePath { FilePath(bytes + suffix.utf8) }

  /// A unique temporary name in the same folder, which shows that the file is incomplete.
  ///
  /// The process number is not enough, because a program in another container may have the same one, and files of runs
  /// that a signal ends are removed by name. So part of the name is random.
  package var temporaryName: FilePath {
    appending(".\(getpid())-\(UInt32.random(in: 0 ... .max)).partial")
  }

  /// The name with links resolved; if there is no file yet, the name that it would get.
  package var resolved: FilePath {
    var name = self
    // As many links as the system follows.
    for _ in 0..<40 {
      if let path = name.withPointer({ realpath($0, nil) }) {
        defer { free(path) }
        return FilePath(Array(UnsafeRawBufferPointer(start: path, count: strlen(path))))
      }
      guard let target = name.linkTarget else { return name }
      name = target
    }
    return self
  }

  /// What a link leads to, which may be a link or missing; nil if this is not a link.
  package var linkTarget: FilePath? {
    var target = [UInt8](repeating: 0, count: 4_096)
    let count = target.withUnsafeMutableBytes { room in
      let start = room.assumingMemoryBound(to: CChar.self).baseAddress!
      return withPointer { readlink($0, start, room.count) }
    }
    guard count > 0 else { return nil }
    let slash = UInt8(ascii: "/")
    let start = target[0] == slash ? [] : folder.bytes + [slash]
    return FilePath(start + target[..<count])
  }

  /// Whether there is something of that name, following links.
  package var exists: Bool { withPointer { access($0, F_OK) } == 0 }

  /// Whether this process may read what has that name, following links.
  package var isReadable: Bool { withPointer { access($0, R_OK) } == 0 }

  /// Removes the name of a file; returns false on failure, with `errno` set.
  @discardableResult
  package func remove() -> Bool { withPointer { unlink($0) } == 0 }

  /// The status of the file, following links; nil if there is none.
  package var status: stat? {
    var status = stat()
    return withPointer { stat($0, &status) } == 0 ? status : nil
  }

  /// Which file it is, following links; nil if there is none.
  package var identity: FileIdentity? { status.map { FileIdentity($0) } }

  /// The stamp of the file, following links; nil if there is none.
  package var stamp: FileStamp? { status.map { FileStamp($0) } }

  /// The status of the name itself, without following links; nil if there is none.
  package var ownStatus: stat? {
    var status = stat()
    return withPointer { lstat($0, &status) } == 0 ? status : nil
  }

  /// Puts what is written onto the disk: the content of a file, or the names in a folder; returns false on failure.
  @discardableResult
  package func synchronize() -> Bool {
    guard let opened = OpenFile(self, O_RDONLY) else { return false }
    return OpenFile.synchronize(opened.descriptor)
  }

  package func withPointer<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (bytes + [0]).withUnsafeBytes { body($0.assumingMemoryBound(to: CChar.self).baseAddress!) }
  }
}

/// Which file it is, by whatever name: two names of one file have one identity.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64, inode: UInt64

  package init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

/// How long a file is and when it was last changed: enough to tell that what was made from it is older.
package struct FileStamp: Hashable, Sendable {
  package let byteCount: Int
  /// Nanoseconds since 1970.
  package let modified: Int

  package init(byteCount: Int, modified: Int) {
    self.byteCount = byteCount
    self.modified = modified
  }

  package init(_ status: stat) {
    self.init(byteCount: Int(status.st_size), modified: status.modified)
  }
}

/// An open file, closed with the value.
package struct OpenFile: ~Copyable {
  package let descriptor: Int32

  package init?(_ path: FilePath, _ flags: Int32, mode: mode_t = 0) {
    let opened = path.withPointer { open($0, flags | O_CLOEXEC, mode) }
    guard opened >= 0 else { return nil }
    descriptor = opened
  }

  /// Makes an unnamed file for reading and writing in the folder of another: it disappears when it is closed, and
  /// after a crash.
  package static func unnamed(beside path: FilePath) -> OpenFile? {
    let name = path.temporaryName
    guard let file = OpenFile(name, O_RDWR | O_CREAT | O_EXCL, mode: 0o600) else { return nil }
    name.remove()
    return file
  }

  /// Opens the terminal that standard output goes to, for reading as well; nil if there is none.
  package static func terminal() -> OpenFile? {
    // By its own name, because macOS cannot wait for /dev/tty. That is for a terminal whose name is
    // not known, or may not be opened, as after su.
    let name = ttyname(STDOUT_FILENO).map { FilePath(String(cString: $0)) }
    return name.flatMap { OpenFile($0, O_RDWR) } ?? OpenFile(FilePath("/dev/tty"), O_RDWR)
  }

  deinit { close(descriptor) }

  /// The status of the open file.
  package var status: stat? { OpenFile.status(of: descriptor) }

  /// The status of what is open; nil if nothing is.
  package static func status(of descriptor: Int32) -> stat? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status : nil
  }

  /// The most bytes of one call: where Linux takes a part, Apple's systems refuse more than 2 GiB.
  private static let mostBytes = 1 << 30

  /// The bytes of a range of a file, fewer if the file ends before; nil on failure, with `errno` set.
  package static func bytes(_ range: Range<Int>, of descriptor: Int32) -> [UInt8]? {
    // Otherwise the shared empty array would be written to.
    guard !range.isEmpty else { return [] }
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { room, count in
      while count < room.count {
        let got = pread(
          descriptor, room.baseAddress.unsafelyUnwrapped + count,
          min(room.count - count, mostBytes), off_t(range.lowerBound + count))
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = errno }
        guard got > 0 else { return }
        count += got
      }
    }
    guard failure == 0 else {
      errno = failure
      return nil
    }
    return bytes
  }

  /// Passes on what comes from a descriptor until its end, each piece without waiting for more.
  ///
  /// - Parameter size: The most bytes of a piece.
  /// - Returns: false on failure, with `errno` set.
  package static func forEachPiece<Failure: Error>(
    of descriptor: Int32, size: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { room.deallocate() }
    while true {
      let count = read(descriptor, room.baseAddress, room.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count == 0 }
      try body(UnsafeRawBufferPointer(rebasing: room[..<count]))
    }
  }

  /// Puts what was written onto the disk; returns false on failure, with `errno` set.
  package static func synchronize(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
      // There, fsync leaves it to the drive, which may write in any order. Some drives know no more.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
    #endif
    return fsync(descriptor) == 0
  }

  /// Writes all bytes to a descriptor; returns false on failure, with `errno` set.
  ///
  /// - Parameter offset: Where in a file; nil for behind what was written.
  package static func send(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int? = nil
  ) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let start = bytes.baseAddress.unsafelyUnwrapped + sent
      let most = min(bytes.count - sent, mostBytes)
      let count =
        if let offset { pwrite(descriptor, start, most, off_t(offset + sent)) } else {
          write(descriptor, start, most)
        }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }
}

extension stat {
  /// Gives an open file this owner, group and mode, as far as this process may: nobody may read it who
  /// may not read the file with this status.
  package func give(to descriptor: Int32) {
    // Only root may give files away.
    let isSameGroup = fchown(descriptor, geteuid() == 0 ? st_uid : uid_t.max, st_gid) == 0
    // If the group differs, it gets only the permissions of others.
    let group = isSameGroup ? st_mode & 0o070 : (st_mode & 0o007) << 3
    fchmod(descriptor, st_mode & 0o7707 | group)
  }

  package var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }

  /// When the file was last written to, in nanoseconds since 1970; the largest integer if that does not fit.
  package var modified: Int {
    #if canImport(Darwin)
      Self.nanoseconds(st_mtimespec)
    #else
      Self.nanoseconds(st_mtim)
    #endif
  }

  /// When anything about the file was changed, its name and its times as well, in nanoseconds since 1970.
  package var changed: Int {
    #if canImport(Darwin)
      Self.nanoseconds(st_ctimespec)
    #else
      Self.nanoseconds(st_ctim)
    #endif
  }

  private static func nanoseconds(_ time: timespec) -> Int {
    let (seconds, overflows) = Int(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflows else { return .max }
    let (sum, exceeds) = seconds.addingReportingOverflow(Int(time.tv_nsec))
    return exceeds ? .max : sum
  }
}

/// The seconds of a clock of the system's, such as `CLOCK_MONOTONIC`.
package func clockSeconds(_ clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// The system's message about a failure: by default the last one.
package func systemMessage(_ code: Int32 = errno) -> String {
  String(cString: strerror(code)).lowercased()
}
