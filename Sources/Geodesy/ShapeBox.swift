/// The box around a shape in the plane, where longitudes are unrolled.
package struct ShapeBox: BitwiseCopyable, Sendable {
  @usableFromInline var west = Double.infinity, east = -Double.infinity
  @usableFromInline var south = Double.infinity, north = -Double.infinity

  /// Around nothing.
  @inlinable package init() {}

  /// Around a whole shape.
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

  /// Makes the box go around another, too.
  package mutating func extend(over other: ShapeBox) {
    south = min(south, other.south)
    north = max(north, other.north)
    west = min(west, other.west)
    east = max(east, other.east)
  }

  /// Whether a box may have a place in common with this; errs on the side of yes.
  @inlinable
  package func mayMeet(_ box: BoundingBox) -> Bool {
    // More than a longitude that was unrolled is wrong by.
    let slack = 1e-9
    guard box.south <= north, box.north >= south else { return false }
    let first = ((west - slack - box.west - box.width) / 360).rounded(.up)
    return first * 360 <= east + slack - box.west
  }
}
