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
