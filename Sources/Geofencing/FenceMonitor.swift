import Geodesy
import SpatialIndexing

/// Watches one moving object and reports events at the fences of an index.
///
///     var monitor = FenceMonitor(index, .phone)
///     for fix in fixes {
///       guard let position = fix.coordinate else { continue }
///       for event in monitor.take(position, time: fix.time).events { print(event.kind, event.id) }
///     }
///
/// It is a value without a clock: the same fixes always give the same events, and a copy is independent. It believes
/// every fix it is given; with a `FenceSession`, a gate decides first. <doc:StateTable> lists what each fix does,
/// including late and out-of-order ones.
///
/// It remembers the fences with near borders, and how far the object must move from the last examined fix before any of
/// them matters. Fixes within that distance cost a single distance, however many fences there are. If steps are too
/// long for such a neighborhood, it examines only the fences along the path.
///
/// - Complexity: 30 to 50 ns for a fix far from every border, O(*m*) for *m* near borders, about 20 ns each, and O(log
///   *n* + *m*) after leaving the neighborhood; for long steps that with *m* circles on the way. One allocation for a
///   fix with events, two more for a polygon crossed, none for others as long as the path is shorter than 8 km. About 1
///   KB, and 100 bytes for the most events a fix had.
public struct FenceMonitor: Sendable {
  /// The fences.
  public let index: FenceIndex
  /// The rules for entering and leaving.
  public private(set) var policy: FencePolicy
  /// The number of events so far.
  public private(set) var eventCount = 0
  /// The last fix taken; nil before the first.
  public private(set) var lastPosition: Coordinate?
  /// The latest time of a fix taken; nil if none had a time.
  public private(set) var lastTime: Double?

  /// The stays at fences that the object is not simply outside of, by slot.
  private var stays: [FenceStay] = []
  private var pendingCount = 0
  /// The next instant at which a dwell event may be due.
  private var nextDwell = Double.infinity
  private var neighborhood: FenceNeighborhood?
  /// The radius of the next neighborhood, in meters.
  private var hint = FenceNeighborhood.firstRadius
  /// The fences of the neighborhood.
  private var nearby: [NearbyFence] = []
  /// Buffers for the slots of fences to examine and for events; empty between fixes.
  private var candidates: [Int32] = []
  private var happenings: [FenceHappening] = []
  /// The distance that the object has moved since the neighborhood was made, summed over examined fixes, in meters.
  private var odometer = 0.0
  /// The last fix as a point in space, if fences were examined from it.
  private var lastPlace: ECEFPosition?
  /// The origin and length of the safe distance, in meters.
  private var safe: (origin: LineOrigin, radius: Double)?

  /// Makes a monitor in the unknown state.
  public init(_ index: FenceIndex, _ policy: FencePolicy = FencePolicy()) {
    self.index = index
    self.policy = policy
  }

  /// The numbers of the fences that the object is inside of, ascending: entered and not yet left.
  public var inside: [Int] {
    stays.filter(\.isInside).map { Int(index.circles[Int($0.slot)].number) }.sorted()
  }

  /// How far the object may move from the last fix before an event can occur at any fence, as far
  /// as is known now; a dwell event may still occur.
  ///
  /// A lower bound: zero if a border is near, or a change waits for confirmation.
  public var safeDistance: Distance {
    guard pendingCount == 0, let safe, let lastPosition else { return .zero }
    return .meters(max(0, safe.radius - safe.origin.distance(to: lastPosition)))
  }

