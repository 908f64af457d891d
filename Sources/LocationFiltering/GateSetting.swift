import Geodesy

/// One rule of a policy with another number: what would have given another verdict.
public enum GateSetting: Hashable, Sendable {
  /// The rule on how far a fix must have moved.
  case movement(MovementRule)
  /// Moves within the two accuracies count.
  case needsMoreThanAccuracy(Bool)
  /// The least time between accepted fixes, in seconds.
  case leastInterval(Double)
  /// No region.
  case anyRegion
  /// The worst accuracy in meters.
  case worstAccuracy(Double)
  /// Whether fixes that a program made up are refused.
  case rejectsSimulated(Bool)
  /// Whether 0,0 is a position.
  case allowsNullIsland(Bool)
  /// How old a fix may be, in seconds.
  case greatestAge(Double)
  /// How far in the future a fix may be, in seconds.
  case greatestLead(Double)
  /// The fastest move, in meters a second.
  case greatestSpeed(Double)
  /// The longest step, in meters.
  case greatestJump(Double)
  /// Whether fixes are refused that do not fit how the device has moved.
  case learnsMotion(Bool)
  /// Whether older fixes are refused.
  case rejectsOutOfOrder(Bool)
  /// After how many that agree refused fixes are believed.
  case reanchorCount(Int)
  /// How many first fixes must agree.
  case firstFixCount(Int)
}

extension GatePolicy {
  /// Changes one rule.
  public mutating func apply(_ setting: GateSetting) {
    switch setting {
    case .movement(let rule): movement = rule
    case .needsMoreThanAccuracy(let value): needsMoreThanAccuracy = value
    case .leastInterval(let seconds): leastInterval = seconds
    case .anyRegion: region = nil
    case .worstAccuracy(let meters): worstAccuracy = meters
    case .rejectsSimulated(let value): rejectsSimulated = value
    case .allowsNullIsland(let value): allowsNullIsland = value
    case .greatestAge(let seconds): greatestAge = seconds
    case .greatestLead(let seconds): greatestLead = seconds
    case .greatestSpeed(let speed): greatestSpeed = speed
    case .greatestJump(let meters): greatestJump = meters
    case .learnsMotion(let value): learnsMotion = value
    case .rejectsOutOfOrder(let value): rejectsOutOfOrder = value
    case .reanchorCount(let count): reanchorCount = count
    case .firstFixCount(let count): firstFixCount = count
    }
  }
}

extension LocationGate {
  /// Which settings would have given the next fix the other verdict: accepted instead of held or
  /// rejected, or the other way round.
  ///
  ///     gate.whatWouldItTake(toFlip: fix)  // [.movement(.meters(41.2, .inclusive))]
  ///
  /// - Returns: Settings that do it together, none of which can be left out, each as close to the
  ///   policy's as lets the fix keep that rule; nil where none can, as for a fix that is no position.
  public func whatWouldItTake(toFlip fix: Fix, now: Double? = nil) -> [GateSetting]? {
    var settings: [GateSetting] = []
    var policy = policy
    // One rule may hide another behind it, but each is changed at most once.
    while settings.count < GateReason.Code.allCases.count {
      let verdict = judged(fix, now: now, under: policy)
      if verdict.isAccepted {
        return settings.isEmpty
          ? settingThatHolds(fix, verdict, now: now).map { [$0] }
          : needed(of: settings, toAccept: fix, now: now)
      }
      for reason in verdict.reasons where !isRemark(reason, in: verdict) {
        guard let setting = reason.settingThatAccepts(under: policy) else { return nil }
        settings.append(setting)
        policy.apply(setting)
      }
    }
    return nil
  }

  /// Leaves out what is not needed: a fix that is bad by itself may contradict the last, too, and yet be
  /// the one by which enough agree.
  private func needed(
    of settings: [GateSetting], toAccept fix: Fix, now: Double?
  ) -> [GateSetting] {
    for place in settings.indices.reversed() where settings.count > 1 {
      var fewer = settings, policy = policy
      fewer.remove(at: place)
      for setting in fewer { policy.apply(setting) }
      if judged(fix, now: now, under: policy).isAccepted {
        return needed(of: fewer, toAccept: fix, now: now)
      }
    }
    return settings
  }

  /// Whether a reason only explains another one.
  private func isRemark(_ reason: GateReason, in verdict: GateVerdict) -> Bool {
    switch reason.code {
    case .undoesJump: true
    case .looksSwapped, .unconfirmed: verdict.reasons.count > 1
    default: false
    }
  }

  private func settingThatHolds(
    _ fix: Fix, _ verdict: GateVerdict, now: Double?
  ) -> GateSetting? {
    guard let reason = verdict.reasons.first, let position = fix.coordinate else { return nil }
    let value = reason.value ?? 0
    switch reason.code {
    case .moved: return policy.movement?.holding(value).map(GateSetting.movement)
    case .noRule: return meters(to: position).map { .movement(.meters($0, .exclusive)) }
    case .firstFix:
      // More may agree than the policy asked for.
      var patient = policy
      patient.firstFixCount = .max
      let agreeing = judged(fix, now: now, under: patient).reasons.first?.value ?? 0
      return .firstFixCount(Int(agreeing) + 1)
    case .reanchored:
      // A return takes one fix less.
      let isReturn = verdict.reasons.contains { $0.code == .undoesJump }
      return .reanchorCount(Int(value) + (isReturn ? 2 : 1))
    default: return nil
    }
  }
}

extension GateReason {
  /// The rule that would let the fix pass; nil where no rule could.
  fileprivate func settingThatAccepts(under policy: GatePolicy) -> GateSetting? {
    let value = value ?? 0
    switch code {
    case .noFix, .notANumber, .latitudeRange, .longitudeRange, .looksSwapped: return nil
    case .nullIsland: return .allowsNullIsland(true)
    case .simulated: return .rejectsSimulated(false)
    case .accuracy: return value >= 0 ? .worstAccuracy(value) : nil
    case .tooOld: return .greatestAge(value)
    case .inFuture: return .greatestLead(value)
    case .outsideRegion: return .anyRegion
    case .outOfOrder: return .rejectsOutOfOrder(false)
    case .speed: return .greatestSpeed(value)
    case .jump: return .greatestJump(value)
    case .unusualSpeed, .offCourse: return .learnsMotion(false)
    case .unconfirmed: return .firstFixCount(Int(value))
    case .tooSoon: return .leastInterval(value)
    case .withinAccuracy: return .needsMoreThanAccuracy(false)
    case .moved: return policy.movement?.accepting(value).map(GateSetting.movement)
    // No rule of the policy makes an outlier: only who asks for hindsight hears of one.
    case .outlier, .firstFix, .reanchored, .noRule, .undoesJump: return nil
    }
  }
}

extension MovementRule {
  /// The rule with the greatest threshold that a move passes; nil where none does.
  fileprivate func accepting(_ move: Double) -> MovementRule? {
    switch self {
    case .meters: return .meters(move, .inclusive)
    case .degrees(_, let axes, _): return .degrees(move, axes: axes, .inclusive)
    // A signed threshold below a move, which may be negative.
    case .degreesSouthOrWest: return .degreesSouthOrWest(move.nextDown)
    }
  }

  /// The rule with the least threshold that a move does not pass.
  fileprivate func holding(_ move: Double) -> MovementRule? {
    switch self {
    case .meters: return .meters(move, .exclusive)
    case .degrees(_, let axes, _): return .degrees(move, axes: axes, .exclusive)
    case .degreesSouthOrWest: return .degreesSouthOrWest(move)
    }
  }
}
