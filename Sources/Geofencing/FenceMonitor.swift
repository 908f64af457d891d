import Geodesy

/// Watches one moving object and reports what happens at the fences of an index.
///
///     var monitor = FenceMonitor(index, .phone)
///     for fix in fixes {
///       for event in monitor.take(fix.place, time: fix.seconds).events { print(event.kind, event.id) }
///     }
///
/// A value without a clock: the same fixes give the same events, whenever they are replayed, and a
/// copy goes its own way. It believes every fix it is given; a `FenceSession` lets a gate decide
/// first. <doc:StateTable> has what each fix does, late and out-of-order ones too.
///
/// It remembers the fences whose borders are near, and from the last fix it looked at how far
/// somebody must go before any of them can matter; fixes within that distance cost a single distance,
/// however many fences there are. Where steps are so long that a neighborhood would not last, it looks
/// at the fences on the way alone.
///
/// - Complexity: 30 to 50 ns a fix that is far from every border, O(*m*) for *m* borders near, some
///   20 ns each, and O(log *n* + *m*) after leaving the neighborhood; for long steps that with *m*
///   circles on the way. One allocation for a fix with events, none for others. Some 1 KB.
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

  /// The fences that the object is not simply outside of, by number.
  private var stays: [FenceStay] = []
  private var pendingCount = 0
  /// Dwelling may have to be reported from this instant on.
  private var nextDwell = Double.infinity
  private var neighborhood: FenceNeighborhood?
  /// How far to look around next, in meters.
  private var hint = FenceNeighborhood.firstRadius
  /// The fences that can matter in the neighborhood.
  private var nearby: [NearbyFence] = []
  /// Room for the numbers of fences to look at; empty from fix to fix.
  private var candidates: [Int32] = []
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
  public var inside: [Int] { stays.filter(\.isInside).map { Int($0.fence) } }

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

  /// Takes an instant at which no fix came: whoever is inside is taken to have stayed.
  ///
  /// Only dwelling can be reported. A later fix may be from before that instant.
  public mutating func advance(to instant: Double) -> [FenceEvent] {
    guard instant >= nextDwell, let lastPosition else { return [] }
    var events: [FenceEvent] = []
    addDwellings(to: &events, at: instant, position: lastPosition)
    for place in events.indices { number(&events[place]) }
    return events
  }

  private mutating func number(_ event: inout FenceEvent) {
    eventCount += 1
    event.order = eventCount
    guard event.kind == .enter || event.kind == .dwell,
      let place = stayPlace(Int32(event.fence)).found
    else { return }
    if event.kind == .enter { stays[place].visit = eventCount }
    event.visit = stays[place].visit
  }
}

/// What a fix led to.
public struct FenceUpdate: Hashable, Sendable {
  /// What happened, in order; mostly nothing.
  public let events: [FenceEvent]
  /// How many seconds before the last fix this one was measured, where that is so: it changed
  /// nothing.
  public let lateness: Double?
}

// MARK: - Looking at fences

