#if Store
  import SystemCalls

  // The few system calls that SQLite does not make for us.

  enum SystemFiles {
    static func isReadable(_ file: String) -> Bool { access(file, R_OK) == 0 }

    static func exists(_ file: String) -> Bool { FilePath(file).exists }

    static func remove(_ file: String) { FilePath(file).remove() }

    /// The name with links resolved; if there is no file yet, the name that it would get.
    static func resolved(_ file: String) -> String {
      String(decoding: FilePath(file).resolved.bytes, as: UTF8.self)
    }

    /// The size of a file in bytes; 0 if there is none.
    static func byteCount(of file: String) -> Int {
      FilePath(file).status.map { Int($0.st_size) } ?? 0
    }

    /// One byte of a file; nil if the file is too short.
    ///
    /// Reading it drops this process's locks on the file.
    static func byte(_ place: Int, of file: String) -> UInt8? {
      guard let opened = OpenFile(FilePath(file), O_RDONLY | O_NONBLOCK) else { return nil }
      return OpenFile.bytes(place..<place + 1, of: opened.descriptor)?.first
    }

    /// The file attributes that change when a file is written or replaced.
    struct State: Equatable {
      private let device: UInt64, inode: UInt64, byteCount: Int, modified: Int

      /// nil if the file does not exist.
      init?(of file: String) {
        guard let status = FilePath(file).status else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        byteCount = Int(status.st_size)
        modified = status.modified
      }

      /// Whether it is the same file, perhaps written to since.
      func isSameFile(as other: State?) -> Bool {
        other.map { device == $0.device && inode == $0.inode } ?? false
      }
    }

    /// Creates an empty file under a temporary name, with the permissions of the file that it will replace.
    static func make(
      for file: String, willMake: (_ temporary: String) -> Void = { _ in }
    ) throws(StoreError) -> ReplacedFile {
      // The temporary name is never empty, so a file would be made.
      guard !file.isEmpty else { throw StoreError(file, .missing) }
      let target = FilePath(file)
      guard
        let made = ReplacedFile(
          target, like: target.status, willMake: { willMake($0.text) })
      else { throw cannotWrite(file) }
      return made
    }

    private static func cannotWrite(_ file: String) -> StoreError {
      StoreError(file, .cannotWrite(systemMessage()))
    }

    /// The log of another database in the place of a new file's log; nil if there is none.
    static func strayLog(beside file: String) -> String? {
      // A program that still has a removed database open would share even its -shm with the new one.
      ["-wal", "-shm", "-journal"].lazy.map { file + $0 }.first { FilePath($0).ownStatus != nil }
    }

    /// Gives a file its name, replacing the file with that name.
    static func publish(_ made: ReplacedFile, as file: String) throws(StoreError) {
      // First, because it takes long: a log that comes meanwhile is seen.
      guard made.synchronize() else { throw cannotWrite(file) }
      if let log = strayLog(beside: file) { throw StoreError(file, .strayLog(log)) }
      guard made.replace() else { throw cannotWrite(file) }
    }

    /// Gives a file its name; returns false if the name is taken.
    static func publish(_ made: ReplacedFile, asNew file: String) throws(StoreError) -> Bool {
      guard made.synchronize() else { throw cannotWrite(file) }
      if let log = strayLog(beside: file) {
        if exists(file) { return false }
        throw StoreError(file, .strayLog(log))
      }
      guard made.takeFreeName() else {
        if errno == EEXIST { return false }
        throw cannotWrite(file)
      }
      return true
    }
  }
#endif
