import Geodesy
import MapAnnotations

/// An area whose crossings are reported: a circle on the ground, or polygons with holes.
///
/// Borders are included. `contains` agrees with queries: a circle contains the results of
/// `KDTreeIndex.neighbors(within:of:)`, a polygon the positions of `Polygon.contains(_:)`.
///
///     let school = try Fence(id: "school", center: gate, radius: .meters(150))
public struct Fence: Hashable, Sendable, Identifiable {
  /// The caller's id; several fences may have the same.
  public let id: AnnotationID
  /// The display name; nil for none.
  public let name: String?
  /// The shape of the fence.
  public let shape: Shape

  /// The shape of a fence.
  public enum Shape: Hashable, Sendable {
    /// Everything within a geodesic distance of a center.
    case circle(center: Coordinate, radius: Distance)
    /// One or more polygons, taken together.
    case polygons(MultiPolygon)
  }

  /// The longest radius of a circle.
  ///
  /// Circles on the ellipsoid are convex up to a quarter of the Earth's circumference, so a
  /// geodesic enters and leaves at most once; half of that leaves room for the path.
  public static let longestRadius = Distance.kilometers(5_000)

  /// Makes a circle.
  ///
  /// - Parameters:
  ///   - id: The id in events.
  ///   - name: The name, for people.
  ///   - center: The center of the circle.
  ///   - radius: 0 to ``longestRadius``; a circle of radius 0 contains only its center.
  /// - Throws: `FenceError.radius` for any other radius.
  public init(
    id: AnnotationID, name: String? = nil, center: Coordinate, radius: Distance
  ) throws(FenceError) {
    guard radius >= .zero, radius <= Fence.longestRadius else { throw .radius(radius.meters) }
    self.id = id
    self.name = name
    shape = .circle(center: center, radius: radius)
  }

  /// Makes a fence of polygons, taken together.
  ///
  /// - Throws: `FenceError.noPolygon` if there are none.
  public init(id: AnnotationID, name: String? = nil, area: MultiPolygon) throws(FenceError) {
    guard !area.polygons.isEmpty else { throw .noPolygon }
    self.id = id
    self.name = name
    shape = .polygons(area)
  }

  /// Whether a position lies in the fence or on its border.
  ///
  /// - Complexity: a geodesic for a circle, O(*n*) in the vertices of polygons.
  public func contains(_ position: Coordinate) -> Bool {
    switch shape {
    case .circle(let center, let radius): center.distance(to: position) <= radius
    case .polygons(let area): area.contains(position)
    }
  }
}

/// An error in making a fence.
public enum FenceError: CodedError, Hashable {
  /// A radius that is negative, not finite or too long; in meters.
  case radius(Double)
  /// An area without polygons.
  case noPolygon

  /// The code of the error, for programs.
  public var code: String {
    switch self {
    case .radius: "fence-radius"
    case .noPolygon: "fence-empty"
    }
  }

  /// One sentence that names the value and says what to do.
  public var description: String {
    switch self {
    case .radius(let meters):
      """
      a fence's radius cannot be \(plainDecimal(meters)) m; give 0 to \
      \(plainDecimal(Fence.longestRadius.kilometers)) km, or a polygon
      """
    case .noPolygon: "an area without a polygon cannot be a fence; give one"
    }
  }
}
