import Foundation
import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing

@testable import GeoJSONCoding

@Suite struct WriterTests {
  private func json(_ value: PropertyValue) -> String {
    var writer = JSONWriter()
    writer.value(value)
    return writer.text
  }

  @Test func `values are written compactly, in order`() {
    let value: PropertyValue = .object([
      "n": .number("1.50"), "a": .array([nil, true, false, .array([]), .object([:])]), "한": "글",
    ])
    #expect(json(value) == #"{"n":1.50,"a":[null,true,false,[],{}],"한":"글"}"#)
  }

  @Test func `only what must be escaped is`() {
    #expect(
      json("\"\\/\u{8}\t\n\u{c}\r\u{1}\u{1f}\u{7f}é한\u{1F600}\u{2027}\u{2028}\u{2029}\u{202a}")
        == #""\"\\/\u0008\t\n\u000c\r\u0001\u001f\u007fé한"# + "\u{1F600}\u{2027}"
        + #"\u2028\u2029"# + "\u{202a}\"")
  }

  @Test func `a name that repeats is told apart, and a number that is none becomes text`() {
    #expect(
      json(.object(["a": 1, "a": 2, "a_2": 3, "a": 4])) == #"{"a":1,"a_3":2,"a_2":3,"a_4":4}"#)
    for text in ["007", "1,5", "", "NaN", "1e", " 1", "1 "] {
      #expect(json(.number(text)) == json(.string(text)))
    }
  }

