import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations
import MapProjections
import NearbyTestSupport
import Testing
import WebMaps

@testable import NearbyHTTP

/// What counts and groups annotations: facets, tiles and clusters.
@Suite struct SummaryTests {
  @Test func `facets give what counting gives`() throws {
    let shops = try Served.shops(400)
    for service in NearbyService.both(of: shops) {
      for (query, isMatch) in [
        ("", { _ in true }), ("kind=mart", { $0.kind?.rawValue == "mart" }),
        ("filter=rating%20%3E%202", { (Int($0.property("rating")?.text ?? "") ?? 0) > 2 }),
        (
          "bbox=126.9,37.5,127,37.6",
          { shop in
            shop.coordinate.map {
              (37.5...37.6).contains($0.latitude) && (126.9...127).contains($0.longitude)
            } ?? false
          }
        ),
      ] as [(String, (ImportedAnnotation) -> Bool)] {
        let answer = service.get(
          "/collections/shops/facets?facets=kind,opening_hours,name&\(query)")
        let found = shops.filter(isMatch)
        #expect(try answer.member("numberMatched") == .integer(found.count))
        for field in ["kind", "opening_hours", "name"] {
          var expected: [String?: Int] = [:]
          for shop in found {
            let text = field == "kind" ? shop.kind?.rawValue : shop.property(field)?.text
            expected[text?.isEmpty ?? true ? nil : text, default: 0] += 1
          }
          var told: [String?: Int] = [:]
          var last: Int?
          for count in try answer.objects("facets", field) {
            let number = Int(count["count"]?.text ?? "") ?? -1
            told[count["value"]?.text] = number
            if count["value"] != .null {
              #expect(number <= last ?? .max)
              last = number
            }
          }
          #expect(told == expected, "\(field) \(query)")
        }
      }
    }
  }

  @Test func `facets of degrees have numbers as features write them`() throws {
    let annotations = try Served.annotations(
      "id,latitude,longitude\na,48,2.5\nb,48,-0.25\nc,0.00001,7\n")
    for service in NearbyService.both(of: annotations) {
      let answer = service.get("/collections/shops/facets?facets=latitude,longitude")
      for (field, expected) in [
        ("latitude", ["48", "0.00001"]), ("longitude", ["-0.25", "2.5", "7"]),
      ] {
        #expect(try answer.objects("facets", field).map { $0["value"]?.text } == expected)
      }
    }
  }

  @Test func `tiles hold every annotation at every zoom, clustered far out`() throws {
    let shops = try Served.shops(5_000)
    let service = Served.service(shops)
    let clusterZoom = service.collections[0].state.tiles().clusterZoom
    #expect((8...12).contains(clusterZoom))
    for zoom in [0, 6, clusterZoom, clusterZoom + 1] {
      var total = 0
      let scale = Double(1 << zoom)
      let columns = Set(
        shops.compactMap { $0.coordinate }.map { Int(($0.longitude + 180) / 360 * scale) })
      for x in columns.sorted() {
        for y in 0..<(1 << min(zoom, 13))
        where zoom < 7 || (Int(0.38 * scale)...Int(0.40 * scale)).contains(y) {
          let answer = service.get("/tiles/shops/\(zoom)/\(x)/\(y).mvt")
          guard answer.status == 200 else {
            #expect(answer.status == 204)
            continue
          }
          total += try TileCount.own(answer.bytes)
        }
      }
      #expect(total == 5_000, "zoom \(zoom)")
    }
    #expect(service.get("/tiles/shops/19/0/0.mvt").status == 404)
    #expect(service.get("/tiles/shops/3/8/0.mvt").status == 404)
    #expect(service.get("/tiles/shops/3/8/x.mvt").status == 404)
    #expect(service.get("/tiles/shops/+3/0/0.mvt").status == 404)
    #expect(try service.get("/tiles/shops/tilejson.json").member("maxzoom") == .integer(18))
  }

  /// A filter of maps, and what it is to find.
  private typealias Filter = (query: String, isMatch: @Sendable (ImportedAnnotation) -> Bool)

