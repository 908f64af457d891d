import Foundation
import Testing

/// The same filters wherever annotations are found, drawn or written.
@Suite struct FilterTests {
  private static let shops = #"""
    id,name,kind,lat,lon,price,opening_hours,valid_from,valid_until,note
    1,Near,mart,37.5700,126.9700,3,24/7,,,"a, b"
    2,Café,cafe,37.5750,126.9750,9,Mo-Fr 09:00-18:00,2026-11-01,2026-11-30,
    10,Far,mart,35.1000,129.0000,5,off,2026-12-01,2026-12-31,"say ""x"""
    4,Nowhere,mart,,,4,24/7,,,unplaced
    02,Edge,mart,37.5800,126.9800,2,,2026-11-20,,
    7,West,deal,37.5700,-179.5,1,24/7,,,
    x,Date line,deal,37.5700,180,8,24/7,,,

    """#
  private static let everywhere = "-180,-90,180,90"

  /// Each filter as options; those without a place keep what has no position.
  private static let filters: [[String]] = [
    ["--where", "price >= 3"], ["--where", "note is not null"], ["--kind", "mart"],
    ["--kind", "mart", "--kind", "deal", "--where", "price < 5"],
    ["--bbox", "126.9,37.5,126.975,37.6"], ["--bbox", "179,30,-179,40"],
    ["--bbox", "179,30,180,40", "--kind", "deal"],
    ["--open=2026-11-23T10:00", "--tz", "Asia/Seoul"],
    ["--open=2026-11-23T03:00", "--hours-unknown", "hide", "--tz", "Asia/Seoul"],
    ["--on", "2026-11-22"], ["--on", "2026-12-05", "--where", "price > 1"],
    ["37.57,126.97", "--within", "1km"], ["37.57,126.97", "--within", "2km", "--beyond", "1m"],
    ["--lat", "37.57", "--lon", "126.97", "--where", "distance < 1000 and kind = 'mart'"],
    ["37.57,126.97", "--within", "1km", "--bbox", "126.9,37.5,126.972,37.6", "--kind", "mart"],
    ["--where", "id = 2"], ["--where", "price > 100"],
  ]

  private func folder() throws -> Folder {
    let folder = try Folder()
    try folder.write(Self.shops, to: "s.csv")
    try folder.write(
      """
      {"type":"Polygon","coordinates":[[[-180,-90],[180,-90],[180,90],[-180,90],[-180,-90]]]}
      """, to: "world.geojson")
    return folder
  }

  private func ids(_ arguments: [String], in folder: Folder) throws -> [String] {
    let outcome = try Program.run(arguments, in: folder)
    #expect(outcome.status == 0, "\(arguments) \(outcome.errors)")
    return outcome.lines
  }

  /// The first cell of each row of a table.
  private func convertedIDs(_ filter: [String], in folder: Folder) throws -> [String] {
    try ids(["convert", "s.csv", "--format", "csv"] + filter, in: folder).dropFirst()
      .map { String($0.prefix { $0 != "," }) }
  }

  @Test(arguments: filters)
  func `choose the same for every command`(filter: [String]) throws {
    let folder = try folder()
    let found = try ids(
      ["bbox", Self.everywhere, "s.csv", "--format", "ids"] + filter, in: folder)
    #expect(
      try ids(
        ["within", "world.geojson", "s.csv", "--format", "ids"] + filter, in: folder
      ).sorted() == found.sorted())
    // An origin that chooses nothing, for commands that need one.
    let origin = filter.contains { $0 == "--lat" || $0.hasPrefix("37.57,") } ? [] : ["10,10"]
    #expect(
      try ids(
        ["find", "s.csv", "-k", "all", "--format", "ids"] + origin + filter, in: folder
      ).sorted() == found.sorted())
    let placed = try convertedIDs(filter, in: folder).filter { $0 != "4" }
    #expect(placed.sorted() == found.sorted())

    let page = try Program.run(
      ["export", "--html", "s.csv"] + filter, in: folder)
    #expect(page.status == 0, "\(page.errors)")
    for (id, name) in [
      ("1", "Near"), ("2", "Café"), ("10", "Far"), ("02", "Edge"), ("7", "West"),
      ("x", "Date line"),
    ] {
      let mark = "\"name\":\"\(name)\""
      #expect(page.text.contains(mark) == found.contains(id), "\(filter) \(name)")
    }
    let tiles = try Program.run(
      ["tiles", "s.csv", "-z", "0-3", "-o", "t.pmtiles"] + filter, in: folder)
    #expect(tiles.status == 0, "\(tiles.errors)")
    // The same tiles as of a file that holds only these rows.
    let lines = Self.shops.split(separator: "\n")
    let kept = lines.filter { line in
      line.hasPrefix("id,") || found.contains(String(line.prefix { $0 != "," }))
    }
    try folder.write(kept.joined(separator: "\n") + "\n", to: "part/s.csv", creating: "part")
    let part = try Program.run(
      ["tiles", "part/s.csv", "-z", "0-3", "-o", "part/t.pmtiles"], in: folder)
    #expect(part.status == (found.isEmpty ? tiles.status : 0), "\(part.errors)")
    if !found.isEmpty {
      #expect(try folder.bytes("t.pmtiles") == folder.bytes("part/t.pmtiles"), "\(filter)")
    }
  }

  @Test(arguments: filters)
  func `leave each row of convert as it is`(filter: [String]) throws {
    let folder = try folder()
    let chosen = Set(try convertedIDs(filter, in: folder))
    for format in ["csv", "geojsonseq", "jsonl"] {
      let whole = try ids(["convert", "s.csv", "--format", format], in: folder)
      let part = try ids(["convert", "s.csv", "--format", format] + filter, in: folder)
      let header = format == "csv" ? 1 : 0
      #expect(part.prefix(header) == whole.prefix(header))
      let rows = zip(
        whole.dropFirst(header), ["1", "2", "10", "4", "02", "7", "x"]
      ).filter { chosen.contains($0.1) }.map { String($0.0) }
      #expect(Array(part.dropFirst(header)) == rows, "\(filter) \(format)")
    }
  }

  @Test func `reach what has no position, unless a place or a distance is asked for`() throws {
    let folder = try folder()
    func hasUnplaced(_ filter: String...) throws -> Bool {
      try convertedIDs(filter, in: folder).contains("4")
    }
    #expect(try hasUnplaced())
    #expect(try hasUnplaced("--kind", "mart"))
    #expect(try hasUnplaced("--where", "price = 4"))
    #expect(try !hasUnplaced("--where", "price > 4"))
    let many = (0..<150).flatMap { ["--where", "price > -\($0)"] }
    #expect(try convertedIDs(many, in: folder).contains("4"))
    #expect(try !hasUnplaced("--kind", "cafe"))
    #expect(try hasUnplaced("--open=2026-11-23T10:00"))
    // A position that nothing is measured from chooses nothing.
    #expect(try hasUnplaced("37.57,126.97"))
    #expect(try !hasUnplaced("37.57,126.97", "--within", "20000km"))
    #expect(try !hasUnplaced("--bbox", Self.everywhere))
  }

  @Test func `keep the numbers of records without ids`() throws {
    let folder = try Folder()
    try folder.write("name,lat,lon\nA,1,1\nB,2,2\nC,3,3\n", to: "s.csv")
    let csv = try ids(
      ["convert", "s.csv", "--format", "csv", "--where", "name != 'A'"], in: folder)
    #expect(csv.map { String($0.prefix { $0 != "," }) } == ["id", "2", "3"])
    try folder.write(
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"n":1},"geometry":{"type":"Point","coordinates":[1,1]}},
      {"type":"Feature","properties":{"n":2},"geometry":{"type":"LineString","coordinates":[[2,2],[4,4]]}}
      ]}
      """, to: "s.geojson")
    func features(_ filter: String...) throws -> [String] {
      try ids(["convert", "s.geojson", "--format", "geojsonseq"] + filter, in: folder)
    }
    #expect(try features("--where", "n = 2") == Array(features().suffix(1)))
    // A line counts by its shape: its middle is not in the box.
    #expect(try features("--bbox", "3.9,3.9,5,5") == Array(features().suffix(1)))
    #expect(try features("--bbox", "3.9,3.9,5,5", "--by", "point") == [])
  }

  @Test func `meet where two boxes are asked for`() throws {
    let folder = try folder()
    #expect(
      try ids(
        [
          "bbox", "126,37,127,38", "--bbox", "126.974,37,128,38", "s.csv", "--format", "ids",
        ], in: folder) == ["2", "02"])
    #expect(
      try ids(
        ["bbox", "126,37,127,38", "--bbox", "126.974,37,128,38", "s.csv", "--count"], in: folder)
        == ["2"])
    let json = try Program.run(
      ["bbox", "126,37,127,38", "--bbox", "126.974,37,128,38", "s.csv", "--json"], in: folder
    ).json
    let query = try #require(json["query"] as? [String: Any])
    #expect(query["bbox"] as? [Double] == [126, 37, 127, 38])
    #expect(query["clip"] as? [Double] == [126.974, 37, 128, 38])
  }

  @Test func `are checked before anything is written`() throws {
    let folder = try folder()
    for command in [
      ["convert", "s.csv", "-o", "out.csv"], ["export", "s.csv", "-o", "out.html"],
      ["tiles", "s.csv", "-o", "out.pmtiles"],
    ] {
      for (filter, code) in [
        (["--where", "price >"], "where-"), (["--where", "prise > 1"], "where-"),
        (["--bbox", "1,2,3"], "bad-bbox"), (["--within", "1km"], "missing-position"),
        (["--where", "distance < 5"], ""), (["--open=arrival"], "missing-position"),
        (["37.57,126.97", "--within", "1km", "--beyond", "2km"], "empty-ring"),
      ] {
        let outcome = try Program.run(command + filter, in: folder)
        #expect(outcome.status == 64, "\(command) \(filter) \(outcome.errors)")
        #expect(outcome.errors.contains("error: \(code)"), "\(outcome.errors)")
      }
    }
    #expect(try folder.names.allSatisfy { !$0.hasPrefix("out") })
    let kinds = try Program.run(
      ["convert", "s.csv", "--format", "csv", "--kind", "marts"], in: folder)
    #expect(kinds.errors.contains("warning: kind-unknown"))
    #expect(kinds.lines.count == 1)
  }
}

extension Folder {
  fileprivate func write(_ text: String, to name: String, creating folder: String) throws {
    try FileManager.default.createDirectory(
      at: url.appending(path: folder), withIntermediateDirectories: true)
    try write(text, to: name)
  }
}
