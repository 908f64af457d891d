#if Store
  import AnnotationImport
  import IndexFiles
  import NearbySearch
  import SQLiteStore
  import NearbyTestSupport
  import Testing

  @testable import AnnotationSources
  @testable import NearbyCommand

  /// The index beside a store, written from its rows as they are read.
  @Suite struct StoreIndexingTests {
    @Test(arguments: UInt64(0)..<20)
    func `the file is that of the store's features`(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      let folder = try Folder()
      var text = "id,name,kind,lat,lon,memo\n"
      for row in 0..<Int.random(in: 1...400, using: &random) {
        let id = ["\(row)", "\(row % 7)", "가\(row)", ""].randomElement(using: &random)!
        let kind = ["", "mart", "cinema"].randomElement(using: &random)!
        let place =
          Int.random(in: 0..<9, using: &random) == 0
          ? ","
          : "\(Double.random(in: -90...90, using: &random)),\(Int.random(in: -18...18, using: &random) * 10)"
        text += "\(id),이름 \(row),\(kind),\(place),\"a \"\"\(row)\"\"\"\n"
      }
      try folder.write(text, to: "rows.csv")
      try folder.write(Fixture.shapes, to: "shapes.geojson")
      let sources = Bool.random(using: &random) ? ["rows.csv"] : ["rows.csv", "shapes.geojson"]
      let outcome = try Program.run(["import"] + sources + ["--store", "s.gpkg"], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")

      func file(_ name: String) -> FileName {
        FileName(argument: folder.url.appending(path: name).path)
      }
      let store = file("s.gpkg")
      let state = IndexedSources.StoreState(name: "s", stamp: "7")
      let silent = ProgressReport(mode: .never, name: "")
      #expect(try StoreIndexing.write(store, state, to: file("rows.nbx"), silent))
      let annotations = try Source.read([store], SourceReading(), isSilent: true).annotations
      var indexed = IndexedSources(store: state, records: annotations.count)
      let whole = AnnotationIndex(forManyQuestions: annotations)
      let layers = try layerFiles(of: store, whole.rowOrder)
      if layers.count > 1 {
        indexed.layers = layers.map { .init(name: $0.name, byteCount: $0.bytes.count) }
      }
      let packing = RecordPacking(annotations)
      try IndexDocument.write(
        whole, recordFrame: packing.frame, indexed, to: file("features.nbx"),
        layers: layers.count > 1 ? layers.map(\.bytes) : []
      ) { number, bytes throws(IndexFileFailure) in packing.append(number, to: &bytes) }
      #expect(try folder.bytes("rows.nbx") == folder.bytes("features.nbx"))
    }

    /// The index file of each layer, from what reading it as GeoJSON gives.
    ///
    /// - Parameter order: The offset of each row's annotation among all.
    private func layerFiles(
      of store: FileName, _ order: [Int]
    ) throws -> [(name: String, bytes: [UInt8])] {
      var start = 0
      return try StoreSource.layers(of: store).map { name in
        var reading = SourceReading()
        reading.layer = name
        let own = try Source.read([store], reading, isSilent: true).annotations
        defer { start += own.count }
        let rows = order.indices.filter { (start..<start + own.count).contains(order[$0]) }
        return (
          name,
          IndexDocument.layerFile(
            AnnotationIndex(rows.map { own[order[$0] - start] }, shortcuts: .idsAscend),
            recordFrame: RecordPacking(own).frame, rows: rows.map { UInt32($0) },
            firstRecord: start + 1)
        )
      }
    }

    @Test func `a position that readers reject goes the way of all sources`() throws {
      let folder = try Folder()
      try folder.write("id,lat,lon\na,0,0\nb,37.57,126.97\n", to: "rows.csv")
      _ = try Program.run(
        ["import", "rows.csv", "--store", "s.gpkg", "--allow-null-island"], in: folder)
      let arguments = [
        "--lat", "37.57", "--lon", "126.97", "-k", "all", "--format", "ids", "s.gpkg",
      ]
      let first = try Program.run(arguments, in: folder)
      #expect(first.text == "b\n")
      #expect(first.errors.contains("null-island"))
      #expect(try Program.run(arguments, in: folder).text == "b\n")
    }
  }
#endif
