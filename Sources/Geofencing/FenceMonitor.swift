import Geodesy
import SpatialIndexing

/// Watches one moving object and reports what happens at the fences of an index.
///
///     var monitor = FenceMonitor(index, .phone)
///     for fix in fixes {
///       for event in monitor.take(fix.place, time: fix.seconds).events { print(event.kind, event.id) }
///     }
///
/// It is a value without a clock: the same fixes give the same events, whenever they are replayed,
/// and a copy is independent. It believes every fix it is given; a `FenceSession` lets a gate
/// decide first. <doc:StateTable> has what each fix does, late and out-of-order ones too.
///
/// It remembers the fences whose borders are near, and how far somebody must move from the last fix
/// it looked at before any of them can matter; fixes within that distance cost a single distance,
/// however many fences there are. If steps are so long that a neighborhood would not last, it only
/// looks at the fences along the path.
///
/// - Complexity: 30 to 50 ns a fix that is far from every border, O(*m*) for *m* borders near, some
///   20 ns each, and O(log *n* + *m*) after leaving the neighborhood; for long steps that with *m*
///   circles on the way. One allocation for a fix with events, two more for a polygon crossed, none for
///   others as long as the way is shorter than 8 km. Some 1 KB, and 100 bytes for the most events a fix had.
public struct FenceMonitor: Sendable {
  /// The fences.
  public let index: FenceIndex
  /// When somebody counts as having entered or left.
  public let policy: FencePolicy
  /// How many events there were.
  public private(set) var eventCount = 0
  /// The last fix that was taken; nil before the first.
  public private(set) var lastPosition: Coordinate?
  /// The latest time of a fix that was taken; nil where none had any.
  public private(set) var lastTime: Double?

  /// The fences that the object is not simply outside of, by slot.
  private var stays: [FenceStay] = []
  private var pendingCount = 0
  /// Dwelling may have to be reported from this instant on.
  private var nextDwell = Double.infinity
  private var neighborhood: FenceNeighborhood?
  /// How far to look around next, in meters.
  private var hint = FenceNeighborhood.firstRadius
  /// The fences that can matter in the neighborhood.
  private var nearby: [NearbyFence] = []
  /// Room for the slots of fences to look at and for what happens; empty from fix to fix.
  private var candidates: [Int32] = []
  private var happenings: [FenceHappening] = []
  /// How far the object has come since the neighborhood was made, from look to look, in meters.
  private var odometer = 0.0
  /// The last fix in space, where it was looked at fences from there.
  private var lastPlace: ECEFPosition?
  /// Where the safe distance is measured from, and how far it reaches, in meters.
  private var safe: (origin: LineOrigin, radius: Double)?

  /// Begins with nothing known.
  public init(_ index: FenceIndex, _ policy: FencePolicy = FencePolicy()) {
    self.index = index
    self.policy = policy
  }

  /// The numbers of the fences that the object is inside of, ascending: entered and not yet left.
  public var inside: [Int] {
    stays.filter(\.isInside).map { Int(index.circles[Int($0.slot)].number) }.sorted()
  }

  /// How far the object may move from the last fix before anything can happen at any fence, as far
  /// as is known without looking again; time may still make it dwell.
  ///
  /// A lower bound: zero where a border is near, or a change waits to be confirmed.
  public var safeDistance: Distance {
    guard pendingCount == 0, let safe, let lastPosition else { return .zero }
    return .meters(max(0, safe.radius - safe.origin.distance(to: lastPosition)))
  }

  /// Takes the next fix.
  ///
  /// - Parameters:
  ///   - position: Where the object is.
  ///   - time: When, in seconds from whatever instant the caller counts from; nil where not known,
  ///     which is taken to come after all before it.
  ///   - accuracy: The fix's radius of uncertainty in meters, for `FencePolicy.exitNeedsAccuracy`.
  ///   - isContinuous: Whether the object came here from the last position, so that what lies between
  ///     may have been crossed.
  /// - Returns: What happened, or that the fix was late and changed nothing.
  public mutating func take(
    _ position: Coordinate, time: Double? = nil, accuracy: Double? = nil, isContinuous: Bool = true
  ) -> FenceUpdate {
    let time = time.flatMap { $0.isFinite ? $0 : nil }
    if let time, let lastTime, time < lastTime {
      return FenceUpdate(events: [], lateness: lastTime - time)
    }
    if pendingCount == 0, let safe, (time ?? -.infinity) < nextDwell,
      safe.origin.distance(to: position) < safe.radius
    {
      lastPosition = position
      lastPlace = nil
      lastTime = time ?? lastTime
      return FenceUpdate(events: [], lateness: nil)
    }
    return look(at: position, time: time, accuracy: accuracy, isContinuous: isContinuous)
  }

