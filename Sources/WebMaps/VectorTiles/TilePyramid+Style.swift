import GeoJSONCoding
import Geodesy
import MapAnnotations
import MapProjections

/// The address of tiles for a map.
public enum TilesAddress: Hashable, Sendable {
  /// A folder of `z/x/y.mvt` on a server, as `https://example.org/tiles`; absolute, as MapLibre requires. A query, such
  /// as `?kind=cafe`, is that of each tile.
  case folder(String)
  /// An archive on a server, which MapLibre reads with the `pmtiles` protocol.
  case archive(String)

  /// The address of each tile of a folder, with `{z}`, `{x}` and `{y}` for its numbers.
  static func tiles(of folder: String) -> String {
    let query = folder.firstIndex(of: "?") ?? folder.endIndex
    return "\(folder[..<query])/{z}/{x}/{y}.mvt\(folder[query...])"
  }
}

extension TilePyramid {
  /// A MapLibre style for these tiles: areas, lines, clusters and points, colored by kind, on a plain background.
  ///
  /// It loads only tiles from a server, and no font: so clusters are sized by their count and have no numbers.
  ///
  /// - Parameters:
  ///   - address: The address of the tiles.
  ///   - kinds: The kinds with their own colors, most frequent first; those beyond seven share one color, as do
  ///     annotations without a kind. An empty name is none.
  ///   - name: The name of the map; nil for the layer's name.
  /// - Source: "MapLibre Style Specification", version 8.
  public func style(_ address: TilesAddress, kinds: [String], name: String? = nil) -> [UInt8] {
    var source: Properties = ["type": "vector"]
    switch address {
    case .folder(let folder):
      source.append("tiles", .array([.string(TilesAddress.tiles(of: folder))]))
      source.append("minzoom", .integer(rules.zooms.lowerBound))
      source.append("maxzoom", .integer(rules.zooms.upperBound))
    case .archive(let archive): source.append("url", .string("pmtiles://" + archive))
    }
    if let edges { source.append("bounds", edges) }
    var members: Properties = ["version": 8, "name": .string(name ?? rules.layer)]
    if let view = suggestedView {
      members.append(
        "center", .array([.double(view.center.longitude), .double(view.center.latitude)]))
      members.append("zoom", .integer(view.zoom))
    }
    members.append("sources", .object([rules.layer: .object(source)]))
    members.append("layers", layers(colored: color(of: kinds)))
    return PropertyValue.object(members).jsonLine
  }

  private static let palette = [
    "#0b63ce", "#c2410c", "#0f7b4f", "#8b31b8", "#b4235f", "#7a5b00", "#0e7490",
  ]
  private static let otherColor = "#59636e"

  /// The color of an annotation, as an expression.
  private func color(of kinds: [String]) -> PropertyValue {
    // Tiles leave out empty texts, so that nothing would match one.
    let kinds = kinds.filter { !$0.isEmpty }
    let pairs = zip(kinds, TilePyramid.palette)
    guard !kinds.isEmpty else { return .string(TilePyramid.palette[0]) }
    return .array(
      ["match", .array(["get", "kind"])] + pairs.flatMap { [.string($0), .string($1)] }
        + [.string(TilePyramid.otherColor)])
  }

  private func layers(colored color: PropertyValue) -> PropertyValue {
    let (color, name) = (color.jsonText, PropertyValue.string(rules.layer).jsonText)
    let source = #""source":\#(name),"source-layer":\#(name)"#
    let isPoint = #"["==",["geometry-type"],"Point"]"#
    // A source may have a `point_count` of its own.
    let isCluster = #"["all",["==",["get","cluster"],true],["has","point_count"]]"#
    // Circles have twice the radius for every hundredfold count.
    let layers = #"""
      [{"id":"ground","type":"background","paint":{"background-color":"#f5f3ec"}},
      {"id":"areas","type":"fill",\#(source),"filter":["==",["geometry-type"],"Polygon"],
        "paint":{"fill-color":\#(color),"fill-opacity":0.25}},
      {"id":"lines","type":"line",\#(source),"filter":["!=",["geometry-type"],"Point"],
        "paint":{"line-color":\#(color),"line-width":2}},
      {"id":"clusters","type":"circle",\#(source),"filter":["all",\#(isPoint),\#(isCluster)],
        "paint":{"circle-color":"#ffffff","circle-radius":
          ["interpolate",["linear"],["log10",["get","point_count"]],0,9,2,18,4,32],
          "circle-stroke-color":"#0b63ce","circle-stroke-width":4}},
      {"id":"points","type":"circle",\#(source),
        "filter":["all",\#(isPoint),["!",\#(isCluster)]],
        "paint":{"circle-color":\#(color),"circle-radius":6,
          "circle-stroke-color":"#ffffff","circle-stroke-width":1.5}}]
      """#
    guard let value = try? PropertyValue(json: Array(layers.utf8)) else {
      preconditionFailure("a style that is no JSON: \(layers)")
    }
    return value
  }

  /// The initial center and zoom of a map of at least 512 pixels that shows all annotations; nil if there are none.
  public var suggestedView: (center: Coordinate, zoom: Int)? {
    guard let box = features.box else { return nil }
    let center = Coordinate(
      unchecked: (box.south + box.north) / 2, Coordinate.wrappedLongitude(box.west + box.width / 2))
    let wide = max(box.width, 1e-6) / 360
    let high = max(MercatorGrid.height(box.south) - MercatorGrid.height(box.north), 1e-9)
    // How often the world is halved to reach this size.
    let zoom = -max(wide, high).exponent - (max(wide, high).significand > 1 ? 1 : 0)
    // At most one zoom beyond the last tiles, which maps then enlarge.
    return (center, max(rules.zooms.lowerBound, min(Int(zoom), rules.zooms.upperBound + 1)))
  }
}
