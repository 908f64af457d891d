import MapProjections

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

extension ShapeTile {
  /// The shapes to draw in the tile: simplified, valid, in whole units.
  ///
  /// - Complexity: O(vertices).
  public func contents() -> ShapeTileContents {
    let drawing = ShapeDrawing(address, tiling)
    var contents = ShapeTileContents()
    // The last feature that this tile counts, and whether any of it is drawn.
    var counted: (feature: Int, isDrawn: Bool)?
    for shape in shapes {
      let geometry = drawing.geometry(of: shape)
      let isCounted = isHome(of: shape)
      if let geometry {
        contents.pieces.append(
          .init(feature: shape.feature, geometry: geometry, isCounted: isCounted))
      }
      guard isCounted else { continue }
      if counted?.feature != shape.feature {
        counted = (shape.feature, false)
        contents.tooSmall += 1
      }
      if geometry != nil, counted?.isDrawn == false {
        counted?.isDrawn = true
        contents.tooSmall -= 1
      }
    }
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

  // MARK: Positions

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

  // MARK: Lines

  private func drawn(_ line: ShapePath) -> [TilePosition] {
    var positions = positions(line, tolerance: tolerance)
    if positions.count < 2 {
      positions.append(TilePosition(x: positions[0].x + 1, y: positions[0].y))
    }
    return positions
  }

  // MARK: Polygons

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
    for exterior in exteriors {
      parts.append(exterior)
      // Rounding may move a very thin hole out of its exterior; then it is dropped.
      for hole in holes where exterior.encloses(hole) { parts.append(hole) }
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

extension [TilePosition] {
  /// Whether a ring that does not cross this one lies inside it.
  ///
  /// Tests vertices until one lies inside or outside, because rings may touch.
  fileprivate func encloses(_ other: [TilePosition]) -> Bool {
    for position in other {
      if let isInside = contains(position) { return isInside }
    }
    return true
  }

  /// Whether a position lies inside the ring, by counting crossings of an eastward ray; nil on the ring.
  private func contains(_ position: TilePosition) -> Bool? {
    var isInside = false
    var last = self[count - 1]
    for next in self {
      let turn =
        Int(next.x - last.x) * Int(position.y - last.y)
        - Int(position.x - last.x) * Int(next.y - last.y)
      if turn == 0, Swift.min(last.x, next.x) <= position.x,
        position.x <= Swift.max(last.x, next.x), Swift.min(last.y, next.y) <= position.y,
        position.y <= Swift.max(last.y, next.y)
      {
        return nil
      }
      if (last.y <= position.y) != (next.y <= position.y), (turn > 0) == (next.y > last.y) {
        isInside.toggle()
      }
      last = next
    }
    return isInside
  }
}
