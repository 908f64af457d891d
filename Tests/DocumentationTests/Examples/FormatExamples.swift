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

  private func writeTiles(
    of shops: [BasicAnnotation], to file: TileFile
  ) async throws -> [UInt8] {
    var features = TileFeatures(keeping: ["price", "until"])
    for shop in shops { features.append(shop) }
    let index = ClusterIndex(shops, rule: ClusterRule(maxZoom: 13, alignment: .tiles))
    let rules = TileRules(zooms: 0...14, layer: "shops")
    let pyramid = TilePyramid(features, clusters: index, rules: rules)
    var archive = PMTilesWriter(to: file)
    let zooms = try await pyramid.forEachTile { tile, progress in
      try archive.append(tile.bytes, at: tile.address)
    }
    try archive.finish(metadata: pyramid.metadata(zooms), bounds: pyramid.bounds ?? .world)
    return archive.sink.bytes
  }

  private struct TileFile: PMTilesSink {
    var bytes: [UInt8] = []

    /// A file may be full.
    mutating func write(_ new: [UInt8], at offset: Int) throws {
      let end = offset + new.count
      if bytes.count < end { bytes += repeatElement(0, count: end - bytes.count) }
      bytes.replaceSubrange(offset..<end, with: new)
    }
  }

  @Test func `make tiles`() async throws {
    let spot = try Coordinate(latitude: 37.5, longitude: 127)
    let shops = (1...20).map {
      BasicAnnotation(id: AnnotationID($0), coordinate: spot)
    }
    let archive = try PMTilesArchive(try await writeTiles(of: shops, to: TileFile()))
    #expect(archive.header.maxZoom == 14)
    #expect(archive.header.addressedTileCount == 15)
  }

  private func page(showing collection: [UInt8], near yaizu: BoundingBox) -> [UInt8] {
    var page = WebPage(title: "Deals in Yaizu")
    page.language = .japanese
    page.land = PageLand(near: yaizu)
    let html = page.bytes(showing: collection)
    return html
  }

  @Test func `make a page`() throws {
    let empty = Array(#"{"type":"FeatureCollection","features":[]}"#.utf8)
    let yaizu = try BoundingBox(south: 34.7, west: 138.2, north: 35, east: 138.4)
    let page = String(decoding: page(showing: empty, near: yaizu), as: UTF8.self)
    #expect(page.contains("<h1>Deals in Yaizu</h1>"))
    #expect(page.contains(#"{"language":"ja","#))
  }
}
