import Geodesy

extension Geometry {
  /// Makes the geometry of a shape: a point, a line or an area, several of one kind, or a collection of these kinds.
  ///
  /// `groundShape()` gives the same shape again, but for a line of one vertex, which becomes a point, and a line
  /// without vertices, which is left out. Edges across ±180° stay whole; rings keep their direction.
  ///
  /// - Complexity: O(*n*).
  public init(_ shape: GroundShape) {
    let paths = shape.lines.map { Geometry.positions($0.vertices) }
    let points = shape.points.map { Position($0) } + paths.filter { $0.count == 1 }.joined()
    let lines = paths.filter { $0.count > 1 }
    let polygons = shape.area.polygons.map(\.rings)
    var parts: [Geometry] = []
    if !points.isEmpty { parts.append(points.count == 1 ? .point(points[0]) : .multiPoint(points)) }
    if !lines.isEmpty {
      parts.append(lines.count == 1 ? .lineString(lines[0]) : .multiLineString(lines))
    }
    if !polygons.isEmpty {
      parts.append(polygons.count == 1 ? .polygon(polygons[0]) : .multiPolygon(polygons))
    }
    self = parts.count == 1 ? parts[0] : .geometryCollection(parts)
  }

  /// Whether the geometry is a single point.
  package var isPoint: Bool { if case .point = self { true } else { false } }

  fileprivate static func positions(_ vertices: [PolygonVertex]) -> [Position] {
    vertices.map { Position(longitude: $0.longitude, latitude: $0.latitude) }
  }

  /// The geometry as a shape for indexes: points, lines and areas.
  ///
  /// Lines and rings that continue past ±180° are read as in `wrapped`. A ring that encloses
  /// nothing (fewer than three different positions) or that goes round a pole without being cut
  /// there is treated as a line and listed in `problems`: no shape is lost.
  ///
  /// - Throws: `CoordinateError` if a position is not on the Earth.
  public func groundShape() throws(CoordinateError) -> (
    shape: GroundShape, problems: [PolygonError]
  ) {
    var parts = ShapeParts()
    try parts.add(wrapped)
    return (
      GroundShape(
        points: parts.points, lines: parts.lines, area: MultiPolygon(parts.polygons)),
      parts.problems
    )
  }

  fileprivate static func vertices(
    _ positions: [Position]
  ) throws(CoordinateError) -> [PolygonVertex] {
    try positions.map { (position) throws(CoordinateError) in
      try PolygonVertex(latitude: position.latitude, longitude: position.longitude)
    }
  }
}

extension Polygon {
  /// The outer ring and the holes.
  package var rings: [[Position]] { ([outerVertices] + holeVertices).map(Geometry.positions) }

  /// Makes the polygon of an outer ring and its holes.
  ///
  /// - Parameter rings: Positions within ±180°, as those of `Geometry.wrapped` are; the outer ring first.
  /// - Throws: `ShapeError`.
  package init(_ rings: [[Position]]) throws(ShapeError) {
    let vertices: [[PolygonVertex]]
    do throws(CoordinateError) { vertices = try rings.map(Geometry.vertices) } catch {
      throw .position(error)
    }
    do throws(PolygonError) {
      try self.init(outer: vertices.first ?? [], holes: Array(vertices.dropFirst()))
    } catch {
      throw .polygon(error)
    }
  }
}

/// Why rings do not form a polygon.
package enum ShapeError: CodedError, Hashable {
  /// A position is not on the Earth.
  case position(CoordinateError)
  /// The rings enclose nothing, or go round a pole.
  case polygon(PolygonError)

  /// The code of the error, for programs.
  package var code: String { cause.code }

  /// One sentence that names the value and says what to do.
  package var description: String { cause.description }

  private var cause: any CodedError {
    switch self {
    case .position(let error): error
    case .polygon(let error): error
    }
  }
}

/// The parts of a geometry, collected one by one.
private struct ShapeParts {
  var points: [Coordinate] = []
  var lines: [Polyline] = []
  var polygons: [Polygon] = []
  var problems: [PolygonError] = []

  mutating func add(_ geometry: Geometry) throws(CoordinateError) {
    switch geometry {
    case .point(let position): points.append(try position.coordinate())
    case .multiPoint(let positions):
      for position in positions { points.append(try position.coordinate()) }
    case .lineString(let line): try add(line)
    case .multiLineString(let lines): for line in lines { try add(line) }
    case .polygon(let rings): try add(rings)
    case .multiPolygon(let polygons): for rings in polygons { try add(rings) }
    case .geometryCollection(let members): for member in members { try add(member) }
    }
  }

  private mutating func add(_ line: [Position]) throws(CoordinateError) {
    if !line.isEmpty { lines.append(Polyline(try Geometry.vertices(line))) }
  }

  private mutating func add(_ rings: [[Position]]) throws(CoordinateError) {
    guard rings.contains(where: { !$0.isEmpty }) else { return }
    do throws(ShapeError) { polygons.append(try Polygon(rings)) } catch {
      switch error {
      case .position(let error): throw error
      case .polygon(let problem):
        problems.append(problem)
        for ring in rings { try add(ring) }
      }
    }
  }
}
