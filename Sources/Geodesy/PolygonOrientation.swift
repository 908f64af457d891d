/// A point in the plane of unrolled longitudes and latitudes: `turns` whole turns east of
/// `longitude`.
///
/// The sum longitude + 360 · turns is not always a `Double`, so its two parts are stored, with the
/// rounded sum for decisions that are clear.
struct UnrolledPoint: Hashable, Sendable {
  let longitude: Double
  let latitude: Double
  let turns: Int
  /// longitude + 360 · turns, rounded: relative error at most 2⁻⁵³.
  let x: Double

  init(longitude: Double, latitude: Double, turns: Int) {
    self.longitude = longitude
    self.latitude = latitude
    self.turns = turns
    x = turns == 0 ? longitude : longitude + 360 * Double(turns)
  }

  @inline(__always)
  init(_ vertex: PolygonVertex, turns: Int) {
    self.init(longitude: vertex.longitude, latitude: vertex.latitude, turns: turns)
  }

  /// The vertex as it was given.
  var vertex: PolygonVertex { PolygonVertex(unchecked: latitude, longitude) }

  fileprivate var exactX: PolygonExactNumber {
    PolygonExactNumber(longitude) + PolygonExactNumber(360 * Double(turns))
  }

  /// Whether `self` lies west (−1) or east (1) of `other`, or on its meridian (0); exact.
  func sideOfMeridian(of other: UnrolledPoint) -> Int {
    if turns == other.turns {
      return longitude < other.longitude ? -1 : longitude > other.longitude ? 1 : 0
    }
    let difference = x - other.x
    if abs(difference) > 1e-6 { return difference < 0 ? -1 : 1 }
    return (exactX - other.exactX).sign
  }

  /// Whether the two points are equal; exact.
  func coincides(with other: UnrolledPoint) -> Bool {
    latitude == other.latitude && sideOfMeridian(of: other) == 0
  }
}

/// Whether `c` lies to the left of the line from `a` to `b` (1), to its right (−1) or on it (0);
/// exact for any finite numbers.
///
/// The sign of the determinant (bx − ax)(cy − ay) − (by − ay)(cx − ax). It is computed in floating
/// point first, and trusted when it exceeds its maximum rounding error; otherwise, for points on or
/// very near the line, it is computed again with integers.
///
/// Source: J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
/// Predicates", Discrete & Computational Geometry 18, 1997, for the bound. Instead of its
/// expansions we use integers, which cannot underflow.
func orientation(_ a: UnrolledPoint, _ b: UnrolledPoint, _ c: UnrolledPoint) -> Int {
  let left = (b.x - a.x) * (c.latitude - a.latitude)
  let right = (b.latitude - a.latitude) * (c.x - a.x)
  let determinant = left - right
  // Shewchuk's (3 + 16 ε) ε for the sums and products, and the rounding of each unrolled x.
  let arithmetic = 3.330_669_073_875_472e-16 * (abs(left) + abs(right))
  let isUnrolled = a.turns != 0 || b.turns != 0 || c.turns != 0
  let unrolling =
    isUnrolled
    ? 0x1p-52 * (abs(a.x) + abs(b.x) + abs(c.x))
      * (abs(c.latitude - a.latitude) + abs(b.latitude - a.latitude)) : 0
  // Products below this may have lost bits to underflow.
  let underflow = 1e-290
  if abs(determinant) > arithmetic + unrolling + underflow { return determinant < 0 ? -1 : 1 }
  return exactOrientation(a, b, c)
}

private func exactOrientation(_ a: UnrolledPoint, _ b: UnrolledPoint, _ c: UnrolledPoint) -> Int {
  let aLatitude = PolygonExactNumber(a.latitude)
  let left = (b.exactX - a.exactX) * (PolygonExactNumber(c.latitude) - aLatitude)
  let right = (PolygonExactNumber(b.latitude) - aLatitude) * (c.exactX - a.exactX)
  return (left - right).sign
}
