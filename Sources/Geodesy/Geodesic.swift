/// The shortest line between two positions on the WGS 84 ellipsoid.
///
/// Accurate to about 15 nm for every pair, including opposite points.
///
///     let line = Geodesic.inverse(from: cityHall, to: harbor)
///     print(line.distance, line.azimuth1)
///
/// If several lines are equally short (from pole to pole, or between opposite points), the result
/// is one of them. Azimuths have no meaning when the distance is 0.
///
/// Source: C. F. F. Karney, "Algorithms for geodesics", J. Geodesy 87, 2013,
/// doi:10.1007/s00190-012-0578-z, written from its equations; `InverseProblem` lists the departures
/// from the paper.
public struct Geodesic: Hashable, Sendable {
  /// The length of the line.
  public let distance: Distance
  /// The direction at the first end toward the second, in degrees clockwise from north, −180…180.
  public let azimuth1: Double
  /// The direction at the second end, onward from the first, in degrees, −180…180.
  public let azimuth2: Double

  /// The shortest line from one position to another.
  ///
  /// The distance is bit for bit the same when the positions are exchanged, when both latitudes
  /// change sign and when both longitudes do. It does not depend on the longitude of a pole. The
  /// azimuth at a pole is measured from the meridian that the pole was made with.
  ///
  /// - Complexity: O(1): 0.15 µs for neighbors, 0.6 µs for far points. Allocates nothing.
  public static func inverse(from start: Coordinate, to end: Coordinate) -> Geodesic {
    let line = inverse(
      latitude1: start.latitude, longitude1: start.longitude,
      latitude2: end.latitude, longitude2: end.longitude)
    return Geodesic(
      distance: .meters(line.distance), azimuth1: line.azimuth1, azimuth2: line.azimuth2)
  }
}
