#if PostgreSQL
  import AnnotationImport
  import Geodesy
  import MapAnnotations
  import NearbySearch

  /// A layer of a store in PostgreSQL, which answers a `NearbyQuery` as an index does.
  public struct PostGISLayer: Sendable {
    /// The name.
    public let name: String
    let store: PostGISStore
    /// Whether its table is made by what is written first, in the same transaction.
    var isMadeByWriting = false

    /// The table's name, quoted.
    var table: String { "nearby_layers.\(name.quoted(by: "\""))" }

    /// The number of annotations.
    public func count() throws(PostGISError) -> Int {
      try whole("SELECT count(*) FROM \(table)").integer(0, 0)
    }

    /// Whether any annotation has a position.
    package func hasPlaces() throws(PostGISError) -> Bool {
      try whole("SELECT 1 FROM \(table) WHERE place IS NOT NULL LIMIT 1").count > 0
    }

    /// The answer to a statement on all partitions, as of one moment.
    private func whole(_ sql: String) throws(PostGISError) -> PostgreSQLRows {
      do throws(PostGISError) {
        return try store.reading { connection throws(PostGISError) in
          let facts = try connection.rows(
            """
            SELECT hashtext($1), pg_is_in_recovery() AND EXISTS (
              SELECT FROM pg_partition_tree(to_regclass($2)) JOIN pg_foreign_table ON ftrelid = relid)
            """, [name, table])
          guard facts[0, 1] != "t" else { throw PostGISError(store.server, .replicaOfParts) }
          return try PostGISLayer.betweenCommits(facts.integer(0, 0), connection) {
            () throws(PostGISError) in try connection.rows(sql)
          }
        }
      } catch {
        throw placed(error)
      }
    }

    func outline() throws(PostGISError) -> LayerOutline {
      try store.reading { connection throws(PostGISError) in
        try LayerOutline(of: self, connection)
      }
    }

    /// The error with the name of the other server that it comes from: the first one from which not even one
    /// row can be read.
    private func placed(_ error: PostGISError) -> PostGISError {
      guard error.mayBeOfPart, let outline = try? outline() else { return error }
      for part in outline.parts {
        guard let server = part.server else { continue }
        do throws(PostGISError) {
          _ = try store.reading { connection throws(PostGISError) in
            try connection.rows("SELECT 1 FROM \(part.table) LIMIT 1", within: 2_000)
          }
        } catch let trial {
          // Another code, as of a wait for a different server or of a missing right, is another fault than the first.
          if trial.code == error.code { return error.of(server) }
        }
      }
      return error
    }

    /// Runs `body` while no writer commits on one server after the other: each server has its own
    /// snapshot.
    ///
    /// - Parameter lock: The hash of the layer's name.
    static func betweenCommits<Value>(
      _ lock: Int, _ connection: PostgreSQLConnection, _ body: () throws(PostGISError) -> Value
    ) throws(PostGISError) -> Value {
      try connection.run("BEGIN; SELECT pg_advisory_xact_lock_shared(\(commits), \(lock))")
      let value = try body()
      try connection.run("COMMIT")
      return value
    }

    /// The first value of a statement's answer; nil for NULL or no row.
    private func value(_ sql: String, _ values: [String?] = []) throws(PostGISError) -> String? {
      try store.reading { connection throws(PostGISError) in
        let rows = try connection.rows(sql, values)
        return rows.count == 0 ? nil : rows[0, 0]
      }
    }

    /// A text that changes whenever somebody writes to the layer.
    package func mark() throws(PostGISError) -> String {
      let sql = LayerOutline.mark(name: "$1", table: "$2")
      return LayerOutline.read(mark: try value(sql, [name, table])).mark
    }

    /// All annotations as features, by id.
    package func features() throws(PostGISError) -> StoredFeatures {
      let rows = try whole("SELECT feature FROM \(table) ORDER BY rank")
      var features = StoredFeatures(tellAnnotations: true)
      for row in 0..<rows.count { rows.bytes(row, 0).map { features.append(line: $0) } }
      return features
    }

    // MARK: Writing

    /// Replaces all annotations, completely or not at all.
    ///
    /// If an id occurs twice, the last one counts. Readers see the old state until everything is done.
    ///
    /// - Parameters:
    ///   - annotations: The new annotations.
    ///   - note: The new value of ``note()``.
    /// - Returns: What became of the annotations.
    @discardableResult
    public func replace(
      with annotations: some Collection<ImportedAnnotation>, note: String = "{}"
    ) throws(PostGISError) -> UpdateCounts {
      let repeats = PostGISLayer.repeats(in: annotations)
      return try writing { connection throws(PostGISError) in
        try connection.run(
          "CREATE TEMP TABLE held ON COMMIT DROP AS \(PostGISLayer.contents(of: table))")
        _ = try connection.rows("DELETE FROM \(table)")
        _ = try connection.rows(
          """
          UPDATE nearby.layers SET fields = '{}', kinds = '{}', has_unnamed = false, sizes = '{0}'
          WHERE name = $1
          """, [name])
        let isSpread = try add(annotations, without: repeats, connection)
        let counts =
          try connection.rows("SELECT 1 FROM pg_temp.held LIMIT 1").count == 0
          ? UpdateCounts(added: annotations.count - repeats.count)
          : try compare(isSpread ? "pg_temp.arrived" : table, connection)
        try write(note, isSpread, connection)
        return counts
      }
    }

    /// Compares the rows of a table with those that the layer had.
    private func compare(
      _ table: String, _ connection: PostgreSQLConnection
    ) throws(PostGISError) -> UpdateCounts {
      let rows = try connection.rows(
        """
        SELECT count(*) FILTER (WHERE held.rank IS NULL), count(*) FILTER (WHERE arrived.rank IS NULL),
          count(held.rank = arrived.rank), count(*) FILTER (WHERE held.content = arrived.content)
        FROM pg_temp.held
        FULL JOIN (\(PostGISLayer.contents(of: table))) AS arrived ON arrived.rank = held.rank
        """)
      let counts = (0..<4).map { rows.integer(0, $0) }
      return UpdateCounts(
        added: counts[0], changed: counts[2] - counts[3], unchanged: counts[3], removed: counts[1])
    }

    /// The rows of a table with hashes of their content; those of two different ones are equal once in 2⁶⁴.
    private static func contents(of table: String) -> String {
      "SELECT rank, hashtextextended(feature, 0) AS content FROM \(table)"
    }

    /// The note stored with the layer's content, for example its origin; `{}` if there is none, or other writers have
    /// changed the content.
    public func note() throws(PostGISError) -> String {
      try value("SELECT note FROM nearby.layers WHERE name = $1", [name]) ?? "{}"
    }

    /// Stores a note with the layer, without changing its annotations.
    ///
    /// - Parameters:
    ///   - note: Any text; nearby keeps where the layer is from.
    ///   - old: The note in whose place it is stored; if the layer has another one by now, nothing changes.
    public func remember(_ note: String, over old: String) throws(PostGISError) {
      try writing { connection throws(PostGISError) in
        _ = try connection.rows(
          "UPDATE nearby.layers SET note = $2 WHERE name = $1 AND note = $3", [name, note, old])
      }
    }

    /// Writes the note of what was written, last of all.
    ///
    /// - Parameter isSpread: Whether parts of that are on other servers: then nobody reads from several servers until
    ///   all have committed, each separately, one after the other.
    private func write(
      _ note: String, _ isSpread: Bool, _ connection: PostgreSQLConnection
    ) throws(PostGISError) {
      _ = try connection.rows("UPDATE nearby.layers SET note = $2 WHERE name = $1", [name, note])
      guard isSpread else { return }
      _ = try connection.rows(
        "SELECT pg_advisory_xact_lock(\(PostGISLayer.commits), hashtext($1))", [name])
    }

    /// Adds annotations, replacing those with the same ids, and removes some; completely or not at all.
    public func put(
      _ annotations: some Collection<ImportedAnnotation>, removing ids: [AnnotationID] = []
    ) throws(PostGISError) {
      let repeats = PostGISLayer.repeats(in: annotations)
      try writing { connection throws(PostGISError) in
        let ranks = Set(ids).union(annotations.lazy.map(\.id)).map {
          PostGISLayer.hexadecimal(StoredRow.rank(of: $0))
        }
        _ = try connection.rows(
          "DELETE FROM \(table) WHERE rank = ANY($1::bytea[])", [PostGISLayer.array(ranks)])
        let isSpread = try add(annotations, without: repeats, connection)
        // The content no longer matches the noted origin.
        try write("{}", isSpread, connection)
      }
    }

    /// Removes the annotations with these ids.
    public func remove(_ ids: [AnnotationID]) throws(PostGISError) {
      try put([ImportedAnnotation](), removing: ids)
    }

    /// Removes the layer: its table with all partitions, and what is known of it.
    ///
    /// Waits for writers and readers of the layer. Tables of partitions on other servers stay there.
    ///
    /// - Throws: ``PostGISError``, also if another program has removed it meanwhile.
    public func drop() throws(PostGISError) {
      try writing { connection throws(PostGISError) in
        try connection.run("DROP TABLE \(table)")
        _ = try connection.rows("DELETE FROM nearby.layers WHERE name = $1", [name])
      }
    }

    /// Runs `body` in a transaction that allows one writer of a layer at a time: otherwise an id could be in two
    /// partitions.
    private func writing<Value>(
      _ body: (PostgreSQLConnection) throws(PostGISError) -> Value
    ) throws(PostGISError) -> Value {
      do throws(PostGISError) {
        return try store.writing { connection throws(PostGISError) in
          if isMadeByWriting { try make(connection) }
          let rows = try connection.rows(
            "SELECT 1 FROM nearby.layers WHERE name = $1 FOR UPDATE", [name])
          guard rows.count == 1 else {
            throw PostGISError(store.server, .unknownLayer(name, layers: []))
          }
          return try body(connection)
        }
      } catch {
        throw placed(error)
      }
    }

    /// Makes the table, unless another writer has made it meanwhile.
    private func make(_ connection: PostgreSQLConnection) throws(PostGISError) {
      _ = try connection.rows(
        "SELECT pg_advisory_xact_lock(\(PostGISLayer.making), hashtext($1))", [name])
      let known = try connection.rows(
        "SELECT to_regclass($2) FROM nearby.layers WHERE name = $1", [name, table])
      guard known.count == 0 || known[0, 0] == nil else { return }
      // Somebody may have dropped the table alone.
      _ = try connection.rows("DELETE FROM nearby.layers WHERE name = $1", [name])
      do throws(PostGISError) {
        _ = try connection.rows("SELECT nearby.add_layer($1)", [name])
      } catch {
        // The table exists: layer "y" has one that is called "y rest".
        guard case .statement(_, state: "42P07") = error.reason else { throw error }
        throw PostGISError(store.server, .takenLayerName(name))
      }
    }

    /// Copies annotations into the table.
    ///
    /// - Returns: Whether parts of it are on other servers; then `pg_temp.arrived` has the annotations, too.
    private func add(
      _ annotations: some Collection<ImportedAnnotation>, without repeats: Set<Int>,
      _ connection: PostgreSQLConnection
    ) throws(PostGISError) -> Bool {
      let others = try connection.rows(
        """
        SELECT 1 FROM pg_partition_tree(to_regclass($1)) JOIN pg_foreign_table ON ftrelid = relid
        LIMIT 1
        """, [table])
      if others.count == 0 {
        try copy(annotations, without: repeats, into: table, connection)
      } else {
        // COPY would send row by row to another server.
        try connection.run("CREATE TEMP TABLE arrived (LIKE \(table)) ON COMMIT DROP")
        try copy(annotations, without: repeats, into: "pg_temp.arrived", connection)
        _ = try connection.rows("INSERT INTO \(table) SELECT * FROM pg_temp.arrived")
      }
      _ = try connection.rows("SELECT nearby.index_layer($1)", [name])
      return others.count > 0
    }

    /// The first numbers of a layer's locks: one is held while several servers commit, and shared while reading from
    /// them; the other is held while the table is made.
    private static let commits = 7_308_327, making = 7_308_328

    /// The places of annotations whose ids come again.
    private static func repeats(in annotations: some Collection<ImportedAnnotation>) -> Set<Int> {
      // A file in the order of its ids, as most large ones are, needs no table of them.
      var last: AnnotationID?
      let ascend = annotations.allSatisfy { annotation in
        let id = annotation.id
        defer { last = id }
        return last.map { $0 < id } ?? true
      }
      if ascend { return [] }
      var places: [AnnotationID: Int] = [:]
      places.reserveCapacity(annotations.count)
      var repeats: Set<Int> = []
      for (place, annotation) in annotations.enumerated() {
        if let old = places.updateValue(place, forKey: annotation.id) { repeats.insert(old) }
      }
      return repeats
    }

    private func copy(
      _ annotations: some Collection<ImportedAnnotation>, without repeats: Set<Int>,
      into table: String, _ connection: PostgreSQLConnection
    ) throws(PostGISError) {
      var seen = Seen()
      try connection.copy(
        "COPY \(table) (rank, id, kind, cell, place, size, feature) FROM STDIN (FORMAT binary)"
      ) { send throws(PostGISError) in
        var bytes = StoredRow.copyHead
        for (place, annotation) in annotations.enumerated() where !repeats.contains(place) {
          let row = StoredRow(annotation)
          guard !row.id.utf8.contains(0), !(row.kind?.utf8.contains(0) ?? false) else {
            throw PostGISError(store.server, .zeroCharacter(id: row.id))
          }
          guard row.rank.count <= StoredRow.maximumRankLength else {
            let beginning = String(row.id.unicodeScalars.prefix(30))
            throw PostGISError(
              store.server, .longID(beginning: beginning, byteCount: row.id.utf8.count))
          }
          seen.take(row)
          row.append(to: &bytes)
          if bytes.count > 1 << 18 {
            try send(bytes)
            bytes.removeAll(keepingCapacity: true)
          }
        }
        try send(bytes + StoredRow.copyEnd)
      }
      // When annotations are put, names that no longer occur stay: finding them would take a scan of the layer.
      _ = try connection.rows(
        """
        UPDATE nearby.layers SET
          fields = fields || ARRAY(SELECT field FROM unnest($2::text[]) WITH ORDINALITY AS new (field, place)
            WHERE field <> ALL(fields) ORDER BY place),
          kinds = ARRAY(SELECT unnest(kinds) UNION SELECT unnest($3::text[])),
          has_unnamed = has_unnamed OR $4::boolean,
          sizes = ARRAY(SELECT unnest(sizes) UNION SELECT unnest($5::smallint[]) ORDER BY 1)
        WHERE name = $1
        """,
        [
          name, PostGISLayer.array(seen.fields),
          PostGISLayer.array(seen.kinds.map { String(decoding: $0, as: UTF8.self) }),
          seen.hasUnnamed ? "t" : "f", PostGISLayer.array(seen.sizes.map { "\($0)" }),
        ])
    }

    /// Data about all annotations of a layer together.
    private struct Seen {
      /// In the order in which they come first.
      var fields: [String] = []
      private var known: Set<ExactText> = []
      /// By their bytes, because texts that differ only in their bytes are equal here and not in PostgreSQL.
      var kinds: Set<[UInt8]> = []
      var hasUnnamed = false
      var sizes: Set<Int> = []

      mutating func take(_ row: StoredRow) {
        for entry in row.properties.entries
        where known.insert(ExactText(entry.name)).inserted {
          // A name with a zero byte cannot be stored, and no condition can use it.
          if !entry.name.utf8.contains(0) { fields.append(entry.name) }
        }
        if let kind = row.kind { kinds.insert(Array(kind.utf8)) } else { hasUnnamed = true }
        sizes.insert(row.size)
      }
    }

    // MARK: Values

    /// Texts as a PostgreSQL array.
    static func array(_ texts: some Sequence<String>) -> String {
      let quoted = texts.map { "\"" + $0.escaped(["\\", "\""], by: "\\") + "\"" }
      return "{" + quoted.joined(separator: ",") + "}"
    }

    /// Bytes as a PostgreSQL `bytea`.
    static func hexadecimal(_ bytes: [UInt8]) -> String {
      "\\x" + bytes.map { zeroPadded($0, radix: 16) }.joined()
    }
  }

  extension PostGISLayer: CustomStringConvertible {
    /// The server and the layer, as `127.0.0.1:5432/maps/shops`; never a password.
    public var description: String { store.server + "/" + name }
  }

  extension PostGISLayer: AnnotationSearching {
    /// The type of annotations in answers.
    public typealias Item = ImportedAnnotation

    /// Answers a query exactly as an index of the same annotations does.
    ///
    /// PostgreSQL finds candidates that contain the answer. Selecting and ordering the results is done here, by the
    /// same code as for an index.
    ///
    /// If a server of some partitions does not answer within the store's time limit, the answer comes from the others:
    /// `missing` names the server, and says how many results are certain without it.
    ///
    /// - Throws: `QueryError`; its `source` if the server cannot be queried.
    /// - Complexity: For the nearest without a condition, two statements, the second of which fetches about 2*k* rows,
    ///   and perhaps a third. With a condition, as many rows as are examined until *k* are found. If the answer is
    ///   ordered otherwise, or counted, all rows in the area.
    public func answer(
      _ query: NearbyQuery, in context: QueryContext<ImportedAnnotation>
    ) throws(QueryError) -> NearbyAnswer<ImportedAnnotation> {
      try candidates(for: query, in: context).answer(query)
    }

    /// Candidates that contain the answer to a query.
    ///
    /// - Parameter context: The context of the query.
    package func candidates(
      for query: NearbyQuery, in context: QueryContext<ImportedAnnotation>
    ) throws(QueryError) -> Candidates {
      var known = store.outline(of: name)
      // The layer may change again meanwhile; one that changes constantly is answered from a recent state.
      for attempt in 0... {
        let outline: LayerOutline
        if let known {
          outline = known
        } else {
          do throws(PostGISError) {
            outline = try self.outline()
          } catch {
            throw CandidateSearch.failure(error)
          }
          store.keep(outline, of: name)
        }
        let search = CandidateSearch(query, context, in: self, outline)
        do throws(QueryError) {
          let found = try search.candidates()
          if !search.isOutdated || attempt == 4 { return found }
        } catch {
          // A table in the old outline may have disappeared with its partition.
          guard known != nil, case .source("postgres-statement", _) = error else { throw error }
        }
        known = nil
      }
      preconditionFailure("it ends with an answer or an error")
    }
  }
#endif
