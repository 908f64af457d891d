import Geodesy
import LocationFiltering

/// A gate written again, from `StateMachine.md` and the comments of `GatePolicy` alone.
///
/// The judge of the real one under policies that learn no motion; it keeps lists where the gate counts.
struct TableJudge {
  let policy: GatePolicy
  private(set) var state = "cold"
  private var anchor: Good?, accepted: Good?
  private var delivered: (latitude: Double, longitude: Double)?
  private var candidates: [Good] = []
  private var earlier: [Good] = []

  init(_ policy: GatePolicy) { self.policy = policy }

  private struct Good {
    let position: Coordinate
    var time: Double?
    let accuracy: Double?

    /// Where it has no time, with that of another.
    func dated(like other: Good?) -> Good {
      var dated = self
      dated.time = time ?? other?.time
      return dated
    }
  }

  /// The verdict's name and the codes of its reasons.
  mutating func judge(_ fix: Fix, now: Double?) -> [String] {
    defer {
      if let latitude = fix.latitude, let longitude = fix.longitude {
        delivered = (latitude, longitude)
      }
    }
    guard let latitude = fix.latitude, let longitude = fix.longitude else {
      return ["rejected", "no-fix"]
    }
    guard latitude.isFinite, longitude.isFinite else { return ["rejected", "not-a-number"] }
    if abs(latitude) < 0.0005, abs(longitude) < 0.0005, !policy.allowsNullIsland {
      return ["rejected", "null-island"]
    }
    guard abs(latitude) <= 90 else {
      let isSwapped = abs(latitude) <= 180 && abs(longitude) <= 90
      return ["rejected", isSwapped ? "lat-lon-swapped" : "lat-range"]
    }
    guard abs(longitude) <= 180,
      let position = try? Coordinate(latitude: latitude, longitude: longitude)
    else { return ["rejected", "lon-range"] }
    let good = Good(
      position: position, time: fix.time.flatMap { $0.isFinite ? $0 : nil },
      accuracy: fix.accuracy.flatMap { $0 >= 0 ? $0 : nil })
    let contradictions = anchor.map { objections(to: good.dated(like: $0), after: $0) } ?? []
    let faults = faults(of: fix, at: position, now: now)
    if !faults.isEmpty { return ["rejected"] + faults + contradictions }
    if !contradictions.isEmpty { return suspect(good, contradictions) }
    return accepted == nil ? first(good) : later(good)
  }

  private func faults(of fix: Fix, at position: Coordinate, now: Double?) -> [String] {
    var faults: [String] = []
    if policy.rejectsSimulated, fix.isSimulated { faults.append("simulated") }
    if let accuracy = fix.accuracy {
      let isGood = accuracy >= 0 && accuracy <= policy.worstAccuracy ?? .infinity
      if !isGood { faults.append("accuracy") }
    }
    if let now, let time = fix.time {
      if let greatest = policy.greatestAge, now - time > greatest { faults.append("too-old") }
      if let greatest = policy.greatestLead, time - now > greatest { faults.append("in-future") }
    }
    if let region = policy.region, !region.contains(position) {
      faults.append("outside-region")
      if let swapped = try? Coordinate(
        latitude: position.longitude, longitude: position.latitude), region.contains(swapped)
      {
        faults.append("lat-lon-swapped")
      }
    }
    return faults
  }

  private func objections(to fix: Good, after last: Good) -> [String] {
    var objections: [String] = []
    let meters = last.position.distance(to: fix.position).meters
    let moved = max(0, meters - (fix.accuracy ?? 0) - (last.accuracy ?? 0))
    if let time = fix.time, let before = last.time {
      if policy.rejectsOutOfOrder, time < before { objections.append("out-of-order") }
      let seconds = abs(time - before) + policy.timeResolution
      if let greatest = policy.greatestSpeed, moved / seconds > greatest {
        objections.append("speed")
      }
    }
    if let greatest = policy.greatestJump, moved > greatest { objections.append("jump") }
    return objections
  }