  /// Takes an instant at which no fix came: an object inside is assumed to have stayed.
  ///
  /// Only dwelling can be reported. A later fix may be from before that instant.
  public mutating func advance(to instant: Double) -> [FenceEvent] {
    guard instant >= nextDwell, let lastPosition else { return [] }
    var dwellings: [FenceHappening] = []
    addDwellings(to: &dwellings, at: instant, position: lastPosition)
    return events(of: dwellings, time: instant)
  }
}

// MARK: - Looking at fences

extension FenceMonitor {
  private mutating func look(
    at position: Coordinate, time: Double?, accuracy: Double?, isContinuous: Bool
  ) -> FenceUpdate {
    var step = FenceLook(
      position: position, time: time,
      exitDistance: exitDistance(accuracy), previous: lastPosition, previousPlace: lastPlace)
    swap(&step.happenings, &happenings)
    let way = lastPosition.map { step.view.distance(to: $0, lastPlace) + FenceIndex.rounding } ?? 0
    if policy.reportsCrossing, isContinuous, !isGap(time) { step.pathLength = way }
    if let neighborhood, let safe, let previous = lastPosition,
      let room = neighborhood.room(at: position)
    {
      // The fix before was no farther from the place of the last look than was safe.
      let moved = safe.origin.distance(to: position)
      let reach = moved >= safe.radius ? moved : max(moved, safe.origin.distance(to: previous))
      lookNearby(&step, moved: moved, reach: reach, room: room)
    } else if way * FenceNeighborhood.leastSteps * FenceNeighborhood.growth > hint {
      lookAlong(&step, way)
    } else {
      lookAround(&step)
    }
    lastPosition = position
    lastPlace = step.view.place
    lastTime = time ?? lastTime
    if let time {
      // Stays that began by fixes without times are counted from the first with one.
      for place in stays.indices where stays[place].phase == .inside && stays[place].since == nil {
        stays[place].since = time
      }
      addDwellings(to: &step.happenings, at: time, position: position)
    } else {
      takeStock()
    }
    if step.happenings.count > 1 { step.happenings.sort { $0.rank < $1.rank } }
    let events = events(of: step.happenings, time: time)
    step.happenings.removeAll(keepingCapacity: true)
    swap(&step.happenings, &happenings)
    return FenceUpdate(events: events, lateness: nil)
  }

  /// How far outside leaving takes, in meters.
  private func exitDistance(_ accuracy: Double?) -> Double {
    var distance = max(0, policy.exitBuffer.meters)
    if policy.exitNeedsAccuracy, let accuracy, accuracy > 0 { distance += accuracy }
    return distance
  }

  private func isGap(_ time: Double?) -> Bool {
    guard let greatest = policy.greatestCrossingGap, let time, let lastTime else { return false }
    return time - lastTime > greatest
  }

  /// Looks at those fences nearby whose borders the object may have reached.
  ///
  /// Since a fence was last looked at, the object has come no farther than the sum of its moves from
  /// look to look, the odometer. The path between two places of a ball stays in it, as balls of less
  /// than a quarter of the Earth's circumference are convex, so `reach` holds for the path as well.
  ///
  /// - Parameters:
  ///   - moved: How far the object is from where it was last looked at, in meters.
  ///   - reach: How far any place on its path is.
  ///   - room: How far it is to the end of the neighborhood, in which the fix before was, too.
  private mutating func lookNearby(
    _ step: inout FenceLook, moved: Double, reach: Double, room: Double
  ) {
    let limit = odometer + reach + FenceIndex.rounding
    odometer += moved + FenceIndex.rounding
    var least = Double.infinity
    // Out of the monitor while fences are looked at, so that it is changed in place.
    var nearby: [NearbyFence] = []
    swap(&nearby, &self.nearby)
    for place in nearby.indices {
      if nearby[place].due <= limit {
        nearby[place].due = odometer + lookUp(nearby[place].slot, &step)
      }
      least = min(least, nearby[place].due)
    }
    swap(&nearby, &self.nearby)
    safe = (step.view.origin, min(room, least - odometer) - 2 * FenceIndex.rounding)
  }