extension FenceMonitor {
  private mutating func look(
    at position: Coordinate, time: Double?, accuracy: Double?, isContinuous: Bool
  ) -> FenceUpdate {
    var step = FenceLook(
      position: position, time: time,
      exitDistance: exitDistance(accuracy), previous: lastPosition, previousPlace: lastPlace)
    let way = lastPosition.map { step.view.origin.distance(to: $0) + FenceIndex.rounding } ?? 0
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
      addDwellings(to: &step.events, at: time, position: position)
    } else {
      planDwelling()
    }
    if step.events.count > 1 {
      step.events.sort { ($0.kind.place, $0.fence) < ($1.kind.place, $1.fence) }
    }
    for place in step.events.indices { number(&step.events[place]) }
    return FenceUpdate(events: step.events, lateness: nil)
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
        nearby[place].due = odometer + look(at: nearby[place].fence, &step)
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
      within: FenceCapsule(from: step.view.place, to: step.view.place, reach: reach),
      to: &candidates)
    if step.pathLength > hint { appendFencesOnTheWay(&step, to: &candidates) }
    appendStays(to: &candidates)
    var near: [NearbyFence] = []
    swap(&near, &nearby)
    near.removeAll(keepingCapacity: true)
    for fence in candidates {
      let slack = look(at: fence, &step)
      if slack < hint { near.append(NearbyFence(fence: fence, due: slack)) }
    }
    let found = FenceNeighborhood(step.view.origin, hint, &near)
    neighborhood = found
    self.hint = found.hint
    candidates.removeAll(keepingCapacity: true)
    swap(&candidates, &self.candidates)
    swap(&near, &nearby)
    odometer = 0
    safe = (
      step.view.origin,
      min(found.radius, nearby.first?.due ?? .infinity) - 2 * FenceIndex.rounding
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
    appendStays(to: &candidates)
    for fence in candidates { _ = look(at: fence, &step) }
    candidates.removeAll(keepingCapacity: true)
    swap(&candidates, &self.candidates)
    neighborhood = nil
    nearby.removeAll(keepingCapacity: true)
    safe = nil
  }

  /// Appends the fences that the way from the last fix may touch, which ends where the object is.
  private func appendFencesOnTheWay(_ step: inout FenceLook, to candidates: inout [Int32]) {
    guard step.pathLength > 0, let previous = step.previous else {
      let place = step.view.place
      index.appendCandidates(
        within: FenceCapsule(from: place, to: place, reach: 0), to: &candidates)
      return
    }
    step.trail(from: previous).forEachLine {
      index.appendCandidates(within: $0, to: &candidates)
    }
  }

  /// Appends the fences that the object is not simply outside of, and leaves each fence once.
  private func appendStays(to candidates: inout [Int32]) {
    for stay in stays { candidates.append(stay.fence) }
    candidates.sort()
    var count = 0
    for place in candidates.indices
    where count == 0 || candidates[place] != candidates[count - 1] {
      candidates[count] = candidates[place]
      count += 1
    }
    candidates.removeSubrange(count...)
  }

  /// Where a fence's stay is, or would be.
  private func stayPlace(_ fence: Int32) -> (found: Int?, place: Int) {
    var low = 0, high = stays.count
    while low < high {
      let middle = (low + high) / 2
      if stays[middle].fence < fence { low = middle + 1 } else { high = middle }
    }
    return (low < stays.count && stays[low].fence == fence ? low : nil, low)
  }

  /// Looks at one fence.
  ///
  /// - Returns: How far the object may move before the fence can matter, in meters.
  private mutating func look(at fence: Int32, _ step: inout FenceLook) -> Double {
    let (found, place) = stays.isEmpty ? (nil, 0) : stayPlace(fence)
    let isCoarse = step.isCoarse && (found == nil || step.exitDistance == 0)
    let gap = index.gapBounds(fence, from: step.view, isCoarse: isCoarse)
    if found == nil, gap.lower > 0 {
      // Outside before and after: the common case.
      if gap.lower < step.pathLength { lookBetween(fence, &step) }
      return gap.lower
    }
    let sight: FenceSight =
      gap.upper <= 0
      ? .inside
      : index.isOutside(fence, gap, by: step.exitDistance, from: step.view) ? .outside : .near
    let before = found.map { stays[$0] }
    var stay = before
    let change = FenceStay.advance(&stay, fence: fence, sight, time: step.time, policy)
    pendingCount += (stay?.isPending == true ? 1 : 0) - (before?.isPending == true ? 1 : 0)
    switch (found, stay) {
    case (let found?, let stay?): stays[found] = stay
    case (let found?, nil): stays.remove(at: found)
    case (nil, let stay?): stays.insert(stay, at: place)
    case (nil, nil): break
    }
    switch change {
    case .nothing: break
    case .entered(let count, let elapsed):
      step.add(entry(fence, count, elapsed, step))
    case .left(let count, let elapsed):
      step.add(departure(fence, before, count, elapsed, step))
    }
    return switch stay?.phase {
    case nil: max(0, gap.lower)
    case .inside: max(0, max(0, policy.exitBuffer.meters) - gap.upper)
    // The next fix counts wherever it is.
    case .entering, .leaving: 0
    }
  }
}

extension FenceEvent.Kind {
  /// Where the kind stands among the events of one fix.
  fileprivate var place: Int {
    switch self {
    case .exit: 0
    case .cross: 1
    case .enter: 2
    case .dwell: 3
    }
  }
}

// MARK: - Events

