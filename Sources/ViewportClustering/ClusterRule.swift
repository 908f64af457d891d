import MapProjections

/// The rule for forming clusters: annotations in the same cell of a grid shared by all screens.
///
/// The cells are squares of the Web Mercator plane, `cellSize` pixels wide if the world is 512 ·
/// 2^zoom pixels wide, as in MapLibre, Mapbox and supercluster. Google Maps, Leaflet and map tiles
/// of 256 pixels count one zoom more for the same scale. Four cells of a zoom form one of the
/// previous zoom. So the contents of a cell depend only on its annotations: not on their order, the
/// viewport, or earlier views.
public struct ClusterRule: Hashable, Sendable {
  /// The alignment of cell borders.
  public enum Alignment: UInt8, Sendable {
    /// No border of any zoom lies on ±180° or on Greenwich, so that clusters can span both: the
    /// grid is shifted a third of the world west of the tiles' borders.
    case unbroken
    /// Borders along map tiles: a tile is whole cells, and ±180° is a border.
    case tiles
  }

  /// The side of a cell in pixels: 32, 64, 128, 256 or 512.
  public let cellSize: Int
  /// The last zoom with clusters, 0…22.
  public let maxZoom: Int
  /// The minimum number of annotations in a cluster, at least 2.
  public let minCount: Int
  /// The alignment of cell borders.
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
  /// The maximum zoom of a viewport.
  static var lastZoom: Int { 24 }

  /// The number of times a tile is halved to get a cell.
  var subdivision: Int { (ClusterRule.tileSize / cellSize).trailingZeroBitCount }

  /// The number of times the world is halved to get a cell of a zoom.
  func level(ofZoom zoom: Int) -> Int { zoom + subdivision }

  var grid: MercatorGrid {
    switch alignment {
    case .unbroken: .unbroken
    case .tiles: .tiles
    }
  }
}
