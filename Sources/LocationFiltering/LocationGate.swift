import Geodesy

/// Judges fixes one after another and accepts, holds or rejects each, with reasons.
///
/// A held fix is good, but did not move enough for a new query.
///
///     var gate = LocationGate(.cinema300m)
///     for fix in fixes {
///       switch gate.judge(fix) {
///       case .accepted: refresh(at: fix)
///       case .held(let why), .rejected(let why): print(why)
///       }
///     }
///
/// A gate is a value without a clock: the same fixes always give the same verdicts. <doc:StateMachine> lists its states
/// in a table.
///
/// - Complexity: O(1) for each fix, about 0.1 µs; more for a region of polygons, and for the distance of a fix to the
///   region.
public struct LocationGate: Hashable, Sendable {
  /// The rules of the gate.
  public var policy: GatePolicy { rules.policy }
  /// The policy, in shared memory: copying the gate or reading a rule does not copy the policy.
  private var rules: Rules
  /// The state after the last fix.
  public private(set) var state = State.cold

  /// The last good fix, the basis for speeds and jumps.
  private var anchor: GoodFix?
  /// The last accepted fix.
  private var lastAccepted: GoodFix?
  /// The position of the last fix delivered, in degrees as delivered.
  private var lastDelivered: Degrees?
  /// Consecutive fixes that agree with each other and wait to be believed.
  private var candidates = Apart<Candidates>.nothing
  /// The motion of the good fixes, if the policy learns motion.
  private var motion = MotionModel()
  /// The last believed jump, if the policy learns motion.
  private var jump = Apart<Jump>.nothing
  /// The number of good fixes so far.
  private var goodCount = 0
  /// The number of consecutive good fixes measured before the last accepted one.
  private var earlierCount = 0

  private struct Candidates: Hashable, Sendable {
    let last: GoodFix
    /// The first of the candidates that do not undo the last believed jump.
    let first: GoodFix
    /// The number of consecutive candidates that agree, of either kind.
    let count: Int
    /// The number of consecutive candidates that undo the last believed jump.
    let returningCount: Int
    /// The last held candidate that undid the jump: the device was there before the other
    /// candidates.
    var lastReturning: GoodFix?
    /// The speed from the previous candidate to the last, in meters per second, if motion is learned.
    var speed = 0.0
  }

  /// The state of a gate.
  public enum State: String, Hashable, Sendable {
    /// No fix has been accepted yet.
    case cold
    /// The last good fix was accepted.
    case moving
    /// The last good fix was held.
    case still
    /// The last fixes contradict the last good one.
    case suspect
    /// With the last fix, the gate believed the contradicting ones.
    case reanchored
  }

  /// Makes a gate without any fixes.
  public init(_ policy: GatePolicy = GatePolicy()) { rules = Rules(policy) }

  /// Judges the next fix.
  ///
  /// - Parameters:
  ///   - fix: The fix as delivered.
  ///   - now: The current time on the clock of the fixes, for rules about age; nil to skip them.
  /// - Returns: The verdict with its reasons: everything that speaks against the fix, or the rule that it passed.
  public mutating func judge(_ fix: Fix, now: Double? = nil) -> GateVerdict {
    let rules = rules
    let verdict = judge(fix, now: now, under: rules)
    if rules.policy.reference == .lastDelivered, let degrees = Degrees(fix) {
      lastDelivered = degrees
    }
    return verdict
  }

  private mutating func judge(
    _ fix: Fix, now: Double?, under rules: Rules
  ) -> GateVerdict {
    let position: Coordinate
    do { position = try rules.position(of: fix) } catch {
      return .rejected(GateReasons(error.reason))
    }
    let good = GoodFix(position, fix)
    let refusals = rules.refusals(of: fix, at: position, now: now)
    var contradictions: [GateReason]?
    // Measured once, for the decision and for learning.
    var step: MotionModel.Step?
    if rules.judgesSteps, let anchor {
      let meters = rules.measuresSteps ? anchor.meters(to: position) : 0
      let time = good.time ?? anchor.time
      if rules.policy.learnsMotion {
        step = rules.step(from: anchor, to: good, meters: meters, at: time)
      }
      contradictions = rules.contradictions(of: good, to: anchor, meters: meters, at: time)
      // Exceeding the maximum speed is a stronger reason than exceeding the usual speed.
      if let step, contradictions?.allSatisfy({ $0.code == .outOfOrder }) ?? true,
        let objection = motion.objection(to: step, error: good.error(with: anchor))
      {
        contradictions = (contradictions ?? []) + [objection]
      }
      // The true duration is unknown.
      if good.time == nil, contradictions == nil { step = nil }
    }
    if let refusals {
      // A defect of the fix itself says nothing about where the device is, so the state stays.
      return .rejected(GateReasons(refusals + (contradictions ?? [])))
    }
    if let contradictions { return suspect(good, contradictions, over: step) }
    guard lastAccepted != nil else { return confirm(good, over: step) }
    if !candidates.isNothing { follow(good) }
    if rules.acceptsWhatIsGood {
      accept(good, over: step)
      state = .moving
      return .accepted(GateReasons(GateReason(.noRule)))
    }
    return compare(good, over: step, under: rules)
  }

