import AnnotationSources
import Geodesy
import WebMaps

/// What is said of tiles on standard error.
enum TileRemarks {
  /// Beyond this size maps load a tile slowly; the limit of others.
  private static let largeTile = 500_000

  /// A pyramid with at least this number of tiles is remarked on before it is made.
  private static let manyTiles = 10_000_000

  /// Warns of more tiles than most people would wait for.
  static func warnOfMany(in pyramid: TilePyramid) {
    let count = pyramid.leastTileCount
    guard count >= manyTiles else { return }
    Console.remark(
      "warning: many-tiles: a polygon alone is in at least \(grouped(count)) tiles of the zooms to "
        + "\(pyramid.rules.zooms.upperBound); maps enlarge the deepest tiles beyond that, so end -z at a "
        + "lower one")
  }

  /// What tiles do not show as it is.
  static func warn(
    of pyramid: TilePyramid, _ zooms: [PyramidZoom], _ features: TileFeatures
  ) {
    if features.movedCount > 0 {
      Console.remark(
        "warning: beyond-edge: drawn at the edge because web maps end at ±85.0511°: "
          + "\(grouped(features.movedCount))")
    }
    for zoom in zooms where zoom.droppedCount > 0 {
      Console.remark(
        "warning: tile-limit: zoom \(zoom.zoom) is without \(grouped(zoom.droppedCount)) of "
          + grouped(pyramid.annotationCount, "annotation"))
    }
    sayOfSmallShapes(zooms, features)
    if pyramid.rules.byteLimit == nil {
      sayOfLargeTiles(zooms, isPacked: pyramid.rules.isCompressed)
    }
  }

  /// What was made.
  static func sum(
    up pyramid: TilePyramid, _ zooms: [PyramidZoom], byteCount: Int, in file: FileName
  ) {
    let tiles = zooms.reduce(0) { $0 + $1.tileCount }
    let (first, last) = (pyramid.rules.zooms.lowerBound, pyramid.rules.zooms.upperBound)
    Console.remark(
      "\(file.text): \(grouped(pyramid.annotationCount, "annotation")) in \(grouped(tiles, "tile")) of "
        + "zoom \(first == last ? "\(first)" : "\(first) to \(last)"), "
        + "\(grouped((byteCount + 999) / 1000)) kB")
  }

  private static func sayOfSmallShapes(_ zooms: [PyramidZoom], _ features: TileFeatures) {
    let counts = zooms.filter { $0.tooSmallCount > 0 }
    if !counts.isEmpty {
      Console.remark(
        "too small to be drawn: "
          + counts.map { "\(grouped($0.tooSmallCount)) at zoom \($0.zoom)" }.joined(separator: ", ")
          + "; deeper zooms draw them")
    }
    if features.partsWithoutExtent > 0 {
      Console.remark(
        "warning: shape-empty: \(grouped(features.partsWithoutExtent)) "
          + (features.partsWithoutExtent == 1
            ? "line without length or polygon without area is in no tile"
            : "lines without length or polygons without area are in no tile"))
    }
  }

  private static func sayOfLargeTiles(_ zooms: [PyramidZoom], isPacked: Bool) {
    let large = zooms.filter { $0.largest?.byteCount ?? 0 > largeTile }
    guard let worst = large.compactMap(\.largest).max(by: { $0.byteCount < $1.byteCount }) else {
      return
    }
    Console.remark(
      "warning: large-tiles: tile \(worst.address) has \(grouped(worst.byteCount / 1000)) kB"
        + "\(isPacked ? " packed" : ""), and zooms "
        + "\(large.map { String($0.zoom) }.joined(separator: ", ")) have tiles over 500 kB, which maps "
        + "load slowly; try --cluster, --max-bytes 500k, --fields, or begin at a deeper zoom")
  }
}