  @Test(arguments: UInt64(0)..<10)
  func `what is written is read back, by this reader and by Foundation's`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let value = randomValue(depth: 4, using: &generator)
      let bytes = Array(json(value).utf8)
      #expect(try PropertyValue(json: bytes) == value)
      #expect(throws: Never.self) {
        try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
      }
    }
  }

  private func randomValue(depth: Int, using generator: inout SeededGenerator) -> PropertyValue {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &generator) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &generator))
    case 2: return .double(Double.random(in: -1e20...1e20, using: &generator))
    case 3: return .integer(Int.random(in: .min ... .max, using: &generator))
    case 4, 5:
      let scalars = (0..<Int.random(in: 0..<20, using: &generator)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0...0x3000, using: &generator))
      }
      return .string(String(String.UnicodeScalarView(scalars)))
    case 6:
      return .array(
        (0..<Int.random(in: 0..<5, using: &generator)).map { _ in
          randomValue(depth: depth - 1, using: &generator)
        })
    default:
      return .object(
        Properties(
          (0..<Int.random(in: 0..<25, using: &generator)).map { index in
            .init(name: "n\(index)", value: randomValue(depth: depth - 1, using: &generator))
          }))
    }
  }

  @Test func `numbers are the shortest that read back`() {
    var writer = JSONWriter()
    writer.beginArray()
    for value in [
      0, -0.0, 1, -180, 126.9784, 0.1, 1e15, 1e22, .leastNonzeroMagnitude, 123456789.125,
    ] {
      writer.number(value)
    }
    writer.endArray()
    #expect(
      writer.text == "[0,-0.0,1,-180,126.9784,0.1,1000000000000000.0,1e+22,5e-324,123456789.125]")
  }

  /// As `JSON.stringify([Infinity, -Infinity, NaN])` is `[null,null,null]` (ECMA-262, 25.5.2.2).
  @Test func `what JSON has no number for is null, and an altitude is left out`() throws {
    var writer = JSONWriter()
    writer.beginArray()
    for value in [Double.infinity, -.infinity, .nan, 1] { writer.number(value) }
    writer.endArray()
    #expect(writer.text == "[null,null,null,1]")
    var geometry = JSONWriter()
    geometry.geometry(
      .lineString([
        Position(longitude: 1, latitude: 2, altitude: .nan),
        Position(longitude: 3, latitude: 4, altitude: .infinity),
        Position(longitude: 5, latitude: 6, altitude: 7),
      ]))
    #expect(geometry.text == #"{"type":"LineString","coordinates":[[1,2],[3,4],[5,6,7]]}"#)
    // Every other program reads it as JSON.
    _ = try JSONSerialization.jsonObject(with: Data(geometry.text.utf8))
  }

  @Test func `pieces put their own commas`() {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("query")
    writer.beginObject()
    writer.member("k", 3)
    writer.endObject()
    writer.name("results")
    writer.beginArray()
    writer.string("a")
    writer.number(2)
    writer.bool(true)
    writer.null()
    writer.endArray()
    writer.endObject()
    writer.endLine()
    writer.value("next")
    #expect(writer.text == "{\"query\":{\"k\":3},\"results\":[\"a\",2,true,null]}\n\"next\"")
  }

  // MARK: GeoJSON

  private static let features = [
    Feature(
      id: 7, geometry: .point(Position(longitude: 127, latitude: 37.5, altitude: 12)),
      properties: nil),
    Feature(
      id: "x", geometry: nil, properties: [:], bbox: [1, 2, 3, 4],
      foreignMembers: ["title": "t"]),
  ]

  private static let texts = [
    #"{"type":"Feature","id":7,"geometry":{"type":"Point","coordinates":[127,37.5,12]},"#
      + #""properties":null}"#,
    #"{"type":"Feature","id":"x","bbox":[1,2,3,4],"geometry":null,"properties":{},"title":"t"}"#,
  ]

  @Test func `a collection has its box in front and a feature on each line`() throws {
    let box = try BoundingBox(south: -21, west: 177, north: -12, east: -178)
    let bytes = GeoJSONWriter.bytes(
      of: Self.features, bbox: box, members: ["validRadius": .double(1.5)])
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        {"type":"FeatureCollection","bbox":[177,-21,-178,-12],"validRadius":1.5,"features":[
        \(Self.texts[0]),
        \(Self.texts[1])]}

        """)
    #expect(
      String(decoding: GeoJSONWriter.bytes(of: []), as: UTF8.self)
        == "{\"type\":\"FeatureCollection\",\"features\":[]}\n")
  }

  @Test func `a sequence has one feature on each line`() {
    #expect(
      String(
        decoding: GeoJSONWriter.bytes(of: Self.features, as: .sequence(recordSeparators: false)),
        as: UTF8.self) == Self.texts.joined(separator: "\n") + "\n")
    #expect(
      String(
        decoding: GeoJSONWriter.bytes(of: Self.features, as: .sequence(recordSeparators: true)),
        as: UTF8.self) == Self.texts.map { "\u{1E}\($0)\n" }.joined())
  }

  @Test func `taking the bytes along the way gives the same bytes`() {
    var writer = GeoJSONWriter(.featureCollection)
    var bytes: [UInt8] = []
    writer.begin()
    for feature in Self.features {
      bytes += writer.takeBytes()
      writer.write(feature)
    }
    writer.end()
    bytes += writer.takeBytes()
    #expect(bytes == GeoJSONWriter.bytes(of: Self.features))
  }

  static let files: [String] =
    ConformanceTests.rows.filter { $0.expect == "accept" }
    .map { "\(ConformanceTests.folder)/\($0.file)" }
    + ["data/usgs-earthquakes/all_week_2018-02.geojson", "conformance/clustering/places.geojson"]

  @Test(
    .enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)),
    arguments: files)
  func `a file read and written keeps ids, properties, foreign members and positions`(
    file: String
  ) throws {
    let first = Outcome(reading: try SharedFiles.bytes(file))
    #expect(first.errors.isEmpty)
    let formats: [GeoJSONWriter.Format] = [
      .featureCollection, .sequence(recordSeparators: false), .sequence(recordSeparators: true),
    ]
    for format in formats {
      let second = Outcome(reading: GeoJSONWriter.bytes(of: first.features, as: format))
      #expect(second.features == first.features)
      // A sequence of nothing is an empty file.
      #expect(
        second.codes
          == (first.features.isEmpty && format != .featureCollection ? ["empty-input"] : []))
    }
  }
}
