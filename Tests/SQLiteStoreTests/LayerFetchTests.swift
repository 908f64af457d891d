#if Store
  import Geodesy
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

    @Test func `an edit is told from what a fetch brings, confirms or a geocoder adds`() throws {
      let store = try AnnotationStore(file)
      var update = Places.update(version: .tag("1"))
      var fetch = LayerFetch(addressDigest: "d", contentDigest: "c")
      update.fetch = fetch
      try store.apply(update, [try Places.shop("a", 1, 2), try Places.shop("b")])
      #expect(try !store.isEdited("shops"))
      let later = Places.moment.advanced(by: .seconds(1))
      try store.place("b", in: "shops", at: try Coordinate(latitude: 3, longitude: 4), later)
      fetch.entityTag = "2"
      try store.confirm("shops", at: later, by: fetch)
      #expect(try !store.isEdited("shops"))
      #expect(try store.lastFetch(of: "shops") == fetch)

      let evenLater = Places.moment.advanced(by: .seconds(2))
      try store.put([try Places.shop("c")], removing: ["a"], in: "shops", at: evenLater)
      #expect(try store.isEdited("shops"))
      fetch.entityTag = "3"
      try store.confirm("shops", at: evenLater, by: fetch)
      let place = try Coordinate(latitude: 3, longitude: 4)
      #expect(try store.place("c", in: "shops", at: place, evenLater) == 1)
      #expect(try store.isEdited("shops"))
      #expect(try store.lastFetch(of: "shops")?.entityTag == "2")
      update.takesSameVersion = true
      try store.apply(update, [try Places.shop("a", 1, 2)])
      #expect(try !store.isEdited("shops"))
      // What another delivery brings is no edit.
      var other = LayerUpdate(layer: "shops", refreshed: evenLater)
      other.version = .tag("2")
      try store.apply(other, [try Places.shop("a", 1, 2)])
      #expect(try !store.isEdited("shops"))
    }

    @Test func `a fetch that an earlier version stored is of no edited layer`() throws {
      let store = try AnnotationStore(file)
      var update = Places.update(version: .tag("1"))
      update.fetch = LayerFetch(addressDigest: "d", contentDigest: "c")
      try store.apply(update, [try Places.shop("a", 1, 2)])
      try store.connection.execute("ALTER TABLE nearby_fetches DROP COLUMN changed")
      let moments = [1, 2].map { Places.moment.advanced(by: .seconds($0)) }
      try store.put([try Places.shop("b", 1, 2)], in: "shops", at: moments[0])
      #expect(try !store.isEdited("shops"))
      try store.confirm("shops", at: moments[0], by: update.fetch)
      try store.put([try Places.shop("c", 1, 2)], in: "shops", at: moments[1])
      #expect(try store.isEdited("shops"))
    }
  }
#endif