  /// The verdict on the next fix under another policy, after the same past fixes.
  public func judged(_ fix: Fix, now: Double? = nil, under policy: GatePolicy) -> GateVerdict {
    var gate = self
    gate.rules = Rules(policy)
    return gate.judge(fix, now: now)
  }

  /// The distance in meters from the reference of moves to a position; nil before the first fix.
  func meters(to position: Coordinate) -> Double? {
    let delivered =
      policy.reference == .lastDelivered ? lastDelivered?.meters(to: position) : nil
    return delivered
      ?? (policy.reference == .lastAccepted ? lastAccepted : anchor)?.meters(to: position)
  }

  /// Rejects a fix that contradicts the anchor, holds it if the evidence is balanced, or believes
  /// it as the last of enough fixes that agree.
  ///
  /// - Parameter step: The step from the anchor, if motion is learned and times are known.
  private mutating func suspect(
    _ fix: GoodFix, _ contradictions: [GateReason], over step: MotionModel.Step?
  ) -> GateVerdict {
    let isCold = lastAccepted == nil
    let isReturning = !isCold && undoesJump(fix, over: step)
    let earlier = candidates.value, last = earlier?.last
    let waiting = countAgreeing(fix, isReturning: isReturning)
    let needed = isCold ? max(policy.reanchorCount, policy.firstFixCount) : policy.reanchorCount
    // The motion before the jump is evidence for a return, which needs one fix less, but at least two.
    let neededToReturn = max(3, needed) - 1
    if policy.reanchorCount > 0, let last, waiting.returningCount >= neededToReturn {
      return goBack(to: last, fix, needed: neededToReturn)
    }
    let isEnough = policy.reanchorCount > 0 && waiting.count >= needed
    if isEnough, isCold || isLikely(fix, after: earlier) {
      reanchor(on: waiting, after: last, fix, isCold: isCold)
      return .accepted(GateReasons(counted(.reanchored, waiting.count, of: needed)))
    }
    state = isCold ? .cold : .suspect
    if isReturning, let jump = jump.value {
      var candidates = waiting
      candidates.lastReturning = fix
      self.candidates = .something(candidates)
      return .held(
        GateReasons(
          contradictions + [
            counted(.unconfirmed, waiting.returningCount, of: neededToReturn),
            GateReason(.undoesJump, jump.meters, unit: .meters),
          ]))
    }
    if !isCold, needed > 0,
      isEnough
        || (waiting.count > 1
          ? last.map { isUsual(fix, after: $0) } ?? false
          : mayHaveGone(to: fix, over: step, contradictions))
    {
      return .held(
        GateReasons(
          contradictions + [counted(.unconfirmed, min(waiting.count, needed - 1), of: needed)]))
    }
    return .rejected(GateReasons(contradictions))
  }

  /// Whether a fix that agrees by the fixed rules also fits the motion of the candidates before it.
  ///
  /// A fix does not fit if it is neither within usual reach of the last candidate nor about as fast.
  private func isLikely(_ fix: GoodFix, after earlier: Candidates?) -> Bool {
    guard motion.isWarm, let earlier, earlier.count > 1,
      let step = step(from: earlier.last, to: fix)
    else { return true }
    let error = fix.error(with: earlier.last)
    return motion.isUsual(step, error: error)
      || step.meters - error <= (1.5 * earlier.speed + 3) * step.seconds
  }

  /// Whether a fix is contradicted only by a long silence in which the device may have moved there.
  private func mayHaveGone(
    to fix: GoodFix, over step: MotionModel.Step?, _ contradictions: [GateReason]
  ) -> Bool {
    guard let step, let anchor,
      contradictions.allSatisfy({ $0.code == .unusualSpeed || $0.code == .offCourse })
    else { return false }
    return motion.mayHaveGone(step, error: fix.error(with: anchor))
  }

  /// A reason that counts fixes.
  private func counted(_ code: GateReason.Code, _ count: Int, of needed: Int) -> GateReason {
    GateReason(code, Double(count), of: Double(needed), unit: .fixes)
  }

  /// Replaces the anchor by the last of enough fixes that agree.
  private mutating func reanchor(
    on waiting: Candidates, after last: GoodFix?, _ fix: GoodFix, isCold: Bool
  ) {
    let previous = waiting.count > 1 ? last : nil
    if !isCold, let anchor {
      remember(jumpFrom: waiting.lastReturning ?? anchor, to: waiting.first)
    }
    if let previous, motion.isWarm, isUsual(fix, after: previous) {
      // Another position, but the same kind of motion.
      motion.forgetVelocity()
    } else {
      motion = MotionModel()
    }
    anchor = previous
    accept(fix, over: previous.flatMap { self.step(from: $0, to: fix) })
    state = .reanchored
  }

