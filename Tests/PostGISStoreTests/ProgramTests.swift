#if PostgreSQL
  import Foundation
  import Geodesy
  import MapAnnotations
  import NearbyTestSupport
  import Testing

  @testable import PostGISStore

  /// `nearby` with an address in the place of a file.
  @Suite(.enabled(if: TestServer.address != nil, TestServer.reason))
  struct ProgramTests {
    private let folder: Folder
    private let layer = "program \(UInt32.random(in: 0 ... .max))"

    init() throws { folder = try Folder() }

    private func write(_ text: String) throws { try folder.write(text, to: "shops.csv") }

    /// Runs the program with the address behind its words.
    private func run(_ words: String...) throws -> (
      status: Int32, output: String, errors: String
    ) { try run(words) }

    private func run(
      _ words: [String], store: String? = nil, environment: [String: String] = [:]
    ) throws -> (status: Int32, output: String, errors: String) {
      let words = try words.map { $0 == "ADDRESS" ? try #require(TestServer.address) : $0 }
      var all = TestedProgram.environment
      all["NEARBY_STORE"] = store
      let outcome = try SystemProgram.run(
        at: TestedProgram.builtWithTests.path, words, environment: all.merging(environment) { $1 },
        in: folder)
      return (outcome.status, outcome.text, outcome.errors)
    }

    private func ids() throws -> String {
      try run("list", "ADDRESS", "--layer", layer, "--format", "ids").output
    }

    @Test func `sync brings a layer to what its source has, once`() throws {
      try write("id,name,lat,lon\n1,A,37.5,127\n2,B,37.6,127\n")
      func sync(_ more: String...) throws -> (status: Int32, output: String, errors: String) {
        try run(["sync", "shops.csv", "--store", "ADDRESS", "--layer", layer] + more)
      }
      let first = try sync()
      #expect(first.status == 0, "\(first.errors)")
      #expect(try ids() == "1\n2\n")
      let again = try sync()
      #expect(again.errors.contains("is up to date: its content is already stored"))
      try write("id,name,lat,lon\n2,B,37.6,127\n3,C,37.7,127\n")
      let next = try sync()
      #expect(next.errors.contains("1 added, 1 unchanged, 1 removed"), "\(next.errors)")
      #expect(try ids() == "2\n3\n")
      // What is empty does not empty it unasked.
      try write("id,name,lat,lon\n")
      let empty = try sync()
      #expect(empty.status == 65)
      #expect(empty.errors.contains("--allow-empty"))
      #expect(try ids() == "2\n3\n")
      let merged = try sync("--upsert", "--allow-empty")
      #expect(merged.status == 64)
      #expect(merged.errors.contains("postgres-policy"))
      // Once others have written, it is not what was fetched.
      try write("id,name,lat,lon\n9,Z,37.6,127\n")
      #expect(
        try run("import", "shops.csv", "--store", "ADDRESS", "--layer", layer).status == 0)
      try write("id,name,lat,lon\n2,B,37.6,127\n3,C,37.7,127\n")
      #expect(try sync().status == 0)
      #expect(try ids() == "2\n3\n")
    }

    @Test func `a layer is compared with a file`() throws {
      try write("id,name,lat,lon\n1,A,37.5,127\n2,B,37.6,127\n")
      #expect(
        try run("import", "shops.csv", "--store", "ADDRESS", "--layer", layer).status == 0)
      try write("id,name,lat,lon\n1,A,37.5,127\n3,C,37.7,127\n")
      let outcome = try run("diff", "ADDRESS", "shops.csv", "--layer", layer, "--format", "csv")
      #expect(outcome.output.contains("B") && outcome.output.contains("C"), "\(outcome)")
      let back = try run("diff", "shops.csv", "ADDRESS", "--layer", layer, "--format", "csv")
      #expect(back.output.contains("B") && back.output != outcome.output, "\(back)")
    }

    @Test func `a row at 0,0 that was accepted is there for every command`() throws {
      try write("id,lat,lon\na,0,0\nb,1,1\n")
      let made = try run(
        "import", "shops.csv", "--allow-null-island", "--store", "ADDRESS", "--layer", layer)
      #expect(made.status == 0, "\(made.errors)")
      #expect(try ids() == "a\nb\n")
      for words in [["bbox", "0,0,2,2"], ["find", "--lat", "0.5", "--lon", "0.5", "-k", "all"]] {
        let found = try run(words + ["ADDRESS", "--layer", layer, "--format", "ids"])
        #expect(found.output.split(separator: "\n").sorted() == ["a", "b"], "\(found.errors)")
      }
    }

    @Test func `the positions of a layer are degrees, whatever CRS is asked for`() throws {
      try write("id,lat,lon\n1,37.5,127\n")
      #expect(try run("import", "shops.csv", "--store", "ADDRESS", "--layer", layer).status == 0)
      for words in [["list"], ["--lat", "37.5", "--lon", "127", "-k", "1"]] {
        let asked = try run(words + ["ADDRESS", "--layer", layer, "--crs", "EPSG:3857"])
        #expect(asked.status == 64 && asked.output.isEmpty)
        #expect(asked.errors.contains("error: crs-of-store: "), "\(asked.errors)")
      }
    }

    @Test func `store info lists the layers, store drop removes one, and the others want a file`()
      throws
    {
      try write("id,lat,lon\n1,37.5,127\n2,37.6,127\n")
      for name in [layer, layer + " 2"] {
        let made = try run("import", "shops.csv", "--store", "ADDRESS", "--layer", name)
        #expect(made.status == 0, "\(made.errors)")
      }
      func info() throws -> String { try run("store", "info", "--store", "ADDRESS").output }
      func member(_ name: String) -> String {
        #"{"name":"\#(name)","annotations":2,"source":"shops.csv","version":null,"refreshed":"#
      }
      let listed = try info()
      #expect(listed.contains(member(layer)), "\(listed)")
      let dropped = try run("store", "drop", layer, "--store", "ADDRESS")
      #expect(dropped.status == 0 && dropped.output == "", "\(dropped.errors)")
      let rest = try info()
      #expect(!rest.contains(member(layer)) && rest.contains(member(layer + " 2")), "\(rest)")
      #expect(try run("list", "ADDRESS", "--layer", layer).errors.contains("unknown-layer"))
      #expect(try run("store", "drop", layer, "--store", "ADDRESS").status == 64)
      for words in [["store", "compact"], ["store", "unplaced"], ["favorite", "list"]] {
        let refused = try run(words + ["--store", "ADDRESS"])
        #expect(refused.status == 64)
        #expect(refused.errors.hasPrefix("error: postgres-store: "), "\(refused.errors)")
        #expect(refused.errors.contains("removed by nearby store drop"), "\(refused.errors)")
      }
    }

    @Test func `sync keeps a later version of another source`() throws {
      for (name, version) in [("a", 5), ("b", 4), ("c", 6)] {
        let text = """
          {"type":"FeatureCollection","version":\(version),"features":[{"type":"Feature","id":"\(name)",
          "geometry":{"type":"Point","coordinates":[127,37]},"properties":{}}]}
          """
        try folder.write(text, to: "\(name).geojson")
      }
      func sync(_ file: String, _ store: String) throws -> (status: Int32, errors: String) {
        let done = try run(
          "sync", file, "--version-field", "version", "--store", store, "--layer", layer)
        return (done.status, done.errors)
      }
      for store in ["x.gpkg", "ADDRESS"] {
        #expect(try sync("a.geojson", store).status == 0)
        let older = try sync("b.geojson", store)
        #expect(older.status == 64 && older.errors.contains("other-source"), "\(older.errors)")
        #expect(
          try run("list", store, "--layer", layer, "--format", "ids").output == "a\n")
        #expect(try sync("c.geojson", store).status == 0)
        #expect(
          try run("list", store, "--layer", layer, "--format", "ids").output == "c\n")
      }
    }

    @Test func `a replaced layer knows only the new fields and kinds`() throws {
      for text in [
        "id,kind,price,lat,lon\n1,cafe,3,37.5,127\n", "id,kind,size,lat,lon\n1,mart,3,37.5,127\n",
      ] {
        try write(text)
        let made = try run("import", "shops.csv", "--store", "ADDRESS", "--layer", layer)
        #expect(made.status == 0, "\(made.errors)")
      }
      for options in [
        ["--where", "price=3"], ["--kind", "cafe"], ["--fields", "price"], ["--sort", "price"],
      ] {
        let words = ["--lat", "37", "--lon", "127", "--format", "csv"] + options
        let found = try run(["find", "ADDRESS", "--layer", layer] + words)
        let wanted = try run(["find", "shops.csv"] + words)
        #expect(found.status == wanted.status, "\(options): \(found.errors)")
        let code = options[0] == "--kind" ? "kind-unknown" : "-field: "
        #expect(wanted.errors.contains(code) && found.errors.contains(code), "\(found.errors)")
      }
    }

    @Test func `a type that only rows further on have is compared with, not refused`() throws {
      let features = (1...600).map { number in
        let no = number % 200 == 0 ? "\"\(number)A\"" : "\(number)"
        return #"{"type":"Feature","id":\#(number),"properties":{"no":\#(no),"width":\#(number)},"#
          + #""geometry":{"type":"Point","coordinates":[127,\#(Double(number) / 100)]}}"#
      }
      try folder.write(
        #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#,
        to: "no.geojson")
      let made = try run("import", "no.geojson", "--store", "ADDRESS", "--layer", layer)
      #expect(made.status == 0, "\(made.errors)")
      for (condition, status) in [("no = '400A'", 0), ("no like '40%A'", 0), ("width = 'A'", 64)] {
        for words in [
          ["list", "--limit", "3"], ["find", "--lat", "0", "--lon", "127", "-k", "3"],
        ] {
          let options = words.dropFirst() + ["--where", condition, "--format", "ids"]
          let found = try run([words[0], "ADDRESS", "--layer", layer] + options)
          let wanted = try run([words[0], "no.geojson"] + options)
          #expect(found.status == wanted.status && Int(found.status) == status, "\(found.errors)")
          #expect(found.output == wanted.output, "\(words) \(condition)")
        }
      }
    }

    @Test func `what is said beside an answer is what a file has said`() throws {
      try write("id,zone,kind,area,lat,lon\n1,A,cafe,,36,49\n2,B,mart,,38,51\n3,C,mart,,50,37\n")
      let made = try run("import", "shops.csv", "--store", "ADDRESS", "--layer", layer)
      #expect(made.status == 0, "\(made.errors)")
      let area = #"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}"#
      try folder.write(area, to: "area.geojson")
      for words in [
        // Here another place is where the origin is.
        ["find", "--lat", "50", "--lon", "37", "--bbox", "48,35,52,39"],
        ["find", "--lat", "1", "--lon", "1", "--within", "1m", "--kind", "CAFE"],
        ["within", "area.geojson", "--kind", "CAFE"], ["within", "area.geojson", "--kind", "zoo"],
        ["bbox", "48,35,52,39", "--kind", "zoo"], ["list", "--kind", "zoo"],
        ["list", "--kind", "mart", "--limit", "1"], ["list", "--limit", "1", "--after", "x"],
        ["find", "--lat", "50", "--lon", "37", "--after", "x"],
      ] {
        var words = words + ["--format", "csv"]
        // The source comes behind the command's own operand.
        let place = words.firstIndex { $0.hasPrefix("--") } ?? words.endIndex
        words.insert(contentsOf: ["shops.csv"], at: place)
        let wanted = try run(words)
        words.replaceSubrange(place...place, with: ["ADDRESS", "--layer", layer])
        let found = try run(words)
        #expect(found.status == wanted.status, "\(words)")
        #expect(found.output == wanted.output, "\(words)")
        #expect(found.errors == wanted.errors, "\(words)")
      }
    }

    @Test(
      .enabled(if: TestServer.others.count > 1, "needs NEARBY_POSTGRES with two other servers"))
    func `bbox, map and list answer without a server that does not, and say so`() throws {
      let gone = try SeveralServersTests.lostServer()
      // By their cells: on another server, here, and where nobody answers.
      let items = try [(-23.0, -46.0), (48, 2), (35, 139)].enumerated().map { place, degrees in
        BasicAnnotation(
          id: AnnotationID(place),
          coordinate: try Coordinate(latitude: degrees.0, longitude: degrees.1))
      }
      let layer = try SeveralServersTests.layer(
        "lost boxes", for: PostGISStoreTests.imported(items),
        on: [TestServer.others.keys.sorted()[0], gone])
      try SeveralServersTests.put(PostGISStoreTests.imported(Array(items.prefix(2))), into: layer)
      for (words, output, isWhole) in [
        (["bbox", "-180,-90,180,90", "--format", "ids"], "0\n1\n", false),
        (["bbox", "-180,-90,180,90", "--count"], "2\n", false),
        (["bbox", "0,40,10,50", "--format", "ids"], "1\n", true),
        (["bbox", "0,40,10,50", "--count"], "1\n", true),
        (["list", "--format", "ids"], "0\n1\n", false),
        (["list", "--limit", "1", "--format", "ids"], "0\n", false),
        (["map"], nil, false), (["map", "--bbox", "0,40,10,50"], nil, true),
      ] as [([String], String?, Bool)] {
        let found = try run(words + ["ADDRESS", "--layer", layer.name])
        #expect(found.status == 0, "\(words): \(found.errors)")
        if let output { #expect(found.output == output, "\(words)") }
        #expect(
          found.errors.contains("incomplete: \(gone) did not answer") != isWhole,
          "\(words): \(found.errors)")
      }
      // Nothing was found in the place of what did not answer, or where all did.
      for (place, status) in [("35,139", 69), ("10,2", 1), ("48,2", 0)] as [(String, Int32)] {
        let find = ["find", place, "--within", "20km", "-q"]
        let bbox = ["bbox", "20km", place, "--exit-status", "--format", "ids"]
        for words in [find, bbox] {
          let found = try run(words + ["ADDRESS", "--layer", layer.name])
          #expect(found.status == status, "\(words): \(found.errors)")
        }
      }
    }

    @Test func `a cursor has nothing of the server's address`() throws {
      try write("id,name,lat,lon\n1,A,37.5,127\n2,B,37.6,127\n")
      #expect(try run("import", "shops.csv", "--store", "ADDRESS", "--layer", layer).status == 0)
      // Whoever is strict reads the whole layer, with the place of each row.
      let page = try run(
        "list", "ADDRESS", "--layer", layer, "--strict", "--limit", "1", "--after", "", "--format",
        "json")
      let next = try #require(page.output.components(separatedBy: #""next":""#).last)
      let text = next.prefix { $0 != "\"" }.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
      let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
      let cursor = try #require(Data(base64Encoded: String(text) + padding))
      let server = try TestServer.store().server
      #expect(!String(decoding: cursor, as: UTF8.self).contains(server))
    }

    @Test func `an error of the database has one exit code, whatever asks`() throws {
      try write("id,name,lat,lon\n1,A,37.5,127\n")
      #expect(try run("import", "shops.csv", "--store", "ADDRESS", "--layer", layer).status == 0)
      let stored = try TestServer.store().layer(named: layer)
      try stored.store.writing { connection throws(PostGISError) in
        try connection.run("ALTER TABLE \(stored.table) RENAME COLUMN feature TO gone")
      }
      let found = try run("ADDRESS", "--layer", layer, "--lat", "37", "--lon", "127")
      let listed = try run("list", "ADDRESS", "--layer", layer)
      try stored.store.writing { connection throws(PostGISError) in
        try connection.run("DROP TABLE \(stored.table)")
        _ = try connection.rows("DELETE FROM nearby.layers WHERE name = $1", [layer])
      }
      #expect(found.status == 74 && listed.status == 74, "\(found.errors)\(listed.errors)")
    }

    @Test func `what is left out because its id comes again is said`() throws {
      try write("id,name,lat,lon\n1,A,37.5,127\n2,B,37.6,127\n1,C,37.7,127\n")
      for command in ["import", "sync"] {
        let done = try run(command, "shops.csv", "--store", "ADDRESS", "--layer", layer + command)
        #expect(done.status == 0, "\(done.errors)")
        #expect(done.errors.contains("2 added"), "\(done.errors)")
        #expect(
          done.errors.contains("repeated-ids: left out 1 annotation,")
            && done.errors.contains("--id-field"), "\(done.errors)")
      }
    }

    @Test func `an address may be the store of the environment, and its password is not shown`()
      throws
    {
      let address = try #require(TestServer.address) + "&password=geheim"
      try write("id,name,lat,lon\n1,A,37.5,127\n")
      let made = try run(["import", "shops.csv", "--layer", layer], store: address)
      #expect(made.status == 0, "\(made.errors)")
      let found = try run(["list", "--layer", layer, "--format", "ids"], store: address)
      #expect(found.output == "1\n", "\(found.errors)")
      #expect(try folder.names == ["shops.csv"])
      let exported = try run(["export", address, "--layer", layer, "-o", "x.html"])
      #expect(exported.status == 0, "\(exported.errors)")
      let page = try folder.text("x.html")
      #expect(!page.contains("geheim"))
      #expect(page.contains("<title>\(layer)</title>"))
      for words in [
        ["join", "shops.csv", address, "--layer", layer, "--inside"],
        ["index", "build", address, "-o", "x.nbx"], ["check", address, "--layer", "none"],
        ["list", address, "--layer", "none"], ["list", address + "&host=/nowhere"],
      ] {
        let refused = try run(words)
        #expect(refused.status != 0)
        #expect(refused.errors.hasPrefix("error: "), "\(refused.errors)")
        #expect(
          !(refused.errors + refused.output).contains("geheim"), "\(words[0]): \(refused.errors)")
      }
    }

    @Test func `a server of the environment or a service is called what it is called there`() throws
    {
      let server = try TestServer.store().server
      let host = String(server.dropLast("/maps".count))
      let named = try run(
        ["list", "postgres://", "--layer", "none"],
        environment: ["PGHOST": host, "PGDATABASE": "maps", "PGUSER": "postgres"])
      #expect(named.errors.hasPrefix("error: unknown-layer: \(server): "), "\(named.errors)")
      try folder.write("[here]\nhost=\(host)\ndbname=maps\nuser=postgres\n", to: "services")
      let served = try run(
        ["list", "service=here", "--layer", "none"],
        environment: ["PGSERVICEFILE": folder.path("services")])
      #expect(
        served.errors.hasPrefix("error: unknown-layer: service here/: "), "\(served.errors)")
    }

    @Test func `a kind that nothing is of is told beside those of the layer`() throws {
      try write("id,kind,lat,lon\n1,mart,37.5,127\n")
      let made = try run("import", "shops.csv", "--store", "ADDRESS", "--layer", layer)
      #expect(made.status == 0, "\(made.errors)")
      func find(_ kind: String) throws -> String {
        try run("ADDRESS", "--layer", layer, "--lat", "37", "--lon", "127", "--kind", kind).errors
      }
      #expect(try find("cinema").contains("known kinds: mart"))
      #expect(try !find("mart").contains("kind-unknown"))
    }

    @Test func `of several layers one has to be named, and none is an error, too`() throws {
      try write("id,name,lat,lon\n1,A,37.5,127\n")
      for name in [layer, layer + " 2"] {
        let made = try run("import", "shops.csv", "--store", "ADDRESS", "--layer", name)
        #expect(made.status == 0, "\(made.errors)")
      }
      let several = try run("ADDRESS", "--lat", "37", "--lon", "127")
      #expect(several.status == 64)
      #expect(several.errors.contains("several-layers") && several.errors.contains("--layer"))
      // Here --layer names what is written.
      let imported = try run("import", "ADDRESS", "--layer", "all", "--store", "all.gpkg")
      #expect(imported.status == 64)
      #expect(imported.errors.contains("leave out --layer"), "\(imported.errors)")
      let none = try run("ADDRESS", "--layer", layer + " 3", "--lat", "37", "--lon", "127")
      #expect(none.errors.contains("unknown-layer"))
      let found = try run(
        "ADDRESS", "--layer", layer, "--lat", "37", "--lon", "127", "--format", "json")
      #expect(found.output.contains(#""complete":true"#), "\(found.errors)")
      #expect(try run("store", "schema").output.contains("CREATE SCHEMA nearby_layers"))
    }
  }
#endif
