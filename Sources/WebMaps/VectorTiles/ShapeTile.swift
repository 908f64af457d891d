import MapProjections

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
  ///   - numbers: The numbers along the Hilbert curve of the tiles wanted, so that several tasks can share a zoom,
  ///     each with a run of its tiles.
  ///   - body: Called once for each tile.
  /// - Complexity: That of cutting all zooms on the way; one tile of each zoom is in memory.
  public func forEach<Failure: Error>(
    atZoom zoom: Int, numbers: ClosedRange<UInt64> = 0 ... .max,
    _ body: (ShapeTile) throws(Failure) -> Void
  ) throws(Failure) {
    // An empty one may have any rules.
    guard !isEmpty else { return }
    precondition(
      (address.zoom...tiling.deepestZoom).contains(zoom), "zoom \(zoom) from \(address)")
    let levels = UInt64(zoom - address.zoom)
    let first = address.number << (2 * levels)
    guard numbers.overlaps(first...first + (1 << (2 * levels) - 1)) else { return }
    guard levels > 0 else { return try body(self) }
    for child in children() { try child.forEach(atZoom: zoom, numbers: numbers, body) }
  }

  /// The numbers along the Hilbert curve of the nonempty tiles of a zoom, ascending.
  ///
  /// - Parameter tile: The only tile that is asked about; nil for all.
  func numbers(atZoom zoom: Int, only tile: UInt64? = nil) -> [UInt64] {
    var numbers: [UInt64] = []
    forEach(atZoom: zoom, numbers: tile.map { $0...$0 } ?? 0 ... .max) {
      numbers.append($0.address.number)
    }
    return numbers
  }
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

/// The shapes to draw in a tile.
public struct ShapeTileContents: Sendable, Hashable {
  /// A shape of a feature, in tile units.
  public struct Piece: Sendable, Hashable {
    /// The number with which the feature was added.
    public var feature: Int
    /// Valid by the rules of vector tiles: no consecutive duplicates, exteriors before their holes
    /// with the required winding, no ring without area.
    public var geometry: TileGeometry
    /// Whether the tile counts the feature, which other tiles draw too.
    var isCounted = false
  }

  /// The pieces, in the order in which features were added.
  ///
  /// A feature has one piece for each member of its collection, and for each side of the
  /// antimeridian that reaches into the tile.
  public var pieces: [Piece] = []
  /// The number of features of which nothing is drawn, because all their parts are smaller than the tolerance.
  ///
  /// Each is counted only in the tile of a point of its largest part, so once at each zoom.
  public var tooSmall = 0
}

/// Counts features by their pieces, which follow one another: a feature is drawn if one of its pieces is.
struct FeatureTally {
  private(set) var drawnCount = 0, missingCount = 0
  private var last: (feature: Int, isDrawn: Bool)?

  mutating func add(pieceOf feature: Int, isDrawn: Bool) {
    if last?.feature != feature {
      last = (feature, false)
      missingCount += 1
    }
    if isDrawn, last?.isDrawn == false {
      last?.isDrawn = true
      missingCount -= 1
      drawnCount += 1
    }
  }
}

extension ShapeTile {
  /// The shapes to draw in the tile: simplified, valid, in whole units.
  ///
  /// - Complexity: O(vertices).
  public func contents() -> ShapeTileContents {
    let drawing = ShapeDrawing(address, tiling)
    var contents = ShapeTileContents()
    var tally = FeatureTally()
    for shape in shapes {
      let geometry = drawing.geometry(of: shape)
      let isCounted = isHome(of: shape)
      if let geometry {
        contents.pieces.append(
          .init(feature: shape.feature, geometry: geometry, isCounted: isCounted))
      }
      if isCounted { tally.add(pieceOf: shape.feature, isDrawn: geometry != nil) }
    }
    contents.tooSmall = tally.missingCount
    return contents
  }

  /// Whether the home of a shape's feature lies in the tile, not only in its buffer.
  private func isHome(of shape: TileShape) -> Bool {
    let side = Double(1 << address.zoom)
    // A point at the edge of the world belongs to the last tile.
    let last = (1.0).nextDown
    let x = shape.home.x - shape.home.x.rounded(.down)
    return Int((min(x, last) * side).rounded(.down)) == address.x
      && Int((min(shape.home.y, last) * side).rounded(.down)) == address.y
  }
}

/// Converts the unit square of the world to the units of one tile.
///
/// Above the deepest zoom, shapes smaller than the tolerance are dropped. Any other shape that
/// rounding reduces to a point or line is drawn as one unit, so that it stays visible: nothing is
/// missing at the deepest zoom.
private struct ShapeDrawing {
  let units: Double
  let originX: Double
  let originY: Double
  let extent: Int
  /// In units of the world's side.
  let tolerance: Double
  let window: ShapeWindow

  init(_ address: TileAddress, _ tiling: ShapeTiling) {
    units = tiling.units(atZoom: address.zoom)
    originX = Double(address.x * tiling.extent)
    originY = Double(address.y * tiling.extent)
    extent = tiling.extent
    tolerance = tiling.tolerance(atZoom: address.zoom)
    window = ShapeWindow(address, tiling)
  }

