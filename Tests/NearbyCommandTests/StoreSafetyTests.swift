#if Store
  import Foundation
  import NearbyTestSupport
  import Testing

  /// Stores that were restored, are private, or stand beside what is not theirs.
  @Suite struct StoreSafetyTests {
    private let folder: Folder
    private let question = ["--lat", "37.57", "--lon", "126.97", "-k", "all", "--format", "csv"]

    init() throws { folder = try Folder.withShops() }

    private func run(_ arguments: String...) throws -> Program.Outcome {
      try Program.run(arguments, in: folder)
    }

    private func ask(_ source: String) throws -> Program.Outcome {
      try Program.run(question + [source], in: folder)
    }

    private func permissions(_ name: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: folder.url.appending(path: name).path)[
        .posixPermissions] as? Int
    }

    @Test func `a store restored from a copy is never answered from another one's index`() throws {
      try folder.write("id,lat,lon\nfirst,37.57,126.97\n", to: "a.csv")
      try folder.write("id,lat,lon\nsecond,37.57,126.97\n", to: "b.csv")
      for round in ["0", "1", "2"] {
        _ = try run("import", "shops.csv", "--store", "s.gpkg", "--layer", "l")
        _ = try Program.shell("cp s.gpkg copy.gpkg", in: folder)
        _ = try run("import", "a.csv", "--store", "s.gpkg", "--layer", "l")
        #expect(try ask("s.gpkg").text == (try ask("a.csv").text), "\(round)")
        _ = try Program.shell("cp copy.gpkg s.gpkg", in: folder)
        _ = try run("import", "b.csv", "--store", "s.gpkg", "--layer", "l")
        #expect(try ask("s.gpkg").text == (try ask("b.csv").text), "\(round)")
      }
    }

    /// As version 1 wrote it: its index says a number for the state.
    @Test func `a store of version 1 keeps no index, until it is written to`() throws {
      let fixture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "SQLiteStoreTests/Fixtures/store-v1.gpkg")
      try folder.write([UInt8](try Data(contentsOf: fixture)), to: "old.gpkg")
      let first = try ask("old.gpkg")
      #expect(first.status == 0)
      #expect(
        first.errors.contains(
          "old.gpkg.nbx is not kept: some changes to old.gpkg would not be noticed; an earlier version "
            + "made it, and anything that writes to it upgrades it, as nearby store compact\n"))
      #expect(try !folder.names.contains("old.gpkg.nbx"))
      #expect(try run("store", "compact", "--store", "old.gpkg").status == 0)
      let second = try ask("old.gpkg")
      #expect(second.text == first.text)
      #expect(!second.errors.contains("not kept"))
      #expect(try folder.names.contains("old.gpkg.nbx"))
    }

    @Test(arguments: [
      "echo precious > s.gpkg.nbx", "ln -s shops.csv s.gpkg.nbx", "ln -s nowhere s.gpkg.nbx",
      "mkdir s.gpkg.nbx", "$nearby index build shops.csv -o s.gpkg.nbx",
    ])
    func `a question writes to nothing that is not the store's index`(line: String) throws {
      _ = try run("import", "shops.csv", "--store", "s.gpkg")
      _ = try Program.shell(line, in: folder)
      let before = try Program.shell("ls -lR; cat * 2>&1 | cksum", in: folder)
      let outcome = try ask("s.gpkg")
      #expect(outcome.status == 0)
      #expect(outcome.text == (try ask("shops.csv").text))
      #expect(outcome.errors.contains("s.gpkg.nbx is not kept: "), "\(outcome.errors)")
      #expect(try Program.shell("ls -lR; cat * 2>&1 | cksum", in: folder).text == before.text)
    }

    /// Written as text, the name would be that of the file beside it.
    @Test(arguments: [
      "import shops.csv --store \"$name\"", "sync shops.csv --layer a --store \"$name\"",
      "convert shops.csv -o \"$name\"", "info \"$name\"", "bbox 126,37,127,38 \"$name\"",
      "favorite list --store \"$name\"", "convert shops.csv -o link.gpkg",
    ])
    func `a store whose name is not UTF-8 is refused, and no other file is written`(
      command: String
    ) throws {
      _ = try run("import", "shops.csv", "--store", "s.gpkg")
      let outcome = try Program.shell(
        """
        name=$(printf 'st\\351.gpkg'); ln -s "$name" link.gpkg; echo precious > st\u{FFFD}.gpkg
        case "$command" in info*|bbox*) cp s.gpkg "$name";; esac
        before=$(ls); eval "$nearby $command"; status=$?
        [ "$(ls)" = "$before" ] && cat st\u{FFFD}.gpkg; exit $status
        """, environment: ["command": command], in: folder)
      #expect(outcome.text == "precious\n", "\(outcome.errors)")
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("error: bad-file-name: "))
      #expect(outcome.errors.contains("st\u{FFFD}.gpkg is not UTF-8"))
    }

    @Test func `a store's name may have every other character`() throws {
      let outcome = try Program.shell(
        """
        name=$(printf 'a\\tb?.gpkg'); $nearby import shops.csv --store "$name"
        ls | wc -l; $nearby list --count "$name"; $nearby bbox 126,37,127,38 --count "$name"
        """, in: folder)
      #expect(
        outcome.lines.map { $0.filter { $0 != " " } } == ["2", "7", "5"], "\(outcome.errors)")
    }

    @Test func `a store is made where a link leads, and the link stays`() throws {
      let outcome = try Program.shell(
        """
        mkdir real; ln -s real/s.gpkg s.gpkg; ln -s real/c.gpkg c.gpkg
        $nearby import shops.csv --store s.gpkg && $nearby convert shops.csv -o c.gpkg \\
          && ls real && [ -L s.gpkg ] && [ -L c.gpkg ] && $nearby list --count s.gpkg c.gpkg
        """, in: folder)
      #expect(outcome.lines == ["c.gpkg", "s.gpkg", "14"], "\(outcome.errors)")
    }

    @Test(
      .enabled(
        if: geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0,
        "needs setpriv, and the superuser, who may become another"),
      arguments: [
        "store info --store s.gpkg", "import shops.csv --store s.gpkg",
        "--lat 37.57 --lon 126.97 s.gpkg", "list s.gpkg --layer shops",
      ])
    func `a store that somebody may not read is there all the same`(command: String) throws {
      let outcome = try Program.shell(
        """
        $nearby import shops.csv --store s.gpkg; chmod 600 s.gpkg; chmod 777 .
        setpriv --reuid=65534 --regid=65534 --clear-groups $nearby \(command)
        """, in: folder)
      #expect(outcome.status == 66, "\(outcome.errors)")
      #expect(outcome.errors.contains("error: cannot-open: "), "\(outcome.errors)")
    }

    @Test func `what is made beside a private file is private`() throws {
      try folder.write(Fixture.shops + "bad,,,x,1,,\n", to: "shops.csv")
      let lines = """
        umask 022; chmod 600 shops.csv
        $nearby check shops.csv --rejects rejects.csv
        $nearby index build shops.csv -o shops.nbx --rejects rejects2.csv
        $nearby import shops.csv --store s.gpkg; ls -l s.gpkg | cut -c1-10; chmod 600 s.gpkg
        $nearby --lat 37.57 --lon 126.97 s.gpkg; chmod 644 s.gpkg.nbx
        $nearby --lat 37.57 --lon 126.97 s.gpkg
        """
      let outcome = try Program.shell(lines, in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      for name in ["rejects.csv", "rejects2.csv", "shops.nbx", "s.gpkg.nbx"] {
        #expect(try permissions(name) == 0o600, "\(name)")
      }
      // Where all may read the source, all may read the rest.
      _ = try Program.shell(
        "umask 022; chmod 644 shops.csv s.gpkg; rm rejects.csv s.gpkg.nbx; "
          + "$nearby check shops.csv --rejects rejects.csv; $nearby --lat 1 --lon 2 s.gpkg",
        in: folder)
      for name in ["rejects.csv", "s.gpkg.nbx"] {
        #expect(try permissions(name) == 0o644, "\(name)")
      }
    }

    /// `sqlite3` of Python is another program.
    @Test func `favorites and tables of other programs are not taken for layers`() throws {
      _ = try run("import", "shops.csv", "--store", "s.gpkg")
      _ = try run("favorite", "add", "a", "--store", "s.gpkg")
      let made = try Program.shell(
        "python3 -c \"import sqlite3; "
          + "sqlite3.connect('s.gpkg').executescript('create table Theirs(x); insert into Theirs values(7)')\"",
        in: folder)
      #expect(made.status == 0, "\(made.errors)")
      for (arguments, code) in [
        (["store", "drop", "nearby_favorites"], "unknown-layer"),
        (["store", "drop", "Theirs"], "name-taken"),
        (["import", "shops.csv", "--layer", "theirs"], "name-taken"),
        (["sync", "shops.csv", "--layer", "theirs"], "name-taken"),
        (["import", "shops.csv", "--layer", "SHOPS"], "name-taken"),
      ] {
        let outcome = try Program.run(arguments + ["--store", "s.gpkg"], in: folder)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("error: \(code): "), "\(outcome.errors)")
      }
      #expect(try run("favorite", "list", "--store", "s.gpkg").lines.count == 2)
      let kept = try Program.shell(
        "python3 -c \"import sqlite3; print(sqlite3.connect('s.gpkg').execute('select x from Theirs').fetchall())\"",
        in: folder)
      #expect(kept.text == "[(7,)]\n")
    }

    @Test(arguments: ["import shops.csv --store n.gpkg", "convert shops.csv -o n.gpkg"])
    func `nothing is made beside the log of a database that is gone`(command: String) throws {
      _ = try run("import", "shops.csv", "--store", "n.gpkg")
      // Killed with the database open: its log stays.
      let killed = try Program.shell(
        "python3 -c \"import sqlite3, os; c = sqlite3.connect('n.gpkg'); "
          + "c.execute('pragma journal_mode = wal'); c.execute('create table secret(x)'); c.execute('insert into secret values(1)'); "
          + "c.commit(); os._exit(9)\"; rm n.gpkg; ls", in: folder)
      #expect(killed.lines == ["n.gpkg-shm", "n.gpkg-wal", "shops.csv"])
      let refused = try Program.shell("$nearby \(command)", in: folder)
      #expect(refused.status == 73)
      #expect(refused.errors.contains("error: stray-log: n.gpkg-wal "), "\(refused.errors)")
      #expect(try folder.names == ["n.gpkg-shm", "n.gpkg-wal", "shops.csv"])
      let made = try Program.shell("rm n.gpkg-*; $nearby \(command)", in: folder)
      #expect(made.status == 0, "\(made.errors)")
      #expect(try run("convert", "n.gpkg", "--format", "csv").lines.count == 8)
    }

    @Test func `what may be meant by the name of a missing store or source is said`() throws {
      _ = try run("import", "shops.csv", "--store", "places.gpkg")
      let isMeant = "did you mean places.gpkg?"
      for command in ["store info", "favorite list"] {
        let named = try Program.shell("$nearby \(command) --store place.gpkg", in: folder)
        #expect(named.status == 66 && named.errors.contains(isMeant), "\(named.errors)")
      }
      for command in ["store info", "list"] {
        let usual = try Program.shell("NEARBY_STORE=place.gpkg $nearby \(command)", in: folder)
        #expect(usual.status == 66 && usual.errors.contains(isMeant), "\(usual.errors)")
      }
      for (source, words) in [
        ("shop.csv", "no-such-file: there is no file shop.csv; did you mean shops.csv?"),
        (".", "is-directory: . is a folder; name a file in it"),
      ] {
        let synced = try run("sync", source, "--store", "places.gpkg", "--layer", "shops")
        #expect(synced.status == 66 && synced.errors.contains("error: \(words)\n"))
        // The store that it is about is not touched.
        #expect(synced.errors.contains("layer shops stays as it was"), "\(synced.errors)")
      }
    }

    @Test func `a store without a name is no file, and none is made`() throws {
      for command in ["store info", "import shops.csv", "favorite list", "store compact"] {
        let outcome = try Program.shell("$nearby \(command) --store=", in: folder)
        #expect(outcome.status == 66, "\(command) \(outcome.errors)")
        #expect(
          outcome.errors.contains("error: no-such-file: there is no file \"\""),
          "\(command) \(outcome.errors)")
        #expect(try folder.names == ["shops.csv"])
      }
    }

    @Test func `names that could command a terminal mean the same and do nothing`() throws {
      let name = "a\u{1B}[31m\u{202E}b\u{9B}c"
      try folder.write(Fixture.shops, to: "x\u{202E}\u{9B}y.csv")
      let made = try run(
        "import", "x\u{202E}\u{9B}y.csv", "--store", "s.gpkg", "--layer", "l\u{202E}\u{9B}")
      #expect(made.status == 0, "\(made.errors)")
      _ = try run("favorite", "add", "a", "--mark", name, "--store", "s.gpkg")
      let info = try run("store", "info", "--store", "s.gpkg")
      let layer = try #require((try info.json["layers"] as? [[String: Any]])?.first)
      #expect(layer["name"] as? String == "l\u{202E}\u{9B}")
      #expect(layer["source"] as? String == "x\u{202E}\u{9B}y.csv")
      let marks = try run("favorite", "list", "--format", "json", "--store", "s.gpkg")
      let mark = try #require((try marks.json["favorites"] as? [[String: Any]])?.first)
      #expect(mark["mark"] as? String == name)
      for text in [info.text, marks.text, made.errors, info.errors] {
        #expect(
          text.unicodeScalars.allSatisfy {
            $0 == "\n"
              || !(0...0x1F ~= $0.value || 0x7F...0x9F ~= $0.value
                || 0x202A...0x202E ~= $0.value || 0x2066...0x2069 ~= $0.value)
          })
      }
    }

    /// A stranger's view counts for ever.
    @Test(.timeLimit(.minutes(3)))
    func `a GeoPackage that would take for ever is an error that says its limit`() throws {
      _ = try run("convert", "shops.csv", "-o", "x.gpkg")
      let made = try Program.shell(
        "python3 -c \"import sqlite3; c = sqlite3.connect('x.gpkg'); "
          + "c.executescript('drop table nearby_store; drop table x; create view x as "
          + "with recursive r(x) as (select 1 union all select x + 1 from r) "
          + "select x as fid, null as geom from r where x < 0')\"", in: folder)
      #expect(made.status == 0, "\(made.errors)")
      for command in ["info x.gpkg", "import x.gpkg --store s.gpkg", "convert x.gpkg -o y.csv"] {
        let outcome = try Program.shell("$nearby \(command)", in: folder)
        #expect(outcome.status == 65)
        #expect(
          outcome.errors.contains("error: work-limit: layer \"x\" of x.gpkg takes more than "))
      }
      #expect(try folder.names == ["shops.csv", "x.gpkg"])
    }
  }
#endif