  /// Undoes the last believed jump.
  ///
  /// - Parameter last: The previous fix, which also undoes the jump.
  private mutating func goBack(to last: GoodFix, _ fix: GoodFix, needed: Int) -> GateVerdict {
    let undone = jump.value
    if let anchor { remember(jumpFrom: anchor, to: last) }
    if let undone, motion.count < undone.motion.count { motion = undone.motion }
    motion.forgetVelocity()
    anchor = last
    accept(fix, over: step(from: last, to: fix))
    state = .reanchored
    return .accepted([
      counted(.reanchored, needed, of: needed),
      GateReason(.undoesJump, undone?.meters, unit: .meters),
    ])
  }

  /// Takes a good fix near earlier disbelieved ones as their confirmation, and remembers the jump:
  /// they were too far for their time, and this fix is not only because it came later.
  private mutating func follow(_ fix: GoodFix) {
    if policy.learnsMotion, policy.reanchorCount > 0,
      let candidates = candidates.value, candidates.count > 1,
      candidates.returningCount == 0,
      let anchor,
      candidates.last.meters(to: fix.position) < anchor.meters(to: fix.position)
    {
      remember(jumpFrom: candidates.lastReturning ?? anchor, to: candidates.first)
    }
    candidates = .nothing
  }

  private mutating func remember(jumpFrom start: GoodFix, to end: GoodFix) {
    jump = Apart(
      step(from: start, to: end).map {
        Jump(over: $0, error: end.error(with: start), after: motion, at: goodCount)
      })
  }

  /// Whether a fix is where the device would be without the jump.
  private func undoesJump(_ fix: GoodFix, over step: MotionModel.Step?) -> Bool {
    guard let jump = jump.value, let step, let anchor, goodCount - jump.place <= Jump.longestMemory
    else { return false }
    return jump.isUndone(by: step, error: fix.error(with: anchor), velocityOf: motion)
  }

  /// Whether the device recently moved as fast as from one fix to the other.
  private func isUsual(_ fix: GoodFix, after last: GoodFix) -> Bool {
    guard let step = step(from: last, to: fix) else { return false }
    return motion.isUsual(step, error: fix.error(with: last))
  }

  /// The step between two fixes, if motion is learned and times are known.
  private func step(from start: GoodFix, to end: GoodFix) -> MotionModel.Step? {
    guard policy.learnsMotion else { return nil }
    return rules.step(
      from: start, to: end, meters: start.meters(to: end.position), at: end.time)
  }

  /// Waits until enough first fixes agree.
  private mutating func confirm(
    _ fix: GoodFix, over step: MotionModel.Step?
  ) -> GateVerdict {
    let count = countAgreeing(fix, isReturning: false).count
    if count < policy.firstFixCount {
      settle(at: fix, over: step)
      return .held(GateReasons(counted(.unconfirmed, count, of: policy.firstFixCount)))
    }
    if policy.reference == .lastDelivered, let lastDelivered {
      // The mart app compares even with a bad first fix.
      let (reason, isPassed) = rules.move(of: fix, from: lastDelivered, lineFrom: nil)
      if !isPassed {
        settle(at: fix, over: step)
        return .held(GateReasons(reason))
      }
    }
    accept(fix, over: step)
    state = .moving
    return .accepted(GateReasons(GateReason(.firstFix)))
  }

  /// The consecutive fixes that agree with each other, including this one.
  private mutating func countAgreeing(_ fix: GoodFix, isReturning: Bool) -> Candidates {
    let last = candidates.value.flatMap { candidates in
      rules.contradictions(of: fix, to: candidates.last) == nil ? candidates : nil
    }
    let continues = isReturning || last?.returningCount == 0
    let waiting = Candidates(
      last: fix,
      first: continues ? last?.first ?? fix : fix,
      count: 1 + (last?.count ?? 0),
      returningCount: isReturning ? 1 + (last?.returningCount ?? 0) : 0,
      lastReturning: candidates.value?.lastReturning,
      speed: last.flatMap { step(from: $0.last, to: fix) }.map { $0.meters / $0.seconds } ?? 0)
    candidates = .something(waiting)
    return waiting
  }

