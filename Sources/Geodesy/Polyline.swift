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