extension FenceMonitor {
  private func event(
    _ kind: FenceEvent.Kind, _ fence: Int32, visit: Int?, time: Double?, at position: Coordinate,
    _ evidence: FenceEvidence
  ) -> FenceEvent {
    // Numbered once all of the fix are known.
    FenceEvent(
      kind: kind, fence: Int(fence), id: index.fences[Int(fence)].id, order: 0, visit: visit,
      time: time, position: position, evidence: evidence)
  }

  private func entry(
    _ fence: Int32, _ count: Int, _ elapsed: Double?, _ step: FenceLook
  ) -> FenceEvent {
    let depth = max(0, -index.shownGap(fence, from: step.view))
    let confirmed = FenceEvidence.Confirmed(policy.entry, count: count, elapsed: elapsed)
    return event(
      .enter, fence, visit: nil, time: step.time, at: step.view.position,
      .entered(depth: depth, confirmed, isFirst: step.previous == nil))
  }

  private func departure(
    _ fence: Int32, _ stay: FenceStay?, _ count: Int, _ elapsed: Double?, _ step: FenceLook
  ) -> FenceEvent {
    let gap = index.shownGap(fence, from: step.view)
    var stayed: Double?
    if let since = stay?.since, let time = step.time { stayed = time - since }
    let confirmed = FenceEvidence.Confirmed(policy.exit, count: count, elapsed: elapsed)
    return event(
      .exit, fence, visit: stay?.visit, time: step.time, at: step.view.position,
      .left(gap: gap, limit: step.exitDistance, stayed: stayed, confirmed))
  }

  /// Reports those who have been inside for long enough at an instant.
  private mutating func addDwellings(
    to events: inout [FenceEvent], at instant: Double, position: Coordinate
  ) {
    if let dwell = policy.dwell {
      // While leaving waits to be confirmed nobody knows.
      for place in stays.indices where stays[place].phase == .inside && !stays[place].hasDwelled {
        guard let since = stays[place].since, instant - since >= dwell else { continue }
        stays[place].hasDwelled = true
        events.append(
          event(
            .dwell, stays[place].fence, visit: stays[place].visit, time: instant, at: position,
            .dwelled(elapsed: instant - since, limit: dwell)))
      }
    }
    planDwelling()
  }

  /// Finds the first instant at which a stay must be looked at again.
  private mutating func planDwelling() {
    nextDwell = stays.reduce(.infinity) { least, stay in
      guard let since = stay.since else { return -.infinity }
      guard let dwell = policy.dwell, stay.isInside, !stay.hasDwelled else { return least }
      return min(least, since + dwell)
    }
  }

  /// Sees whether the path led through a fence that the object is outside of, now and at the fix
  /// before: who was inside then has a stay.
  private func lookBetween(_ fence: Int32, _ step: inout FenceLook) {
    guard let previous = step.previous else { return }
    let circle = index.circles[Int(fence)]
    let trail = step.trail(from: previous)
    if let outline = index.outline(circle) {
      // What meets the border comes into the circle around it.
      guard trail.mayTouch(circle.place, circle.radius), outline.mayTouch(trail) else { return }
      lookBetween(fence, outline, trail, from: previous, &step)
      return
    }
    switch trail.passing(circle) {
    case .apart: return
    case .within(let distance, let position):
      addCrossing(fence, &step, at: position, distance, circle.radius)
    case .unknown:
      for part in step.path(from: previous).parts {
        let nearest = part.nearestApproach(to: circle.center)
        guard nearest.distance <= circle.radius else { continue }
        let place = part.position(at: nearest.along)
        addCrossing(fence, &step, at: place, nearest.distance, circle.radius)
        return
      }
    }
  }

  private func lookBetween(
    _ fence: Int32, _ outline: FenceOutline, _ trail: FenceTrail, from previous: Coordinate,
    _ step: inout FenceLook
  ) {
    let path = step.path(from: previous)
    var along = 0.0
    for part in path.parts {
      if let meeting = part.firstMeeting(outline, on: trail) {
        step.add(
          event(
            .cross, fence, visit: nil, time: step.time, at: part.position(at: meeting),
            .met(along: along + meeting, length: path.length)))
        return
      }
      along += part.length
    }
  }

  private func addCrossing(
    _ fence: Int32, _ step: inout FenceLook, at position: Coordinate, _ distance: Double,
    _ radius: Double
  ) {
    step.add(
      event(
        .cross, fence, visit: nil, time: step.time, at: position,
        .passed(distance: distance, radius: radius)))
  }
}
