#if Store
  import Foundation
  import MapAnnotations
  import Testing

  @testable import SQLiteStore

  /// What tells an index that it is out of date.
  @Suite struct ChangeStampTests {
    private let folder: Folder
    private var file: String { folder.path("s.gpkg") }

    init() throws { folder = try Folder() }

    private func fill(_ file: String, _ ids: [String]) throws -> AnnotationStore {
      let store = try AnnotationStore(file)
      try store.apply(Places.update(), try ids.map { try Places.shop(AnnotationID($0), 1, 2) })
      return store
    }

    @Test func `a store restored from a copy comes to the same number and to another stamp`() throws
    {
      try fill(file, ["a"]).compact()
      try FileManager.default.copyItem(atPath: file, toPath: folder.path("copy.gpkg"))
      var stamps: [ChangeStamp] = []
      for name in ["s.gpkg", "copy.gpkg", "copy.gpkg"] {
        let store = try AnnotationStore(folder.path(name), .readOnly)
        stamps.append(try #require(try store.changeStamp()))
      }
      #expect(Set(stamps).count == 1)
      for name in ["s.gpkg", "copy.gpkg"] {
        stamps.append(try #require(try fill(folder.path(name), ["b"]).changeStamp()))
      }
      #expect(stamps[3].number == stamps[4].number)
      #expect(stamps[3].number > stamps[0].number)
      #expect(Set(stamps.map(\.state)).count == 3)
      #expect(Set(stamps.map(\.description)).count == 3)
    }

    @Test(arguments: [
      "INSERT INTO shops(id) VALUES ('n')", "UPDATE shops SET name = 'n'", "DELETE FROM shops",
      "INSERT OR REPLACE INTO shops(fid, id) VALUES (1, 'n')",
    ])
    func `every change by another program gives another stamp, and one undone none`(sql: String)
      throws
    {
      let store = try fill(file, ["a", "b"])
      let before = try #require(try store.changeStamp())
      let other = try Connection(file, .readWrite)
      try other.execute("BEGIN; \(sql); ROLLBACK")
      #expect(try store.changeStamp() == before)
      try other.execute(sql)
      let after = try #require(try store.changeStamp())
      #expect(after.state != before.state && after.number > before.number)
    }

    @Test(arguments: [
      "ALTER TABLE shops RENAME COLUMN phone TO telephone", "ALTER TABLE shops DROP COLUMN phone",
      "ALTER TABLE shops DROP COLUMN phone; ALTER TABLE shops ADD COLUMN phone TEXT",
    ])
    func `every change to a layer's columns gives another stamp, and a mark the same`(sql: String)
      throws
    {
      let store = try AnnotationStore(file)
      try store.apply(
        Places.update(),
        try ["a", "b"].map { try Places.shop(AnnotationID($0), 1, 2, ["phone": "1"]) })
      // The first mark makes an index of ids.
      try store.addFavorite("a", in: "shops", at: Places.moment)
      let before = try #require(try store.changeStamp())
      try store.addFavorite("b", in: "shops", at: Places.moment)
      try store.confirm("shops", at: Places.moment)
      #expect(try store.changeStamp() == before)
      try Connection(file, .readWrite).execute(sql)
      let after = try #require(try store.changeStamp())
      #expect(after != before && after.description != before.description)
      #expect((after.number, after.state) == (before.number, before.state))
    }

    @Test(arguments: [
      "DROP TABLE shops", "DROP TRIGGER nearby_stamp_shops_update",
      // As GDAL renames a layer: the R-tree and its triggers go along, the store's triggers do not.
      """
      DROP TRIGGER rtree_shops_geom_insert; DROP TRIGGER rtree_shops_geom_update1;
      DROP TRIGGER rtree_shops_geom_update2; DROP TRIGGER rtree_shops_geom_update3;
      DROP TRIGGER rtree_shops_geom_update4; DROP TRIGGER rtree_shops_geom_delete;
      ALTER TABLE rtree_shops_geom RENAME TO rtree_stores_geom; ALTER TABLE shops RENAME TO stores
      """,
    ])
    func `there is no stamp where a change would not be told`(sql: String) throws {
      let store = try fill(file, ["a"])
      try Connection(file, .readWrite).execute(sql)
      #expect(try store.changeStamp() == nil)
      _ = try fill(file, ["b"])
      #expect(try store.changeStamp() != nil)
      #expect(try store.annotations(in: "shops").map(\.id) == ["b"])
    }

    /// The fixture is the file that version 1 made.
    @Test func `a store of version 1 has no stamp before it is written to, and then a whole one`()
      throws
    {
      try Places.copyFirstVersion(to: file)
      let bytes = try Data(contentsOf: URL(filePath: file))
      do {
        let reader = try AnnotationStore(file, .readOnly)
        #expect(try reader.changeStamp() == nil)
        #expect(try reader.annotations(in: "shops").count == 7)
      }
      #expect(try Data(contentsOf: URL(filePath: file)) == bytes)
      let store = try AnnotationStore(file, .readWrite)
      var stamps = [try #require(try store.changeStamp())]
      for layer in ["shops", "shapes"] {
        try Connection(file, .readWrite).execute("UPDATE \(layer) SET name = 'n' WHERE fid = 1")
        stamps.append(try #require(try store.changeStamp()))
      }
      #expect(Set(stamps.map(\.state)).count == 3)
      #expect(!stamps.map(\.state).contains(0))
    }
  }
#endif
