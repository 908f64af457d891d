import Geodesy

/// Judges fixes one after another: which count, which are good but not worth asking again for, and
/// which are not believed, each with its reasons.
///
///     var gate = LocationGate(.cinema300m)
///     for fix in fixes {
///       switch gate.judge(fix) {
///       case .accepted: refresh(at: fix)
///       case .held(let why), .rejected(let why): print(why)
///       }
///     }
///
/// A gate is a value without a clock: the same fixes give the same verdicts, whenever they are
/// replayed. <doc:StateMachine> has its states as a table.
///
/// - Complexity: O(1) a fix, some 0.1 µs; more for a region of polygons, and for how far outside one
///   a fix lies.
public struct LocationGate: Hashable, Sendable {
  /// What it lets through.
  public var policy: GatePolicy { rules.policy }
  /// The policy, apart from what changes with each fix: neither a copy of the gate nor a look at a
  /// rule copies it.
  private var rules: Rules
  /// How it stands after the last fix.
  public private(set) var state = State.cold

  /// The last good fix, by which speeds and jumps are judged.
  private var anchor: GoodFix?
  /// The last accepted fix.
  private var lastAccepted: GoodFix?
  /// Where the last fix of all was, in degrees as delivered.
  private var lastDelivered: Degrees?
  /// Fixes in a row that agree with each other and wait to be believed.
  private var candidates = Apart<Candidates>.nothing
  /// How the good fixes have moved, where the policy learns it.
  private var motion = MotionModel()
  /// The last jump that was believed, where the policy learns motion.
  private var jump = Apart<Jump>.nothing
  /// How many good fixes there have been.
  private var goodCount = 0
  /// How many good fixes in a row were measured before the last accepted one.
  private var earlierCount = 0

  private struct Candidates: Hashable, Sendable {
    let last: GoodFix
    /// Where those begin that do not undo the jump that was believed last.
    let first: GoodFix
    /// How many agree in a row, of either kind.
    let count: Int
    /// How many in a row undo the jump that was believed last.
    let returningCount: Int
    /// The last that undid it, of those that were held: where the device was before whatever the
    /// others are.
    var lastReturning: GoodFix?
    /// How fast the last is from the one before, in meters a second, where motion is learned.
    var speed = 0.0
  }

  /// How a gate stands.
  public enum State: String, Hashable, Sendable {
    /// Nothing has been accepted yet.
    case cold
    /// The last good fix was accepted.
    case moving
    /// The last good fix was held.
    case still
    /// The last fixes contradict the last good one.
    case suspect
    /// The last fix was the one by which the gate believed those that contradicted.
    case reanchored
  }

  /// Makes a gate that has seen nothing.
  public init(_ policy: GatePolicy = GatePolicy()) { rules = Rules(policy) }

