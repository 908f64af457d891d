#if Store
  import MapAnnotations

  /// Creates, widens and drops the table of a layer, always inside a transaction.
  enum LayerTable {
    /// Creates an empty table, and enters it in the GeoPackage contents.
    static func create(_ table: String, _ connection: Connection) throws(StoreError) {
      try createTable(table, geometryType: "POINT", further: [], connection)
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

    private static func createTable(
      _ table: String, geometryType: String, further: [String], _ connection: Connection
    ) throws(StoreError) {
      let texts = (LayerColumns.Own.allCases.map(\.column) + further)
        .map { "\(quoted($0)) TEXT" + ($0 == "id" ? " NOT NULL" : "") }
      try connection.execute(
        "CREATE TABLE \(quoted(table)) (fid INTEGER PRIMARY KEY NOT NULL, geom \(geometryType), "
          + texts.joined(separator: ", ") + ")")
    }

    /// The first column of a layer that its table does not have; nil if it has all, or there is no such table.
    static func missingColumn(
      of table: String, _ columns: LayerColumns, _ connection: Connection
    ) throws(StoreError) -> String? {
      // As SQLite compares names.
      let held = try connection.rows("SELECT name FROM pragma_table_info(?)", .text(table)) {
        (row) throws(StoreError) in ExactText((row.text(0) ?? "").lowercased())
      }
      guard !held.isEmpty else { return nil }
      let all = Set(held)
      return (["fid", "geom"] + columns.names).first { !all.contains(ExactText($0.lowercased())) }
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

    /// Declares that the table holds any shape, not only points: SQLite cannot change a column's
    /// type, so the rows move to a new table.
    static func widenGeometry(
      of table: String, _ columns: LayerColumns, hasTriggers: Bool, _ connection: Connection
    ) throws(StoreError) {
      let hadIDIndex = try hasIDIndex(of: table, connection)
      // Renaming would also rename the table in triggers.
      for name in try triggers(of: table, connection) {
        try connection.execute("DROP TRIGGER \(quoted(name))")
      }
      let new = "nearby_widened"
      let names = (["fid", "geom"] + columns.names).map(quoted).joined(separator: ", ")
      try createTable(new, geometryType: "GEOMETRY", further: columns.further, connection)
      try connection.execute(
        """
        INSERT INTO \(quoted(new))(\(names)) SELECT \(names) FROM \(quoted(table));
        DROP TABLE \(quoted(table));
        ALTER TABLE \(quoted(new)) RENAME TO \(quoted(table));
        """)
      try connection.run(
        "UPDATE gpkg_geometry_columns SET geometry_type_name = 'GEOMETRY' WHERE table_name = ?",
        .text(table))
      if hasTriggers { try createTriggers(of: table, connection) }
      if hadIDIndex { try createIDIndex(of: table, connection) }
    }

    private static func triggers(
      of table: String, _ connection: Connection
    ) throws(StoreError) -> [String] {
      try connection.rows(
        "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?", .text(table)
      ) { (row) throws(StoreError) in row.text(0) ?? "" }
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
