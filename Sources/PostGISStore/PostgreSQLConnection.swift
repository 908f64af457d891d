#if PostgreSQL
  import CNearbyPQ
  import Dispatch
  import MapAnnotations
  import SystemCalls

  /// A connection to PostgreSQL, used by one thread at a time.
  ///
  /// Only this file uses libpq, which handles TLS, passwords, several hosts and the choice of a
  /// writable one as documented.
  final class PostgreSQLConnection {
    /// A value bound to a statement, never inserted into its text: a text, or NULL.
    typealias Value = String?

    /// `127.0.0.1:5432/maps`, for messages.
    let server: String
    private let handle: OpaquePointer
    private let timeLimit: Int
    /// The names of the statements that the server has parsed, by their text.
    private var prepared: [ExactText: String] = [:]
    /// The maximum number of prepared statements for a connection.
    private static let statementsKept = 100
    /// The time to wait for an answer beyond the statement's own limit, in milliseconds.
    private static let grace = 1_000
    /// Whether waiting for an answer was given up: the next result would belong to another statement.
    private var isGivenUp = false
    private var plansOnce = false

    /// Connects.
    ///
    /// - Parameter milliseconds: The time limit of a statement.
    init(_ address: PostgreSQLAddress, timeLimit milliseconds: Int) throws(PostGISError) {
      server = address.server
      timeLimit = milliseconds
      // The address may specify another time.
      let time = "\(max(2, (milliseconds + 999) / 1_000))"
      let connected = PostgreSQLConnection.withCStrings([
        "connect_timeout", "dbname", nil, time, address.text, nil,
      ]) { texts in
        guard let keywords = texts.baseAddress else { return OpaquePointer?.none }
        return PQconnectdbParams(keywords, keywords + 3, 1)
      }
      guard let handle = connected else {
        throw PostGISError(server, .unreachable("there is no memory for a connection"))
      }
      self.handle = handle
      guard PQstatus(handle) == CONNECTION_OK else {
        // libpq's messages never have the password.
        let sentence = PostgreSQLConnection.sentence(of: handle)
        func says(_ words: String...) -> Bool { words.contains { sentence.contains($0) } }
        let reason: PostGISError.Reason =
          if PQconnectionNeedsPassword(handle) == 1 || says("password authentication failed") {
            .wrongPassword(sentence)
          } else if says("too many ", "remaining connection slots") {
            .busy(sentence)
          } else if says("\" does not exist") {
            .address(sentence)
          } else if says("authentication", "password", "no pg_hba", "role ", "permission") {
            // A server that answers and refuses gives a reason about the user.
            .denied(sentence)
          } else {
            .unreachable(sentence)
          }
        throw PostGISError(server, reason)
      }
      PQsetClientEncoding(handle, "UTF8")
      // Notices would go straight to standard error, between the program's own messages.
      PQsetNoticeProcessor(handle, { _, _ in }, nil)
      // Everything else is named with its schema. Without PostGIS yet, `PostGISSchema` makes it in `public`.
      try run(
        """
        SET statement_timeout = \(milliseconds); SET timezone = 'UTC';
        SELECT set_config('search_path', coalesce((SELECT extnamespace::regnamespace::text FROM pg_extension
          WHERE extname = 'postgis'), 'public'), false)
        """)
    }

    deinit { PQfinish(handle) }

    /// Whether the connection is still usable, as far as is known.
    var isAlive: Bool { !isGivenUp && PQstatus(handle) == CONNECTION_OK }
    /// Whether a transaction is open.
    var isInTransaction: Bool { PQtransactionStatus(handle) != PQTRANS_IDLE }

    private static func sentence(of handle: OpaquePointer) -> String {
      let lines = String(cString: PQerrorMessage(handle)).split(separator: "\n")
      return lines.first.map { String($0) } ?? "the connection failed"
    }

    /// Runs statements without results and bound values.
    func run(_ sql: String) throws(PostGISError) {
      _ = try answer(to: PQsendQuery(handle, sql), within: timeLimit + PostgreSQLConnection.grace)
    }

    /// From now on a statement is planned once, not for each set of values, because planning contacts other servers.
    func planOnce() throws(PostGISError) {
      guard !plansOnce else { return }
      try run("SET plan_cache_mode = force_generic_plan")
      plansOnce = true
    }

    /// Runs a statement, which the server parses once.
    ///
    /// - Parameter milliseconds: How long to wait for its answer; nil for its time limit.
    func rows(
      _ sql: String, _ values: [Value] = [], within milliseconds: Int? = nil
    ) throws(PostGISError) -> PostgreSQLRows {
      let time = milliseconds ?? timeLimit + PostgreSQLConnection.grace
      let name: String
      if let known = prepared[ExactText(sql)] {
        name = known
      } else {
        if prepared.count >= PostgreSQLConnection.statementsKept {
          try run("DEALLOCATE ALL")
          prepared = [:]
        }
        name = "s\(prepared.count)"
        _ = try answer(to: PQsendPrepare(handle, name, sql, 0, nil), within: time)
        prepared[ExactText(sql)] = name
      }
      return try PostgreSQLConnection.withCStrings(values) { values throws(PostGISError) in
        try answer(
          to: PQsendQueryPrepared(
            handle, name, Int32(values.count), values.baseAddress, nil, nil, 0),
          within: time)
      }
    }

    /// Waits for the answer to a sent statement, with a time limit: a stopped server never answers.
    ///
    /// - Parameter start: When the statement began, for messages.
    private func answer(
      to isSent: Int32, within milliseconds: Int, since start: UInt64 = PostgreSQLConnection.now
    ) throws(PostGISError) -> PostgreSQLRows {
      guard isSent == 1 else { throw lost() }
      let end = PostgreSQLConnection.now + UInt64(milliseconds) * 1_000_000
      var last: OpaquePointer?
      while true {
        while PQisBusy(handle) == 1 {
          do throws(PostGISError) {
            try wait(for: POLLIN, until: end, limit: milliseconds)
          } catch {
            PQclear(last)
            throw error
          }
        }
        guard let next = PQgetResult(handle) else { return try result(last, since: start) }
        // For several statements, the result is that of the last one, or of the first that fails.
        PQclear(last)
        last = next
        // Nothing more comes before the rows are sent.
        if PQresultStatus(next) == PGRES_COPY_IN { return try result(next, since: start) }
      }
    }

    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// Waits until the server can be read from, or be written to, and takes in what has come.
    private func wait(
      for events: Int32, until end: UInt64, limit milliseconds: Int
    ) throws(PostGISError) {
      let now = PostgreSQLConnection.now
      guard now < end else {
        isGivenUp = true
        throw PostGISError(server, .timeLimit(milliseconds: milliseconds))
      }
      var socket = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
      _ = poll(&socket, 1, Int32(min(end - now, 1_000_000_000) / 1_000_000 + 1))
      guard PQconsumeInput(handle) == 1 else { throw lost() }
    }

    /// Copies rows into a table in the binary format, piece by piece as `write` sends them.
    ///
    /// If it fails, the connection is given up, and closing it undoes what was sent. The time limit is that of each piece:
    /// the server ends the whole statement at its own.
    func copy(
      _ sql: String,
      _ write: (_ send: ([UInt8]) throws(PostGISError) -> Void) throws(PostGISError) -> Void
    ) throws(PostGISError) {
      let time = timeLimit + PostgreSQLConnection.grace
      let start = PostgreSQLConnection.now
      _ = try answer(to: PQsendQuery(handle, sql), within: time)
      // Otherwise libpq itself would wait, without a limit, also when it closes the connection.
      PQsetnonblocking(handle, 1)
      isGivenUp = true
      try write { bytes throws(PostGISError) in
        try sendAll(within: time) {
          bytes.withUnsafeBytes {
            PQputCopyData(handle, $0.bindMemory(to: CChar.self).baseAddress, Int32($0.count))
          }
        }
      }
      try sendAll(within: time) { PQputCopyEnd(handle, nil) }
      _ = try answer(to: 1, within: time, since: start)
      isGivenUp = false
      PQsetnonblocking(handle, 0)
    }

    /// Calls `put` until libpq has taken what it sends, and waits until the server has.
    private func sendAll(
      within milliseconds: Int, _ put: () -> Int32
    ) throws(PostGISError) {
      let end = PostgreSQLConnection.now + UInt64(milliseconds) * 1_000_000
      func result(of call: () -> Int32, unless full: Int32) throws(PostGISError) -> Int32 {
        while true {
          let result = call()
          guard result == full else { return result }
          try wait(for: POLLIN | POLLOUT, until: end, limit: milliseconds)
        }
      }
      guard try result(of: put, unless: 0) == 1,
        try result(of: { PQflush(handle) }, unless: 1) == 0
      else { throw lost() }
    }

    private func lost() -> PostGISError {
      PostGISError(server, .unreachable(PostgreSQLConnection.sentence(of: handle)))
    }

    private func result(
      _ pointer: OpaquePointer?, since start: UInt64
    ) throws(PostGISError) -> PostgreSQLRows {
      guard let pointer else { throw lost() }
      let rows = PostgreSQLRows(pointer)
      switch PQresultStatus(pointer) {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_COPY_IN, PGRES_EMPTY_QUERY: return rows
      default: throw PostGISError(server, reason(of: rows, since: start))
      }
    }

    /// Why a statement failed.
    private func reason(of error: PostgreSQLRows, since start: UInt64) -> PostGISError.Reason {
      let state = error.field("C") ?? ""
      let sentence = error.field("M") ?? PostgreSQLConnection.sentence(of: handle)
      switch state {
      case "57014":
        // Perhaps earlier than at its own limit, by that of a user or of another server.
        return .timeLimit(milliseconds: Int((PostgreSQLConnection.now - start) / 1_000_000))
      case "53100": return .full(sentence)
      case "53200", "53300": return .busy(sentence)
      case "42501": return .denied(sentence)
      case "2F003":
        // `postgres_fdw` has no password for who is no superuser.
        return .denied(
          "\(sentence) in the user mapping of a partition's server, or password_required 'false'")
      case "25006": return .readOnly(sentence)
      case "", "57P01", "57P02", "57P03", "08000", "08001", "08003", "08004", "08006":
        // The connected server says FATAL and closes; if a server behind it fails, it says ERROR and stays.
        guard error.field("V") == "ERROR" else { return .unreachable(sentence) }
        let detail = error.field("D")?.split(separator: "\n").first.map { ": \($0)" }
        return .partUnreachable(sentence + (detail ?? ""))
      default: return .statement(sentence, state: state)
      }
    }

    private static func withCStrings<Result, Failure: Error>(
      _ values: [Value],
      _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      // One block of bytes for all strings.
      var bytes: [CChar] = []
      var starts: [Int?] = []
      for value in values {
        starts.append(value == nil ? nil : bytes.count)
        if let value { bytes += value.utf8.map { CChar(bitPattern: $0) } + [0] }
      }
      return try bytes.withUnsafeBufferPointer { (bytes) throws(Failure) in
        let pointers = starts.map { start in start.map { bytes.baseAddress! + $0 } }
        return try pointers.withUnsafeBufferPointer(body)
      }
    }
  }

  /// The result of a statement: rows of texts.
  final class PostgreSQLRows {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { PQclear(handle) }

    var count: Int { Int(PQntuples(handle)) }

    /// The text of a cell; nil for NULL.
    subscript(row: Int, column: Int) -> String? {
      bytes(row, column).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The whole number in a cell; 0 for NULL.
    func integer(_ row: Int, _ column: Int) -> Int { self[row, column].flatMap { Int($0) } ?? 0 }

    /// The bytes of a cell in place; nil for NULL.
    func bytes(_ row: Int, _ column: Int) -> UnsafeBufferPointer<UInt8>? {
      guard PQgetisnull(handle, Int32(row), Int32(column)) == 0,
        let start = PQgetvalue(handle, Int32(row), Int32(column))
      else { return nil }
      let count = Int(PQgetlength(handle, Int32(row), Int32(column)))
      return start.withMemoryRebound(to: UInt8.self, capacity: count) {
        UnsafeBufferPointer(start: $0, count: count)
      }
    }

    /// A field of an error: `C` for the SQLSTATE, `M` for the message.
    func field(_ name: Unicode.Scalar) -> String? {
      PQresultErrorField(handle, Int32(name.value)).map { String(cString: $0) }
    }
  }

  /// The address of a database in libpq's form: `postgres://user@host:5432/database`, also with
  /// several hosts and `target_session_attrs`.
  struct PostgreSQLAddress: Sendable {
    let text: String
    /// `host:port/database`, for messages.
    let server: String

    init(_ text: String) throws(PostGISError) {
      guard !PostgreSQLAddress.isAmbiguous(text) else {
        throw PostGISError(
          "postgres",
          .address("a password or name in the address has / or @; write %2F for / and %40 for @"))
      }
      self.text = text
      var message: UnsafeMutablePointer<CChar>?
      guard let parsed = PQconninfoParse(text, &message) else {
        let sentence = message.map { String(cString: $0) } ?? "it cannot be read"
        PQfreemem(message)
        // The message may repeat the address, including the password.
        let last = sentence.split(separator: ":").last ?? sentence[...]
        let shown = String(last.drop { $0 == " " }.prefix { $0 != "\n" })
        let isAboutText = sentence.utf8.contains(UInt8(ascii: "\""))
        throw PostGISError("postgres", .address(isAboutText ? "the address cannot be read" : shown))
      }
      let own = PostgreSQLAddress.values(of: parsed)
      if let service = own["service"], own["host"] == nil {
        server = "service \(service)/" + (own["dbname"] ?? "")
        return
      }
      // What the address leaves out, libpq takes from the environment and its service.
      var values = PostgreSQLAddress.values(of: PQconndefaults())
      if values["port"] == "5432" { values["port"] = nil }
      values.merge(own) { $1 }
      server =
        (values["host"] ?? values["hostaddr"] ?? "localhost")
        + (values["port"].map { ":" + $0 } ?? "") + "/"
        + (values["dbname"] ?? values["user"] ?? "")
    }

    /// The values of options by their keywords; frees the options.
    private static func values(
      of options: UnsafeMutablePointer<PQconninfoOption>?
    ) -> [String: String] {
      defer { PQconninfoFree(options) }
      var values: [String: String] = [:]
      var option = options
      while let this = option, let keyword = this.pointee.keyword {
        if let value = this.pointee.val {
          values[String(cString: keyword)] = String(cString: value)
        }
        option = this + 1
      }
      return values
    }

    /// Whether libpq would take a part of the password for the host, the port or the database.
    ///
    /// libpq ends a user and a password at the first `@`, and knows none after a `/`. It reads bytes: a mark that
    /// combines with an `@` does not hide it.
    private static func isAmbiguous(_ text: String) -> Bool {
      let scalars = text.unicodeScalars
      // Among libpq's keywords, only a value has these signs.
      guard let scheme = scalars.firstRange(of: "://".unicodeScalars),
        !scalars[..<scheme.lowerBound].contains("=")
      else { return false }
      var rest = scalars[scheme.upperBound...]
      if let end = rest.firstIndex(where: { $0 == "@" || $0 == "/" }), rest[end] == "@" {
        rest = rest[rest.index(after: end)...]
      }
      return rest.prefix { $0 != "?" }.contains("@")
    }
  }
#endif
