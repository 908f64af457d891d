import Geodesy

/// Which circles to give to a phone that watches only a few, and how long that choice is valid.
///
/// iOS watches 20 regions for an app. A plan gives one of them to a *refresh circle* around where it
/// was made and the others to the fences whose borders are nearest:
///
///     let plan = index.regionPlan(at: here)
///     for region in plan.regions { watch(region.center, region.radius) }
///     watch(plan.position, plan.refreshRadius)  // on leaving it, plan again
///
/// Two laws hold, by the triangle inequality:
///
/// - **Nothing is missed.** No fence without a region has a border nearer than `refreshRadius` to
///   `position`. So on any way that stays nearer than that, none of them is entered, left or crossed.
/// - **The choice stands.** While the phone is nearer than `validRadius`, a plan made where it is
///   chooses the same fences.
///
/// A circular fence gets its own circle. Polygons, and circles smaller than the phone can watch, get a
/// larger one around them: plan again on entering it. Within that circle, but outside the fence, the
/// phone cannot say when the fence is reached; there it gets no region, and the refresh circle ends at
/// its border instead.
public struct RegionPlan: Hashable, Sendable {
  /// Where the plan was made.
  public let position: Coordinate
  /// What to watch, nearest border first, ties by number.
  public let regions: [Region]
  /// Watch a circle of this radius around `position` too, and plan again on leaving it; infinite where
  /// every fence has its region.
  ///
  /// 0 where a border that cannot be watched runs right here.
  public let refreshRadius: Distance
  /// How far the phone may go before another choice could be the best; infinite where none could.
  public let validRadius: Distance
  /// The numbers of fences that are nearer than the farthest chosen one and have no region: too big for
  /// the phone, or inside a larger circle that the phone is in.
  public let unwatchable: [Int]

  /// A circle to hand to the phone.
  public struct Region: Hashable, Sendable {
    /// The fence's number in its index.
    public let fence: Int
    /// The middle of the circle.
    public let center: Coordinate
    /// The radius of the circle.
    public let radius: Distance
    /// How far the border of the circle is.
    public let distance: Distance
    /// Whether the phone is inside.
    public let isInside: Bool
  }

  /// What a phone can watch.
  public struct Limits: Hashable, Sendable {
    /// How many regions, the refresh circle among them; at least 2.
    public var count = 20
    /// The smallest radius that is worth watching; smaller circles are made that large.
    public var leastRadius = Distance.zero
    /// The largest radius that can be watched.
    public var greatestRadius = Distance.infinity

    /// Those of iOS, without limits of the radius.
    public init() {}
  }
}

extension FenceIndex {
  /// Chooses the regions to watch from a position; see ``RegionPlan``.
  ///
  /// - Precondition: `limits.count >= 2`.
  /// - Complexity: that of a query for some tens of borders.
  public func regionPlan(
    at position: Coordinate, limits: RegionPlan.Limits = RegionPlan.Limits()
  ) -> RegionPlan {
    precondition(limits.count >= 2, "\(limits.count) regions leave none for a fence")
    let wanted = limits.count - 1
    var reach = 1_000.0
    while true {
      var prospects: [Prospect] = []
      var turn = Double.infinity
      // Circles may be made larger than their fences, which brings their borders nearer.
      forEachCandidate(within: reach + limits.leastRadius.meters, of: position) { slot in
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
    /// To the border that matters: of the circle, or of the fence where that cannot be watched.
    let distance: Double
    let isInside: Bool
    let isWatchable: Bool
    /// To the border of the circle, whether it is watched or not.
    let toCircle: Double
    /// Whether the position lies in a circle that is larger than the fence, and could be watched from
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
    // In a circle that is not the fence's own, leaving it says nothing of the fence.
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

  /// - Parameter turn: How near the border of a larger circle around the position is, in meters.
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
    // A larger circle can be watched only from outside, so that at its border the choice changes:
    // by leaving one, or entering one that is chosen.
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