  private static let filters: [Filter] = [
    ("kind=mart", { $0.kind?.rawValue == "mart" }),
    ("filter=rating%20%3E%202", { (Int($0.property("rating")?.text ?? "") ?? 0) > 2 }),
    ("open=now&hours-unknown=hide", { $0.openingHours == "Mo-Fr 10:00-18:00" }),
    (
      "filter=S_INTERSECTS(geometry,BBOX(126.9,37.5,127,37.6))%20AND%20kind%20=%20'deal'",
      { shop in
        shop.kind?.rawValue == "deal"
          && (shop.coordinate.map {
            (37.5...37.6).contains($0.latitude) && (126.9...127).contains($0.longitude)
          } ?? false)
      }
    ),
  ]

  @Test func `tiles take the filters of items, and have what these find`() throws {
    let shops = try Served.shops(5_000)
    for (query, isMatch) in Self.filters {
      let matches = shops.indices.filter { isMatch(shops[$0]) }
      let alone = Served.service(shops.keeping(matches))
      for service in NearbyService.both(of: shops) {
        let clusterZoom = service.collections[0].state.tiles().clusterZoom
        for zoom in [0, clusterZoom, clusterZoom + 1] {
          var total = 0
          let addresses = Set(
            shops.compactMap { shop in
              shop.coordinate.map { TileAddress(containing: $0, zoom: zoom) }
            })
          for address in addresses {
            let path = "/tiles/shops/\(zoom)/\(address.x)/\(address.y).mvt"
            let tile = service.get("\(path)?\(query)")
            #expect(tile.status == 200 || tile.status == 204)
            if tile.status == 200 { total += try TileCount.own(tile.bytes) }
            if zoom > clusterZoom {
              #expect(tile.bytes == alone.get(path).bytes, "\(path)?\(query)")
            } else {
              #expect(tile.header("etag") != service.get(path).header("etag"))
            }
          }
          #expect(total == matches.count, "\(query) zoom \(zoom)")
        }
      }
    }
  }

  @Test func `lines and areas of a tile with clusters are those that a filter finds`() throws {
    var features = (0..<2_500).map { number in
      #"{"type":"Feature","id":\#(number),"geometry":{"type":"Point","coordinates":[1,1]},"properties":{"kind":"\#(number % 2)"}}"#
    }
    for kind in 0...1 {
      features.append(
        #"{"type":"Feature","id":"line\#(kind)","geometry":{"type":"LineString","coordinates":[[1,\#(kind)],[40,\#(kind)]]},"properties":{"kind":"\#(kind)"}}"#
      )
    }
    let service = Served.service(
      try Served.annotations(
        #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#,
        "a.geojson"))
    let tile = service.get("/tiles/shops/2/2/1.mvt?kind=1")
    #expect(try TileCount.own(tile.bytes) == 1_251)
    let layer = try #require(try VectorTile(decoding: tile.bytes).layers.first)
    #expect(layer.features.count == 2)
  }

