#if Store
  import NearbyTestSupport
  import Testing

  /// What `nearby sync` takes for the content of a layer's source.
  @Suite struct SyncedSourceTests {
    private static let deals = #"""
      {"version": 3, "deals": [{"title": "a", "lat": 34, "lng": 135}, \#
      {"title": "b", "lat": 35, "lng": 135}]}
      """#

    private static func sync(
      _ source: String, _ more: [String] = [], in folder: Folder
    ) throws -> Program.Outcome {
      try Program.run(
        ["sync", source, "--store", "s.gpkg", "--layer", "deals"] + more, in: folder)
    }

    private static func names(in folder: Folder) throws -> [String] {
      try Program.run(["list", "s.gpkg", "--layer", "deals", "--format", "csv"], in: folder)
        .lines.dropFirst().map { String($0.split(separator: ",")[1]) }
    }

    @Test(
      arguments: [
        #"{"errors": [{"message": "quota exceeded"}]}"#,
        #"{"status": "error", "details": [{"message": "no"}]}"#, #"{"deals": [{"error": "x"}]}"#,
      ], [[], ["--upsert"]])
    func `an error that comes with the status 200 takes no places`(
      answer: String, options: [String]
    ) throws {
      let folder = try Folder()
      let server = try LocalServer { _, before in
        LocalServer.reply(text: before == 0 ? Self.deals : answer)
      }
      let source = server.address + "/deals.json"
      #expect(try Self.sync(source, in: folder).status == 0)
      let refused = try Self.sync(source, options, in: folder)
      #expect(refused.status == 65, "\(refused.errors)")
      #expect(refused.errors.contains("error: empty-source: "), "\(refused.errors)")
      #expect(refused.errors.contains("pass --allow-empty"), "\(refused.errors)")
      #expect(try Self.names(in: folder) == ["a", "b"])
      #expect(try Self.sync(source, options + ["--allow-empty"], in: folder).status == 0)
    }

    @Test func `records with ids are merged without positions`() throws {
      let folder = try Folder()
      try folder.write("id,name,lat,lon\n1,a,34,135\n", to: "deals.csv")
      #expect(try Self.sync("deals.csv", in: folder).status == 0)
      try folder.write(#"[{"id": 1, "name": "b"}]"#, to: "names.json")
      let outcome = try Self.sync("names.json", ["--upsert"], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try Self.names(in: folder) == ["b"])
    }

    @Test func `ids that are read in another way than before are told to be others`() throws {
      let folder = try Folder()
      try folder.write("관리번호,name,lat,lon\n901,a,34,135\n902,b,34,136\n", to: "june.csv")
      try folder.write("관리번호,name,lat,lon\n902,b,34,136\n903,c,34,137\n", to: "july.csv")
      let ids = ["--id-field", "관리번호"]
      for (source, options) in [("june.csv", ids), ("july.csv", ids)] {
        let outcome = try Self.sync(source, options, in: folder)
        #expect(!outcome.errors.contains("other-ids"), "\(outcome.errors)")
      }
      let outcome = try Self.sync("june.csv", in: folder)
      #expect(outcome.status == 0)
      #expect(
        outcome.errors.contains(
          "warning: other-ids: none of the 2 ids of layer deals is left; its source was read by "
            + "--id-field=관리번호 before; read it so again "), "\(outcome.errors)")
      // Records that are all new are no reason, if they are read as before.
      try folder.write("id,name,lat,lon\n7,z,34,135\n8,y,34,136\n", to: "days.csv")
      #expect(try Self.sync("days.csv", ["--replace"], in: folder).status == 0)
      try folder.write("id,name,lat,lon\n9,z,34,135\n", to: "days.csv")
      let next = try Self.sync("days.csv", in: folder)
      #expect(next.errors.contains("1 added, 2 removed") && !next.errors.contains("other-ids"))
    }

    @Test func `addresses that differ only in what is not shown are two sources`() throws {
      let folder = try Folder()
      let server = try LocalServer { request, _ in
        let region = request.query["region"] ?? ""
        return LocalServer.reply(
          text: #"{"version": \#(request.query["v"] ?? ""), "#
            + #""deals": [{"title": "\#(region)", "lat": 34, "lng": 135}]}"#)
      }
      func sync(_ region: String, version: Int) throws -> Program.Outcome {
        try Self.sync(
          "\(server.address)/deals.json?v=\(version)&region=\(region)",
          ["--version-field", "version"], in: folder)
      }
      #expect(try sync("kr", version: 3).status == 0)
      for version in [3, 2] {
        let outcome = try sync("jp", version: version)
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.errors.contains("error: other-source: "), "\(outcome.errors)")
        #expect(outcome.errors.contains(" with another query or password; give "))
        #expect(outcome.errors.contains("or leave --version-field out if it is the same source"))
        #expect(try Self.names(in: folder) == ["kr"])
      }
      #expect(try sync("kr", version: 3).errors.contains("is up to date"))
      #expect(try sync("jp", version: 4).status == 0)
      #expect(try Self.names(in: folder) == ["jp"])
    }

    @Test func `a signed link is the same source with another signature`() throws {
      let folder = try Folder()
      let server = try LocalServer { _, before in
        LocalServer.reply(text: Self.deals + String(repeating: "\n", count: before))
      }
      for (query, says) in [
        ("k=1&X-Amz-Date=1&X-Amz-Signature=a", "2 added"),
        ("k=1&X-Amz-Date=2&X-Amz-Signature=b", "is up to date"),
        ("k=2&X-Amz-Date=2&X-Amz-Signature=b", "other-source"), ("k=1", "is up to date"),
        ("k=1&st=1&se=2&sig=c", "is up to date"), ("k=1&st=1", "other-source"),
      ] {
        let outcome = try Self.sync(
          "\(server.address)/deals.json?\(query)", ["--version-field", "version"], in: folder)
        // What differs only in names of its query is shown otherwise, and yet is the same.
        #expect(outcome.errors.contains(says), "\(query): \(outcome.errors)")
      }
    }

    @Test func `the same content under another name is taken for that`() throws {
      let folder = try Folder()
      for (name, more, says) in [
        ("a.json", [], "2 added"), ("b.json", [], "2 unchanged"), ("b.json", [], "is up to date"),
        ("a.json", ["--kind-field", "title"], "2 changed"),
      ] {
        try folder.write(Self.deals, to: name)
        let outcome = try Self.sync(name, ["--version-field", "version"] + more, in: folder)
        #expect(outcome.status == 0 && outcome.errors.contains(says), "\(outcome.errors)")
      }
    }

    @Test func `a file that a store knows without its folder is the same source`() throws {
      let folder = try Folder()
      try folder.write(Self.deals, to: "d.json")
      let arguments = ["--version-field", "version"]
      #expect(try Self.sync("d.json", arguments, in: folder).status == 0)
      let former = try Program.shell(
        "python3 -c \"import hashlib, sqlite3; c = sqlite3.connect('s.gpkg'); "
          + "c.execute('update nearby_fetches set address = ?', "
          + "[hashlib.sha256(b'file d.json').hexdigest()]); c.commit()\"", in: folder)
      #expect(former.status == 0, "\(former.errors)")
      #expect(try Self.sync("d.json", arguments, in: folder).errors.contains("is up to date"))
      try folder.write(Self.deals + "\n", to: "d.json")
      let outcome = try Self.sync("d.json", arguments, in: folder)
      #expect(outcome.status == 0 && outcome.errors.contains("is up to date"), "\(outcome.errors)")
    }

    @Test(arguments: ["file", "tag"])
    func `what edits a layer stays until its source changes or replaces it`(told: String) throws {
      let folder = try Folder()
      let server = try LocalServer { request, _ in
        request.headers["if-none-match"] == "\"a\""
          ? LocalServer.reply(304, ["ETag": "\"a\"", "Content-Length": "0"], [])
          : LocalServer.reply(200, ["ETag": "\"a\""], Array(Self.deals.utf8))
      }
      try folder.write(Self.deals, to: "d.json")
      let source = told == "file" ? "d.json" : server.address + "/d.json"
      #expect(try Self.sync(source, in: folder).errors.contains("2 added"))
      // As other programs do it, which date their change.
      let edit = try Program.shell(
        "python3 -c \"import sqlite3; c = sqlite3.connect('s.gpkg'); "
          + "[c.create_function('ST_' + f, 1, len) "
          + "for f in ('IsEmpty', 'MinX', 'MaxX', 'MinY', 'MaxY')]; "
          + "c.execute('update deals set name = ?, feature = null where name = ?', ['x', 'b']); "
          + "c.execute('update gpkg_contents set last_change = ? where table_name = ?', "
          + "['2026-01-01T00:00:00.000Z', 'deals']); c.commit()\"", in: folder)
      #expect(edit.status == 0, "\(edit.errors)")
      for options in [[], ["--version-field", "version"]] {
        let kept = try Self.sync(source, options, in: folder)
        #expect(kept.status == 0 && !kept.errors.contains("is up to date"), "\(kept.errors)")
        #expect(
          kept.errors.contains("layer deals stays as it was edited: ")
            && kept.errors.contains("pass --replace to"), "\(kept.errors)")
        #expect(try Self.names(in: folder) == ["a", "x"])
      }
      let again = try Self.sync(source, ["--replace"], in: folder)
      #expect(again.errors.contains("1 changed, 1 unchanged"), "\(again.errors)")
      #expect(try Self.names(in: folder) == ["a", "b"])
      for options in [[], ["--replace"]] {
        let same = try Self.sync(source, options, in: folder)
        #expect(same.errors.contains("is up to date"), "\(same.errors)")
      }
    }

    @Test func `the same name in another folder is another file, unless its content is the same`()
      throws
    {
      let folder = try Folder()
      for (name, text) in [("a", Self.deals), ("b", Self.deals), ("c", Self.deals + "\n")] {
        try folder.write(text, to: name + ".json")
        let sync = "$nearby sync d.json --version-field version --store ../s.gpkg --layer deals"
        let outcome = try Program.shell(
          "mkdir \(name) && mv \(name).json \(name)/d.json && cd \(name) && \(sync)", in: folder)
        switch name {
        case "a": #expect(outcome.errors.contains("2 added"), "\(outcome.errors)")
        case "b": #expect(outcome.errors.contains("is up to date"), "\(outcome.errors)")
        default:
          #expect(outcome.errors.contains("error: other-source: "), "\(outcome.errors)")
          #expect(outcome.errors.contains("a d.json in another folder"), "\(outcome.errors)")
        }
      }
    }
  }
#endif
