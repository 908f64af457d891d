#if Store
  import SystemCalls

  // The few system calls that SQLite does not make for us.

  enum SystemFiles {
    /// The system's message for an error, in lower case.
    static func message(of code: Int32) -> String { String(cString: strerror(code)).lowercased() }

    static func isReadable(_ file: String) -> Bool { access(file, R_OK) == 0 }

    static func exists(_ file: String) -> Bool { access(file, F_OK) == 0 }

    static func remove(_ file: String) { unlink(file) }

    /// A unique temporary name in the same folder as a file.
    static func temporaryName(beside file: String) -> String {
      "\(file).\(getpid())-\(UInt32.random(in: 0 ... .max)).partial"
    }

    /// The name with links resolved; unchanged if there is no file yet.
    static func resolved(_ file: String) -> String {
      guard let path = realpath(file, nil) else { return file }
      defer { free(path) }
      return String(cString: path)
    }

    /// The size of a file in bytes; 0 if there is none.
    static func byteCount(of file: String) -> Int {
      var status = stat()
      return stat(file, &status) == 0 ? Int(status.st_size) : 0
    }

    /// One byte of a file; nil if the file is too short.
    ///
    /// Reading it drops this process's locks on the file.
    static func byte(_ place: Int, of file: String) -> UInt8? {
      let descriptor = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      var byte: UInt8 = 0
      return pread(descriptor, &byte, 1, off_t(place)) == 1 ? byte : nil
    }

    /// The file attributes that change when a file is written or replaced.
    struct State: Equatable {
      private let device: UInt64, inode: UInt64, byteCount: Int, seconds: Int, nanoseconds: Int

      /// nil if the file does not exist.
      init?(of file: String) {
        var status = stat()
        guard stat(file, &status) == 0 else { return nil }
        #if canImport(Darwin)
          let time = status.st_mtimespec
        #else
          let time = status.st_mtim
        #endif
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        byteCount = Int(status.st_size)
        seconds = Int(time.tv_sec)
        nanoseconds = Int(time.tv_nsec)
      }

      /// Whether it is the same file, perhaps written to since.
      func isSameFile(as other: State?) -> Bool {
        other.map { device == $0.device && inode == $0.inode } ?? false
      }
    }

    /// The processor time of this thread in seconds; only differences have a meaning.
    static var processorSeconds: Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// Creates an empty temporary file with the permissions of the file that it will replace.
    static func make(_ temporary: String, for file: String) throws(StoreError) {
      var status = stat()
      let isThere = stat(file, &status) == 0
      // Nobody else may open it before its owner and mode are set.
      let descriptor = open(
        temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isThere ? 0o600 : 0o666)
      guard descriptor >= 0 else {
        throw StoreError(file, .cannotWrite(message(of: errno)))
      }
      defer { close(descriptor) }
      guard isThere else { return }
      // Only root may give files away.
      let isSameGroup =
        fchown(descriptor, geteuid() == 0 ? status.st_uid : uid_t.max, status.st_gid) == 0
      // If the group differs, it gets only the permissions of others.
      let group = isSameGroup ? status.st_mode & 0o070 : (status.st_mode & 0o007) << 3
      fchmod(descriptor, status.st_mode & 0o7707 | group)
    }

    /// The log of another database in the place of a new file's log; nil if there is none.
    static func strayLog(beside file: String) -> String? {
      // A program that still has a removed database open would share even its -shm with the new one.
      ["-wal", "-shm", "-journal"].lazy.map { file + $0 }.first {
        var status = stat()
        return lstat($0, &status) == 0
      }
    }

    /// Writes a file to the disk and renames it, replacing the file with that name.
    static func publish(_ temporary: String, as file: String) throws(StoreError) {
      func failure() -> StoreError {
        StoreError(file, .cannotWrite(message(of: errno)))
      }
      guard synchronize(temporary) else { throw failure() }
      if let log = strayLog(beside: file) { throw StoreError(file, .strayLog(log)) }
      guard rename(temporary, file) == 0 else { throw failure() }
      let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? "."
      // The new name itself; some file systems cannot do that.
      _ = synchronize(folder)
    }

    /// Writes a file to the disk and gives it a name; returns false if the name is taken.
    static func publish(_ temporary: String, asNew file: String) throws(StoreError) -> Bool {
      func failure() -> StoreError {
        StoreError(file, .cannotWrite(message(of: errno)))
      }
      guard synchronize(temporary) else { throw failure() }
      if let log = strayLog(beside: file) {
        if exists(file) { return false }
        throw StoreError(file, .strayLog(log))
      }
      // Unlike renaming, linking never replaces a file that another program has put there meanwhile.
      guard link(temporary, file) == 0 else {
        if errno == EEXIST { return false }
        throw failure()
      }
      unlink(temporary)
      let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? "."
      _ = synchronize(folder)
      return true
    }

    private static func synchronize(_ file: String) -> Bool {
      let descriptor = open(file, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return false }
      defer { close(descriptor) }
      return fsync(descriptor) == 0
    }
  }
#endif
