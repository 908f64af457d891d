#if Store
  /// The tables that make a GeoPackage a store, and the migration of older ones.
  ///
  /// - `nearby_store`: the schema's version, the store's own name and its change stamp, a number
  ///   and 64 random bits.
  /// - `nearby_layers`: for each layer its source, licence, merge policy, version and time of the
  ///   last update, and the property that each column holds.
  /// - `nearby_favorites`: marks on annotations by layer and id, which outlive the annotations.
  ///
  /// The first two are registered as an extension and are not contents, so that other programs
  /// leave them alone; the marks are attributes, which QGIS shows as a table.
  enum StoreSchema {
    /// The current schema version.
    static let version = 2
    private static let definition =
      "https://github.com/nearby/nearby/Sources/SQLiteStore/SQLiteStore.docc/StoreFormat.md"

    /// The migrations from each released schema to the next, starting with 1 to 2; run in one transaction.
    ///
    /// A released migration never changes: old files are tested against it.
    static let migrations: [@Sendable (Connection) throws -> Void] = [{ try addState($0) }]

    static func create(_ connection: Connection) throws(StoreError) {
      try connection.execute(
        """
        CREATE TABLE nearby_store (
          fid INTEGER PRIMARY KEY NOT NULL CHECK (fid = 1), schema INTEGER NOT NULL,
          stamp INTEGER NOT NULL, name TEXT NOT NULL,
          state INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE nearby_layers (
          table_name TEXT NOT NULL PRIMARY KEY, source TEXT, crs TEXT NOT NULL, licence TEXT,
          policy TEXT NOT NULL, version_number INTEGER, version_tag TEXT, refreshed INTEGER,
          columns TEXT NOT NULL, members TEXT);
        CREATE TABLE nearby_favorites (
          fid INTEGER PRIMARY KEY NOT NULL, layer TEXT NOT NULL, id TEXT NOT NULL,
          mark TEXT NOT NULL, added INTEGER NOT NULL, hidden INTEGER, name TEXT, kind TEXT,
          latitude DOUBLE, longitude DOUBLE, UNIQUE (layer, id, mark));
        INSERT INTO gpkg_contents(table_name, data_type, identifier)
          VALUES ('nearby_favorites', 'attributes', 'nearby_favorites');
        INSERT INTO nearby_store VALUES (1, \(version), 0, lower(hex(randomblob(16))), random());
        """)
      // Write-only: programs that only read can ignore them.
      for table in ["nearby_store", "nearby_layers"] {
        try connection.run(
          "INSERT INTO gpkg_extensions VALUES (?, NULL, 'nearby_store', ?, 'write-only')",
          .text(table), .text(definition))
      }
    }

    /// The schema version of a store.
    static func version(of connection: Connection) throws(StoreError) -> Int {
      guard
        let found = try connection.integer("SELECT schema FROM nearby_store"), found >= 1
      else { throw StoreError(connection.file, .notADatabase("it does not say its schema")) }
      guard found <= version else {
        throw StoreError(connection.file, .newer(schema: found, known: version))
      }
      return found
    }

    /// Migrates an older store to the current schema, completely or not at all.
    static func migrate(_ connection: Connection) throws {
      guard try version(of: connection) < version else { return }
      try connection.write {
        // Another process may have migrated it while we waited.
        let found = try version(of: connection)
        for migration in migrations.dropFirst(found - 1) { try migration(connection) }
        try connection.run("UPDATE nearby_store SET schema = ?", .integer(version))
      }
    }

    // MARK: The change stamp

    /// Creates triggers that count changes to annotations by any program.
    static func createStampTriggers(
      of table: String, _ connection: Connection
    ) throws(StoreError) {
      for event in ["INSERT", "UPDATE", "DELETE"] {
        try connection.execute(
          "CREATE TRIGGER \(quoted("nearby_stamp_\(table)_\(event.lowercased())")) "
            + "AFTER \(event) ON \(quoted(table)) BEGIN \(raiseStamp); END")
      }
    }

    static let raiseStamp = "UPDATE nearby_store SET stamp = stamp + 1, state = random()"

    /// Whether every layer exists and has its triggers.
    static func tellsChanges(_ connection: Connection) throws(StoreError) -> Bool {
      try connection.integer(
        """
        SELECT count(*) FROM nearby_layers WHERE 4 > (
          SELECT count(*) FROM sqlite_master WHERE
            type = 'table' AND name = table_name
            OR type = 'trigger' AND tbl_name = table_name
              AND name IN ('nearby_stamp_' || table_name || '_insert',
                'nearby_stamp_' || table_name || '_update',
                'nearby_stamp_' || table_name || '_delete'))
        """) == 0
    }

    // MARK: Migrations

    /// From 1 to 2: a counter alone would repeat in a store restored from a copy.
    @Sendable private static func addState(_ connection: Connection) throws(StoreError) {
      try connection.execute(
        """
        ALTER TABLE nearby_store ADD COLUMN state INTEGER NOT NULL DEFAULT 0;
        UPDATE nearby_store SET state = random();
        """)
      let layers = try connection.rows(
        "SELECT table_name FROM nearby_layers WHERE table_name IN "
          + "(SELECT name FROM sqlite_master WHERE type = 'table')"
      ) { (row) throws(StoreError) in row.text(0) ?? "" }
      for layer in layers {
        for event in ["insert", "update", "delete"] {
          let trigger = quoted("nearby_stamp_\(layer)_\(event)")
          try connection.execute(
            """
            DROP TRIGGER IF EXISTS \(trigger);
            CREATE TRIGGER \(trigger) AFTER \(event) ON \(quoted(layer))
              BEGIN UPDATE nearby_store SET stamp = stamp + 1, state = random(); END;
            """)
        }
      }
    }
  }
#endif
