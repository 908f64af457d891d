import Geodesy

/// The fences that can matter while an object stays within a distance of a place.
struct FenceNeighborhood: Sendable {
  let origin: LineOrigin
  /// In meters; fences that are not listed cannot matter nearer than that.
  let radius: Double
  /// How far to look around next, in meters: so that there are neither too many nor hardly any.
  let hint: Double
  /// How far to look around at first, in meters.
  static let firstRadius = 2_000.0
  /// A neighborhood that is left after fewer steps than this is not worth its making.
  static let leastSteps = 6.0
  /// How many times as far as a neighborhood reached is looked around for the next one.
  static let growth = 1.5
  /// Fences to keep, and those to look farther for.
  private static let most = 48, few = 12
  /// A quarter of the Earth's circumference, within which balls are convex, is 9,970 km.
  static let greatestRadius = 4_000_000.0

  /// - Parameters:
  ///   - hint: How far was looked, in meters.
  ///   - near: All fences that can matter nearer than that; those to keep in mind remain, the nearest
  ///     first.
  init(_ origin: LineOrigin, _ hint: Double, _ near: inout [NearbyFence]) {
    self.origin = origin
    near.sort { $0.due < $1.due }
    // Those at hand are kept, however many; nothing could be left out of them.
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

  /// How far it is from a place of the neighborhood to its end, in meters; nil outside.
  @inline(__always)
  func room(at position: Coordinate) -> Double? {
    let room = radius - origin.distance(to: position)
    return room > 0 ? room : nil
  }

  /// How far to look where hardly anything was found, in meters.
  static func farther(than hint: Double) -> Double { min(2 * hint, greatestRadius) }
}

/// A fence, and when it has to be looked at again.
struct NearbyFence: Sendable {
  /// In the index.
  let slot: Int32
  /// The odometer's reading before which the fence cannot matter, in meters.
  var due: Double
}

/// One fix on its way through the fences.
struct FenceLook {
  let view: FenceViewpoint
  let time: Double?
  /// How far outside leaving takes, in meters.
  let exitDistance: Double
  /// Where the fix before was.
  let previous: Coordinate?
  /// The same in space, where that is known.
  let previousPlace: ECEFPosition?
  /// No less than the way from there, in meters; 0 where nobody asks what lies between.
  var pathLength = 0.0
  /// Whether it does not matter how far fences are, but only on which side of them the fix is.
  var isCoarse = false
  var happenings: [FenceHappening] = []
  /// The lines of the way from the fix before, once somebody needed them.
  private(set) var trail = FenceTrail.nowhere
  private var hasTrail = false
  private var way: FencePath?

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

  /// Sees to it that `trail` is the way from the fix before.
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

  /// The way from the fix before, made when it is first needed.
  mutating func path(from previous: Coordinate) -> FencePath {
    if let way { return way }
    let made = FencePath(from: previous, to: view.position)
    way = made
    return made
  }
}
