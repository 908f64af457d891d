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
  /// Fences to keep, and those to look farther for.
  private static let most = 48, few = 12
  /// A quarter of the Earth's circumference, within which balls are convex, is 9,970 km.
  private static let greatestRadius = 4_000_000.0

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
      self.hint = max(1.5 * radius, 1)
    } else {
      radius = hint
      self.hint =
        near.count < FenceNeighborhood.few
        ? min(2 * hint, FenceNeighborhood.greatestRadius) : hint
    }
  }
}

/// A fence, and when it has to be looked at again.
struct NearbyFence: Sendable {
  let fence: Int32
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
  /// No less than the way from there, in meters; 0 where nobody asks what lies between.
  var pathLength = 0.0
  var events: [FenceEvent] = []
  private var previousView: FenceViewpoint?
  private var way: FencePath?

  init(position: Coordinate, time: Double?, exitDistance: Double, previous: Coordinate?) {
    view = FenceViewpoint(position)
    self.time = time
    self.exitDistance = exitDistance
    self.previous = previous
  }

  /// The fix before, made when it is first needed.
  mutating func viewOfPrevious() -> FenceViewpoint? {
    if previousView == nil { previousView = previous.map(FenceViewpoint.init) }
    return previousView
  }

  /// The way from the fix before, made when it is first needed.
  mutating func path(from previous: Coordinate) -> FencePath {
    if let way { return way }
    let made = FencePath(from: previous, to: view.position)
    way = made
    return made
  }
}