  /// Takes the next fix.
  ///
  /// - Parameters:
  ///   - position: The position of the object.
  ///   - time: In seconds since an instant that the caller chooses; nil if unknown, which means
  ///     after all earlier fixes.
  ///   - accuracy: The fix's radius of uncertainty in meters, for `FencePolicy.exitNeedsAccuracy`.
  ///   - isContinuous: Whether the object came here from the last position, so that it may have
  ///     crossed fences in between.
  /// - Returns: The events, or that the fix was late and changed nothing.
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
      return FenceUpdate(events: [])
    }
    return examine(position, time: time, accuracy: accuracy, isContinuous: isContinuous)
  }

  /// Starts at a position where the object has been for an unknown time: it is inside the fences there, without
  /// confirmation, and no event is returned.
  package mutating func begin(at position: Coordinate) {
    let entry = policy.entry
    policy.entry = .fixes(1)
    _ = take(position)
    policy.entry = entry
  }

  /// Advances to an instant without a fix: an object inside is assumed to have stayed.
  ///
  /// Only dwell events can be reported. A later fix may be from before that instant.
  public mutating func advance(to instant: Double) -> [FenceEvent] {
    guard instant >= nextDwell, let lastPosition else { return [] }
    var dwellings: [FenceHappening] = []
    addDwellings(to: &dwellings, at: instant, position: lastPosition)
    return events(of: dwellings, time: instant)
  }

  // MARK: - Examining fences

  /// Examines the fences that a fix may matter to.
  private mutating func examine(
    _ position: Coordinate, time: Double?, accuracy: Double?, isContinuous: Bool
  ) -> FenceUpdate {
    var look = FenceLook(
      position: position, time: time,
      exitDistance: exitDistance(accuracy), previous: lastPosition, previousPlace: lastPlace)
    swap(&look.happenings, &happenings)
    let stepLength =
      lastPosition.map { look.view.distance(to: $0, lastPlace) + FenceIndex.rounding } ?? 0
    if policy.reportsCrossing, isContinuous, !isGap(time) { look.pathLength = stepLength }
    if let neighborhood, let safe, let previous = lastPosition,
      let room = neighborhood.room(at: position)
    {
      // The previous fix was within the safe distance of the last examined position.
      let moved = safe.origin.distance(to: position)
      let reach = moved >= safe.radius ? moved : max(moved, safe.origin.distance(to: previous))
      examineNearby(&look, moved: moved, reach: reach, room: room)
    } else if stepLength * FenceNeighborhood.leastSteps * FenceNeighborhood.growth > hint {
      examineAlongPath(&look, stepLength)
    } else {
      examineAround(&look)
    }
    lastPosition = position
    lastPlace = look.view.place
    lastTime = time ?? lastTime
    if let time {
      // Stays that began with fixes without times have lasted at least since the first fix with a time.
      for place in stays.indices where stays[place].phase == .inside && stays[place].since == nil {
        stays[place].since = time
      }
      addDwellings(to: &look.happenings, at: time, position: position)
    } else {
      takeStock()
    }
    if look.happenings.count > 1 { look.happenings.sort { $0.rank < $1.rank } }
    let events = events(of: look.happenings, time: time)
    look.happenings.removeAll(keepingCapacity: true)
    swap(&look.happenings, &happenings)
    return FenceUpdate(events: events)
  }

  /// The distance outside required for leaving, in meters.
  private func exitDistance(_ accuracy: Double?) -> Double {
    var distance = max(0, policy.exitBuffer.meters)
    if policy.exitNeedsAccuracy, let accuracy, accuracy > 0 { distance += accuracy }
    return distance
  }

  private func isGap(_ time: Double?) -> Bool {
    guard let greatest = policy.greatestCrossingGap, let time, let lastTime else { return false }
    return time - lastTime > greatest
  }

  /// Examines the fences nearby whose borders the object may have reached.
  ///
  /// Since a fence was last examined, the object has moved at most the sum of its moves between examined fixes, the
  /// odometer. Balls of less than a quarter of the Earth's circumference are convex, so the path between two positions
  /// of a ball stays in it, and `reach` also holds for the path.
  ///
  /// - Parameters:
  ///   - moved: The distance of the object from the last examined position, in meters.
  ///   - reach: The largest distance of any position on its path.
  ///   - room: The distance to the end of the neighborhood, which also contains the previous fix.
  private mutating func examineNearby(
    _ look: inout FenceLook, moved: Double, reach: Double, room: Double
  ) {
    let limit = odometer + reach + FenceIndex.rounding
    odometer += moved + FenceIndex.rounding
    var least = Double.infinity
    // Moved out of the monitor while fences are examined, so that it is changed in place.
    var nearby: [NearbyFence] = []
    swap(&nearby, &self.nearby)
    for place in nearby.indices {
      if nearby[place].due <= limit {
        let slot = nearby[place].slot
        nearby[place].due = odometer + examine(slot, stayPlace: stayPlace(slot), &look)
      }
      least = min(least, nearby[place].due)
    }
    swap(&nearby, &self.nearby)
    safe = (look.view.origin, min(room, least - odometer) - 2 * FenceIndex.rounding)
  }

  /// Examines every fence that can matter from here, and remembers the nearest.
  private mutating func examineAround(_ look: inout FenceLook) {
    let hint = hint
    var candidates: [Int32] = []
    swap(&candidates, &self.candidates)
    let reach = hint + max(0, policy.exitBuffer.meters) + FenceIndex.rounding
    index.appendCandidates(within: reach, of: look.view.place, to: &candidates)
    if look.pathLength > hint { appendFencesAlongPath(&look, to: &candidates) }
    var near: [NearbyFence] = []
    swap(&near, &nearby)
    near.removeAll(keepingCapacity: true)
    examineStays(and: candidates, &look) { slot, slack in
      if slack < hint { near.append(NearbyFence(slot: slot, due: slack)) }
    }
    let origin = look.view.origin
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

  /// Examines only the fences along the path, if steps are too long for a neighborhood.
  ///
  /// - Parameter stepLength: How far the object moved since the last fix, in meters.
  private mutating func examineAlongPath(_ look: inout FenceLook, _ stepLength: Double) {
    var candidates: [Int32] = []
    swap(&candidates, &self.candidates)
    look.isCoarse = true
    appendFencesAlongPath(&look, to: &candidates)
    // If most steps pass no fence, a neighborhood would last long enough.
    hint =
      candidates.isEmpty
      ? FenceNeighborhood.farther(than: hint)
      : min(max(hint / 2, stepLength), FenceNeighborhood.greatestRadius)
    examineStays(and: candidates, &look) { _, _ in }
    candidates.removeAll(keepingCapacity: true)
    swap(&candidates, &self.candidates)
    neighborhood = nil
    nearby.removeAll(keepingCapacity: true)
    safe = nil
  }

  /// Appends the fences that the path from the last fix may touch, and sorts all in ascending
  /// order.
  private func appendFencesAlongPath(_ look: inout FenceLook, to candidates: inout [Int32]) {
    guard look.pathLength > 0, let previous = look.previous else {
      return index.appendCandidates(within: 0, of: look.view.place, to: &candidates)
    }
    let isFirst = candidates.isEmpty
    look.needTrail(from: previous)
    look.trail.forEachLine { index.appendCandidates(within: $0, to: &candidates) }
    // Each line adds its fences in order, but several lines may add the same fence.
    if look.trail.isCut || !isFirst { candidates.sort() }
  }

  /// Examines candidates and the fences with stays, each once, in the order of their slots.
  ///
  /// - Parameters:
  ///   - candidates: Slots, ascending; may contain duplicates.
  ///   - body: Called with how far the object may move before a fence can matter, in meters.
  @inline(__always)
  private mutating func examineStays(
    and candidates: [Int32], _ look: inout FenceLook,
    _ body: (_ slot: Int32, _ slack: Double) -> Void
  ) {
    var place = 0, next = 0
    while true {
      let staying = place < stays.count ? stays[place].slot : .max
      let slot = min(staying, next < candidates.count ? candidates[next] : .max)
      if slot == .max { return }
      while next < candidates.count, candidates[next] == slot { next += 1 }
      body(slot, examine(slot, stayPlace: place, &look))
      // The stay may have begun or ended.
      if place < stays.count, stays[place].slot == slot { place += 1 }
    }
  }

  /// The index of the stay at a fence, or where to insert it.
  private func stayPlace(_ slot: Int32) -> Int {
    stays.partitioningCount { $0.slot < slot }
  }

  /// Examines one fence, and stores, inserts or removes its stay.
  ///
  /// - Parameter place: The index of the stay, or where to insert it.
  /// - Returns: How far the object may move before the fence can matter, in meters.
  @inline(__always)
  private mutating func examine(
    _ slot: Int32, stayPlace place: Int, _ look: inout FenceLook
  ) -> Double {
    let isThere = place < stays.count && stays[place].slot == slot
    var stay = isThere ? stays[place] : nil
    let slack = examine(slot, &stay, &look)
    switch (isThere, stay) {
    case (true, let stay?): stays[place] = stay
    case (true, nil): stays.remove(at: place)
    case (false, let stay?): stays.insert(stay, at: place)
    case (false, nil): break
    }
    return slack
  }

  /// Examines one fence.
  ///
  /// - Parameter stay: nil if the object is simply outside, before and after.
  /// - Returns: How far the object may move before the fence can matter, in meters.
  private mutating func examine(
    _ slot: Int32, _ stay: inout FenceStay?, _ look: inout FenceLook
  ) -> Double {
    let isCoarse = look.isCoarse && (stay == nil || look.exitDistance == 0)
    let gap = index.gapBounds(slot, from: look.view, isCoarse: isCoarse)
    if stay == nil, gap.lower > 0 {
      // Outside before and after: the common case.
      if gap.lower < look.pathLength, let (position, evidence) = crossing(slot, &look) {
        look.happenings.append(happening(.cross, slot, at: position, evidence))
      }
      return gap.lower
    }
    let sight: FenceSight =
      gap.upper <= 0
      ? .inside
      : index.isOutside(slot, gap, by: look.exitDistance, from: look.view) ? .outside : .near
    let before = stay
    switch FenceStay.advance(&stay, slot: slot, sight, time: look.time, policy) {
    case .nothing: break
    case .entered(let count, let elapsed):
      look.happenings.append(entry(slot, count, elapsed, look))
    case .left(let count, let elapsed):
      look.happenings.append(departure(slot, before, count, elapsed, look))
    }
    return switch stay?.phase {
    case nil: max(0, gap.lower)
    case .inside: max(0, max(0, policy.exitBuffer.meters) - gap.upper)
    // The next fix matters wherever it is.
    case .entering, .leaving: 0
    }
  }

  /// Where the path led through a fence that the object is outside of, now and at the previous fix; nil if it did not.
  ///
  /// An object that was inside has a stay instead.
  private func crossing(
    _ slot: Int32, _ look: inout FenceLook
  ) -> (position: Coordinate, evidence: FenceEvidence)? {
    guard let previous = look.previous else { return nil }
    let circle = index.circles[Int(slot)]
    look.needTrail(from: previous)
    if let outline = index.outline(circle) {
      // A path that meets the border enters the circle around it.
      guard look.trail.mayTouch(circle.place, circle.radius),
        FencePath.mayMeet(
          outline, on: look.trail, from: previous, to: look.view.position, length: look.pathLength)
      else { return nil }
      let path = look.path(from: previous)
      return path.firstMeeting(outline, on: look.trail).map {
        (path.position(at: $0), .met(along: $0, length: path.length))
      }
    }
    switch look.trail.passing(circle) {
    case .apart: return nil
    case .within(let distance, let position):
      return (position, .passed(distance: distance, radius: circle.radius))
    case .unknown:
      return look.path(from: previous).approach(of: circle.center, within: circle.radius).map {
        ($0.position, .passed(distance: $0.distance, radius: circle.radius))
      }
    }
  }
}

