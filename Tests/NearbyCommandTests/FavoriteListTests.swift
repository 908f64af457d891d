#if Store
  import Foundation
  import NearbyTestSupport
  import Testing

  /// `nearby favorite list`, the layers of marks, and ids that a source may not bring back.
  @Suite struct FavoriteListTests {
    private static func csv(_ ids: [String]) -> String {
      ids.reduce("id,name,lat,lon,opening_hours\n") {
        $0 + "\($1),n\($1),37.57,126.97,Mo-Sa 10:00-23:00\n"
      }
    }

    private func run(_ arguments: [String], in folder: Folder) throws -> Program.Outcome {
      let outcome = try Program.run(arguments + ["--store", "s.gpkg"], in: folder)
      #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
      return outcome
    }

    /// Numbers before words, as numbers: the order in which they were put does not show.
    @Test(arguments: UInt64(0)..<4) func `marks come by id where no position is given`(
      seed: UInt64
    ) throws {
      var random = SeededGenerator(seed: seed)
      let ids = ["2", "9", "10", "100", "1000", "a", "b", "b2", "가"]
      let folder = try Folder()
      try folder.write(Self.csv(ids.shuffled(using: &random)), to: "m.csv")
      _ = try run(["import", "m.csv"], in: folder)
      for id in ids.shuffled(using: &random) { _ = try run(["favorite", "add", id], in: folder) }
      let listed = try run(["favorite", "list"], in: folder).lines.dropFirst().map {
        String($0.prefix { $0 != "," })
      }
      #expect(listed == ids)
    }

    @Test func `--json is --format json, and store info takes it, with times in ISO 8601`() throws {
      let folder = try Folder()
      try folder.write(Self.csv(["1"]), to: "m.csv")
      _ = try run(["import", "m.csv"], in: folder)
      _ = try run(["favorite", "add", "1"], in: folder)
      let json = try run(["favorite", "list", "--json"], in: folder).text
      #expect(json.hasPrefix(#"{"favorites":[{"id":"1","#), "\(json)")
      #expect(try run(["favorite", "list", "--format", "json"], in: folder).text == json)
      let both = try Program.run(
        ["favorite", "list", "--json", "--format", "csv", "--store", "s.gpkg"], in: folder)
      #expect(both.status == 64 && both.errors.hasPrefix("error: bad-format: "), "\(both.errors)")
      let info = try run(["store", "info"], in: folder).text
      #expect(try run(["store", "info", "--json"], in: folder).text == info)
      let time = #/"refreshed":"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z"/#
      #expect(info.contains(time), "\(info)")
    }

    @Test func `a layer that cannot be read is a warning, and all marks are listed`() throws {
      let folder = try Folder()
      for (layer, ids) in [("a", ["1", "2"]), ("b", ["3"])] {
        try folder.write(Self.csv(ids), to: "\(layer).csv")
        _ = try run(["import", "\(layer).csv"], in: folder)
        for id in ids { _ = try run(["favorite", "add", id, "--layer", layer], in: folder) }
      }
      let before = try run(["favorite", "list"], in: folder)
      #expect(before.lines.count == 4 && before.errors.isEmpty)
      let made = try Program.shell(
        "python3 -c \"import sqlite3; c = sqlite3.connect('s.gpkg'); "
          + "c.execute('alter table a rename column name to nom'); c.commit()\"", in: folder)
      #expect(made.status == 0, "\(made.errors)")
      let after = try run(["favorite", "list"], in: folder)
      #expect(after.text == before.text)
      #expect(after.errors.hasPrefix("warning: column-missing: layer \"a\" of s.gpkg "))
      #expect(after.errors.split(separator: "\n").count == 1)
      _ = try run(["favorite", "remove", "3"], in: folder)
    }

    @Test func `a mark is of one layer, and another layer's id is not marked`() throws {
      let folder = try Folder()
      try folder.write(Self.csv(["1", "2"]), to: "marts.csv")
      try folder.write(Self.csv(["1", "3"]), to: "cafes.csv")
      for layer in ["marts", "cafes"] {
        _ = try run(["import", "\(layer).csv", "--layer", layer], in: folder)
      }
      _ = try run(["favorite", "add", "1", "--layer", "cafes"], in: folder)
      _ = try run(["favorite", "add", "2", "--layer", "marts"], in: folder)
      func closed(_ arguments: [String]) throws -> [String] {
        let outcome = try Program.run(
          [
            "hours", "--favorites", "--closed", "2026-11-29", "--tz", "Asia/Seoul", "--json",
          ] + arguments, in: folder)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return (try outcome.json["closed"] as? [[String: Any]] ?? []).compactMap {
          $0["id"] as? String
        }
      }
      #expect(try closed(["--store", "s.gpkg"]) == ["1", "2"])
      #expect(try closed(["s.gpkg"]) == ["1", "2"])
      #expect(try closed(["s.gpkg", "--layer", "marts"]) == ["2"])
      #expect(try closed(["s.gpkg", "--layer", "cafes"]) == ["1"])
      // A file has no layers: there the ids alone count.
      #expect(try closed(["marts.csv", "--store", "s.gpkg"]) == ["1", "2"])
      _ = try run(["favorite", "remove", "1", "--layer", "cafes"], in: folder)
      #expect(try closed(["s.gpkg"]) == ["2"])
    }

    @Test func `an id that is denied goes, and comes back with an import that does not deny it`()
      throws
    {
      let folder = try Folder()
      try folder.write(Self.csv(["1", "2", "3", "-4"]), to: "m.csv")
      func ids() throws -> [String] {
        try Program.run(["list", "s.gpkg", "--format", "ids"], in: folder).lines
      }
      _ = try run(["import", "m.csv"], in: folder)
      #expect(try ids().count == 4)
      _ = try run(["import", "m.csv", "--deny", "2", "--deny", "-4"], in: folder)
      #expect(try ids() == ["1", "3"])
      _ = try run(["import", "m.csv", "--policy", "upsert", "--deny", "3"], in: folder)
      #expect(try ids().sorted() == ["-4", "1", "2"])
      // An id that nothing has denies nothing.
      _ = try run(["import", "m.csv", "--deny", "99"], in: folder)
      #expect(try ids().count == 4)
    }
  }
#endif
