#if Store
  import Foundation
  import Geodesy
  import Synchronization
  import NearbyTestSupport
  import Testing

  /// `nearby sync` against a server of this machine.
  @Suite struct SyncTests {
    /// A feed as the deals app has it, of a version and so many deals.
    private static func feed(_ version: String, _ ids: Range<Int>, more: String = "") -> String {
      let deals = ids.map { id in
        #"{"id": \#(id), "title": "deal \#(id)", "lat": 34.\#(id), "lng": 135.5}"#
      }
      return #"{"version": \#(version), "deals": [\#(deals.joined(separator: ", "))\#(more)]}"#
    }

    /// What a server says, to be changed between two syncs.
    private final class Script: Sendable {
      private let pieces: Mutex<[LocalServer.Piece]>
      init(_ pieces: [LocalServer.Piece]) { self.pieces = Mutex(pieces) }
      convenience init(_ text: String) { self.init(LocalServer.reply(text: text)) }
      func say(_ pieces: [LocalServer.Piece]) { self.pieces.withLock { $0 = pieces } }
      func say(_ text: String) { say(LocalServer.reply(text: text)) }
      func serve() throws -> LocalServer {
        try LocalServer { _, _ in self.pieces.withLock(\.self) }
      }
    }

    private static func sync(
      _ server: LocalServer, _ path: String = "/deals.json", _ more: [String] = [],
      in folder: Folder
    ) throws -> Program.Outcome {
      try Program.run(
        ["sync", server.address + path, "--store", "s.gpkg", "--layer", "deals"] + more, in: folder)
    }

    private static func ids(in folder: Folder) throws -> [String] {
      let outcome = try Program.run(
        ["convert", "s.gpkg", "--layer", "deals", "--format", "csv"], in: folder)
      return outcome.lines.dropFirst().map { String($0.prefix { $0 != "," }) }
    }

    private let versioned = ["--version-field", "version"]

    @Test func `a newer version replaces all, an equal or older one nothing`() throws {
      let folder = try Folder()
      let script = Script(Self.feed("3", 1..<4))
      let server = try script.serve()
      #expect(try Self.sync(server, versioned: versioned, in: folder).status == 0)
      #expect(try Self.ids(in: folder) == ["1", "2", "3"])
      for (version, ids, expected) in [
        ("3", 5..<6, ["1", "2", "3"]), ("2", 5..<7, ["1", "2", "3"]),
        ("\"4\"", 2..<5, ["2", "3", "4"]),
      ] {
        script.say(Self.feed(version, ids))
        let outcome = try Self.sync(server, versioned: versioned, in: folder)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try Self.ids(in: folder) == expected, "version \(version)")
      }
    }

    @Test func `the same content is read again where the options have changed`() throws {
      let folder = try Folder()
      let script = Script(Self.feed("3", 1..<4))
      let server = try script.serve()
      for (path, version) in [("/deals.json", versioned), ("/others.json", [])] {
        for (options, expected, isNew) in [
          (["--upsert"], ["1", "2", "3"], true), (["--deny", "2"], ["1", "3"], true),
          (["--deny", "2"], ["1", "3"], false), ([], ["1", "2", "3"], true),
          ([], ["1", "2", "3"], false),
          (["--crs", "EPSG:4326", "--id-field", "title"], ["deal 1", "deal 2", "deal 3"], true),
          (["--replace"], ["1", "2", "3"], true), (["--replace"], ["1", "2", "3"], false),
        ] {
          let outcome = try Self.sync(server, path, version + options, in: folder)
          #expect(outcome.status == 0, "\(outcome.errors)")
          #expect(outcome.errors.contains("is up to date") != isNew, "\(options)")
          // Merged by other ids, the earlier ones stay.
          let ids = try Self.ids(in: folder).sorted()
          #expect(ids.suffix(expected.count) == expected[...], "\(options)")
          #expect(
            ids.count == expected.count || expected[0] == "deal 1" && ids.count == 6, "\(options)")
        }
      }
    }

    @Test func `a feed without its version changes nothing, and the version is named`() throws {
      let folder = try Folder()
      let script = Script(Self.feed("3", 1..<3))
      let server = try script.serve()
      _ = try Self.sync(server, versioned: versioned, in: folder)
      for version in ["null", "1.10", "\"x\""] {
        script.say(Self.feed(version, 5..<9))
        let outcome = try Self.sync(server, versioned: versioned, in: folder)
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("no-version"))
        #expect(outcome.errors.contains("layer deals stays as it was"))
      }
      #expect(try Self.ids(in: folder) == ["1", "2"])
    }

    @Test func `null rows are left out with a report, and the rest is taken`() throws {
      let folder = try Folder()
      let script = Script(
        Self.feed("1", 1..<3, more: #", null, {"id": 7, "lat": "34.7", "lng": "135.5"}, 5"#))
      let server = try script.serve()
      let outcome = try Self.sync(server, versioned: versioned, in: folder)
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("2 of 5 rows rejected"))
      #expect(outcome.errors.contains("number-as-text"))
      #expect(try Self.ids(in: folder) == ["1", "2", "7"])
    }

    @Test func `the same content is not asked for again, or not taken again`() throws {
      let folder = try Folder()
      let text = Self.feed("1", 1..<3)
      let server = try LocalServer { request, _ in
        request.headers["if-none-match"] == "\"a\""
          ? LocalServer.reply(304, ["ETag": "\"a\"", "Content-Length": "0"], [])
          : LocalServer.reply(200, ["ETag": "\"a\""], Array(text.utf8))
      }
      _ = try Self.sync(server, in: folder)
      let again = try Self.sync(server, in: folder)
      #expect(again.status == 0)
      #expect(again.errors.contains("the server says that it is unchanged"))
      // Another address has its own validators.
      let other = try Self.sync(server, "/deals.json?all", in: folder)
      #expect(server.requests.last?.headers["if-none-match"] == nil)
      #expect(other.status == 0)
      // A layer that something else has written is fetched anew.
      try folder.write("id,lat,lon\n77,1,2\n", to: "x.csv")
      _ = try Program.run(
        ["import", "x.csv", "--store", "s.gpkg", "--layer", "deals"], in: folder)
      _ = try Self.sync(server, in: folder)
      #expect(server.requests.last?.headers["if-none-match"] == nil)
      #expect(try Self.ids(in: folder) == ["1", "2"])
    }

    @Test func `names of fields that are empty or have line breaks are the same each time`() throws
    {
      let folder = try Folder()
      for name in ["A", "B"] {
        try folder.write("id,\"a\nb\",lat,lon,\n1,\(name),37.5,127,\n", to: "shops.csv")
        let outcome = try Program.run(
          ["sync", "shops.csv", "--store", "s.gpkg", "--layer", "shops"], in: folder)
        #expect(outcome.status == 0 && outcome.errors.contains("shops"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("field-drift"), "\(outcome.errors)")
      }
    }

    @Test func `a part of the content that nobody asked for is not taken for all of it`() throws {
      let folder = try Folder()
      let script = Script(Self.feed("1", 1..<9))
      let server = try script.serve()
      _ = try Self.sync(server, in: folder)
      let part = Array(Self.feed("2", 1..<4).utf8)
      script.say(
        LocalServer.reply(206, ["Content-Range": "bytes 0-\(part.count - 1)/9999"], part))
      for path in ["/deals.json", "/new.json"] {
        let outcome = try Self.sync(server, path, in: folder)
        #expect(outcome.status == 69, "\(outcome.errors)")
        #expect(outcome.errors.contains("error: fetch-unasked: "), "\(outcome.errors)")
      }
      #expect(try Self.ids(in: folder).count == 8)
    }

    @Test func `a Last-Modified that is yet to come does not hold a layer back`() throws {
      let folder = try Folder()
      func reply(_ ids: Range<Int>, _ date: String) -> [LocalServer.Piece] {
        LocalServer.reply(200, ["Last-Modified": date], Array(Self.feed("1", ids).utf8))
      }
      let future = "Fri, 01 Jan 2100 00:00:00 GMT"
      let contents = Mutex(reply(1..<3, future))
      // As servers do that compare dates and not names of them.
      let server = try LocalServer { request, _ in
        request.headers["if-modified-since"] == future
          ? LocalServer.reply(304, [:], []) : contents.withLock(\.self)
      }
      _ = try Self.sync(server, in: folder)
      #expect(try Self.ids(in: folder) == ["1", "2"])
      for (ids, date) in [
        (3..<5, "Sat, 21 Nov 2020 10:02:07 GMT"), (5..<7, future), (7..<9, future),
        (2..<4, "Sat, 21 Nov 2021 10:02:07 GMT"),
      ] {
        contents.withLock { $0 = reply(ids, date) }
        let outcome = try Self.sync(server, in: folder)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try Self.ids(in: folder) == ids.map(String.init), "\(date): \(outcome.errors)")
      }
      // What is believed still holds back an older copy.
      contents.withLock { $0 = reply(5..<6, "Sat, 21 Nov 2020 10:02:07 GMT") }
      _ = try Self.sync(server, in: folder)
      #expect(try Self.ids(in: folder) == ["2", "3"])
    }

    @Test func `unchanged is no answer where there is nothing`() throws {
      let folder = try Folder()
      let text = Array(Self.feed("1", 1..<3).utf8)
      let isBare = Mutex(true)
      let server = try LocalServer { _, _ in
        isBare.withLock(\.self)
          ? LocalServer.reply(304, [:], []) : LocalServer.reply(200, ["ETag": "\"a\""], text)
      }
      let outcome = try Self.sync(server, in: folder)
      #expect(outcome.status == 69)
      #expect(outcome.errors.contains("error: fetch-unasked: "), "\(outcome.errors)")
      #expect(outcome.errors.contains("304"))
      #expect(try folder.names.isEmpty)
      // Nor where the layer was dropped after it came.
      isBare.withLock { $0 = false }
      _ = try Self.sync(server, in: folder)
      _ = try Program.run(["store", "drop", "deals", "--store", "s.gpkg"], in: folder)
      _ = try Self.sync(server, in: folder)
      #expect(server.requests.last?.headers["if-none-match"] == nil)
      #expect(try Self.ids(in: folder) == ["1", "2"])
    }

    @Test(arguments: ["/", "?", "#", "@", "//", "?a=", "#/", "@/", "/?#", ":"])
    func `a password is in no message, whatever it holds`(mark: String) throws {
      let folder = try Folder.withShops()
      for user in ["me:", "", "me:12"] {
        let address = "http://\(user)s3c\(mark)r3t@127.0.0.1:1/a?key=v4lue"
        for arguments in [
          ["sync", address, "--store", "s.gpkg", "--layer", "a"], ["info", address],
          ["geocode", "--geocoder", address, "--store", "s.gpkg"],
          ["--lat", "1", "--lon", "1", address], ["sync", "shops.csv", address],
          ["sync", "shops.csv", "--store", "s.gpkg", "--layer", "a", "--rejects", address + "/x"],
        ] {
          let outcome = try Program.run(arguments, in: folder)
          for secret in ["s3c", "r3t"] {
            #expect(!outcome.errors.contains(secret), "\(arguments): \(outcome.errors)")
            #expect(!outcome.text.contains(secret), "\(arguments): \(outcome.text)")
          }
        }
      }
    }

    @Test func `a proxy that does not serve is named, without its password`() throws {
      let folder = try Folder()
      let proxy = try LocalServer { _, _ in
        LocalServer.reply(407, ["Proxy-Authenticate": "Basic realm=\"p\""], [])
      }
      let good = "http://me:s3cret@" + proxy.address.dropFirst("http://".count)
      for (scheme, setting, says) in [
        ("https", good, "the proxy answers 407; check "),
        ("http", good, "the proxy answers 407; check "),
        ("http", "me:s3cret@127.0.0.1:99999", "the proxy cannot be used; check http_proxy"),
        ("https", "me:s3cret@127.0.0.1:99999", "the proxy cannot be used; check http_proxy"),
        ("http", "127.0.0.1:99999", "the proxy cannot be used; check http_proxy"),
      ] {
        let outcome = try Program.run(
          ["sync", "\(scheme)://example.invalid/x.csv", "--store", "s.gpkg", "--layer", "deals"],
          environment: ["\(scheme)_proxy": setting], in: folder)
        #expect(outcome.status == 69, "\(outcome.errors)")
        #expect(outcome.errors.contains("error: fetch-proxy: "), "\(outcome.errors)")
        #expect(outcome.errors.contains(says), "\(outcome.errors)")
        #expect(!outcome.errors.contains("trying again"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("s3cret"), "\(outcome.errors)")
      }
      #expect(proxy.requests.count == 2)
    }

    @Test func `no option makes two header fields of one`() throws {
      let folder = try Folder.withShops()
      let server = try LocalServer { _, _ in LocalServer.reply(text: Self.feed("1", 1..<3)) }
      for (option, code) in [("--user-agent", "bad-user-agent"), ("--header", "bad-header")] {
        for text in ["X: a\r\nY: b", "X: a\nY: b", "X: a\rY: b", "X: a\u{7F}"] {
          let outcome = try Self.sync(server, "/deals.json", [option, text], in: folder)
          #expect(outcome.status == 64, "\(outcome.errors)")
          #expect(outcome.errors.contains("error: \(code): "), "\(outcome.errors)")
        }
      }
      for text in ["X K: s3cret", "Authorization : s3cret", ": s3cret", "서울: s3cret", "s3cret"] {
        let outcome = try Self.sync(server, "/deals.json", ["--header", text], in: folder)
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.errors.contains("error: bad-header: "), "\(outcome.errors)")
        #expect(!outcome.errors.contains("s3cret"), "\(outcome.errors)")
      }
      #expect(server.requests.isEmpty)
      _ = try Self.sync(server, "/deals.json", ["--user-agent", "서울/1 (a; b)"], in: folder)
      #expect(server.requests.first?.headers["user-agent"] == "서울/1 (a; b)")
    }

    @Test func `content without a version is told by its digest`() throws {
      let folder = try Folder()
      try folder.write("id,lat,lon\n1,34.1,135\n", to: "shops.csv")
      let arguments = ["sync", "shops.csv", "--store", "s.gpkg", "--layer", "deals"]
      #expect(try Program.run(arguments, in: folder).errors.contains("1 added"))
      #expect(
        try Program.run(arguments, in: folder).errors.contains("its content is already stored"))
      try folder.write("id,lat,lon\n2,34.1,135\n", to: "shops.csv")
      #expect(try Program.run(arguments, in: folder).status == 0)
      #expect(try Self.ids(in: folder) == ["2"])
    }

    @Test func `a charset that the server states wrongly spoils no names`() throws {
      let folder = try Folder()
      let text = "id,name,lat,lon\n1,Café 서울,37.5,127\n"
      for (round, start) in ["", "\u{FEFF}"].enumerated() {
        for (charset, encoding) in [
          ("ISO-8859-1", []), ("EUC-KR", []), ("ISO-8859-1", ["--encoding", "auto"]),
        ] as [(String, [String])] {
          let server = try LocalServer { _, _ in
            LocalServer.reply(
              200, ["Content-Type": "text/csv; charset=\(charset)"], Array((start + text).utf8))
          }
          let outcome = try Self.sync(server, "/shops\(round)", encoding, in: folder)
          #expect(outcome.status == 0, "\(outcome.errors)")
          #expect(!outcome.errors.contains("the server says \(charset)"), "\(outcome.errors)")
          let table = try Program.run(
            ["convert", "s.gpkg", "--layer", "deals", "--format", "csv"], in: folder)
          #expect(table.lines.first?.hasPrefix("id,") == true, "\(table.text)")
          #expect(table.lines.last?.hasPrefix("1,Café 서울,") == true, "\(table.text)")
        }
      }
    }

    @Test func `an upsert keeps what the source no longer has, and what it leaves blank`() throws {
      let folder = try Folder()
      let script = Script(Self.feed("1", 1..<3))
      let server = try script.serve()
      _ = try Self.sync(server, versioned: versioned, in: folder)
      script.say(
        #"{"version": 2, "deals": [{"id": 1, "title": "", "lat": null, "lng": null, "stars": 1}, "#
          + #"{"id": 5, "title": "five", "lat": 34.5, "lng": 135}]}"#)
      let outcome = try Self.sync(server, versioned: versioned + ["--upsert"], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try Self.ids(in: folder) == ["1", "2", "5"])
      let list = try Program.run(
        ["convert", "s.gpkg", "--layer", "deals", "--format", "csv"], in: folder)
      #expect(list.lines[1].hasPrefix("1,deal 1,,34.1,135.5"))
      #expect(outcome.errors.contains("new fields: stars"))
    }

    @Test(arguments: ["import", "sync"])
    func `a rule for a property that no record has is warned of`(
      command: String
    ) throws {
      let folder = try Folder()
      try folder.write("id,name,lat,lon,phone\n1,a,34.1,135,02\n", to: "shops.csv")
      let arguments =
        [command, "shops.csv", "--store", "s.gpkg", "--layer", "shops"]
        + (command == "sync" ? ["--upsert"] : ["--policy", "upsert"])
      let wrong = try Program.run(arguments + ["--rule", "fone=replace"], in: folder)
      #expect(wrong.status == 0)
      #expect(
        wrong.errors.contains(
          "warning: unknown-field: --rule: no column is named \"fone\"; columns are id,name,phone")
      )
      try folder.write("id,name,lat,lon,phone\n1,b,34.1,135,03\n", to: "shops.csv")
      let right = try Program.run(
        arguments + ["--rule", "phone=replace", "--rule", "kind=keep-first"], in: folder)
      #expect(right.status == 0 && !right.errors.contains("warning"), "\(right.errors)")
    }

    @Test func `an empty source empties a layer only when that is said`() throws {
      let folder = try Folder()
      let script = Script(Self.feed("1", 1..<3))
      let server = try script.serve()
      _ = try Self.sync(server, versioned: versioned, in: folder)
      script.say(Self.feed("2", 0..<0))
      let refused = try Self.sync(server, versioned: versioned, in: folder)
      #expect(refused.status == 65)
      #expect(refused.errors.contains("empty-source"))
      #expect(try Self.ids(in: folder) == ["1", "2"])
      let taken = try Self.sync(server, versioned: versioned + ["--allow-empty"], in: folder)
      #expect(taken.status == 0)
      #expect(try Self.ids(in: folder).isEmpty)
    }

    @Test func `whatever goes wrong on the way, the layer stays and says how old it is`() throws {
      let folder = try Folder()
      let script = Script(Self.feed("1", 1..<3))
      let server = try script.serve()
      _ = try Self.sync(server, versioned: versioned, in: folder)
      let whole = Array(Self.feed("2", 5..<9).utf8)
      let cases: [(String, [LocalServer.Piece], Int32)] = [
        ("fetch-status", LocalServer.reply(404, [:], []), 69),
        ("fetch-too-large", LocalServer.reply(text: Self.feed("2", 0..<2000)), 69),
        ("json-syntax", LocalServer.reply(200, [:], whole.dropLast(9)), 65),
        ("fetch-redirect", LocalServer.reply(302, ["Location": "/deals.json"], []), 69),
        ("gzip-damaged", LocalServer.reply(200, [:], [0x1F, 0x8B, 8, 0, 0, 0]), 69),
      ]
      for (code, pieces, status) in cases {
        script.say(pieces)
        let outcome = try Self.sync(
          server, versioned: versioned + ["--max-bytes", "20000"], in: folder)
        #expect(outcome.status == status, "\(code): \(outcome.errors)")
        #expect(outcome.errors.contains("error: \(code): "), "\(outcome.errors)")
        #expect(outcome.errors.contains("layer deals stays as it was"))
        #expect(outcome.errors.contains(" s ago, with 2 annotations"))
        #expect(try Self.ids(in: folder) == ["1", "2"])
      }
    }

    @Test func `a server that fails once is asked again, and a slow one is not waited for`() throws
    {
      let folder = try Folder()
      let text = Self.feed("1", 1..<3)
      let server = try LocalServer { request, before in
        if request.path == "/slow" { return [.pause(milliseconds: 3000)] }
        return before == 0
          ? LocalServer.reply(503, ["Retry-After": "0"], []) : LocalServer.reply(text: text)
      }
      let outcome = try Self.sync(server, versioned: versioned, in: folder)
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("trying again"))
      let slow = try Self.sync(
        server, "/slow", ["--timeout", "0.2", "--attempts", "1"], in: folder)
      #expect(slow.status == 69)
      #expect(slow.errors.contains("fetch-timeout"))
    }

    @Test func `a layer is not mistaken for another source of the same numbers`() throws {
      let folder = try Folder()
      let server = try LocalServer { request, _ in
        LocalServer.reply(
          text: request.path == "/a" ? Self.feed("5", 1..<3) : Self.feed("4", 5..<6))
      }
      _ = try Self.sync(server, "/a", versioned, in: folder)
      let outcome = try Self.sync(server, "/b", versioned, in: folder)
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("error: other-source: layer deals holds that version or a "))
      #expect(try Self.ids(in: folder) == ["1", "2"])
    }

    @Test func `of two syncs that make a layer at once, one finds it made`() throws {
      let folder = try Folder.withShops()
      for arguments in [["import", "shops.csv"], ["store", "compact"]] {
        #expect(try Program.run(arguments + ["--store", "s.gpkg"], in: folder).status == 0)
      }
      // The two of a round are answered together.
      let arrived = SharedValue(0)
      let server = try LocalServer { _, before in
        arrived.withLock { $0 += 1 }
        for _ in 0..<5_000 where arrived.withLock(\.self) < before / 2 * 2 + 2 { usleep(1_000) }
        return LocalServer.reply(text: Self.feed("3", 1..<4))
      }
      for round in 0..<5 {
        let sync =
          "$nearby sync \(server.address)/deals.json --version-field version --store s.gpkg "
          + "--layer deals\(round)"
        let outcome = try Program.shell(
          "\(sync) & first=$!; \(sync); second=$?; wait $first && exit $second", in: folder)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count { $0.contains("3 added") } == 1, "\(outcome.errors)")
        #expect(lines.count { $0.contains("is up to date") } == 1, "\(outcome.errors)")
      }
    }

    @Test func `no message of a sync has a secret`() throws {
      let folder = try Folder()
      let server = try LocalServer { _, _ in LocalServer.reply(403, [:], []) }
      let outcome = try Self.sync(
        server, "/x?key=s3cret", ["--header", "Authorization: s3cret"], in: folder)
      #expect(outcome.status == 69)
      #expect(!outcome.errors.contains("s3cret"))
      #expect(server.requests.first?.headers["authorization"] == "s3cret")
      #expect(server.requests.first?.headers["user-agent"]?.hasPrefix("nearby/") == true)
    }

    @Test(arguments: [
      (["sync", "x.csv", "--store", "s.gpkg"], 64, "missing-layer"),
      (["sync", "ftp://a/b", "--store", "s.gpkg", "--layer", "a"], 64, "bad-address"),
      (["sync", "no.csv", "--store", "s.gpkg", "--layer", "a"], 66, "no-such-file"),
      (["sync", "-", "--store", "s.gpkg", "--layer", "a"], 64, "sync-standard-input"),
      (
        ["sync", "no.csv", "--store", "s.gpkg", "--layer", "a", "--replace", "--upsert"], 64,
        "bad-policy"
      ),
    ])
    func `what cannot be synced is said`(arguments: [String], status: Int32, code: String) throws {
      let outcome = try Program.run(arguments, in: try Folder())
      #expect(outcome.status == status)
      #expect(outcome.errors.contains("error: \(code): "))
    }

    @Test func `a first sync that fails leaves no store`() throws {
      let folder = try Folder.withShops()
      let sync = ["sync", "shops.csv", "--store", "s.gpkg", "--layer"]
      let outcome = try Program.run(sync + ["gpkg_contents"], in: folder)
      #expect(outcome.errors.contains("error: bad-layer-name: "), "\(outcome.errors)")
      #expect(try folder.names == ["shops.csv"])
      #expect(try Program.run(sync + ["shops"], in: folder).status == 0)
    }

    @Test func `help says that a layer must be named`() throws {
      let help = try Program.run(["help", "sync"], in: try Folder()).text
      #expect(help.contains("USAGE: nearby sync <source> --layer <name> [<options>]\n"))
    }

    /// With the arguments of most tests.
    private static func sync(
      _ server: LocalServer, versioned: [String], in folder: Folder
    ) throws -> Program.Outcome { try sync(server, "/deals.json", versioned, in: folder) }
  }
#endif
