#if Store
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  // The few calls of the system that SQLite does not make for us.

  enum SystemFiles {
    static func isReadable(_ file: String) -> Bool { access(file, R_OK) == 0 }

    static func exists(_ file: String) -> Bool { access(file, F_OK) == 0 }

    static func remove(_ file: String) { unlink(file) }

    /// A name beside a file's own that no other run uses.
    static func temporaryName(beside file: String) -> String {
      "\(file).\(getpid())-\(UInt32.random(in: 0 ... .max)).partial"
    }

    /// The name that links lead to; as it is where there is no file yet.
    static func resolved(_ file: String) -> String {
      guard let path = realpath(file, nil) else { return file }
      defer { free(path) }
      return String(cString: path)
    }

    /// Sends a file to the disk and gives it the name of another, which it replaces.
    static func publish(_ temporary: String, as file: String) throws(StoreError) {
      func failure() -> StoreError {
        StoreError(file, .cannotWrite(String(cString: strerror(errno)).lowercased()))
      }
      var status = stat()
      if stat(file, &status) == 0 { chmod(temporary, status.st_mode & 0o7777) }
      guard synchronize(temporary) else { throw failure() }
      guard rename(temporary, file) == 0 else { throw failure() }
      let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? "."
      // The new name itself; some file systems cannot do that.
      _ = synchronize(folder)
    }

    /// Sends a file to the disk and gives it a name that is free; false where it is not.
    static func publish(_ temporary: String, asNew file: String) throws(StoreError) -> Bool {
      func failure() -> StoreError {
        StoreError(file, .cannotWrite(String(cString: strerror(errno)).lowercased()))
      }
      guard synchronize(temporary) else { throw failure() }
      // Unlike renaming, linking never replaces what another program has put there meanwhile.
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