// MARK: - Events

extension FenceMonitor {
  /// Sorts and numbers the events of an instant.
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

  /// Makes an event; the fence's number comes from its circle.
  private func happening(
    _ kind: FenceEvent.Kind, _ slot: Int32, visit: Int? = nil, at position: Coordinate,
    _ evidence: FenceEvidence
  ) -> FenceHappening {
    FenceHappening(
      kind: kind, slot: slot, fence: index.circles[Int(slot)].number, visit: visit,
      position: position, evidence: evidence)
  }

  private func entry(
    _ slot: Int32, _ count: Int, _ elapsed: Double?, _ look: FenceLook
  ) -> FenceHappening {
    // A difference of nothing is 0, its negation would be −0.
    let depth = max(0, 0 - index.shownGap(slot, from: look.view, isInside: true))
    let confirmed = FenceEvidence.Confirmed(policy.entry, count: count, elapsed: elapsed)
    return happening(
      .enter, slot, at: look.view.position,
      .entered(depth: depth, confirmed, isFirst: look.previous == nil))
  }

  private func departure(
    _ slot: Int32, _ stay: FenceStay?, _ count: Int, _ elapsed: Double?, _ look: FenceLook
  ) -> FenceHappening {
    let gap = index.shownGap(slot, from: look.view, isInside: false)
    var stayed: Double?
    if let stay, stay.beganThen, let since = stay.since, let time = look.time {
      stayed = time - since
    }
    let confirmed = FenceEvidence.Confirmed(policy.exit, count: count, elapsed: elapsed)
    return happening(
      .exit, slot, visit: stay?.visit, at: look.view.position,
      .left(gap: gap, limit: look.exitDistance, stayed: stayed, confirmed))
  }

  /// Adds dwell events for objects that have been inside long enough at an instant.
  private mutating func addDwellings(
    to happenings: inout [FenceHappening], at instant: Double, position: Coordinate
  ) {
    if let dwell = policy.dwell {
      // While leaving waits for confirmation, it is unknown whether the object is inside.
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

  /// Finds the next instant at which a stay must be examined, and how many stays wait.
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
