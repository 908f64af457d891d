import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing

@Suite struct GeoJSONImportTests {
  private static let collection = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","id":7,"geometry":{"type":"Point","coordinates":[127,37.5]},
     "properties":{"Name":"강남","kind":"cinema","opening_hours":"24/7","memo":null,"valid_from":"2026-01-01"}},
    {"type":"Feature","id":"x","geometry":null,"properties":null},
    {"type":"Feature","geometry":{"type":"Point","coordinates":[37,127]},"properties":{}},
    {"type":"Feature","geometry":{"type":"Point"},"properties":{}},
    {"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[10,0],[12,0],[12,2],[10,2],[10,0]]]},
     "properties":{"id":"p9"}}
    ]}
    """

  @Test(arguments: ["a.geojson", "-", "a.json"])
  func `features become annotations, the bad ones rejects`(name: String) throws {
    let result = try importing(GeoJSONImportTests.collection, named: name)
    #expect(result.report.records == 5)
    #expect(result.report.placed == 2)
    #expect(result.report.unplaced == 1)
    #expect(result.report.rejected == ["lat-lon-swapped": 1, "geojson-member": 1])
    #expect(
      result.report.examples["lat-lon-swapped"]
        == "\(name):5: latitude 127 is outside -90…90; these look swapped: try latitude 37, "
        + "longitude 127")
    #expect(result.annotations.map(\.id) == ["7", "x", "p9"])
    #expect(result.annotations.map { $0.origin?.record } == [1, 2, 5])
    #expect(result.annotations.map(\.featureID) == [7, "x", nil])
    let coordinates = result.annotations.map(\.coordinate)
    #expect(coordinates[0] == PointSet.legal(37.5, 127))
    #expect(coordinates[1] == nil)
    #expect(coordinates[2] == PointSet.legal(1, 11))
  }

  @Test func `a feature says what a row says`() throws {
    let shop = try #require(
      try importing(GeoJSONImportTests.collection, named: "a.geojson").annotations.first)
    #expect(shop.name == "강남")
    #expect(shop.kind == .cinema)
    #expect(shop.openingHours == "24/7")
    #expect(shop.validDates == [DateSpan(first: CalendarDate("2026-01-01"), last: nil)])
    #expect(
      shop.properties.entries.map(\.name) == [
        "Name", "kind", "opening_hours", "memo", "valid_from",
      ])
    #expect(shop.feature?.geometry == .point(Position(longitude: 127, latitude: 37.5)))
  }

  @Test func `a byte order mark changes nothing`() throws {
    let plain = try importing(GeoJSONImportTests.collection, named: "a.geojson")
    let marked = try importing("\u{FEFF}" + GeoJSONImportTests.collection, named: "a.geojson")
    #expect(plain.report == marked.report)
    #expect(plain.annotations.map(\.feature) == marked.annotations.map(\.feature))
  }

  @Test func `a null geometry stays unplaced in a strict import`() throws {
    let text = #"{"type":"Feature","geometry":null,"properties":{"name":"n"}}"#
    let result = try importing(text, named: "a.geojson") { $0.isStrict = true }
    #expect(result.report.unplaced == 1)
    #expect(result.annotations.map(\.name) == ["n"])
  }

  @Test(arguments: ["a.geojsonl", "a.ndjson", "-"])
  func `a sequence has a record a line, and a bad one costs only itself`(name: String) throws {
    let text = """
      {"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{}}
      {"type":"Feature","geometry":
      {"type":"Feature","geometry":{"type":"Point","coordinates":[3,4]},"properties":{}}
      """
    let result = try importing(
      name == "-" ? "\u{1E}" + text.replacing("\n", with: "\n\u{1E}") : text,
      named: name)
    #expect(result.annotations.map(\.id) == [1, 3])
    #expect(result.report.rejectedCount == 1)
  }

  @Test func `ids come from a property or the record number when asked`() throws {
    let text = GeoJSONImportTests.collection
    let named = try importing(text, named: "a.geojson") { $0.idField = "name" }
    #expect(named.annotations.map(\.id).first == "강남")
    #expect(named.annotations.dropFirst().allSatisfy { $0.id.text.hasPrefix("no-id-") })
    let numbered = try importing(text, named: "a.geojson") { $0.idField = "#" }
    #expect(numbered.annotations.map(\.id) == [1, 2, 5])
    #expect(numbered.annotations.idsAscend)
  }

  @Test func `checks are those of rows`() throws {
    func feature(_ coordinates: String) -> String {
      #"{"type":"Feature","id":1,"geometry":{"type":"Point","coordinates":[\#(coordinates)]},"#
        + #""properties":null}"# + "\n"
    }
    let text =
      feature("0,0.0001") + feature("200000,450000") + feature("2.35,48.85")
      + feature("127,37") + feature("128,36")
    let korea = Region(
      name: "KR", boxes: [try BoundingBox(south: 33, west: 124, north: 39, east: 132)])
    let result = try importing(text, named: "a.geojsonl") { $0.region = korea }
    #expect(
      result.report.rejected == ["null-island": 1, "crs-unknown": 1, "outside-region": 1])
    #expect(result.report.warnings == ["duplicate-id": 1])
    let allowed = try importing(text, named: "a.geojsonl") { $0.allowsNullIsland = true }
    #expect(allowed.report.warnings["null-island"] == 1)
  }

  @Test(arguments: [
    (#""Polygon","coordinates":[[[-9,-9],[9,-9],[9,9],[-9,9],[-9,-9]]]"#, true),
    (#""LineString","coordinates":[[-9,-9],[9,9]]"#, true),
    (#""MultiLineString","coordinates":[[[-9,0],[9,0]],[[0,0],[0,1]]]"#, true),
    (#""MultiPolygon","coordinates":[[[[-9,-9],[9,-9],[0,18],[-9,-9]]]]"#, true),
    (#""MultiPoint","coordinates":[[0,0],[-2.75,-3.5]]"#, true),
    (#""MultiPoint","coordinates":[[-2.75,-3.5],[0,0]]"#, true),
    (
      #""GeometryCollection","geometries":[{"type":"Point","coordinates":[0,0]},"#
        + #"{"type":"LineString","coordinates":[[5,5],[6,6]]}]"#, true
    ),
    (#""Point","coordinates":[0,0.0001]"#, false),
    (#""MultiPoint","coordinates":[[0,0],[0,0]]"#, false),
    (#""LineString","coordinates":[[0,0],[0,0]]"#, false),
    (#""Polygon","coordinates":[[[0,0],[0,0],[0,0],[0,0]]]"#, false),
    (#""GeometryCollection","geometries":[{"type":"Point","coordinates":[0,0]}]"#, false),
  ])
  func `only what its source wrote as 0,0 is null island`(shape: String, isPlaced: Bool) throws {
    let other =
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,1]},"properties":null}"#
    let text = #"{"type":"Feature","geometry":{"type":\#(shape)},"properties":null}"# + "\n" + other
    let result = try importing(text, named: "a.geojsonl")
    #expect(result.report.rejected == (isPlaced ? [:] : ["null-island": 1]))
    #expect(result.report.placed == (isPlaced ? 2 : 1))
    #expect(result.report.warnings == [:])
  }

  @Test(arguments: [
    ("{\"type\":\"FeatureCollection\",\"features\":[", "json-syntax"), ("  ", "empty-input"),
    ("{\"type\":\"FeatureCollection\"}", "geojson-member"), ("[1,2]", "geojson-type"),
  ])
  func `a text that is not GeoJSON as a whole is an error`(text: String, code: String) {
    let error = importError(text, named: "a.geojson")
    #expect(error?.code == code)
    #expect(error?.blame == .data)
  }

  @Test func `a collection without features is a warning`() throws {
    let result = try importing(
      #"{"type":"FeatureCollection","features":[]}"#, named: "a.geojson")
    #expect(result.report.warnings == ["empty-input": 1])
  }

  @Test(arguments: UInt64(0)..<150)
  func `damaged GeoJSON is read or refused, and every record is counted once`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var bytes = Array(GeoJSONImportTests.collection.utf8)
    let palette = Array("{}[]\",:0-e\n \\".utf8) + [0xEC]
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let at = Int.random(in: 0..<bytes.count, using: &generator)
      if Bool.random(using: &generator) {
        bytes[at] = palette.randomElement(using: &generator) ?? 0
      } else {
        bytes.remove(at: at)
      }
    }
    do throws(ImportError) {
      let result = try importing(bytes, named: "a.geojson")
      let report = result.report
      #expect(report.records == report.placed + report.unplaced + report.rejectedCount)
      #expect(result.annotations.count == report.placed + report.unplaced)
      for annotation in result.annotations {
        #expect(BasicAnnotation(copying: annotation).origin?.source == "a.geojson", "seed \(seed)")
      }
    } catch {
      #expect(!error.code.isEmpty && error.description.hasPrefix("a.geojson"), "seed \(seed)")
    }
  }

  @Test func `an empty property decides as an empty cell of a table does, null does not`() throws {
    let table = try importing(
      "id,name,opening_hours,영업시간,kind,brand,lat,lon\n1,A,,09:00~18:00,,GS25,37.5,127\n")
    let feature = """
      {"type":"Feature","geometry":{"type":"Point","coordinates":[127,37.5]},"properties":
      {"id":"1","name":"A","opening_hours":"","영업시간":"09:00~18:00","kind":"","brand":"GS25"}}
      """
    for name in ["a.geojson", "b.geojson"] {
      // Other properties of a feature are `null` where they have no value.
      let isNull = name == "b.geojson"
      let text = isNull ? feature.replacing("\"\"", with: "null") : feature
      let found = try #require(try importing(text, named: name).annotations.first)
      #expect(found.kind == (isNull ? "GS25" : nil))
      #expect(found.openingHours == (isNull ? "09:00~18:00" : nil))
      guard !isNull else { continue }
      #expect(found.kind == table.annotations[0].kind)
      #expect(found.openingHours == table.annotations[0].openingHours)
    }
  }

  @Test func `an option that names a property of no feature is an error`() throws {
    let text = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","geometry":null,"properties":{"title":"x"}},
      {"type":"Feature","geometry":null,"properties":{"Code":null}}]}
      """
    #expect(importError(text, named: "a.geojson") { $0.idField = "code" } == nil)
    #expect(importError(text, named: "a.geojson") { $0.idField = "#" } == nil)
    let error = importError(text, named: "a.geojson") { $0.kindField = "class" }
    #expect(error?.code == "unknown-field")
    #expect(error?.blame == .usage)
    #expect(
      error?.description
        == "a.geojson: no column is named \"class\"; columns are title; correct `kindField`")
  }
}
