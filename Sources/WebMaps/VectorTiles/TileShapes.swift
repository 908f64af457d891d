import Geodesy
import GeoJSONCoding
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

/// Converts GeoJSON to the unit square of the world.
///
/// Edges are straight in the plane of the map from here on. A step of more than 180° and less than
/// a full turn crosses the antimeridian, as everywhere in this package; a step of a full turn or
/// more is taken literally, as in a box round the world.
extension TileShapes {
  /// A hundred turns: larger numbers are not degrees.
  private static let furthestLongitude = 36_000.0

  /// The shapes of a geometry in the world and in its neighboring copies, of which the buffer shows a strip.
  ///
  /// - Throws: `CoordinateError` for a latitude beyond ±90°, or a longitude beyond a hundred turns.
  mutating func projected(
    _ geometry: Geometry, feature: Int
  ) throws(CoordinateError) -> [TileShape] {
    var shapes: [TileShape] = []
    switch geometry {
    case .point(let position):
      append(.points([try vertex(position)]), of: feature, to: &shapes)
    case .multiPoint(let positions):
      let points = try positions.map { (position) throws(CoordinateError) in try vertex(position) }
      append(.points(points), of: feature, to: &shapes)
    case .lineString(let line):
      append(.lines(try paths(of: [line])), of: feature, to: &shapes)
    case .multiLineString(let lines):
      append(.lines(try paths(of: lines)), of: feature, to: &shapes)
    case .polygon(let rings):
      append(.polygons(try polygons(of: [rings])), of: feature, to: &shapes)
    case .multiPolygon(let polygons):
      append(.polygons(try self.polygons(of: polygons)), of: feature, to: &shapes)
    case .geometryCollection(let members):
      for member in members { shapes += try projected(member, feature: feature) }
    }
    return shapes
  }

  // MARK: Positions

  private func vertex(_ position: Position) throws(CoordinateError) -> ShapeVertex {
    guard position.longitude.isFinite else { throw .notANumber(String(position.longitude)) }
    guard abs(position.longitude) <= TileShapes.furthestLongitude else {
      throw .longitudeOutOfRange(position.longitude)
    }
    // Checks the latitude, and reports swapped coordinates.
    let longitude = min(max(position.longitude, -180), 180)
    _ = try Coordinate(latitude: position.latitude, longitude: longitude)
    return ShapeVertex(
      x: position.longitude / 360 + 0.5, y: MercatorGrid.heightInSquare(position.latitude))
  }

  /// The vertices in order, without consecutive duplicates.
  ///
  /// - Parameter unrolls: Whether each step goes the shorter way round; otherwise it is taken literally.
  private func vertices(
    of positions: [Position], unrolls: Bool = true
  ) throws(CoordinateError) -> [ShapeVertex] {
    var vertices: [ShapeVertex] = []
    vertices.reserveCapacity(positions.count)
    var writtenX: Double?
    // Whole turns, so that vertices of a geometry that does not cross the antimeridian stay exact.
    var turns = 0.0
    for position in positions {
      var vertex = try vertex(position)
      let step = vertex.x - (writtenX ?? vertex.x)
      writtenX = vertex.x
      if unrolls, abs(step) > 0.5, abs(step) < 1 { turns += step < 0 ? 1 : -1 }
      vertex.x += turns
      if vertices.last?.isAt(vertex) != true { vertices.append(vertex) }
    }
    return vertices
  }

  // MARK: Parts

  private mutating func paths(of lines: [[Position]]) throws(CoordinateError) -> [ShapePath] {
    var paths: [ShapePath] = []
    for line in lines {
      var vertices = try vertices(of: line)
      guard vertices.count > 1 else {
        partsWithoutExtent += line.isEmpty ? 0 : 1
        continue
      }
      LineSimplification.weigh(&vertices, limit: limit)
      paths.append(ShapePath(vertices, size: ShapePath.length(of: vertices)))
    }
    return paths
  }

