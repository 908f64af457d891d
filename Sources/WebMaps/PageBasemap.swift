import GeoJSONCoding
import Geodesy
import MapAnnotations
import MapProjections

/// A detailed background map for a page: water, parks, roads, buildings, names.
///
///     page.basemap = PageBasemap(features)
///     page.basemap = try PageBasemap(archive, near: extent)  // a piece of a PMTiles archive
///
/// The page draws it in a plain style of its own (`map.js`), which uses the attributes of OpenStreetMap and common tile
/// schemas: `layer`, `class`, `kind`, `natural`, `highway` and similar ones.
public struct PageBasemap: Sendable {
  /// A GeoJSON feature collection.
  let collection: [UInt8]

  /// Makes a basemap of features.
  public init(_ features: [Feature]) {
    collection = GeoJSONWriter.bytes(of: features)
  }

  /// The maximum number of tiles that a page takes from an archive.
  static let tileLimit = 64

  /// Makes a basemap from the tiles of an archive near a box, at the deepest zoom with at most 64 tiles.
  ///
  /// - Parameters:
  ///   - archive: An archive of vector tiles.
  ///   - box: The box around what the page shows; nil for the whole archive.
  /// - Throws: The error of a damaged archive; a tile that cannot be read is ``PMTilesError/damaged(_:_:)``.
  public init(
    _ archive: PMTilesArchive<some PMTilesSource>, near box: BoundingBox?
  ) throws(PMTilesError) {
    guard archive.header.tileType == .vectorTile else {
      throw .damaged("a tile", "it is a picture and not a vector tile")
    }
    let box = box ?? archive.header.bounds ?? .world
    let zooms = stride(
      from: min(archive.header.maxZoom, 16), through: archive.header.minZoom, by: -1)
    let tiles = zooms.lazy.compactMap { PageBasemap.tiles(around: box, zoom: $0) }
      .first { _ in true }
    var features: [Feature] = []
    for address in tiles ?? [] {
      guard let bytes = try archive.tile(at: address) else { continue }
      do throws(VectorTileError) {
        for layer in try VectorTile(decoding: bytes).layers {
          features += layer.features.compactMap { PageBasemap.feature($0, of: layer, in: address) }
        }
      } catch {
        throw .damaged("tile \(address)", "\(error)")
      }
    }
    self.init(features)
  }

  /// The tiles that cover a box enlarged by a quarter on each side; nil if they are more than the limit.
  private static func tiles(around box: BoundingBox, zoom: Int) -> [TileAddress]? {
    let columns = 1 << zoom
    let high = (box.north - box.south) / 4, wide = min(box.width / 4, (360 - box.width) / 2)
    func row(_ latitude: Double) -> Int {
      TileAddress(
        containing: Coordinate(unchecked: max(-90, min(90, latitude)), box.west), zoom: zoom
      ).y
    }
    // Counted from −180° and not wrapped, because both edges of a wide box may be in one column.
    func column(_ longitude: Double) -> Int {
      Int(((longitude / 360 + 0.5) * Double(columns)).rounded(.down))
    }
    let west = column(box.west - wide), north = row(box.north + high)
    let across = min(column(box.west + box.width + wide) - west + 1, columns)
    let down = row(box.south - high) - north + 1
    guard across * down <= tileLimit else { return nil }
    return (0..<down).flatMap { row in
      (0..<across).map {
        TileAddress(unchecked: zoom, (west + $0 + columns) % columns, north + row)
      }
    }
  }

  /// The attributes that the page's style uses.
  private static let kept: Set<String> = [
    "name", "class", "subclass", "kind", "type", "natural", "landuse", "leisure", "highway",
    "waterway", "water", "building", "place", "boundary", "railway",
  ]

  private static func feature(
    _ feature: VectorTile.Feature, of layer: VectorTile.Layer, in tile: TileAddress
  ) -> Feature? {
    guard let shape = feature.geometry else { return nil }
    let side = Double(layer.extent) * Double(1 << tile.zoom)
    func position(_ place: TilePosition) -> Position {
      let x = Double(tile.x) * Double(layer.extent) + Double(place.x)
      let y = Double(tile.y) * Double(layer.extent) + Double(place.y)
      // By the formula, because positions in a tile's buffer may lie beyond the grid's table.
      let latitude = degrees(arcTangent(hyperbolicSine(.pi * (1 - 2 * y / side))))
      return Position(longitude: rounded(x / side * 360 - 180), latitude: rounded(latitude))
    }
    let parts = shape.parts.map { $0.map(position) }
    let geometry: Geometry
    switch shape.kind {
    case .point: geometry = .multiPoint(parts.flatMap { $0 })
    case .line: geometry = .multiLineString(parts)
    case .polygon:
      var polygons: [[[Position]]] = []
      for (part, ring) in zip(shape.parts, parts) {
        let closed = ring + ring.prefix(1)
        if TileGeometry.doubledArea(of: part) > 0 || polygons.isEmpty {
          polygons.append([closed])
        } else {
          polygons[polygons.count - 1].append(closed)
        }
      }
      geometry = .multiPolygon(polygons)
    }
    var properties = Properties()
    properties.append("layer", .string(layer.name))
    for (name, value) in layer.attributes(of: feature) where kept.contains(name) {
      if case .string(let text) = value { properties.append(name, .string(text)) }
    }
    return Feature(geometry: geometry, properties: properties)
  }

  /// Rounds to about a tenth of a meter.
  private static func rounded(_ degrees: Double) -> Double { (degrees * 1e6).rounded() / 1e6 }
}
