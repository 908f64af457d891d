import Foundation
import Geodesy
import NearbyTestSupport
import Testing

@Suite struct `Encoded positions` {
  /// What a text decodes to, or the words of the error.
  private func decoded<Value: Decodable>(_ text: String, as type: Value.Type) -> String {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return "\(try decoder.decode(type, from: Data(text.utf8)))"
    } catch DecodingError.dataCorrupted(let context) {
      return context.debugDescription
    } catch {
      return "other: \(error)"
    }
  }

  private func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test func `have names and units`() throws {
    #expect(
      try text(Coordinate(latitude: 37.5, longitude: 180)) == #"{"latitude":37.5,"longitude":-180}"#
    )
    #expect(
      try text(BoundingBox(south: -21, west: 177, north: -12.25, east: -178))
        == #"{"east":-178,"north":-12.25,"south":-21,"west":177}"#)
    #expect(
      try text([Distance.meters(1.5), .infinity, .zero - .infinity]) == #"[1.5,"inf","-inf"]"#)
    let corners = try [(0.0, 170.0), (0, 180), (10, 180)].map {
      try PolygonVertex(latitude: $0, longitude: $1)
    }
    #expect(
      try text(Polygon(outer: corners))
        == #"{"outer":[{"latitude":0,"longitude":170},{"latitude":0,"longitude":180},"#
        + #"{"latitude":10,"longitude":180},{"latitude":0,"longitude":170}]}"#)
  }

  @Test(arguments: UInt64(0)..<10)
  func `come back to the last bit`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func back<Value: Codable & Equatable>(_ value: Value) throws {
      #expect(try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value)) == value)
      let list = PropertyListEncoder()
      // A property list holds an object.
      #expect(
        try PropertyListDecoder().decode([Value].self, from: list.encode([value])) == [value])
    }
    func vertices(_ count: Int) throws -> [PolygonVertex] {
      try (0..<count).map { _ in
        try PolygonVertex(
          latitude: Double.random(in: -60...60, using: &generator),
          longitude: Bool.random(using: &generator)
            ? 180 : Double.random(in: 10...180, using: &generator))
      }
    }
    for _ in 0..<20 {
      let latitudes = [0, 1].map { _ in Double.random(in: -90...90, using: &generator) }.sorted()
      let longitudes = [0, 1].map { _ in Double.random(in: -180...180, using: &generator) }
      try back(Coordinate(latitude: latitudes[0], longitude: longitudes[0]))
      try back(
        BoundingBox(
          south: latitudes[0], west: longitudes[0], north: latitudes[1], east: longitudes[1]))
      try back(Distance.meters(Double.random(in: 0...2e7, using: &generator)))
      let outer = try vertices(Int.random(in: 4...30, using: &generator))
      // The first vertex may come again at the end, and once more.
      let closed =
        outer + Array(repeating: outer[0], count: Int.random(in: 0...2, using: &generator))
      try back(MultiPolygon([Polygon(outer: closed, holes: [vertices(5)]), Polygon(outer: outer)]))
    }
  }

  @Test(arguments: [
    (#"{"latitude":91,"longitude":-200}"#, "latitude 91 is outside -90…90; give degrees north"),
    (#"{"latitude":127,"longitude":37}"#, "these look swapped: try latitude 37, longitude 127"),
    (#"{"latitude":7,"longitude":-181}"#, "longitude -181 is outside -180…180; give degrees east"),
    (#"{"latitude":"nan","longitude":0}"#, "\"nan\" is not a number; write degrees"),
    (#"{"latitude":1,"longitude":"inf"}"#, "\"inf\" is not a number; write degrees"),
    (#"{"latitude":1}"#, "other: "), (#""37.5,127""#, "other: "),
  ]) func `that are none are errors with the value and what to do`(text: String, words: String) {
    #expect(decoded(text, as: Coordinate.self).contains(words))
    #expect(decoded(text, as: PolygonVertex.self).contains(words))
  }

  @Test func `boxes, lengths and polygons that are none are errors, too`() {
    let box = decoded(#"{"south":5,"west":0,"north":-5,"east":1}"#, as: BoundingBox.self)
    #expect(box == "south 5 lies north of north -5; swap them")
    #expect(decoded(#"[1,"far"]"#, as: [Distance].self).hasPrefix("\"far\" is not a length; write"))
    #expect(decoded(#"["nan"]"#, as: [Distance].self).hasPrefix("\"nan\" is not a length; write"))
    let line = #"{"outer":[{"latitude":0,"longitude":1},{"latitude":2,"longitude":1}]}"#
    #expect(
      decoded(line, as: Polygon.self)
        == "the polygon's outer ring has 2 different vertices; give at least 3")
    do {
      _ = try JSONDecoder().decode(Polygon.self, from: Data(line.utf8))
      Issue.record("a line is no polygon")
    } catch DecodingError.dataCorrupted(let context) {
      #expect(context.underlyingError as? PolygonError == .tooFewVertices(distinct: 2, ring: 0))
    } catch {
      Issue.record("\(error)")
    }
  }
}
