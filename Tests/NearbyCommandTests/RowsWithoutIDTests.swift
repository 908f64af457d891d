#if Store
  import Foundation
  import NearbyTestSupport
  import Testing

  @testable import AnnotationSources
  @testable import NearbyCommand

  /// Rows without an id, and ids that come twice, in `import`, `convert`, `favorite` and index files.
  @Suite struct RowsWithoutIDTests {
    /// As marts were crawled: some have an id of their own, some none; values made for these tests.
    private static let marts = """
      id,brand,branch,lat,lon,phone
      1,EMART,가든5점,37.4791,127.1183,02-1
      5,EMART,검단점,37.5791,126.7183,032-1
      ,EMART,신도림점,37.5076,126.8902,
      ,EMART,성수점,37.5399,127.0531,02-3
      ,LOTTEMART,삼양점,,,

      """
    private let folder: Folder

    init() throws {
      folder = try Folder()
      try folder.write(RowsWithoutIDTests.marts, to: "m.csv")
    }

    private func run(_ arguments: String...) throws -> Program.Outcome {
      let outcome = try Program.run(arguments, in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      return outcome
    }

    private func upsert(_ file: String) throws -> String {
      try run("import", file, "--store", "s.gpkg", "--layer", "m", "--policy", "upsert").errors
    }

    /// The branches that the store has, in order.
    private func branches() throws -> [String] {
      try run("convert", "s.gpkg", "--format", "csv", "--fields", "branch").lines.dropFirst()
        .compactMap {
          $0.split(separator: ",", omittingEmptySubsequences: false).last.map(String.init)
        }
        .sorted()
    }

    private var all: [String] { ["가든5점", "검단점", "신도림점", "성수점", "삼양점"].sorted() }

    @Test func `the same source twice, in another order and by way of an export, loses no row`()
      throws
    {
      #expect(try upsert("m.csv").contains("5 added"))
      #expect(try upsert("m.csv").contains("layer m: 5 unchanged"))
      let lines = RowsWithoutIDTests.marts.split(separator: "\n")
      try folder.write(
        ([lines[0]] + lines.dropFirst().reversed()).joined(separator: "\n") + "\n", to: "back.csv")
      #expect(try upsert("back.csv").contains("layer m: 5 unchanged"))
      for format in ["csv", "geojson", "geojsonseq"] {
        for source in ["m.csv", "s.gpkg"] {
          _ = try run("convert", source, "-o", "export.\(format)")
          #expect(!(try upsert("export.\(format)")).contains("added"))
          #expect(try branches() == all)
        }
      }
    }

    @Test func `a row that changes is another one, and an edited export is the same`() throws {
      _ = try upsert("m.csv")
      let changed = RowsWithoutIDTests.marts.replacing("126.8902,", with: "126.8902,02-7")
      try folder.write(changed, to: "m.csv")
      #expect(try upsert("m.csv").contains("1 added, 4 unchanged"))
      // Where the source is the whole truth, --policy replace leaves no old row behind.
      #expect(
        try run("import", "m.csv", "--store", "s.gpkg", "--layer", "m", "--policy", "replace")
          .errors
          .contains("5 unchanged, 1 removed"))
      _ = try run("convert", "m.csv", "-o", "export.csv")
      let export = try folder.text("export.csv").replacing("02-3", with: "02-4")
      try folder.write(export, to: "export.csv")
      #expect(!(try upsert("export.csv")).contains("added"))
      #expect(try branches() == all)
      #expect(try run("convert", "s.gpkg", "--format", "csv").text.contains("02-4"))
    }

    @Test func `a favorite stays with its row when others are put in before it`() throws {
      _ = try upsert("m.csv")
      let ids = try run("convert", "m.csv", "--format", "csv").lines.map {
        String($0.prefix { $0 != "," })
      }
      _ = try run("favorite", "add", ids[4], "--store", "s.gpkg", "--layer", "m")
      let lines = RowsWithoutIDTests.marts.split(separator: "\n")
      try folder.write(
        ([lines[0], ",EMART,새점,37.1,127.1,"] + lines.dropFirst()).joined(separator: "\n") + "\n",
        to: "m.csv")
      for policy in ["upsert", "replace"] {
        _ = try run("import", "m.csv", "--store", "s.gpkg", "--layer", "m", "--policy", policy)
        let list = try run("favorite", "list", "--store", "s.gpkg", "--format", "json").text
        #expect(list.contains(ids[4]) && list.contains("성수점") && !list.contains("새점"))
      }
    }

    @Test func `an index file answers with the ids of its source`() throws {
      _ = try run("index", "build", "m.csv", "-o", "m.nbx")
      let question = ["--lat", "37.5", "--lon", "127", "--format", "ids"]
      let direct = try Program.run(question + ["m.csv"], in: folder).text
      #expect(direct.contains("no-id-"))
      #expect(try Program.run(question + ["m.nbx"], in: folder).text == direct)
    }

    @Test func `two sources without ids in one layer keep all rows, with a warning of numbers`()
      throws
    {
      try folder.write("name,lat,lon\na,37,127\nb,37,128\n", to: "a.csv")
      try folder.write("name,lat,lon\nc,37,127\nd,37,128\n", to: "b.csv")
      for added in ["4 added", "4 unchanged"] {
        let outcome = try run(
          "import", "a.csv", "b.csv", "--store", "s.gpkg", "--layer", "m", "--policy", "upsert")
        #expect(outcome.errors.contains("layer m: \(added)"))
        #expect(outcome.errors.contains("warning: merged-by-number: a.csv has no ids"))
      }
      let ids = try run("convert", "s.gpkg", "--format", "csv", "--fields", "name").lines
      #expect(ids.dropFirst().map { String($0.prefix(3)) } == ["1,a", "2,b", "1,c", "2,d"])
    }

    @Test(arguments: ["import", "sync"])
    func `favorites in a layer of numbers are warned of when records change`(command: String) throws
    {
      func store(_ rows: String) throws -> String {
        try folder.write("name,lat,lon\n" + rows, to: "a.csv")
        let outcome = try run(command, "a.csv", "--store", "s.gpkg", "--layer", "m")
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.errors
      }
      let (a, b, c, d) = ("a,37,126\n", "b,37,127\n", "c,37,128\n", "d,37,129\n")
      _ = try store(a + b + c)
      // Without favorites nothing is lost.
      #expect(try !store(b + c).contains("by-number"))
      _ = try run("favorite", "add", "2", "--store", "s.gpkg", "--layer", "m")
      #expect(try !store(b + c + d).contains("by-number"))
      let warned = try store(c + d)
      #expect(
        warned.contains(
          "warning: marked-by-number: a.csv has no ids, so favorites in layer m are "),
        "\(warned)")
      #expect(warned.contains("name a column with --id-field"))
      let list = try run("favorite", "list", "--store", "s.gpkg").text
      #expect(list.contains("2,d,"), "\(list)")
    }

    @Test func `ids are written for all features, or for none`() throws {
      let source = """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","geometry":{"type":"Point","coordinates":[3,3]},"properties":null},
        {"type":"Feature","geometry":{"type":"Point","coordinates":[0,91]},"properties":{}},
        {"type":"Feature","geometry":{"type":"Point","coordinates":[1,1]},"properties":{}}]}
        """
      try folder.write(source, to: "g.geojson")
      for format in ["geojson", "geojsonseq", "gpx"] {
        _ = try run("convert", "g.geojson", "-o", "h.\(format)")
        let lines = try run("convert", "h.\(format)", "--format", "csv").lines
        #expect(lines.dropFirst().map { $0.prefix(2) } == ["1,", "3,"], "\(format)")
      }
    }
  }
#endif
