import Geodesy

/// The fences that can matter while an object stays within a distance of a position.
struct FenceNeighborhood: Sendable {
  let origin: LineOrigin
  /// In meters; unlisted fences cannot matter within this distance.
  let radius: Double
  /// The radius of the next neighborhood in meters, chosen to contain neither too many fences nor hardly any.
  let hint: Double
  /// The radius of the first neighborhood, in meters.
  static let firstRadius = 2_000.0
  /// A neighborhood that is left after fewer steps than this is not worth building.
  static let leastSteps = 6.0
  /// The next neighborhood is larger than the last by this factor.
  static let growth = 1.5
  /// The maximum number of fences to keep, and the number below which to search farther.
  private static let most = 48, few = 12
  /// Balls are convex up to a quarter of the Earth's circumference, 9,970 km.
  static let greatestRadius = 4_000_000.0

  /// - Parameters:
  ///   - hint: The searched radius, in meters.
  ///   - near: All fences that can matter within that radius; afterwards only those to keep,
  ///     nearest first.
  init(_ origin: LineOrigin, _ hint: Double, _ near: inout [NearbyFence]) {
    self.origin = origin
    near.sort { $0.due < $1.due }
    // Fences at the object's position are all kept, however many.
    var kept = min(near.count, FenceNeighborhood.most)
    while kept < near.count, near[kept].due <= FenceIndex.rounding { kept += 1 }
    if kept < near.count {
      radius = near[kept].due
      near.removeSubrange(kept...)
      self.hint = max(FenceNeighborhood.growth * radius, 1)
    } else {
      radius = hint
      self.hint =
        near.count < FenceNeighborhood.few ? FenceNeighborhood.farther(than: hint) : hint
    }
  }

  /// The distance from a position of the neighborhood to its end, in meters; nil outside.
  @inline(__always)
  func room(at position: Coordinate) -> Double? {
    let room = radius - origin.distance(to: position)
    return room > 0 ? room : nil
  }

  /// The next radius if hardly any fence was found, in meters.
  static func farther(than hint: Double) -> Double { min(2 * hint, greatestRadius) }
}

/// A fence, and when it has to be examined again.
struct NearbyFence: Sendable {
  /// The slot in the index.
  let slot: Int32
  /// The odometer reading before which the fence cannot matter, in meters.
  var due: Double
}

/// The data of one fix while fences are examined.
struct FenceLook {
  let view: FenceViewpoint
  let time: Double?
  /// The distance outside required for leaving, in meters.
  let exitDistance: Double
  /// The previous fix.
  let previous: Coordinate?
  /// The previous fix as a point in space, if known.
  let previousPlace: ECEFPosition?
  /// An upper bound of the length of the path from there, in meters; 0 if the path does not matter.
  var pathLength = 0.0
  /// Whether only the side of fences matters, not the distance.
  var isCoarse = false
  var happenings: [FenceHappening] = []
  /// The lines of the path from the previous fix, computed on demand.
  private(set) var trail = FenceTrail.nowhere
  private var hasTrail = false
  private var knownPath: FencePath?

  init(
    position: Coordinate, time: Double?, exitDistance: Double, previous: Coordinate?,
    previousPlace: ECEFPosition?
  ) {
    view = FenceViewpoint(position)
    self.previousPlace = previousPlace
    self.time = time
    self.exitDistance = exitDistance
    self.previous = previous
  }

  /// Makes sure that `trail` is the path from the previous fix.
  @inline(__always)
  mutating func needTrail(from previous: Coordinate) {
    if !hasTrail { makeTrail(from: previous) }
  }

  private mutating func makeTrail(from previous: Coordinate) {
    trail = FenceTrail(
      from: previousPlace ?? ECEFPosition(previous), to: view.place, length: pathLength
    ) { path(from: previous) }
    hasTrail = true
  }

  /// The path from the previous fix, computed on demand.
  mutating func path(from previous: Coordinate) -> FencePath {
    let path = knownPath ?? FencePath(from: previous, to: view.position)
    knownPath = path
    return path
  }
}
