import Geodesy

/// The judge of every index: measures every position with the geodesic and sorts.
///
/// Kept simple enough to trust.
public struct BruteForce {
  /// The positions, in the order in which ties come out.
  public let points: [Coordinate]

  /// Judges over these positions.
  public init(_ points: [Coordinate]) { self.points = points }

  /// A position and its distance in meters.
  public struct Hit: Equatable, Sendable {
    /// The offset among the judge's points.
    public let position: Int
    /// The geodesic distance.
    public let meters: Double

    /// Pairs a position with its distance.
    public init(position: Int, meters: Double) {
      self.position = position
      self.meters = meters
    }
  }

  /// Every position in the ring by (distance, position).
  public func ranked(
    from origin: Coordinate, within outer: Double = .infinity, beyond inner: Double? = nil,
    where isIncluded: (Int) -> Bool = { _ in true }
  ) -> [Hit] {
    points.indices
      .filter(isIncluded)
      .map { Hit(position: $0, meters: origin.distance(to: points[$0]).meters) }
      .filter { $0.meters <= outer && $0.meters > (inner ?? -1) }
      .sorted { ($0.meters, $0.position) < ($1.meters, $1.position) }
  }

  /// Every position in an area, in ascending order.
  public func positions(in area: some Area) -> [Int] {
    points.indices.filter { area.contains(points[$0]) }
  }
}
