import Geodesy

/// The distances between which results lie: beyond one, exclusive, up to another, inclusive.
///
/// So two ranges that share an end neither overlap nor leave a gap.
public struct DistanceRange: Hashable, Sendable {
  /// Farther than this; nil for no such limit.
  public var beyond: Distance?
  /// The greatest distance; infinite for no such limit.
  public var within: Distance

  /// A range; empty where `beyond` is not less than `within`.
  @inlinable
  public init(beyond: Distance? = nil, within: Distance = .infinity) {
    self.beyond = beyond
    self.within = within
  }

  /// Whether a distance lies in the range.
  @inlinable
  public func contains(_ distance: Distance) -> Bool {
    distance <= within && beyond.map { distance > $0 } ?? true
  }

  /// Whether it contains every distance.
  package var isEverything: Bool { within == .infinity && beyond == nil }

  /// The distances in both ranges.
  package func intersection(_ other: DistanceRange) -> DistanceRange {
    DistanceRange(
      beyond: [beyond, other.beyond].compactMap { $0 }.max(), within: min(within, other.within))
  }
}

// MARK: - On the Earth

extension DistanceRange {
  /// A length in meters that no geodesic reaches, however it is rounded.
  static let longestGeodesic = WGS84.longestDistance + 1

  /// The range without limits that hold for every two positions on the Earth.
  package var effective: DistanceRange {
    DistanceRange(
      beyond: beyond.flatMap { $0 < .zero ? nil : $0 },
      within: within.meters < DistanceRange.longestGeodesic ? within : .infinity)
  }

  /// Whether no position can lie in the range.
  package var isEmpty: Bool {
    guard within >= .zero else { return true }
    guard let beyond else { return false }
    return beyond >= within || beyond.meters >= DistanceRange.longestGeodesic
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
    let (outer, inner) = (effective.within, effective.beyond)
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
