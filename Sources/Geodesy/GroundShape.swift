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
  fileprivate var coordinate: Coordinate {
    Coordinate(unchecked: latitude, longitude == 180 ? -180 : longitude)
  }
}
