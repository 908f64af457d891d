/// A set of points, lines and areas on the ground, taken together.
///
///     let line = GroundShape(lines: [Polyline(stops)])
///     let park = GroundShape(area: MultiPolygon([lawn, pond]))
///
/// Edges are straight in longitude and latitude, as in a ``Polygon``; areas include their borders.
public struct GroundShape: Hashable, Sendable {
  /// All lists in one object, so that copying a shape counts one reference instead of one for each list.
  private let parts: Parts

  private final class Parts: Hashable, Sendable {
    let points: [Coordinate]
    let lines: [Polyline]
    let area: MultiPolygon

    init(_ points: [Coordinate], _ lines: [Polyline], _ area: MultiPolygon) {
      (self.points, self.lines, self.area) = (points, lines, area)
    }

    static func == (a: Parts, b: Parts) -> Bool {
      a === b || a.points == b.points && a.lines == b.lines && a.area == b.area
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(points)
      hasher.combine(lines)
      hasher.combine(area)
    }
  }

  /// The points.
  public var points: [Coordinate] { parts.points }
  /// The lines.
  public var lines: [Polyline] { parts.lines }
  /// The areas.
  public var area: MultiPolygon { parts.area }

  /// A shape of the given parts; without parts it is empty.
  public init(
    points: [Coordinate] = [], lines: [Polyline] = [], area: MultiPolygon = MultiPolygon([])
  ) {
    parts = Parts(points, lines, area)
  }

  /// Whether the shape has no points, lines or areas.
  public var isEmpty: Bool {
    points.isEmpty && area.polygons.isEmpty && lines.allSatisfy { $0.points.isEmpty }
  }

  /// Calls `body` with both ends of every edge of every line and ring, in degrees; a point is passed as both ends.
  ///
  /// Longitudes are unrolled: the ends of one edge are never more than 360° apart.
  package func forEachEdge(
    _ body: (
      _ start: (latitude: Double, longitude: Double), _ end: (latitude: Double, longitude: Double)
    ) -> Void
  ) {
    forEachChain { chain in
      chain.forEachEdge { start, end in
        body((start.latitude, start.x), (end.latitude, end.x))
      }
    }
  }

  /// Calls `body` with every point, every line that is not empty, and every ring.
  package func forEachChain(_ body: (VertexChain) -> Void) {
    for point in points { body(VertexChain(point)) }
    for line in lines { VertexChain(line).map(body) }
    for polygon in area.polygons {
      VertexChain(polygon.outer).map(body)
      for hole in polygon.holes { VertexChain(hole).map(body) }
    }
  }

  /// An upper estimate of the number of edges, and the number of chains of consecutive edges.
  package var edgeCount: (edges: Int, chains: Int) {
    var edges = points.count, chains = points.count + lines.count
    for line in lines { edges += max(1, line.points.count) }
    for polygon in area.polygons {
      edges += polygon.outer.vertices.count
      for hole in polygon.holes { edges += hole.vertices.count }
      chains += 1 + polygon.holes.count
    }
    return (edges, chains)
  }

  /// One position of each part: every point, and the first vertex of every line and outer ring.
  ///
  /// If no edge of the part meets something, this position decides whether the part is inside it.
  var footholds: [Coordinate] {
    points
      + lines.compactMap { $0.points.first?.coordinate }
      + area.polygons.compactMap { $0.outer.vertices.first?.coordinate }
  }
}

extension UnrolledPoint {
  fileprivate var coordinate: Coordinate { Coordinate(unchecked: latitude, longitude) }
}

extension GroundShape {
  /// Whether the shape and a box intersect; borders count, and the test is exact.
  ///
  /// - Complexity: O(*n*) in the vertices.
  public func meets(_ box: BoundingBox) -> Bool {
    for point in points where box.contains(point) { return true }
    var meets = false
    forEachChain { chain in
      if !meets { chain.forEachEdge { if !meets { meets = box.meets($0, $1) } } }
    }
    if meets { return true }
    // No edge enters the box, so the area contains all of the box or nothing of it.
    return area.contains(Coordinate(unchecked: box.south, box.west))
  }

  /// Whether the shape and an area intersect; borders count, and the test is exact.
  ///
  /// - Complexity: O(*n* + *m* + *n m* / 16) in the vertices; vertices far from each other cost one
  ///   comparison.
  public func meets(_ other: MultiPolygon) -> Bool {
    // If no edges meet, one position of each part decides.
    for place in footholds where other.contains(place) { return true }
    let other = GroundShape(area: other)
    for place in other.footholds where area.contains(place) { return true }
    let runs = EdgeRun.runs(of: other)
    var meets = false
    forEachChain { chain in
      chain.forEachEdge { start, end in
        if !meets { meets = runs.contains { $0.meets(start, end) } }
      }
    }
    return meets
  }
}

/// A run of consecutive edges and the box around them in the plane.
private struct EdgeRun {
  private var edges: [(UnrolledPoint, UnrolledPoint)] = []
  private var box = ShapeBox()

  private static let size = 16

