#if Store
  import CNearbySQLite
  import Geodesy

  /// One open database.
  ///
  /// Not for use by two tasks at once; a second connection to the same file is.
  final class Connection {
    /// What may be done with the file.
    enum Access {
      /// Nothing is written.
      case readOnly
      /// The file must be there.
      case readWrite
      /// The file is made if it is not there.
      case create
      /// Another program made it: nothing is written, neither to it nor beside it, and nothing that it
      /// says is taken on trust.
      case foreign
    }

    let handle: OpaquePointer
    let file: String
    /// For how many milliseconds another process's write is waited for.
    let patience: Int
    /// What its statements may do.
    let limit: WorkLimit
    /// The state of a file that is read without a lock.
    private let unlocked: SystemFiles.State?

    init(_ file: String, _ access: Access, patience: Int = 10_000) throws(StoreError) {
      let flags: Int32 =
        switch access {
        // A connection that may not write cannot take away the -wal and -shm files when it is the
        // last to leave. Where the file may not be written, SQLite opens it for reading.
        case .readOnly, .readWrite: SQLITE_OPEN_READWRITE
        case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        case .foreign: SQLITE_OPEN_READONLY
        }
      self.file = file
      self.patience = patience
      // A file in write-ahead mode of which no log is left is whole, and opening it would make a log
      // that a reader cannot take away.
      unlocked = access == .foreign ? Connection.stateWithoutLog(file) : nil
      do throws(StoreError) {
        handle =
          try unlocked == nil
          ? Connection.open(file, flags, patience) : Connection.openImmutable(file, patience)
      } catch {
        if access == .foreign, case .cannotWrite(let message) = error.reason {
          let journal = SystemFiles.resolved(file) + "-journal"
          throw StoreError(
            file,
            SystemFiles.byteCount(of: journal) > 0
              ? .unfinishedChange(journal) : .cannotRead(message))
        }
        // A folder in which no -shm file can be made: nobody can write there, so what the file
        // itself holds is all there is.
        guard access == .readOnly, case .cannotWrite(let message) = error.reason else {
          throw error
        }
        guard Connection.canRead(file), !Connection.canRead(file + "-wal") else {
          throw StoreError(file, .cannotRead(message))
        }
        handle = try Connection.openImmutable(file, patience)
      }
      let names = [SystemFiles.resolved(file), SystemFiles.resolved(file) + "-wal"]
      limit = WorkLimit(of: handle) { names.reduce(0) { $0 + SystemFiles.byteCount(of: $1) } }
      setDefense(true)
      SpatialFunctions.add(to: handle)
      // Views and generated columns call no function that could do harm. Whoever writes has to trust
      // the schema: SQLite takes the R-tree that triggers write to for unsafe.
      if access == .readOnly || access == .foreign {
        try execute("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON")
      }
      if access == .foreign { try distrust() }
    }

    /// Guards against a file that was made to do harm.
    private func distrust() throws(StoreError) {
      try execute("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
      // No value can be longer than the file it is from.
      let longest = max(1_000_000, SystemFiles.byteCount(of: file))
      sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: longest))
      sqlite3_limit(handle, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000)
    }

    /// The state of a file in write-ahead mode that has no log; nil for others.
    private static func stateWithoutLog(_ file: String) -> SystemFiles.State? {
      let target = SystemFiles.resolved(file)
      guard !SystemFiles.exists(target + "-wal"), !SystemFiles.exists(target + "-shm"),
        let state = SystemFiles.State(of: target),
        // https://sqlite.org/fileformat2.html: the file format's read version.
        SystemFiles.byte(18, of: target) == 2
      else { return nil }
      return state
    }

    /// Makes sure that nobody wrote while the file was read without a lock.
    func checkIsUnchanged() throws(StoreError) {
      guard let unlocked else { return }
      let target = SystemFiles.resolved(file)
      guard SystemFiles.State(of: target) == unlocked, !SystemFiles.exists(target + "-wal") else {
        throw StoreError(file, .busy(waited: 0))
      }
    }

    /// Whether SQL is kept from what only this program's own may change: the tables behind an R-tree.
    func setDefense(_ isOn: Bool) { _ = nearby_sqlite3_defend(handle, isOn ? 1 : 0) }

    private static func openImmutable(
      _ file: String, _ patience: Int
    ) throws(StoreError) -> OpaquePointer {
      do throws(StoreError) {
        return try open(
          immutableAddress(of: file), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, patience)
      } catch {
        throw StoreError(file, error.reason)
      }
    }

    private static func open(
      _ name: String, _ flags: Int32, _ patience: Int
    ) throws(StoreError) -> OpaquePointer {
      var opened: OpaquePointer?
      let result = sqlite3_open_v2(
        name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
      func failure(_ result: Int32) -> StoreError {
        let message = String(cString: opened.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(result))
        sqlite3_close_v2(opened)
        if result & 0xFF == SQLITE_CANTOPEN, flags & SQLITE_OPEN_CREATE == 0, !canRead(name) {
          return StoreError(name, .missing)
        }
        return StoreError(
          name, result: result, message: message, sql: "open", waited: patience)
      }
      guard result == SQLITE_OK, let opened else { throw failure(result) }
      sqlite3_busy_timeout(opened, Int32(clamping: patience))
      // The first page is read here, so that what is no database is told at once.
      let checked = sqlite3_exec(opened, "PRAGMA schema_version", nil, nil, nil)
      guard checked == SQLITE_OK else { throw failure(checked) }
      return opened
    }

    private static func canRead(_ file: String) -> Bool {
      SystemFiles.isReadable(file)
    }

    private static func immutableAddress(of file: String) -> String {
      var address = "file:"
      for byte in file.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
          UInt8(ascii: "-"), UInt8(ascii: "_"):
          address.unicodeScalars.append(Unicode.Scalar(byte))
        default:
          address += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
      }
      return address + "?immutable=1"
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
        file, result: result, message: String(cString: sqlite3_errmsg(handle)), sql: sql,
        waited: patience)
    }

    /// Runs SQL without parameters, perhaps several statements.
    func execute(_ sql: String) throws(StoreError) {
      limit.resume(WorkLimit.Work())
      let result = sqlite3_exec(handle, sql, nil, nil, nil)
      guard result == SQLITE_OK else { throw failure(result, sql) }
    }

    /// A statement for many uses, which the caller keeps.
    func prepare(_ sql: String) throws(StoreError) -> Statement {
      try Statement(self, sql)
    }

    /// Runs a statement once and gives what `body` makes of its rows, one by one.
    func rows<Row>(
      _ sql: String, _ values: SQLValue..., body: (Statement) throws(StoreError) -> Row
    ) throws(StoreError) -> [Row] {
      let statement = try prepare(sql)
      for (place, value) in values.enumerated() { statement.bind(value, at: place + 1) }
      var rows: [Row] = []
      while try statement.step() { rows.append(try body(statement)) }
      return rows
    }

    /// Runs a statement that gives no rows; how many rows it changed.
    @discardableResult
    func run(_ sql: String, _ values: SQLValue...) throws(StoreError) -> Int {
      let statement = try prepare(sql)
      for (place, value) in values.enumerated() { statement.bind(value, at: place + 1) }
      while try statement.step() {}
      return Int(sqlite3_changes64(handle))
    }

    /// The first column of the first row as a number; nil for none, or for NULL.
    func integer(_ sql: String, _ values: SQLValue...) throws(StoreError) -> Int? {
      let statement = try prepare(sql)
      for (place, value) in values.enumerated() { statement.bind(value, at: place + 1) }
      guard try statement.step(), !statement.isNull(0) else { return nil }
      return statement.integer(0)
    }

    /// The first column of the first row as text; nil for none, or for NULL.
    func text(_ sql: String, _ values: SQLValue...) throws(StoreError) -> String? {
      let statement = try prepare(sql)
      for (place, value) in values.enumerated() { statement.bind(value, at: place + 1) }
      guard try statement.step() else { return nil }
      return statement.text(0)
    }

    // MARK: Transactions

    /// Everything in `body`, or on any error nothing of it.
    ///
    /// The lock to write is taken first, so that two writers never both have read what one of them
    /// then changes.
    func write<Result>(_ body: () throws -> Result) throws -> Result {
      try execute("BEGIN IMMEDIATE")
      do {
        let result = try body()
        try execute("COMMIT")
        return result
      } catch {
        // A full disk may have rolled back already.
        if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
        throw error
      }
    }

    /// Reads that all see one state of the file, whoever writes meanwhile.
    func read<Result>(_ body: () throws -> Result) throws -> Result {
      guard sqlite3_get_autocommit(handle) != 0 else { return try body() }
      try execute("BEGIN")
      defer { try? execute("ROLLBACK") }
      return try body()
    }
  }

  /// A value for a parameter.
  enum SQLValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    case null
    case integer(Int)
    case double(Double)
    case text(String)
    case blob([UInt8])

    init(integerLiteral value: Int) { self = .integer(value) }
    init(stringLiteral value: String) { self = .text(value) }
    init(nilLiteral: ()) { self = .null }
    init(_ text: String?) { self = text.map { .text($0) } ?? .null }
    init(_ number: Int?) { self = number.map { .integer($0) } ?? .null }
    init(_ instant: Instant?) { self.init(instant.map { Int($0.milliseconds) }) }
    init(_ number: Double?) { self = number.map { .double($0) } ?? .null }
  }

  /// A name as SQL writes it.
  func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  /// A text as an SQL literal.
  func literal(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }
#endif
