import GeoJSONCoding
import Geodesy
import MapAnnotations
import MapProjections

extension TilePyramid {
  /// The metadata of the tiles for maps: their layers and attributes, and what limits dropped.
  ///
  /// - Parameter zooms: The results of each zoom from `forEachTile`.
  public func metadata(_ zooms: [PyramidZoom]) -> PMTilesMetadata {
    var others: Properties = [
      "type": "overlay", "format": "pbf", "generator": .string(TilePyramid.generator),
    ]
    others.entries += counts(zooms)
    return PMTilesMetadata(name: rules.layer, layers: layers(zooms), others: others)
  }

  /// The same metadata as TileJSON, for tiles in a folder of files.
  ///
  /// - Parameters:
  ///   - zooms: The results of each zoom from `forEachTile`.
  ///   - folder: The address of the folder, which a map needs; nil for addresses relative to this text.
  /// - Source: "TileJSON 3.0.0", Mapbox; GDAL reads the member `json`, as in MBTiles.
  public func tileJSON(_ zooms: [PyramidZoom], servedAt folder: String? = nil) -> [UInt8] {
    let tiles = folder.map { TilesAddress.tiles(of: $0) } ?? "{z}/{x}/{y}.mvt"
    let layers = PropertyValue.array(layers(zooms).map { .object($0.members) })
    var members: Properties = [
      "tilejson": "3.0.0", "generator": .string(TilePyramid.generator),
      "name": .string(rules.layer), "scheme": "xyz", "format": "pbf",
      "tiles": .array([.string(tiles)]), "minzoom": .integer(rules.zooms.lowerBound),
      "maxzoom": .integer(rules.zooms.upperBound),
    ]
    if let edges { members.append("bounds", edges) }
    if let (center, zoom) = suggestedView {
      members.append(
        "center",
        .array([
          .double(center.longitude), .double(center.latitude),
          .integer(min(zoom, rules.zooms.upperBound)),
        ]))
    }
    members.append("vector_layers", layers)
    members.entries += counts(zooms)
    let layerMember = PropertyValue.object(["vector_layers": layers])
    members.append("json", .string(layerMember.jsonText))
    return PropertyValue.object(members).jsonLine
  }

  /// The beginning of `tileJSON`, which identifies tiles made by this program.
  public static let tileJSONOpening = #"{"tilejson":"3.0.0","generator":"nearby""#

  private static let generator = "nearby"

  /// The area of the tiles, across ±180° if that is narrower and leaves out Greenwich; nil if the map is empty.
  ///
  /// It ends one to two millionths of a degree east and south of the annotations: one on the border of two tiles is in
  /// the tile east or south of it, which MapLibre does not load if the area ends at the border. ``PMTilesWriter`` writes
  /// a box across ±180° as all longitudes.
  public var bounds: BoundingBox? {
    features.box.map { box in
      func movedOut(_ edge: Double) -> Double { ((edge * 1e6).rounded(.up) + 1) / 1e6 }
      // No tile is south of a box that ends at the edge of the tiles.
      let end = TileAddress(unchecked: 0, 0, 0).box.south
      let south = max(-movedOut(-box.south), min(box.south, end))
      return BoundingBox(unchecked: south, box.west, box.north, min(movedOut(box.east), 180))
    }
  }

  /// The edges of the area, west first; all longitudes for a box across ±180°, which TileJSON cannot express.
  package var edges: PropertyValue? {
    bounds.map { box in
      let (west, east) = box.crossesAntimeridian ? (-180, 180) : (box.west, box.east)
      return .array([west, box.south, east, box.north].map(PropertyValue.double))
    }
  }

  private func layers(_ zooms: [PyramidZoom]) -> [PMTilesMetadata.VectorLayer] {
    let fields = TilePyramid.fields(of: features, besides: clustering?.fields ?? [])
    var layers = [
      PMTilesMetadata.VectorLayer(id: rules.layer, zooms: rules.zooms, fields: fields)
    ]
    let dropping = zooms.filter { $0.droppedCount + $0.tooSmallCount > 0 }.map(\.zoom)
    if let first = dropping.first, let last = dropping.last {
      layers.append(
        PMTilesMetadata.VectorLayer(
          id: rules.droppedLayer, zooms: first...last,
          fields: [(name: "dropped", type: .number), (name: "kept", type: .number)]
            + (zooms.contains { $0.tooSmallCount > 0 }
              ? [(name: "too_small", type: .number)] : [])))
    }
    return layers
  }

  /// The number of annotations, and how many were dropped from the tiles of each zoom.
  private func counts(_ zooms: [PyramidZoom]) -> [Properties.Entry] {
    var entries = [Properties.Entry(name: "annotations", value: .integer(annotationCount))]
    for (name, count) in [("dropped", \PyramidZoom.droppedCount), ("too_small", \.tooSmallCount)] {
      let counts = zooms.filter { $0[keyPath: count] > 0 }.map {
        Properties.Entry(name: String($0.zoom), value: .integer($0[keyPath: count]))
      }
      if !counts.isEmpty {
        entries.append(Properties.Entry(name: name, value: .object(Properties(counts))))
      }
    }
    return entries
  }
}
