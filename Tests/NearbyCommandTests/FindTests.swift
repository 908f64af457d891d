import Foundation
import NearbyTestSupport
import Testing

@testable import AnnotationSources
@testable import NearbyCommand

/// `nearby --lat DEG --lon DEG`, from the arguments to the order of the answer.
@Suite struct FindTests {
  private let question = ["--lat", "37.57", "--lon", "126.97"]

  @Test func `ids in canonical decimal form come first among equals, in numeric order`() throws {
    let folder = try Folder.withShops()
    let outcome = try Program.run(
      question + ["shops.csv", "-k", "all", "--format", "ids"], in: folder)
    #expect(outcome.lines == ["-3", "1", "10", "02", "2", "a"])
    #expect(outcome.status == 0)
  }

  @Test(arguments: [
    [], ["-k", "1"], ["-k", "all"], ["shops.csv"], ["shops.csv", "stuttgart.geojson"],
  ])
  func `the commonest question, which the parser never sees, is answered as by the parser`(
    limit: [String]
  ) throws {
    let folder = try Folder.withShops()
    // In a CRS that only PROJ knows.
    try folder.write(
      #"""
      {"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:31467"}},
      "features":[{"type":"Feature","properties":{},"geometry":{"type":"Point",
      "coordinates":[3513000,5403000]}}]}
      """#, to: "stuttgart.geojson")
    for place in [["--lat", "37.57", "--lon", "126.97"], ["--lon", "-.5", "--lat", "-33.86"]] {
      let plain = try Program.run(place + limit, in: folder)
      let parsed = try Program.run(["find"] + place + limit, in: folder)
      #expect(plain.text == parsed.text && !plain.output.isEmpty)
      #expect(plain.errors == parsed.errors && plain.status == 0 && parsed.status == 0)
    }
  }

  #if CommandLine
    @Test
    func
      `a plain question is two numbers, perhaps a limit, each said once, and files that are there`()
      throws
    {
      for other in [
        [], ["--lat", "1"], ["--lat", "1", "--lon"], ["--lat", "1", "--lon", "2", "shops.csv"],
        ["--lat", "1", "--lon", "2", "--json"], ["--lat", "1", "--lat", "1", "--lon", "2"],
        ["--lat=1", "--lon", "2"], ["--lat", "1", "--lon", "--help"], ["find"],
        ["1,2", "--lat", "1"], ["1,2", "trak"], ["1,2", "find"],
      ] {
        #expect(try FindQuestion(plain: other).map(\.question.query.limit) == nil, "\(other)")
      }
      #expect(try FindQuestion(plain: ["--lat", "1", "--lon", "2"])?.question.query.limit == 10)
      let folder = try Folder.withShops()
      let shops = folder.path("shops.csv")
      #expect(try FindQuestion(plain: ["1,2", shops])?.sources == [FileName(shops)])
      #expect(throws: ReportedError.self) {
        try FindQuestion(plain: ["--lat", "200", "--lon", "2"])
      }
    }
  #endif

  @Test(arguments: [
    ["shops.csv", "--lat", "37.57", "--lon", "126.97", "-k", "2"],
    ["--lat", "37.57", "--lon", "126.97", "shops.csv", "-k", "2"],
    ["find", "--lat=37.57", "-k2", "shops.csv", "--lon=126.97"],
    ["--lon", "126.97", "--lat", "37.57", "-k", "2", "--", "shops.csv"],
  ])
  func `options stand before, between and behind sources`(arguments: [String]) throws {
    let folder = try Folder.withShops()
    let outcome = try Program.run(["--format", "ids"] + arguments, in: folder)
    // `find` must be the first word; the others need no command.
    let first = arguments[0] == "find"
    let answered =
      first ? try Program.run(arguments + ["--format", "ids"], in: folder) : outcome
    #expect(answered.lines == ["-3", "1"])
  }

  @Test func `negative numbers are values in every position`() throws {
    let folder = try Folder.withShops()
    try folder.write(Fixture.shops, to: "-5.csv")
    let outcome = try Program.run(
      ["--lat", "-33.86", "--lon", "-.5", "-5.csv", "-k", "1", "--format", "json"], in: folder)
    let query = try #require(try outcome.json["query"] as? [String: Any])
    #expect(query["latitude"] as? Double == -33.86)
    #expect(query["longitude"] as? Double == -0.5)
  }

  @Test func `more than there are is all, and within is all by itself`() throws {
    let folder = try Folder()
    let rows = (1...15).map { "\($0),1,\(Double($0) / 1000)\n" }.joined()
    try folder.write("id,lat,lon\n" + rows, to: "p.csv")
    func count(_ options: String...) throws -> Int {
      try Program.run(
        ["--lat", "1", "--lon", "0", "p.csv", "--format", "ids"] + options, in: folder
      )
      .lines.count
    }
    #expect(try count() == 10)
    #expect(try count("--within", "1.5mi") == 15)
    #expect(try count("--within", "1.5mi", "-k", "3") == 3)
    #expect(try count("-k", "99999999999999999999") == 15)
    // The 9th lies 1001.9 m away; the ring leaves its inner edge out.
    #expect(try count("--within", "2km", "--beyond", "1000m") == 7)
  }

  @Test func `kinds filter, and per kind groups`() throws {
    let folder = try Folder.withShops()
    func ids(_ options: String...) throws -> [String] {
      try Program.run(question + ["shops.csv", "--format", "ids"] + options, in: folder).lines
    }
    #expect(try ids("--kind", "mart") == ["10", "2"])
    #expect(try ids("--kind", "mart", "--kind", "cinema", "-k", "2") == ["1", "10"])
    #expect(try ids("--per-kind", "-k", "1") == ["1", "-3", "10"])
  }

  @Test func `both names of the antimeridian are one place, and a pole has no bearing`() throws {
    let folder = try Folder()
    try folder.write(Fixture.seam, to: "seam.csv")
    func csv(_ latitude: String, _ longitude: String) throws -> String {
      try Program.run(
        ["--lat", latitude, "--lon", longitude, "seam.csv", "-k", "3", "--format", "csv"],
        in: folder
      ).text
    }
    let expected = """
      id,name,kind,latitude,longitude,distance,bearing
      E,,,1,-180,0.0000,
      W,,,1,-180,0.0000,
      F,,,1,179.9,11130.2650,270.0009

