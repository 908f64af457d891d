/// A line through vertices, straight in longitude and latitude from one to the next: a river, a bus line, a walk.
///
/// Longitudes are read as those of a ``Polygon`` are: two vertices more than 180° apart are joined across ±180°,
/// and from −180 to 180 exactly is once round the Earth.
public struct Polyline: Hashable, Sendable {
  /// The vertices in order, unrolled.
  let points: [UnrolledPoint]

  /// A line.
  ///
  /// - Parameter vertices: In order; a line of one vertex is a place, a line of none is nowhere.
  public init(_ vertices: [PolygonVertex]) {
    var points: [UnrolledPoint] = []
    points.reserveCapacity(vertices.count)
    var turns = 0
    for vertex in vertices {
      if let last = points.last {
        turns += PolygonRing.turns(from: last.longitude, to: vertex.longitude)
      }
      points.append(
        UnrolledPoint(longitude: vertex.longitude, latitude: vertex.latitude, turns: turns))
    }
    self.points = points
  }

  /// A line through positions; a position at ±180° has the longitude −180.
  public init(_ positions: [Coordinate]) { self.init(positions.map(PolygonVertex.init)) }

  /// The vertices in order.
  public var vertices: [PolygonVertex] {
    points.map { PolygonVertex(unchecked: $0.latitude, $0.longitude) }
  }

  /// Calls `body` with both ends of each step; of a line of one vertex, with that twice.
  @inline(__always)
  func forEachEdge(_ body: (UnrolledPoint, UnrolledPoint) -> Void) {
    guard var start = points.first else { return }
    if points.count == 1 { body(start, start) }
    for end in points.dropFirst() {
      body(start, end)
      start = end
    }
  }
}
