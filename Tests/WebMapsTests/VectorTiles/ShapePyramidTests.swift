import GeoJSONCoding
import Geodesy
import MapAnnotations
import MapProjections
import Testing

@testable import WebMaps

/// Lines and polygons in the tiles of a pyramid; the judge is `TileShapes`, asked tile by tile.
@Suite struct ShapePyramidTests {
  private static let country = Geometry.polygon([
    path((-30, -20), (60, -25), (70, 40), (-20, 50), (-30, -20))
  ])
  private static let road = Geometry.lineString(path((100, 10), (179.5, 12), (-170, 30)))
  private static let yard = Geometry.polygon([
    path((10, 10), (10.001, 10), (10.001, 10.001), (10, 10))
  ])

  private static func path(_ places: (Double, Double)...) -> [Position] {
    places.map { Position(longitude: $0.0, latitude: $0.1) }
  }

  private func box(
    _ west: Double, _ south: Double, _ east: Double, _ north: Double
  ) -> [Position] {
    Self.path((west, south), (east, south), (east, north), (west, north), (west, south))
  }

  private func features(_ rules: TileRules) throws -> TileFeatures {
    var features = TileFeatures(shapes: rules.shapeTiling)
    for (number, shape) in [Self.country, Self.road, Self.yard].enumerated() {
      try features.append(annotation(number), shape: shape)
    }
    features.append(
      BasicAnnotation(
        id: AnnotationID(3), name: "3", coordinate: Coordinate(unchecked: 5, 150)))
    return features
  }

  private func annotation(_ number: Int) -> BasicAnnotation {
    BasicAnnotation(id: AnnotationID(number), name: "\(number)")
  }

  private func tiles(
    _ features: TileFeatures, _ rules: TileRules, tasks: Int = 1
  ) async throws -> (tiles: [PyramidTile], zooms: [PyramidZoom]) {
    var tiles: [PyramidTile] = []
    let zooms = try await TilePyramid(features, rules: rules).forEachTile(maximumTasks: tasks) {
      tile, _ in tiles.append(tile)
    }
    return (tiles, zooms)
  }

  @Test func `each tile has what its shapes draw, and the points beside them`() async throws {
    let rules = TileRules(zooms: 0...7, isCompressed: false)
    let features = try features(rules)
    let (tiles, zooms) = try await tiles(features, rules)
    let ids = tiles.map(\.address.pmtilesID)
    #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })

    var withShapes: Set<TileAddress> = []
    for zoom in rules.zooms {
      features.shapes.root.forEach(atZoom: zoom) {
        if !$0.contents().pieces.isEmpty { withShapes.insert($0.address) }
      }
    }
    for tile in tiles {
      let layers = try VectorTile(decoding: tile.bytes).layers
      let drawn = (layers.first { $0.name == rules.layer }?.features ?? []).compactMap { feature in
        feature.geometry.map { (feature.id, $0) }
      }
      let expected = features.shapes.root.tile(at: tile.address).contents().pieces
      let shapes = drawn.filter { $0.1.kind != .point }
      #expect(shapes.map(\.0) == expected.map { UInt64($0.feature) }, "\(tile.address)")
      #expect(shapes.map(\.1.parts.count) == expected.map(\.geometry.parts.count))
      #expect(shapes.isEmpty != withShapes.contains(tile.address))
    }
    #expect(withShapes.isSubset(of: tiles.map(\.address)))
    // The country, the road and the point count once at every zoom; the yard where it is drawn.
    #expect(zooms.map(\.keptCount) == [3, 3, 3, 3, 3, 3, 3, 4])
  }

