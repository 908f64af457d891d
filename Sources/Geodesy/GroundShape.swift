/// What something covers on the ground: places, lines and areas, any of them several, taken together.
///
///     let line = GroundShape(lines: [Polyline(stops)])
///     let park = GroundShape(area: MultiPolygon([lawn, pond]))
///
/// Edges are straight in longitude and latitude, as those of a ``Polygon`` are; borders belong to areas.
public struct GroundShape: Hashable, Sendable {
  /// One reference, so that handing a shape over counts one and not one for each of its lists.
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

  /// Places.
  public var points: [Coordinate] { parts.points }
  /// Lines.
  public var lines: [Polyline] { parts.lines }
  /// Areas.
  public var area: MultiPolygon { parts.area }

  /// A shape of all that is given; without anything it is nowhere.
  public init(
    points: [Coordinate] = [], lines: [Polyline] = [], area: MultiPolygon = MultiPolygon([])
  ) {
    parts = Parts(points, lines, area)
  }

  /// Whether it is nowhere.
  public var isEmpty: Bool {
    points.isEmpty && area.polygons.isEmpty && lines.allSatisfy { $0.points.isEmpty }
  }

  /// Calls `body` with both ends of every edge of every line and ring, in degrees, and with every place twice.
  ///
  /// Longitudes are unrolled: the ends of one edge are never more than 360° apart.
  package func forEachEdge(
    _ body: (
      _ start: (latitude: Double, longitude: Double), _ end: (latitude: Double, longitude: Double)
    ) -> Void
  ) {
    func tell(_ start: UnrolledPoint, _ end: UnrolledPoint) {
      body((start.latitude, start.x), (end.latitude, end.x))
    }
    for point in points {
      body((point.latitude, point.longitude), (point.latitude, point.longitude))
    }
    for line in lines { line.forEachEdge(tell) }
    for polygon in area.polygons { polygon.forEachEdge(body) }
  }

  /// How many edges there are, or a few more, and how many chains of edges that follow each other.
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

  /// Calls `body` with each place, line and ring, as what calls another with its edges.
  func forEachPart(
    _ body: ((_ edge: (UnrolledPoint, UnrolledPoint) -> Void) -> Void) -> Void
  ) {
    for point in points {
      let point = UnrolledPoint(longitude: point.longitude, latitude: point.latitude, turns: 0)
      body { $0(point, point) }
    }
    for line in lines { body(line.forEachEdge) }
    for polygon in area.polygons {
      body(polygon.outer.forEachEdge)
      for hole in polygon.holes { body(hole.forEachEdge) }
    }
  }

  /// A place of each part from which the whole part can be seen to lie inside or outside of something that no
  /// edge of it meets: every place, the start of every line and of every outer ring.
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
