import AnnotationImport
import NearbyKit
import TextMaps
import Testing
import WebMaps

@Suite struct `Examples of the formats` {
  private func readingGeoJSON(
    _ bytes: [UInt8], add: (Feature) -> Void, report: (Int, GeoJSONError) -> Void
  ) throws -> GeoJSONDocument {
    let document = try GeoJSONReader().read(bytes) { record in
      switch record.feature {
      case .success(let feature): add(feature)
      case .failure(let error): report(record.number, error)
      }
      return .readOn
    }
    return document
  }

  @Test func `read GeoJSON record by record`() throws {
    let text = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","geometry":{"type":"Point","coordinates":[126.97,37.57]},"properties":{}},
      {"type":"Feature","geometry":{"type":"Point"},"properties":{}}]}
      """
    var features: [Feature] = []
    var failures: [Int] = []
    let document = try readingGeoJSON(
      Array(text.utf8), add: { features.append($0) },
      report: { number, _ in failures.append(number) })
    #expect(document.recordCount == 2)
    #expect(features.count == 1)
    #expect(failures == [2])
  }

  private func drawing(cinema: Coordinate, cityHall: Coordinate) {
    let list = ResultTable(
      rows: [.init(number: 1, name: "씨네큐브광화문", kind: .cinema, distance: .meters(639))],
      width: 80)
    let map = TextMap(markers: [.init(at: cinema, number: 1, kind: .cinema)], origin: cityHall)
    print(list.render() + "\n\n" + map.render())
  }

  @Test func `draw a list and a map`() throws {
    let cinema = try Coordinate(latitude: 37.569706, longitude: 126.972269)
    let cityHall = try Coordinate(latitude: 37.5666, longitude: 126.9784)
    let text = try #require(
      PrintedLines.of { drawing(cinema: cinema, cityHall: cityHall) }.first)
    #expect(text.contains("씨네큐브광화문"))
    #expect(text.contains("✛ origin   cinema 1"))
  }

  private func importing(_ bytes: [UInt8], here: Coordinate) throws -> [AnnotationID] {
    let result = try AnnotationImporter().read(bytes, named: "shops.csv.gz")
    for (code, count) in result.report.rankedReasons { print(count, code) }
    let nearest = AnnotationIndex(result.annotations).nearest(3, to: here)
    return nearest.map(\.annotation.id)
  }

  @Test func `import rows and say what was left out`() throws {
    let text = "id,lat,lon\n1,37.5,127\n2,127,37.5\n3,37.6,127\n"
    let here = try Coordinate(latitude: 37.57, longitude: 126.97)
    var ids: [AnnotationID] = []
    let lines = try PrintedLines.of { ids = try importing(Array(text.utf8), here: here) }
    #expect(lines == ["1 lat-lon-swapped"])
    #expect(ids == [3, 1])
  }

  private func page(showing collection: [UInt8]) -> [UInt8] {
    var page = WebPage(title: "Deals in Yaizu")
    page.language = .japanese
    let html = page.bytes(showing: collection)
    return html
  }

  @Test func `make a page`() {
    let page = String(
      decoding: page(showing: Array(#"{"type":"FeatureCollection","features":[]}"#.utf8)),
      as: UTF8.self)
    #expect(page.contains("<h1>Deals in Yaizu</h1>"))
    #expect(page.contains(#"{"language":"ja","#))
  }
}
