#if Store
  import Foundation
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations
  import NearbyTestSupport
  import Testing

  @testable import SQLiteStore

  @Suite struct AnnotationStoreTests {
    private let folder: Folder
    private var file: String { folder.path("s.gpkg") }

    init() throws { folder = try Folder() }

    private struct Stop: Error {}

    private func ids(_ store: AnnotationStore, _ layer: String = "shops") throws -> [String] {
      try store.annotations(in: layer).map(\.id.text)
    }

    // MARK: Whole and lossless

    @Test func `rows of a table come back with every column, in order`() throws {
      let rows = [
        try Places.shop("7", 37.5, 127, name: "가게", ["id": "7", "name": "가게", "전화": "02-1"]),
        try Places.shop("007", nil, nil, ["id": "007", "name": "", "전화": ""]),
        try Places.shop("x\"y'", -90, -180, ["id": "x\"y'", "name": "NULL", "전화": "\u{1}"]),
        try Places.shop("twice", 1, 2, ["a": "1", "a": "2", "A": "3", "fid": "4", "geom": "5"]),
        try Places.shop(
          "typed", 1, 2, ["n": .number("1.50"), "b": true, "z": nil, "l": .array(["a", 1])]),
        try Places.shop("order", 1, 2, ["전화": "1", "id": "order"]),
      ]
      let store = try AnnotationStore(file)
      try store.apply(Places.update(), rows)
      let back = try AnnotationStore(file, .readOnly).annotations(in: "shops")
      #expect(back.count == rows.count)
      for (row, stored) in zip(rows, back) {
        var common = stored.common
        common.origin = nil
        #expect(common == row)
        #expect(stored.feature == nil)
      }
    }

    @Test func `features come back with shape, id, bbox and foreign members`() throws {
      let text = """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","id":7,"geometry":{"type":"Point","coordinates":[180,37,55.5]},"properties":{"n":1.0,"big":12345678901234567890,"nested":{"a":1}},"foreign":[1]},
        {"type":"Feature","id":"007","bbox":[127,37,128,37],"geometry":{"type":"LineString","coordinates":[[127,37],[128,37]]},"properties":null},
        {"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"name":"p"}},
        {"type":"Feature","id":"null","geometry":null,"properties":{}}]}
        """
      var shapes: [Shape] = []
      try Array(text.utf8).withUnsafeBufferPointer { bytes in
        _ = try GeoJSONReader(framing: .automatic).read(bytes) { record in
          if case .success(let feature) = record.feature {
            let id = feature.id?.text ?? String(record.number)
            if let shape = try? Shape(AnnotationID(id), feature) { shapes.append(shape) }
          }
          return .readOn
        }
      }
      let store = try AnnotationStore(file)
      try store.apply(Places.update(), shapes)
      let back = try store.annotations(in: "shops")
      #expect(back.map(\.feature) == shapes.map(\.feature))
      #expect(back.map(\.id.text) == ["7", "007", "3", "null"])
      #expect(back.map(\.coordinate) == shapes.map(\.coordinate))
    }

    @Test func `an altitude at some positions is none at the others`() throws {
      func at(_ longitude: Double, _ altitude: Double? = nil) -> Position {
        Position(longitude: longitude, latitude: 2, altitude: altitude)
      }
      let shapes: [Geometry?] = [
        .lineString([at(1, 5), at(2), at(3, 0)]), .multiPoint([at(1), at(2, 5)]),
        .polygon([[at(0), at(1, 5), Position(longitude: 1, latitude: 3), at(0)]]),
        .geometryCollection([
          .point(at(1)), .multiLineString([[at(1), at(2, 5)], [at(3), at(4)]]),
        ]),
      ]
      let store = try AnnotationStore(file)
      try store.apply(
        Places.update(),
        try shapes.enumerated().map {
          try Shape(AnnotationID($0.offset), Feature(geometry: $0.element, properties: [:]))
        })
      #expect(try store.annotations(in: "shops").map(\.geometry) == shapes)
      #expect(try store.annotations(in: "shops").map(\.feature?.geometry) == shapes)
      // Another program gives the second position an altitude.
      let raised = Geometry.lineString([at(1, 5), at(2, 6), at(3, 0)])
      let blob = GeometryBlob.encode(raised).bytes
      try Connection(file, .readWrite).run("UPDATE shops SET geom = ? WHERE fid = 1", .blob(blob))
      #expect(try store.annotation(0, in: "shops")?.geometry == raised)
    }

    @Test func `several spans of days are kept`() throws {
      var shop = try Places.shop("a", 1, 2)
      let day = try #require(CalendarDate("2026-01-31"))
      shop.validDates = [DateSpan(first: nil, last: day), DateSpan(first: day, last: nil)]
      let store = try AnnotationStore(file)
      try store.apply(Places.update(), [shop])
      #expect(try store.annotations(in: "shops")[0].validDates == shop.validDates)
    }

    // MARK: GeoPackage

    @Test func `the R-tree agrees with a scan and passes SQLite's own check`() throws {
      for (count, layer) in [(1, "one"), (40, "few"), (51, "full"), (52, "split"), (6_000, "deep")]
      {
        let (points, _) = PointSet.city.sample(count, seed: 5)
        let shops = points.enumerated().map {
          BasicAnnotation(id: AnnotationID($0.offset), coordinate: $0.element)
        }
        let store = try AnnotationStore(file)
        try store.apply(Places.update(layer), shops)
        let tree = GeoPackageSchema.rTreeName(of: layer)
        #expect(try store.connection.text("SELECT rtreecheck('\(tree)')") == "ok")
        for first in stride(from: 0, to: count, by: max(1, count / 7)) {
          let a = points[first]
          let b = points[(first + count / 3) % count]
          let box = try BoundingBox(
            south: min(a.latitude, b.latitude), west: min(a.longitude, b.longitude),
            north: max(a.latitude, b.latitude), east: max(a.longitude, b.longitude))
          let expected = shops.filter { $0.coordinate.map(box.contains) ?? false }.map(\.id)
          #expect(try store.annotations(in: box, layer: layer).map(\.id) == expected)
        }
      }
    }

    @Test func `changes keep the R-tree, extent and stamp, also those of another program`() throws {
      let store = try AnnotationStore(file)
      try store.apply(
        Places.update(),
        try (0..<200).map { try Places.shop(AnnotationID($0), 30 + Double($0) / 100, 127) })
      let stamp = try #require(try store.changeStamp())
      var update = Places.update(policy: .upsert())
      update.denied = ["0"]
      try store.apply(update, [try Places.shop("5", 50, 100), try Places.shop("new", nil, nil)])
      #expect(try #require(try store.changeStamp()).number > stamp.number)
      let layer = try store.layer("shops")
      #expect((layer.count, layer.unplacedCount) == (200, 1))
      #expect(
        try layer.extent == BoundingBox(south: 30.01, west: 100, north: 50, east: 127))
      let tree = GeoPackageSchema.rTreeName(of: "shops")
      #expect(try store.connection.integer("SELECT count(*) FROM \(quoted(tree))") == 199)
      #expect(try store.connection.text("SELECT rtreecheck('\(tree)')") == "ok")

      let before = try #require(try store.changeStamp())
      let other = try Connection(file, .readWrite)
      try other.execute("UPDATE shops SET name = 'other' WHERE id = '7'")
      #expect(try store.changeStamp()?.number == before.number + 1)
      #expect(try store.annotation("7", in: "shops")?.name == "other")
    }

    @Test func `GDAL's validator and ogrinfo find nothing to complain of`() throws {
      try AnnotationStore.write(to: folder.path("x.gpkg")) { store in
        try store.apply(
          Places.update("café 점"),
          [try Places.shop("1", 37, 127, name: "a", ["col \"x\"": "v"]), try Places.shop("2")])
        let line = Geometry.lineString([
          Position(longitude: 1, latitude: 2, altitude: 3), Position(longitude: 3, latitude: 4),
        ])
        try store.apply(
          Places.update("lines"),
          [
            try Shape(
              "p", Feature(geometry: .point(Position(longitude: 1, latitude: 2)), properties: [:])),
            try Shape("l", Feature(geometry: line, properties: ["n": 1])),
          ])
        try store.addFavorite("1", in: "café 점", at: Places.moment)
      }
      #expect(try folder.names == ["x.gpkg"])
      let script = "/usr/lib/python3/dist-packages/osgeo_utils/samples/validate_gpkg.py"
      if FileManager.default.fileExists(atPath: script),
        let verdict = try SystemProgram.run("python3", [script, "--extra", folder.path("x.gpkg")])
      {
        #expect(verdict.status == 0, "\(verdict.text)")
      } else {
        print("skipped: needs Debian's python3-gdal")
      }
      if let listing = try SystemProgram.run("ogrinfo", ["-al", folder.path("x.gpkg")]) {
        #expect(listing.status == 0)
        #expect(listing.text.contains("LINESTRING Z (1 2 3,3 4 0)"), "\(listing.text)")
        #expect(listing.text.contains("Feature Count: 2"))
        #expect(!listing.text.contains("Warning"), "\(listing.text)")
      } else {
        print("skipped: needs Debian's gdal-bin")
      }
    }

    // MARK: Updates

    @Test func `an update is whole or nothing, and readers have the old state meanwhile`() throws {
      let store = try AnnotationStore(file)
      try store.apply(Places.update(version: .number(1)), [try Places.shop("a", 1, 2)])
      let reader = try AnnotationStore(file, .readOnly)
      #expect(throws: Stop.self) {
        try store.apply(Places.update(version: .number(2))) { writer in
          try writer.append(try Places.shop("b", 1, 2))
          #expect(try ids(reader) == ["a"])
          throw Stop()
        }
      }
      #expect(try ids(store) == ["a"])
      #expect(try store.layer("shops").version == .number(1))
      try store.apply(Places.update(version: .number(2))) { writer in
        try writer.append(try Places.shop("b", 1, 2))
        #expect(try ids(reader) == ["a"])
      }
      #expect(try ids(reader) == ["b"])
    }

    @Test(arguments: [
      (SourceVersion.number(7), SourceVersion.number(7), false), (.number(7), .number(6), false),
      (.number(7), .number(8), true), (.tag("x"), .tag("x"), false), (.tag("x"), .tag("y"), true),
      (.tag("7"), .number(7), true),
    ])
    func `an equal or a lower version is nothing new`(
      held: SourceVersion, new: SourceVersion, isTaken: Bool
    ) throws {
      let store = try AnnotationStore(file)
      try store.apply(Places.update(version: held), [try Places.shop("a", 1, 2)])
      var isAsked = false
      let outcome = try store.apply(Places.update(version: new)) { _ in isAsked = true }
      #expect(isAsked == isTaken)
      if !isTaken { #expect(outcome == .upToDate(held)) }
      #expect(try ids(store) == (isTaken ? [] : ["a"]))
    }

    @Test func `merging keeps what is not blank and replaces lists`() throws {
      let store = try AnnotationStore(file)
      let old = try Places.shop(
        "a", 37, 127, name: "Old",
        ["name": "Old", "phone": "1", "days": .array(["mo", "tu"]), "note": "n", "first": "f"])
      try store.apply(Places.update(), [old, try Places.shop("b", 1, 2)])
      let rules: [String: MergePolicy.FieldRule] = ["note": .replace, "first": .keepFirst]
      let new = try Places.shop(
        "a", nil, nil, name: " ",
        ["name": " ", "phone": "2", "days": .array(["we"]), "note": "", "first": "g", "more": "m"])
      let outcome = try store.apply(
        Places.update(policy: .upsert(rules: rules)),
        [new, try Places.shop("b", 1, 2), try Places.shop("c", 3, 4)])
      guard case .applied(let counts) = outcome else { return #expect(Bool(false)) }
      #expect((counts.added, counts.changed, counts.unchanged) == (1, 1, 1))
      let merged = try #require(try store.annotation("a", in: "shops"))
      #expect(merged.name == "Old")
      #expect(merged.coordinate == old.coordinate)
      #expect(
        merged.properties == [
          "name": "Old", "phone": "2", "days": .array(["we"]), "note": "", "first": "f",
          "more": "m",
        ])
      #expect(try ids(store) == ["a", "b", "c"])
      #expect(try store.layer("shops").policy == .upsert(rules: rules))
    }

    @Test(arguments: ["", " ", "-", "n/a", "NULL", #"\N"#])
    func `a text that means no value replaces none, and is replaced`(text: String) throws {
      let store = try AnnotationStore(file)
      let value = PropertyValue.string(text)
      try store.apply(
        Places.update(),
        [try Places.shop("a", 37, 127, ["old": "1", "new": value, "first": value, "null": nil])])
      let rules: [String: MergePolicy.FieldRule] = ["first": .keepFirst]
      try store.apply(
        Places.update(policy: .upsert(rules: rules)),
        [try Places.shop("a", 37, 127, ["old": value, "new": "2", "first": "3", "null": value])])
      let merged = try #require(try store.annotation("a", in: "shops"))
      #expect(merged.properties == ["old": "1", "new": "2", "first": "3", "null": nil])
    }

    @Test func `columns that look alike are not copied into each other`() throws {
      let store = try AnnotationStore(file)
      // One character, and two that make it; then a name twice, and one of another case and width.
      let names = ["caf\u{E9}", "cafe\u{301}", "x", "x", "X", "\u{FF58}", " x"]
      func shop(_ texts: [String]) throws -> BasicAnnotation {
        try Places.shop(
          "a", 37, 127,
          Properties(zip(names, texts).map { Properties.Entry(name: $0, value: .string($1)) }))
      }
      try store.apply(Places.update(), [try shop(["1", "2", "3", "4", "5", "6", "7"])])
      func stored() throws -> [String?] {
        let entries = try #require(try store.annotation("a", in: "shops")).properties.entries
        #expect(zip(entries, names).allSatisfy { $0.name.utf8.elementsEqual($1.utf8) })
        return entries.map(\.value.text)
      }
      #expect(try stored() == ["1", "2", "3", "4", "5", "6", "7"])
      try store.apply(
        Places.update(policy: .upsert()), [try shop(["a", "", "c", "d", "", "f", "g"])])
      #expect(try stored() == ["a", "2", "c", "d", "5", "f", "g"])
    }

    @Test func `a merge keeps foreign members, and the box of a geometry that stays`() throws {
      let line = Geometry.lineString([
        Position(longitude: 1, latitude: 2), Position(longitude: 3, latitude: 4),
      ])
      let old = Feature(
        id: "a", geometry: line, properties: ["x": 1], bbox: [1, 2, 3, 4],
        foreignMembers: ["m": "old", "n": 5])
      let store = try AnnotationStore(file)
      try store.apply(Places.update(), [try Shape("a", old)])
      func merged(_ new: some StorableAnnotation) throws -> Feature? {
        try store.apply(Places.update(policy: .upsert()), [new])
        return try #require(try store.annotation("a", in: "shops")).feature
      }
      var wanted = old
      wanted.properties = ["x": 2]
      wanted.foreignMembers = ["m": "new", "n": 5, "o": 6]
      let unplaced = Feature(
        id: "a", geometry: nil, properties: ["x": 2], foreignMembers: ["m": "new", "o": 6])
      #expect(try merged(Shape("a", unplaced)) == wanted)
      // A row of a table.
      wanted.properties = ["x": "3"]
      #expect(try merged(Places.shop("a", nil, nil, ["x": "3"])) == wanted)
      wanted.geometry = .point(Position(longitude: 5, latitude: 6))
      wanted.bbox = nil
      #expect(
        try merged(Shape("a", Feature(id: "a", geometry: wanted.geometry, properties: [:])))
          == wanted)
    }

    @Test func `a merge stores another Unicode form, wherever the text is`() throws {
      let (one, two) = ("caf\u{E9}", "cafe\u{301}")
      func forms(_ text: String) throws -> [any StorableAnnotation] {
        let point = Geometry.point(Position(longitude: 1, latitude: 2))
        return [
          try Places.shop("name", 1, 2, name: text),
          try Places.shop("value", 1, 2, ["x": .string(text)]),
          try Places.shop("list", 1, 2, ["x": .array([.object(["y": .string(text)])])]),
          try Shape(
            "member",
            Feature(geometry: point, properties: [:], foreignMembers: ["m": .string(text)])),
        ]
      }
      func deliver(_ text: String) throws -> UpdateOutcome {
        try AnnotationStore(file).apply(Places.update(policy: .upsert())) { writer in
          for annotation in try forms(text) { try writer.append(annotation) }
        }
      }
      _ = try deliver(one)
      for text in [two, one, one] {
        let held = try AnnotationStore(file, .readOnly).annotations(in: "shops")
        let isSame = held[0].name?.utf8.elementsEqual(text.utf8) == true
        guard case .applied(let counts) = try deliver(text) else { return #expect(Bool(false)) }
        #expect(counts.changed == (isSame ? 0 : 4))
        #expect(counts.unchanged == (isSame ? 4 : 0))
        let now = try AnnotationStore(file, .readOnly).annotations(in: "shops")
        #expect(now[0].name?.utf8.elementsEqual(text.utf8) == true)
        #expect(now[1].properties["x"]?.text?.utf8.elementsEqual(text.utf8) == true)
      }
    }

    @Test func `a shape that arrives in a layer of points is kept`() throws {
      let store = try AnnotationStore(file)
      try store.apply(Places.update(), [try Places.shop("a", 1, 2, ["x": "1"])])
      let line = Geometry.lineString([
        Position(longitude: 1, latitude: 2), Position(longitude: 3, latitude: 4),
      ])
      try store.apply(
        Places.update(policy: .upsert()),
        [try Shape("l", Feature(id: "l", geometry: line, properties: ["y": "2"]))])
      let back = try store.annotations(in: "shops")
      #expect(back.map(\.geometry) == [.point(Position(longitude: 2, latitude: 1)), line])
      #expect(back[0].properties == ["x": "1"])
      #expect(
        try store.connection.text("SELECT rtreecheck('rtree_shops_geom')") == "ok")
    }

    @Test(arguments: ["", "gpkg_x", "RTREE_x", "nearby_layers", "a\nb"])
    func `a name that no table can have is refused`(name: String) throws {
      let store = try AnnotationStore(file)
      let error = #expect(throws: StoreError.self) { try store.apply(Places.update(name)) { _ in } }
      #expect(error?.code == "bad-layer-name")
    }

    // MARK: Files

    @Test func `what is no store is told, and left as it is`() throws {
      try Data("hello, not a database at all, really".utf8)
        .write(to: folder.url.appending(path: "t.gpkg"))
      #expect(
        #expect(throws: StoreError.self) { try AnnotationStore(folder.path("t.gpkg")) }?.code
          == "store-damaged")
      #expect(
        #expect(throws: StoreError.self) { try AnnotationStore(folder.path("no"), .readOnly) }?
          .code == "no-such-file")
      try Data().write(to: folder.url.appending(path: "p.db"))
      let plain = try Connection(folder.path("p.db"), .readWrite)
      try plain.execute("CREATE TABLE t (x)")
      #expect(
        #expect(throws: StoreError.self) { try AnnotationStore(folder.path("p.db")) }?.code
          == "not-a-geopackage")
    }

    @Test func `a store of a later version is refused and not touched`() throws {
      do {
        let store = try AnnotationStore(file)
        try store.connection.execute("UPDATE nearby_store SET schema = 99")
      }
      let error = #expect(throws: StoreError.self) { try AnnotationStore(file) }
      #expect(error?.reason == .newer(schema: 99, known: StoreSchema.version))
    }

    @Test func `a store of schema 0 is damaged, and no later version opens it`() throws {
      do {
        let store = try AnnotationStore(file)
        try store.connection.execute("UPDATE nearby_store SET schema = 0")
      }
      let error = #expect(throws: StoreError.self) { try AnnotationStore(file) }
      #expect(error?.reason == .notADatabase("it does not say its schema"))
    }

    @Test func `a second writer is told when it has waited long enough`() throws {
      let first = try AnnotationStore(file)
      try first.apply(Places.update(), [try Places.shop("a", 1, 2)])
      let second = try AnnotationStore(file, .readWrite, patience: 50)
      try first.apply(Places.update()) { writer in
        try writer.append(try Places.shop("b", 1, 2))
        let error = #expect(throws: StoreError.self) {
          try second.apply(Places.update("other"), [try Places.shop("c", 1, 2)])
        }
        #expect(error?.reason == .busy(waited: 50))
      }
      try second.apply(Places.update("other"), [try Places.shop("c", 1, 2)])
      #expect(try first.layerNames() == ["other", "shops"])
    }

    /// Made by version 1, its first release; every later version opens it, and it stays as it is.
    @Test func `a store that version 1 made opens and is whole`() throws {
      try Places.copyFirstVersion(to: file)
      let store = try AnnotationStore(file)
      #expect(try StoreSchema.version(of: store.connection) == StoreSchema.version)
      #expect(try store.layerNames() == ["shapes", "shops"])
      #expect(try ids(store) == ["1", "2", "10", "a", "02", "-3", "5"])
      #expect(try store.layer("shops").unplacedCount == 1)
      #expect(try store.annotations(in: "shapes").count == 8)
      #expect(try store.favorites().map(\.id) == ["a"])
      try store.apply(Places.update(policy: .upsert()), [try Places.shop("new", 1, 2)])
      #expect(try ids(store).count == 8)
    }

    @Test func `compaction gives the space back and keeps everything`() throws {
      let store = try AnnotationStore(file)
      let shops = try (0..<3_000).map {
        try Places.shop(AnnotationID($0), 1, 2, name: "name \($0)")
      }
      try store.apply(Places.update(), shops)
      try store.apply(Places.update("other"), shops)
      try store.removeLayer("other")
      let before = try store.connection.integer("PRAGMA page_count") ?? 0
      try store.compact()
      #expect(try store.connection.integer("PRAGMA page_count") ?? 0 < before * 2 / 3)
      #expect(try ids(store).count == 3_000)
    }

    @Test func `the columns of the first row change no declaration of a new layer`() throws {
      let store = try AnnotationStore(folder.path("columns.gpkg"))
      func changes(_ properties: [Properties]) throws -> Int {
        let before = try store.connection.integer("PRAGMA schema_version") ?? 0
        let shops = try properties.enumerated().map {
          try Places.shop(AnnotationID($0.offset), 1, 2, $0.element)
        }
        try store.apply(Places.update(), shops)
        let after = try store.connection.integer("PRAGMA schema_version") ?? 0
        try store.removeLayer("shops")
        return after - before
      }
      let least = try changes([[:]])
      #expect(try changes([]) == least)
      #expect(try changes([["a": 1, "b": 2, "c": "x"], ["b": 3]]) == least)
      #expect(try changes([["a": 1], ["a": 2, "b": 3, "c": "x"]]) == least + 2)
    }
  }
#endif
