import Geodesy

/// All places no farther than a distance from a straight line in space, which may be a point.
package struct Capsule {
  package let start: ECEFPosition
  /// From the start of the line to its end, in meters.
  package let x, y, z: Double
  /// 1 / m²; 0 for a point.
  package let perSquaredLength: Double
  /// In meters.
  package var reach: Double

  package init(from start: ECEFPosition, to end: ECEFPosition, reach: Double) {
    self.start = start
    (x, y, z) = (end.x - start.x, end.y - start.y, end.z - start.z)
    let squared = x * x + y * y + z * z
    // Shorter than rounding is a point.
    perSquaredLength = squared > 1e-20 ? 1 / squared : 0
    self.reach = reach
  }

  /// The nearest place of the line, as a part of it, and how far it is, squared.
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
    // As two choices, which need no branch.
    let atLeast = along > 0 ? along : 0
    let fraction = atLeast < 1 ? atLeast : 1
    let (qx, qy, qz) = (px - fraction * x, py - fraction * y, pz - fraction * z)
    return (fraction, qx * qx + qy * qy + qz * qz)
  }

  /// The place of the line at a part of it.
  package func place(at fraction: Double) -> ECEFPosition {
    ECEFPosition(
      x: start.x + fraction * x, y: start.y + fraction * y, z: start.z + fraction * z)
  }
}
