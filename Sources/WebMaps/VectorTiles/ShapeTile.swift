import GeoJSONCoding
import Geodesy
import MapProjections

/// Points, lines and polygons, projected and weighed, ready to be cut into tiles.
///
///     var shapes = TileShapes(ShapeTiling(deepestZoom: 8))
///     for (number, feature) in features.enumerated() {
///       if let geometry = feature.geometry { try shapes.add(geometry, feature: number) }
///     }
///     shapes.root.forEach(atZoom: 8) { tile in print(tile.address, tile.contents().pieces.count) }
///
/// The article <doc:ShapeTiles> has the rules.
public struct TileShapes: Sendable {
  /// The rules for cutting.
  public let tiling: ShapeTiling
  /// The number of lines without length and polygons without area: they are in no tile.
  public internal(set) var partsWithoutExtent = 0

  private var shapes: [TileShape] = []

  /// Makes an empty collection.
  public init(_ tiling: ShapeTiling = ShapeTiling()) { self.tiling = tiling }

  /// Adds the geometry of a feature; each member of a geometry collection becomes a shape of the feature.
  ///
  /// - Parameters:
  ///   - geometry: The geometry of the feature.
  ///   - feature: A number, which is returned with its pieces.
  /// - Throws: `CoordinateError` for a latitude beyond ±90°, or a longitude beyond a hundred turns of the Earth. Then
  ///   nothing of the feature is added.
  /// - Complexity: O(*n* log *n*) expected in vertices, see ``ShapeTiling/tolerance``; O(*n*²) worst.
  /// - Returns: Whether any part of the geometry is visible.
  @discardableResult
  public mutating func add(
    _ geometry: Geometry, feature: Int
  ) throws(CoordinateError) -> Bool {
    try addMeasured(geometry, feature: feature) != nil
  }

  /// Adds the geometry of a feature and returns the boxes of its parts in the unit square of the world; nil if nothing is
  /// visible.
  mutating func addMeasured(
    _ geometry: Geometry, feature: Int
  ) throws(CoordinateError) -> [PlaneBox]? {
    let countBefore = partsWithoutExtent
    var added: [TileShape]
    do throws(CoordinateError) {
      added = try projected(geometry, feature: feature)
    } catch {
      partsWithoutExtent = countBefore
      throw error
    }
    let largest = added.lazy.compactMap(\.largestPart).max { $0.size < $1.size }
    guard let largest else { return nil }
    for place in added.indices { added[place].home = largest.place }
    shapes += added
    let boxes = added.flatMap(\.boxes)
    // A copy in the buffer of a neighboring world alone is not where the feature is.
    let inside = boxes.filter { $0.minX < 1 && $0.maxX > 0 }
    // Only what lies on ±180° itself has none inside; it is at −180, as points are.
    return inside.isEmpty ? boxes.filter { $0.minX == 0 } : inside
  }

  /// The area of the largest polygon, without its holes, as a part of the world's square.
  ///
  /// - Complexity: O(polygons and holes).
  var largestArea: Double {
    var largest = 0.0
    for shape in shapes {
      guard case .polygons(let polygons) = shape.parts else { continue }
      for polygon in polygons {
        let area = polygon.holes.reduce(polygon.exterior.size) { $0 - $1.size }
        largest = max(largest, min(area, 1))
      }
    }
    return largest
  }

  /// The tile of the whole world, from which all others are cut.
  public var root: ShapeTile {
    ShapeTile(address: TileAddress(unchecked: 0, 0, 0), tiling: tiling, shapes: shapes)
  }
}

/// The shapes in one tile and its buffer, before simplification: the source of its contents and of
/// the tiles below it.
///
/// Several tasks may work on tiles of a pyramid at once; tiles share the shapes they contain whole.
public struct ShapeTile: Sendable {
  /// The address of the tile.
  public let address: TileAddress
  /// The rules by which the tile was cut.
  public let tiling: ShapeTiling
  let shapes: [TileShape]

  /// Whether the tile is empty.
  public var isEmpty: Bool { shapes.isEmpty }

  /// Whether every shape covers the whole tile, as inside a country: then all tiles below have the
  /// same contents.
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

  // MARK: Deeper tiles

