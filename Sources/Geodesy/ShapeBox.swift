/// The box around a shape in the plane of unrolled longitudes.
package struct ShapeBox: BitwiseCopyable, Sendable {
  @usableFromInline var west = Double.infinity, east = -Double.infinity
  @usableFromInline var south = Double.infinity, north = -Double.infinity

  /// An empty box.
  @inlinable package init() {}

  /// The box around a whole shape.
  ///
  /// - Complexity: O(*v*) for *v* vertices.
  package init(around shape: GroundShape) {
    shape.forEachEdge { start, end in
      extend(over: SIMD2(start.latitude, start.longitude))
      extend(over: SIMD2(end.latitude, end.longitude))
    }
  }

  /// - Parameter place: A latitude and an unrolled longitude.
  @inlinable
  package mutating func extend(over place: SIMD2<Double>) {
    south = min(south, place.x)
    north = max(north, place.x)
    west = min(west, place.y)
    east = max(east, place.y)
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
