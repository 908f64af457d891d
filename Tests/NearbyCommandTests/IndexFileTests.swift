#if CommandLine
  import Foundation
  import SpatialIndexing
  import NearbyTestSupport
  import Testing

  import AnnotationImport
  @testable import AnnotationSources
  @testable import NearbyCommand

  /// `nearby index`, and index files as sources.
  @Suite struct IndexFileTests {
    private let question = ["--lat", "37.57", "--lon", "126.97", "-k", "all"]

    @Test(arguments: ["csv", "json", "geojson", "table"])
    func `an index answers as its sources do, byte for byte`(format: String) throws {
      let folder = try Folder.withShops()
      try folder.write(Fixture.shapes, to: "g.geojson")
      let built = try Program.run(
        ["index", "build", "shops.csv", "g.geojson", "-o", "all.nbx", "--name-field", "name"],
        in: folder)
      #expect((built.status, built.text) == (0, ""))
      let direct = try Program.run(
        question + ["--format", format, "shops.csv", "g.geojson"], in: folder)
      let indexed = try Program.run(question + ["--format", format, "all.nbx"], in: folder)
      #expect(indexed.text == direct.text)
      #expect(indexed.status == 0)
    }

    @Test func `an index names the columns of its sources where nothing is found, too`() throws {
      let folder = try Folder.withShops()
      try folder.write(Fixture.shapes, to: "g.geojson")
      for sources in [["g.geojson"], ["shops.csv"], ["g.geojson", "shops.csv"]] {
        let built = try Program.run(
          ["index", "build"] + sources + ["-o", "i.nbx"], in: folder)
        #expect(built.status == 0, "\(built.errors)")
        let nowhere = ["bbox", "-1,-1,0,0", "--format", "csv"]
        let direct = try Program.run(nowhere + sources, in: folder)
        let indexed = try Program.run(nowhere + ["i.nbx"], in: folder)
        #expect(direct.lines.count == 1)
        #expect(indexed.text == direct.text)
      }
    }

    @Test func `options of the build are remembered, and those of the question win`() throws {
      let folder = try Folder()
      try folder.write("37.57;126.97;x;y\n35.1;129;z;w\n", to: "p.csv")
      _ = try Program.run(
        ["index", "build", "p.csv", "-o", "p.nbx", "--no-header", "--y", "1", "--x", "2"]
          + ["--id-field", "3"], in: folder)
      func ids(_ options: String...) throws -> [String] {
        try Program.run(question + ["p.nbx", "--format", "ids"] + options, in: folder).lines
      }
      #expect(try ids() == ["x", "z"])
      #expect(try ids("--id-field", "4") == ["y", "w"])
      #expect(try ids("--region", "126,37,127,38") == ["x"])
    }

    @Test func `an index of points stays one where its sources are read again, unless asked`()
      throws
    {
      let folder = try Folder()
      try folder.write(Fixture.shapes, to: "g.geojson")
      _ = try Program.run(
        ["index", "build", "g.geojson", "-o", "g.nbx", "--by", "point"], in: folder)
      func answer(_ source: String, _ options: [String]) throws -> String {
        try Program.run(question + [source, "--format", "csv"] + options, in: folder).text
      }
      let points = try answer("g.geojson", ["--by", "point"])
      let shapes = try answer("g.geojson", [])
      #expect(points != shapes)
      for options in [[], ["--strict"], ["--rejects", "r.csv"]] {
        #expect(try answer("g.nbx", options) == points)
      }
      #expect(try answer("g.nbx", ["--by", "shape"]) == shapes)
    }

    #if Store
      @Test func `a store needs no index of its own, and neither is updated from`() throws {
        let folder = try Folder.withShops()
        let made = try Program.shell(
          """
          $nearby import shops.csv --store s.gpkg && $nearby index build shops.csv -o i.nbx \\
            && python3 -c "import sqlite3; sqlite3.connect('x.gpkg').execute('create table t(x)')"
          """, in: folder)
        #expect(made.status == 0, "\(made.errors)")
        for (command, status, code, says) in [
          (
            "index build s.gpkg -o o.nbx", 65, "index-of-store",
            "s.gpkg is a store, and its index s.gpkg.nbx is kept automatically"
          ),
          ("index build x.gpkg -o o.nbx", 65, "index-of-store", "is a database and no store"),
          ("index build i.nbx -o o.nbx", 64, "index-of-index", "i.nbx is an index already"),
          ("sync s.gpkg --store t.gpkg --layer a", 65, "format-unknown", "nearby import it"),
          ("sync i.nbx --store t.gpkg --layer a", 65, "format-unknown", "i.nbx is an index"),
        ] {
          let outcome = try Program.shell("$nearby \(command)", in: folder)
          #expect(outcome.status == status, "\(command): \(outcome.errors)")
          #expect(outcome.errors.contains("error: \(code): "), "\(outcome.errors)")
          #expect(outcome.errors.contains(says), "\(outcome.errors)")
        }
        #expect(try folder.names == ["i.nbx", "s.gpkg", "shops.csv", "x.gpkg"])
      }
    #endif

    @Test func `the help of a build names the formats that it reads`() throws {
      let folder = try Folder()
      let help = try Program.run(["help", "index", "build"], in: folder).text
      #expect(help.contains("geojsonseq") && !help.contains("gpkg") && !help.contains("--places"))
      let places = try Program.run(
        ["index", "build", "a.csv", "-o", "a.nbx", "--places", "b.csv", "--place-key", "p"],
        in: folder)
      #expect(places.errors.hasPrefix("error: places-in-index: "))
    }

    @Test func `a stale index is refused until it is rebuilt or allowed`() throws {
      let folder = try Folder.withShops()
      let build = ["index", "build", "shops.csv", "-o", "s.nbx"]
      _ = try Program.run(build, in: folder)
      #expect(try Program.run(["index", "verify", "s.nbx"], in: folder).status == 0)
      try folder.write(Fixture.shops + "11,new,deal,37.57,126.97,h,\n", to: "shops.csv")
      let arguments = question + ["--format", "ids", "s.nbx"]
      let times = try Program.shell(
        """
        cp shops.csv t.csv; touch -d 2001-01-01T00:00:00.2 t.csv
        $nearby index build t.csv -o t.nbx; echo '12,newer,deal,37.57,126.97,h,' >> t.csv
        touch -d 2001-01-01T00:00:00.4 t.csv; $nearby index verify t.nbx
        touch -d 2001-01-01T00:00:02 t.csv; $nearby index verify t.nbx
        """, in: folder)
      #expect(times.errors.contains("t.nbx was built from t.csv, which has changed since; "))
      #expect(
        times.errors.contains("t.csv of 2001-01-01 00:00:00, which changed 2001-01-01 00:00:02"))
      let stale = try Program.run(arguments, in: folder)
      #expect((stale.status, stale.text) == (65, ""))
      // A change in the same second has the same time.
      #expect(stale.errors.hasPrefix("error: index-stale: s.nbx was built from shops.csv"))
      #expect(stale.errors.contains("--allow-stale"))
      #expect(try Program.run(["index", "verify", "s.nbx"], in: folder).status == 65)
      #expect(try Program.run(arguments + ["--allow-stale"], in: folder).lines.count == 6)
      _ = try Program.run(build, in: folder)
      #expect(try Program.run(arguments, in: folder).lines.count == 7)
    }

    @Test func `a source that was only touched is the same, read again or not`() throws {
      let folder = try Folder.withShops()
      try folder.write(Fixture.shapes, to: "g.geojson")
      for sources in ["shops.csv", "shops.csv g.geojson"] {
        let touched = try Program.shell(
          """
          $nearby index build \(sources) -o s.nbx && touch -d 2001-01-01 \(sources) \\
            && $nearby index verify s.nbx && $nearby list s.nbx --count \\
            && $nearby list s.nbx --count --id-field name
          """, in: folder)
        #expect(touched.status == 0, "\(touched.errors)")
        #expect(touched.lines.count == 3)
      }
      // As many bytes, and others.
      let changed = Fixture.shops.replacing("시네마", with: "영화관")
      #expect(changed.utf8.count == Fixture.shops.utf8.count && changed != Fixture.shops)
      try folder.write(changed, to: "shops.csv")
      for (arguments, code) in [
        (["index", "verify", "s.nbx"], "index-stale"),
        (["list", "s.nbx", "--id-field", "name"], "index-stale"),
        (["list", "s.nbx", "--id-field", "name", "--allow-stale"], "index-without-source"),
      ] {
        let outcome = try Program.run(arguments, in: folder)
        #expect(outcome.errors.hasPrefix("error: \(code): "), "\(outcome.errors)")
      }
    }

    @Test func `an index of a source whose name is not UTF-8 becomes stale, too`() throws {
      let folder = try Folder.withShops()
      let outcome = try Program.shell(
        """
        name=$(printf 'caf\\351.csv'); cp shops.csv "$name"
        $nearby index build "$name" -o s.nbx && $nearby index verify s.nbx || exit 1
        $nearby convert s.nbx -o "$name"; [ $? = 64 ] || exit 2
        echo '11,new,deal,37.57,126.97,h,' >> "$name"; $nearby index verify s.nbx
        """, in: folder)
      #expect(outcome.status == 65, "\(outcome.errors)")
      #expect(outcome.errors.contains("error: output-is-source: "))
      #expect(
        outcome.errors.contains("error: index-stale: s.nbx was built from caf\u{FFFD}.csv"))
    }

    @Test func `an index of what came through a pipe is not stale`() throws {
      let folder = try Folder.withShops()
      let outcome = try Program.shell(
        """
        mkfifo pipe && { cat shops.csv >pipe & } && $nearby index build pipe -o s.nbx && wait \
          && $nearby index verify s.nbx
        """, in: folder)
      #expect(outcome.status == 0 && outcome.text.hasPrefix("s.nbx: whole, "), "\(outcome.errors)")
      let direct = try Program.run(question + ["shops.csv"], in: folder)
      #expect(try Program.run(question + ["s.nbx"], in: folder).text == direct.text)
    }

    @Test func `neither a source nor what is no file is replaced by an index`() throws {
      let folder = try Folder.withShops()
      let source = try folder.bytes("shops.csv")
      #expect(mkfifo(folder.url.appending(path: "pipe").path, 0o600) == 0)
      try FileManager.default.createSymbolicLink(
        atPath: folder.url.appending(path: "link.nbx").path, withDestinationPath: "shops.csv")
      for (output, status, code) in [
        ("link.nbx", 64, "output-is-source"), ("./link.nbx", 64, "output-is-source"),
        ("shops.csv", 64, "bad-format"), ("pipe", 73, "cannot-write"), (".", 73, "cannot-write"),
      ] {
        let outcome = try Program.run(["index", "build", "shops.csv", "-o", output], in: folder)
        #expect(outcome.status == status)
        #expect(outcome.errors.contains("error: \(code): "), "\(outcome.errors)")
      }
      #expect(try folder.bytes("shops.csv") == source)
      #expect(try folder.names == ["link.nbx", "pipe", "shops.csv"])
    }

    /// Every single change to an index file is found, or changes nothing.
    @Test(arguments: UInt64(0)..<4)
    func `a changed byte or a cut is an error or the same answer, never a crash`(seed: UInt64)
      throws
    {
      let folder = try Folder.withShops()
      _ = try Program.run(["index", "build", "shops.csv", "-o", "s.nbx"], in: folder)
      let whole = try folder.bytes("s.nbx")
      let expected = try answer(whole)
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<150 {
        var bytes = whole
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes.removeLast(Int.random(in: 1...bytes.count, using: &generator))
        case 1:
          bytes.insert(
            .random(in: 0...255, using: &generator),
            at: bytes.indices.randomElement(using: &generator) ?? 0)
        default:
          let place = bytes.indices.randomElement(using: &generator) ?? 0
          bytes[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
        }
        do throws(ReportedError) {
          #expect(try answer(bytes) == expected)
        } catch {
          #expect(error.code.hasPrefix("index-") && error.code != "index-stale", "\(error)")
          #expect(error.fault == .badData)
        }
      }
      // And once through the program itself.
      var bytes = whole
      // In the tree, the rows or where they begin: the pages that an answer reads.
      let place = Int.random(in: 4_096..<4 * 4_096, using: &generator)
      bytes[place] ^= 1
      try folder.write(bytes, to: "s.nbx")
      let outcome = try Program.run(question + ["s.nbx"], in: folder)
      #expect((outcome.status, outcome.text) == (65, ""))
      #expect(outcome.errors.hasPrefix("error: index-checksum: s.nbx: "))
      #expect(outcome.errors.contains("nearby index build"))
      // Full verification finds a change anywhere.
      bytes = whole
      bytes[Int.random(in: bytes.indices, using: &generator)] ^= 1
      try folder.write(bytes, to: "s.nbx")
      #expect(try Program.run(["index", "verify", "s.nbx"], in: folder).status == 65)
    }

    /// Damaged rows have no fields.
    @Test func `damage is told rather than what a condition says of damaged rows`() throws {
      let folder = try Folder()
      try folder.write(Fixture.shapes, to: "g.geojson")
      _ = try Program.run(["index", "build", "g.geojson", "-o", "g.nbx"], in: folder)
      let whole = try folder.bytes("g.nbx")
      let ask = question + ["g.nbx", "--where", "n > 0", "--sort", "n", "--format", "ids"]
      #expect(try Program.run(ask, in: folder).text == "7\n")
      var damaged = 0
      for page in stride(from: 4_096, to: whole.count, by: 4_096) {
        var bytes = whole
        bytes[page] ^= 1
        try folder.write(bytes, to: "g.nbx")
        let outcome = try Program.run(ask, in: folder)
        if outcome.status == 0 {
          #expect(outcome.text == "7\n")
        } else {
          damaged += 1
          #expect(outcome.status == 65)
          #expect(outcome.errors.hasPrefix("error: index-"), "\(outcome.errors)")
        }
      }
      #expect(damaged > 1)
    }

    /// The nearest and all, read in this process: the ids and positions that a file gives.
    private func answer(_ bytes: [UInt8]) throws(ReportedError) -> [String] {
      let document = try IndexDocument(bytes, named: "s.nbx")
      let opened = try document.openedIndex()
      let index = opened.index
      let all = index.annotations(in: .world) + index.annotations.map { $0 }
      let lines = all.map { "\($0.id) \(String(describing: $0.coordinate)) \($0.properties)" }
      try opened.check()
      return try lines
        + document.read().annotations.map { "\($0.origin?.record ?? 0) \($0.id) \($0.properties)" }
    }

    @Test func `an index is asked without its source, and says no more than was in it`() throws {
      let folder = try Folder.withShops()
      _ = try Program.run(["index", "build", "shops.csv", "-o", "s.nbx"], in: folder)
      let commands = [
        question + ["--kind", "mart", "--format", "csv"],
        question + ["--per-kind", "--format", "ids"],
        question + ["--beyond", "1km", "--format", "json"],
        ["bbox", "126,37,128,38", "--format", "geojson"], ["bbox", "126,37,128,38", "--count"],
        ["map", "--bbox", "126,37,128,38"], ["convert", "--format", "csv"], ["info"],
      ]
      func answers(_ source: String) throws -> [String] {
        try commands.map { try Program.run($0 + [source], in: folder).text }
      }
      let direct = try answers("shops.csv")
      try FileManager.default.removeItem(at: folder.url.appending(path: "shops.csv"))
      for (indexed, direct) in zip(try answers("s.nbx"), direct) {
        #expect(indexed == direct)
        #expect(!direct.isEmpty)
      }
      // What was wrong with the source, and how else it may be read, only it can tell.
      for other in [["check"], ["info", "--id-field", "name"]] {
        let outcome = try Program.run(other + ["s.nbx"], in: folder)
        #expect(outcome.status == 66 && outcome.errors.contains("index-without-source"))
        #expect(outcome.errors.contains("shops.csv"), "\(outcome.errors)")
      }
    }

    /// Records of several sources, rejected ones between them, the last line without an end.
    @Test func `an index read as a source gives the records in their order`() throws {
      let folder = try Folder()
      try folder.write(
        "id,name,lat,lon\n1,a,37.5,127\n2,b,99,127\n3,c,98,127\n4,\"d\nd\",35,129\n5,e,,\n6,f,38,128",
        to: "a.csv")
      try folder.write(
        #"{"type":"FeatureCollection","name":"n","features":["#
          + (0..<40).map {
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[127,\#(70 - $0 * 2)]},"#
              + #""properties":{"p\#($0 % 3)":\#($0)}}"#
          }.joined(separator: ",") + "]}", to: "b.geojson")
      _ = try Program.run(["index", "build", "a.csv", "b.geojson", "-o", "x.nbx"], in: folder)
      for command in [
        ["convert", "--format", "csv"], ["convert", "--format", "geojson"], ["info"],
        ["info", "--format", "json"], ["list", "--format", "json"],
      ] {
        let direct = try Program.run(command + ["a.csv", "b.geojson"], in: folder)
        let indexed = try Program.run(command + ["x.nbx"], in: folder)
        #expect(indexed.text == direct.text && !direct.text.isEmpty, "\(command)")
      }
      #expect(try Program.run(["check", "x.nbx"], in: folder).text.contains("lat-range"))
    }

    @Test func `counts that no source has are damage`() {
      for counts in [#""a":9223372036854775807"#, #""a":281474976710656,"b":1"#, #""a":-1"#] {
        let line = #"{"sources":[],"options":[],"records":1,"rejected":{\#(counts)}}"#
        let error = #expect(throws: ReportedError.self) {
          try IndexedSources(headerLine: Array(line.utf8), named: "s.nbx")
        }
        #expect(error?.code == "index-damaged")
      }
      func isRead(hiddenCells: Int) -> Bool {
        let frame =
          #"{"tables":[{"source":"a","delimiter":44,"carriageReturn":false,"columns":["id"],"#
          + #""roles":[1,1,0,null,null,null,null,null,null],"hidden":\#(hiddenCells)}]}"#
        return RecordUnpacking(frame: Array(frame.utf8)) != nil
      }
      #expect(isRead(hiddenCells: 1) && !isRead(hiddenCells: .max))
    }

    @Test(arguments: UInt64(0)..<2)
    func `an index that is made up with right checksums does not crash the program`(seed: UInt64)
      throws
    {
      let folder = try Folder.withShops()
      try folder.write(Fixture.shapes, to: "g.geojson")
      _ = try Program.run(["index", "build", "shops.csv", "g.geojson", "-o", "s.nbx"], in: folder)
      let whole = try folder.bytes("s.nbx")
      #expect(try !answer(whole).isEmpty)
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<200 {
        var bytes = whole
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
          let place = Int.random(in: 4_096..<bytes.count, using: &generator)
          bytes[place] = .random(in: 0...255, using: &generator)
        }
        IndexFileForgery.seal(&bytes)
        do throws(ReportedError) {
          _ = try answer(bytes)
        } catch {
          #expect(error.fault == .badData, "\(error)")
        }
      }
    }
  }

  /// Makes the checksums of an index file right again, as its format page says they are taken.
  private enum IndexFileForgery {
    static func seal(_ bytes: inout [UInt8]) {
      func number(_ place: Int) -> Int {
        (0..<8).reversed().reduce(0) { $0 << 8 | Int(bytes[place + $1]) }
      }
      func put(_ checksum: UInt32, _ place: Int) {
        for byte in 0..<4 {
          bytes[place + byte] = UInt8(truncatingIfNeeded: checksum >> UInt32(8 * byte))
        }
      }
      let pages = number(96 + 64)
      let tables = number(96 + 80)
      for (sealed, checksums) in [(4_096..<pages, pages), (pages..<tables, tables)] {
        for (page, start) in stride(from: sealed.lowerBound, to: sealed.upperBound, by: 4_096)
          .enumerated()
        {
          put(checksum(bytes[start..<start + 4_096]), checksums + 4 * page)
        }
      }
      put(checksum(bytes[tables...]), 92)
      put(0, 16)
      put(checksum(bytes[..<4_096]), 16)
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
      bytes.withUnsafeBytes { SourceStamp.checksum(of: $0) }
    }
  }
#endif
