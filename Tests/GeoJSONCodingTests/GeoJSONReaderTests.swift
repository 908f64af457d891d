import MapAnnotations
import Testing

@testable import GeoJSONCoding

@Suite struct GeoJSONReaderTests {
  static let point = #"{"type":"Point","coordinates":[126.97,37.56]}"#
  static let feature = #"{"type":"Feature","id":1,"geometry":\#(point),"properties":{"a":1}}"#

  private func collection(_ features: String...) -> String {
    #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",") + "]}"
  }

  // MARK: Documents

  @Test func `a feature keeps its id, properties, box and foreign members`() throws {
    let outcome = Outcome(
      reading: """
        {"foo": [1], "bbox": [1,2,3,4], "properties": {"한": null}, "geometry": null,
         "type": "Feature", "id": 10000000000000000000001, "bar": {"x": "y"}}
        """)
    #expect(
      outcome.features == [
        Feature(
          id: .number("10000000000000000000001"), geometry: nil, properties: ["한": .null],
          bbox: [1, 2, 3, 4], foreignMembers: ["foo": .array([1]), "bar": .object(["x": "y"])])
      ])
    #expect(outcome.document?.form == .feature)
  }

  @Test func `null properties are not empty properties`() throws {
    let features = Outcome(
      reading: collection(
        #"{"type":"Feature","geometry":null,"properties":null}"#,
        #"{"type":"Feature","geometry":null,"properties":{}}"#)
    ).features
    #expect(features.map(\.properties) == [nil, [:]])
  }

  @Test func `members may come in any order`() throws {
    let text = """
      {"name": "x", "features": [
        {"geometry": {"coordinates": [[[0,0],[1,0],[1,1],[0,0]]], "type": "Polygon"},
         "properties": {}, "type": "Feature"},
        {"geometry": {"geometries": [{"coordinates": [1,2], "type": "Point"}],
         "type": "GeometryCollection"}, "properties": {}, "type": "Feature"}],
       "bbox": [0,0,1,2], "crs": {"a": 1}, "type": "FeatureCollection", "id": "c"}
      """
    let outcome = Outcome(reading: text)
    #expect(outcome.errors.isEmpty)
    #expect(
      outcome.features.map(\.geometry?.type) == ["Polygon", "GeometryCollection"])
    #expect(outcome.document?.form == .featureCollection)
    #expect(outcome.document?.bbox == [0, 0, 1, 2])
    #expect(
      outcome.document?.foreignMembers == ["name": "x", "crs": .object(["a": 1]), "id": "c"])
  }

  @Test func `one bad feature is reported with its place and the rest goes on`() throws {
    let text = """
      {"type": "FeatureCollection", "features": [
      \(Self.feature),
      {"type": "Feature", "properties": {},
       "geometry": {"type": "Point", "coordinates": [1, "2"]}},
      \(Self.feature)
      ]}
      """
    let outcome = Outcome(reading: text)
    #expect(outcome.features.count == 2)
    #expect(outcome.codes == ["geojson-coordinates"])
    #expect(
      outcome.errors[0].message
        == "\"2\" in a position is not a number; write degrees without quotes")
    #expect(outcome.errors[0].line == 4)
    #expect(outcome.errors[0].column == 51)
    #expect(outcome.records.map(\.number) == [1, 2, 3])
    #expect(outcome.records.map(\.line) == [2, 3, 5])
    let bytes = Array(text.utf8)
    #expect(String(decoding: bytes[outcome.records[2].byteRange], as: UTF8.self) == Self.feature)
  }

  @Test(arguments: [#"\ud83d"#, #"cut \ud83d"#, #"\ude00"#, #"\ud83d\ud83d"#, #"\ud83d\n"#])
  func `half a surrogate pair spoils only its own feature`(half: String) throws {
    let bad = #"{"type":"Feature","properties":{"name":"\#(half)"},"geometry":null}"#
    for text in [
      #"{"type":"FeatureCollection","features":[\#(Self.feature),\#(bad),\#(Self.feature)]}"#,
      #"{"features":[\#(Self.feature),\#(bad),\#(Self.feature)],"type":"FeatureCollection"}"#,
      "\(Self.feature)\n\(bad)\n\(Self.feature)\n",
    ] {
      let outcome = Outcome(reading: text)
      #expect(outcome.features.count == 2 && !outcome.isThrown, "\(text)")
      #expect(outcome.codes == ["json-syntax"], "\(text)")
      #expect(outcome.records.map(\.number) == [1, 2, 3], "\(text)")
    }
  }

  @Test func `a collection that breaks off throws after what it had`() throws {
    let outcome = Outcome(
      reading: #"{"type":"FeatureCollection","features":["# + Self.feature + ",")
    #expect(outcome.features.count == 1)
    #expect(outcome.isThrown)
    #expect(outcome.codes == ["json-syntax"])
  }

  @Test(arguments: [
    (#"[]"#, "geojson-type"), (#"{}"#, "geojson-type"), (#""Point""#, "geojson-type"),
    (#"{"type":"feature"}"#, "geojson-type"), (#"{"type":null}"#, "geojson-type"),
    (#"{"type":"FeatureCollection","features":["#, "json-syntax"),
    (#"{"type":"FeatureCollection"}"#, "geojson-member"),
    (#"{"type":"FeatureCollection","features":{}}"#, "geojson-member"),
    (#"{"type":"FeatureCollection","features":[],"properties":{}}"#, "geojson-member"),
    (#"{"type":"FeatureCollection","features":[],"coordinates":[]}"#, "geojson-member"),
    (#"{"type":"FeatureCollection","features":[],"features":[]}"#, "geojson-duplicate-member"),
    (#"{"type":"FeatureCollection","type":"Feature","features":[]}"#, "geojson-duplicate-member"),
    (#"{"type":"FeatureCollection","features":[],"a":1,"a":2}"#, "geojson-duplicate-member"),
    (#"{"type":"FeatureCollection","features":[],"bbox":[1,2,3]}"#, "geojson-bbox"),
    (#"{"type":"FeatureCollection","features":[]} x"#, "json-syntax"),
    (#"{"type":"FeatureCollection","features":[]"#, "json-syntax"),
    (#"not json"#, "json-syntax"), ("", "empty-input"), (" \n ", "empty-input"),
  ])
  func `a document that is wrong as a whole throws and delivers nothing`(
    text: String, code: String
  ) {
    let outcome = Outcome(reading: text)
    #expect(outcome.isThrown)
    #expect(outcome.codes == [code])
    #expect(outcome.records.isEmpty)
  }

  /// Rows of a GeoPackage whose bytes are damaged say so where the type of their geometry would stand.
  @Test func `a type that is not known is named to its end, and cut where it is long`() {
    func message(_ type: String) -> String {
      let geometry = #"{"type":"\#(type)","coordinates":[1,2]}"#
      let outcome = Outcome(
        reading:
          #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":\#(geometry),"properties":{}}]}"#
      )
      return outcome.errors.first?.message ?? ""
    }
    let damage = "unreadable bytes: a geometry without the envelope it announces"
    #expect(message(damage).hasPrefix("GeoJSON has no type \"\(damage)\";"))
    let long = String(repeating: "x", count: 200)
    #expect(message(long).hasPrefix("GeoJSON has no type \"\(long.prefix(80))…\";"))
    #expect(message("").hasPrefix("GeoJSON has no type \"\";"))
  }

  @Test(arguments: ["null", "true"])
  func `an id that is none is named`(id: String) {
    let outcome = Outcome(
      reading: #"{"type":"Feature","id":\#(id),"geometry":null,"properties":null}"#)
    #expect(outcome.errors.first?.message.hasPrefix("the id \(id) is neither") == true)
  }

  @Test(arguments: [
    (#"{"type":"Feature","properties":{}}"#, "geojson-member"),
    (#"{"type":"Feature","geometry":null}"#, "geojson-member"),
    (#"{"geometry":null,"properties":null}"#, "geojson-type"),
    (#"{"type":"FeatureCollection","features":[]}"#, "geojson-type"),
    (#"{"type":"Feature","geometry":[],"properties":{}}"#, "geojson-type"),
    (#"{"type":"Feature","geometry":{},"properties":{}}"#, "geojson-type"),
    (#"{"type":"Feature","geometry":{"type":"Feature"},"properties":{}}"#, "geojson-type"),
    (#"{"type":"Feature","geometry":{"type":"Point"},"properties":{}}"#, "geojson-member"),
    (#"{"type":"Feature","geometry":null,"properties":[]}"#, "geojson-properties"),
    (#"{"type":"Feature","geometry":null,"properties":1}"#, "geojson-properties"),
    (#"{"type":"Feature","geometry":null,"properties":{},"id":null}"#, "geojson-id"),
    (#"{"type":"Feature","geometry":null,"properties":{},"id":true}"#, "geojson-id"),
    (#"{"type":"Feature","geometry":null,"properties":{},"id":{}}"#, "geojson-id"),
    (#"{"type":"Feature","geometry":null,"properties":{},"bbox":null}"#, "geojson-bbox"),
    (#"{"type":"Feature","geometry":null,"properties":{},"coordinates":[]}"#, "geojson-member"),
    (#"{"type":"Feature","geometry":null,"properties":{},"features":[]}"#, "geojson-member"),
    (#"{"type":"Feature","geometry":null,"properties":{},"geometries":[]}"#, "geojson-member"),
    (
      #"{"type":"Feature","geometry":null,"geometry":null,"properties":{}}"#,
      "geojson-duplicate-member"
    ),
    (#"{"type":"Feature","geometry":null,"properties":{"a":1,"a":1}}"#, "geojson-duplicate-member"),
    (
      #"{"type":"Feature","geometry":null,"properties":{"a":{"b":1,"\u0062":1}}}"#,
      "geojson-duplicate-member"
    ),
    (
      #"{"type":"Feature","geometry":null,"properties":{},"x":1,"x":1}"#, "geojson-duplicate-member"
    ),
    ("null", "geojson-type"), ("[]", "geojson-type"), ("7", "geojson-type"),
  ])
  func `a feature that is none is reported`(text: String, code: String) {
    let outcome = Outcome(reading: collection(Self.feature, text, Self.feature))
    #expect(outcome.codes == [code])
    #expect(!outcome.isThrown)
    #expect(outcome.features.count == 2)
  }

  @Test(arguments: [
    (#""Point","coordinates":[1]"#, "geojson-coordinates"),
    (#""Point","coordinates":5"#, "geojson-coordinates"),
    (#""Point","coordinates":null"#, "geojson-coordinates"),
    (#""Point","coordinates":[1,null]"#, "geojson-coordinates"),
    (#""Point","coordinates":[[1,2]]"#, "geojson-coordinates"),
    (#""Point","coordinates":[1,1e400]"#, "geojson-coordinates"),
    (#""MultiPoint","coordinates":[1,2]"#, "geojson-coordinates"),
    (#""MultiPoint","coordinates":[[]]"#, "geojson-coordinates"),
    (#""MultiPoint","coordinates":[[[1,2]]]"#, "geojson-coordinates"),
    (#""LineString","coordinates":[[1,2]]"#, "geojson-line"),
    (#""Polygon","coordinates":[[1,2],[3,4]]"#, "geojson-coordinates"),
    (#""Polygon","coordinates":[[]]"#, "geojson-ring"),
    (#""Polygon","coordinates":[[[0,0],[1,0],[0,0]]]"#, "geojson-ring"),
    (#""Polygon","coordinates":[[[0,0],[1,0]]]"#, "geojson-ring"),
    (#""Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0,5]]]"#, "geojson-ring"),
    (#""GeometryCollection","geometries":[false]"#, "geojson-type"),
    (#""GeometryCollection","geometries":{}"#, "geojson-member"),
    (#""GeometryCollection","coordinates":[]"#, "geojson-member"),
    (
      #""GeometryCollection","geometries":[{"geometries":[],"type":"GeometryCollection"}]"#,
      "geojson-nested-collection"
    ),
    (#""Point","coordinates":[1,2],"properties":{}"#, "geojson-member"),
    (#""Point","coordinates":[1,2],"coordinates":[1,2]"#, "geojson-duplicate-member"),
    (#""Point","coordinates":[1,2],"bbox":"1""#, "geojson-bbox"),
  ])
  func `a geometry that is none is reported, whichever member comes first`(
    members: String, code: String
  ) throws {
    #expect(Outcome(reading: #"{"type":\#(members)}"#).codes == [code])
    let comma = try #require(members.firstIndex(of: ","))
    let turned = "\(members[members.index(after: comma)...]),\"type\":\(members[..<comma])"
    #expect(Outcome(reading: "{\(turned)}").codes == [code])
  }

  @Test(arguments: [
    ("[[1,2,1,2]]", "an array stands in a bbox where a number should; write one flat array"),
    ("[1,2,null,2]", "null in a bbox is not a number; write degrees"),
    (#"["1",2,1,2]"#, #""1" in a bbox is not a number; write degrees without quotes"#),
  ])
  func `what is no number in a bbox is named, with a remedy for it`(box: String, message: String) {
    let text = #"{"type":"Feature","geometry":null,"properties":{},"bbox":\#(box)}"#
    #expect(Outcome(reading: collection(text)).errors.map(\.message) == [message])
  }

  @Test func `a position keeps three numbers and drops more`() throws {
    let outcome = Outcome(
      reading: #"{"type":"MultiPoint","coordinates":[[1,2],[1,2,-3.5],[1,2,3,4,5]]}"#)
    #expect(
      outcome.features.map(\.geometry) == [
        .multiPoint([
          Position(longitude: 1, latitude: 2), Position(longitude: 1, latitude: 2, altitude: -3.5),
          Position(longitude: 1, latitude: 2, altitude: 3),
        ])
      ])
    #expect(outcome.features.map(\.properties) == [nil])
    #expect(outcome.document?.form == .geometry)
  }

  @Test func `a line of two positions is read, and a collection of no features`() {
    let line = Outcome(reading: #"{"type":"LineString","coordinates":[[0,0],[1,1]]}"#)
    #expect(line.features.map(\.geometry) == [.lineString(positions((0, 0), (1, 1)))])
    let none = Outcome(reading: collection())
    #expect(none.errors.isEmpty && none.features.isEmpty)
  }

  @Test func `empty coordinates are an empty geometry, and of a point none`() throws {
    func geometry(_ type: String, _ member: String = "coordinates") -> Geometry? {
      Outcome(reading: #"{"type":"\#(type)","\#(member)":[]}"#).features.first?.geometry
    }
    #expect(geometry("Point") == nil)
    #expect(Outcome(reading: #"{"type":"Point","coordinates":[ ]}"#).features.count == 1)
    #expect(geometry("LineString") == .lineString([]))
    #expect(geometry("Polygon") == .polygon([]))
    #expect(geometry("MultiPolygon") == .multiPolygon([]))
    #expect(geometry("GeometryCollection", "geometries") == .geometryCollection([]))
  }

  @Test func `a receiver that says stop hears no more`() throws {
    var count = 0
    let text = collection(Self.feature, Self.feature, Self.feature) + "garbage"
    let document = try GeoJSONReader().read(Array(text.utf8)) { _ in
      count += 1
      return count == 2 ? .stop : .readOn
    }
    #expect(count == 2)
    #expect(document.recordCount == 2)
    #expect(!document.isComplete)
  }

  @Test func `features are given as one array, or the first error is thrown`() throws {
    let text = collection(Self.feature, Self.feature)
    #expect(try GeoJSONReader().features(in: Array(text.utf8)).count == 2)
    let error = #expect(throws: GeoJSONError.self) {
      try GeoJSONReader().features(in: Array(collection(Self.feature, "1", "[]").utf8))
    }
    #expect(error?.code == "geojson-type")
  }

  // MARK: Sequences

  @Test(arguments: ["\n", "\r\n", "\n\n \n"])
  func `lines of features are told from a document`(lineEnd: String) throws {
    let outcome = Outcome(
      reading: [Self.feature, Self.point, collection(Self.feature, Self.feature)]
        .joined(separator: lineEnd) + lineEnd)
    #expect(outcome.errors.isEmpty)
    #expect(outcome.features.count == 4)
    #expect(outcome.document?.form == .sequence)
  }

  @Test func `a bad line spoils only itself`() throws {
    let outcome = Outcome(
      reading: """
        {"type":"Feature","geometry":null}
        \(Self.feature)
        {"type":"Feature","geom
        {"type":"Feature","geometry":null,"properties":null} x

        \(Self.feature)
        """, framing: .sequence)
    #expect(
      outcome.records.map { (try? $0.feature.get()) != nil } == [false, true, false, false, true])
    #expect(outcome.codes == ["geojson-member", "json-syntax", "json-syntax"])
    #expect(outcome.errors.map(\.line) == [1, 3, 4])
    #expect(outcome.records.map(\.line) == [1, 2, 3, 4, 6])
  }

  @Test func `a first line that is broken but balanced still begins a sequence`() throws {
    let outcome = Outcome(reading: "{\"type\":}\n\(Self.feature)\n")
    #expect(outcome.document?.form == .sequence)
    #expect(outcome.codes == ["json-syntax"])
    #expect(outcome.features.count == 1)
  }

  @Test func `records after separators may run over lines`() throws {
    let record =
      "\u{1E}{\n  \"type\": \"Feature\",\n  \"geometry\": null, \"properties\": null\n}\n"
    let outcome = Outcome(reading: record + "\u{1E}{\"type\":\n" + record)
    #expect(outcome.features.count == 2)
    #expect(outcome.codes == ["json-syntax"])
    #expect(outcome.records.map(\.line) == [1, 5, 6])
  }

  @Test func `a bad record ends before white space, and no ring of the one before is its own`() {
    let ring = "[[0,0],[1,0],[1,1]]"
    let open =
      #"{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[\#(ring)]}}"#
    let bad = #"{"type":3}"#, short = #"{"type":"#
    for text in [
      "\u{1E}\(open)\r\n\u{1E}\(bad)\r\n   \r\n\u{1E} \(short) \n",
      "\(open)\r\n \t\(bad)  \r\n\(short)\t\r\n",
    ] {
      let bytes = Array(text.utf8)
      let records = Outcome(reading: bytes).records
      #expect(
        records.map { String(decoding: bytes[$0.byteRange], as: UTF8.self) } == [open, bad, short])
      #expect(records.map(\.closedRings) == [1, 0, 0])
    }
  }

  @Test func `a document over several lines is no sequence`() throws {
    let text = """
      {"type":"FeatureCollection","features":[
      \(Self.feature),
      \(Self.feature)
      ]}

      """
    #expect(Outcome(reading: text).document?.form == .featureCollection)
    #expect(Outcome(reading: Self.feature + "\n").document?.form == .feature)
    #expect(Outcome(reading: Self.feature + "\n{").document?.form == .sequence)
  }
}
