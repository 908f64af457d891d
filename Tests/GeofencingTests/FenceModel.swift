import Geodesy
import Geofencing

/// The judge of a monitor: compares every fence with every fix, by the table of StateTable.md, with
/// nothing remembered but the states.
///
/// Kept simple enough to trust.
struct FenceModel {
  let fences: [Fence]
  let policy: FencePolicy
  var states: [State]
  private var last: (position: Coordinate, time: Double?)?
  private var lastTime: Double?

  struct State {
    enum Phase { case outside, entering, inside, leaving }
    var phase = Phase.outside
    var count = 0
    /// When the stay began, and when leaving it did.
    var since: Double?, leavingSince: Double?
    var hasDwelled = false
  }

  /// An event without its reasons.
  struct Happening: Hashable, Comparable {
    let kind: FenceEvent.Kind
    let fence: Int

    static func < (left: Happening, right: Happening) -> Bool {
      let kinds = FenceEvent.Kind.allCases
      let ranks = (kinds.firstIndex(of: left.kind) ?? 0, kinds.firstIndex(of: right.kind) ?? 0)
      return ranks.0 != ranks.1 ? ranks.0 < ranks.1 : left.fence < right.fence
    }
  }

  init(_ fences: [Fence], _ policy: FencePolicy) {
    self.fences = fences
    self.policy = policy
    states = fences.map { _ in State() }
  }

  var inside: [Int] {
    states.indices.filter { states[$0].phase == .inside || states[$0].phase == .leaving }
  }

  /// How far outside, in meters.
  static func gap(_ fence: Fence, _ position: Coordinate) -> Double {
    switch fence.shape {
    case .circle(let center, let radius):
      center.distance(to: position).meters - radius.meters
    case .polygons(let area):
      Region(name: "", polygons: area.polygons).distance(to: position).meters
    }
  }

  /// What happens at a fix, crossings left out; and the fences that may have been crossed, with the
  /// path.
  mutating func take(_ step: Scene.Step) -> (
    events: [Happening], paths: [(fence: Int, from: Coordinate)]
  ) {
    if let time = step.time, let lastTime, time < lastTime { return ([], []) }
    var events: [Happening] = []
    var paths: [(fence: Int, from: Coordinate)] = []
    var limit = policy.exitBuffer.meters
    if policy.exitNeedsAccuracy { limit += step.accuracy ?? 0 }
    let isGap =
      policy.greatestCrossingGap.map { greatest in
        step.time.map { $0 - (lastTime ?? $0) > greatest } ?? false
      } ?? false
    for (number, fence) in fences.enumerated() {
      let isInside = fence.contains(step.position)
      let before = states[number].phase
      // How far outside matters to those who were inside.
      let isOutside =
        !isInside && (before == .inside || before == .leaving)
        && FenceModel.gap(fence, step.position) > limit
      states[number].advance(isInside, isOutside, step.time, policy)
      switch (before, states[number].phase) {
      case (.outside, .inside), (.entering, .inside):
        events.append(Happening(kind: .enter, fence: number))
      case (.inside, .outside), (.leaving, .outside):
        events.append(Happening(kind: .exit, fence: number))
      case (.outside, .outside):
        if let last, !fence.contains(last.position), !isGap {
          paths.append((number, last.position))
        }
      default: break
      }
      if let time = step.time, states[number].phase == .inside {
        if states[number].since == nil { states[number].since = time }
        if let dwell = policy.dwell, !states[number].hasDwelled,
          time - (states[number].since ?? time) >= dwell
        {
          states[number].hasDwelled = true
          events.append(Happening(kind: .dwell, fence: number))
        }
      }
    }
    last = (step.position, step.time)
    lastTime = step.time ?? lastTime
    return (events.sorted(), paths)
  }
}

extension FenceModel.State {
  fileprivate mutating func advance(
    _ isInside: Bool, _ isOutside: Bool, _ time: Double?, _ policy: FencePolicy
  ) {
    switch phase {
    case .outside, .entering:
      guard isInside else {
        self = FenceModel.State()
        return
      }
      since = since ?? time
      count += 1
      phase = isMet(policy.entry, count, since, time) ? .inside : .entering
    case .inside, .leaving:
      if isInside {
        since = since ?? time
        phase = .inside
      } else if isOutside {
        if phase == .inside { (count, leavingSince) = (0, time) }
        leavingSince = leavingSince ?? time
        count += 1
        phase = .leaving
        if isMet(policy.exit, count, leavingSince, time) { self = FenceModel.State() }
      }
    }
  }

  private func isMet(
    _ rule: FencePolicy.Confirmation, _ count: Int, _ since: Double?, _ time: Double?
  ) -> Bool {
    switch rule {
    case .fixes(let least): return count >= least
    case .seconds(let least):
      if least <= 0 { return true }
      guard let since, let time else { return false }
      return time - since >= least
    }
  }
}
