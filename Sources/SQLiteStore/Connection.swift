#if Store
  import CNearbySQLite
  import Geodesy
  import SystemCalls

  /// An open database connection.
  ///
  /// For one task at a time; another task needs a second connection to the file.
  final class Connection {
    /// How a file is opened.
    enum Access {
      /// For reading only.
      case readOnly
      /// For writing; the file must exist.
      case readWrite
      /// For reading a file of another program: nothing is written, to it or beside it, and none of
      /// its content is trusted.
      case foreign
    }

    let handle: OpaquePointer
    let file: String
    /// How long to wait for another process's write, in milliseconds.
    var patience: Int {
      didSet { sqlite3_busy_timeout(handle, Int32(clamping: patience)) }
    }
    /// The limit on the work of its statements.
    let limit: WorkLimit
    private typealias State = (identity: FileIdentity, stamp: FileStamp)
    /// The state of a file that is read without a lock.
    private var unlocked: State?

    init(_ file: String, _ access: Access, patience: Int = 10_000) throws(StoreError) {
      // A read-only connection cannot delete the -wal and -shm files when it is the last to close. If the file is not
      // writable, SQLite opens it for reading.
      let flags = access == .foreign ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
      self.file = file
      self.patience = patience
      // A file in write-ahead mode without a log is complete, and opening it would create a log
      // that a reader cannot delete.
      let target = FilePath(file).resolved
      unlocked = access == .foreign ? Connection.stateWithoutLog(target) : nil
      do throws(StoreError) {
        handle =
          try unlocked == nil
          ? Connection.open(file, flags, patience) : Connection.openImmutable(file, patience)
      } catch {
        guard access != .readWrite, case .cannotWrite(let message) = error.reason else {
          throw error
        }
        // No -shm file can be created, because the folder is read-only or the disk is full.
        if let reason = Connection.reasonNotToRead(target, message) {
          throw StoreError(file, reason)
        }
        unlocked = Connection.state(of: target)
        handle = try Connection.openImmutable(file, patience)
      }
      limit = WorkLimit(of: handle) { target.byteCount + target.appending("-wal").byteCount }
      setDefense(isOn: true)
      if access != .foreign {
        // The views of other programs may have texts in double quotes.
        _ = nearby_sqlite3_refuse_unknown_names(handle)
        nearby_sqlite3_remove_log(handle)
      }
      SpatialFunctions.add(to: handle)
      // With this, views and generated columns cannot call dangerous functions. A writer must trust
      // the schema, because SQLite considers the R-tree that triggers write to unsafe.
      if access != .readWrite {
        try execute("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON")
      }
      if access == .foreign { try distrust() }
    }

    /// Why a file is not to be read without a lock; nil if it is complete, as one without a log is.
    private static func reasonNotToRead(
      _ file: FilePath, _ message: String
    ) -> StoreError.Reason? {
      let journal = file.appending("-journal")
      if journal.byteCount > 0 { return .unfinishedChange(journal.text) }
      if !file.isReadable { return .cannotRead(message) }
      return file.appending("-wal").byteCount > 0 ? .cannotReadLog(message) : nil
    }

    /// Protects against a malicious file.
    private func distrust() throws(StoreError) {
      try execute("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
      // No value can be longer than its file.
      let longest = max(1_000_000, FilePath(file).byteCount)
      sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: longest))
      sqlite3_limit(handle, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000)
    }

    private static func state(of file: FilePath) -> State? {
      file.status.map { (FileIdentity($0), FileStamp($0)) }
    }

    /// The state of a file in write-ahead mode without a log; nil for others.
    ///
    /// Opening it drops this process's locks on it.
    private static func stateWithoutLog(_ file: FilePath) -> State? {
      guard !file.appending("-wal").exists, !file.appending("-shm").exists,
        let state = state(of: file)
      else { return nil }
      guard let opened = OpenFile(file, O_RDONLY | O_NONBLOCK) else { return nil }
      // https://sqlite.org/fileformat2.html: the file format's read version.
      return OpenFile.bytes(18..<19, of: opened.descriptor) == [2] ? state : nil
    }

    /// Throws if the file was written while it was read without a lock.
    private func checkIsUnchanged() throws(StoreError) {
      guard let unlocked else { return }
      let target = FilePath(file).resolved
      guard let now = Connection.state(of: target), now == unlocked,
        target.appending("-wal").byteCount == 0
      else { throw StoreError(file, .busy(waited: 0)) }
    }

    /// Whether SQL is prevented from writing to internal tables, such as those behind an R-tree.
    func setDefense(isOn: Bool) { _ = nearby_sqlite3_defend(handle, isOn ? 1 : 0) }

    private static func openImmutable(
      _ file: String, _ patience: Int
    ) throws(StoreError) -> OpaquePointer {
      do throws(StoreError) {
        return try open(
          immutableAddress(of: file), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, patience)
      } catch {
        guard case .cannotWrite(let message) = error.reason else {
          throw StoreError(file, error.reason)
        }
        throw StoreError(file, .cannotRead(message))
      }
    }

    private static func open(
      _ name: String, _ flags: Int32, _ patience: Int
    ) throws(StoreError) -> OpaquePointer {
      // For SQLite, an empty name means a temporary database.
      guard !name.isEmpty else { throw StoreError(name, .missing) }
      var opened: OpaquePointer?
      // In a file's name these would be an address, or a database in memory.
      let isSpecial = ["file:", ":"].contains { name.utf8.starts(with: $0.utf8) }
      let result = sqlite3_open_v2(
        isSpecial && flags & SQLITE_OPEN_URI == 0 ? "./" + name : name, &opened,
        flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
      func failure(_ result: Int32) -> StoreError {
        let message =
          opened.map { Connection.message(of: result, $0) }
          ?? String(cString: sqlite3_errstr(result))
        sqlite3_close_v2(opened)
        if result & 0xFF == SQLITE_CANTOPEN, !FilePath(name).isReadable {
          return StoreError(name, FilePath(name).exists ? .cannotRead(message) : .missing)
        }
        return StoreError(name, result: result, message: message, sql: "open", waited: patience)
      }
      guard result == SQLITE_OK, let opened else { throw failure(result) }
      sqlite3_busy_timeout(opened, Int32(clamping: patience))
      // Read the first page here, to report at once that a file is not a database.
      let checked = sqlite3_exec(opened, "PRAGMA schema_version", nil, nil, nil)
      guard checked == SQLITE_OK else { throw failure(checked) }
      return opened
    }

    private static func immutableAddress(of file: String) -> String {
      "file:" + file.percentEncoded(keeping: "/.-_") + "?immutable=1"
    }

    deinit { sqlite3_close_v2(handle) }

    // MARK: Statements

    func failure(_ result: Int32, _ sql: String) -> StoreError {
      if result & 0xFF == SQLITE_INTERRUPT, let excess = limit.excess {
        return StoreError(file, .workLimit(layer: nil, excess))
      }
      if result & 0xFF == SQLITE_TOOBIG {
        let longest = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, -1)
        return StoreError(
          file, .workLimit(layer: nil, "\(longest) bytes for one value, the limit for the file"))
      }
      return StoreError(
        file, result: result, message: Connection.message(of: result, handle), sql: sql,
        waited: patience)
    }

    /// The message of a failure: the system's, where SQLite has only "disk I/O error".
    private static func message(of result: Int32, _ handle: OpaquePointer) -> String {
      let code = sqlite3_system_errno(handle)
      return result & 0xFF == SQLITE_IOERR && code != 0
        ? systemMessage(code) : String(cString: sqlite3_errmsg(handle))
    }

    /// Runs one or more SQL statements without parameters.
    func execute(_ sql: String) throws(StoreError) {
      limit.resume(WorkLimit.Work())
      let result = sqlite3_exec(handle, sql, nil, nil, nil)
      guard result == SQLITE_OK else { throw failure(result, sql) }
    }

    /// Prepares a statement for repeated use, with its first values; the caller keeps it.
    func prepare(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) -> Statement {
      let statement = try Statement(self, sql)
      for (place, value) in values.enumerated() { statement.bind(value, at: place + 1) }
      return statement
    }

    /// Runs a statement once and returns the results of `body` for its rows.
    func rows<Row>(
      _ sql: String, _ values: SQLValue..., body: (Statement) throws(StoreError) -> Row
    ) throws(StoreError) -> [Row] {
      let statement = try prepare(sql, values)
      var rows: [Row] = []
      while try statement.step() { rows.append(try body(statement)) }
      return rows
    }

    /// Runs a statement without result rows, and returns how many rows it changed.
    @discardableResult
    func run(_ sql: String, _ values: SQLValue...) throws(StoreError) -> Int {
      try prepare(sql, values).run()
      return Int(sqlite3_changes64(handle))
    }

    /// The first column of the first row as a number; nil for no row or NULL.
    func integer(_ sql: String, _ values: SQLValue...) throws(StoreError) -> Int? {
      let statement = try prepare(sql, values)
      guard try statement.step(), !statement.isNull(0) else { return nil }
      return statement.integer(0)
    }

    /// The first column of the first row as text; nil for no row or NULL.
    func text(_ sql: String, _ values: SQLValue...) throws(StoreError) -> String? {
      let statement = try prepare(sql, values)
      guard try statement.step() else { return nil }
      return statement.text(0)
    }

    /// Whether there is a table, an index or a trigger of exactly this name.
    func has(_ type: String, _ name: String) throws(StoreError) -> Bool {
      try integer(
        "SELECT count(*) FROM sqlite_master WHERE type = ? AND name = ?", .text(type), .text(name)
      ) == 1
    }

    /// What a table or a view is, by its name as SQLite compares names; nil if there is none.
    func tableKind(of name: String) throws(StoreError) -> (isView: Bool, isVirtual: Bool)? {
      try rows(
        "SELECT type, sql LIKE 'CREATE VIRTUAL %' FROM sqlite_master "
          + "WHERE name = ? COLLATE NOCASE AND type IN ('table', 'view')", .text(name)
      ) { (row) throws(StoreError) in
        (isView: row.text(0) == "view", isVirtual: row.integer(1) == 1)
      }.first
    }

    // MARK: Transactions

    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Runs `body` in a write transaction, which is rolled back on any error.
    ///
    /// The write lock is taken first, so that no two writers can both read data that one of them
    /// then changes. Inside another transaction, `body` is a part of that.
    func write<Result>(_ body: () throws -> Result) throws -> Result {
      guard !isInTransaction else { return try body() }
      try execute("BEGIN IMMEDIATE")
      do {
        let result = try body()
        try execute("COMMIT")
        return result
      } catch {
        // On a full disk SQLite may have rolled back already.
        if isInTransaction { try? execute("ROLLBACK") }
        throw error
      }
    }

    /// Runs `body` in a read transaction, which sees one state of the file, whatever is written meanwhile.
    func read<Result>(_ body: () throws -> Result) throws -> Result {
      guard !isInTransaction else { return try body() }
      try execute("BEGIN")
      defer { try? execute("ROLLBACK") }
      let result = try body()
      try checkIsUnchanged()
      return result
    }
  }

  extension FilePath {
    /// The size of the file in bytes; 0 if there is none.
    fileprivate var byteCount: Int { stamp?.byteCount ?? 0 }
  }

  /// A value for a parameter.
  enum SQLValue {
    case null
    case integer(Int)
    case double(Double)
    case text(String)
    case blob([UInt8])

    init(_ text: String?) { self = text.map { .text($0) } ?? .null }
    init(_ number: Int?) { self = number.map { .integer($0) } ?? .null }
    init(_ instant: Instant?) { self.init(instant.map { Int($0.milliseconds) }) }
    init(_ number: Double?) { self = number.map { .double($0) } ?? .null }
  }

  /// A name, quoted for SQL.
  func quoted(_ name: String) -> String { name.quoted(by: "\"") }

  /// A text as an SQL literal.
  func literal(_ text: String) -> String { text.quoted(by: "'") }
#endif
