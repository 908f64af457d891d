#if Store
  import SystemCalls

  // The few system calls that SQLite does not make for us.

  enum SystemFiles {
    /// Creates an empty file under a temporary name, with the permissions of the file that it will replace.
    static func make(
      for target: FilePath, willMake: (_ temporary: String) -> Void = { _ in }
    ) throws(StoreError) -> ReplacedFile {
      // The temporary name is never empty, so a file would be made.
      guard !target.bytes.isEmpty else { throw StoreError("", .missing) }
      guard
        let made = ReplacedFile(
          target, like: target.status, willMake: { willMake($0.text) })
      else { throw cannotWrite(target) }
      return made
    }

    private static func cannotWrite(_ file: FilePath) -> StoreError {
      StoreError(file.text, .cannotWrite(systemMessage()))
    }

    /// The log of another database in the place of a new file's log; nil if there is none.
    static func strayLog(beside file: FilePath) -> String? {
      // A program that still has a removed database open would share even its -shm with the new one.
      ["-wal", "-shm", "-journal"].lazy.map(file.appending).first { $0.ownStatus != nil }?.text
    }

    /// Gives a file its name, replacing the file with that name.
    static func publish(_ made: ReplacedFile, as file: FilePath) throws(StoreError) {
      // First, because it takes long: a log that comes meanwhile is seen.
      guard made.synchronize() else { throw cannotWrite(file) }
      if let log = strayLog(beside: file) { throw StoreError(file.text, .strayLog(log)) }
      guard made.replace() else { throw cannotWrite(file) }
    }

    /// Gives a file its name; returns false if the name is taken.
    static func publish(_ made: ReplacedFile, asNew file: FilePath) throws(StoreError) -> Bool {
      guard made.synchronize() else { throw cannotWrite(file) }
      if let log = strayLog(beside: file) {
        if file.exists { return false }
        throw StoreError(file.text, .strayLog(log))
      }
      guard made.takeFreeName() else {
        if errno == EEXIST { return false }
        throw cannotWrite(file)
      }
      return true
    }
  }
#endif