  /// The geometry of a shape; nil for a shape that is too small.
  func geometry(of shape: TileShape) -> TileGeometry? {
    var geometry: TileGeometry
    switch shape.parts {
    case .points(let points):
      geometry = TileGeometry(kind: .point, parts: [points.map(position)])
    case .lines(let lines):
      geometry = TileGeometry(kind: .line, parts: [])
      for line in lines where line.size >= tolerance {
        geometry.parts.append(drawn(line))
      }
    case .polygons(let polygons):
      geometry = TileGeometry(kind: .polygon, parts: [])
      for polygon in polygons where polygon.exterior.size >= tolerance * tolerance {
        draw(polygon, into: &geometry.parts)
      }
    }
    return geometry.parts.isEmpty ? nil : geometry
  }

  @inline(__always)
  private func position(_ vertex: ShapeVertex) -> TilePosition {
    // Halves are rounded up, as other tile writers do.
    TilePosition(
      x: Int32((vertex.x * units - originX + 0.5).rounded(.down)),
      y: Int32((vertex.y * units - originY + 0.5).rounded(.down)))
  }

  /// The positions of the vertices whose weight exceeds the tolerance, without consecutive duplicates.
  private func positions(_ path: ShapePath, tolerance: Double) -> [TilePosition] {
    let limit = tolerance * tolerance
    var positions: [TilePosition] = []
    for vertex in path.vertices where vertex.weight > limit || tolerance == 0 {
      let position = position(vertex)
      if positions.last != position { positions.append(position) }
    }
    return positions
  }

  private func drawn(_ line: ShapePath) -> [TilePosition] {
    var positions = positions(line, tolerance: tolerance)
    if positions.count < 2 {
      positions.append(TilePosition(x: positions[0].x + 1, y: positions[0].y))
    }
    return positions
  }

  /// Appends the rings of a polygon: each exterior, then its holes.
  private func draw(_ polygon: ShapePolygon, into parts: inout [[TilePosition]]) {
    if polygon.holes.isEmpty, window.isCovered(by: polygon.exterior) {
      // Always from the same corner, so that all tiles inside the polygon are equal.
      let box = polygon.exterior.box
      let first = position(ShapeVertex(x: box.minX, y: box.minY))
      let last = position(ShapeVertex(x: box.maxX, y: box.maxY))
      return parts.append([
        first, TilePosition(x: last.x, y: first.y), last, TilePosition(x: first.x, y: last.y),
      ])
    }
    var exteriors = rings(polygon.exterior)
    if exteriors.allSatisfy({ TileGeometry.doubledArea(of: $0) <= 0 }) {
      // Thinner than a unit: drawn as a square of one unit.
      let start = position(polygon.exterior.vertices[0])
      exteriors = [
        [(0, 0), (1, 0), (1, 1), (0, 1)].map {
          TilePosition(x: start.x + $0.0, y: start.y + $0.1)
        }
      ]
    }
    var holes: [[TilePosition]] = []
    for hole in polygon.holes where hole.size >= tolerance * tolerance {
      holes += rings(hole).filter { TileGeometry.doubledArea(of: $0) < 0 }
    }
    // An outline that touches itself in a point may enclose a hole there.
    holes += exteriors.filter { TileGeometry.doubledArea(of: $0) < 0 }
    exteriors.removeAll { TileGeometry.doubledArea(of: $0) < 0 }
    guard exteriors.count > 1 || !holes.isEmpty else { return parts += exteriors }
    func vertices(_ ring: [TilePosition]) -> [ShapeVertex] {
      ring.map { ShapeVertex(x: Double($0.x), y: Double($0.y)) }
    }
    let written = holes.map(vertices)
    for exterior in exteriors {
      parts.append(exterior)
      let outline = vertices(exterior)
      // Rounding may move a very thin hole out of its exterior; then it is dropped.
      for (hole, ring) in zip(holes, written) where outline.enclose(ring) { parts.append(hole) }
    }
  }

  /// The rings that a ring becomes in whole units: usually one, several if rounding makes it touch
  /// itself, none if it has no area left.
  ///
  /// If simplification leaves nothing, the ring is drawn with all its vertices.
  private func rings(_ path: ShapePath) -> [[TilePosition]] {
    for tolerance in tolerance > 0 ? [tolerance, 0] : [0] {
      let rings = loops(of: positions(path, tolerance: tolerance))
      if !rings.isEmpty { return rings }
    }
    return []
  }

  /// The loops of a ring in which no position repeats; those without area are dropped.
  ///
  /// - Complexity: O(*n* log *n*).
  private func loops(of ring: [TilePosition]) -> [[TilePosition]] {
    func isSolid(_ loop: [TilePosition]) -> Bool {
      loop.count > 2 && TileGeometry.doubledArea(of: loop) != 0
    }
    var keys = ring.map(\.key)
    keys.sort()
    guard zip(keys, keys.dropFirst()).contains(where: { $0 == $1 }) else {
      return isSolid(ring) ? [ring] : []
    }
    return simpleLoops(of: ring, by: \.key).filter(isSolid)
  }
}

extension TilePosition {
  /// Both numbers combined into one.
  fileprivate var key: UInt64 {
    UInt64(UInt32(bitPattern: x)) << 32 | UInt64(UInt32(bitPattern: y))
  }
}
