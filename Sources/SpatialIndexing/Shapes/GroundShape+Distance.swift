import Geodesy

extension GroundShape {
  /// The point of the shape nearest to an origin, and its distance on WGS 84.
  ///
  /// That is the origin itself and 0 inside an area, and nil for an empty shape.
  ///
  /// Bit for bit the answer of ``ShapeIndex``, which searches many shapes in far less time.
  ///
  /// - Complexity: O(*n* log *n*) in the vertices: an index of this one shape is built.
  public func nearest(to origin: Coordinate) -> (point: Coordinate, distance: Distance)? {
    if area.contains(origin) { return (origin, .zero) }
    return ShapeIndex([self]).nearest(1, to: origin).first.map { ($0.nearestPoint, $0.distance) }
  }
}
