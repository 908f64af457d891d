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
  public private(set) var policy: GatePolicy
  /// How it stands after the last fix.
  public private(set) var state = State.cold

  /// The last good fix, by which speeds and jumps are judged.
  private var anchor: GoodFix?
  /// The last accepted fix.
  private var lastAccepted: GoodFix?
  /// Where the last fix of all was, in degrees as delivered.
  private var lastDelivered: Degrees?
  /// Fixes in a row that agree with each other and wait to be believed.
  private var candidates: Candidates?
  /// How the good fixes have moved, where the policy learns it.
  private var motion = MotionModel(isFirst: true)

  private struct Candidates: Hashable {
    let last: GoodFix
    let count: Int
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
  public init(_ policy: GatePolicy = GatePolicy()) { self.policy = policy }

  /// Judges the next fix.
  ///
  /// - Parameters:
  ///   - fix: What was delivered.
  ///   - now: What time it is by the clock of the fixes, for rules on age; nil where nobody asks.
  /// - Returns: The verdict with its reasons: all that speak against a fix, or what it passed.
  public mutating func judge(_ fix: Fix, now: Double? = nil) -> GateVerdict {
    defer {
      if policy.reference == .lastDelivered, let degrees = Degrees(fix) { lastDelivered = degrees }
    }
    // Taken out once: every call on a part of the gate would copy it.
    let policy = policy
    let position: Coordinate
    switch policy.position(of: fix) {
    case .failure(let refusal): return .rejected(refusal.reasons)
    case .success(let coordinate): position = coordinate
    }
    let good = GoodFix(position, fix)
    var refusals = policy.refusals(of: fix, at: position, now: now)
    var contradictions: [GateReason] = []
    if policy.judgesSteps, let anchor {
      contradictions = self.contradictions(of: good, to: anchor, under: policy)
    }
    guard refusals.isEmpty else {
      // What is wrong by itself says nothing about where the device is: the state stays.
      refusals += contradictions
      return .rejected(refusals)
    }
    if !contradictions.isEmpty { return suspect(good, contradictions) }
    guard lastAccepted != nil else { return confirm(good) }
    candidates = nil
    return compare(good, under: policy)
  }

  /// What the verdict on the next fix would be under another policy, the past being as it is.
  public func judged(_ fix: Fix, now: Double? = nil, under policy: GatePolicy) -> GateVerdict {
    var gate = self
    gate.policy = policy
    return gate.judge(fix, now: now)
  }

  /// How far a position is from what moves are measured from, in meters; nil before the first.
  func meters(to position: Coordinate) -> Double? {
    (policy.reference == .lastAccepted ? lastAccepted : anchor)?.meters(to: position)
  }

  /// Why a fix cannot come after the anchor, or is not like those up to it.
  private func contradictions(
    of fix: GoodFix, to anchor: GoodFix, under policy: GatePolicy
  ) -> [GateReason] {
    var contradictions = policy.contradictions(of: fix, to: anchor)
    // Faster than anybody says more than faster than so far.
    if policy.learnsMotion, contradictions.allSatisfy({ $0.code == .outOfOrder }),
      let step = policy.step(from: anchor, to: fix),
      let objection = motion.objection(to: step, slack: fix.error(with: anchor))
    {
      contradictions.append(objection)
    }
    return contradictions
  }

  /// Refuses a fix that contradicts the anchor, or believes it as the last of enough that agree.
  private mutating func suspect(
    _ fix: GoodFix, _ contradictions: [GateReason]
  ) -> GateVerdict {
    let previous = candidates?.last
    let count = countAgreeing(fix)
    let isCold = lastAccepted == nil
    let needed = isCold ? max(policy.reanchorCount, policy.firstFixCount) : policy.reanchorCount
    guard policy.reanchorCount > 0, count >= needed else {
      state = isCold ? .cold : .suspect
      return .rejected(contradictions)
    }
    // What was learned up to the anchor that is given up says nothing of what is to come.
    motion = MotionModel(isFirst: false)
    anchor = count > 1 ? previous : nil
    accept(fix)
    state = .reanchored
    return .accepted([
      GateReason(.reanchored, Double(count), of: Double(needed), unit: .fixes)
    ])
  }

  /// Waits for enough first fixes that agree.
  private mutating func confirm(_ fix: GoodFix) -> GateVerdict {
    let count = countAgreeing(fix)
    if count < policy.firstFixCount {
      settle(at: fix)
      return .held([
        GateReason(
          .unconfirmed, Double(count), of: Double(policy.firstFixCount), unit: .fixes)
      ])
    }
    if policy.reference == .lastDelivered, let lastDelivered {
      // The mart app compares even with a first fix that was no good.
      let (reason, isPassed) = policy.move(of: fix, from: lastDelivered, lineFrom: nil)
      if !isPassed {
        settle(at: fix)
        return .held([reason])
      }
    }
    accept(fix)
    state = .moving
    return .accepted([GateReason(.firstFix)])
  }

  /// How many fixes in a row agree with each other, this one among them.
  private mutating func countAgreeing(_ fix: GoodFix) -> Int {
    var count = 1
    if let candidates, policy.contradictions(of: fix, to: candidates.last).isEmpty {
      count += candidates.count
    }
    candidates = Candidates(last: fix, count: count)
    return count
  }

  /// Accepts a good fix that has moved far enough, and holds any other.
  private mutating func compare(_ fix: GoodFix, under policy: GatePolicy) -> GateVerdict {
    var holds: [GateReason] = []
    if let least = policy.leastInterval, let time = fix.time, let last = lastAccepted?.time,
      time - last < least
    {
      holds.append(GateReason(.tooSoon, time - last, of: least, unit: .seconds))
    }
    let reference = (policy.reference == .lastAccepted ? lastAccepted : anchor) ?? fix
    if policy.needsMoreThanAccuracy, let own = fix.accuracy, let other = reference.accuracy {
      let moved = reference.meters(to: fix.position)
      if moved <= own + other {
        holds.append(GateReason(.withinAccuracy, moved, of: own + other, unit: .meters))
      }
    }
    let origin = policy.reference == .lastDelivered ? lastDelivered : nil
    let (reason, isPassed) = policy.move(
      of: fix, from: origin ?? Degrees(reference.position), lineFrom: reference)
    if isPassed, holds.isEmpty {
      accept(fix)
      state = .moving
      return .accepted([reason])
    }
    settle(at: fix)
    state = .still
    if isPassed { return .held(holds) }
    return .held(holds.isEmpty ? [reason] : holds + [reason])
  }

  private mutating func accept(_ fix: GoodFix) {
    settle(at: fix)
    lastAccepted = policy.reference == .lastAccepted ? fix.prepared(policy.measuresMoves) : fix
    candidates = nil
  }

  /// Takes a good fix for where the device is.
  private mutating func settle(at fix: GoodFix) {
    if policy.learnsMotion, let anchor, let step = policy.step(from: anchor, to: fix) {
      motion.learn(step)
    }
    anchor = fix.prepared(policy.measuresSteps)
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
  let time: Double?
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