  static func runs(of shape: GroundShape) -> [EdgeRun] {
    var runs: [EdgeRun] = []
    shape.forEachChain { chain in
      var run = EdgeRun()
      chain.forEachEdge { start, end in
        run.edges.append((start, end))
        run.box.extend(over: ShapeBox(around: start, end))
        if run.edges.count == size {
          runs.append(run)
          run = EdgeRun()
        }
      }
      if !run.edges.isEmpty { runs.append(run) }
    }
    return runs
  }

  /// Whether an edge, moved by any number of whole turns, meets an edge of this run.
  func meets(_ start: UnrolledPoint, _ end: UnrolledPoint) -> Bool {
    guard let turns = box.turns(reaching: ShapeBox(around: start, end)) else { return false }
    for turn in turns {
      let first = start.turned(by: turn), last = end.turned(by: turn)
      if edges.contains(where: { edgesMeet(first, last, $0.0, $0.1) }) { return true }
    }
    return false
  }
}

extension ShapeBox {
  /// The box around an edge.
  fileprivate init(around start: UnrolledPoint, _ end: UnrolledPoint) {
    (south, west) = (min(start.latitude, end.latitude), min(start.x, end.x))
    (north, east) = (max(start.latitude, end.latitude), max(start.x, end.x))
  }

  /// The numbers of whole turns that may make another box meet this one; nil if there are none.
  fileprivate func turns(reaching other: ShapeBox) -> ClosedRange<Int>? {
    guard other.south <= north, other.north >= south else { return nil }
    // More than the rounding error of an unrolled longitude, in degrees.
    let slack = 1e-9
    let first = ((west - slack - other.east) / 360).rounded(.up)
    let last = ((east + slack - other.west) / 360).rounded(.down)
    return first <= last ? Int(first)...Int(last) : nil
  }
}

/// Whether two edges in the plane have a point in common; exact.
func edgesMeet(
  _ a: UnrolledPoint, _ b: UnrolledPoint, _ c: UnrolledPoint, _ d: UnrolledPoint
) -> Bool {
  guard min(a.latitude, b.latitude) <= max(c.latitude, d.latitude),
    max(a.latitude, b.latitude) >= min(c.latitude, d.latitude),
    westmost(a, b).sideOfMeridian(of: eastmost(c, d)) <= 0,
    eastmost(a, b).sideOfMeridian(of: westmost(c, d)) >= 0
  else { return false }
  // If their extents overlap on both axes, the edges are apart only when one lies on one side of the other.
  return orientation(a, b, c) * orientation(a, b, d) <= 0
    && orientation(c, d, a) * orientation(c, d, b) <= 0
}

extension Coordinate {
  /// Whether the position lies on an edge between two points in degrees, whose longitudes may be unrolled; exact for
  /// these numbers.
  package func isOnEdge(
    from start: (latitude: Double, longitude: Double), to end: (latitude: Double, longitude: Double)
  ) -> Bool {
    let first = UnrolledPoint(longitude: start.longitude, latitude: start.latitude, turns: 0)
    let last = UnrolledPoint(longitude: end.longitude, latitude: end.latitude, turns: 0)
    let nearest = Int(((start.longitude - longitude) / 360).rounded())
    return (nearest - 1...nearest + 1).contains { turns in
      let point = UnrolledPoint(longitude: longitude, latitude: latitude, turns: turns)
      return edgesMeet(point, point, first, last)
    }
  }
}

private func westmost(_ a: UnrolledPoint, _ b: UnrolledPoint) -> UnrolledPoint {
  a.sideOfMeridian(of: b) <= 0 ? a : b
}

private func eastmost(_ a: UnrolledPoint, _ b: UnrolledPoint) -> UnrolledPoint {
  a.sideOfMeridian(of: b) >= 0 ? a : b
}

extension UnrolledPoint {
  fileprivate func turned(by more: Int) -> UnrolledPoint {
    UnrolledPoint(longitude: longitude, latitude: latitude, turns: turns + more)
  }
}

extension BoundingBox {
  /// Whether an edge, moved by any number of whole turns, has a point in the box; exact.
  fileprivate func meets(_ start: UnrolledPoint, _ end: UnrolledPoint) -> Bool {
    let plane = ShapeBox(from: SIMD2(south, west), to: SIMD2(north, west + width))
    guard let turns = plane.turns(reaching: ShapeBox(around: start, end)) else { return false }
    if width >= 360 { return true }
    let eastTurns = west > east ? 1 : 0
    return turns.contains { turn in
      let a = start.turned(by: turn), b = end.turned(by: turn)
      let southWest = UnrolledPoint(longitude: west, latitude: south, turns: 0)
      let northEast = UnrolledPoint(longitude: east, latitude: north, turns: eastTurns)
      guard westmost(a, b).sideOfMeridian(of: northEast) <= 0,
        eastmost(a, b).sideOfMeridian(of: southWest) >= 0
      else { return false }
      let northWest = UnrolledPoint(longitude: west, latitude: north, turns: 0)
      let southEast = UnrolledPoint(longitude: east, latitude: south, turns: eastTurns)
      let sides = [southWest, northWest, southEast, northEast].map { orientation(a, b, $0) }
      return (sides.min() ?? 0) <= 0 && (sides.max() ?? 0) >= 0
    }
  }
}

