import Geodesy

/// The state of an object at a fence that it is not simply outside of.
struct FenceStay: Hashable, Sendable {
  /// The fence's slot in the index.
  let slot: Int32
  var phase: Phase
  /// The time of the first fix inside that has one.
  var since: Double?
  /// Whether the stay began then, and not with an earlier fix, at a time that nobody knows.
  let beganThen: Bool
  /// The number of the entry event; 0 until it is confirmed.
  var visit = 0
  /// Whether the dwell event was reported.
  var hasDwelled = false

  enum Phase: Hashable, Sendable {
    /// The number of consecutive fixes inside, not yet confirmed.
    case entering(count: Int)
    case inside
    /// The number of consecutive fixes clearly outside since an instant, not yet confirmed.
    case leaving(count: Int, since: Double?)
  }

  var isInside: Bool { if case .entering = phase { false } else { true } }

  /// Whether the next fix may change the phase wherever it is.
  var isPending: Bool { phase != .inside }

  /// Applies the next fix.
  ///
  /// - Parameter stay: nil for simply outside, before and after.
  static func advance(
    _ stay: inout FenceStay?, slot: Int32, _ sight: FenceSight, time: Double?,
    _ policy: FencePolicy
  ) -> FenceStep {
    guard var current = stay else {
      guard sight == .inside else { return .nothing }
      let entering = FenceStay(
        slot: slot, phase: .entering(count: 0), since: time, beganThen: time != nil)
      return enter(entering, into: &stay, time, policy)
    }
    if current.since == nil, sight == .inside { current.since = time }
    switch (current.phase, sight) {
    case (.entering, .inside): return enter(current, into: &stay, time, policy)
    case (.entering, _):
      stay = nil
      return .nothing
    case (_, .inside), (.inside, .near):
      current.phase = .inside
      stay = current
      return .nothing
    case (.leaving, .near):
      // Confirms neither that it is outside nor that it is not.
      stay = current
      return .nothing
    case (.inside, .outside):
      return leave(current, into: &stay, count: 1, since: time, time, policy)
    case (.leaving(let count, let since), .outside):
      return leave(current, into: &stay, count: count + 1, since: since ?? time, time, policy)
    }
  }

  private static func enter(
    _ entering: FenceStay, into stay: inout FenceStay?, _ time: Double?, _ policy: FencePolicy
  ) -> FenceStep {
    guard case .entering(let before) = entering.phase else { return .nothing }
    var entering = entering
    let count = before + 1
    let elapsed = elapsed(from: entering.since, to: time)
    let isMet = policy.entry.isMet(count: count, elapsed: elapsed)
    entering.phase = isMet ? .inside : .entering(count: count)
    stay = entering
    return isMet ? .entered(count: count, elapsed: elapsed) : .nothing
  }

  private static func leave(
    _ leaving: FenceStay, into stay: inout FenceStay?, count: Int, since: Double?, _ time: Double?,
    _ policy: FencePolicy
  ) -> FenceStep {
    let elapsed = elapsed(from: since, to: time)
    guard policy.exit.isMet(count: count, elapsed: elapsed) else {
      var leaving = leaving
      leaving.phase = .leaving(count: count, since: since)
      stay = leaving
      return .nothing
    }
    stay = nil
    return .left(count: count, elapsed: elapsed)
  }

  private static func elapsed(from since: Double?, to time: Double?) -> Double? {
    guard let since, let time else { return nil }
    return time - since
  }
}

/// The position of one fix relative to one fence.
enum FenceSight: Hashable, Sendable {
  /// In the fence or on its border.
  case inside
  /// Outside, but not far enough for leaving.
  case near
  /// Outside, and far enough for leaving.
  case outside
}

/// The effect of a fix on a stay; <doc:StateTable> lists it as a table.
enum FenceStep: Hashable, Sendable {
  case nothing
  /// Entered after this many fixes.
  case entered(count: Int, elapsed: Double?)
  /// Left after this many fixes.
  case left(count: Int, elapsed: Double?)
}