  /// Judges the next fix.
  ///
  /// - Parameters:
  ///   - fix: What was delivered.
  ///   - now: What time it is by the clock of the fixes, for rules on age; nil where nobody asks.
  /// - Returns: The verdict with its reasons: all that speak against a fix, or what it passed.
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
    // Measured once: it decides, and is learned from.
    var step: MotionModel.Step?
    if rules.judgesSteps, let anchor {
      let meters = rules.measuresSteps ? anchor.meters(to: position) : 0
      let time = good.time ?? anchor.time
      if rules.policy.learnsMotion {
        step = rules.step(from: anchor, to: good, meters: meters, at: time)
      }
      contradictions = rules.contradictions(of: good, to: anchor, meters: meters, at: time)
      // Faster than anybody says more than faster than so far.
      if let step, contradictions?.allSatisfy({ $0.code == .outOfOrder }) ?? true,
        let objection = motion.objection(to: step, error: good.error(with: anchor))
      {
        contradictions = (contradictions ?? []) + [objection]
      }
      // How long it really took nobody knows.
      if good.time == nil, contradictions == nil { step = nil }
    }
    if let refusals {
      // What is wrong by itself says nothing about where the device is: the state stays.
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

  /// What the verdict on the next fix would be under another policy, the past being as it is.
  public func judged(_ fix: Fix, now: Double? = nil, under policy: GatePolicy) -> GateVerdict {
    var gate = self
    gate.rules = Rules(policy)
    return gate.judge(fix, now: now)
  }

  /// How far a position is from what moves are measured from, in meters; nil before the first.
  func meters(to position: Coordinate) -> Double? {
    (policy.reference == .lastAccepted ? lastAccepted : anchor)?.meters(to: position)
  }

  /// Refuses a fix that contradicts the anchor, holds it while there is as much to be said for it as
  /// against, or believes it as the last of enough that agree.
  ///
  /// - Parameter step: The way from the anchor, where motion is learned and times are known.
  private mutating func suspect(
    _ fix: GoodFix, _ contradictions: [GateReason], over step: MotionModel.Step?
  ) -> GateVerdict {
    let isCold = lastAccepted == nil
    let isReturning = !isCold && undoesJump(fix, over: step)
    let earlier = candidates.value, last = earlier?.last
    let waiting = countAgreeing(fix, isReturning: isReturning)
    let needed = isCold ? max(policy.reanchorCount, policy.firstFixCount) : policy.reanchorCount
    // What was known before the jump speaks for a return: it takes one fix less, but never one alone.
    let neededToReturn = max(2, needed - 1)
    if policy.reanchorCount > 0, let last, waiting.returningCount >= neededToReturn {
      return goBack(to: last, fix, needed: neededToReturn)
    }
    let isEnough = policy.reanchorCount > 0 && waiting.count >= needed
    if isEnough, isCold || isLikely(fix, after: earlier) {
      reanchor(on: waiting, after: last, fix, isCold: isCold)
      return .accepted(GateReasons(reanchored(waiting.count, of: needed)))
    }
    state = isCold ? .cold : .suspect
    if isReturning, let jump = jump.value {
      var candidates = waiting
      candidates.lastReturning = fix
      self.candidates = .something(candidates)
      return .held(
        GateReasons(
          contradictions + [
            GateReason(
              .unconfirmed, Double(waiting.returningCount), of: Double(neededToReturn),
              unit: .fixes),
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
          contradictions + [
            GateReason(
              .unconfirmed, Double(min(waiting.count, needed - 1)), of: Double(needed),
              unit: .fixes)
          ]))
    }
    return .rejected(GateReasons(contradictions))
  }

  /// Whether a fix that agrees by the fixed rules is also where those before it may be by now: it is
  /// not where they agreed on being, or on moving, if it is neither within usual reach of the last nor
  /// about as fast.
  private func isLikely(_ fix: GoodFix, after earlier: Candidates?) -> Bool {
    guard motion.isWarm, let earlier, earlier.count > 1,
      let step = step(from: earlier.last, to: fix)
    else { return true }
    let error = fix.error(with: earlier.last)
    return motion.isUsual(step, error: error)
      || step.meters - error <= (1.5 * earlier.speed + 3) * step.seconds
  }

  /// Whether nothing but a long silence speaks against a fix, in which the device may have gone there.
  private func mayHaveGone(
    to fix: GoodFix, over step: MotionModel.Step?, _ contradictions: [GateReason]
  ) -> Bool {
    guard let step, let anchor,
      contradictions.allSatisfy({ $0.code == .unusualSpeed || $0.code == .offCourse })
    else { return false }
    return motion.mayHaveGone(step, error: fix.error(with: anchor))
  }

  private func reanchored(_ count: Int, of needed: Int) -> GateReason {
    GateReason(.reanchored, Double(count), of: Double(needed), unit: .fixes)
  }

  /// Gives the anchor up for the last of enough fixes that agree.
  private mutating func reanchor(
    on waiting: Candidates, after last: GoodFix?, _ fix: GoodFix, isCold: Bool
  ) {
    let previous = waiting.count > 1 ? last : nil
    if !isCold, let anchor {
      remember(jumpFrom: waiting.lastReturning ?? anchor, to: waiting.first)
    }
    if let previous, motion.isWarm, isUsual(fix, after: previous) {
      // Elsewhere, but the same as ever.
      motion.forgetVelocity()
    } else {
      motion = MotionModel()
    }
    anchor = previous
    accept(fix, over: previous.flatMap { self.step(from: $0, to: fix) })
    state = .reanchored
  }

  /// Takes back the jump that was believed last.
  ///
  /// - Parameter last: The fix before, which undoes it, too.
  private mutating func goBack(to last: GoodFix, _ fix: GoodFix, needed: Int) -> GateVerdict {
    let undone = jump.value
    if let anchor { remember(jumpFrom: anchor, to: last) }
    if let undone, motion.count < undone.motion.count { motion = undone.motion }
    motion.forgetVelocity()
    anchor = last
    accept(fix, over: step(from: last, to: fix))
    state = .reanchored
    return .accepted([
      reanchored(needed, of: needed),
      GateReason(.undoesJump, undone?.meters, unit: .meters),
    ])
  }

  /// Takes a good fix behind others that were not believed for the proof of them, where it lies with
  /// those: they were too far for their time, and it only is not because it came later.
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

  /// Whether a fix is where the device would be, had it not jumped.
  private func undoesJump(_ fix: GoodFix, over step: MotionModel.Step?) -> Bool {
    guard let jump = jump.value, let step, let anchor, goodCount - jump.place <= Jump.longestMemory
    else {
      return false
    }
    return jump.isUndone(by: step, error: fix.error(with: anchor), velocityOf: motion)
  }

  /// Whether the device has been as fast of late as from one fix to another.
  private func isUsual(_ fix: GoodFix, after last: GoodFix) -> Bool {
    guard let step = step(from: last, to: fix) else { return false }
    return motion.isUsual(step, error: fix.error(with: last))
  }

  /// The way between two fixes, where motion is learned and times are known.
  private func step(from start: GoodFix, to end: GoodFix) -> MotionModel.Step? {
    guard policy.learnsMotion else { return nil }
    return rules.step(
      from: start, to: end, meters: start.meters(to: end.position), at: end.time)
  }

  /// Waits for enough first fixes that agree.
  private mutating func confirm(
    _ fix: GoodFix, over step: MotionModel.Step?
  ) -> GateVerdict {
    let count = countAgreeing(fix, isReturning: false).count
    if count < policy.firstFixCount {
      settle(at: fix, over: step)
      return .held(
        GateReasons(
          GateReason(.unconfirmed, Double(count), of: Double(policy.firstFixCount), unit: .fixes)))
    }
    if policy.reference == .lastDelivered, let lastDelivered {
      // The mart app compares even with a first fix that was no good.
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

  /// The fixes in a row that agree with each other, with this one.
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

  /// Accepts a good fix that has moved far enough, and holds any other.
  private mutating func compare(
    _ fix: GoodFix, over step: MotionModel.Step?, under rules: Rules
  ) -> GateVerdict {
    var holds: [GateReason] = []
    if let least = rules.policy.leastInterval, let time = fix.time, let last = lastAccepted?.time {
      earlierCount = time < last ? earlierCount + 1 : 0
      // So many before the last accepted one say that its time was wrong, or the clock was set since:
      // to wait for that time again might hold everything for years.
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

  /// Takes a good fix for where the device is.
  ///
  /// - Parameter step: The way from the anchor, to be learned from.
  private mutating func settle(
    at fix: GoodFix, over step: MotionModel.Step?, isMeasured: Bool = false
  ) {
    if let step { motion.learn(step) }
    let lastTime = anchor?.time
    anchor = fix.prepared(rules.measuresSteps || isMeasured)
    // Behind a fix without a time the one before it is still known to be past.
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
}

/// A fix whose position is legal, with what measuring from it needs.
struct GoodFix: Hashable {
  let position: Coordinate
  var time: Double?
  /// In meters; nil when not said.
  let accuracy: Double?
  /// Made once where measuring from it is to be expected.
  private var line: LineOrigin?

  init(_ position: Coordinate, _ fix: Fix) {
    self.position = position
    time = fix.time.flatMap { $0.isFinite ? $0 : nil }
    accuracy = fix.accuracy.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// The fix, with what measuring from it needs if that is expected.
  func prepared(_ isMeasured: Bool) -> GoodFix {
    guard isMeasured, line == nil else { return self }
    var prepared = self
    prepared.line = LineOrigin(position)
    return prepared
  }

  /// The geodesic to a position, in meters.
  func meters(to other: Coordinate) -> Double {
    (line ?? LineOrigin(position)).distance(to: other)
  }

  /// What a radian of longitude is long here, in meters.
  var parallelRadius: Double { (line ?? LineOrigin(position)).parallelRadius }

  /// What a step between two fixes may be wrong by, in meters: their errors have nothing to do with
  /// each other.
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
