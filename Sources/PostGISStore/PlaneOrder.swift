import Geodesy

/// What the order by distance in the plane of longitude and latitude, in degrees, says about distances on WGS 84.
///
/// Take the shortest curve from the origin to a position that is at least *d* degrees away in the plane. Either it meets
/// ±180° or a pole, or it leaves the circle of *d* degrees around the origin. A step in the circle is at least the
/// step in the plane, in radians, times the smallest radius of curvature, a(1 − e²), times the smallest cosine of a
/// latitude there. So the curve is at least *d* times both long.
struct PlaneOrder {
  private let latitude: Double
  /// A lower bound of the distance to the meridian of ±180°, which contains the poles, in meters.
  private let edge: Double
  private static let metersPerDegree = 6_335_439.327 * Double.pi / 180
  /// The effect of rounding on distances on both sides, in meters.
  private static let slack = 0.01

  init(from origin: Coordinate) {
    latitude = abs(origin.latitude)
    edge = BoundingBox(unchecked: -90, -180, 90, -180).leastDistance(from: origin).meters
  }

  /// A lower bound of the distance to all positions that are at least some degrees away in the plane, in meters.
  func leastDistance(beyond degrees: Double) -> Double {
    // The product below grows up to here, at least; what is farther away leaves the smaller circle, too.
    let degrees = min(degrees, (90 - latitude) / 2)
    let least =
      degrees * PlaneOrder.metersPerDegree * cosine((latitude + degrees) * .pi / 180)
    return min(least, edge) - PlaneOrder.slack
  }

  /// How many of evenly spread positions are not farther in the plane than the farthest of the `count` nearest.
  func count(ofNearest count: Int) -> Int {
    // A circle on the ground is narrow from north to south in the plane. Close to a pole, circles will not do.
    let widening = 1 / max(cosine(latitude * .pi / 180), 0.125)
    return Int(Double(count) * 1.2 * widening) + 5
  }
}
