import AnnotationImport
import AnnotationSources
import GeoJSONCoding
import Geodesy
import MapAnnotations
import MapProjections
import NearbySearch
import ViewportClustering
import WebMaps

/// Makes tiles on demand: clusters far out, everything closer in.
///
/// All tiles up to one zoom have clusters, and those beyond it have none: if only some had, neighbors would not look
/// alike.
struct ServedTiles: Sendable {
  /// The most annotations in a tile without clusters, except at the deepest zoom.
  static let featureLimit = 2_000
  static let zooms = 0...18

  /// The deepest zoom with clusters; −1 for none.
  let clusterZoom: Int
  private let clusters: ClusterIndex<[ImportedAnnotation]>
  private let hasShapes: Bool

  init(_ annotations: [ImportedAnnotation]) {
    clusterZoom = ServedTiles.deepestFullZoom(of: annotations.compactMap(\.coordinate))
    hasShapes = annotations.contains { $0.shape != nil }
    // Lines and areas are drawn as they are.
    clusters = ClusterIndex(
      clusterZoom < 0 ? [] : annotations.filter { $0.shape == nil },
      rule: ClusterRule(maxZoom: max(clusterZoom, 0), alignment: .tiles))
  }

  /// The deepest zoom, but for the last, with a tile of more than `featureLimit` positions; −1 for none.
  private static func deepestFullZoom(of positions: [Coordinate]) -> Int {
    let last = zooms.upperBound
    let addresses = positions.map { position in
      let address = TileAddress(containing: position, zoom: last)
      return interleaved(x: UInt32(address.x), y: UInt32(address.y))
    }.sorted()
    // Each tile of a lower zoom is a contiguous run of these.
    return zooms.dropLast().prefix { zoom in
      let shift = UInt64(2 * (last - zoom))
      return zip(addresses, addresses.dropFirst(featureLimit)).contains {
        $0 >> shift == $1 >> shift
      }
    }.last ?? -1
  }

  /// The attributes of the tiles of annotations, with their types, as TileJSON lists them.
  ///
  /// - Complexity: O(*n*), and memory as for one tile of all annotations.
  func fields(of annotations: [ImportedAnnotation]) -> Properties {
    var features = TileFeatures()
    features.reserve(annotations.count)
    annotations.forEachWithRow { features.append($0, row: $1) }
    return Properties(
      TilePyramid.fields(of: features, hasClusters: clusterZoom >= 0).map {
        Properties.Entry(name: $0.name, value: .string($0.type.rawValue))
      })
  }

  /// A tile, uncompressed; nil where it is empty.
  ///
  /// - Parameter found: What a filter finds in the reach of the tile; nil for all that is there.
  func tile(
    _ address: TileAddress, layer: String, of index: any ServedIndex,
    only found: [ImportedAnnotation]? = nil
  ) throws -> PyramidTile? {
    let rules = TileRules(zooms: address.zoom...address.zoom, layer: layer, isCompressed: false)
    var features = TileFeatures(shapes: rules.shapeTiling)
    let box = ServedTiles.box(around: address, buffer: rules.buffer)
    let isClustered = address.zoom <= clusterZoom
    let clusters =
      if isClustered, let found {
        ClusterIndex(found.filter { $0.shape == nil }, rule: clusters.rule)
      } else { clusters }
    let view = isClustered ? clusters.view(of: MapViewport(box, zoom: address.zoom)) : nil
    view?.annotations.map { clusters.annotation(at: $0) }.forEachWithRow {
      features.append($0, row: $1)
    }
    // Beside clusters there are only lines and areas.
    if view == nil || hasShapes {
      var query = NearbyQuery()
      query.area = .box(box)
      let annotations = try found ?? index.answer(query).map(\.annotation)
      try annotations.forEachWithRow { (annotation, row) throws(CoordinateError) in
        if row == nil, annotation.shape != nil, let geometry = annotation.feature?.geometry {
          try features.append(annotation, shape: geometry)
        } else if view == nil {
          features.append(annotation, row: row)
        }
      }
    }
    return try TilePyramid.tile(address, features, clusters: view?.clusters ?? [], rules: rules)
  }

  /// The box of what decides a tile: where it has clusters, that of whole cells, whatever is in them.
  func reach(of address: TileAddress) -> BoundingBox {
    let box = ServedTiles.box(around: address, buffer: TileRules().buffer)
    guard address.zoom <= clusterZoom else { return box }
    return clusters.rule.box(of: MapViewport(box, zoom: address.zoom))
  }

  /// The box that a tile and its buffer cover.
  private static func box(around address: TileAddress, buffer: Int) -> BoundingBox {
    let scale = Double(1 << address.zoom), margin = Double(buffer) / Double(TileRules.extent)
    func longitude(_ column: Double) -> Double { column / scale * 360 - 180 }
    func latitude(_ row: Double) -> Double {
      row <= 0 ? 90 : row >= scale ? -90 : MercatorGrid.latitude(ofHeight: row / scale)
    }
    let x = Double(address.x), y = Double(address.y)
    let box = try? BoundingBox(
      plane: (
        latitude(y + 1 + margin), longitude(x - margin), latitude(y - margin),
        longitude(x + 1 + margin)
      ), isWhole: 1 + 2 * margin >= scale)
    return box ?? .world
  }
}
