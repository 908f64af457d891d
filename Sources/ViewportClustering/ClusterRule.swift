import Geodesy
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

  /// The whole cells that a viewport is widened to.
  func cells(of viewport: MapViewport) -> CellBlock {
    CellBlock(covering: viewport.box, level: level(ofZoom: viewport.zoom), grid: grid)
  }

  /// The box of a view of a viewport, `ClusterView.box`, whatever is in it.
  package func box(of viewport: MapViewport) -> BoundingBox { cells(of: viewport).box(in: grid) }
}

/// The id of a cluster: its zoom, its cell and the rule.
///
/// The same cell has the same id on every screen and in every run, whatever it contains; a filter
/// changes a cluster's count, not its id.
///
///     let id = ClusterID("c64/12/3405/1580")
///
/// The text has the side of the cells in pixels (`t64` if they are aligned with tiles), the zoom,
/// and the column and row of the cell, in cells of that zoom from the west and the north. `g/3/17`
/// is a cluster of a `GreedyClusterIndex`.
public struct ClusterID: RawRepresentable, Hashable, Sendable {
  /// The id in 64 bits; in JSON, write the text.
  public let rawValue: UInt64

  /// Makes an id from 64 bits, unchecked.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The zoom and the cell as one number from 1 to 2⁵³, the range of numbers on web maps.
  ///
  /// A bit 1 above the cell's own bits. It is unique among the clusters of one rule, and no cluster
  /// of a `GreedyClusterIndex` has the number of one of a rule.
  public var number: Int {
    // Below the highest bit of a greedy cluster's number are 37 others; below that of a cell's
    // number, their count is even.
    Int(isGreedy ? UInt64(32 | zoom) << 32 | cell : cell | 1 << UInt64(2 * (zoom + subdivision)))
  }

  /// Makes the id of a rule's cluster from its number; nil if the rule has no such cluster.
  public init?(number: Int, of rule: ClusterRule) {
    guard number > 0 else { return nil }
    let top = Int.bitWidth - 1 - number.leadingZeroBitCount
    let zoom = top / 2 - rule.subdivision
    guard top % 2 == 0, (0...rule.maxZoom).contains(zoom) else { return nil }
    self.init(rule, zoom: zoom, cell: UInt64(number) - 1 << UInt64(top))
  }

  // From the top: 1 bit for greedy clusters, 1 for the alignment, 3 for the subdivision, 5 for the
  // zoom, 54 for the cell.

  init(_ rule: ClusterRule, zoom: Int, cell: UInt64) {
    rawValue =
      UInt64(rule.alignment.rawValue) << 62 | UInt64(rule.subdivision) << 59 | UInt64(zoom) << 54
      | cell
  }

  /// Makes the id of a greedy cluster from its number in its zoom.
  init(greedyZoom zoom: Int, number: Int) {
    rawValue = 1 << 63 | UInt64(zoom) << 54 | UInt64(number)
  }

  var isGreedy: Bool { rawValue >> 63 == 1 }
  private var alignment: ClusterRule.Alignment { rawValue >> 62 & 1 == 0 ? .unbroken : .tiles }
  private var subdivision: Int { Int(rawValue >> 59 & 7) }
  /// The zoom of the cluster.
  public var zoom: Int { Int(rawValue >> 54 & 31) }
  /// The cell, or the number of a greedy cluster.
  var cell: UInt64 { rawValue & (1 << 54 - 1) }

  /// Whether a rule makes clusters with this id.
  func belongs(to rule: ClusterRule) -> Bool {
    !isGreedy && alignment == rule.alignment && subdivision == rule.subdivision
      && zoom <= rule.maxZoom && cell >> UInt64(2 * rule.level(ofZoom: zoom)) == 0
  }
}

extension ClusterID: LosslessStringConvertible, CustomStringConvertible {
  /// The id as text: `c64/12/3405/1580`.
  public var description: String {
    guard !isGreedy else { return "g/\(zoom)/\(cell)" }
    let letter = alignment == .unbroken ? "c" : "t"
    let place = gridPlace(cell)
    return "\(letter)\(ClusterRule.tileSize >> subdivision)/\(zoom)/\(place.x)/\(place.y)"
  }

  /// Parses the text of an id; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let first = parts.first else { return nil }
    let numbers = parts.dropFirst().compactMap { UInt32($0) }
    let id: ClusterID
    if first == "g" {
      guard numbers.count == 2, numbers[0] < 32 else { return nil }
      id = ClusterID(greedyZoom: Int(numbers[0]), number: Int(numbers[1]))
    } else {
      guard numbers.count == 3, let size = Int(first.dropFirst()), (32...512).contains(size),
        size.nonzeroBitCount == 1, numbers[0] <= 22
      else { return nil }
      let rule = ClusterRule(
        cellSize: size, alignment: first.hasPrefix("t") ? .tiles : .unbroken)
      let zoom = Int(numbers[0])
      guard max(numbers[1], numbers[2]) < 1 << UInt32(rule.level(ofZoom: zoom)) else { return nil }
      id = ClusterID(rule, zoom: zoom, cell: interleaved(x: numbers[1], y: numbers[2]))
    }
    // `+7`, `007` and `x64` are invalid.
    guard id.description == text else { return nil }
    self = id
  }
}

extension ClusterID: Comparable {
  /// An arbitrary but fixed order.
  public static func < (left: ClusterID, right: ClusterID) -> Bool {
    left.rawValue < right.rawValue
  }
}
