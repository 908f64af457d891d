#if Store
  import Foundation
  import NearbyTestSupport
  import Testing

  /// `nearby geocode` against a server of this machine.
  @Suite struct GeocodeTests {
    /// A store with a layer of three shops without a position and one with.
    private static func store() throws -> Folder {
      let folder = try Folder()
      try folder.write(
        """
        id,name,brand,address,lat,lon
        1,One,A,Street 1,,
        2,Two,B,Street 1,,
        3,Three,C,,,
        4,Four,D,Street 4,34.5,135.5

        """, to: "shops.csv")
      let outcome = try Program.run(["import", "shops.csv", "--store", "s.gpkg"], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      return folder
    }

    /// Knows streets, and nothing else.
    private static func answer(_ request: LocalServer.Request) -> [LocalServer.Piece] {
      let question = request.query["q"] ?? ""
      let known = question.hasPrefix("Street")
      return LocalServer.reply(
        text: known ? #"[{"lat": "34.25", "lon": "135.75", "display_name": "x"}]"# : "[]")
    }

    private static func geocode(
      _ server: LocalServer, _ more: [String] = [], in folder: Folder
    ) throws -> Program.Outcome {
      try Program.run(
        ["geocode", "--store", "s.gpkg", "--geocoder", server.address, "--interval", "0.02"] + more,
        in: folder)
    }

    private static func positions(in folder: Folder) throws -> [String] {
      let outcome = try Program.run(
        ["convert", "s.gpkg", "--format", "csv", "--fields", ""], in: folder)
      return Array(outcome.lines[1...])
    }

    @Test func `answers place annotations, one for all with the same address`() throws {
      let folder = try Self.store()
      let server = try LocalServer { request, _ in Self.answer(request) }
      let outcome = try Self.geocode(server, ["--countries", "jp"], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.contains("2 placed, 1 without an answer, 0 pending"))
      #expect(outcome.errors.contains("shops 3: \"Three\": not found"))
      #expect(server.requests.map { $0.query["q"] } == ["Street 1", "Three"])
      let positions = try Self.positions(in: folder)
      #expect(positions.map { $0.contains("34.25,135.75") } == [true, true, false, false])
    }

    @Test func `what was answered is not asked again, not even for annotations that came anew`()
      throws
    {
      let folder = try Self.store()
      let server = try LocalServer { request, _ in Self.answer(request) }
      _ = try Self.geocode(server, in: folder)
      let asked = server.requests.count
      _ = try Program.run(["import", "shops.csv", "--store", "s.gpkg"], in: folder)
      #expect(try Self.positions(in: folder).filter { $0.contains("34.25") }.isEmpty)
      let outcome = try Self.geocode(server, in: folder)
      #expect(outcome.errors.contains("2 placed, 1 without an answer"))
      #expect(server.requests.count == asked)
      #expect(try Self.positions(in: folder).filter { $0.contains("34.25") }.count == 2)
      _ = try Self.geocode(server, ["--again"], in: folder)
      #expect(server.requests.dropFirst(asked).map { $0.query["q"] } == ["Three"])
    }

    @Test func `a merge drops positions that were looked up for another address, and keeps others`()
      throws
    {
      let folder = try Folder()
      let server = try LocalServer { request, before in
        LocalServer.reply(text: #"[{"lat": "\#(30 + before)", "lon": "135"}]"#)
      }
      func run(_ rows: String, _ policy: String) throws -> [String] {
        try folder.write("id,name,address,floor,lat,lon\n" + rows, to: "shops.csv")
        let outcome = try Program.run(
          ["import", "shops.csv", "--store", "s.gpkg", "--policy", policy], in: folder)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let merged = try Self.positions(in: folder)
        #expect(try Self.geocode(server, ["--ask", "{address}, JP"], in: folder).status == 0)
        return merged
      }
      _ = try run("1,One,Street 1,1,,\n2,Two,Street 2,1,,\n3,Three,Street 3,1,1,2\n", "replace")
      let merged = try run("1,Uno,Lane 7,1,,\n2,Due,Street  2,2,,\n3,Tre,Lane 9,1,,\n", "upsert")
      #expect(merged.map { $0.hasSuffix(",,,") } == [true, false, false], "\(merged)")
      #expect(
        server.requests.map { $0.query["q"] } == ["Street 1, JP", "Street 2, JP", "Lane 7, JP"])
      let positions = try Self.positions(in: folder)
      for (row, place) in zip(positions, ["32,135", "31,135", "1,2"]) {
        #expect(row.contains(place), "\(row)")
      }
    }

    @Test func `positions that were looked up do not stop the next sync, those of its source do`()
      throws
    {
      let folder = try Folder()
      let server = try LocalServer { request, _ in Self.answer(request) }
      let header = "id,name,address,lat,lon\n"
      func sync(_ rows: String) throws -> Program.Outcome {
        try folder.write(header + rows, to: "shops.csv")
        return try Program.run(
          ["sync", "shops.csv", "--layer", "shops", "--store", "s.gpkg"], in: folder)
      }
      #expect(try sync("1,One,Street 1,,\n2,Two,Street 1,,\n").status == 0)
      _ = try Self.geocode(server, in: folder)
      let news = try sync("1,One,Street 1,,\n2,Two,Street 1,,\n3,Three,Street 1,,\n")
      #expect(news.status == 0 && news.errors.contains("1 added"), "\(news.errors)")
      _ = try Self.geocode(server, in: folder)
      #expect(try Self.positions(in: folder).filter { $0.contains("34.25") }.count == 3)
      #expect(server.requests.count == 1)

      #expect(try sync("1,One,Street 1,,\n4,Four,Street 4,34.5,135.5\n").status == 0)
      _ = try Self.geocode(server, in: folder)
      let refused = try sync("1,One,Street 1,,\n4,Four,Street 4,,\n")
      #expect(refused.status == 65 && refused.errors.contains("empty-source"), "\(refused.errors)")
    }

    @Test func `a limit of questions ends a run without a failure, and the next goes on`() throws {
      let folder = try Self.store()
      let server = try LocalServer { request, _ in Self.answer(request) }
      let first = try Self.geocode(server, ["--limit", "1"], in: folder)
      #expect(first.status == 0, "\(first.errors)")
      #expect(first.errors.contains("2 placed, 0 without an answer, 1 pending"))
      #expect(
        first.errors.contains("asked as many questions as --limit 1 allows; run again to continue"))
      let second = try Self.geocode(server, ["--limit", "1"], in: folder)
      #expect(second.status == 0, "\(second.errors)")
      #expect(second.errors.contains("0 pending"))
      #expect(!second.errors.contains("run again"))
      #expect(server.requests.map { $0.query["q"] } == ["Street 1", "Three"])
      let none = try Self.geocode(server, ["--limit", "0"], in: folder)
      #expect(none.status == 64)
      #expect(none.errors.contains("--limit 0 must be at least 1"))
    }

    @Test func `a run that was ended counts what is left in all layers, and places what is known`()
      throws
    {
      let folder = try Self.store()
      try folder.write(
        "id,name,address,lat,lon\n1,Five,Street 1,,\n2,Six,Street 6,,\n", to: "other.csv")
      _ = try Program.run(["import", "other.csv", "--store", "s.gpkg"], in: folder)
      let server = try LocalServer { request, _ in Self.answer(request) }
      let outcome = try Self.geocode(server, ["--limit", "1"], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.contains("3 placed, 0 without an answer, 2 pending"))
      #expect(outcome.errors.contains("as --limit 1 allows"))
      #expect(server.requests.map { $0.query["q"] } == ["Street 1"])
    }

    @Test func `a run that was ended goes on where it was`() throws {
      let folder = try Self.store()
      let server = try LocalServer { request, before in
        before == 0 ? Self.answer(request) : LocalServer.reply(503, ["Retry-After": "9999"], [])
      }
      let ended = try Self.geocode(server, in: folder)
      #expect(ended.status == 69)
      #expect(ended.errors.contains("error: geocoder-stopped: the geocoder asks to be left alone"))
      #expect(ended.errors.contains("2 placed, 0 without an answer, 1 pending"))
      let list = try Program.run(
        ["geocode", "--store", "s.gpkg", "--geocoder", server.address, "--list"], in: folder)
      #expect(list.text == "layer,id,name,state,detail\nshops,3,Three,pending,\"\"\"Three\"\"\"\n")
    }

    @Test func `a service that is down is given up soon, and says so`() throws {
      let folder = try Self.store()
      let server = try LocalServer { _, _ in LocalServer.reply(500, [:], []) }
      let outcome = try Self.geocode(
        server, ["--retry-budget", "2", "--longest-wait", "0.1"], in: folder)
      #expect(outcome.status == 69)
      #expect(outcome.errors.contains("more than 2 questions failed"))
      #expect(outcome.errors.contains("waiting"))
      #expect(outcome.errors.contains("0 placed, 0 without an answer, 3 pending"))
      #expect(server.requests.count == 3)
    }

    @Test
    func `an address that is given up in an outage is not replaced by a name, and --again asks it`()
      throws
    {
      let folder = try Folder()
      try folder.write(
        "id,name,address,lat,lon\n1,Street One,Lane 1,,\n2,Two,Street 2,,\n", to: "shops.csv")
      _ = try Program.run(["import", "shops.csv", "--store", "s.gpkg"], in: folder)
      let server = try LocalServer { request, _ in
        request.query["q"] == "Lane 1" ? LocalServer.reply(503, [:], []) : Self.answer(request)
      }
      let options = ["--attempts", "2", "--longest-wait", "0.1"]
      let outcome = try Self.geocode(server, options, in: folder)
      #expect(outcome.errors.contains("1 placed, 1 without an answer, 0 pending"))
      let givenUp =
        "\"Lane 1\": given up after 2 tries: the geocoder answers 503; --again asks it again"
      #expect(outcome.errors.contains("shops 1: \(givenUp)"), "\(outcome.errors)")
      #expect(server.requests.contains { $0.query["q"] == "Street One" } == false)
      let list = try Program.run(
        ["geocode", "--store", "s.gpkg", "--geocoder", server.address, "--list"], in: folder)
      #expect(list.text.contains("--again asks it again"), "\(list.text)")
    }

    @Test func `a killed run has lost nothing that was answered`() throws {
      let folder = try Folder()
      let rows = (0..<40).map { "\($0),Street \($0),,\n" }
      try folder.write("id,address,lat,lon\n" + rows.joined(), to: "shops.csv")
      _ = try Program.run(["import", "shops.csv", "--store", "s.gpkg"], in: folder)
      let server = try LocalServer { request, _ in Self.answer(request) }
      for _ in 0..<6 {
        // Some way into the run, wherever that is.
        _ = try Program.shell(
          "timeout -s KILL 0.3 \"$nearby\" geocode --store s.gpkg --geocoder \(server.address) "
            + "--interval 0.02", in: folder)
      }
      let outcome = try Self.geocode(server, in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try Self.positions(in: folder).filter { $0.contains("34.25") }.count == 40)
      // Each kill may have cost the one question that was under way.
      #expect((40...46).contains(server.requests.count))
    }

    @Test func `questions are made of fields, and left out where one is blank`() throws {
      let folder = try Self.store()
      let outcome = try Program.run(
        [
          "geocode", "--store", "s.gpkg", "--list", "--ask", "{brand} {name}", "--ask",
          "{address}, JP",
        ], in: folder)
      #expect(
        outcome.text == """
          layer,id,name,state,detail
          shops,1,One,pending,\"""A One"", then ""Street 1, JP\"""
          shops,2,Two,pending,\"""B Two"", then ""Street 1, JP\"""
          shops,3,Three,pending,\"""C Three\"""

          """)
    }

    @Test func `a field that several layers have is listed once`() throws {
      let folder = try Self.store()
      let again = ["import", "shops.csv", "--layer", "again", "--store", "s.gpkg"]
      #expect(try Program.run(again, in: folder).status == 0)
      let server = try LocalServer { request, _ in Self.answer(request) }
      let errors = try Self.geocode(server, ["--ask", "{nope}"], in: folder).errors
      let fields = try #require(errors.components(separatedBy: "fields are ").last)
        .prefix { $0 != "\n" }.split(separator: ",")
      #expect(fields.contains("brand") && Set(fields).count == fields.count, "\(errors)")
    }

    @Test(arguments: [
      ("{nope}", "unknown-field", "no field is named \"nope\"; fields are "),
      ("{address} {nope}", "unknown-field", "no field is named \"nope\""),
      ("{}", "bad-question", "names no field"), ("{address} {}", "bad-question", "names no field"),
      ("", "bad-question", "names no field"), ("somewhere", "bad-question", "names no field"),
    ])
    func `a question without a field, or with one that is not there, is not asked`(
      question: String, code: String, says: String
    ) throws {
      let folder = try Self.store()
      let server = try LocalServer { request, _ in Self.answer(request) }
      for more in [[], ["--list"]] {
        let outcome = try Self.geocode(server, ["--ask", question] + more, in: folder)
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.errors.contains("error: \(code): --ask"), "\(outcome.errors)")
        #expect(outcome.errors.contains(says), "\(outcome.errors)")
      }
      #expect(server.requests.isEmpty)
    }

    @Test func `the fields of a question that are blank are named as that`() throws {
      let folder = try Self.store()
      let server = try LocalServer { request, _ in Self.answer(request) }
      let outcome = try Self.geocode(server, ["--ask", "{address}"], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.contains("shops 3: there is nothing to ask for: "))
      #expect(outcome.errors.contains("2 placed, 1 without an answer, 0 pending"))
    }

    @Test func `the public Nominatim is not asked faster than it allows`() throws {
      let folder = try Self.store()
      let outcome = try Program.run(
        [
          "geocode", "--store", "s.gpkg", "--geocoder", "https://nominatim.openstreetmap.org",
          "--interval", "0.5",
        ], in: folder)
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("one question a second"))
    }
  }
#endif