      """
    #expect(try csv("1", "180") == expected)
    #expect(try csv("1", "-180") == expected)
    let bearings = try csv("90", "5").split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).last ?? ""
    }
    #expect(bearings == ["", "", ""])
  }

  @Test func `the program's own annotations answer anywhere, with nothing beside the binary`()
    throws
  {
    let folder = try Folder()
    // Copied by a process of its own: a file that this one has open to write may be inherited by
    // the program another test starts just then, and is then "busy" and not run.
    let copied = try Program.shell("cp \"$nearby\" copied", in: folder)
    #expect(copied.status == 0, "\(copied.errors)")
    let outcome = try Program.run(
      folder.url.appending(path: "copied"), question + ["-k", "3", "--format", "jsonl"],
      in: try Folder())
    #expect(outcome.status == 0)
    #expect(outcome.lines.count == 3)
    #expect(outcome.lines.first?.contains(#""kind":"cinema""#) == true)
  }

  @Test func `a store answers when no source is named, unless the sample is asked for`() throws {
    let folder = try Folder.withShops()
    let plain = question + ["-k", "1", "--format", "ids"]
    func answer(_ arguments: [String], _ environment: [String: String]) throws -> Program.Outcome {
      try Program.run(arguments, environment: environment, in: folder)
    }
    let store = folder.url.appending(path: "shops.csv").path
    #expect(try answer(plain, ["NEARBY_STORE": store]).lines == ["-3"])
    #expect(try answer(plain + ["--sample"], ["NEARBY_STORE": store]).lines != ["-3"])
    #expect(try answer(plain, ["NEARBY_STORE": ""]).lines != ["-3"])
    let missing = try answer(plain, ["NEARBY_STORE": "/nowhere/store.nbx"])
    #expect(missing.status == 66)
    #expect(missing.errors.contains("/nowhere/store.nbx"))
    // In the home's data folder, where XDG says it is.
    let data = folder.url.appending(path: ".local/share/nearby")
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    _ = try Program.run(
      ["index", "build", "shops.csv", "-o", ".local/share/nearby/store.nbx"], in: folder)
    #expect(try answer(plain, [:]).lines == ["-3"])
  }

  @Test func `standard input is known by its first bytes, packed or not`() throws {
    let folder = try Folder.withShops()
    _ = try Program.shell(
      """
      gzip -c shops.csv > shops.gz
      $nearby convert shops.csv -o s.geojson; $nearby convert shops.csv -o s.geojsonl
      $nearby index build shops.csv -o s.nbx
      tr , '\\t' < shops.csv | sed 's/"//g' > s.tsv
      """, in: folder)
    for name in ["shops.csv", "shops.gz", "s.geojson", "s.geojsonl", "s.nbx", "s.tsv"] {
      let outcome = try Program.run(
        question + ["-", "-k", "1", "--format", "ids"], input: try folder.bytes(name), in: folder)
      #expect(outcome.lines == ["-3"], "\(name): \(outcome.errors)")
    }
  }

  @Test func `several sources are one, equal ids in the order of the sources`() throws {
    let folder = try Folder()
    try folder.write("id,name,lat,lon\n1,b,1,1\n", to: "b.csv")
    try folder.write("id,name,lat,lon\n1,a,1,1\n0,z,1,1\n", to: "a.csv")
    let outcome = try Program.run(
      ["--lat", "1", "--lon", "1", "b.csv", "a.csv", "--format", "jsonl"], in: folder)
    let names = outcome.lines.compactMap { $0.firstMatch(of: /"name":"(.)"/)?.1 }
    #expect(names == ["z", "a", "b"])
  }

  @Test func `a name that is not UTF-8 opens`() throws {
    let folder = try Folder.withShops()
    let outcome = try Program.shell(
      """
      name=$(printf 'caf\\351.csv'); cp shops.csv "$name"
      $nearby --lat 37.57 --lon 126.97 -k 1 --format ids "$name"
      """, in: folder)
    #expect(outcome.lines == ["-3"])
    #expect(outcome.status == 0)
    let missing = try Program.shell(
      "$nearby list --count \"$(printf 'caf\\351.csv')x\"", in: folder)
    #expect(missing.errors.hasPrefix("error: no-such-file: "), "\(missing.errors)")
  }

  @Test func `a query outside the region is a warning, a row a reject`() throws {
    let folder = try Folder()
    try folder.write("id,lat,lon\nk,37.5,127\nf,48.85,2.35\n", to: "p.csv")
    let outcome = try Program.run(
      ["--lat", "48.85", "--lon", "2.35", "p.csv", "--region", "KR", "--format", "ids"], in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.lines == ["k"])
    #expect(outcome.errors.contains("warning: outside-region: 48.85,2.35 is "))
    #expect(
      outcome.errors.contains("1 of 2 rows rejected: 1 outside-region; --rejects FILE keeps them"))
  }

  @Test func `null island is refused, and with leave only remarked on`() throws {
    let folder = try Folder()
    try folder.write("id,lat,lon\nz,0,0\ny,1,1\n", to: "z.csv")
    let arguments = ["--lat", "0", "--lon", "0", "z.csv", "--allow-null-island", "--format", "ids"]
    let outcome = try Program.run(arguments, in: folder)
    #expect(outcome.lines == ["z", "y"])
    #expect(outcome.errors.contains("warning: null-island: 0,0 is what devices send"))
    #expect(outcome.errors.contains("warning: null-island: z.csv:2: "))
  }
}
