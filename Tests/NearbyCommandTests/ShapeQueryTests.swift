import NearbyTestSupport
import Testing

/// Lines and areas at the terminal, by their shape and by the point that stands for them.
@Suite struct ShapeQueryTests {
  /// A long park whose middle is far, a line that runs past, a kiosk, and a ring that encloses nothing.
  private static let shapes = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","id":"park","properties":{"kind":"park"},"geometry":{"type":"Polygon",
     "coordinates":[[[126.98,37.50],[127.20,37.50],[127.20,37.52],[126.98,37.52],[126.98,37.50]]]}},
    {"type":"Feature","id":"line","properties":{"kind":"line"},"geometry":{"type":"LineString",
     "coordinates":[[126.90,37.53],[127.30,37.53]]}},
    {"type":"Feature","id":"kiosk","properties":{"kind":"kiosk"},"geometry":{"type":"Point",
     "coordinates":[126.97,37.51]}},
    {"type":"Feature","id":"flat","properties":{"kind":"flat"},"geometry":{"type":"Polygon",
     "coordinates":[[[128.0,37.0],[128.1,37.0],[128.0,37.0],[128.0,37.0]]]}}
    ]}
    """

  private func run(_ arguments: String...) throws -> Program.Outcome {
    let folder = try Folder()
    try folder.write(Self.shapes, to: "shapes.geojson")
    try folder.write("id,lat,lon\na,37.51,127.0\nb,37.51,126.96\n", to: "people.csv")
    try folder.write(
      #"{"type":"Polygon","coordinates":[[[127.25,37.525],[127.28,37.525],[127.28,37.54],[127.25,37.525]]]}"#,
      to: "area.geojson")
    return try Program.run(arguments, in: folder)
  }

  @Test func `the nearest are those whose shapes come nearest`() throws {
    // 2,653.16 m to the meridian of the park's west, 883.98 m to the kiosk: by PROJ's geod, along a parallel.
    let found = try run(
      "--lat", "37.51", "--lon", "126.98", "shapes.geojson", "--json", "-k", "4")
    #expect(found.status == 0, "\(found.errors)")
    let ids = try run("--lat", "37.51", "--lon", "126.98", "shapes.geojson", "--format", "ids")
    #expect(ids.lines == ["park", "kiosk", "line", "flat"])
    #expect(
      found.text.contains(#""distance":0.0000,"bearing":null,"nearest_point":[126.98,37.51]"#))
    #expect(found.errors.contains("polygon-vertices"))
    #expect(found.errors.contains("its ring is taken for a line"))
    let points = try run(
      "--lat", "37.51", "--lon", "126.98", "shapes.geojson", "--format", "ids", "--by", "point")
    #expect(points.lines == ["kiosk", "park", "line", "flat"])
    #expect(!points.errors.contains("taken for a line"))
    let near = try run(
      "--lat", "37.51", "--lon", "126.98", "shapes.geojson", "--format", "ids", "--within", "2.3km")
    #expect(near.lines == ["park", "kiosk", "line"])
    let wrong = try run("--lat", "37.51", "--lon", "126.98", "shapes.geojson", "--by", "middle")
    #expect(wrong.status == 64 && wrong.errors.contains("shape"))
  }

  @Test func `a join with hours goes by shape, too`() throws {
    let folder = try Folder()
    try folder.write(
      """
      {"type":"Feature","id":"park","properties":{"opening_hours":"24/7"},"geometry":{"type":"Polygon",
      "coordinates":[[[126.98,37.50],[127.20,37.50],[127.20,37.52],[126.98,37.52],[126.98,37.50]]]}}
      """, to: "park.geojson")
    try folder.write("id,lat,lon\nme,37.51,126.99\n", to: "me.csv")
    func lines(_ options: String...) throws -> [String] {
      try Program.run(
        ["join", "me.csv", "park.geojson", "-k", "1", "--within", "100m"] + options, in: folder
      ).lines
    }
    let head = "left_id,right_id,rank,distance"
    let noon = "2026-11-23T12:00"
    #expect(try lines("--open=\(noon)", "--tz", "Asia/Seoul") == [head, "me,park,1,0.0000"])
    #expect(
      try lines("--open=arrival", "--depart", noon, "--tz", "Asia/Seoul")
        == [head, "me,park,1,0.0000"])
    #expect(try lines("--open=\(noon)", "--tz", "Asia/Seoul", "--by", "point") == [head])
  }

  @Test func `what an answer adds replaces properties in GeoJSON, and no others`() throws {
    let walk = #"""
      {"type":"Feature","id":"w","properties":{"nearest_point":"gate","distance":7},"geometry":
      {"type":"LineString","coordinates":[[127,37],[127,38]]}}
      """#
    let folder = try Folder()
    try folder.write(walk, to: "walk.geojson")
    func answer(_ format: String) throws -> String {
      try Program.run(
        ["--lat", "37.5", "--lon", "126", "walk.geojson", "--format", format], in: folder
      ).text
    }
    let feature = try answer("geojson")
    #expect(feature.contains(#""nearest_point":[127,37.50423282]"#), "\(feature)")
    #expect(!feature.contains("gate") && !feature.contains(#""distance":7"#))
    #expect(
      try answer("json").contains(#""properties":{"nearest_point":"gate","distance":7}"#))
    let table = try answer("csv")
    #expect(table.contains(",nearest_point,distance_2\n") && table.hasSuffix(",gate,7\n"))
  }

  @Test func `a box and an area take what they meet`() throws {
    #expect(
      try run("bbox", "127.19,37.515,127.21,37.525", "shapes.geojson", "--format", "ids").lines
        == ["park"])
    #expect(
      try run("bbox", "127.19,37.515,127.21,37.535", "shapes.geojson", "--count").text == "2\n")
    #expect(
      try run(
        "bbox", "127.19,37.515,127.21,37.535", "shapes.geojson", "--count", "--by", "point"
      ).text == "0\n")
    #expect(
      try run("within", "area.geojson", "shapes.geojson", "--format", "ids").lines == ["line"])
  }

  @Test func `a join finds the shapes, and an index of them answers the same`() throws {
    let joined = try run("join", "people.csv", "shapes.geojson", "-k", "1")
    #expect(joined.status == 0, "\(joined.errors)")
    #expect(joined.lines.dropFirst().map { $0.split(separator: ",")[1] } == ["park", "kiosk"])
    #expect(joined.lines[1].hasSuffix(",0.0000"))
    let folder = try Folder()
    try folder.write(Self.shapes, to: "shapes.geojson")
    _ = try Program.run(["index", "build", "shapes.geojson", "-o", "s.nbx"], in: folder)
    _ = try Program.run(["import", "shapes.geojson", "--store", "s.gpkg"], in: folder)
    let question = ["--lat", "37.51", "--lon", "126.95", "--format", "csv", "--fields", ""]
    let direct = try Program.run(question + ["shapes.geojson"], in: folder)
    #expect(direct.lines.count == 5)
    for source in ["s.nbx", "s.gpkg"] {
      let indexed = try Program.run(question + [source], in: folder)
      #expect(indexed.lines == direct.lines, "\(source): \(indexed.errors)")
    }
    let byPoint = try Program.run(question + ["s.nbx", "--by", "point"], in: folder)
    #expect(byPoint.lines != direct.lines && byPoint.lines.count == 5)
  }
}
