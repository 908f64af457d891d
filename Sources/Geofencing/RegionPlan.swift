import Geodesy

/// The circles that a phone with a limited number of regions should watch, and how long the choice is valid.
///
/// iOS watches 20 regions for an app. A plan uses one of them for a *refresh circle* around its position and the others
/// for the fences with the nearest borders:
///
///     let plan = index.regionPlan(at: here)
///     for region in plan.regions { watch(region.center, region.radius) }
///     watch(plan.position, plan.refreshRadius)  // on leaving it, plan again
///
/// The triangle inequality guarantees two things:
///
/// - **Nothing is missed.** No fence without a region has a border nearer than `refreshRadius` to `position`. So on any
///   path that stays nearer than that, none of them is entered, left or crossed.
/// - **The choice is stable.** While the phone is nearer than `validRadius`, a new plan chooses the same fences.
///
/// A circular fence gets its own circle. Polygons, and circles smaller than the phone can watch, get a larger one
/// around them: plan again on entering it. Inside that circle but outside the fence, the phone cannot detect when it
/// reaches the fence; there the fence gets no region, and the refresh circle ends at its border instead.
public struct RegionPlan: Hashable, Sendable {
  /// The position for which the plan was made.
  public let position: Coordinate
  /// The regions to watch, nearest border first, ties by number.
  public let regions: [Region]
  /// The radius of a circle around `position` to watch, too; infinite if every fence has a region.
  ///
  /// Plan again on leaving it. 0 if a border that cannot be watched is exactly here.
  public let refreshRadius: Distance
  /// How far the phone may move before another choice could be better; infinite if none could.
  public let validRadius: Distance
  /// The numbers of fences nearer than the farthest chosen one that have no region: too big for the
  /// phone, or inside a larger circle that the phone is in.
  public let unwatchable: [Int]

  /// A plan made by hand, for previews and tests.
  public init(
    position: Coordinate, regions: [Region], refreshRadius: Distance = .infinity,
    validRadius: Distance = .infinity, unwatchable: [Int] = []
  ) {
    self.position = position
    self.regions = regions
    self.refreshRadius = refreshRadius
    self.validRadius = validRadius
    self.unwatchable = unwatchable
  }

  /// A circle for the phone to watch.
  public struct Region: Hashable, Sendable {
    /// The fence's number in its index.
    public let fence: Int
    /// The center of the circle.
    public let center: Coordinate
    /// The radius of the circle.
    public let radius: Distance
    /// The distance to the circle's border.
    public let distance: Distance
    /// Whether the phone is inside the circle.
    public let isInside: Bool

    /// A region made by hand, for previews and tests.
    public init(
      fence: Int, center: Coordinate, radius: Distance, distance: Distance, isInside: Bool
    ) {
      self.fence = fence
      self.center = center
      self.radius = radius
      self.distance = distance
      self.isInside = isInside
    }
  }

  /// The limits of a phone.
  public struct Limits: Hashable, Sendable {
    /// The number of regions, including the refresh circle; at least 2.
    public var count = 20
    /// The smallest useful radius; smaller circles are enlarged to it.
    public var leastRadius = Distance.zero
    /// The largest radius that can be watched.
    public var greatestRadius = Distance.infinity

    /// Makes the limits of iOS, without limits of the radius.
    public init() {}
  }
}

extension FenceIndex {
  /// Chooses the regions to watch from a position; see ``RegionPlan``.
  ///
  /// - Precondition: `limits.count >= 2`.
  /// - Complexity: that of a query for tens of borders.
  public func regionPlan(
    at position: Coordinate, limits: RegionPlan.Limits = RegionPlan.Limits()
  ) -> RegionPlan {
    precondition(limits.count >= 2, "\(limits.count) regions leave none for a fence")
    let wanted = limits.count - 1
    var reach = 1_000.0
    while true {
      var prospects: [Prospect] = []
      var turn = Double.infinity
      // Circles may be larger than their fences, which brings their borders nearer.
      for slot in candidates(within: reach + limits.leastRadius.meters, of: position) {
        let prospect = prospect(slot, at: position, limits)
        if prospect.distance <= reach { prospects.append(prospect) }
        if prospect.isInsideLarger { turn = min(turn, prospect.toCircle) }
      }
      let watchable = prospects.count { $0.isWatchable }
      let seesAll = reach > 25_000_000
      if watchable > wanted || seesAll {
        prospects.sort { ($0.distance, $0.number) < ($1.distance, $1.number) }
        return plan(prospects, wanted, turn: turn, at: position)
      }
      reach = watchable == 0 ? reach * 8 : reach * 2
    }
  }

  /// A fence that may get a region.
  private struct Prospect {
    let number: Int
    let center: Coordinate
    let radius: Double
    /// The distance to the relevant border: of the circle, or of the fence if the circle cannot be watched.
    let distance: Double
    let isInside: Bool
    let isWatchable: Bool
    /// The distance to the circle's border, whether it is watched or not.
    let toCircle: Double
    /// Whether the position is in a circle that is larger than the fence and could be watched from
    /// outside.
    let isInsideLarger: Bool
    /// Whether the circle is the fence's own.
    let isExact: Bool
  }

  private func prospect(
    _ slot: Int32, at position: Coordinate, _ limits: RegionPlan.Limits
  ) -> Prospect {
    let circle = circles[Int(slot)]
    let isCircular = circle.outline < 0
    let radius = max(circle.radius, limits.leastRadius.meters)
    let toCenter = circle.center.distance(to: position).meters
    let isExact = isCircular && radius == circle.radius
    // Inside a circle that is not the fence's own, leaving it says nothing about the fence.
    let fits = radius <= min(limits.greatestRadius.meters, Fence.longestRadius.meters)
    let isOutside = toCenter > radius
    let isWatchable = fits && (isExact || isOutside)
    let toCircle = abs(toCenter - radius)
    return Prospect(
      number: Int(circle.number), center: circle.center, radius: radius,
      distance: isWatchable ? toCircle : abs(gap(slot: slot, to: position).meters),
      isInside: isExact && !isOutside, isWatchable: isWatchable, toCircle: toCircle,
      isInsideLarger: fits && !isExact && !isOutside, isExact: isExact)
  }

  /// - Parameter turn: The distance to the nearest border of a larger circle around the position, in meters.
  private func plan(
    _ prospects: [Prospect], _ wanted: Int, turn: Double, at position: Coordinate
  ) -> RegionPlan {
    let watchable = prospects.filter(\.isWatchable)
    let chosen = watchable.prefix(wanted)
    let next = watchable.count > wanted ? watchable[wanted].distance : .infinity
    let last = chosen.last?.distance ?? 0
    let others = prospects.filter { !$0.isWatchable }
    let nearestOther = others.first?.distance ?? .infinity
    let rounding = FenceIndex.rounding
    // A larger circle can be watched only from outside, so the choice changes at its border: on
    // leaving one, or on entering a chosen one.
    let nearestTurn = chosen.reduce(turn) { $1.isExact ? $0 : min($0, $1.toCircle) }
    return RegionPlan(
      position: position,
      regions: chosen.map {
        RegionPlan.Region(
          fence: $0.number, center: $0.center, radius: .meters($0.radius),
          distance: .meters($0.distance), isInside: $0.isInside)
      },
      refreshRadius: .meters(max(0, min(next, nearestOther) - rounding)),
      validRadius: .meters(max(0, min((next - last) / 2, nearestTurn) - rounding)),
      unwatchable: others.filter { $0.distance <= last }.map(\.number))
  }
}