  private mutating func polygons(of written: [[[Position]]]) throws(CoordinateError)
    -> [ShapePolygon]
  {
    var polygons: [ShapePolygon] = []
    for rings in written {
      guard let first = rings.first else { continue }
      let lobes = try lobes(of: first)
      guard !lobes.outlines.isEmpty else {
        partsWithoutExtent += first.isEmpty ? 0 : 1
        continue
      }
      let exteriors = lobes.outlines.map { path($0, isExterior: true) }
      var holes = lobes.gaps.map { path($0, isExterior: false) }
      let box = exteriors.reduce(into: PlaneBox()) { $0.include($1.box) }
      for written in rings.dropFirst() {
        for outline in try self.lobes(of: written).outlines {
          let hole = path(outline, isExterior: false)
          // A hole may be on the other side of the antimeridian than its exterior.
          let turns =
            hole.box.minX < box.minX
            ? (box.minX - hole.box.minX).rounded(.up)
            : hole.box.maxX > box.maxX ? -(hole.box.maxX - box.maxX).rounded(.up) : 0
          holes.append(hole.shifted(by: turns))
        }
      }
      ShapePolygon.append(exteriors, with: holes, to: &polygons)
    }
    return polygons
  }

  /// The parts of a ring; none if it encloses nothing.
  private func lobes(of positions: [Position]) throws(CoordinateError) -> ShapePath.Lobes {
    var vertices = try vertices(of: positions)
    if let first = vertices.first, let last = vertices.last, !first.isAt(last) {
      // The ring runs round the Earth, as Antarctica may.
      vertices = try self.vertices(of: positions, unrolls: false)
    }
    return ShapePath.lobes(of: vertices)
  }

  /// A closed ring with the right winding.
  private func path(_ ring: [ShapeVertex], isExterior: Bool) -> ShapePath {
    var vertices = ring
    let area = ShapePath.area(of: vertices)
    if (area > 0) != isExterior { vertices.reverse() }
    LineSimplification.weigh(&vertices, limit: limit)
    vertices.removeLast()
    return ShapePath(vertices, size: abs(area))
  }

  /// The smallest weight that any zoom needs: the tolerance at the last zoom that simplifies.
  private var limit: Double { tiling.tolerance / tiling.units(atZoom: tiling.deepestZoom) }

  /// Appends the parts of a feature in this world and in the visible strips of its neighboring
  /// copies, as separate shapes.
  private func append(_ parts: TileShape.Parts, of feature: Int, to shapes: inout [TileShape]) {
    let margin = Double(tiling.buffer) / Double(tiling.extent)
    let box = TileShape(feature: feature, parts: parts).box
    guard box.minX <= box.maxX else { return }
    // The copy k worlds to the east spans k to k + 1.
    let first = Int((box.minX - 1 - margin).rounded(.up))
    let last = Int((box.maxX + margin).rounded(.down))
    guard first <= last else { return }
    for world in first...last {
      let band = ShapeBand<ColumnAxis>(
        lower: Double(world) - margin, upper: Double(world + 1) + margin)
      for var shape in band.clip([TileShape(feature: feature, parts: parts)]) {
        shape.shift(by: -Double(world))
        shapes.append(shape)
      }
    }
  }
}

extension TileShape {
  fileprivate mutating func shift(by worlds: Double) {
    guard worlds != 0 else { return }
    switch parts {
    case .points(let points):
      parts = .points(points.map { ShapeVertex(x: $0.x + worlds, y: $0.y) })
    case .lines(let lines): parts = .lines(lines.map { $0.shifted(by: worlds) })
    case .polygons(let polygons):
      parts = .polygons(
        polygons.map { polygon in
          ShapePolygon(
            exterior: polygon.exterior.shifted(by: worlds),
            holes: polygon.holes.map { $0.shifted(by: worlds) })
        })
    }
  }
}
