import GeoJSONCoding
import Geodesy
import MapProjections

/// Points, lines and polygons, projected and weighed, ready to be cut into tiles.
///
///     var shapes = TileShapes(ShapeTiling(deepestZoom: 8))
///     for (number, feature) in features.enumerated() {
///       if let geometry = feature.geometry { try shapes.add(geometry, feature: number) }
///     }
///     shapes.root.forEach(atZoom: 8) { tile in print(tile.address, tile.contents().features.count) }
///
/// The article <doc:ShapeTiles> has the rules.
public struct TileShapes: Sendable {
  /// How they are cut.
  public var tiling: ShapeTiling { projection.tiling }
  /// How many lines had no length and how many polygons no area: they are in no tile.
  public var partsWithoutExtent: Int { projection.partsWithoutExtent }

  private var projection: ShapeProjection
  private var shapes: [TileShape] = []

  /// Makes an empty collection.
  public init(_ tiling: ShapeTiling = ShapeTiling()) { projection = ShapeProjection(tiling) }

  /// Adds what a feature shows; a collection is as many shapes as it has members, of one feature.
  ///
  /// - Parameters:
  ///   - geometry: The shape of the feature.
  ///   - feature: Its number, which comes back with its pieces.
  /// - Throws: `CoordinateError` for a latitude beyond ±90°, or a longitude beyond a hundred turns of
  ///   the Earth. Then nothing of the feature is added.
  /// - Complexity: O(*n* log *n*) expected in vertices, see ``ShapeTiling/tolerance``; O(*n*²) worst.
  /// - Returns: Whether there is anything to be seen of it.
  @discardableResult
  public mutating func add(
    _ geometry: Geometry, feature: Int
  ) throws(CoordinateError) -> Bool {
    try addMeasured(geometry, feature: feature) != nil
  }

  /// Adds what a feature shows, and says where in the square of the world it lies; nil for nowhere.
  mutating func addMeasured(
    _ geometry: Geometry, feature: Int
  ) throws(CoordinateError) -> ShapeBox? {
    let added = try projection.shapes(of: geometry, feature: feature)
    guard !added.isEmpty else { return nil }
    shapes += added
    return added.reduce(into: ShapeBox()) { $0.include($1.box) }
  }

  /// Whether there are none.
  public var isEmpty: Bool { shapes.isEmpty }

  /// The tile of the whole world, from which all others are cut.
  public var root: ShapeTile {
    ShapeTile(address: TileAddress(unchecked: 0, 0, 0), tiling: tiling, shapes: shapes)
  }
}

/// What lies in one tile and its buffer, not yet simplified: a value from which its contents are made,
/// and the tiles below it.
///
/// Tiles of a pyramid may be worked on by several tasks at once; what they hold whole, they share.
public struct ShapeTile: Sendable {
  /// Which tile it is.
  public let address: TileAddress
  /// How it was cut.
  public let tiling: ShapeTiling
  let shapes: [TileShape]

  /// Whether nothing lies in it.
  public var isEmpty: Bool { shapes.isEmpty }

  /// How many vertices lie in it before simplification, rings counted with their closing ones: a
  /// measure of whether cutting it further shows more.
  public var vertexCount: Int { shapes.reduce(0) { $0 + $1.vertexCount } }

  /// Whether everything in it covers all of it, as the inside of a country does: then all tiles below
  /// have the very same contents.
  ///
  /// False for an empty tile.
  public var isUniform: Bool {
    let window = ShapeWindow(address, tiling)
    return !shapes.isEmpty
      && shapes.allSatisfy { shape in
        guard case .polygons(let polygons) = shape.parts, polygons.count == 1 else { return false }
        return polygons[0].holes.isEmpty && window.isCovered(by: polygons[0].exterior)
      }
  }

  // MARK: Below

  /// The tiles of the next zoom that hold anything, by ascending id in an archive: at most four, none
  /// below the deepest zoom.
  ///
  /// - Complexity: O(parts + vertices of those that a border crosses).
  public func children() -> [ShapeTile] {
    guard address.zoom < tiling.deepestZoom, !shapes.isEmpty else { return [] }
    var children: [ShapeTile] = []
    for column in 0...1 {
      let x = 2 * address.x + column
      let inColumn = ShapeWindow.columns(x, zoom: address.zoom + 1, tiling).clip(shapes)
      guard !inColumn.isEmpty else { continue }
      for row in 0...1 {
        let y = 2 * address.y + row
        let clipped = ShapeWindow.rows(y, zoom: address.zoom + 1, tiling).clip(inColumn)
        guard !clipped.isEmpty else { continue }
        children.append(
          ShapeTile(
            address: TileAddress(unchecked: address.zoom + 1, x, y), tiling: tiling,
            shapes: clipped))
      }
    }
    children.sort { $0.address.pmtilesID < $1.address.pmtilesID }
    return children
  }

