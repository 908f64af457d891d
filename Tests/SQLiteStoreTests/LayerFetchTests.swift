#if Store
  import MapAnnotations
  import Testing

  @testable import SQLiteStore

  /// What a store knows of the fetch that brought a layer.
  @Suite struct LayerFetchTests {
    private let folder: Folder
    private var file: String { folder.path("s.gpkg") }

    init() throws { folder = try Folder() }

    private struct Stop: Error {}

    @Test
    func `the fields of a fetch are kept as they are, and those of earlier versions are read`()
      throws
    {
      let store = try AnnotationStore(file)
      let fetch = LayerFetch(
        addressDigest: "d", contentDigest: "c", fields: ["id", "a\nb", "", "c\r", "\"\u{301}"])
      var update = Places.update(version: .tag("1"))
      update.fetch = fetch
      try store.apply(update, [try Places.shop("a", 1, 2)])
      #expect(try store.lastFetch(of: "shops") == fetch)
      for (text, fields) in [("id\n\nname\r\nlat", ["id", "", "name\r", "lat"]), ("", [])] {
        try store.connection.run("UPDATE nearby_fetches SET fields = ?", .text(text))
        #expect(try store.lastFetch(of: "shops")?.fields == fields)
      }
    }

    @Test func `a fetch is stored with its content, and not with that of another process`() throws {
      let (store, other) = (try AnnotationStore(file), try AnnotationStore(file))
      func deliver(_ name: String, to store: AnnotationStore) throws {
        var update = Places.update(version: .tag(name))
        update.source = name
        update.fetch = LayerFetch(addressDigest: name, entityTag: "1", contentDigest: name)
        try store.apply(update) { writer in
          // Nobody sees the content without its fetch, nor the fetch of a delivery that fails.
          try writer.append(try Places.shop("a", 1, 2))
          #expect(try other.lastFetch(of: "shops")?.addressDigest != name)
          if name == "failed" { throw Stop() }
        }
      }
      try deliver("first", to: store)
      #expect(throws: Stop.self) { try deliver("failed", to: store) }
      #expect(try other.lastFetch(of: "shops")?.addressDigest == "first")
      var later = try #require(try store.lastFetch(of: "shops"))
      later.entityTag = "2"
      try store.confirm("shops", at: Places.moment, by: later)
      #expect(try store.lastFetch(of: "shops") == later)
      try deliver("second", to: other)
      try store.confirm("shops", at: Places.moment, by: later)
      #expect(try store.lastFetch(of: "shops")?.addressDigest == "second")
    }
  }
#endif
