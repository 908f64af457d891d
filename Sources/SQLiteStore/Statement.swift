#if Store
  import CNearbySQLite
  import Geodesy

  /// A prepared statement.
  final class Statement {
    private let handle: OpaquePointer
    private let connection: Connection
    private let sql: String
    /// The work of the current run so far.
    private var work = WorkLimit.Work()

    init(_ connection: Connection, _ sql: String) throws(StoreError) {
      var prepared: OpaquePointer?
      let result = sqlite3_prepare_v2(connection.handle, sql, -1, &prepared, nil)
      guard result == SQLITE_OK, let prepared else { throw connection.failure(result, sql) }
      handle = prepared
      self.connection = connection
      self.sql = sql
    }

    deinit { sqlite3_finalize(handle) }

    // MARK: Parameters, from 1

    /// SQLite's marker for bytes that it has to copy.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    func bind(_ value: SQLValue, at place: Int) {
      switch value {
      case .null: bindNull(at: place)
      case .integer(let number): bind(number, at: place)
      case .double(let number): bind(number, at: place)
      case .text(let text):
        sqlite3_bind_text64(
          handle, Int32(place), text, UInt64(text.utf8.count), Statement.transient,
          UInt8(SQLITE_UTF8))
      case .blob(let bytes):
        _ = bytes.withUnsafeBytes {
          sqlite3_bind_blob64(
            handle, Int32(place), $0.baseAddress, UInt64($0.count), Statement.transient)
        }
      }
    }

    func bindNull(at place: Int) { sqlite3_bind_null(handle, Int32(place)) }
    func bind(_ number: Int, at place: Int) {
      sqlite3_bind_int64(handle, Int32(place), Int64(number))
    }
    func bind(_ number: Double, at place: Int) { sqlite3_bind_double(handle, Int32(place), number) }

    /// Binds UTF-8 without a copy; it must stay unchanged until the statement was run.
    func bind(textInPlace bytes: UnsafeRawBufferPointer, at place: Int) {
      // An empty buffer has no address, which SQLite would read as NULL.
      guard let start = bytes.baseAddress, bytes.count > 0 else {
        sqlite3_bind_text(handle, Int32(place), "", 0, nil)
        return
      }
      sqlite3_bind_text(
        handle, Int32(place), start.assumingMemoryBound(to: CChar.self), Int32(bytes.count), nil)
    }

    /// Binds bytes without a copy; they must stay unchanged until the statement was run.
    func bind(blobInPlace bytes: UnsafeRawBufferPointer, at place: Int) {
      sqlite3_bind_blob(handle, Int32(place), bytes.baseAddress, Int32(bytes.count), nil)
    }

    // MARK: Running

    /// Runs to the next row; returns false after the last, and the statement can then run again.
    func step() throws(StoreError) -> Bool {
      let limit = connection.limit
      limit.resume(work)
      let result = sqlite3_step(handle)
      if result == SQLITE_ROW {
        guard limit.pause() else {
          sqlite3_reset(handle)
          work = WorkLimit.Work()
          throw connection.failure(SQLITE_INTERRUPT, sql)
        }
        work = limit.work
        return true
      }
      work = WorkLimit.Work()
      let ended = sqlite3_reset(handle)
      guard result == SQLITE_DONE, ended == SQLITE_OK else {
        throw connection.failure(result == SQLITE_DONE ? ended : result, sql)
      }
      return false
    }

    /// Runs a statement without result rows once more.
    func run() throws(StoreError) { while try step() {} }

    /// Counts the bytes of a row as work: a few pages of a malicious file may be read as gigabytes.
    func countBytes(of columns: Int) {
      for column in 0..<columns where [SQLITE_TEXT, SQLITE_BLOB].contains(type(column)) {
        work.steps += Int(sqlite3_column_bytes(handle, Int32(column))) / 8
      }
    }

    // MARK: Columns, from 0

    var columnCount: Int { Int(sqlite3_column_count(handle)) }

    func columnName(_ column: Int) -> String {
      sqlite3_column_name(handle, Int32(column)).map { String(cString: $0) } ?? ""
    }

    func isNull(_ column: Int) -> Bool { type(column) == SQLITE_NULL }
    func type(_ column: Int) -> Int32 { sqlite3_column_type(handle, Int32(column)) }
    func integer(_ column: Int) -> Int { Int(sqlite3_column_int64(handle, Int32(column))) }
    func instant(_ column: Int) -> Instant? {
      isNull(column) ? nil : Instant(milliseconds: Int64(integer(column)))
    }
    func double(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }

    /// nil for NULL; bytes that are not UTF-8 become �.
    func text(_ column: Int) -> String? {
      guard let start = sqlite3_column_text(handle, Int32(column)) else { return nil }
      let count = Int(sqlite3_column_bytes(handle, Int32(column)))
      return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The bytes of a text, valid until the next step; nil for NULL.
    func textBytes(_ column: Int) -> UnsafeRawBufferPointer? {
      sqlite3_column_text(handle, Int32(column)).map {
        UnsafeRawBufferPointer(start: $0, count: Int(sqlite3_column_bytes(handle, Int32(column))))
      }
    }

    /// The bytes of a BLOB or a text, valid until the next step; empty for NULL.
    func bytes(_ column: Int) -> UnsafeRawBufferPointer {
      let start = sqlite3_column_blob(handle, Int32(column))
      return UnsafeRawBufferPointer(
        start: start, count: Int(sqlite3_column_bytes(handle, Int32(column))))
    }
  }
#endif