  /// Goes through the tiles of a zoom that lie in this one and hold anything, by ascending id in an
  /// archive.
  ///
  /// - Parameters:
  ///   - zoom: From that of this tile to the deepest one.
  ///   - body: Called once for each tile.
  /// - Complexity: That of cutting all zooms on the way; one tile for each of them is in memory.
  public func forEach<Failure: Error>(
    atZoom zoom: Int, _ body: (ShapeTile) throws(Failure) -> Void
  ) throws(Failure) {
    precondition(
      (address.zoom...tiling.deepestZoom).contains(zoom), "zoom \(zoom) from \(address)")
    guard !isEmpty else { return }
    guard zoom > address.zoom else { return try body(self) }
    for child in children() { try child.forEach(atZoom: zoom, body) }
  }

  /// The numbers along Hilbert's curve of the tiles of a zoom that hold anything, ascending.
  func numbers(atZoom zoom: Int) -> [UInt64] {
    var numbers: [UInt64] = []
    forEach(atZoom: zoom) { numbers.append($0.number) }
    return numbers
  }

  /// Goes through those tiles of a zoom whose numbers along Hilbert's curve lie in a range, as `forEach`
  /// goes through all.
  ///
  /// So that several tasks share a zoom, each with a run of its tiles.
  func forEach(
    atZoom zoom: Int, numbers: ClosedRange<UInt64>, _ body: (ShapeTile) -> Void
  ) {
    let levels = UInt64(zoom - address.zoom)
    let first = number << (2 * levels)
    guard !isEmpty,
      first...(first + (1 << (2 * levels) - 1)) ~= numbers.lowerBound
        || numbers ~= first
    else { return }
    guard levels > 0 else { return body(self) }
    for child in children() { child.forEach(atZoom: zoom, numbers: numbers, body) }
  }

  /// The tile's number along Hilbert's curve through its zoom.
  var number: UInt64 { address.pmtilesID - TileAddress.firstID(zoom: address.zoom) }

  /// One tile below this one, or this one; perhaps an empty one.
  ///
  /// - Precondition: It lies in this tile, and no deeper than the deepest zoom.
  /// - Complexity: O(parts + vertices of those that a border crosses).
  public func tile(at below: TileAddress) -> ShapeTile {
    let levels = below.zoom - address.zoom
    precondition(
      levels >= 0 && below.x >> levels == address.x && below.y >> levels == address.y
        && below.zoom <= tiling.deepestZoom, "tile \(below) is not below \(address)")
    let inColumn = ShapeWindow.columns(below.x, zoom: below.zoom, tiling).clip(shapes)
    return ShapeTile(
      address: below, tiling: tiling,
      shapes: ShapeWindow.rows(below.y, zoom: below.zoom, tiling).clip(inColumn))
  }
}

/// A tile with its buffer, in the square of the world.
struct ShapeWindow {
  let columns: ShapeBand<ColumnAxis>
  let rows: ShapeBand<RowAxis>

  init(_ address: TileAddress, _ tiling: ShapeTiling) {
    columns = ShapeWindow.columns(address.x, zoom: address.zoom, tiling)
    rows = ShapeWindow.rows(address.y, zoom: address.zoom, tiling)
  }

  static func columns(_ x: Int, zoom: Int, _ tiling: ShapeTiling) -> ShapeBand<ColumnAxis> {
    let (lower, upper) = borders(x, zoom, tiling)
    return ShapeBand(lower: lower, upper: upper)
  }

  static func rows(_ y: Int, zoom: Int, _ tiling: ShapeTiling) -> ShapeBand<RowAxis> {
    let (lower, upper) = borders(y, zoom, tiling)
    return ShapeBand(lower: lower, upper: upper)
  }

  private static func borders(_ place: Int, _ zoom: Int, _ tiling: ShapeTiling) -> (Double, Double)
  {
    let margin = Double(tiling.buffer) / Double(tiling.extent)
    let side = 1 / Double(1 << zoom)
    return ((Double(place) - margin) * side, (Double(place + 1) + margin) * side)
  }

  /// Whether a ring is the window's own border.
  ///
  /// Where it is cut, vertices have the very numbers of the borders.
  func isCovered(by ring: ShapePath) -> Bool {
    ring.vertices.count == 4 && ring.box.minX == columns.lower && ring.box.maxX == columns.upper
      && ring.box.minY == rows.lower && ring.box.maxY == rows.upper
      && ring.vertices.allSatisfy {
        ($0.x == columns.lower || $0.x == columns.upper)
          && ($0.y == rows.lower || $0.y == rows.upper)
      }
  }
}
