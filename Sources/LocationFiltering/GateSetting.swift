import Geodesy

/// A changed rule of a policy, which would lead to another verdict.
public enum GateSetting: Hashable, Sendable {
  /// The rule on how far a fix must have moved.
  case movement(MovementRule)
  /// Whether moves must exceed the sum of both accuracies.
  case needsMoreThanAccuracy(Bool)
  /// The least time between accepted fixes, in seconds.
  case leastInterval(Double)
  /// Fixes are accepted in any region.
  case anyRegion
  /// The worst accuracy in meters.
  case worstAccuracy(Double)
  /// Whether simulated fixes are refused.
  case rejectsSimulated(Bool)
  /// Whether 0,0 is a valid position.
  case allowsNullIsland(Bool)
  /// The maximum age of a fix, in seconds.
  case greatestAge(Double)
  /// How far in the future a fix may be, in seconds.
  case greatestLead(Double)
  /// The maximum speed, in meters per second.
  case greatestSpeed(Double)
  /// The longest step, in meters.
  case greatestJump(Double)
  /// Whether fixes are refused that do not fit the device's motion.
  case learnsMotion(Bool)
  /// Whether older fixes are refused.
  case rejectsOutOfOrder(Bool)
  /// How many refused fixes must agree to be believed.
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
  /// The settings that would give the next fix the opposite verdict: accepted instead of held or
  /// rejected, or the reverse.
  ///
  ///     gate.whatWouldItTake(toFlip: fix)  // [.movement(.meters(41.2, .inclusive))]
  ///
  /// - Returns: A minimal set of settings that are needed together, each as close to the policy's
  ///   value as possible; nil if no settings suffice, as for a fix without a valid position.
  public func whatWouldItTake(toFlip fix: Fix, now: Double? = nil) -> [GateSetting]? {
    var settings: [GateSetting] = []
    var policy = policy
    // One rule may hide another, but each rule is changed at most once.
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

  /// Removes settings that are not needed: a defective fix may also contradict the last good one,
  /// and yet complete the number of fixes that agree.
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
    case .moved: return policy.movement.map { .movement($0.deciding(value, .exclusive)) }
    case .noRule: return meters(to: position).map { .movement(.meters($0, .exclusive)) }
    case .firstFix:
      // More fixes may agree than the policy requires.
      var patient = policy
      patient.firstFixCount = .max
      let agreeing = judged(fix, now: now, under: patient).reasons.first?.value ?? 0
      return .firstFixCount(Int(agreeing) + 1)
    case .reanchored:
      // A return needs one fix less.
      let isReturn = verdict.reasons.contains { $0.code == .undoesJump }
      return .reanchorCount(Int(value) + (isReturn ? 2 : 1))
    default: return nil
    }
  }
}

extension GateReason {
  /// The setting that would let the fix pass; nil if there is none.
  fileprivate func settingThatAccepts(under policy: GatePolicy) -> GateSetting? {
    let value = value ?? 0
    switch code {
    case .noFix, .notANumber, .latitudeRange, .longitudeRange, .looksSwapped: return nil
    case .nullIsland: return .allowsNullIsland(true)
    case .simulated: return .rejectsSimulated(false)
    case .accuracy: return value >= 0 && value.isFinite ? .worstAccuracy(value) : nil
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
    case .moved: return policy.movement.map { .movement($0.deciding(value, .inclusive)) }
    // No rule of the policy produces an outlier; only an `OutlierFilter` does.
    case .outlier, .firstFix, .reanchored, .noRule, .undoesJump: return nil
    }
  }
}

extension MovementRule {
  /// The rule with the largest threshold that a move passes, or the smallest that it does not pass if the edge is
  /// exclusive.
  fileprivate func deciding(_ move: Double, _ edge: Edge) -> MovementRule {
    switch self {
    case .meters: .meters(move, edge)
    case .degrees(_, let axes, _): .degrees(move, axes: axes, edge)
    // A signed threshold, which may be negative, and must be below a move that passes.
    case .degreesSouthOrWest: .degreesSouthOrWest(edge == .inclusive ? move.nextDown : move)
    }
  }
}
