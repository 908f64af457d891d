#if Store
  import AnnotationImport
  import MapAnnotations
  import NearbySearch
  import NearbyTestSupport
  import Testing

  @testable import AnnotationSources
  @testable import NearbyCommand
  @testable import SQLiteStore

  /// The index beside a store.
  @Suite struct StoreIndexingTests {
    @Test(arguments: UInt64(0)..<20)
    func `the whole and each layer are what reading gives`(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      let folder = try Folder()
      func rows(_ columns: String) -> String {
        var text = "id,name,kind,lat,lon,\(columns)\n"
        for row in 0..<Int.random(in: 1...400, using: &random) {
          let id = ["\(row)", "\(row % 7)", "가\(row)", ""].randomElement(using: &random)!
          let kind = ["", "mart", "cinema"].randomElement(using: &random)!
          let place =
            Int.random(in: 0..<9, using: &random) == 0
            ? ","
            : "\(Double.random(in: -90...90, using: &random)),\(Int.random(in: -18...18, using: &random) * 10)"
          text += "\(id),이름 \(row),\(kind),\(place),\"a \"\"\(row)\"\"\"\n"
        }
        return text
      }
      try folder.write(rows("memo"), to: "rows.csv")
      try folder.write(Fixture.shapes, to: "shapes.geojson")
      try folder.write(rows("price"), to: "more.csv")
      let sources = ["rows.csv", "shapes.geojson", "more.csv"].shuffled(using: &random)
        .prefix(Int.random(in: 1...3, using: &random))
      let outcome = try Program.run(["import"] + sources + ["--store", "s.gpkg"], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")

      let store = FileName(argument: folder.url.appending(path: "s.gpkg").path)
      for layer in [nil] + (try StoreSource.layers(of: store)) {
        var reading = SourceReading()
        reading.layer = layer
        let wanted = try Source.read([store], reading, isSilent: true).annotations
        let index = try #require(try StoreSource.index(of: store, reading)).index
        #expect(index.annotations.columns == wanted.columns)
        #expect(index.annotations.collectionMembers.entries == wanted.collectionMembers.entries)
        #expect(index.hasRightShapes)
        let found = index.annotations.sorted { $0.origin!.record < $1.origin!.record }
        #expect(found.count == wanted.count)
        for (found, wanted) in zip(found, wanted) {
          #expect(found.origin == wanted.origin)
          #expect(BasicAnnotation(copying: found) == BasicAnnotation(copying: wanted))
          #expect(found.feature == wanted.feature)
        }
      }
    }

    @Test func `an index that another version kept is built anew`() throws {
      let folder = try Folder()
      try folder.write("id,lat,lon\na,37.5,127\n", to: "a.csv")
      try folder.write("id,lat,lon\nother,37.5,127\n", to: "b.csv")
      _ = try Program.run(["import", "a.csv", "--store", "s.gpkg"], in: folder)
      let store = FileName(argument: folder.url.appending(path: "s.gpkg").path)
      let other = FileName(argument: folder.url.appending(path: "b.csv").path)
      let opened = try AnnotationStore(store.storeName(), .readOnly)
      let name = try opened.name()
      let stamp = try #require(try opened.changeStamp())
      /// The ids that are found where a file beside the store says that it is of some state.
      func ids(_ state: IndexedSources.StoreState) throws -> [String] {
        try IndexDocument.write(
          try Source.read([other], SourceReading(), isSilent: true).annotations,
          IndexedSources(store: state, records: 1),
          to: FileName(bytes: store.bytes + ".nbx".utf8), keptBeside: store)
        let index = try #require(try StoreSource.index(of: store, SourceReading())).index
        return index.annotations.map(\.id.text)
      }
      #expect(try ids(.init(name: name, changeStamp: "\(stamp)")) == ["other"])
      #expect(try ids(.init(name: name, stamp: "\(stamp)")) == ["a"])
    }

    @Test func `records are counted through all layers, and the store is named once`() throws {
      let folder = try Folder()
      let header = "id,name,lat,lon,address\n"
      try folder.write(header + "a1,a,37.5,127,\na2,b,37.51,127.01,\n", to: "a.csv")
      try folder.write(
        """
        \(header)b1,d,37.53,127.03,x
        b2,f,35.1,129.04,서울특별시 중구 세종대로 110
        b3,d,37.53,127.03,x

        """, to: "b.csv")
      try folder.write(
        #"{"type":"FeatureCollection","features":[\#(Self.feature("c1")),\#(Self.feature("c2"))]}"#,
        to: "c.geojson")
      _ = try Program.run(
        ["import", "a.csv", "b.csv", "c.geojson", "--store", "s.gpkg"], in: folder)
      let check = try Program.run(["check", "s.gpkg"], in: folder)
      let text = check.text + check.errors
      #expect(text.contains("far-from-province") && text.contains("s.gpkg:4"), "\(text)")
      #expect(text.contains("duplicate-record") && text.contains("s.gpkg:5"), "\(text)")
      let info = try Program.run(["info", "s.gpkg", "--json"], in: folder).text
      #expect(info.contains(#""sources":["s.gpkg"]"#), "\(info)")
      // A layer of texts without rows says so as one of features does.
      try folder.write(header, to: "b.csv")
      _ = try Program.run(["import", "b.csv", "--store", "s.gpkg"], in: folder)
      let empty = try Program.run(["list", "s.gpkg", "--layer", "b"], in: folder)
      #expect(empty.errors.contains("empty-input"), "\(empty.errors)")
    }

    private static func feature(_ id: String) -> String {
      #"{"type":"Feature","id":"\#(id)","geometry":{"type":"Point","coordinates":[127.2,37.6]},"properties":{"n":1}}"#
    }

    /// A position that another program has put there: longitude 200, latitude 100.
    @Test func `a position that readers reject goes the way of all sources`() throws {
      let folder = try Folder()
      try folder.write("id,lat,lon\na,37.5,127\nb,37.57,126.97\n", to: "rows.csv")
      _ = try Program.run(["import", "rows.csv", "--store", "s.gpkg"], in: folder)
      try Connection(folder.path("s.gpkg"), .readWrite).execute(
        "UPDATE rows SET geom = X'47500001E6100000010100000000000000000069400000000000005940' WHERE id = 'a'"
      )
      let arguments = [
        "--lat", "37.57", "--lon", "126.97", "-k", "all", "--format", "ids", "s.gpkg",
      ]
      let first = try Program.run(arguments, in: folder)
      #expect(first.text == "b\n")
      #expect(first.errors.contains("1 of 2 rows rejected"), "\(first.errors)")
      #expect(try Program.run(arguments, in: folder).text == "b\n")
    }

    @Test(arguments: ["s.gpkg", "s.gpkg --layer rows", "t.gpkg"])
    func `a row at 0,0 that was accepted is there for every command`(store: String) throws {
      let folder = try Folder()
      try folder.write("id,lat,lon\na,0,0\nb,1,1\n", to: "rows.csv")
      let made = try Program.shell(
        "$nearby import rows.csv --store s.gpkg --allow-null-island && "
          + "$nearby import s.gpkg --store t.gpkg", in: folder)
      #expect(made.status == 0, "\(made.errors)")
      for _ in 0..<2 {
        for command in [
          "--lat 0.5 --lon 0.5 -k all --format ids", "list --format ids",
          "bbox 0,0,2,2 --format ids", "convert --format csv | tail -n +2 | cut -d, -f1",
        ] {
          let parts = command.split(separator: "|", maxSplits: 1)
          let outcome = try Program.shell(
            "$nearby \(parts[0]) \(store)" + (parts.count > 1 ? " | \(parts[1])" : ""), in: folder)
          #expect(outcome.lines.sorted() == ["a", "b"], "\(command): \(outcome.errors)")
          #expect(!outcome.errors.contains("rejected"))
          // Whoever asks now has not asked for it.
          #expect(!outcome.errors.contains("null-island"), "\(command): \(outcome.errors)")
        }
      }
    }
  }
#endif
