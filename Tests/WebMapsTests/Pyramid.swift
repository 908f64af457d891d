import Geodesy
import MapAnnotations
import MapProjections
import ViewportClustering

@testable import WebMaps

/// A pyramid with all of its tiles.
struct Pyramid {
  let pyramid: TilePyramid
  let features: TileFeatures
  var tiles: [PyramidTile] = []
  var zooms: [PyramidZoom] = []
  var lastProgress: TilePyramid.Progress?

  init(_ points: [Coordinate], rules: TileRules, tasks: Int? = nil) async throws {
    try await self.init(Self.features(points), rules: rules, tasks: tasks)
  }

  init(_ features: TileFeatures, rules: TileRules, tasks: Int? = nil) async throws {
    self.features = features
    pyramid = TilePyramid(features, rules: rules)
    try await make(tasks)
  }

  init(clustering points: [Coordinate], rules: TileRules) async throws {
    features = Self.features(points)
    let index = ClusterIndex(
      Self.annotations(points),
      rule: ClusterRule(maxZoom: rules.zooms.upperBound - 1, alignment: .tiles))
    pyramid = TilePyramid(features, clusters: index, rules: rules)
    try await make(nil)
  }

  private mutating func make(_ tasks: Int?) async throws {
    var tiles: [PyramidTile] = []
    var last: TilePyramid.Progress?
    zooms = try await pyramid.forEachTile(maximumTasks: tasks) { tile, progress in
      tiles.append(tile)
      last = progress
    }
    self.tiles = tiles
    lastProgress = last
  }

  private static func annotations(_ points: [Coordinate]) -> [BasicAnnotation] {
    points.enumerated().map { BasicAnnotation(id: AnnotationID($0 + 1), coordinate: $1) }
  }

  private static func features(_ points: [Coordinate]) -> TileFeatures {
    var features = TileFeatures()
    for annotation in annotations(points) { features.append(annotation) }
    return features
  }

  func dots(at address: TileAddress) throws -> [Dot] {
    guard let tile = tiles.first(where: { $0.address == address }) else { return [] }
    return try Self.dots(of: tile.bytes)
  }

  static func dots(of bytes: [UInt8]) throws -> [Dot] {
    guard
      let layer = try VectorTile(decoding: bytes).layers.first(where: {
        $0.name == "annotations" || $0.name == "칸"
      })
    else { return [] }
    return layer.features.map { feature in
      let position = feature.geometry?.parts[0][0] ?? TilePosition(x: .min, y: .min)
      return Dot(id: Int(feature.id ?? 0), x: Int(position.x), y: Int(position.y))
    }
  }

  /// How many annotations a tile's own features stand for.
  static func ownCount(of bytes: [UInt8]) throws -> Int {
    var count = 0
    for layer in try VectorTile(decoding: bytes).layers where layer.name == "annotations" {
      for feature in layer.features {
        guard let position = feature.geometry?.parts[0][0],
          (0..<4096).contains(position.x), (0..<4096).contains(position.y)
        else { continue }
        let said = layer.attributes(of: feature).first { $0.name == "point_count" }?.value
        if case .integer(let points)? = said { count += Int(points) } else { count += 1 }
      }
    }
    return count
  }

  /// What the layer of what is missing says; nil where there is none.
  static func dropped(in bytes: [UInt8], layer name: String) throws -> [Int]? {
    guard let layer = try VectorTile(decoding: bytes).layers.first(where: { $0.name == name })
    else { return nil }
    return layer.attributes(of: layer.features[0]).compactMap {
      if case .integer(let number) = $0.value { Int(number) } else { nil }
    }
  }
}

extension ShapeTile {
  /// A tile below this one, cut at once and not on the way down; may be empty.
  func tile(at below: TileAddress) -> ShapeTile {
    let inColumn = ShapeBand<ColumnAxis>(below.x, zoom: below.zoom, tiling).clip(shapes)
    return ShapeTile(
      address: below, tiling: tiling,
      shapes: ShapeBand<RowAxis>(below.y, zoom: below.zoom, tiling).clip(inColumn))
  }
}
