#if Store && CommandLine
  import AnnotationImport
  import Foundation
  import GeoJSONCoding
  import Geodesy
  import IndexFiles
  import MapAnnotations
  import NearbySearch
  import NearbyTestSupport
  import Testing

  @testable import AnnotationSources
  @testable import NearbyCommand
  @testable import SQLiteStore

  /// `--layer` of a store: answered from the index beside it, as if there were no other layer.
  @Suite struct LayerIndexTests {
    private let folder: Folder

    /// Three layers whose ids are the same, with other columns each, and coincident places.
    init() throws {
      folder = try Folder()
      var random = SeededGenerator(seed: 11)
      func place() -> String {
        "\(37 + Double(Int.random(in: 0..<60, using: &random)) / 60),\(127 - Double(Int.random(in: 0..<60, using: &random)) / 60)"
      }
      var a = "id,name,kind,lat,lon,rating,opening_hours\n"
      for row in 0..<300 {
        let kind = ["cinema", "mart", ""].randomElement(using: &random)!
        a +=
          "\(row % 250),A \(row),\(kind),\(row % 13 == 5 ? "," : place()),\(row % 6),Mo-Fr 09:00-1\(row % 9):00\n"
      }
      var c = "id,lat,lon,price\n"
      for row in 0..<12 { c += "\(row),\(place()),\(row)\n" }
      try folder.write(a, to: "a.csv")
      try folder.write(Fixture.shapes, to: "b.geojson")
      try folder.write(c, to: "c.csv")
      _ = try run("import", "a.csv", "b.geojson", "c.csv", "--store", "s.gpkg")
    }

    @discardableResult
    private func run(_ arguments: String...) throws -> Program.Outcome {
      try Program.run(arguments, in: folder)
    }

    private func file(_ name: String) -> FileName {
      FileName(argument: folder.url.appending(path: name).path)
    }

    private static func reading(_ layer: String) -> SourceReading {
      var reading = SourceReading()
      reading.layer = layer
      reading.differs = true
      return reading
    }

    /// macOS has names of files, and so of layers, in the one form, and keyboards type the other.
    @Test func `a layer is found by the other Unicode form of its name`() throws {
      let parts = "\u{1109}\u{1161}\u{11BC}\u{110C}\u{1165}\u{11B7}"
      try folder.write("id,lat,lon\nzz,1,2\n", to: "\(parts).csv")
      try run("import", "\(parts).csv", "--store", "s.gpkg")
      for command in [["list"], ["1,2"]] {
        let only = try Program.run(
          command + ["s.gpkg", "--layer", "상점", "--format", "ids"], in: folder)
        #expect(only.text == "zz\n", "\(only.errors)")
      }
      try run("favorite", "add", "zz", "--layer", "상점", "--store", "s.gpkg")
      let marks = try run("favorite", "list", "--store", "s.gpkg").lines
      #expect(marks.count == 2 && marks[1].hasSuffix(",true,false"))
      #expect(try run("store", "drop", "상점", "--store", "s.gpkg").status == 0)
    }

    private func opened(_ layer: String) throws -> OpenedIndex {
      try #require(try StoreSource.index(of: file("s.gpkg"), Self.reading(layer)))
    }

    private func identities(_ annotations: some Sequence<ImportedAnnotation>) -> [String] {
      annotations.map { "\($0.id) \($0.origin!) \($0.name ?? "-") \($0.properties)" }
    }

    // MARK: Answers

    @Test(arguments: ["a", "b", "c"], UInt64(0)..<3)
    func `the index of a layer answers as asking its annotations one by one`(
      layer: String, seed: UInt64
    ) throws {
      var random = SeededGenerator(seed: seed)
      let index = try opened(layer).index
      let read = try Source.read([file("s.gpkg")], Self.reading(layer), isSilent: true).annotations
      #expect(index.annotations.count == read.count)
      #expect(index.unplacedCount == read.count { $0.coordinate == nil })
      #expect(Set(identities(index.annotations)) == Set(identities(read)))
      #expect(Set(index.kinds) == Set(read.filter { $0.coordinate != nil }.compactMap(\.kind)))
      let scan = AnnotationScan(Array(read))
      // A list may order shapes that touch in another way than an index does, by the last bits of
      // their distances.
      let shapes = read.hasShapes ? AnnotationIndex(forManyQuestions: read) : nil
      var found = 0
      for _ in 0..<60 {
        let latitude = Double.random(in: 36.9...38.1, using: &random)
        let parameters = [
          "k=1", "k=7", "k=1000", "k=5&within=20000", "k=9&beyond=10000", "k=9&kind=mart",
          "k=20&where=id%20%3C%209", "k=2&per-kind",
        ]
        let text = parameters.randomElement(using: &random)! + "&lat=\(latitude)&lon=126.5"
        let query = try NearbyQuery(parsing: text)
        let answer = try index.answer(query)
        let wanted = try shapes?.answer(query) ?? scan.answer(query)
        #expect(identities(answer.annotations) == identities(wanted.annotations), "\(text)")
        found += answer.count
      }
      #expect(found > 100)
    }

    /// A format that is named has the store read, and no index asked.
    @Test(arguments: [
      "find --lat 37.5 --lon 126.5 -k 12", "find --lat 37.5 --lon 126.5 -k 12 --format json",
      "find --lat 37.5 --lon 126.5 --within 30km --format csv",
      "find --lat 37.5 --lon 126.5 -k all --format geojson",
      "find --lat 37.5 --lon 126.5 --kind mart --format csv",
      "find --lat 37.5 --lon 126.5 --kind marrt",
      "find --lat 37.5 --lon 126.5 --where 'rating > 3'",
      "find --lat 37.5 --lon 126.5 -k 2 --per-kind",
      "find --lat 37.5 --lon 126.5 -k 3 --facets kind --json",
      "find --lat 37.5 --lon 126.5 -k 4 --sort name:desc --after '' --json",
      "find --lat 37.5 --lon 126.5 --open 2026-11-24T12:30 --json",
      "bbox 126,37,127,38 --count", "bbox 126,37,127,38 --format csv", "bbox 0,0,1,1",
      "bbox 126,37,127,38 --facets kind --json", "map --bbox 126,37,127,38",
      "list --format json", "info", "check",
    ])
    func `a layer's index says what reading the layer says`(command: String) throws {
      for layer in ["a", "b", "c"] {
        // A first question, so that none is left to be told.
        try run("--lat", "1", "--lon", "2", "s.gpkg")
        let asked = try Program.shell("$nearby \(command) --layer \(layer) s.gpkg", in: folder)
        let read = try Program.shell(
          "$nearby \(command) --layer \(layer) --input-format gpkg s.gpkg", in: folder)
        #expect(asked.status == read.status)
        #expect(asked.text == read.text)
        // What was said when the layer was imported is not said again.
        func remarks(_ outcome: Program.Outcome) -> [Substring] {
          outcome.errors.split(separator: "\n").filter { !$0.hasPrefix("warning: duplicate-id: ") }
        }
        #expect(remarks(asked) == remarks(read))
      }
    }

    @Test func `pages follow one another through equal ids and coincident places`() throws {
      var pages: [[String]] = [[], []]
      for (place, format) in [[], ["--input-format", "gpkg"]].enumerated() {
        var cursor = ""
        for _ in 0..<80 {
          let outcome = try Program.run(
            [
              "--lat", "37.5", "--lon", "126.5", "-k", "4", "--after", cursor, "--layer", "a",
              "--json",
            ]
              + format + ["s.gpkg"], in: folder)
          pages[place].append(outcome.text)
          guard case .object(let answer)? = try? PropertyValue(json: Array(outcome.text.utf8)),
            let next = answer["next"]?.text
          else { break }
          cursor = next
        }
      }
      #expect(pages[0] == pages[1])
      #expect(pages[0].count > 60)
    }

    // MARK: The file

    private let question = ["--lat", "37.5", "--lon", "126.5", "-k", "3", "--format", "csv"]

    private func ask(_ layer: String) throws -> Program.Outcome {
      try Program.run(question + ["--layer", layer, "s.gpkg"], in: folder)
    }

    @Test func `one file is kept for all layers, and is made anew when the store changes`() throws {
      let first = try ask("c")
      #expect(try folder.names.filter { $0.hasPrefix("s.gpkg") } == ["s.gpkg", "s.gpkg.nbx"])
      let file = try folder.bytes("s.gpkg.nbx")
      for layer in ["a", "b", "c"] { _ = try ask(layer) }
      _ = try Program.run(question + ["s.gpkg"], in: folder)
      #expect(try folder.bytes("s.gpkg.nbx") == file)
      #expect(try run("index", "verify", "s.gpkg.nbx").status == 0)
      // As reading the source says, but for its name.
      try folder.write("id,lat,lon,price\nnew,37.5,126.5,7\n", to: "c.csv")
      try run("import", "c.csv", "--store", "s.gpkg")
      let second = try ask("c")
      #expect(second.text != first.text)
      #expect(second.text == (try Program.run(question + ["c.csv"], in: folder).text))
      try run("store", "drop", "c", "--store", "s.gpkg")
      let gone = try ask("c")
      #expect(gone.status == 64)
      #expect(
        gone.errors == "error: unknown-layer: s.gpkg has no layer \"c\"; layers are a, b\n")
      // The one layer that is left is the whole.
      try run("store", "drop", "b", "--store", "s.gpkg")
      let only = try ask("a")
      #expect(only.text == (try Program.run(question + ["s.gpkg"], in: folder).text))
      #expect(only.errors == "s.gpkg: 23 of 300 records have no position (unplaced)\n")
    }

    /// As versions before this one wrote it.
    @Test func `a file that knows no layers is replaced when a layer is asked`() throws {
      let wanted = try ask("a").text
      let document = try IndexDocument.open(file("s.gpkg.nbx"))
      var sources = document.sources
      let all = try Source.read([file("s.gpkg")], SourceReading(), isSilent: true).annotations
      sources.layers = nil
      try IndexDocument.write(all, sources, to: file("s.gpkg.nbx"))
      let old = try folder.bytes("s.gpkg.nbx")
      _ = try Program.run(question + ["s.gpkg"], in: folder)
      #expect(try folder.bytes("s.gpkg.nbx") == old)
      #expect(try ask("a").text == wanted)
      #expect(try folder.bytes("s.gpkg.nbx") != old)
      #expect(
        try IndexDocument.open(file("s.gpkg.nbx")).sources.layers?.map(\.name) == ["a", "b", "c"])
    }

    /// Nobody asked for the file, so that nobody can be asked to build it again.
    @Test(arguments: [
      "find --lat 37.5 --lon 126.5 -k all --format csv s.gpkg",
      "find --lat 37.5 --lon 126.5 -k all --format csv --layer a s.gpkg",
      "find --lat 37.5 --lon 126.5 -k all --where 'n > 0' --format ids --layer b s.gpkg",
      "bbox 126,37,127,38 --format csv s.gpkg", "bbox 126,37,127,38 --count s.gpkg",
      "bbox --boxes boxes.csv s.gpkg", "within area.geojson --format csv s.gpkg",
      "map --bbox 126,37,127,38 --label name s.gpkg", "list --count s.gpkg",
      "join c.csv s.gpkg -k 1",
    ])
    func `a damaged file is as good as none, and gone when it was read`(command: String) throws {
      try folder.write("west,south,east,north\n126,37,127,38\n126.5,37,127,38\n", to: "boxes.csv")
      try folder.write(
        #"{"type":"Polygon","coordinates":[[[126,37],[127,37],[127,38],[126,37]]]}"#,
        to: "area.geojson")
      _ = try ask("a")
      let whole = try folder.bytes("s.gpkg.nbx")
      let wanted = try Program.shell("$nearby \(command)", in: folder)
      #expect(wanted.status == 0 && !wanted.text.isEmpty, "\(wanted.errors)")
      var removed = 0
      for page in stride(from: 4_096, to: whole.count, by: 4_096) {
        var bytes = whole
        bytes[page + 40] ^= 1
        try folder.write(bytes, to: "s.gpkg.nbx")
        let outcome = try Program.shell("$nearby \(command)", in: folder)
        #expect(outcome.status == 0, "\(page): \(outcome.errors)")
        #expect(outcome.text == wanted.text, "\(page)")
        let isTold = outcome.errors.contains("s.gpkg.nbx was damaged and has been removed")
        #expect(try folder.names.contains("s.gpkg.nbx") != isTold, "\(page): \(outcome.errors)")
        if isTold { removed += 1 }
      }
      if command.hasPrefix("find") || command.contains("--format csv") { #expect(removed > 0) }
      try? FileManager.default.removeItem(at: folder.url.appending(path: "s.gpkg.nbx"))
      _ = try ask("a")
      #expect(try folder.bytes("s.gpkg.nbx") == whole)
    }

    @Test func `where nothing can be kept the layer is read, and it is told`() throws {
      let wanted = try ask("a").text
      _ = try Program.shell("rm s.gpkg.nbx; ln -s nowhere s.gpkg.nbx", in: folder)
      let outcome = try ask("a")
      #expect(outcome.text == wanted)
      #expect(outcome.errors.contains("s.gpkg.nbx is not kept: "))
      #expect(try folder.names.contains("nowhere") == false)
    }

    @Test func `a layer with what readers reject is read each time, and says so`() throws {
      try folder.write("id,lat,lon\nx,37.5,127\ny,37.5,126.5\n", to: "d.csv")
      try run("import", "d.csv", "--store", "s.gpkg")
      // Longitude 200, latitude 100, from another program.
      try Connection(folder.path("s.gpkg"), .readWrite).execute(
        "UPDATE d SET geom = X'47500001E6100000010100000000000000000069400000000000005940' WHERE id = 'x'"
      )
      for _ in 0..<3 {
        let outcome = try ask("d")
        #expect(outcome.text.contains("\ny,"))
        #expect(outcome.errors.contains("1 of 2 rows rejected"), "\(outcome.errors)")
        #expect(try ask("c").status == 0)
      }
    }

    @Test func `a GeoPackage that has only tables without geometry says so`() throws {
      let connection = try Connection(try folder.write("", to: "t.gpkg").path, .readWrite)
      try GeoPackageSchema.create(connection)
      try connection.execute(
        "CREATE TABLE stops (fid INTEGER PRIMARY KEY, lat REAL, lon REAL); INSERT INTO gpkg_contents "
          + "(table_name, data_type, identifier) VALUES ('stops', 'attributes', 'stops')")
      let error = #expect(throws: ReportedError.self) {
        try Source.read([file("t.gpkg")], SourceReading(), isSilent: true)
      }
      #expect(error?.code == "no-layers")
      #expect(error?.description.contains("only stops; ") == true)
    }

    @Test func `a layer that cannot be read keeps no other back`() throws {
      let wanted = try ask("a").text
      try Connection(folder.path("s.gpkg"), .readWrite).execute(
        "ALTER TABLE c RENAME COLUMN name TO nm")
      let other = try ask("a")
      #expect(other.text == wanted && other.status == 0, "\(other.errors)")
      #expect(other.errors.contains("s.gpkg.nbx is not kept: "))
      let lost = try ask("c")
      #expect(
        lost.status == 65 && lost.errors.contains("error: column-missing: "), "\(lost.errors)")
      #expect(try run("list", "s.gpkg", "--layer", "b", "--count").status == 0)
      #expect(try run("list", "s.gpkg", "--count").status == 65)
    }

    @Test func `a layer without its geometry says so, and the store's other layers are listed`()
      throws
    {
      try Connection(folder.path("s.gpkg"), .readWrite).execute(
        "ALTER TABLE c RENAME COLUMN geom TO ge")
      let says = "layer \"c\" of s.gpkg has no column \"geom\" any more"
      for command in ["list", "info", "check"] {
        let outcome = try run(command, "s.gpkg", "--layer", "c")
        #expect(outcome.status == 65, "\(command) \(outcome.errors)")
        #expect(outcome.errors.contains("error: column-missing: \(says)"), "\(outcome.errors)")
      }
      let info = try run("store", "info", "--store", "s.gpkg")
      #expect(info.status == 0, "\(info.errors)")
      let layers = try #require(try info.json["layers"] as? [[String: Any]])
      #expect(layers.map { $0["name"] as? String } == ["a", "b", "c"])
      #expect(layers.map { $0["annotations"] is Int } == [true, true, false])
      let error = try #require(layers[2]["error"] as? [String: String])
      #expect(error["code"] == "column-missing")
      #expect(error["message"]?.hasPrefix(says) == true)
    }

    @Test func `a damaged index of a layer is an error, or has no part in the answer`() throws {
      let wanted = identities(
        try opened("a").index.nearest(5, to: Coordinate(latitude: 37.5, longitude: 126.5))
          .annotations)
      let whole = try folder.bytes("s.gpkg.nbx")
      let layers = try #require(try IndexDocument(whole, named: "s").sources.layers)
      #expect(layers.map(\.name) == ["a", "b", "c"])
      var random = SeededGenerator(seed: 5)
      var errors = 0
      for _ in 0..<400 {
        var bytes = whole
        bytes[Int.random(in: bytes.indices, using: &random)] ^=
          UInt8(1) << UInt8.random(in: 0..<8, using: &random)
        do throws(ReportedError) {
          let document = try IndexDocument(bytes, named: "s")
          guard let opened = try document.openedIndex(ofLayer: "a") else { continue }
          let answer = opened.index.nearest(
            5, to: try! Coordinate(latitude: 37.5, longitude: 126.5))
          let found = identities(answer.annotations)
          try opened.check()
          #expect(found == wanted)
        } catch {
          #expect(error.code.hasPrefix("index-"), "\(error)")
          errors += 1
        }
        #expect(throws: ReportedError.self) { try IndexDocument(bytes, named: "s").verify() }
      }
      #expect(errors > 40)
    }
  }
#endif