  private mutating func wait(_ fix: Good) {
    if let last = candidates.last, !objections(to: fix, after: last).isEmpty { candidates = [] }
    candidates.append(fix)
  }

  private mutating func suspect(_ fix: Good, _ contradictions: [String]) -> [String] {
    wait(fix)
    let isCold = accepted == nil
    let needed = isCold ? max(policy.reanchorCount, policy.firstFixCount) : policy.reanchorCount
    if policy.reanchorCount > 0, candidates.count >= needed {
      anchor = candidates.dropLast().last
      accept(fix)
      state = "reanchored"
      return ["accepted", "re-anchored"]
    }
    state = isCold ? "cold" : "suspect"
    return ["rejected"] + contradictions
  }

  private mutating func first(_ fix: Good) -> [String] {
    wait(fix)
    anchor = fix.dated(like: anchor)
    if candidates.count < policy.firstFixCount { return ["held", "unconfirmed"] }
    if policy.reference == .lastDelivered, let delivered,
      !hasMoved(fix, from: nil, degrees: delivered)
    {
      return ["held", "moved"]
    }
    accept(fix)
    state = "moving"
    return ["accepted", "first-fix"]
  }

  private mutating func later(_ fix: Good) -> [String] {
    guard let accepted, let anchor else { return [] }
    candidates = []
    var holds: [String] = []
    if let least = policy.leastInterval, let time = fix.time, let before = accepted.time {
      earlier = time < before ? earlier + [fix] : []
      let wasSet = policy.reanchorCount > 0 && earlier.count >= policy.reanchorCount
      if time - before < least - 0.000_001, !wasSet { holds.append("too-soon") }
    }
    let reference = policy.reference == .lastAccepted ? accepted : anchor
    let meters = reference.position.distance(to: fix.position).meters
    if policy.needsMoreThanAccuracy, let own = fix.accuracy, let other = reference.accuracy,
      meters <= own + other
    {
      holds.append("within-accuracy")
    }
    var degrees = (
      latitude: reference.position.latitude, longitude: reference.position.longitude
    )
    if policy.reference == .lastDelivered, let delivered { degrees = delivered }
    let hasMoved = hasMoved(fix, from: reference, degrees: degrees)
    if hasMoved, holds.isEmpty {
      accept(fix)
      state = "moving"
      return ["accepted", policy.movement == nil ? "no-rule" : "moved"]
    }
    self.anchor = fix.dated(like: anchor)
    state = "still"
    return ["held"] + holds + (hasMoved ? [] : ["moved"])
  }

  private mutating func accept(_ fix: Good) {
    anchor = fix.dated(like: anchor)
    accepted = anchor
    (candidates, earlier) = ([], [])
  }

  private func hasMoved(
    _ fix: Good, from reference: Good?, degrees: (latitude: Double, longitude: Double)
  ) -> Bool {
    func isPassed(_ move: Double, _ threshold: Double, _ edge: MovementRule.Edge) -> Bool {
      edge == .inclusive
        ? move.rounded() >= threshold.rounded() : move.rounded() > threshold.rounded()
    }
    let north = fix.position.latitude - degrees.latitude
    let east = fix.position.longitude - degrees.longitude
    switch policy.movement {
    case nil: return true
    case .meters(let threshold, let edge):
      let delivered = try? Coordinate(latitude: degrees.latitude, longitude: degrees.longitude)
      let isFromDelivered = policy.reference == .lastDelivered && delivered != nil
      guard let start = isFromDelivered ? delivered : reference?.position else { return true }
      let meters = start.distance(to: fix.position).meters
      return isPassed(meters * 1e6, threshold * 1e6, edge)
    case .degrees(let threshold, let axes, let edge):
      let turn = abs(east).truncatingRemainder(dividingBy: 360)
      let moves = [abs(north), min(turn, 360 - turn)]
      let isFar = moves.map { isPassed($0 * 1e9, threshold * 1e9, edge) }
      return axes == .any ? isFar[0] || isFar[1] : isFar[0] && isFar[1]
    case .degreesSouthOrWest(let threshold): return -north > threshold || -east > threshold
    }
  }
}
