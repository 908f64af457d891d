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
  /// What its hours say of the moment that was asked about; nil where none was.
  public internal(set) var openStatus: OpenStatus?

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
  public internal(set) var results: [NearbyResult<Item>]
  /// How far the origin may move before another set of annotations could be the answer; nil when
  /// no movement changes it.
  public let validRadius: Distance?
  /// What the search did.
  public let statistics: SearchStatistics
  /// The first instant after the one asked about at which the same question has another answer by
  /// time alone, in seconds since 1970-01-01T00:00Z; nil when there is none, and where hours were
  /// not asked about.
  ///
  /// Another answer is one with other annotations, or in other states. Like `validRadius`, it is
  /// told for the results, not for what else is known of them.
  public internal(set) var validUntil: Int64?
  /// What lies nearer than the last result and is not open on arrival, nearest first, at most as
  /// many as results were asked for; empty where arrivals were not asked about.
  public internal(set) var passedOver: [NearbyResult<Item>] = []
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
