#if Store
  import CNearbySQLite
  import Foundation
  import GeoJSONCoding
  import MapAnnotations
  import Testing

  @testable import SQLiteStore

  /// GeoPackages of strangers, made by SQLite's own interface.
  @Suite struct ForeignGeoPackageTests {
    private let folder: Folder
    private var file: String { folder.path("x.gpkg") }

    init() throws { folder = try Folder() }

    /// Makes a GeoPackage whose layer `v` is what some SQL makes.
    private func make(_ sql: String, layer: String = "v") throws {
      var handle: OpaquePointer?
      #expect(sqlite3_open(file, &handle) == SQLITE_OK)
      defer { sqlite3_close(handle) }
      let lists = """
        CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT, srs_id INTEGER PRIMARY KEY,
          organization TEXT, organization_coordsys_id INTEGER, definition TEXT, description TEXT);
        CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT, identifier TEXT, srs_id INTEGER);
        CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT,
          geometry_type_name TEXT, srs_id INTEGER, z, m);
        INSERT INTO gpkg_spatial_ref_sys VALUES ('', 4326, 'EPSG', 4326, '', '');
        INSERT INTO gpkg_contents VALUES ('\(layer)', 'features', '', 4326);
        INSERT INTO gpkg_geometry_columns VALUES ('\(layer)', 'geom', 'POINT', 4326, 0, 0);
        CREATE TABLE rows (fid INTEGER PRIMARY KEY, name TEXT, geom BLOB);
        INSERT INTO rows VALUES (1, 'one', NULL), (2, 'two', NULL);
        """
      var message: UnsafeMutablePointer<CChar>?
      #expect(
        sqlite3_exec(handle, lists + sql, nil, nil, &message) == SQLITE_OK,
        "\(message.map { String(cString: $0) } ?? "")")
    }

    private func features() throws -> [Feature] {
      let package = try GeoPackageFile(file)
      var features: [Feature] = []
      for layer in package.layers {
        try package.forEachRow(in: layer) { row in
          if case .feature(let feature) = row { features.append(feature) }
        }
      }
      return features
    }

    private func names() throws -> [String] {
      try features().map { $0.properties?["name"]?.text ?? "" }
    }

    @Test func `a table and its columns may have any name`() throws {
      let name = "x\u{600}\"\u{301}"
      let quoted = "\"x\u{600}\"\"\u{301}\""
      try make(
        "CREATE TABLE \(quoted) (fid INTEGER PRIMARY KEY, \(quoted) TEXT, name TEXT, geom BLOB);"
          + "INSERT INTO \(quoted) VALUES (1, 'p', 'one', NULL)", layer: name)
      #expect(try names() == ["one"])
    }

    /// The id and the properties of each row, as JSON.
    private func rows() throws -> [String] {
      try features().map {
        "\($0.id?.jsonText ?? "none") \(PropertyValue.object($0.properties ?? Properties()).jsonText)"
      }
    }

    @Test func `a key of one column is the id, whatever its type`() throws {
      try make(
        "CREATE TABLE v (code TEXT PRIMARY KEY, name TEXT, geom BLOB) WITHOUT ROWID;"
          + "INSERT INTO v VALUES ('b', 'one', NULL), ('007', 'two', NULL)")
      #expect(try rows() == [#""007" {"name":"two"}"#, #""b" {"name":"one"}"#])
    }

    @Test func `a key beside an id is kept unless it is the number of a row`() throws {
      try make(
        "CREATE TABLE v (code TEXT PRIMARY KEY, id TEXT, geom BLOB);"
          + "INSERT INTO v VALUES ('b', 'x', NULL)")
      #expect(try rows() == [#"none {"code":"b","id":"x"}"#])
    }

    @Test func `no column of a key of several is the id, and all are kept`() throws {
      try make(
        "CREATE TABLE v (a INTEGER, b INTEGER, geom BLOB, PRIMARY KEY (b, a));"
          + "INSERT INTO v VALUES (1, 2, NULL), (2, 1, NULL)")
      #expect(try rows() == [#"none {"a":2,"b":1}"#, #"none {"a":1,"b":2}"#])
    }

    @Test func `columns are generated, too, and found in any case of their names`() throws {
      try make(
        "CREATE TABLE v (fid INTEGER PRIMARY KEY, GEOM BLOB, n INTEGER, "
          + "stored AS (n * 2) STORED, name TEXT AS (n || 'a'));"
          + "INSERT INTO v(fid, n) VALUES (1, 5)")
      #expect(try rows() == [#"1 {"n":5,"stored":10,"name":"5a"}"#])
    }

    @Test func `a table without a column for shapes is told as such, not as damage of the file`()
      throws
    {
      try make("CREATE TABLE v (fid INTEGER PRIMARY KEY, name TEXT)")
      let error = #expect(throws: StoreError.self) { try names() }
      #expect(error?.reason == .unreadableLayer("v", "its table has no column \"geom\""))
    }

    private static let count = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r)"

    @Test(
      .timeLimit(.minutes(2)),
      arguments: [
        // No row ever comes; rows never end; one row takes for ever; bytes without end.
        "CREATE VIEW v AS \(count) SELECT x AS fid, x AS name, NULL AS geom FROM r WHERE x < 0",
        "CREATE VIEW v AS \(count) SELECT x AS fid, x AS name, NULL AS geom FROM r",
        "CREATE VIEW v AS SELECT 1 AS fid, (\(count) SELECT max(x) FROM r) AS name, NULL AS geom",
        """
        CREATE VIEW v AS \(count)
          SELECT x AS fid, hex(zeroblob(400000)) AS name, NULL AS geom FROM r
        """,
        """
        CREATE VIEW w AS SELECT a.fid FROM rows a, rows b, rows c, rows d, rows e, rows f, rows g;
        CREATE VIEW v AS SELECT count(*) AS fid, 'x' AS name, NULL AS geom
          FROM w a, w b, w c, w d, w e
        """,
      ])
    func `a view that never ends is ended, by a limit that has a name`(sql: String) throws {
      try make(sql)
      let error = #expect(throws: StoreError.self) { try names() }
      #expect(error?.code == "work-limit")
      #expect(error?.description.contains("layer \"v\" of \(file) takes more than ") == true)
    }

    @Test func `a list of layers that never ends is ended, too`() throws {
      try make(
        "DROP TABLE gpkg_contents; CREATE VIEW gpkg_contents AS \(ForeignGeoPackageTests.count) "
          + "SELECT 'v' || x AS table_name, 'features' AS data_type, 4326 AS srs_id FROM r")
      #expect(#expect(throws: StoreError.self) { try names() }?.code == "work-limit")
    }

    @Test func `an honest view is read, also one over many rows`() throws {
      try make(
        """
        CREATE VIEW v AS SELECT fid, upper(replace(name, 'o', 'oo')) AS name, geom FROM rows;
        WITH RECURSIVE r(x) AS (SELECT 3 UNION ALL SELECT x + 1 FROM r WHERE x < 200000)
          INSERT INTO rows SELECT x, 'row ' || x, NULL FROM r;
        """)
      let names = try names()
      #expect(names.prefix(3) == ["OONE", "TWOO", "ROOW 3"])
      #expect(names.count == 200_000)
    }

    @Test(arguments: [
      "CREATE VIEW v AS SELECT fid, load_extension('x') AS name, geom FROM rows",
      "CREATE VIEW v AS SELECT fid, zeroblob(100000000) AS name, geom FROM rows",
      "CREATE VIEW v AS SELECT fid, no_such(name) AS name, geom FROM rows",
      "CREATE VIRTUAL TABLE v USING rtree(fid, name, geom)",
      "CREATE VIEW v AS SELECT s.pageno AS fid, s.name, NULL AS geom FROM sqlite_dbpage s",
    ])
    func `what could do harm is refused, with the layer's name`(sql: String) throws {
      try make(sql)
      let error = #expect(throws: StoreError.self) { try names() }
      #expect(
        ["layer-unreadable", "work-limit"].contains(error?.code), "\(error.map { "\($0)" } ?? "")")
      #expect(error?.description.contains("layer \"v\" of \(file) ") == true)
    }

    /// In the write-ahead mode of QGIS, too, and with a log that its program has left.
    @Test func `rows of a table are counted before they are read, those of a view are not`() throws
    {
      try make("CREATE VIEW v AS SELECT * FROM rows")
      let view = try GeoPackageFile(file)
      #expect(try view.count(of: view.layers[0]) == nil)
      try FileManager.default.removeItem(atPath: file)
      try make("CREATE TABLE v AS SELECT * FROM rows; DELETE FROM v WHERE fid = 1")
      let table = try GeoPackageFile(file)
      #expect(try table.count(of: table.layers[0]) == 1)
    }

    @Test(arguments: ["DELETE", "WAL"], [false, true])
    func `nothing is written, neither to the file nor beside it`(mode: String, isOpen: Bool) throws
    {
      try make("PRAGMA journal_mode = \(mode); CREATE VIEW v AS SELECT * FROM rows")
      var handle: OpaquePointer?
      defer { sqlite3_close(handle) }
      if isOpen {
        #expect(sqlite3_open(file, &handle) == SQLITE_OK)
        #expect(
          sqlite3_exec(handle, "INSERT INTO rows VALUES (3, 'three', NULL)", nil, nil, nil)
            == SQLITE_OK)
      }
      // Their -shm holds the locks of readers.
      func state() throws -> [String: Data] {
        var state: [String: Data] = [:]
        for name in try folder.names {
          state[name] =
            name.hasSuffix("-shm") ? Data() : try Data(contentsOf: URL(filePath: folder.path(name)))
        }
        return state
      }
      let before = try state()
      #expect(before.keys.contains("x.gpkg-wal") == (isOpen && mode == "WAL"))
      #expect(try names() == ["one", "two"] + (isOpen ? ["three"] : []))
      #expect(try !AnnotationStore.isStore(file))
      #expect(try state() == before)
    }

    /// Its program was killed in the middle: only it, or SQLite with leave to write, can undo that.
    @Test func `a change that was not finished is neither undone nor read`() throws {
      try make("CREATE VIEW v AS SELECT * FROM rows")
      var handle: OpaquePointer?
      #expect(sqlite3_open(file, &handle) == SQLITE_OK)
      #expect(
        sqlite3_exec(
          handle, "PRAGMA cache_size = 1; BEGIN; UPDATE rows SET name = hex(zeroblob(100000))", nil,
          nil, nil) == SQLITE_OK)
      for name in ["", "-journal"] {
        try FileManager.default.copyItem(
          atPath: file + name, toPath: folder.path("killed.gpkg\(name)"))
      }
      sqlite3_close(handle)
      let before = try Data(contentsOf: URL(filePath: folder.path("killed.gpkg")))
      let error = #expect(throws: StoreError.self) {
        try GeoPackageFile(folder.path("killed.gpkg"))
      }
      #expect(error?.code == "unfinished-change")
      #expect(error?.description.contains("-journal") == true)
      #expect(try Data(contentsOf: URL(filePath: folder.path("killed.gpkg"))) == before)
    }
  }
#endif
