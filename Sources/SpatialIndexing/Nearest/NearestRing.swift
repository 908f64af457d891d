import Geodesy

/// The distance range of a search: beyond `inner`, exclusive, up to `outer`.
package struct NearestRing {
  /// Infinite if there is no limit, or if no geodesic is that long.
  package let outer: Distance
  /// nil if there is no inner limit.
  package let inner: Distance?

  /// A length in meters that no geodesic reaches, however it is rounded.
  static let longestGeodesic = WGS84.longestDistance + 1

  package init(outer: Distance = .infinity, inner: Distance? = nil) {
    self.outer = outer.meters < NearestRing.longestGeodesic ? outer : .infinity
    self.inner = inner.flatMap { $0 < .zero ? nil : $0 }
  }

  /// Whether no position can lie in the range.
  package var isEmpty: Bool {
    guard outer >= .zero else { return true }
    guard let inner else { return false }
    return inner >= outer || inner.meters >= NearestRing.longestGeodesic
  }

  /// The distance the origin may move before the set of neighbors could change; nil if it never
  /// can.
  ///
  /// Moving by r changes every distance by at most r, because the geodesic is a metric. So two
  /// positions whose distances differ by d cannot swap before r = d / 2, and none can cross a fixed
  /// limit d away before r = d.
  ///
  /// - Parameters:
  ///   - neighbors: The answer, nearest first.
  ///   - isFull: Whether another position can only enter by displacing one.
  ///   - next: The distance of the first position after the answer, in the range or beyond it.
  ///   - lastInside: The distance of the farthest position inside the inner limit.
  package func validRadius(
    of neighbors: [Neighbor], isFull: Bool, next: Distance?, lastInside: Distance?
  ) -> Distance? {
    var radius = Distance.infinity
    if let first = neighbors.first?.distance, let last = neighbors.last?.distance {
      if isFull, let next { radius = min(radius, (next - last) / 2) }
      radius = min(radius, outer - last)
      if let inner { radius = min(radius, first - inner) }
    }
    // A position that crosses the outer edge may not displace any yet, but a program that shows
    // everything within the edge then has more to show.
    if let next, next > outer { radius = min(radius, next - outer) }
    if let inner, let lastInside { radius = min(radius, inner - lastInside) }
    return radius < .infinity ? radius : nil
  }
}
