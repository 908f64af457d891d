#if PostgreSQL
  import Dispatch
  import Geodesy
  import MapAnnotations

  /// Layers of annotations in PostgreSQL with PostGIS, for any number of writers and readers.
  ///
  ///     let store = try PostGISStore("postgres://maps@db.example.org/maps")
  ///     try store.prepare()
  ///     try store.layer(named: "shops", makingIt: true).replace(with: shops)
  ///     let answer = try store.layer(named: "shops").answer(NearbyQuery(from: here, limit: 3))
  ///
  /// The address is in libpq's form: TLS (`sslmode`), passwords (`~/.pgpass`), several hosts and
  /// `target_session_attrs` work as in PostgreSQL's documentation of libpq. Any number of threads
  /// may query; they share a few connections.
  public final class PostGISStore: Sendable {
    /// The server and database, as `127.0.0.1:5432/maps`; never a password.
    public var server: String { address.server }

    private let address: PostgreSQLAddress
    let timeLimit: Int
    private let connections: Int
    private let slots: DispatchSemaphore
    private let idle = SharedValue<[Box]>([])
    private let outlines = SharedValue<[ExactText: LayerOutline]>([:])
    /// Servers of partitions that did not answer, and when they may be queried again.
    private let silent = SharedValue<[String: DispatchTime]>([:])
    /// How long a server that did not answer is skipped, because every query would wait for it.
    static let silence = DispatchTimeInterval.seconds(2)

    /// Unchecked, because only one thread at a time uses it.
    private struct Box: @unchecked Sendable {
      let connection: PostgreSQLConnection
    }

    /// Makes a store with an address, without connecting.
    ///
    /// - Parameters:
    ///   - address: `postgres://user@host:5432/database`, or keywords such as `host=/run/postgresql dbname=maps`.
    ///   - connections: The maximum number of connections; further callers wait.
    ///   - timeLimit: How long a statement may run, and a caller waits for a connection, in milliseconds.
    /// - Throws: ``PostGISError`` for an address that libpq cannot read.
    public init(
      _ address: String, connections: Int = 8, timeLimit: Int = 30_000
    ) throws(PostGISError) {
      precondition(connections > 0, "\(connections) connections are none")
      self.address = try PostgreSQLAddress(address)
      self.connections = connections
      self.timeLimit = timeLimit
      slots = DispatchSemaphore(value: connections)
    }

    // MARK: Layers

    /// Creates the tables of the store that do not exist yet; see ``PostGISSchema``.
    ///
    /// If all exist, no permission to create tables is needed.
    ///
    /// - Throws: ``PostGISError``; `newer` if a later version has created more steps than this one knows.
    public func prepare() throws(PostGISError) {
      let isReady = try reading { connection throws(PostGISError) in
        try lastStep(connection) == PostGISSchema.lastStep
      }
      if isReady { return }
      try writing { connection throws(PostGISError) in
        // If several callers come first, one of them creates the tables.
        _ = try connection.rows("SELECT pg_advisory_xact_lock(7308327)")
        try connection.run(PostGISSchema.beginning)
        let done = try lastStep(connection)
        for step in PostGISSchema.steps where step.number > done {
          try connection.run(step.sql)
          _ = try connection.rows(
            "INSERT INTO nearby.steps (number) VALUES ($1)", ["\(step.number)"])
        }
      }
    }

    /// The number of the last step that is applied; 0 if there is not even the list of them.
    private func lastStep(_ connection: PostgreSQLConnection) throws(PostGISError) -> Int {
      let list = try connection.rows("SELECT to_regclass('nearby.steps')")
      guard list[0, 0] != nil else { return 0 }
      let rows = try connection.rows("SELECT coalesce(max(number), 0) FROM nearby.steps")
      let done = rows.integer(0, 0)
      guard done <= PostGISSchema.lastStep else {
        throw PostGISError(server, .newer(schema: done, known: PostGISSchema.lastStep))
      }
      return done
    }

    /// The names of the layers, in order.
    public func layerNames() throws(PostGISError) -> [String] {
      try reading { connection throws(PostGISError) in
        guard try lastStep(connection) > 0 else { throw PostGISError(server, .notAStore) }
        // Somebody may have dropped the table of one; writing makes it again.
        let rows = try connection.rows(
          """
          SELECT name FROM nearby.layers
          WHERE to_regclass(format('nearby_layers.%I', name)) IS NOT NULL ORDER BY name
          """)
        return (0..<rows.count).compactMap { rows[$0, 0] }
      }
    }

    /// The layer with a name.
    ///
    /// - Parameters:
    ///   - name: The name; nil for the only layer.
    ///   - makesIt: Whether a missing layer is created, by what is written first and with it; before that, it cannot be
    ///     queried.
    /// - Throws: ``PostGISError`` for a name that does not exist or is invalid.
    public func layer(
      named name: String? = nil, makingIt makesIt: Bool = false
    ) throws(PostGISError) -> PostGISLayer {
      let names = try layerNames()
      guard let name else {
        guard names.count < 2 else { throw PostGISError(server, .severalLayers(names)) }
        guard names.count == 1 else { throw PostGISError(server, .notAStore) }
        return PostGISLayer(name: names[0], store: self)
      }
      guard makesIt else {
        guard let known = names.first(sameAs: name) else {
          throw PostGISError(server, .unknownLayer(name, layers: names))
        }
        return PostGISLayer(name: known, store: self)
      }
      // By bytes, as PostgreSQL compares.
      let isKnown = names.contains { $0.isSameBytes(as: name) }
      // An index is called "NAME place", and names of tables have at most 63 bytes.
      guard isKnown || (1...57).contains(name.utf8.count) && !name.utf8.contains(0) else {
        throw PostGISError(server, .badLayerName(name))
      }
      return PostGISLayer(name: name, store: self, isMadeByWriting: !isKnown)
    }

    // MARK: Cached outlines

    func outline(of layer: String) -> LayerOutline? { outlines.withLock { $0[ExactText(layer)] } }

    func keep(_ outline: LayerOutline, of layer: String) {
      outlines.withLock { $0[ExactText(layer)] = outline }
    }

    // MARK: Servers of partitions

    func noteSilence(of server: String) {
      silent.withLock { $0[server] = .now() + PostGISStore.silence }
    }

    /// The servers that are currently skipped.
    func silentServers() -> Set<String> {
      silent.withLock { silent in
        if silent.isEmpty { return [] }
        silent = silent.filter { $0.value > .now() }
        return Set(silent.keys)
      }
    }

    // MARK: Connections

    /// Runs `body` with a connection for reading; if an idle connection turns out to be dead, once more.
    func reading<Value>(
      _ body: (PostgreSQLConnection) throws(PostGISError) -> Value
    ) throws(PostGISError) -> Value {
      try lending(mayRepeat: true, body)
    }

    /// Runs `body` with a connection in a transaction, which is committed when `body` returns and rolled back when it
    /// throws.
    ///
    /// It is never repeated, because it is unknown whether a commit without an answer was done.
    func writing<Value>(
      _ body: (PostgreSQLConnection) throws(PostGISError) -> Value
    ) throws(PostGISError) -> Value {
      try lending(mayRepeat: false) { connection throws(PostGISError) in
        // Who waits for another writer's lock has to see what that writer has committed.
        try connection.run("BEGIN ISOLATION LEVEL READ COMMITTED")
        let value = try body(connection)
        try connection.run("COMMIT")
        return value
      }
    }

    private func lending<Value>(
      mayRepeat: Bool, _ body: (PostgreSQLConnection) throws(PostGISError) -> Value
    ) throws(PostGISError) -> Value {
      guard slots.wait(timeout: .now() + .milliseconds(timeLimit)) == .success else {
        throw PostGISError(server, .busy("all \(connections) connections are busy"))
      }
      defer { slots.signal() }
      if let box = idle.withLock({ $0.popLast() }) {
        do throws(PostGISError) {
          return try using(box.connection, body)
        } catch {
          guard mayRepeat, case .unreachable = error.reason, !box.connection.isAlive else {
            throw error
          }
          // The server was restarted, so the other idle connections are dead, too.
          idle.withLock { $0 = [] }
        }
      }
      return try using(PostgreSQLConnection(address, timeLimit: timeLimit), body)
    }

    private func using<Value>(
      _ connection: PostgreSQLConnection,
      _ body: (PostgreSQLConnection) throws(PostGISError) -> Value
    ) throws(PostGISError) -> Value {
      defer {
        // Closing a connection rolls back its transaction.
        if connection.isAlive, !connection.isInTransaction {
          idle.withLock { $0.append(Box(connection: connection)) }
        }
      }
      return try body(connection)
    }
  }
#endif
