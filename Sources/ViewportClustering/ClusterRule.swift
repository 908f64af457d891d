import MapProjections

/// Which annotations are drawn as one: those in a cell of a grid that every screen shares.
///
/// The cells are squares of the Web Mercator plane, `cellSize` pixels wide where the world is
/// 512 · 2^zoom pixels wide, as MapLibre, Mapbox and supercluster count zoom; Google Maps, Leaflet and
/// map tiles of 256 pixels say one more for the same scale. Four cells of a zoom make one of the zoom
/// before. So what a cell holds depends on nothing but the annotations in it: not on their order, nor
/// on the viewport, nor on what was shown before.
public struct ClusterRule: Hashable, Sendable {
  /// Where the borders of the cells run.
  public enum Alignment: UInt8, Sendable {
    /// Where no border of any zoom lies on ±180° or on Greenwich, so that clusters stand across both:
    /// a third of the world east of the tiles' borders.
    case unbroken
    /// Along the borders of map tiles: a tile is whole cells, and ±180° is a border.
    case tiles
  }

  /// The side of a cell in pixels: 32, 64, 128, 256 or 512.
  public let cellSize: Int
  /// The last zoom at which annotations are drawn as one, 0…22.
  public let maxZoom: Int
  /// How many annotations a cell must hold for them to be drawn as one, at least 2.
  public let minCount: Int
  /// Where the borders of the cells run.
  public let alignment: Alignment

  /// Makes a rule.
  ///
  /// - Precondition: The values are in the ranges of the properties.
  public init(
    cellSize: Int = 64, maxZoom: Int = 16, minCount: Int = 2, alignment: Alignment = .unbroken
  ) {
    precondition(
      (32...512).contains(cellSize) && cellSize.nonzeroBitCount == 1,
      "a cell of \(cellSize) pixels; take 32, 64, 128, 256 or 512")
    precondition((0...22).contains(maxZoom), "a last zoom of \(maxZoom); take 0…22")
    precondition(minCount >= 2, "a cluster of \(minCount); take 2 or more")
    self.cellSize = cellSize
    self.maxZoom = maxZoom
    self.minCount = minCount
    self.alignment = alignment
  }

  /// The width of the world at zoom 0, in pixels.
  static var tileSize: Int { 512 }
  /// The greatest zoom of a viewport.
  static var lastZoom: Int { 24 }

  /// How often a tile is halved to become a cell.
  var subdivision: Int { (ClusterRule.tileSize / cellSize).trailingZeroBitCount }

  /// How often the world is halved to become a cell of a zoom.
  func level(ofZoom zoom: Int) -> Int { zoom + subdivision }

  var grid: MercatorGrid {
    switch alignment {
    case .unbroken: .unbroken
    case .tiles: .tiles
    }
  }
}
