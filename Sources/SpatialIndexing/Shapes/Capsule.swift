import Geodesy

/// All points within a distance of a line segment in space, which may be a point.
package struct Capsule {
  package let start: ECEFPosition
  /// The vector from the start of the segment to its end, in meters.
  package let x, y, z: Double
  /// The inverse squared length in 1 / m²; 0 for a point.
  package let perSquaredLength: Double
  /// The radius in meters.
  package var reach: Double

  package init(from start: ECEFPosition, to end: ECEFPosition, reach: Double) {
    self.start = start
    (x, y, z) = (end.x - start.x, end.y - start.y, end.z - start.z)
    let squared = x * x + y * y + z * z
    // A segment shorter than rounding is a point.
    perSquaredLength = squared > 1e-20 ? 1 / squared : 0
    self.reach = reach
  }

  /// The nearest point of the segment, as a fraction of its length, and its squared distance.
  @inline(__always)
  package func nearest(to place: ECEFPosition) -> (fraction: Double, squaredDistance: Double) {
    nearest(place.x, place.y, place.z)
  }

  @inline(__always)
  package func nearest(
    _ placeX: Double, _ placeY: Double, _ placeZ: Double
  ) -> (fraction: Double, squaredDistance: Double) {
    let (px, py, pz) = (placeX - start.x, placeY - start.y, placeZ - start.z)
    let along = (px * x + py * y + pz * z) * perSquaredLength
    // Two selections, which need no branch.
    let atLeast = along > 0 ? along : 0
    let fraction = atLeast < 1 ? atLeast : 1
    let (qx, qy, qz) = (px - fraction * x, py - fraction * y, pz - fraction * z)
    return (fraction, qx * qx + qy * qy + qz * qz)
  }

  /// The point of the segment at a fraction of its length.
  package func place(at fraction: Double) -> ECEFPosition {
    ECEFPosition(
      x: start.x + fraction * x, y: start.y + fraction * y, z: start.z + fraction * z)
  }
}
