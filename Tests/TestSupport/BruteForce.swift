import Geodesy

/// The judge of every index: measures every position with the geodesic and sorts. Kept simple
/// enough to trust.
public struct BruteForce {
  public let points: [Coordinate]

  public init(_ points: [Coordinate]) { self.points = points }

  /// A position and its distance in meters.
  public struct Hit: Equatable, Sendable {
    public let position: Int
    public let meters: Double

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

  public func positions(in box: BoundingBox) -> [Int] {
    points.indices.filter { box.contains(points[$0]) }
  }
}
