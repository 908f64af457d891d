import Geodesy

extension GroundShape {
  /// The place of the shape that is nearest to an origin, and how far it is on WGS 84; the origin itself and 0 inside
  /// of an area, nil for a shape that is nowhere.
  ///
  /// To the last bit what ``ShapeIndex`` finds, which asks many shapes in far less time.
  ///
  /// - Complexity: O(*n* log *n*) in the vertices: an index of this one shape is built.
  public func nearest(to origin: Coordinate) -> (point: Coordinate, distance: Distance)? {
    if area.contains(origin) { return (origin, .zero) }
    return ShapeIndex([self]).nearest(1, to: origin).first.map { ($0.nearestPoint, $0.distance) }
  }
}