  /// The nonempty tiles of the next zoom, by ascending id in an archive: at most four, none below
  /// the deepest zoom.
  ///
  /// - Complexity: O(parts + vertices of those that a border crosses).
  public func children() -> [ShapeTile] {
    guard address.zoom < tiling.deepestZoom, !shapes.isEmpty else { return [] }
    var children: [ShapeTile] = []
    for column in 0...1 {
      let x = 2 * address.x + column
      let inColumn = ShapeBand<ColumnAxis>(x, zoom: address.zoom + 1, tiling).clip(shapes)
      guard !inColumn.isEmpty else { continue }
      for row in 0...1 {
        let y = 2 * address.y + row
        let clipped = ShapeBand<RowAxis>(y, zoom: address.zoom + 1, tiling).clip(inColumn)
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

  /// Calls `body` for the nonempty tiles of a zoom inside this one, by ascending id in an archive.
  ///
  /// - Parameters:
  ///   - zoom: From this tile's zoom to the deepest one.
  ///   - body: Called once for each tile.
  /// - Complexity: That of cutting all zooms on the way; one tile of each zoom is in memory.
  public func forEach<Failure: Error>(
    atZoom zoom: Int, _ body: (ShapeTile) throws(Failure) -> Void
  ) throws(Failure) {
    precondition(
      (address.zoom...tiling.deepestZoom).contains(zoom), "zoom \(zoom) from \(address)")
    try forEach(atZoom: zoom, numbers: 0 ... .max, body)
  }

  /// The numbers along the Hilbert curve of the nonempty tiles of a zoom, ascending.
  ///
  /// - Parameter tile: The only tile that is asked about; nil for all.
  func numbers(atZoom zoom: Int, only tile: UInt64? = nil) -> [UInt64] {
    var numbers: [UInt64] = []
    forEach(atZoom: zoom, numbers: tile.map { $0...$0 } ?? 0 ... .max) {
      numbers.append($0.number)
    }
    return numbers
  }

  /// Calls `body` for the nonempty tiles of a zoom whose numbers along the Hilbert curve lie in a
  /// range.
  ///
  /// So several tasks can share a zoom, each with a run of its tiles.
  func forEach<Failure: Error>(
    atZoom zoom: Int, numbers: ClosedRange<UInt64>, _ body: (ShapeTile) throws(Failure) -> Void
  ) throws(Failure) {
    let levels = UInt64(zoom - address.zoom)
    let first = number << (2 * levels)
    guard !isEmpty, numbers.overlaps(first...first + (1 << (2 * levels) - 1)) else { return }
    guard levels > 0 else { return try body(self) }
    for child in children() { try child.forEach(atZoom: zoom, numbers: numbers, body) }
  }

  /// The tile's number along the Hilbert curve of its zoom.
  var number: UInt64 { address.pmtilesID - TileAddress.firstID(zoom: address.zoom) }
}

/// A tile with its buffer, in the unit square of the world.
struct ShapeWindow {
  let columns: ShapeBand<ColumnAxis>
  let rows: ShapeBand<RowAxis>

  init(_ address: TileAddress, _ tiling: ShapeTiling) {
    columns = ShapeBand(address.x, zoom: address.zoom, tiling)
    rows = ShapeBand(address.y, zoom: address.zoom, tiling)
  }

  /// Whether a ring is the window's own border.
  ///
  /// Cut vertices have exactly the coordinates of the borders.
  func isCovered(by ring: ShapePath) -> Bool {
    ring.vertices.count == 4 && ring.box.minX == columns.lower && ring.box.maxX == columns.upper
      && ring.box.minY == rows.lower && ring.box.maxY == rows.upper
      && ring.vertices.allSatisfy {
        ($0.x == columns.lower || $0.x == columns.upper)
          && ($0.y == rows.lower || $0.y == rows.upper)
      }
  }
}

extension ShapeBand {
  /// The column or the row of tiles with a number, and its buffer.
  init(_ place: Int, zoom: Int, _ tiling: ShapeTiling) {
    let margin = Double(tiling.buffer) / Double(tiling.extent)
    let side = 1 / Double(1 << zoom)
    lower = (Double(place) - margin) * side
    upper = (Double(place + 1) + margin) * side
  }
}