  /// Accepts a good fix that has moved far enough, and holds others.
  private mutating func compare(
    _ fix: GoodFix, over step: MotionModel.Step?, under rules: Rules
  ) -> GateVerdict {
    var holds: [GateReason] = []
    if let least = rules.policy.leastInterval, let time = fix.time, let last = lastAccepted?.time {
      earlierCount = time < last ? earlierCount + 1 : 0
      // This many fixes before the last accepted one mean that its time was wrong or the clock was
      // set back; waiting for that time again might hold all fixes for years.
      let needed = rules.policy.reanchorCount
      let wasSet = needed > 0 && earlierCount >= needed
      if time - last < least - GatePolicy.leastSecond, !wasSet {
        holds.append(GateReason(.tooSoon, time - last, of: least, unit: .seconds))
      }
    }
    let reference = (rules.policy.reference == .lastAccepted ? lastAccepted : anchor) ?? fix
    if rules.policy.needsMoreThanAccuracy, let own = fix.accuracy, let other = reference.accuracy {
      let moved = reference.meters(to: fix.position)
      if moved <= own + other {
        holds.append(GateReason(.withinAccuracy, moved, of: own + other, unit: .meters))
      }
    }
    let origin = rules.policy.reference == .lastDelivered ? lastDelivered : nil
    let (reason, isPassed) = rules.move(
      of: fix, from: origin ?? Degrees(reference.position), lineFrom: reference)
    if isPassed, holds.isEmpty {
      accept(fix, over: step)
      state = .moving
      return .accepted(GateReasons(reason))
    }
    settle(at: fix, over: step)
    state = .still
    if isPassed { return .held(GateReasons(holds)) }
    return .held(holds.isEmpty ? GateReasons(reason) : GateReasons(holds + [reason]))
  }

  private mutating func accept(_ fix: GoodFix, over step: MotionModel.Step?) {
    earlierCount = 0
    settle(at: fix, over: step, isMeasured: rules.measuresMoves)
    lastAccepted = anchor
    if !candidates.isNothing { candidates = .nothing }
  }

  /// Takes a good fix as the position of the device.
  ///
  /// - Parameter step: The step from the anchor, to learn from.
  private mutating func settle(
    at fix: GoodFix, over step: MotionModel.Step?, isMeasured: Bool = false
  ) {
    if let step { motion.learn(step) }
    let lastTime = anchor?.time
    anchor = fix.prepared(rules.measuresSteps || isMeasured)
    // After a fix without a time, the time of the previous one is still a lower bound.
    if fix.time == nil { anchor?.time = lastTime }
    goodCount &+= 1
  }
}

/// Degrees as delivered.
struct Degrees: Hashable {
  let latitude, longitude: Double

  init?(_ fix: Fix) {
    guard let latitude = fix.latitude, let longitude = fix.longitude else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  init(_ position: Coordinate) {
    latitude = position.latitude
    longitude = position.longitude
  }

  /// The geodesic distance to a position in meters; nil if these degrees are not a position.
  func meters(to other: Coordinate) -> Double? {
    let position = try? Coordinate(latitude: latitude, longitude: longitude)
    return position.map { LineOrigin($0).distance(to: other) }
  }
}

/// A fix with a valid position, and the values needed to measure from it.
struct GoodFix: Hashable {
  let position: Coordinate
  var time: Double?
  /// In meters; nil if unknown.
  let accuracy: Double?
  /// Computed in advance if distances from this fix will be measured.
  private var line: LineOrigin?

  init(_ position: Coordinate, _ fix: Fix) {
    self.position = position
    time = fix.time.flatMap { $0.isFinite ? $0 : nil }
    accuracy = fix.accuracy.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// The fix, with the values for measuring from it if `isMeasured`.
  func prepared(_ isMeasured: Bool) -> GoodFix {
    guard isMeasured, line == nil else { return self }
    var prepared = self
    prepared.line = LineOrigin(position)
    return prepared
  }

  /// The geodesic distance to a position, in meters.
  func meters(to other: Coordinate) -> Double {
    (line ?? LineOrigin(position)).distance(to: other)
  }

  /// The length of one radian of longitude here, in meters.
  var parallelRadius: Double { (line ?? LineOrigin(position)).parallelRadius }

  /// The possible error of a step between two fixes in meters, assuming independent errors.
  func error(with other: GoodFix) -> Double {
    let own = accuracy ?? 0, theirs = other.accuracy ?? 0
    return (own * own + theirs * theirs).squareRoot()
  }

  static func == (left: GoodFix, right: GoodFix) -> Bool {
    left.position == right.position && left.time == right.time && left.accuracy == right.accuracy
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(position)
    hasher.combine(time)
    hasher.combine(accuracy)
  }
}

/// A rarely present value in separate memory, so that moving its owner does not move the value.
indirect enum Apart<Value: Hashable & Sendable>: Hashable, Sendable {
  case nothing
  case something(Value)

  init(_ value: Value?) {
    self = value.map(Apart.something) ?? .nothing
  }

  var isNothing: Bool { if case .nothing = self { true } else { false } }

  var value: Value? { if case .something(let value) = self { value } else { nil } }
}