  @Test func `what is too small is counted once at each zoom`() async throws {
    let rules = TileRules(zooms: 0...7, isCompressed: false)
    let (tiles, zooms) = try await tiles(try features(rules), rules)
    #expect(zooms.map(\.tooSmallCount) == [1, 1, 1, 1, 1, 1, 1, 0])
    for tile in tiles where tile.tooSmallCount > 0 {
      let layer = try #require(
        try VectorTile(decoding: tile.bytes).layers.first { $0.name == rules.droppedLayer })
      let feature = try #require(layer.features.first)
      #expect(
        layer.attributes(of: feature).first { $0.name == "too_small" }?.value == .integer(1))
    }
  }

  @Test func `any number of tasks makes the same tiles`() async throws {
    let rules = TileRules(zooms: 0...8)
    let features = try features(rules)
    let (one, _) = try await tiles(features, rules)
    let (many, _) = try await tiles(features, rules, tasks: 4)
    #expect(one.map(\.address) == many.map(\.address))
    #expect(one.map(\.bytes) == many.map(\.bytes))
  }

  @Test func `a limit counts the shapes that it leaves out`() async throws {
    let rules = TileRules(zooms: 0...0, featureLimit: 1, isCompressed: false)
    let (tiles, _) = try await tiles(try features(rules), rules)
    // The country, the road on both sides of the antimeridian, the yard, which the deepest zoom draws
    // however small, and the point: one stays.
    let tile = try #require(tiles.first)
    #expect(tile.featureCount == 1 && tile.keptCount == 1 && tile.droppedCount == 3)
  }

  @Test(arguments: [1, 2, 100], [0, 64])
  func `each shape is kept, dropped or too small once at each zoom`(
    limit: Int, buffer: Int
  ) async throws {
    let rules = TileRules(
      zooms: 0...5, buffer: buffer, featureLimit: limit, isCompressed: false)
    var features = try features(rules)
    // West of a border of tiles and east of one, across ±180°, and two members in one feature.
    let shapes: [Geometry] = [
      .polygon([box(-90, 0, 0, 60)]), .polygon([box(0, -60, 90, 0)]),
      .polygon([box(170, -20, 190, 20)]),
      .geometryCollection([
        .lineString(Self.path((90, 0), (45, 0))),
        .multiPolygon([[box(100, 10, 120, 20)], [box(-120, 10, -119, 20)]]),
      ]),
    ]
    for (number, shape) in shapes.enumerated() {
      try features.append(annotation(10 + number), shape: shape)
    }
    let (_, zooms) = try await tiles(features, rules)
    for zoom in zooms {
      #expect(zoom.keptCount + zoom.droppedCount + zoom.tooSmallCount == 8, "zoom \(zoom.zoom)")
    }
    #expect(limit == 100 || zooms[0].droppedCount > 0)
  }

  @Test(arguments: [0, 64])
  func `what is too small is counted once beside ±180° and across the borders of tiles`(
    buffer: Int
  ) async throws {
    func square(_ west: Double, _ south: Double, _ side: Double) -> Geometry {
      .polygon([box(west, south, west + side, south + side)])
    }
    let shapes: [Geometry] = [
      square(-179.995, 30, 0.001), square(179.994, 30, 0.001), square(179.9995, 30, 0.001),
      square(-0.0005, -0.0005, 0.001),
      // Two members make one feature.
      .geometryCollection([square(-179.9, 0, 0.001), square(179.9, 0, 0.0005)]),
    ]
    let rules = TileRules(zooms: 0...6, buffer: buffer, isCompressed: false)
    var features = TileFeatures(shapes: rules.shapeTiling)
    for (number, shape) in shapes.enumerated() {
      try features.append(annotation(number), shape: shape)
    }
    let (_, zooms) = try await tiles(features, rules)
    #expect(zooms.map(\.tooSmallCount) == [5, 5, 5, 5, 5, 5, 0])
    #expect(zooms.map(\.keptCount) == [0, 0, 0, 0, 0, 0, 5])
  }

  @Test func `there are at least the tiles that the largest polygon covers`() async throws {
    let worlds: [(shape: Geometry, zooms: ClosedRange<Int>, least: Int)] = [
      (.polygon([box(-180, -90, 180, 90)]), 24...24, 1 << 48),
      (.polygon([box(-90, -60, 90, 60), box(-45, -50, 45, 50)]), 0...6, 1),
      (.lineString(Self.path((0, 0), (9, 9))), 0...6, 0),
    ]
    for (shape, zooms, least) in worlds {
      let rules = TileRules(zooms: zooms, isCompressed: false)
      var features = TileFeatures(shapes: rules.shapeTiling)
      try features.append(annotation(1), shape: shape)
      let bound = TilePyramid(features, rules: rules).leastTileCount
      #expect(bound >= least)
      guard zooms.upperBound < 24 else { continue }
      let (tiles, _) = try await tiles(features, rules)
      #expect(bound <= tiles.count && (least == 0 || bound > tiles.count / 2))
    }
  }

  @Test func `bounds hold shapes and points`() throws {
    let rules = TileRules(zooms: 0...2)
    let bounds = try #require(TilePyramid(try features(rules), rules: rules).bounds)
    #expect(abs(bounds.south - -25) < 3e-6 && abs(bounds.north - 50) < 1e-9)
    #expect(bounds.west == -180 && bounds.east == 180)
  }

  @Test(arguments: [
    // Near ±180° on either side, ending there, lying there, and across.
    (170.0, 175.0, 170.0, 175.0), (-178, -175, -178, -175), (170, 180, 170, 180),
    (-180, -175, -180, -175), (180, 180, -180, -180), (-180, -180, -180, -180),
    (182, 185, -178, -175), (170, -170, 170, -170),
  ])
  func `bounds reach to ±180° only where shapes do`(
    start: Double, end: Double, west: Double, east: Double
  ) throws {
    let line = Self.path((start, -46), (end, -35))
    let rules = TileRules(zooms: 0...2)
    var features = TileFeatures(shapes: rules.shapeTiling)
    try features.append(annotation(0), shape: .lineString(line))
    let bounds = try #require(TilePyramid(features, rules: rules).bounds)
    #expect(abs(bounds.west - west) < 1e-9 && abs(bounds.east - east) < 3e-6)
  }

  @Test func `parts on both sides of ±180° are side by side`() throws {
    let rules = TileRules(zooms: 0...2)
    var features = TileFeatures(shapes: rules.shapeTiling)
    try features.append(
      annotation(0), shape: .multiPolygon([[box(20, 50, 180, 70)], [box(-180, 60, -170, 70)]]))
    let pyramid = TilePyramid(features, rules: rules)
    let bounds = try #require(pyramid.bounds)
    #expect(abs(bounds.west - 20) < 1e-9 && abs(bounds.east - -170) < 3e-6)
    #expect(abs(try #require(pyramid.suggestedView).center.longitude - 105) < 1e-9)
  }

  @Test func `a shape without extent is in no tile, and keeps the numbers of the others`() throws {
    let rules = TileRules(zooms: 0...2)
    var features = TileFeatures(shapes: rules.shapeTiling)
    try features.append(annotation(0), shape: .lineString(Self.path((1, 2), (1, 2))))
    try features.append(annotation(1), shape: Self.road)
    #expect(features.count == 2 && features.shapeCount == 1 && features.absentCount == 1)
    #expect(features.partsWithoutExtent == 1)
    #expect(features.shapes.root.contents().pieces.allSatisfy { $0.feature == 1 })
  }
}
