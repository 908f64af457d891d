#if Store
  import MapAnnotations

  /// Creates, widens and drops the table of a layer, always inside a transaction.
  enum LayerTable {
    /// Creates an empty table, and enters it in the GeoPackage contents.
    ///
    /// - Parameter others: The columns of its properties that are known; to add one later, SQLite reads the declarations
    ///   of all tables again.
    static func create(
      _ table: String, with others: [String], _ connection: Connection
    ) throws(StoreError) {
      let texts = (LayerColumns.Own.allCases.map(\.column) + others)
        .map { "\(quoted($0)) TEXT" + ($0 == "id" ? " NOT NULL" : "") }
      try connection.execute(
        declaration(of: table, geometryType: "POINT") + texts.joined(separator: ", ") + ")")
      try connection.run(
        "INSERT INTO gpkg_contents(table_name, data_type, identifier, srs_id) "
          + "VALUES (?, 'features', ?, \(GeoPackageSchema.wgs84))", .text(table), .text(table))
      try connection.run(
        "INSERT INTO gpkg_geometry_columns VALUES (?, 'geom', 'POINT', "
          + "\(GeoPackageSchema.wgs84), 0, 0)", .text(table))
      try connection.run(
        "INSERT INTO gpkg_extensions VALUES (?, 'geom', 'gpkg_rtree_index', ?, 'write-only')",
        .text(table), .text(GeoPackageSchema.rTreeDefinition))
    }

    /// The beginning of a layer's declaration, as SQLite keeps it, too.
    private static func declaration(of table: String, geometryType: String) -> String {
      "CREATE TABLE \(quoted(table)) (fid INTEGER PRIMARY KEY NOT NULL, geom \(geometryType), "
    }

    /// The first column of a layer that its table does not have; nil if it has all, or there is no such table.
    static func missingColumn(
      of table: String, _ columns: LayerColumns, _ connection: Connection
    ) throws(StoreError) -> String? {
      // As SQLite compares names.
      let all = Set(try columnNames(of: table, connection).map { ExactText($0.lowercased()) })
      guard !all.isEmpty else { return nil }
      return (["fid", "geom"] + columns.names).first { !all.contains(ExactText($0.lowercased())) }
    }

    /// The names of all columns of a table, by whatever program; empty if there is no such table.
    static func columnNames(
      of table: String, _ connection: Connection
    ) throws(StoreError) -> [String] {
      try connection.rows(
        "SELECT name FROM pragma_table_xinfo(?)", .text(table)
      ) { (row) throws(StoreError) in row.text(0) ?? "" }
    }

    /// Creates triggers that update the R-tree and the change stamp when any program writes, and an index of rows
    /// without a position.
    static func createTriggers(
      of table: String, _ connection: Connection
    ) throws(StoreError) {
      try GeoPackageSchema.createRTreeTriggers(of: table, connection)
      try StoreSchema.createStampTriggers(of: table, connection)
      try connection.execute(
        "CREATE INDEX IF NOT EXISTS \(quoted("nearby_unplaced_\(table)")) "
          + "ON \(quoted(table))(fid) WHERE geom IS NULL")
    }

    /// Creates an index of ids; done only when needed, because it takes a third of the time of
    /// importing a large layer.
    static func createIDIndex(of table: String, _ connection: Connection) throws(StoreError) {
      try connection.execute(
        "CREATE INDEX IF NOT EXISTS \(quoted("nearby_id_\(table)")) ON \(quoted(table))(id)")
    }

    static func hasIDIndex(of table: String, _ connection: Connection) throws(StoreError) -> Bool {
      try connection.has("index", "nearby_id_\(table)")
    }

    /// Declares that the table holds any shape, not only points.
    ///
    /// SQLite cannot change a column's type, and a new table would lack the columns, indexes and triggers that other
    /// programs have added, so the declaration itself is changed. If another program has made the table again, only
    /// the list of geometry columns is.
    static func widenGeometry(of table: String, _ connection: Connection) throws(StoreError) {
      let version = try connection.integer("PRAGMA schema_version") ?? 0
      connection.setDefense(isOn: false)
      defer { connection.setDefense(isOn: true) }
      try connection.execute("PRAGMA writable_schema = ON")
      // If this fails, the defense alone keeps statements from writing to the schema.
      defer { try? connection.execute("PRAGMA writable_schema = OFF") }
      try connection.run(
        """
        UPDATE sqlite_master SET sql = ?2 || substr(sql, length(?1) + 1)
        WHERE type = 'table' AND name = ?3 AND substr(sql, 1, length(?1)) = ?1
        """, .text(declaration(of: table, geometryType: "POINT")),
        .text(declaration(of: table, geometryType: "GEOMETRY")), .text(table))
      // With another number, every connection reads the declarations again.
      try connection.execute("PRAGMA schema_version = \(version + 1)")
      try connection.run(
        "UPDATE gpkg_geometry_columns SET geometry_type_name = 'GEOMETRY' WHERE table_name = ?",
        .text(table))
    }

    /// Drops a layer; marks on its annotations stay.
    static func drop(_ table: String, _ connection: Connection) throws(StoreError) {
      // The R-tree first: dropping the rows' table also drops its triggers.
      try connection.execute(
        """
        DROP TABLE IF EXISTS \(quoted(GeoPackageSchema.rTreeName(of: table)));
        DROP TABLE IF EXISTS \(quoted(table));
        """)
      // What remains if another program has renamed the table.
      for event in ["insert", "update", "delete"] {
        try connection.execute("DROP TRIGGER IF EXISTS \(quoted("nearby_stamp_\(table)_\(event)"))")
      }
      for index in ["unplaced", "id"] {
        try connection.execute("DROP INDEX IF EXISTS \(quoted("nearby_\(index)_\(table)"))")
      }
      for list in ["gpkg_extensions", "gpkg_geometry_columns", "gpkg_contents", "nearby_layers"] {
        try connection.run("DELETE FROM \(list) WHERE table_name = ?", .text(table))
      }
    }
  }
#endif