  /// Looks at every fence that can matter from here, and remembers the nearest.
  private mutating func lookAround(_ step: inout FenceLook) {
    let hint = hint
    var candidates: [Int32] = []
    swap(&candidates, &self.candidates)
    let reach = hint + max(0, policy.exitBuffer.meters) + FenceIndex.rounding
    index.appendCandidates(
      within: Capsule(from: step.view.place, to: step.view.place, reach: reach),
      to: &candidates)
    if step.pathLength > hint { appendFencesOnTheWay(&step, to: &candidates) }
    var near: [NearbyFence] = []
    swap(&near, &nearby)
    near.removeAll(keepingCapacity: true)
    lookAtStays(and: candidates, &step) { slot, slack in
      if slack < hint { near.append(NearbyFence(slot: slot, due: slack)) }
    }
    let origin = step.view.origin
    let found = FenceNeighborhood(origin, hint, &near)
    neighborhood = found
    self.hint = found.hint
    candidates.removeAll(keepingCapacity: true)
    swap(&candidates, &self.candidates)
    swap(&near, &nearby)
    odometer = 0
    safe = (
      origin, min(found.radius, nearby.first?.due ?? .infinity) - 2 * FenceIndex.rounding
    )
  }

  /// Looks at the fences on the way alone, where steps are too long for a neighborhood to last.
  ///
  /// - Parameter way: How far the object came since the last fix, in meters.
  private mutating func lookAlong(_ step: inout FenceLook, _ way: Double) {
    var candidates: [Int32] = []
    swap(&candidates, &self.candidates)
    step.isCoarse = true
    appendFencesOnTheWay(&step, to: &candidates)
    // Where most steps come past nothing, neighborhoods last long enough.
    hint =
      candidates.isEmpty
      ? FenceNeighborhood.farther(than: hint)
      : min(max(hint / 2, way), FenceNeighborhood.greatestRadius)
    lookAtStays(and: candidates, &step) { _, _ in }
    candidates.removeAll(keepingCapacity: true)
    swap(&candidates, &self.candidates)
    neighborhood = nil
    nearby.removeAll(keepingCapacity: true)
    safe = nil
  }

  /// Appends the fences that the way from the last fix may touch, which ends where the object is, and
  /// leaves all in ascending order.
  private func appendFencesOnTheWay(_ step: inout FenceLook, to candidates: inout [Int32]) {
    guard step.pathLength > 0, let previous = step.previous else {
      let place = step.view.place
      index.appendCandidates(
        within: Capsule(from: place, to: place, reach: 0), to: &candidates)
      return
    }
    let isFirst = candidates.isEmpty
    step.needTrail(from: previous)
    step.trail.forEachLine {
      index.appendCandidates(within: $0, to: &candidates)
    }
    // Each line finds its own in order, and what several touch several times.
    if step.trail.isCut || !isFirst { candidates.sort() }
  }

  /// Looks at fences, and at those that the object is not simply outside of: once at each, in the order
  /// of their slots.
  ///
  /// - Parameters:
  ///   - candidates: Slots, ascending; some may be there twice.
  ///   - body: Called with how far the object may move before a fence can matter, in meters.
  @inline(__always)
  private mutating func lookAtStays(
    and candidates: [Int32], _ step: inout FenceLook,
    _ body: (_ slot: Int32, _ slack: Double) -> Void
  ) {
    var place = 0, next = 0
    while true {
      let staying = place < stays.count ? stays[place].slot : .max
      let slot = min(staying, next < candidates.count ? candidates[next] : .max)
      if slot == .max { return }
      while next < candidates.count, candidates[next] == slot { next += 1 }
      let isThere = staying == slot
      var stay = isThere ? stays[place] : nil
      body(slot, look(at: slot, &stay, &step))
      store(stay, at: place, isThere: isThere)
      if stay != nil { place += 1 }
    }
  }

  /// Looks at one fence, wherever its stay is.
  private mutating func lookUp(_ slot: Int32, _ step: inout FenceLook) -> Double {
    let place = stayPlace(slot)
    let isThere = place < stays.count && stays[place].slot == slot
    var stay = isThere ? stays[place] : nil
    let slack = look(at: slot, &stay, &step)
    store(stay, at: place, isThere: isThere)
    return slack
  }