  @Test func `TileJSON and styles pass their filters on to the tiles`() throws {
    let service = Served.service(try Served.shops(30))
    let query = "?kind=mart&within=2km&lat=37.5&lon=127&filter=rating%20%3E%202"
    let tiles =
      "http://localhost/tiles/shops/{z}/{x}/{y}.mvt"
      + "?kind=mart&within=2000&lat=37.5&lon=127&filter=rating%20%3E%202"
    let list = PropertyValue.array([.string(tiles)])
    #expect(try service.get("/tiles/shops/tilejson.json\(query)").member("tiles") == list)
    let style = service.get("/tiles/shops/style.json\(query)")
    #expect(try style.member("sources", "shops", "tiles") == list)
    #expect(
      try style.member("layers") == service.get("/tiles/shops/style.json").member("layers"))
    let first = tiles.replacing("{z}/{x}/{y}", with: "0/0/0").dropFirst("http://localhost".count)
    #expect(service.get(String(first)).status < 300)
  }

  @Test(arguments: [
    ("90,10", "-90,20", [10, -85.0511, 20, 85.0511]), ("89,1", "90,1", [1, 85.0511, 1, 85.0511]),
  ])
  func `the bounds of TileJSON are within the square of Web Mercator`(
    first: String, second: String, bounds: [Double]
  ) throws {
    let service = Served.service(
      try Served.annotations("id,latitude,longitude\na,\(first)\nb,\(second)\n"))
    let edges = try service.get("/tiles/shops/tilejson.json").member("bounds")?.elements
    let numbers = try #require(edges).compactMap(\.number)
    #expect(numbers.count == 4 && zip(numbers, bounds).allSatisfy { abs($0 - $1) < 1e-4 })
  }

  @Test func `TileJSON lists the attributes that tiles have`() throws {
    var rows = "title,rating,lat,lon\n"
    for number in 0..<2_500 { rows += "a\(number),5,1,1\n" }
    let few =
      #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"a","geometry":{"type":"Point","coordinates":[1,1]},"properties":{"size":1}}]}"#
    // The kind is a text in tiles, and nothing is there of what is empty.
    let fewer =
      #"{"type":"FeatureCollection","features":[{"type":"Feature","id":1,"geometry":{"type":"Point","coordinates":[1,1]},"properties":{"kind":5,"note":"","open":true}}]}"#
    let numbered = few.replacing(#""size":1"#, with: #""id":9"#)
    let clusters = [
      "cluster": "Boolean", "cluster_id": "Number", "point_count": "Number",
      "point_count_abbreviated": "String",
    ]
    let titled = ["title": "String", "rating": "String", "name": "String"]
    for (text, file, fields) in [
      (rows, "a.csv", titled.merging(clusters) { $1 }),
      (few, "a.geojson", ["size": "Number", "id": "String"]),
      (fewer, "a.geojson", ["kind": "String", "open": "Boolean"]),
      (numbered, "a.geojson", ["id": "String", "id_2": "Number"]),
    ] as [(String, String, [String: String])] {
      let service = Served.service(try Served.annotations(text, file))
      let layers = try service.get("/tiles/shops/tilejson.json").objects("vector_layers")
      let listed = try #require(layers.first?["fields"]?.members)
      #expect(
        Dictionary(uniqueKeysWithValues: listed.entries.map { ($0.name, $0.value.text ?? "") })
          == fields)
      for address in ["0/0/0", "18/131800/130343"] {
        let tile = service.get("/tiles/shops/\(address).mvt")
        #expect(tile.status == 200)
        for layer in try VectorTile(decoding: tile.bytes).layers where layer.name == "shops" {
          for feature in layer.features {
            for (name, _) in layer.attributes(of: feature) {
              #expect(fields[name] != nil, "\(name)")
            }
          }
        }
      }
    }
  }

  @Test func `maps have the name and kind of chosen columns, and other columns of that name`()
    throws
  {
    var options = ImportOptions()
    (options.nameField, options.kindField) = ("title", "category")
    let text = "id,name,kind,title,category,lat,lon\n1,wrong,other,Right,mart,37.5,127\n"
    let shops = try AnnotationImporter(options: options).read(Array(text.utf8), named: "shops.csv")
    let service = Served.service(shops.annotations)
    let layers = try service.get("/tiles/shops/tilejson.json").objects("vector_layers")
    let listed = try #require(layers.first?["fields"]?.members)
    let view = service.get("/collections/shops/clusters?bbox=126,37,128,38&zoom=12")
    let single = try #require(try view.features.first?["properties"]?.members)
    #expect(
      Set(listed.entries.map(\.name)) == [
        "id", "name", "kind", "name_2", "kind_2", "title", "category",
      ])
    #expect(single["name"] == "Right" && single["kind"] == "mart")
    #expect(single["name_2"] == "wrong" && single["kind_2"] == "other")
  }

  @Test func `clusters take the filters of items, and are those of what these find`() throws {
    let shops = try Served.shops(400)
    let others: [Filter] = [
      ("rating=4", { $0.properties["rating"] == "4" }),
      (
        "lat=37.52&lon=126.97&within=5km&beyond=1km",
        { shop in
          guard let place = shop.coordinate,
            let origin = try? Coordinate(latitude: 37.52, longitude: 126.97)
          else { return false }
          let meters = origin.distance(to: place).meters
          return meters > 1_000 && meters <= 5_000
        }
      ),
    ]
    for (query, isMatch) in Self.filters + others {
      let alone = Served.service(shops.keeping(shops.indices.filter { isMatch(shops[$0]) }))
      for service in NearbyService.both(of: shops) {
        for zoom in [2, 11, 15] {
          let view = "/collections/shops/clusters?bbox=126.93,37.48,127.01,37.57&zoom=\(zoom)"
          let found = service.get("\(view)&\(query)")
          #expect(try found.json == alone.get(view).json, "\(query) zoom \(zoom)")
          let count = try #require(try found.member("numberMatched")?.number)
          #expect(zoom > 2 || (1..<400).contains(count), "\(query)")
        }
      }
    }
  }

  @Test func `maps measure distances only where these choose, and it counts as a cost`() throws {
    var limits = ServerLimits()
    limits.cost = 10
    let service = Served.service(try Served.shops(50), limits: limits)
    for map in ["/tiles/shops/0/0/0.mvt", "/collections/shops/clusters?bbox=126,37,128,38&zoom=5"] {
      let mark = map.contains("?") ? "&" : "?"
      let here = "\(map)\(mark)lat=37.5&lon=127"
      #expect(service.get(here).bytes == service.get(map).bytes)
      #expect(service.get("\(here)&within=9km").code == "query-cost")
      #expect(service.get("\(here)&where=distance%20%3C%209000").code == "query-cost")
    }
  }

  @Test func `a small tile of a large area costs what the tile holds`() throws {
    var limits = ServerLimits()
    limits.cost = 10
    let service = Served.service(try Served.shops(50), limits: limits)
    let filter = "filter=S_INTERSECTS(geometry,BBOX(126,37,128,38))%20AND%20kind%20=%20'mart'"
    #expect(service.get("/tiles/shops/0/0/0.mvt?\(filter)").code == "query-cost")
    #expect(service.get("/tiles/shops/18/223517/101527.mvt?\(filter)").status < 300)
  }

  @Test func `clusters show shapes whole, and count what items finds in their box`() throws {
    let shapes = try Served.annotations(
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","id":"park","properties":{},"geometry":{"type":"Polygon",
       "coordinates":[[[126.98,37.50],[127.20,37.50],[127.20,37.52],[126.98,37.52],[126.98,37.50]]]}},
      {"type":"Feature","id":"line","properties":{},"geometry":{"type":"LineString",
       "coordinates":[[126.90,37.53],[127.30,37.53]]}},
      {"type":"Feature","id":"kiosk","properties":{},"geometry":{"type":"Point",
       "coordinates":[127.09,37.51]}}]}
      """, "shops.geojson")
    let service = Served.service(shapes)
    for (zoom, single) in [(14, ["park"]), (9, ["park", "line"]), (2, [])] {
      let answer = service.get(
        "/collections/shops/clusters?bbox=127.19,37.51,127.2,37.525&zoom=\(zoom)")
      let features = try answer.features.filter { $0["properties"]?.members?["cluster"] == nil }
      #expect(Set(features.compactMap { $0["id"]?.text }) == Set(single), "zoom \(zoom)")
      for feature in features {
        #expect(try #require(feature["geometry"]?.members)["type"] != "Point")
      }
      let edges = try #require(try answer.member("bbox")?.elements)
      let box = edges.map { "\($0.number ?? 0)" }.joined(separator: ",")
      let items = service.get("/collections/shops/items?bbox=\(box)")
      #expect(try answer.member("numberMatched") == items.member("numberMatched"), "zoom \(zoom)")
    }
  }
}