/// A line through vertices, straight in longitude and latitude between them: a river, a bus line, a walk.
///
/// Longitudes are read as in a ``Polygon``: two vertices more than 180° apart are joined across ±180°, and an edge from
/// −180 to 180 exactly goes once round the Earth.
public struct Polyline: Hashable, Sendable {
  /// The vertices in order, unrolled.
  let points: UnrolledVertices

  /// Makes a line from its vertices.
  ///
  /// - Parameter vertices: In order; a line of one vertex is a point, a line without vertices is empty.
  public init(_ vertices: [PolygonVertex]) {
    points = UnrolledVertices(vertices, count: vertices.count)
  }

  /// Makes a line through positions; a position at ±180° has the longitude −180.
  public init(_ positions: [Coordinate]) { self.init(positions.map(PolygonVertex.init)) }

  /// The vertices in order.
  public var vertices: [PolygonVertex] { points.map(\.vertex) }
}

/// Vertices of a shape that follow each other, with an edge from each to the next: a line, a ring, or a point as an edge
/// of no length.
package struct VertexChain {
  private let first: UnrolledPoint
  private let others: UnrolledVertices
  /// The place of the second vertex among the others.
  private let second: Int

  /// A ring, from its last vertex to its last vertex.
  init?(_ ring: PolygonRing) {
    guard let last = ring.vertices.last else { return nil }
    (first, others, second) = (last, ring.vertices, 0)
  }

  init?(_ line: Polyline) {
    guard let start = line.points.first else { return nil }
    (first, others, second) = (start, line.points, 1)
  }

  init(_ point: Coordinate) {
    first = UnrolledPoint(longitude: point.longitude, latitude: point.latitude, turns: 0)
    (others, second) = (UnrolledVertices([], count: 0), 0)
  }

  /// How many vertices there are, two at least; that of a point is there twice.
  package var count: Int { max(2, 1 + others.count - second) }

  /// Writes the latitudes and unrolled longitudes of the vertices, in degrees.
  ///
  /// - Parameter vertices: Room for `count`.
  package func write(to vertices: UnsafeMutablePointer<SIMD2<Double>>) {
    vertices.initialize(to: first.place)
    // A second vertex, where no other is written in its place.
    (vertices + 1).initialize(to: first.place)
    others.withUnsafeVertices { others in
      for place in second..<max(second, others.count) {
        (vertices + 1 + place - second).initialize(to: others[place].place)
      }
    }
  }

  /// The box around the vertices.
  package var box: ShapeBox {
    var least = first.place, greatest = least
    others.withUnsafeVertices { others in
      for number in second..<max(second, others.count) {
        let place = others[number].place
        least.replace(with: place, where: place .< least)
        greatest.replace(with: place, where: place .> greatest)
      }
    }
    return ShapeBox(from: least, to: greatest)
  }

  /// Calls `body` with both ends of each edge.
  func forEachEdge(_ body: (UnrolledPoint, UnrolledPoint) -> Void) {
    var start = first
    if others.count == second { body(start, start) }
    for end in others.dropFirst(second) {
      body(start, end)
      start = end
    }
  }
}

extension UnrolledPoint {
  /// The latitude and the unrolled longitude.
  fileprivate var place: SIMD2<Double> { SIMD2(latitude, x) }
}

/// The box around a shape in the plane of unrolled longitudes.
package struct ShapeBox: BitwiseCopyable, Sendable {
  @usableFromInline var west = Double.infinity, east = -Double.infinity
  @usableFromInline var south = Double.infinity, north = -Double.infinity

  /// An empty box.
  @inlinable package init() {}

  /// - Parameters:
  ///   - least: The least latitude and unrolled longitude.
  ///   - greatest: The greatest.
  init(from least: SIMD2<Double>, to greatest: SIMD2<Double>) {
    (south, west) = (least.x, least.y)
    (north, east) = (greatest.x, greatest.y)
  }

  /// The box around a whole shape.
  ///
  /// - Complexity: O(*v*) for *v* vertices.
  package init(around shape: GroundShape) {
    shape.forEachChain { extend(over: $0.box) }
  }

  /// Extends the box to contain another.
  package mutating func extend(over other: ShapeBox) {
    south = min(south, other.south)
    north = max(north, other.north)
    west = min(west, other.west)
    east = max(east, other.east)
  }

  /// Whether a box may intersect this one; never false if it does.
  @inlinable
  package func mayMeet(_ box: BoundingBox) -> Bool {
    // More than the rounding error of an unrolled longitude.
    let slack = 1e-9
    guard box.south <= north, box.north >= south else { return false }
    let first = ((west - slack - box.west - box.width) / 360).rounded(.up)
    return first * 360 <= east + slack - box.west
  }
}
