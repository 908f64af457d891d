#if Store
  import Foundation
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations
  import NearbyTestSupport
  import Testing

  @testable import SQLiteStore

  /// Layers beside what other programs keep in the same GeoPackage.
  @Suite struct LayerNameTests {
    private let folder: Folder
    private var file: String { folder.path("s.gpkg") }

    init() throws { folder = try Folder() }

    /// The database as SQL text by Python's `sqlite3`, which shares no code with the store; without
    /// what the store says of itself.
    private func dump() throws -> String? {
      let script = """
        import sqlite3, sys
        for line in sqlite3.connect(sys.argv[1]).iterdump():
            if 'nearby_store' not in line: print(line)
        """
      return try SystemProgram.run("python3", ["-c", script, file])?.text
    }

    /// What other programs put into a GeoPackage, and a name that it takes.
    static let foreign: [(sql: String, name: String)] = [
      ("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)", "theirs"),
      ("CREATE TABLE Theirs (x); INSERT INTO Theirs VALUES (1)", "tHEIRS"),
      ("CREATE VIEW theirs AS SELECT 1 AS x", "THEIRS"),
      ("CREATE TABLE t (x); CREATE INDEX theirs ON t (x)", "theirs"),
      ("CREATE VIRTUAL TABLE theirs USING rtree(id, a, b)", "theirs"),
      ("CREATE VIRTUAL TABLE rtree_theirs_geom USING rtree(id, a, b)", "theirs"),
      ("CREATE TABLE rtree_theirs_geom_node (x)", "theirs"),
      (
        "INSERT INTO gpkg_contents(table_name, data_type, identifier) "
          + "VALUES ('Theirs', 'tiles', 'x')", "theirs"
      ),
      (
        "CREATE TABLE t (x); INSERT INTO gpkg_contents(table_name, data_type, identifier) "
          + "VALUES ('t', 'attributes', 'theirs')", "theirs"
      ),
      (
        """
        CREATE TABLE theirs (fid INTEGER PRIMARY KEY, geom POINT, n TEXT);
        INSERT INTO theirs VALUES (1, NULL, 'n');
        INSERT INTO gpkg_contents(table_name, data_type, identifier, srs_id)
          VALUES ('theirs', 'features', 'theirs', 4326);
        INSERT INTO gpkg_geometry_columns VALUES ('theirs', 'geom', 'POINT', 4326, 0, 0)
        """, "theirs"
      ),
    ]

    @Test(arguments: foreign.indices)
    func `what another program made is neither replaced nor merged nor dropped`(place: Int) throws {
      let (sql, name) = LayerNameTests.foreign[place]
      let store = try AnnotationStore(file)
      try store.apply(Places.update("ours"), [try Places.shop("a", 1, 2)])
      // Python's connection has no functions of ours, and the store's no trust in the other's.
      let outcome = try SystemProgram.run(
        "python3",
        [
          "-c", "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])",
          file, sql,
        ])
      guard let outcome else { return print("skipped: needs python3") }
      #expect(outcome.status == 0, "\(outcome.text)")
      let before = try dump()
      let attempts: [() throws -> Void] = [
        { try store.apply(Places.update(name), [try Places.shop("b", 1, 2)]) },
        { try store.apply(Places.update(name, policy: .upsert()), [try Places.shop("b", 1, 2)]) },
        { try store.removeLayer(name) },
      ]
      for attempt in attempts {
        let error = #expect(throws: StoreError.self) { try attempt() }
        #expect(error?.code == "name-taken")
        #expect(error?.description.contains("\"\(name)\" in \(file) is ") == true)
        #expect(error?.description.hasSuffix("use another name") == true)
      }
      #expect(try dump() == before)
      #expect(before?.contains("heirs") == true)
      #expect(try store.layerNames() == ["ours"])
      try store.apply(Places.update("others"), [try Places.shop("b", 1, 2)])
    }

    @Test func `the tables of the store and of the standard are no layers to drop`() throws {
      let store = try AnnotationStore(file)
      try store.apply(Places.update(), [try Places.shop("a", 1, 2)])
      try store.addFavorite("a", in: "shops", at: Places.moment)
      for name in [
        "nearby_favorites", "Nearby_Favorites", "nearby_layers", "nearby_store", "gpkg_contents",
        "rtree_shops_geom", "sqlite_master", "SHOPS", "none", "",
      ] {
        let error = #expect(throws: StoreError.self) { try store.removeLayer(name) }
        #expect(["unknown-layer", "name-taken"].contains(error?.code), "\(name)")
      }
      #expect(try store.favorites().map(\.id) == ["a"])
      #expect(try store.annotations(in: "shops").map(\.id) == ["a"])
    }

    /// `ogr2ogr -overwrite -nln shops` does that.
    @Test func `a table that has come in place of a layer is left, and the layer can be forgotten`()
      throws
    {
      let store = try AnnotationStore(file)
      for layer in ["other", "shops"] {
        try store.apply(Places.update(layer), [try Places.shop("a", 1, 2)])
      }
      try Connection(file, .readWrite).execute(
        "DROP TABLE shops; CREATE TABLE shops (fid INTEGER PRIMARY KEY, geom POINT, n TEXT);"
          + "INSERT INTO shops VALUES (1, NULL, 'theirs')")
      #expect(
        #expect(throws: StoreError.self) {
          try store.apply(Places.update(), [] as [BasicAnnotation])
        }?
        .code == "name-taken")
      #expect(
        #expect(throws: StoreError.self) { _ = try store.annotations(in: "shops") }?.reason
          == .missingColumn("id", layer: "shops"))
      try store.removeLayer("shops")
      #expect(try store.layerNames() == ["other"])
      #expect(try store.changeStamp() != nil)
      #expect(try store.connection.text("SELECT n FROM shops") == "theirs")
    }

    @Test func `a table that another program has renamed keeps its rows and its R-tree`() throws {
      let store = try AnnotationStore(file)
      try store.apply(Places.update(), [try Places.shop("a", 1, 2)])
      try Connection(file, .readWrite).execute("ALTER TABLE shops RENAME TO stores")
      let attempts: [() throws -> Void] = [
        { try store.apply(Places.update(), [try Places.shop("b", 1, 2)]) },
        {
          try store.removeLayer("shops")
          try store.apply(Places.update(), [try Places.shop("b", 1, 2)])
        },
      ]
      for attempt in attempts {
        #expect(#expect(throws: StoreError.self) { try attempt() }?.code == "name-taken")
      }
      #expect(try store.layerNames() == [])
      #expect(try store.connection.integer("SELECT count(*) FROM stores") == 1)
      try store.connection.execute("UPDATE stores SET geom = NULL")
      #expect(try store.connection.integer("SELECT count(*) FROM rtree_shops_geom") == 0)
    }

    @Test(arguments: [
      "ALTER TABLE shops RENAME COLUMN v TO w", "ALTER TABLE shops DROP COLUMN v",
    ])
    func `a column that another program has removed is missing until the layer is replaced`(
      sql: String
    ) throws {
      let store = try AnnotationStore(file)
      let shops = [try Places.shop("a", 1, 2, ["v": "x"])]
      try store.apply(Places.update(), shops)
      try Connection(file, .readWrite).execute(sql)
      let attempts: [() throws -> Void] = [
        { _ = try store.annotations(in: "shops") },
        { _ = try store.annotation("a", in: "shops") },
        { try store.forEachRow(in: "shops") { _ in } },
        { try store.apply(Places.update(policy: .upsert()), shops) },
      ]
      for attempt in attempts {
        let error = #expect(throws: StoreError.self) { try attempt() }
        #expect(error?.reason == .missingColumn("v", layer: "shops"))
        #expect(
          error?.description.hasSuffix("; rename it back, or import its source again") == true)
      }
      // What replaces the layer has to know it.
      #expect(try store.layer("shops").count == 1)
      // Not the text "v".
      #expect(throws: StoreError.self) { try store.connection.text("SELECT \"v\" FROM shops") }
      try store.apply(Places.update(), shops)
      #expect(try store.annotations(in: "shops")[0].properties == ["v": "x"])
    }

    @Test func `what another program has added to a table stays its own, whatever is merged`()
      throws
    {
      let store = try AnnotationStore(file)
      try store.apply(Places.update(), [try Places.shop("a", 1, 2)])
      try Connection(file, .readWrite).execute(
        """
        ALTER TABLE shops ADD COLUMN Memo TEXT; UPDATE shops SET Memo = 'theirs, ';
        CREATE INDEX theirs ON shops (Memo); CREATE TABLE log (id TEXT);
        CREATE TRIGGER their AFTER INSERT ON shops BEGIN INSERT INTO log VALUES (NEW.id); END
        """)
      let line = Geometry.lineString([
        Position(longitude: 1, latitude: 2), Position(longitude: 3, latitude: 4),
      ])
      try store.apply(
        Places.update(policy: .upsert()), [try Shape("b", Feature(geometry: line, properties: nil))]
      )
      try store.apply(
        Places.update(policy: .upsert()), [try Places.shop("a", 1, 2, ["memo": "ours"])])
      let shops = try AnnotationStore(file, .readOnly).annotations(in: "shops")
      #expect(shops.map(\.id) == ["a", "b"])
      #expect(shops[0].properties == ["memo": "ours"])
      #expect(shops[1].geometry == line)
      for (sql, expected) in [
        ("SELECT Memo || memo_2 FROM shops WHERE id = 'a'", "theirs, ours"),
        ("SELECT group_concat(id) FROM log", "b"),
        (
          "SELECT sql FROM sqlite_master WHERE name = 'theirs'",
          "CREATE INDEX theirs ON shops (Memo)"
        ),
        ("SELECT type FROM pragma_table_info('shops') WHERE name = 'geom'", "GEOMETRY"),
        ("SELECT geometry_type_name FROM gpkg_geometry_columns", "GEOMETRY"),
        ("SELECT rtreecheck('rtree_shops_geom')", "ok"), ("PRAGMA integrity_check", "ok"),
      ] {
        #expect(try store.connection.text(sql) == expected, "\(sql)")
      }
    }

    @Test func `a layer without one of its own columns cannot be read, and the others can`() throws
    {
      let store = try AnnotationStore(file)
      for layer in ["shops", "other"] {
        try store.apply(Places.update(layer), [try Places.shop("a", 1, 2)])
      }
      let stranger = try Connection(file, .readWrite)
      try stranger.execute("ALTER TABLE shops RENAME COLUMN name TO nm")
      let error = #expect(throws: StoreError.self) { _ = try store.annotations(in: "shops") }
      #expect(error?.reason == .missingColumn("name", layer: "shops"))
      #expect(
        #expect(throws: StoreError.self) {
          try store.apply(Places.update(), [] as [BasicAnnotation])
        }?
        .code == "name-taken")
      #expect(try store.annotations(in: "other").map(\.id) == ["a"])
      try stranger.execute("ALTER TABLE shops RENAME COLUMN nm TO name")
      #expect(try store.annotations(in: "shops").map(\.id) == ["a"])
      // A view with all the columns is not the layer either.
      try stranger.execute(
        "ALTER TABLE shops RENAME TO kept; CREATE VIEW shops AS SELECT * FROM kept")
      let view = #expect(throws: StoreError.self) { _ = try store.annotations(in: "shops") }
      #expect(view?.code == "layer-unreadable")
    }

    @Test(arguments: ["geom", "fid", "name", "feature"])
    func `a layer without one of its own columns says which, also where its rows are counted`(
      column: String
    ) throws {
      let store = try AnnotationStore(file)
      try store.apply(Places.update(), [try Places.shop("a", 1, 2)])
      try Connection(file, .readWrite).execute("ALTER TABLE shops RENAME COLUMN \(column) TO x")
      let attempts: [() throws -> Void] = [
        { _ = try store.layer("shops") }, { _ = try store.layers() },
        { _ = try store.annotations(in: "shops") },
      ]
      for attempt in attempts {
        let error = #expect(throws: StoreError.self) { try attempt() }
        #expect(error?.reason == .missingColumn(column, layer: "shops"))
        #expect(
          error?.description.hasSuffix(
            "; rename it back, or import its source into another layer") == true)
      }
    }

    /// SQLite reads bytes: a mark that combines with a quote does not make another character of it.
    @Test(arguments: [
      "x\u{600}\"(a);COMMIT;DROP TABLE victim;--", "\"\u{301}", "x\"\u{301}\"y", "'\u{301}",
      "\u{600}'\u{301}", "\r\n\"",
    ])
    func `a name is one name, whatever combines with its quotes`(name: String) throws {
      let store = try AnnotationStore(file)
      try store.apply(Places.update("victim"), [try Places.shop("v", 1, 2)])
      // Line ends are for columns alone.
      let layer = name.utf8.contains(0x0A) ? "shops" : name
      for policy in [MergePolicy.replace, .upsert()] {
        try store.apply(
          Places.update(layer, policy: policy), [try Places.shop("a", 1, 2, [name: "x"])])
      }
      try store.addFavorite("a", in: layer, at: Places.moment)
      #expect(
        Set(try store.layerNames().map { Array($0.utf8) })
          == [Array("victim".utf8), Array(layer.utf8)])
      let read = try store.annotations(
        in: BoundingBox(south: 0, west: 1, north: 2, east: 3), layer: layer)
      #expect(read.map(\.id) == ["a"])
      #expect(read.first?.properties == [name: "x"])
      try store.removeLayer(layer)
      #expect(try store.layerNames() == ["victim"])
      #expect(try store.annotations(in: "victim").map(\.id) == ["v"])
      let script = """
        import sqlite3, sys
        print(sqlite3.connect(sys.argv[1]).execute(
          "SELECT count(*) FROM sqlite_master WHERE tbl_name LIKE '%victim%'").fetchone()[0] > 0,
          sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM victim").fetchone()[0])
        """
      guard let outcome = try SystemProgram.run("python3", ["-c", script, file]) else { return }
      #expect(outcome.text == "True 1\n")
    }

    @Test(arguments: ["sqlite_\u{301}x", "Nearby_\u{301}", "GPKG_x", "rtree_"])
    func `a name that begins as reserved ones do is refused, whatever follows`(name: String) throws
    {
      let store = try AnnotationStore(file)
      let error = #expect(throws: StoreError.self) {
        try store.apply(Places.update(name), [try Places.shop("a", 1, 2)])
      }
      #expect(error?.code == "bad-layer-name")
    }

    @Test func `a layer that another program dropped can be dropped, or made again`() throws {
      let store = try AnnotationStore(file)
      for layer in ["a", "b", "c"] {
        try store.apply(Places.update(layer), [try Places.shop("a", 1, 2)])
      }
      try Connection(file, .readWrite).execute("DROP TABLE a; DROP TABLE b")
      #expect(try store.layerNames() == ["c"])
      #expect(try store.layers().map(\.name) == ["c"])
      #expect(
        #expect(throws: StoreError.self) { _ = try store.annotations(in: "a") }?.code
          == "unknown-layer")
      try store.removeLayer("a")
      try store.apply(Places.update("b", policy: .upsert()), [try Places.shop("n", 1, 2)])
      #expect(try store.layerNames() == ["b", "c"])
      #expect(try store.annotations(in: "b").map(\.id) == ["n"])
      #expect(try store.connection.text("SELECT rtreecheck('rtree_b_geom')") == "ok")
    }
  }
#endif
