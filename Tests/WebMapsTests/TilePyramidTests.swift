import Foundation
import GeoJSONCoding
import Geodesy
import MapAnnotations
import MapProjections
import NearbyTestSupport
import Testing

@testable import WebMaps

/// The tiles of points and clusters; the judge looks at every point for every tile.
@Suite struct TilePyramidTests {
  // MARK: Where points are

  @Test func `positions beside ±180° and the poles are in the last columns and rows`() throws {
    for (latitude, longitude, x, y) in [
      (0, (180.0).nextDown, 1.0, 0.5), (0, -180, 0, 0.5), (90, (-180.0).nextUp, 0, 0),
      (-90, 179.999_999_999, 1, 1), ((90.0).nextDown, 180, 0, 0),
    ] {
      let place = PlanePlace(try Coordinate(latitude: latitude, longitude: longitude))
      #expect(place.x >= 0 && place.x < 1 && abs(place.x - x) < 1e-9, "\(longitude): \(place.x)")
      #expect(place.y >= 0 && place.y < 1 && abs(place.y - y) < 1e-9, "\(latitude): \(place.y)")
    }
  }

  /// The limit is 1 GiB, and lower here, so that a test can reach it.
  @Test(arguments: [true, false])
  func `a tile too large for any reader is an error that names it, unless a limit makes it smaller`(
    isCompressed: Bool
  ) async throws {
    var features = TileFeatures()
    for number in 0..<200 {
      let coordinate = try Coordinate(latitude: 10, longitude: 20 + Double(number) / 1000)
      var annotation = BasicAnnotation(id: AnnotationID(number), coordinate: coordinate)
      annotation.properties = ["text": .string(String(repeating: "\(number) ", count: 25))]
      features.append(annotation)
    }
    var rules = TileRules(zooms: 0...1, buffer: 0, isCompressed: isCompressed)
    var pyramid = TilePyramid(features, rules: rules)
    pyramid.largestTile = 10_000
    let error = try await #require(throws: TileSizeError.self) {
      _ = try await pyramid.forEachTile { _, _ in }
    }
    // Tiles are made at once, and each of them is too large.
    #expect(error.code == "tile-size" && error.address.zoom <= 1 && error.limit == 10_000)
    // 200 texts of 50 to 100 bytes, and what belongs to them.
    #expect((15_000...40_000).contains(error.byteCount), "\(error)")
    let address = error.address
    #expect(
      error.description.hasPrefix("tile \(address.zoom)/\(address.x)/\(address.y) has "), "\(error)"
    )

    // By a limit of bytes, however generous, features are left out until it fits.
    rules.byteLimit = .max
    pyramid = TilePyramid(features, rules: rules)
    pyramid.largestTile = 10_000
    var sizes: [Int] = []
    let zooms = try await pyramid.forEachTile { tile, _ in
      let layers = try VectorTile(decoding: tile.bytes).layers
      sizes.append(VectorTile(layers: layers).encoded().count)
    }
    #expect(sizes.count == 2 && sizes.allSatisfy { (5_000...10_100).contains($0) }, "\(sizes)")
    #expect(zooms.allSatisfy { $0.droppedCount > 0 && $0.droppedCount + $0.keptCount == 200 })
  }

  @Test(arguments: PointSet.allCases, [0, 64, 700])
  func `each tile holds the points within its buffer, as looking at all of them says`(
    set: PointSet, buffer: Int
  ) async throws {
    let points = set.sample(300, seed: 7).points
    let made = try await Pyramid(points, rules: TileRules(zooms: 0...4, buffer: buffer))
    for zoom in 0...4 {
      for x in 0..<1 << zoom {
        for y in 0..<1 << zoom {
          let address = try TileAddress(zoom: zoom, x: x, y: y)
          let expected = DotJudge.dots(points, in: address, buffer: buffer)
          #expect(
            try made.dots(at: address).sorted() == expected.sorted(), "\(set) \(address)")
        }
      }
    }
  }

  @Test(arguments: [1, 5, 11, 20, 24])
  func `what is a tile's own is there once at each zoom, in the tile that its position names`(
    zoom: Int
  ) async throws {
    let points = PointSet.allCases.flatMap { $0.sample(200, seed: 3).points }
    let made = try await Pyramid(points, rules: TileRules(zooms: zoom...zoom))
    var seen = [Int](repeating: 0, count: points.count)
    for tile in made.tiles {
      for dot in try Pyramid.dots(of: tile.bytes) where dot.isOwn {
        seen[dot.id - 1] += 1
        #expect(tile.address == TileAddress(containing: points[dot.id - 1], zoom: zoom))
      }
    }
    #expect(seen.allSatisfy { $0 == 1 })
  }

  @Test func `columns go round the Earth, and rows end at the poles`() async throws {
    let points = [
      Coordinate(unchecked: 10, 179.99), Coordinate(unchecked: 10, -179.99),
      Coordinate(unchecked: 10, -180), Coordinate(unchecked: 90, 5), Coordinate(unchecked: -90, 5),
    ]
    let made = try await Pyramid(points, rules: TileRules(zooms: 0...3))
    let world = try made.dots(at: TileAddress(zoom: 0, x: 0, y: 0))
    // Each of the three near ±180° is there twice, a turn apart.
    for id in 1...3 {
      let columns = world.filter { $0.id == id }.map(\.x).sorted()
      #expect(columns.count == 2 && columns[1] - columns[0] == 4096, "\(columns)")
    }
    #expect(world.filter { $0.id == 4 }.map(\.y) == [0])
    #expect(world.filter { $0.id == 5 }.map(\.y) == [4095])
    #expect(made.features.movedCount == 2)
    let last = try made.dots(at: TileAddress(containing: points[0], zoom: 3))
    #expect(Set(last.map(\.id)) == [1, 2, 3])
  }

  @Test(
    .enabled(if: try SharedFiles.arePresent, "\(SharedFiles.reason)"),
    arguments: ["dateline", "ids"])
  func `points are where geojson-vt puts them, to one part`(name: String) async throws {
    let folder = "conformance/vector_tiles/tiling"
    let features = try GeoJSONReader().features(
      in: SharedFiles.bytes("\(folder)/in-\(name).geojson"))
    let points = features.compactMap(\.geometry).flatMap(positions(of:))
    let file = name == "ids" ? "out-ids-generate-id-tiles" : "out-dateline-tiles"
    let tiles = try #require(
      try JSONSerialization.jsonObject(
        with: Data(try SharedFiles.bytes("\(folder)/\(file).json"))) as? [String: [[String: Any]]])
    let expected = try #require(tiles["z0-0-0"]).filter { $0["type"] as? Int == 1 }
      .flatMap { $0["geometry"] as? [[Int]] ?? [] }
    #expect(!expected.isEmpty)
    let made = try await Pyramid(points, rules: TileRules(zooms: 0...0))
    var dots = try made.dots(at: TileAddress(zoom: 0, x: 0, y: 0)).map { [$0.x, $0.y] }
    #expect(dots.count == expected.count)
    for point in expected {
      let place = dots.firstIndex { abs($0[0] - point[0]) <= 1 && abs($0[1] - point[1]) <= 1 }
      #expect(place != nil, "\(point)")
      if let place { dots.remove(at: place) }
    }
  }

  /// The points of a geometry, whatever turns their longitudes have made.
  private func positions(of geometry: Geometry) -> [Coordinate] {
    switch geometry {
    case .point(let point): positions(of: .multiPoint([point]))
    case .multiPoint(let points):
      points.map { Coordinate(unchecked: $0.latitude, Coordinate.wrappedLongitude($0.longitude)) }
    case .geometryCollection(let members): members.flatMap(positions(of:))
    default: []
    }
  }

  // MARK: What comes out

  @Test func `the bytes do not depend on how many tasks make them`() async throws {
    let points = PointSet.clustered.sample(30_000, seed: 2).points
    let one = try await Pyramid(points, rules: TileRules(zooms: 0...9), tasks: 1)
    for tasks in [2, 5, nil] {
      let other = try await Pyramid(points, rules: TileRules(zooms: 0...9), tasks: tasks)
      #expect(other.tiles.map(\.address) == one.tiles.map(\.address))
      #expect(other.tiles.map(\.bytes) == one.tiles.map(\.bytes))
    }
    #expect(
      one.tiles.map(\.address.pmtilesID) == one.tiles.map(\.address.pmtilesID).sorted(),
      "tiles come in the order of archives")
    #expect(one.lastProgress?.doneTiles == one.tiles.count)
    #expect(one.lastProgress?.totalTiles == one.tiles.count)
    #expect(one.lastProgress?.share == 1)
  }

  @Test func `an archive gives back every tile`() async throws {
    let points = PointSet.uniform.sample(500, seed: 5).points
    let made = try await Pyramid(points, rules: TileRules(zooms: 2...5, layer: "칸"))
    var writer = PMTilesWriter(to: MemorySink())
    for tile in made.tiles { writer.append(tile.bytes, at: tile.address) }
    let bounds = try #require(made.pyramid.bounds)
    writer.finish(metadata: made.pyramid.metadata(made.zooms), bounds: bounds)
    let archive = try PMTilesArchive(writer.sink.bytes)
    for tile in made.tiles { #expect(try archive.tile(at: tile.address) == tile.bytes) }
    #expect(archive.header.addressedTileCount == made.tiles.count)
    #expect(archive.header.minZoom == 2 && archive.header.maxZoom == 5)
    let metadata = String(decoding: try archive.metadata(), as: UTF8.self)
    #expect(metadata.contains(#""id":"칸""#) && metadata.contains(#""annotations":500"#))
  }

  @Test(
    arguments: [
      ([178.44, -179.97, -178.8], 178.44, -178.8, 179.82, 7), ([170, -180], 170, -180, 175, 5),
      ([-180], -180, -180, -180, 7), ([-100, 120], 120, -100, -170, 1),
      ([-10, 20, 170], -10, 170, 80, 1),
      ([-120, 0, 120], -120, 120, 0, 0), ([0, 179], 0, 179, 89.5, 1),
    ] as [([Double], Double, Double, Double, Int)])
  func `bounds and the first view are across ±180° where that is narrower`(
    longitudes: [Double], west: Double, east: Double, middle: Double, zoom: Int
  ) throws {
    var features = TileFeatures()
    for (number, longitude) in longitudes.enumerated() {
      let place = try Coordinate(latitude: -18, longitude: longitude)
      features.append(BasicAnnotation(id: AnnotationID(number), coordinate: place))
    }
    let pyramid = TilePyramid(features, rules: TileRules(zooms: 0...6))
    let bounds = try #require(pyramid.bounds)
    #expect(bounds.west == west && bounds.east > east && bounds.east < east + 3e-6)
    let view = try #require(pyramid.suggestedView)
    #expect(abs(view.center.longitude - middle) < 1e-9 && view.center.latitude == -18)
    #expect(view.zoom == zoom)
    // Neither a style nor TileJSON nor an archive can say that a box crosses.
    let edges =
      west > east ? #""bounds":[-180,-18.000001,180,-18]"# : #""bounds":[\#(Int(west)),"#
    for text in [pyramid.style(.archive("x"), kinds: []), pyramid.tileJSON([])] {
      #expect(String(decoding: text, as: UTF8.self).contains(edges))
    }
    // As where a server knows the box alone.
    #expect(TilePyramid(TileFeatures(within: features.box)).bounds == bounds)
  }

  @Test func `bounds have every tile with a place in it, as MapLibre counts tiles`() throws {
    for (latitude, longitude) in [
      (34.65, 135.0), (0, 22.5), (-10, -180), (90, 179.999_999_99), (-90, 90),
      (MercatorGrid.latitude(ofHeight: 0.75), 0.005_493_164_062_5),
    ] {
      var features = TileFeatures()
      for west in [0.0, 1] {
        features.append(
          BasicAnnotation(
            id: AnnotationID(Int(west)),
            coordinate: try Coordinate(
              latitude: latitude, longitude: Coordinate.wrappedLongitude(longitude - west))))
      }
      let bounds = try #require(TilePyramid(features).bounds)
      let (west, east) =
        bounds.crossesAntimeridian ? (-180, 180) : (bounds.west, bounds.east)
      for zoom in 0...24 {
        let scale = Double(1 << zoom)
        for point in features.points {
          let (x, y) = (
            (point.place.x * scale).rounded(.down), (point.place.y * scale).rounded(.down)
          )
          #expect(((west / 360 + 0.5) * scale).rounded(.down) <= x)
          #expect(x < ((east / 360 + 0.5) * scale).rounded(.up), "\(longitude), zoom \(zoom)")
          #expect(
            y < (MercatorGrid.height(bounds.south) * scale).rounded(.up),
            "\(latitude), zoom \(zoom)")
        }
      }
    }
  }

  @Test func `nothing gives no tiles`() async throws {
    let made = try await Pyramid([], rules: TileRules(zooms: 0...24))
    #expect(made.tiles.isEmpty)
    #expect(made.zooms.count == 25 && made.zooms.allSatisfy { $0.tileCount == 0 })
    #expect(made.pyramid.bounds == nil)
  }

  // MARK: What features say

  @Test func `a feature says what its annotation says`() async throws {
    let thing = BasicAnnotation(
      id: "s-1", name: "서울 <b>", kind: .mart, coordinate: Coordinate(unchecked: 37.5, 127),
      properties: [
        "whole": 12, "minus": -3, "part": .number("1.50"), "yes": true, "none": nil, "empty": "",
        "list": .array([1, "a"]), "id": 5, "name": "its own",
      ])
    // The greatest number that an id can be, and one more.
    let other = BasicAnnotation(
      id: "18446744073709551614", coordinate: Coordinate(unchecked: 1, 1))
    let third = BasicAnnotation(
      id: "18446744073709551615", coordinate: Coordinate(unchecked: 2, 1))
    var features = TileFeatures()
    features.append(thing)
    features.append(other)
    features.append(third)
    let made = try await Pyramid(features, rules: TileRules(zooms: 0...0))
    let layer = try #require(try VectorTile(decoding: made.tiles[0].bytes).layers.first)
    #expect(layer.name == "annotations" && layer.version == 2 && layer.extent == 4096)
    let feature = try #require(
      layer.features.first { $0.geometry?.parts[0][0].y ?? 0 < 1_800 })
    #expect(feature.id == nil)
    let said = Dictionary(
      uniqueKeysWithValues: layer.attributes(of: feature).map { ($0.name, $0.value) })
    #expect(
      said == [
        "whole": .integer(12), "minus": .integer(-3), "part": .double(1.5), "yes": .bool(true),
        "list": .string(#"[1,"a"]"#), "id": .string("s-1"), "id_2": .integer(5),
        "name": .string("서울 <b>"), "name_2": .string("its own"), "kind": .string("mart"),
      ])
    #expect(layer.features.compactMap(\.id) == [.max - 1])
    #expect(layer.values.contains(.string("18446744073709551615")))
    let metadata = made.pyramid.metadata(made.zooms)
    #expect(metadata.layers[0].fields.first { $0.name == "yes" }?.type == .boolean)
    #expect(metadata.layers[0].fields.first { $0.name == "part" }?.type == .number)
    #expect(!metadata.layers[0].fields.contains { $0.name == "none" || $0.name == "empty" })
  }

  @Test func `fields choose among properties`() async throws {
    var features = TileFeatures(keeping: ["a"])
    features.append(
      BasicAnnotation(
        id: 1, name: "n", coordinate: Coordinate(unchecked: 0, 0), properties: ["a": 1, "b": 2]))
    let made = try await Pyramid(features, rules: TileRules(zooms: 0...0))
    let layer = try #require(try VectorTile(decoding: made.tiles[0].bytes).layers.first)
    #expect(layer.keys.sorted() == ["a", "name"])
  }

  // MARK: Limits

  @Test(arguments: [1, 10, 100])
  func `a limit keeps so many, and counts the rest in the tile`(
    limit: Int
  ) async throws {
    let points = PointSet.clustered.sample(2_000, seed: 11).points
    let made = try await Pyramid(points, rules: TileRules(zooms: 0...7, featureLimit: limit))
    for zoom in made.zooms {
      #expect(zoom.keptCount + zoom.droppedCount == points.count)
      var own: Set<Int> = []
      for tile in made.tiles where tile.address.zoom == zoom.zoom {
        let dots = try Pyramid.dots(of: tile.bytes)
        #expect(dots.count <= limit && dots.count == tile.featureCount)
        own.formUnion(dots.filter(\.isOwn).map(\.id))
        let told = try Pyramid.dropped(in: tile.bytes, layer: "annotations_dropped")
        #expect(told == (tile.droppedCount > 0 ? [tile.droppedCount, tile.keptCount] : nil))
      }
      #expect(own.count == zoom.keptCount)
    }
    #expect(made.zooms[0].droppedCount >= points.count - limit)
    let metadata = made.pyramid.metadata(made.zooms)
    #expect(metadata.others["dropped"] != nil)
    #expect(metadata.layers.map(\.id) == ["annotations", "annotations_dropped"])
  }

  @Test func `without a buffer, what a limit keeps it keeps at every zoom further in`() async throws
  {
    let points = PointSet.uniform.sample(3_000, seed: 4).points
    let made = try await Pyramid(
      points, rules: TileRules(zooms: 0...6, buffer: 0, featureLimit: 20))
    var before: Set<Int> = []
    for zoom in 0...6 {
      let ids = Set(
        try made.tiles.filter { $0.address.zoom == zoom }
          .flatMap { try Pyramid.dots(of: $0.bytes).map(\.id) })
      #expect(ids.isSuperset(of: before))
      before = ids
    }
  }

  @Test func `no tile is larger than the limit of bytes`() async throws {
    let points = PointSet.city.sample(3_000, seed: 6).points
    let made = try await Pyramid(points, rules: TileRules(zooms: 0...12, byteLimit: 2_000))
    #expect(made.tiles.allSatisfy { $0.bytes.count <= 2_000 })
    for zoom in made.zooms { #expect(zoom.keptCount + zoom.droppedCount == points.count) }
    #expect(made.zooms[0].droppedCount > 0)
    #expect(made.zooms[0].keptCount > 100)
  }

  // MARK: Clusters

  @Test(arguments: PointSet.allCases)
  func `the counts of each tile add up to the annotations in it, and to all at each zoom`(
    set: PointSet
  ) async throws {
    let points = set.sample(2_000, seed: 9).points
    let made = try await Pyramid(clustering: points, rules: TileRules(zooms: 0...10))
    for zoom in 0...10 {
      var expected: [TileAddress: Int] = [:]
      for point in points { expected[TileAddress(containing: point, zoom: zoom), default: 0] += 1 }
      var counts: [TileAddress: Int] = [:]
      for tile in made.tiles where tile.address.zoom == zoom {
        let count = try Pyramid.ownCount(of: tile.bytes)
        #expect(count == tile.keptCount)
        if count > 0 { counts[tile.address] = count }
      }
      #expect(counts == expected, "zoom \(zoom)")
      #expect(counts.values.reduce(0, +) == points.count)
    }
  }

  @Test func `a cluster says what web maps style by`() async throws {
    let points = Array(repeating: Coordinate(unchecked: 37.5, 127), count: 1_234)
    let made = try await Pyramid(clustering: points, rules: TileRules(zooms: 3...4))
    let layer = try #require(try VectorTile(decoding: made.tiles[0].bytes).layers.first)
    let feature = try #require(layer.features.first)
    let said = Dictionary(
      uniqueKeysWithValues: layer.attributes(of: feature).map { ($0.name, $0.value) })
    #expect(said["cluster"] == .bool(true))
    #expect(said["point_count"] == .integer(1_234))
    #expect(said["point_count_abbreviated"] == .string("1.2k"))
    #expect(said["cluster_id"] == feature.id.map { .integer(Int64($0)) })
    let fields = made.pyramid.metadata(made.zooms).layers[0].fields
    #expect(fields.contains { $0.name == "point_count" && $0.type == .number })
  }

  @Test func `a limit keeps the larger clusters and counts what the others stood for`() async throws
  {
    let points = PointSet.uniform.sample(5_000, seed: 8).points
    let made = try await Pyramid(
      clustering: points, rules: TileRules(zooms: 0...5, featureLimit: 4))
    for zoom in made.zooms {
      #expect(zoom.keptCount + zoom.droppedCount == points.count)
      let own = try made.tiles.filter { $0.address.zoom == zoom.zoom }
        .reduce(0) { try $0 + Pyramid.ownCount(of: $1.bytes) }
      #expect(own == zoom.keptCount)
    }
    #expect(made.zooms[0].droppedCount > 0)
  }

  @Test func `a style draws as clusters what says so, and not any point with a point_count`() {
    let pyramid = TilePyramid(TileFeatures())
    let style = String(
      decoding: pyramid.style(.folder("https://example.org"), kinds: []), as: UTF8.self)
    let isPoint = #"["==",["geometry-type"],"Point"]"#
    let isCluster = #"["all",["==",["get","cluster"],true],["has","point_count"]]"#
    #expect(style.contains(#""filter":["all",\#(isPoint),\#(isCluster)]"#), "\(style)")
    #expect(style.contains(#""filter":["all",\#(isPoint),["!",\#(isCluster)]]"#), "\(style)")
  }

  // MARK: Rows

  @Test(
    arguments: [
      (0, 1, 2, nil), (0, 1, 2, "deal"), (0, 4, 1, nil), (0, 4, 2, "deal"), (0, 3, 3, nil),
      (3, 1, 2, nil),
    ] as [(Int, Int, Int, AnnotationKind?)])
  func `a row says what its annotation says, whichever columns have its id, name and kind`(
    id: Int, name: Int, kind: Int, defaultKind: AnnotationKind?
  ) async throws {
    // As in a store, a column may be no property.
    let columns = TextColumns(
      names: ["id", "name", "kind", nil, "note"], id: id, name: name, kind: kind,
      openingHours: nil, placeID: nil, defaultKind: defaultKind)
    let cells: [[String]] = [
      ["7", "가게", "mart", "가게", "x"], ["a7", "NULL", "", "9x", ""], ["", "이름", "\\N", "", "x"],
      ["007", "가게", "cafe", "다른", "쉼,표"],
    ]
    var rows = TileFeatures(), annotations = TileFeatures()
    for (number, row) in cells.enumerated() {
      var properties = Properties()
      for (name, cell) in zip(columns.names, row) {
        if let name { properties.append(name, .string(cell)) }
      }
      func text(_ cell: Int) -> String? { NullText.isNull(row[cell]) ? nil : row[cell] }
      let annotation = BasicAnnotation(
        id: row[id].isEmpty ? AnnotationID(number + 1) : AnnotationID(row[id]), name: text(name),
        kind: text(kind).map { AnnotationKind(rawValue: $0) } ?? defaultKind,
        coordinate: Coordinate(unchecked: Double(number), 3), properties: properties)
      annotations.append(annotation)
      let bytes = row.map { Array($0.utf8) }
      let memory = bytes.map { cell in
        let copy = UnsafeMutableRawBufferPointer.allocate(
          byteCount: max(1, cell.count), alignment: 1)
        copy.copyBytes(from: cell)
        return UnsafeRawBufferPointer(rebasing: copy[..<cell.count])
      }
      rows.append(annotation, row: TextRow(columns, number: number + 1, cells: memory))
      for cell in memory { UnsafeRawBufferPointer(start: cell.baseAddress, count: 1).deallocate() }
    }
    let made = try await Pyramid(rows, rules: TileRules(zooms: 0...3))
    let other = try await Pyramid(annotations, rules: TileRules(zooms: 0...3))
    #expect(made.tiles.map(\.bytes) == other.tiles.map(\.bytes))
    let layer = try #require(try VectorTile(decoding: made.tiles[0].bytes).layers.first)
    let kinds = layer.features.map { feature in
      layer.attributes(of: feature).first { $0.name == "kind" }?.value
    }
    let expected: [VectorTileValue?] = cells.map { row in
      (NullText.isNull(row[kind]) ? defaultKind?.rawValue : row[kind]).map(VectorTileValue.string)
    }
    #expect(Set(kinds) == Set(expected))
  }
}
