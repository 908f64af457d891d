import Geodesy
import MapAnnotations
import SpatialIndexing

/// An annotation that answers a query, and how far it is from the query's origin.
public struct NearbyResult<Item: Annotation>: Sendable {
  /// What was found.
  public let annotation: Item
  /// Where the annotation is; an answer is always placed.
  public let coordinate: Coordinate
  /// The geodesic distance from the query's origin.
  public let distance: Distance
  /// Where the distance is measured from.
  public let origin: Coordinate

  /// The direction in which the way from the origin begins, in degrees clockwise from north,
  /// 0 ≤ b < 360; nil at distance 0 and at a pole, where there is none.
  ///
  /// - Complexity: one geodesic each time; it is not stored, so who does not ask does not pay.
  public var bearing: Double? { origin.initialBearing(to: coordinate) }
}

/// The annotations that answer a query, nearest first, and how long they stay the answer.
///
///     let three = index.nearest(3, to: cityHall)
///     print(three[0].annotation.name ?? "?", three[0].distance, three.validRadius ?? .infinity)
public struct NearbyAnswer<Item: Annotation>: Sendable {
  /// By ascending (distance, id); kind by kind where each kind was asked for.
  public let results: [NearbyResult<Item>]
  /// How far the origin may move before another set of annotations could be the answer; nil when
  /// no movement changes it.
  public let validRadius: Distance?
  /// What the search did.
  public let statistics: SearchStatistics
}

extension NearbyAnswer: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { results.startIndex }
  /// How many results there are.
  public var endIndex: Int { results.endIndex }
  /// The result at a place, the nearest at 0.
  ///
  /// - Precondition: `position` is in 0..<`count`.
  public subscript(position: Int) -> NearbyResult<Item> { results[position] }
}
