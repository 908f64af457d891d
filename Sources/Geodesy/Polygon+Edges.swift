extension Polygon {
  /// Calls `body` with both ends of every edge of every ring, in degrees.
  ///
  /// Longitudes are unrolled: the ends of one edge are never more than 360° apart, and a ring
  /// across ±180° continues beyond it.
  package func forEachEdge(
    _ body: (
      _ start: (latitude: Double, longitude: Double), _ end: (latitude: Double, longitude: Double)
    ) -> Void
  ) {
    for ring in [outer] + holes {
      ring.forEachEdge { start, end in
        body((start.latitude, start.x), (end.latitude, end.x))
      }
    }
  }
}
