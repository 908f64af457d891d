import Geodesy

/// The distances between which a search looks: beyond `inner`, itself excluded, up to `outer`.
package struct NearestRing {
  /// Infinite where nothing limits it, and also where no geodesic is so long.
  package let outer: Distance
  /// nil where there is no hole.
  package let inner: Distance?

  /// A length in meters that no geodesic reaches, however it is rounded.
  static let longestGeodesic = WGS84.longestDistance + 1

  package init(outer: Distance = .infinity, inner: Distance? = nil) {
    self.outer = outer.meters < NearestRing.longestGeodesic ? outer : .infinity
    self.inner = inner.flatMap { $0 < .zero ? nil : $0 }
  }

  /// Whether no position can lie in the ring.
  package var isEmpty: Bool {
    guard outer >= .zero else { return true }
    guard let inner else { return false }
    return inner >= outer || inner.meters >= NearestRing.longestGeodesic
  }

  /// How far the origin may move before the set of neighbors could change; nil where it cannot.
  ///
  /// Moving by r changes every distance by at most r, because the geodesic is a metric. So two
  /// positions d apart in distance cannot change places before r = d / 2, and none can pass a
  /// fixed limit that it is d away from before r = d.
  ///
  /// - Parameters:
  ///   - neighbors: The answer, nearest first.
  ///   - isFull: Whether another position can only come in by driving one out.
  ///   - next: The distance of the first position after the answer, in the ring or beyond it.
  ///   - lastInside: The distance of the farthest position in the hole.
  package func validRadius(
    of neighbors: [Neighbor], isFull: Bool, next: Distance?, lastInside: Distance?
  ) -> Distance? {
    var radius = Distance.infinity
    if let first = neighbors.first?.distance, let last = neighbors.last?.distance {
      if isFull, let next { radius = min(radius, (next - last) / 2) }
      radius = min(radius, outer - last)
      if let inner { radius = min(radius, first - inner) }
    }
    // One that comes in across the outer edge may not drive any out yet, but then a program that
    // keeps what is within the edge has more to show.
    if let next, next > outer { radius = min(radius, next - outer) }
    if let inner, let lastInside { radius = min(radius, inner - lastInside) }
    return radius < .infinity ? radius : nil
  }
}
