#if Store
  import CNearbySQLite
  import SystemCalls

  // A store that stays open while someone may delete its file, replace it or cut it off.

  extension AnnotationStore {
    /// Throws if what is written to the store would be lost: its file is no longer the one of its name, or not whole.
    package func checkPlace() throws(StoreError) {
      func lost(_ how: String) -> StoreError { StoreError(file, .lost(how)) }
      guard !openFiles.isEmpty else { return }
      guard FilePath(file).exists else { throw lost("is gone") }
      guard !hasMoved, FilePath(file).resolved == openFiles[0].name else {
        throw lost("is another file now")
      }
      let (byteCount, start) = try openedStart()
      guard AnnotationStore.isDatabase(start) else { throw lost("is no database any more") }
      func number(_ bytes: Range<Int>) -> Int { start[bytes].reduce(0) { $0 << 8 | Int($1) } }
      // https://sqlite.org/fileformat2.html: the page size, the number of pages, and when that was valid.
      let pageSize = number(16..<18) == 1 ? 65_536 : number(16..<18)
      if number(24..<28) == number(92..<96), byteCount < pageSize * number(28..<32) {
        throw lost("is cut off")
      }
      guard hasLog else { throw lost("has lost its log") }
    }

    /// Lets go of a file that is no longer the one of its name, before the store is closed: its log is neither written
    /// into the file that is there now nor left beside it.
    ///
    /// - Returns: false, with nothing done, if it is still that file.
    package func abandon() throws(StoreError) -> Bool {
      guard let main = openFiles.first else { return false }
      if hasMoved {
        // A file that has another name now gets what is in its log.
        try connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
      } else if try !AnnotationStore.isDatabase(openedStart().bytes) {
        nearby_sqlite3_keep_log(connection.handle)
      } else {
        // Closing writes the log into the file, which is still the one that it belongs to.
        return FilePath(file).resolved != main.name || !hasLog
      }
      for (log, identity) in openFiles.dropFirst() {
        // By now the name may be that of another store's log.
        guard let identity, identity == log.identity else { continue }
        log.remove()
        if identity == log.identity { throw StoreError(file, .strayLog(log.text)) }
      }
      return true
    }

    private var hasMoved: Bool { nearby_sqlite3_has_moved(connection.handle) != 0 }

    /// Whether the log and its index are those that were opened.
    private var hasLog: Bool {
      openFiles.dropFirst().allSatisfy { $0.identity == nil || $0.identity == $0.name.identity }
    }

    /// The length of the open file, and its header.
    private func openedStart() throws(StoreError) -> (byteCount: Int, bytes: [UInt8]) {
      var bytes = [UInt8](repeating: 0, count: 100)
      let byteCount = bytes.withUnsafeMutableBytes {
        nearby_sqlite3_start(connection.handle, $0.baseAddress, Int32($0.count))
      }
      guard byteCount >= 0 else { throw StoreError(file, .cannotRead("its header cannot be read")) }
      return (Int(byteCount), bytes)
    }

    private static func isDatabase(_ start: [UInt8]) -> Bool {
      start.starts(with: "SQLite format 3\0".utf8)
    }
  }
#endif