  /// Where the stay at a fence is, or would be.
  private func stayPlace(_ slot: Int32) -> Int {
    var low = 0, high = stays.count
    while low < high {
      let middle = (low + high) / 2
      if stays[middle].slot < slot { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Puts what became of a stay where it was, or has to be.
  private mutating func store(_ stay: FenceStay?, at place: Int, isThere: Bool) {
    switch (isThere, stay) {
    case (true, let stay?): stays[place] = stay
    case (true, nil): stays.remove(at: place)
    case (false, let stay?): stays.insert(stay, at: place)
    case (false, nil): break
    }
  }

  /// Looks at one fence.
  ///
  /// - Parameter stay: nil where the object is simply outside, before and after.
  /// - Returns: How far the object may move before the fence can matter, in meters.
  private mutating func look(
    at slot: Int32, _ stay: inout FenceStay?, _ step: inout FenceLook
  ) -> Double {
    let isCoarse = step.isCoarse && (stay == nil || step.exitDistance == 0)
    let gap = index.gapBounds(slot, from: step.view, isCoarse: isCoarse)
    if stay == nil, gap.lower > 0 {
      // Outside before and after: the common case.
      if gap.lower < step.pathLength { lookBetween(slot, &step) }
      return gap.lower
    }
    let sight: FenceSight =
      gap.upper <= 0
      ? .inside
      : index.isOutside(slot, gap, by: step.exitDistance, from: step.view) ? .outside : .near
    let before = stay
    switch FenceStay.advance(&stay, slot: slot, sight, time: step.time, policy) {
    case .nothing: break
    case .entered(let count, let elapsed):
      step.happenings.append(entry(slot, count, elapsed, step))
    case .left(let count, let elapsed):
      step.happenings.append(departure(slot, before, count, elapsed, step))
    }
    return switch stay?.phase {
    case nil: max(0, gap.lower)
    case .inside: max(0, max(0, policy.exitBuffer.meters) - gap.upper)
    // The next fix counts wherever it is.
    case .entering, .leaving: 0
    }
  }
}

// MARK: - Events

extension FenceMonitor {
  /// Numbers what happened at an instant, which stands in order.
  private mutating func events(of happenings: [FenceHappening], time: Double?) -> [FenceEvent] {
    guard !happenings.isEmpty else { return [] }
    var events: [FenceEvent] = []
    events.reserveCapacity(happenings.count)
    for happening in happenings {
      eventCount += 1
      var visit = happening.visit
      if happening.kind == .enter || happening.kind == .dwell {
        let place = stayPlace(happening.slot)
        if happening.kind == .enter { stays[place].visit = eventCount }
        visit = stays[place].visit
      }
      events.append(
        FenceEvent(
          kind: happening.kind, fence: Int(happening.fence), id: index.ids[Int(happening.slot)],
          order: eventCount, visit: visit, time: time, position: happening.position,
          evidence: happening.evidence))
    }
    return events
  }

  /// A fence has its number from its circle.
  func happening(
    _ kind: FenceEvent.Kind, _ slot: Int32, visit: Int? = nil, at position: Coordinate,
    _ evidence: FenceEvidence
  ) -> FenceHappening {
    FenceHappening(
      kind, slot: slot, fence: index.circles[Int(slot)].number, visit: visit, at: position, evidence
    )
  }

  private func entry(
    _ slot: Int32, _ count: Int, _ elapsed: Double?, _ step: FenceLook
  ) -> FenceHappening {
    let depth = max(0, -index.shownGap(slot, from: step.view, isInside: true))
    let confirmed = FenceEvidence.Confirmed(policy.entry, count: count, elapsed: elapsed)
    return happening(
      .enter, slot, at: step.view.position,
      .entered(depth: depth, confirmed, isFirst: step.previous == nil))
  }

  private func departure(
    _ slot: Int32, _ stay: FenceStay?, _ count: Int, _ elapsed: Double?, _ step: FenceLook
  ) -> FenceHappening {
    let gap = index.shownGap(slot, from: step.view, isInside: false)
    var stayed: Double?
    if let since = stay?.since, let time = step.time { stayed = time - since }
    let confirmed = FenceEvidence.Confirmed(policy.exit, count: count, elapsed: elapsed)
    return happening(
      .exit, slot, visit: stay?.visit, at: step.view.position,
      .left(gap: gap, limit: step.exitDistance, stayed: stayed, confirmed))
  }

  /// Reports those who have been inside for long enough at an instant.
  private mutating func addDwellings(
    to happenings: inout [FenceHappening], at instant: Double, position: Coordinate
  ) {
    if let dwell = policy.dwell {
      // While leaving waits to be confirmed nobody knows.
      for place in stays.indices where stays[place].phase == .inside && !stays[place].hasDwelled {
        guard let since = stays[place].since, instant - since >= dwell else { continue }
        stays[place].hasDwelled = true
        happenings.append(
          happening(
            .dwell, stays[place].slot, at: position,
            .dwelled(elapsed: instant - since, limit: dwell)))
      }
    }
    takeStock()
  }

  /// Finds the first instant at which a stay must be looked at again, and how many wait.
  private mutating func takeStock() {
    nextDwell = .infinity
    pendingCount = 0
    for stay in stays {
      if stay.isPending { pendingCount += 1 }
      guard let since = stay.since else {
        nextDwell = -.infinity
        continue
      }
      if let dwell = policy.dwell, stay.isInside, !stay.hasDwelled {
        nextDwell = min(nextDwell, since + dwell)
      }
    }
  }
}
