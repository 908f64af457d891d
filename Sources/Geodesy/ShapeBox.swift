/// The box around a shape in the plane of unrolled longitudes.
package struct ShapeBox: BitwiseCopyable, Sendable {
  @usableFromInline var west = Double.infinity, east = -Double.infinity
  @usableFromInline var south = Double.infinity, north = -Double.infinity

  /// An empty box.
  @inlinable package init() {}

  /// - Parameters:
  ///   - least: The least latitude and unrolled longitude.
  ///   - greatest: The greatest.
  init(from least: SIMD2<Double>, to greatest: SIMD2<Double>) {
    (south, west) = (least.x, least.y)
    (north, east) = (greatest.x, greatest.y)
  }

  /// The box around a whole shape.
  ///
  /// - Complexity: O(*v*) for *v* vertices.
  package init(around shape: GroundShape) {
    shape.forEachChain { extend(over: $0.box) }
  }

  /// Extends the box to contain another.
  package mutating func extend(over other: ShapeBox) {
    south = min(south, other.south)
    north = max(north, other.north)
    west = min(west, other.west)
    east = max(east, other.east)
  }

  /// Whether a box may intersect this one; never false if it does.
  @inlinable
  package func mayMeet(_ box: BoundingBox) -> Bool {
    // More than the rounding error of an unrolled longitude.
    let slack = 1e-9
    guard box.south <= north, box.north >= south else { return false }
    let first = ((west - slack - box.west - box.width) / 360).rounded(.up)
    return first * 360 <= east + slack - box.west
  }
}
