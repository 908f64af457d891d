#if Store
  import Geodesy
  import MapAnnotations
  import NearbyTestSupport
  import Testing

  @testable import SQLiteStore

  @Suite struct MarkTests {
    private let folder: Folder
    private var file: String { folder.path("s.gpkg") }

    init() throws { folder = try Folder() }

    @Test func `a mark outlives its annotation, and finds it again`() throws {
      let store = try AnnotationStore(file)
      try store.apply(Places.update(), [try Places.shop("a", 37, 127, name: "A")])
      try store.addFavorite("a", in: "shops", at: Places.moment)
      try store.apply(Places.update(), [try Places.shop("b", 1, 2)])
      var marks = try store.favorites()
      #expect(marks.map(\.id) == ["a"])
      #expect(!marks[0].isPresent)
      #expect((marks[0].name, marks[0].coordinate?.latitude) == ("A", 37))
      try store.apply(Places.update(), [try Places.shop("a", 38, 127, name: "A2")])
      marks = try store.favorites()
      #expect(marks[0].isPresent)
      #expect((marks[0].name, marks[0].coordinate?.latitude) == ("A2", 38))
    }

    @Test func `a mark is hidden at once, can be brought back, and is gone when purged`() throws {
      let store = try AnnotationStore(file)
      try store.apply(Places.update(), [try Places.shop("a", 37, 127)])
      try store.addFavorite("a", in: "shops", at: Places.moment)
      try store.removeFavorite("a", in: "shops", at: Places.moment)
      #expect(try store.favorites().isEmpty)
      #expect(try store.favorites(includesHidden: true).map(\.hidden) == [Places.moment])
      // The second time there is nothing to bring back.
      for _ in 0..<2 {
        try store.restoreFavorite("a", in: "shops")
        #expect(try store.favorites().map(\.hidden) == [nil])
      }
      try store.removeFavorite("a", in: "shops", at: Places.moment)
      #expect(try store.purgeFavorites(removedBefore: Places.moment) == 0)
      let later = Instant(milliseconds: Places.moment.milliseconds + 1)
      #expect(try store.purgeFavorites(removedBefore: later) == 1)
      #expect(throws: StoreError.self) { try store.restoreFavorite("a", in: "shops") }
      #expect(throws: StoreError.self) {
        try store.addFavorite("none", in: "shops", at: Places.moment)
      }
    }

    @Test func `marks are listed as they were last where a layer cannot be read`() throws {
      let store = try AnnotationStore(file)
      for (layer, id) in [("shops", AnnotationID("a")), ("other", AnnotationID("b"))] {
        try store.apply(Places.update(layer), [try Places.shop(id, 37, 127, name: "last")])
        try store.addFavorite(id, in: layer, at: Places.moment)
        try store.apply(Places.update(layer), [try Places.shop(id, 38, 127, name: "now")])
      }
      try Connection(file, .readWrite).execute("ALTER TABLE shops RENAME COLUMN name TO nom")
      let marks = try store.favorites()
      #expect(marks.map(\.name) == ["last", "now"])
      #expect(marks.map(\.coordinate?.latitude) == [37, 38])
      #expect(marks.map(\.isPresent) == [true, true])
      #expect(marks.map(\.problem?.reason) == [.missingColumn("name", layer: "shops"), nil])
    }

    @Test func `marks are listed nearest first, those without a position last`() throws {
      let store = try AnnotationStore(file)
      try store.apply(
        Places.update(),
        [
          try Places.shop("far", 1, 2), try Places.shop("none"), try Places.shop("10", 37, 127),
          try Places.shop("9", 37, 127),
        ])
      for id in ["far", "none", "10", "9"] {
        try store.addFavorite(AnnotationID(id), in: "shops", at: Places.moment)
      }
      let here = try Coordinate(latitude: 37, longitude: 127)
      #expect(try store.favorites(from: here).map(\.id) == ["9", "10", "far", "none"])
    }
  }
#endif
