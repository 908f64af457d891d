#if PostgreSQL
  import MapAnnotations

  /// What is known of a layer before a query, kept between queries.
  ///
  /// Each statement on the layer reads its mark in the same snapshot; if the mark has changed, the
  /// outline is read again and the query repeated.
  struct LayerOutline: Sendable {
    /// Changes whenever a writer commits, and when a partition is added or removed.
    let mark: String
    /// The number of the lock between servers; see `PostGISLayer.commits`.
    private(set) var lock = 0
    /// The names of all properties that annotations have or had.
    private(set) var fields: [String] = []
    /// All kinds that annotations have or had.
    private(set) var kinds: [AnnotationKind?] = []
    /// All sizes of shapes that annotations have or had; see `StoredRow.size`.
    private(set) var sizes: [Int] = []
    /// The tables with rows: a single one if no partition is on another server.
    private(set) var parts: [LayerPart] = []

    /// An SQL expression for a layer's mark, and for how many seconds of changes may be missing on a replica.
    ///
    /// - Parameters:
    ///   - name: SQL for the layer's name, such as `$1`.
    ///   - table: SQL for its table's name, quoted.
    static func mark(name: String, table: String) -> String {
      """
      SELECT (xmin::text || ' ' || (SELECT coalesce(sum(inhrelid::bigint), 0) FROM pg_inherits
        WHERE inhparent = to_regclass(\(table))) || CASE WHEN pg_is_in_recovery() THEN ' ' ||
          CASE WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() AND EXISTS (SELECT FROM pg_stat_wal_receiver)
          THEN 0 ELSE extract(epoch FROM now() - pg_last_xact_replay_timestamp()) END ELSE '' END)
      FROM nearby.layers WHERE name = \(name)
      """
    }

    init(of layer: PostGISLayer, _ connection: PostgreSQLConnection) throws(PostGISError) {
      let rows = try connection.rows(
        """
        SELECT 'field', field, NULL, NULL FROM nearby.layers, unnest(fields) AS field WHERE name = $1
        UNION ALL SELECT 'kind', kind, NULL, NULL FROM nearby.layers, unnest(kinds) AS kind WHERE name = $1
        UNION ALL SELECT 'kind', NULL, NULL, NULL FROM nearby.layers WHERE name = $1 AND has_unnamed
        UNION ALL SELECT 'size', size::text, NULL, NULL FROM nearby.layers, unnest(sizes) AS size WHERE name = $1
        UNION ALL SELECT 'part', format('%I.%I', nspname, relname), srvname, pg_get_expr(relpartbound, pg_class.oid)
        FROM pg_partition_tree(to_regclass($2)) JOIN pg_class ON pg_class.oid = relid
        JOIN pg_namespace ON pg_namespace.oid = relnamespace
        LEFT JOIN pg_foreign_table ON ftrelid = relid LEFT JOIN pg_foreign_server ON pg_foreign_server.oid = ftserver
        WHERE isleaf
        UNION ALL SELECT 'lock', hashtext($1)::text, NULL, NULL
        UNION ALL SELECT 'mark', (\(LayerOutline.mark(name: "$1", table: "$2"))), NULL, NULL
        """, [layer.name, layer.table])
      var mark = ""
      for row in 0..<rows.count {
        let value = rows[row, 1]
        switch rows[row, 0] {
        case "field": fields.append(value ?? "")
        case "kind": kinds.append(value.map { AnnotationKind(rawValue: $0) })
        case "size": sizes.append(rows.integer(row, 1))
        case "lock": lock = rows.integer(row, 1)
        case "mark": mark = LayerOutline.read(mark: value).mark
        default:
          parts.append(
            LayerPart(table: value ?? "", server: rows[row, 2], bound: rows[row, 3] ?? ""))
        }
      }
      self.mark = mark
      if parts.allSatisfy({ $0.server == nil }) { parts = [LayerPart(table: layer.table)] }
    }

    /// The mark, and a replica's lag in seconds, from the result of ``mark(name:table:)``.
    static func read(mark text: String?) -> (mark: String, lag: Double?) {
      let words = (text ?? "").split(separator: " ")
      let lag = words.count < 3 ? nil : Double(words[2]).map { max(0, $0) } ?? .infinity
      return (words.prefix(2).joined(separator: " "), lag)
    }
  }
#endif
