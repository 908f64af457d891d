#if Store
  import Foundation
  import NearbyTestSupport
  import Testing

  @testable import AnnotationSources
  @testable import NearbyCommand

  /// `nearby import`, `favorite` and `store`, and stores and GeoPackages as sources.
  @Suite struct StoreTests {
    private let folder: Folder
    private let question = ["--lat", "37.57", "--lon", "126.97", "-k", "all"]

    init() throws {
      folder = try Folder.withShops()
      try folder.write(Fixture.shapes, to: "shapes.geojson")
    }

    private func run(
      _ arguments: String..., environment: [String: String] = [:]
    ) throws -> Program.Outcome {
      try Program.run(arguments, environment: environment, in: folder)
    }

    @Test(arguments: ["csv", "geojson", "geojsonseq", "jsonl"])
    func `a store and a GeoPackage give back what went in, byte for byte`(format: String) throws {
      #expect(try run("import", "shops.csv", "shapes.geojson", "--store", "s.gpkg").status == 0)
      for (source, layer) in [("shops.csv", "shops"), ("shapes.geojson", "shapes")] {
        let direct = try run("convert", source, "--format", format)
        let stored = try run("convert", "s.gpkg", "--layer", layer, "--format", format)
        #expect(stored.text == direct.text)
        #expect(try run("convert", source, "-o", "\(layer).gpkg").status == 0)
        #expect(try run("convert", "\(layer).gpkg", "--format", format).text == direct.text)
      }
      #expect(try folder.names.filter { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") }.isEmpty)
    }

    @Test(arguments: [
      ["shops.csv", "gone.csv"], ["shops.csv", "other.csv", "--hours-field", "opening_hours"],
    ])
    func `of several sources nothing is stored if one cannot be read`(arguments: [String]) throws {
      try folder.write("id,lat,lon\n1,37,127\n", to: "other.csv")
      let outcome = try Program.run(["import", "--store", "s.gpkg"] + arguments, in: folder)
      #expect(outcome.status != 0, "\(outcome.errors)")
      #expect(outcome.errors.contains("nothing is stored\nerror: "), "\(outcome.errors)")
      #expect(try folder.names == ["other.csv", "shapes.geojson", "shops.csv"])
    }

    @Test func `import and sync, which say policies in two ways, name their own`() throws {
      for (arguments, hint) in [
        (["import", "--upsert"], "'--policy upsert'"),
        (["sync", "x.csv", "--policy", "upsert"], "'--upsert or --replace'"),
      ] {
        let errors = try Program.run(arguments, in: try Folder()).errors
        #expect(errors.contains(". Did you mean \(hint)?\n"), "\(errors)")
      }
    }

    @Test func `two sources do not go into one layer unless it is named`() throws {
      try FileManager.default.createDirectory(
        at: folder.url.appending(path: "new"), withIntermediateDirectories: true)
      try folder.write("id,lat,lon\n1,37,127\n", to: "new/Shops.csv")
      let sources = ["import", "shops.csv", "new/Shops.csv", "--store", "s.gpkg"]
      let refused = try Program.run(sources, in: folder)
      #expect(refused.status == 64 && refused.errors.hasPrefix("error: same-layer: "))
      #expect(refused.errors.contains("new/Shops.csv") && refused.errors.contains("--layer"))
      #expect(refused.errors.contains("import each with a --layer of its own"))
      #expect(try !folder.names.contains("s.gpkg"))
      let named = try Program.run(sources + ["--layer", "all"], in: folder)
      #expect(named.status == 0)
      #expect(
        named.errors.contains(
          "warning: duplicate-id: new/Shops.csv: id 1 is also in an earlier source; both records are kept"
        ))
      for name in ["x.csv", "y.csv"] { try folder.write("name,lat,lon\na,37,127\n", to: name) }
      let numbers = try run("import", "x.csv", "y.csv", "--store", "s.gpkg", "--layer", "all")
      #expect(
        numbers.errors.contains(
          "y.csv: id 1 is also in an earlier source: records without ids have their numbers; both"))
      #expect(numbers.errors.contains("or name a column with --id-field"), "\(numbers.errors)")
      // Not if each goes on where the one before ends.
      try folder.write("id,lat,lon\n2,37,127\n3,37,127\n", to: "next.csv")
      let next = try run(
        "import", "new/Shops.csv", "next.csv", "--store", "s.gpkg", "--layer", "all")
      #expect(next.status == 0 && !next.errors.contains("duplicate-id"), "\(next.errors)")
    }

    @Test func `several layers do not go into one layer that is named`() throws {
      #expect(try run("import", "shops.csv", "shapes.geojson", "--store", "s.gpkg").status == 0)
      for store in ["s.gpkg", "t.gpkg"] {
        let refused = try run("import", "s.gpkg", "--layer", "shops", "--store", store)
        #expect(refused.status == 64 && refused.errors.hasPrefix("error: several-layers: s.gpkg "))
        #expect(refused.errors.contains("leave out --layer"), "\(refused.errors)")
      }
      #expect(try !folder.names.contains("t.gpkg"))
      #expect(try run("convert", "shops.csv", "-o", "one.gpkg").status == 0)
      #expect(try run("import", "one.gpkg", "--layer", "mine", "--store", "t.gpkg").status == 0)
    }

    /// GDAL is the judge of the other way.
    private static let hasGDAL = FileManager.default.isExecutableFile(atPath: "/usr/bin/ogr2ogr")

    @Test(
      .enabled(if: hasGDAL, "needs ogr2ogr of Debian's gdal-bin"),
      arguments: ["EPSG:5179", "EPSG:32652", "EPSG:3035"])
    func `a GeoPackage in another CRS is read where it lies`(crs: String) throws {
      let rows = "id,name,lat,lon\na,가,37.5666,126.9784\nb,나,33.4996,126.5312\nc,다,38.2,128.6\n"
      try folder.write(rows, to: "places.csv")
      #expect(try run("convert", "places.csv", "-o", "degrees.gpkg").status == 0)
      let gdal = try SystemProgram.run(
        at: "/usr/bin/ogr2ogr",
        ["-q", "-f", "GPKG", "-t_srs", crs, "plane.gpkg", "degrees.gpkg"], in: folder)
      #expect(gdal.status == 0)
      let outcome = try run("convert", "plane.gpkg", "--format", "csv")
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("read from \(crs) by "), "\(outcome.errors)")
      let cells = outcome.lines.dropFirst().map {
        $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      }
      let places = cells.map { ($0[0], Double($0[3]) ?? .nan, Double($0[4]) ?? .nan) }
      #expect(places.map(\.0) == ["a", "b", "c"])
      for (place, wanted) in zip(places, [(37.5666, 126.9784), (33.4996, 126.5312), (38.2, 128.6)])
      {
        #expect(abs(place.1 - wanted.0) < 1e-6 && abs(place.2 - wanted.1) < 1e-6, "\(place)")
      }
      // What a person says counts, as with GeoJSON, and nothing is transformed twice.
      let said = try run("convert", "plane.gpkg", "--crs", crs, "--format", "csv")
      #expect(said.text == outcome.text && !said.errors.contains("states"), "\(said.errors)")
      let other = try run("convert", "plane.gpkg", "--crs", "EPSG:3857", "--format", "csv")
      #expect(other.text != outcome.text)
      #expect(
        other.errors.contains(" states \(crs), but is read as EPSG:3857, as asked\n"),
        "\(other.errors)")
      // One that the file does not state has to be said.
      for srsID in ["-1", "99999"] {
        #expect(
          try Program.shell(
            "python3 -c \"import sqlite3; c = sqlite3.connect('plane.gpkg'); "
              + "c.execute('update gpkg_geometry_columns set srs_id = \(srsID)'); c.commit()\"",
            in: folder
          ).status == 0)
        let unknown = try run("convert", "plane.gpkg", "--format", "csv")
        #expect(unknown.status == 65 && unknown.errors.hasPrefix("error: crs-unknown: layer \""))
        #expect(
          unknown.errors.hasSuffix(
            " of plane.gpkg has srs_id \(srsID), for which the file has no CRS code; "
              + "name its CRS with --crs EPSG:n\n"), "\(unknown.errors)")
        let named = try run("convert", "plane.gpkg", "--crs", crs, "--format", "csv")
        #expect(named.text == outcome.text && !named.errors.contains("states"), "\(named.errors)")
      }
    }

    @Test func `the positions of a store are degrees, whatever CRS is asked for`() throws {
      #expect(try run("import", "shops.csv", "--store", "s.gpkg").status == 0)
      let plain = try run("convert", "s.gpkg", "--format", "csv")
      for words in [
        ["list", "s.gpkg"], question + ["s.gpkg"], ["import", "s.gpkg", "--store", "t"],
      ] {
        let outcome = try Program.run(words + ["--crs", "EPSG:3857"], in: folder)
        #expect(outcome.status == 64 && outcome.text.isEmpty)
        #expect(
          outcome.errors
            == "error: crs-of-store: s.gpkg is a store, whose positions are degrees on WGS 84 and "
            + "not in EPSG:3857; leave out --crs\n")
      }
      #expect(
        try run("convert", "s.gpkg", "--crs", "EPSG:4326", "--format", "csv").text == plain.text)
    }

    @Test func `the index beside a store is built once, and again when the store has changed`()
      throws
    {
      _ = try run("import", "shops.csv", "--store", "s.gpkg")
      let arguments = question + ["--format", "csv"]
      let direct = try Program.run(arguments + ["shops.csv"], in: folder).text
      #expect(try Program.run(arguments + ["s.gpkg"], in: folder).text == direct)
      let built = try folder.bytes("s.gpkg.nbx")
      #expect(try Program.run(arguments + ["s.gpkg"], in: folder).text == direct)
      #expect(try folder.bytes("s.gpkg.nbx") == built)
      try folder.write(Fixture.shops + "11,new,deal,37.57,126.97,h,\n", to: "shops.csv")
      _ = try run("import", "shops.csv", "--store", "s.gpkg")
      let after = try Program.run(arguments + ["s.gpkg"], in: folder).text
      #expect(after == (try Program.run(arguments + ["shops.csv"], in: folder).text))
      #expect(after != direct)
      #expect(try run("info", "s.gpkg.nbx").status == 64)
    }

    @Test func `the store of the environment or the data folder answers without a source`() throws {
      for command in [["store", "info"], ["favorite", "list"], ["favorite", "add", "1"]] {
        let none = try Program.run(command, in: folder)
        #expect(
          none.status == 66 && none.errors.contains("there is no store yet"), "\(none.errors)")
      }
      let environment = ["NEARBY_STORE": "e.gpkg"]
      #expect(try run("import", "shops.csv", environment: environment).status == 0)
      let named = try Program.run(
        question + ["--format", "ids"], environment: environment, in: folder)
      #expect(named.lines == ["-3", "1", "10", "02", "2", "a"])
      // A relative name of that folder is ignored.
      #expect(
        try run("import", "shops.csv", environment: ["XDG_DATA_HOME": "relative"]).status == 0)
      #expect(
        FileManager.default.fileExists(
          atPath: folder.url.appending(path: ".local/share/nearby/store.gpkg").path))
      #expect(try Program.run(question + ["--format", "ids"], in: folder).lines == named.lines)
    }

    @Test func `marks are put, hidden, brought back and outlive a refresh`() throws {
      _ = try run("import", "shops.csv", "--store", "s.gpkg")
      #expect(try run("favorite", "add", "a", "--store", "s.gpkg").status == 0)
      #expect(try run("favorite", "add", "2", "--store", "s.gpkg").status == 0)
      let listed = try run(
        "favorite", "list", "--store", "s.gpkg", "--lat", "37.57", "--lon", "126.97")
      #expect(listed.lines.dropFirst().map { $0.prefix(2) } == ["2,", "a,"])
      #expect(try run("favorite", "remove", "a", "--store", "s.gpkg").status == 0)
      #expect(try run("favorite", "list", "--store", "s.gpkg").lines.count == 2)
      for _ in 0..<2 {
        #expect(try run("favorite", "undo", "a", "--store", "s.gpkg").status == 0)
      }
      try folder.write("id,lat,lon\nzz,1,2\n", to: "shops.csv")
      _ = try run("import", "shops.csv", "--store", "s.gpkg")
      #expect(
        try run("favorite", "list", "--store", "s.gpkg").lines.allSatisfy {
          $0.hasPrefix("id,") || $0.hasSuffix(",false,false")
        })
      let missing = try run("favorite", "add", "nobody", "--store", "s.gpkg")
      #expect(missing.status == 64)
      #expect(missing.errors.hasPrefix("error: unknown-id: "))
      _ = try run("import", "shops.csv", "--store", "s.gpkg", "--layer", "more")
      let nowhere = try run("favorite", "add", "nobody", "--store", "s.gpkg")
      #expect(nowhere.status == 64)
      #expect(
        nowhere.errors == "error: unknown-id: no layer has an annotation nobody; check the id\n")
      for command in ["remove", "undo"] {
        let unmarked = try run("favorite", command, "nobody", "--store", "s.gpkg")
        #expect(unmarked.status == 64)
        #expect(
          unmarked.errors == "error: not-a-favorite: nobody has no mark \"favorite\"; "
            + "nearby favorite list --hidden lists the marks\n")
      }
      let named = try run(
        "favorite", "remove", "nobody", "--layer", "shops", "--store", "s.gpkg")
      #expect(
        named.errors == "error: not-a-favorite: nobody of layer \"shops\" is not among the "
          + "favorites of s.gpkg; see the list of them\n")
    }

    @Test func `tiles and a page of one layer are called what it is called`() throws {
      #expect(try run("import", "shops.csv", "shapes.geojson", "--store", "s.gpkg").status == 0)
      let tiles = ["tiles", "s.gpkg", "--layer", "shapes", "-z", "0-1", "-o", "out/"]
      #expect(try Program.run(tiles, in: folder).status == 0)
      #expect(try folder.text("out/metadata.json").contains(#""vector_layers":[{"id":"shapes""#))
      let page = try run("export", "--html", "s.gpkg", "--layer", "shapes")
      #expect(page.text.contains("<title>shapes</title>"), "\(page.errors)")
    }

    @Test(arguments: [
      "host=/nowhere dbname=m user=u password=s3cret",
      "user = u password = 's3cret s3cret' host = /nowhere", "postgres//u:s3cret@h/m",
      "postgres:/u:s3cret@h/m", "jdbc:postgresql://h/m?user=u&password=s3cret",
    ])
    func `no address of a database becomes a file, and no form of it shows its password`(
      address: String
    ) throws {
      let names = try folder.names
      for words in [
        ["list", address], ["import", "shops.csv", "--store", address],
        ["import", address, "--store", "s.gpkg"], ["sync", address, "--store", "s.gpkg"],
        ["hours", address],
      ] {
        let outcome = try Program.run(words, in: folder)
        #expect(outcome.status != 0)
        #expect(!(outcome.text + outcome.errors).contains("s3cret"), "\(outcome.errors)")
      }
      #expect(try folder.names == names)
      // A file may have such a name.
      try folder.write("id,lat,lon\na,1,2\n", to: "host=seoul.csv")
      #expect(try run("list", "host=seoul.csv", "--format", "ids").text == "a\n")
    }

    /// macOS has names of files in the one form, and keyboards type the other.
    @Test func `names of layers in two Unicode forms are two layers`() throws {
      let layers = ["caf\u{E9}", "cafe\u{301}"]
      let sources = ["shops.csv", "other.csv"]
      try folder.write("id,lat,lon\nzz,1,2\n", to: "other.csv")
      for (command, store) in [("import", "i.gpkg"), ("sync", "y.gpkg")] {
        for (layer, source) in zip(layers, sources) {
          let outcome = try run(command, source, "--store", store, "--layer", layer)
          #expect(outcome.status == 0, "\(command): \(outcome.errors)")
        }
        for (layer, source) in zip(layers, sources) {
          let stored = try run("convert", store, "--layer", layer, "--format", "csv")
          let direct = try run("convert", source, "--format", "csv")
          #expect(stored.text == direct.text, "\(command)")
        }
      }
      _ = try run("favorite", "add", "a", "--layer", layers[0], "--store", "i.gpkg")
      let listed = try run("favorite", "list", "--store", "i.gpkg").lines
      #expect(listed.count == 2 && listed[1].hasSuffix(",true,false"))
    }

    @Test func `of a stranger's layers in two Unicode forms each has its own rows`() throws {
      let layers = ["caf\u{E9}", "cafe\u{301}"]
      for (layer, id) in zip(layers, ["a", "b"]) {
        try folder.write("id,lat,lon\n\(id),1,2\n", to: "\(id).csv")
        #expect(try run("import", "\(id).csv", "--store", "x.gpkg", "--layer", layer).status == 0)
      }
      let made = try Program.shell(
        "python3 -c \"import sqlite3; c = sqlite3.connect('x.gpkg'); "
          + "c.execute('drop table nearby_store'); c.commit()\"", in: folder)
      #expect(made.status == 0, "\(made.errors)")
      for (layer, id) in zip(layers, ["a", "b"]) {
        #expect(try run("list", "x.gpkg", "--layer", layer, "--format", "ids").text == "\(id)\n")
      }
    }

    @Test(arguments: [":memory:", "file:x.gpkg"])
    func `a store's name is that of a file, whatever it means to SQLite`(name: String) throws {
      for counts in ["7 added", "7 unchanged"] {
        let outcome = try run("import", "shops.csv", "--store", name)
        #expect(outcome.errors.contains(counts), "\(outcome.errors)")
      }
      #expect(try folder.names.contains(name))
    }

    @Test func `a folder is no store`() throws {
      let outcome = try run("import", "shops.csv", "--store", ".")
      #expect(outcome.status == 66 && outcome.errors.contains("error: is-directory: "))
    }

    @Test func `a version that is there already is not read again`() throws {
      _ = try run("import", "shops.csv", "--store", "s.gpkg", "--data-version", "7")
      try folder.write("id,lat,lon\nzz,1,2\n", to: "shops.csv")
      let again = try run("import", "shops.csv", "--store", "s.gpkg", "--data-version", "7")
      #expect((again.status, again.errors.contains("already")) == (0, true))
      _ = try run("import", "shops.csv", "--store", "s.gpkg", "--data-version", "8")
      #expect(try run("convert", "s.gpkg", "--format", "csv").lines.count == 2)
      // As a text it would not be older than another.
      let large = try run("import", "shops.csv", "--data-version", "20261129120000123456")
      #expect(large.status == 64 && large.errors.contains("error: bad-data-version: "))
    }

    @Test(.enabled(if: TestedProgram.memoryIsItsOwn, "a sanitizer has the memory"))
    func `an import that does not fit on the disk is an error and loses nothing`() throws {
      _ = try run("import", "shops.csv", "--store", "s.gpkg")
      let before = try run("convert", "s.gpkg", "--format", "csv").text
      let rows = (0..<40_000).map { "\($0),name \($0),37,127\n" }.joined()
      try folder.write("id,name,lat,lon\n" + rows, to: "big.csv")
      // In blocks of 512 bytes or of 1,024, as the shell has it.
      for command in [
        "$nearby import big.csv --store s.gpkg --layer shops", "$nearby convert big.csv -o o.gpkg",
        "$nearby convert big.csv -o o.geojson", "$nearby convert big.csv -o o.csv",
        "$nearby import big.csv --store new.gpkg",
      ] {
        let outcome = try Program.shell("ulimit -f 400; \(command)", in: folder)
        #expect(outcome.status == 73, "\(command): \(outcome.errors)")
        #expect(outcome.errors.hasPrefix("error: cannot-write: "), "\(outcome.errors)")
      }
      #expect(try run("convert", "s.gpkg", "--format", "csv").text == before)
      #expect(
        try folder.names.filter {
          $0.hasSuffix(".partial") || $0.hasPrefix("o.") || $0.hasPrefix("new")
        }
        .isEmpty)
    }

    /// A limit on the size of files stands for a disk without room; `.ci/full_disk.py` has such a disk.
    @Test(.enabled(if: TestedProgram.memoryIsItsOwn, "a sanitizer has the memory"))
    func `a store is read where nothing can be written, and if its log cannot be, it says why`()
      throws
    {
      _ = try run("import", "shops.csv", "--store", "s.gpkg")
      // What opens it for writing leaves it in write-ahead mode.
      _ = try run("store", "compact", "--store", "s.gpkg")
      func limited(_ command: String) throws -> String {
        try Program.shell("(ulimit -f 0; $nearby \(command)) | cat", in: folder).text
      }
      for command in [
        "convert s.gpkg --format csv", "store info --store s.gpkg", "list s.gpkg --format csv",
      ] {
        let free = try Program.shell("$nearby \(command)", in: folder).text
        for _ in 0..<2 {
          #expect(!free.isEmpty)
          #expect(try limited("\(command) 2>/dev/null") == free)
        }
      }
      let written = try limited("favorite add a --store s.gpkg 2>&1; echo $?")
      #expect(written.hasPrefix("error: cannot-write: cannot write s.gpkg: "), "\(written)")
      #expect(written.hasSuffix("\n73\n") && !written.contains("disk I/O error"), "\(written)")
      try folder.write([UInt8](repeating: 1, count: 100), to: "s.gpkg-wal")
      for _ in 0..<2 {
        let unread = try limited("convert s.gpkg --format csv 2>&1; echo $?")
        #expect(
          unread.hasPrefix("error: cannot-open: cannot read the log s.gpkg-wal: "), "\(unread)")
        #expect(unread.hasSuffix("\n66\n") && !unread.contains("permission"), "\(unread)")
      }
    }

    @Test(arguments: UInt64(0)..<12)
    func `a store of a table answers as the table`(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      let header = [
        "id,name,kind,opening_hours,memo,lat,lon", "번호,상호명,업종,memo,위도,경도", "memo,lat,lon",
        "id,valid_from,valid_until,memo,lat,lon", "id,ID,memo,lat,lon", "id,영업시간,memo,lat,lon",
      ].randomElement(using: &random)!
      let names = header.split(separator: ",").map(String.init)
      let texts = ["", "차", "a,b", "\"q\"", "two\r\nlines", " edges ", "2026-11-28", "'", "tea"]
      var text = header + "\n"
      for row in 0..<Int.random(in: 1...60, using: &random) {
        let isPlaced = Int.random(in: 0..<8, using: &random) > 0
        text +=
          names.map { name in
            let cell =
              switch name {
              case "lat", "위도":
                isPlaced ? "\(Double.random(in: -90...90, using: &random))" : ""
              case "lon", "경도":
                isPlaced ? "\(Int.random(in: -180...180, using: &random))" : ""
              case "id", "번호": "\(row * 3 % 50)"
              case "valid_from": Bool.random(using: &random) ? "2026-01-01" : ""
              case "valid_until": Bool.random(using: &random) ? "2026-12-31" : ""
              default: texts.randomElement(using: &random)!
              }
            return "\"" + cell.replacing("\"", with: "\"\"") + "\""
          }.joined(separator: ",") + "\n"
      }
      try folder.write(text, to: "t.csv")
      #expect(try run("import", "t.csv", "--store", "t.gpkg").status == 0)
      for words in [
        ["convert", "--format", "csv"], ["convert", "--format", "geojson"],
        ["convert", "--format", "jsonl"], ["list", "--format", "csv"],
        ["list", "--format", "json"],
        ["list", "--on", "2026-06-01", "--format", "ids"], ["list", "--format", "geojson"],
        ["--lat", "10", "--lon", "20", "-k", "9", "--format", "json"],
        ["--lat", "10", "--lon", "20", "-k", "9", "--format", "csv"],
        ["list", "--where", "memo = 'tea'", "--format", "ids"],
      ] {
        let isFind = words[0].hasPrefix("-")
        func asked(_ source: String) throws -> String {
          let outcome = try Program.run(
            isFind ? [source] + words : [words[0], source] + words.dropFirst(), in: folder)
          #expect(outcome.status == 0, "\(source) \(words): \(outcome.errors)")
          // Records and cursors say where they are from.
          let text = outcome.text.replacing("t.gpkg", with: "t.csv")
          return text.firstRange(of: "\"next\":").map { String(text[..<$0.lowerBound]) } ?? text
        }
        #expect(try asked("t.gpkg") == asked("t.csv"), "\(words)")
      }
    }

    @Test(arguments: [[], ["--hours-field", "열림"]] as [[String]])
    func `hours have a column of their own from a store only where they have it from its table`(
      options: [String]
    ) throws {
      let rows = "1,37.5,127,Mo-Fr 09:00-18:00,Sa\n2,37.6,127,-,\n3,37.7,127,,Su\n"
      try folder.write("id,lat,lon,영업시간,열림\n" + rows, to: "h.csv")
      let imported = try Program.run(
        ["import", "h.csv", "--store", "h.gpkg"] + options, in: folder)
      #expect(imported.status == 0)
      let direct = try Program.run(["convert", "h.csv", "--format", "csv"] + options, in: folder)
      #expect(try run("convert", "h.gpkg", "--format", "csv").text == direct.text)
      #expect(direct.lines[0].contains("opening_hours") != options.isEmpty)
    }

    @Test func `a file of another kind is no store, and long names of layers are cut`() throws {
      let before = try folder.text("shops.csv")
      let csv = try run("import", "shops.csv", "--store", "shops.csv")
      #expect(csv.status == 65)
      #expect(csv.errors.contains("error: not-a-store: shops.csv is neither a store nor "))
      #expect(try folder.text("shops.csv") == before)
      let name = String(repeating: "a", count: 5_000)
      let long = try run("import", "shops.csv", "--store", "s.gpkg", "--layer", name)
      #expect(
        long.errors.contains(
          "error: bad-layer-name: no layer can be named \"\(name.prefix(59))…\"; "))
      #expect(
        long.errors.contains("give it another name with --layer: 1 to 200 bytes without "))
      let none = try run("list", "shops.csv", "--layer", name)
      #expect(none.errors.hasSuffix("--layer \"\(name.prefix(59))…\"\n"), "\(none.errors)")
    }

    @Test func `a GeoPackage that is damaged, foreign or in metres is told`() throws {
      _ = try run("convert", "shops.csv", "-o", "x.gpkg")
      var bytes = try folder.bytes("x.gpkg")
      bytes.removeLast(bytes.count / 2)
      try folder.write(bytes, to: "half.gpkg")
      #expect(try run("info", "half.gpkg").status == 65)
      try folder.write("SQLite format 3\0 and nothing more", to: "no.gpkg")
      let none = try run("info", "no.gpkg")
      #expect(none.status == 65)
      #expect(none.errors.hasPrefix("error: store-damaged: "))
      #expect(
        try run("info", "x.gpkg", "--layer", "none").errors.hasPrefix("error: unknown-layer: "))
      #expect(try run("info", "shops.csv", "--layer", "x").errors.hasPrefix("error: no-layers: "))
      #expect(try run("import", "x.gpkg", "--store", "gone/s.gpkg").status == 73)
    }
  }
#endif
