import AnnotationSources
import Foundation
import Geodesy
import Testing

/// `nearby bbox` and `nearby within`.
@Suite struct AreaTests {
  private func run(_ arguments: String..., files: [String: String] = [:]) throws -> Program.Outcome
  {
    let folder = try Folder.withShops()
    try folder.write(Fixture.seam, to: "seam.csv")
    for (name, text) in files { try folder.write(text, to: name) }
    return try Program.run(arguments, in: folder)
  }

  @Test func `what a box holds comes by id, or by distance from a position`() throws {
    #expect(
      try run("bbox", "126,37,127,38", "shops.csv", "--format", "ids").lines
        == ["-3", "1", "2", "10", "02"])
    #expect(
      try run(
        "bbox", "126,37,127,38", "shops.csv", "--format", "ids", "--lat", "37.58", "--lon",
        "126.98", "-k", "3"
      ).lines == ["2", "-3", "1"])
  }

  @Test func `edges belong to a box, and west beyond east crosses the antimeridian`() throws {
    #expect(try run("bbox", "126.97,37.57,126.97,37.57", "shops.csv", "--count").text == "4\n")
    #expect(try run("bbox", "127,37,126,38", "shops.csv", "--count").text == "0\n")
    #expect(try run("bbox", "-10,-50,5,-40", "shops.csv", "--format", "ids").lines == [])
    let boxes = """
      north,west,south,east
      2,180,0,180
      2,170,0,180
      2,-180,0,-170
      2,179,0,-179
      90,-180,-90,180

      """
    #expect(
      try run("bbox", "--boxes", "b.csv", "seam.csv", "--count", files: ["b.csv": boxes]).lines
        == ["2", "3", "2", "3", "5"])
  }

  @Test func `a box can be given by its width around a position`() throws {
    // 4,999 and 5,001 m away by PROJ's geod; the corner is further away and yet in the window.
    let places = """
      id,lat,lon
      n1,37.6150406,126.97
      n2,37.6150586,126.97
      e1,37.5699864,127.0265864
      e2,37.5699864,127.0266090
      s1,37.5249591,126.97
      s2,37.5249410,126.97
      w1,37.5699864,126.9134136
      w2,37.5699864,126.9133910
      corner,37.6149,127.0264

      """
    func ids(_ arguments: String...) throws -> [String] {
      let folder = try Folder()
      try folder.write(places, to: "p.csv")
      let outcome = try Program.run(
        ["bbox"] + arguments + ["p.csv", "--format", "ids"], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      return outcome.lines.sorted()
    }
    let near = ["corner", "e1", "n1", "s1", "w1"]
    #expect(try ids("10km", "--lat", "37.57", "--lon", "126.97") == near)
    #expect(try ids("10000", "--lat=37.57", "--lon=126.97") == near)
    #expect(try ids("10.004km", "--lat", "37.57", "--lon", "126.97").count == 9)
    let lost = try run("bbox", "10km", "shops.csv")
    #expect(lost.status == 64)
    #expect(
      lost.errors.contains("a box 10km wide needs a position in its middle; give --lat and --lon"))
    #expect(try run("bbox", "10furlongs", "--lat", "1", "--lon", "1", "shops.csv").status == 64)
  }

  @Test func `counts obey the whole query`() throws {
    let boxes = "west,south,east,north\n126,37,127,38\n-180,-90,180,90\n"
    #expect(
      try run("bbox", "shops.csv", "--boxes", "b.csv", files: ["b.csv": boxes]).lines == ["5", "6"])
    #expect(
      try run("bbox", "--boxes", "b.csv", "shops.csv", "--kind", "mart", files: ["b.csv": boxes])
        .lines == ["2", "2"])
    #expect(
      try run(
        "bbox", "126,37,127,38", "shops.csv", "--count", "--lat", "37.57", "--lon", "126.97",
        "--within", "1km"
      ).text == "4\n")
    #expect(try run("bbox", "126,37,127,38", "shops.csv", "--count", "-k", "2").text == "2\n")
    let explained = try run("bbox", "126,37,127,38", "shops.csv", "--count", "--explain")
    #expect(explained.text == "5\n")
    #expect(explained.errors.contains("5 are in the answer"), "\(explained.errors)")
    #expect(
      try run("bbox", "126,37,127,38", "shops.csv", "--per-kind", "-k", "1", "--format", "ids")
        .lines == ["1", "-3", "2"])
  }

  @Test(arguments: [
    (
      ["--bbox=126,37,127,38", "--on=2026-12-01"],
      "what lies in the area, asking each: on 2026-12-01"
    ),
    (["--where", "id = 'a'", "--bbox=126,37,127,38"], "look up id a, asking each: in the area"),
    (
      ["--where", "id = '1' and name is not null", "--open=2026-12-01T10:00", "--tz=UTC"],
      "look up id 1, asking each: name is not null, open at 2026-12-01T10:00Z"
    ),
    (["--sort=name", "-k", "1"], "nearest first, all that match ordered by name"),
    (
      ["--sort=name:desc", "--bucket=1km", "-k", "1"],
      "nearest first, ordered by name:desc in bands of 1000 m"
    ),
  ]) func `the whole plan is explained, and counts of a walk only where there is one`(
    options: [String], plan: String
  ) throws {
    let found = try Program.run(
      ["find", "--lat=37.57", "--lon=126.97", "shops.csv", "--explain", "--no-map"] + options,
      in: try Folder.withShops())
    #expect(found.errors.contains("explain: plan: \(plan)\n"), "\(found.errors)")
    let isWalk = plan.hasPrefix("nearest")
    #expect(found.errors.contains("near enough to be candidates") == isWalk, "\(found.errors)")
    #expect(found.errors.contains(" in the answer\n") != isWalk, "\(found.errors)")
  }

  @Test func `an answer from a box says how far the position may move`() throws {
    let outcome = try run(
      "bbox", "126,37,127,38", "shops.csv", "--lat", "37.58", "--lon", "126.98", "-k", "1", "--json"
    )
    // Half of the 1418.5150 m to the next one.
    #expect(try outcome.json["validRadius"] as? Double == 709.2575)
    #expect(
      try run("bbox", "126,37,127,38", "shops.csv", "--json").json["validRadius"] is NSNull)
  }

  @Test func `an area holds its border, and not the inside of its hole`() throws {
    let area = """
      {"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[
      [[126.97,37.5],[127,37.5],[127,37.6],[126.97,37.6],[126.97,37.5]],
      [[126.975,37.575],[126.985,37.575],[126.985,37.585],[126.975,37.585],[126.975,37.575]]]}}
      """
    #expect(
      try run("within", "a.geojson", "shops.csv", "--format", "ids", files: ["a.geojson": area])
        .lines == ["-3", "1", "10", "02"])
    #expect(
      try run("within", "a.geojson", "shops.csv", "--count", files: ["a.geojson": area]).text
        == "4\n")
  }

  @Test func `a polygon without positions is no area, and one that cannot be one is named`() throws
  {
    func features(_ last: String) -> String {
      let polygons = ["[[[126.97,37.5],[127,37.5],[127,37.6],[126.97,37.5]]]", "[]", last]
      return polygons.map {
        #"{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":\#($0)}}"#
      }.joined(separator: "\n")
    }
    func run(_ areas: String) throws -> Program.Outcome {
      try self.run("within", "a.geojson", "shops.csv", "--count", files: ["a.geojson": areas])
    }
    let empty = try run(features("[]"))
    #expect(empty.status == 0, "\(empty.errors)")
    let flat = try run(features("[[[127,37],[128,37],[127,37],[127,37]]]"))
    #expect(
      flat.errors.hasPrefix(
        "error: polygon-vertices: a.geojson: feature 3 of 3: the polygon's outer ring has 2 "),
      "\(flat.errors)")
  }

  @Test func `an area that is not closed is told of, and one that is not GeoJSON refused`() throws {
    let area = """
      {"type":"Polygon","coordinates":[[[126.97,37.5],[127,37.5],[127,37.6],[126.97,37.6]]]}
      """
    let open = try run("within", "a.geojson", "shops.csv", "--count", files: ["a.geojson": area])
    #expect(open.text == "5\n")
    #expect(
      open.errors.hasPrefix("warning: polygon-open: a.geojson: a ring does not end at the start"))
    let table = try run("within", "shops.csv", "seam.csv")
    #expect((table.status, table.text) == (65, ""))
    #expect(
      table.errors
        == "error: format-unknown: shops.csv is not GeoJSON; give areas and outlines as a GeoJSON file\n"
    )
    let damaged = try run("within", "a.geojson", "seam.csv", files: ["a.geojson": "{\"type\":"])
    #expect(damaged.errors.hasPrefix("error: json-syntax: "), "\(damaged.errors)")
  }

  @Test func `the CRS that an area declares is warned of, and WGS 84 is not`() throws {
    func errors(_ crs: String) throws -> String {
      let area = """
        {"type":"Polygon","crs":{"type":"name","properties":{"name":"\(crs)"}},
        "coordinates":[[[126.97,37.5],[127,37.5],[127,37.6],[126.97,37.6],[126.97,37.5]]]}
        """
      let answer = try run(
        "within", "a.geojson", "shops.csv", "--count", files: ["a.geojson": area])
      #expect(answer.text == "5\n")
      return answer.errors
    }
    #expect(
      try errors("EPSG:4301").hasPrefix(
        "warning: crs-declared: a.geojson: it declares the CRS EPSG:4301; it is read as degrees "))
    #expect(try !errors("urn:ogc:def:crs:OGC:1.3:CRS84").contains("crs-declared"))
  }

  @Test func `shapes past ±180 are read as crossing the antimeridian, and it is said`() throws {
    let past = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"name":"past"},"geometry":{"type":"Polygon","coordinates":
      [[[179,-1],[181,-1],[181,2],[179,2],[179,-1]]]}},
      {"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[190,0]}}]}
      """
    let area = """
      {"type":"Polygon","coordinates":[[[179,-1],[181,-1],[181,2],[179,2],[179,-1]]]}
      """
    let cut = area.replacing("181", with: "-179")
    let files = ["past.geojson": past, "area.geojson": area, "cut.geojson": cut]
    let answer = try run("within", "area.geojson", "seam.csv", "--format", "ids", files: files)
    #expect(answer.errors.contains("note: lon-wrapped: area.geojson "), "\(answer.errors)")
    let judge = try run("within", "cut.geojson", "seam.csv", "--format", "ids", files: files)
    #expect(!judge.lines.isEmpty && answer.lines == judge.lines && judge.errors.isEmpty)
    let check = try run("check", "past.geojson", "--format", "json", files: files).json
    #expect(check["placed"] as? Int == 1)
    #expect(check["rejected"] as? [String: Int] == ["lon-range": 1])
    #expect(check["warnings"] as? [String: Int] == ["lon-wrapped": 1])
    let place = try run(
      "--lat", "0", "--lon", "-180", "--allow-null-island", "past.geojson", "--format", "csv",
      files: files)
    #expect(place.lines.last?.contains("past,,0.5,-180,") == true, "\(place.text)")
    for arguments in [
      ["map", "seam.csv", "--basemap", "area.geojson"],
      ["check", "seam.csv", "--region", "area.geojson"],
      ["fence", "seam.csv", "area.geojson"],
      ["tiles", "past.geojson", "-z", "0-2", "-o", "past.pmtiles"],
    ] {
      let folder = try Folder()
      try folder.write(Fixture.seam, to: "seam.csv")
      for (name, text) in files { try folder.write(text, to: name) }
      let outcome = try Program.run(arguments, in: folder)
      #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
    }
  }

  @Test func `what rounding puts past 180 is 180, without a word`() throws {
    let exact = """
      {"type":"Polygon","coordinates":[[[179,-1],[180,-1],[180,2],[179,2],[179,-1]]]}
      """
    let files = [
      "exact.geojson": exact, "past.geojson": exact.replacing("180", with: "180.00000000000014"),
    ]
    let judge = try run("within", "exact.geojson", "seam.csv", "--format", "ids", files: files)
    #expect(!judge.lines.isEmpty)
    let answer = try run("within", "past.geojson", "seam.csv", "--format", "ids", files: files)
    #expect((answer.status, answer.lines, answer.errors) == (0, judge.lines, ""))
    let check = try run("check", "past.geojson", "--format", "json", files: files).json
    #expect(check["placed"] as? Int == 1)
    #expect(
      check["rejected"] as? [String: Int] == [:] && check["warnings"] as? [String: Int] == [:])
    let join = try run(
      "join", "seam.csv", "past.geojson", "--inside", "--format", "csv", files: files)
    #expect(join.status == 0 && join.lines.count == judge.lines.count + 1, "\(join.text)")
  }

  @Test func `an empty answer is a success unless its status is asked for`() throws {
    #expect(try run("bbox", "0,0,1,1", "shops.csv", "--format", "ids").status == 0)
    let asked = try run("bbox", "0,0,1,1", "shops.csv", "--count", "--exit-status")
    #expect((asked.status, asked.text) == (1, "0\n"))
    let quiet = try run("bbox", "126,37,127,38", "shops.csv", "-q")
    #expect((quiet.status, quiet.text) == (0, ""))
    #expect(try run("bbox", "0,0,1,1", "shops.csv", "--quiet").status == 1)
  }

  @Test func `a map shows a window, in ASCII where asked`() throws {
    let outcome = try run(
      "map", "--bbox", "126,37,127,38", "shops.csv", "--size", "40x10", "--style", "ascii")
    #expect(outcome.status == 0)
    #expect(outcome.output.allSatisfy { $0 < 0x80 })
    #expect(outcome.lines.allSatisfy { $0.count <= 40 })
    #expect(outcome.text.contains("(5)"))
  }

  /// The map of a line, in ASCII without coasts.
  private func map(of line: String) throws -> String {
    let folder = try Folder()
    let feature =
      #"{"type":"Feature","id":1,"properties":{},"geometry":{"type":"LineString","coordinates":\#(line)}}"#
    try folder.write(feature, to: "line.geojson")
    try folder.write(#"{"type":"FeatureCollection","features":[]}"#, to: "none.geojson")
    let outcome = try Program.run(
      ["map", "line.geojson", "--size", "40x14", "--style", "ascii", "--basemap", "none.geojson"],
      in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.text
  }

  @Test func `edges on a map are straight in longitude and latitude`() throws {
    #expect(
      try map(of: "[[-120,49],[-60,49]]") == """
        +-------120W-------90W-------60W-------+
        |       +                      +       |
        |                   +                  |
        |                                      |
        |                                      |
        |    **                          **    |
        45N   ********            ********     |
        |  +         **************         +  |
        |                   +                  |
        |                                      |
        |                                      |
        |                                      |
        +------------------- |------| 1000 km -+

        """)
  }

  @Test func `an edge from −180 to 180 goes round the map`() throws {
    #expect(
      try map(of: "[[-180,0],[180,0]]") == """
        +-----------90W-----0-----90E----------+
        |                                      |
        |    +       +      +      +           |
        |                                      |
        |                                      |
        |                                      |
        0    ******************************    |
        |                                      |
        |                                      |
        |                                      |
        |    +       +      +      +           |
        |                                      |
        +--- |------| 10000 km at the equator -+

        """)
  }

  @Test func `outlines behind a map are divided like its lines`() throws {
    let whole = #"{"type":"LineString","coordinates":[[-120,49],[-60,49]]}"#
    let longitudes = stride(from: -120, through: -60, by: 0.25).map { "[\($0),49]" }
    let divided = whole.replacing(
      "[-120,49],[-60,49]", with: longitudes.joined(separator: ","))
    func map(_ basemap: String) throws -> String {
      try run(
        "map", "shops.csv", "--bbox", "-130,30,-50,60", "--basemap", "b.geojson",
        files: ["b.geojson": basemap]
      ).text
    }
    #expect(try map(whole) == map(divided))
  }

  @Test func `long edges are divided finely, but only while the map has room for lines`() {
    func positions(_ edges: Int) -> Int {
      let vertices = (0...edges).map { Coordinate(unchecked: 0, Double($0 * 170 % 360 - 180)) }
      return [GroundShape(lines: [Polyline(vertices)])].outlines.reduce(0) { $0 + $1.count }
    }
    #expect(positions(1) == 170 * 4 + 1)
    #expect(positions(1_000) == 1_000 * 170 * 4 + 1)
    // 20,400,001 once.
    #expect((2_000_000...2_030_000).contains(positions(30_000)))
  }
}
