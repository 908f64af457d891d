import Geodesy

/// Why a fix has no valid position.
struct Refusal: Error {
  let reason: GateReason

  init(_ code: GateReason.Code, _ value: Double? = nil) {
    reason = GateReason(code, value, unit: value == nil ? .none : .degrees)
  }
}

/// A policy with values derived from it.
///
/// It is immutable, so gates share it: copying a gate or reading a rule does not copy the policy,
/// which is large because of its region.
final class Rules: Sendable {
  let policy: GatePolicy
  /// Whether each move is measured in meters from its reference.
  let measuresMoves: Bool
  /// Whether each step is measured in meters from the last good fix.
  let measuresSteps: Bool
  /// Whether a fix can contradict the last good one.
  let judgesSteps: Bool
  /// Whether every good fix is accepted, however near and soon after the last.
  let acceptsWhatIsGood: Bool

  init(_ policy: GatePolicy) {
    self.policy = policy
    var measuresMoves = policy.needsMoreThanAccuracy
    if case .meters = policy.movement { measuresMoves = true }
    let judgesMotion =
      policy.greatestSpeed != nil || policy.greatestJump != nil || policy.learnsMotion
    self.measuresMoves = measuresMoves
    measuresSteps = judgesMotion || policy.reference != .lastAccepted && measuresMoves
    judgesSteps = judgesMotion || policy.rejectsOutOfOrder
    acceptsWhatIsGood =
      policy.movement == nil && policy.leastInterval == nil && !policy.needsMoreThanAccuracy
  }
}

extension Rules: Hashable {
  static func == (left: Rules, right: Rules) -> Bool {
    left === right || left.policy == right.policy
  }

  func hash(into hasher: inout Hasher) { hasher.combine(policy) }
}

extension Rules {
  /// The step between two fixes that both have a time.
  ///
  /// Its components lie in the plane that touches the Earth at the start: wrong by a hundredth at
  /// 100 km, where nothing depends on them any more.
  ///
  /// - Parameters:
  ///   - meters: The geodesic length.
  ///   - time: The assumed time of the end.
  func step(
    from start: GoodFix, to end: GoodFix, meters: Double, at time: Double?
  ) -> MotionModel.Step? {
    guard let time, let lastTime = start.time else { return nil }
    let north = radians(end.position.latitude - start.position.latitude)
    let east = radians(
      Coordinate.wrappedLongitude(end.position.longitude - start.position.longitude))
    let elapsed = abs(time - lastTime), timeResolution = policy.timeResolution
    return MotionModel.Step(
      meters: meters, east: east * start.parallelRadius, north: north * WGS84.meanRadius,
      elapsed: max(elapsed, timeResolution, .leastNormalMagnitude),
      seconds: max(elapsed + timeResolution, .leastNormalMagnitude))
  }

  /// The position of a fix.
  func position(of fix: Fix) throws(Refusal) -> Coordinate {
    guard let latitude = fix.latitude, let longitude = fix.longitude else { throw Refusal(.noFix) }
    if Coordinate.isNullIsland(latitude, longitude), !policy.allowsNullIsland {
      throw Refusal(.nullIsland)
    }
    do { return try Coordinate(latitude: latitude, longitude: longitude) } catch {
      switch error {
      case .latitudeOutOfRange(let value): throw Refusal(.latitudeRange, value)
      case .longitudeOutOfRange(let value): throw Refusal(.longitudeRange, value)
      case .looksSwapped: throw Refusal(.looksSwapped)
      case .notANumber, .notAPosition, .notABox, .boxOrder, .boxLooksSwapped:
        throw Refusal(.notANumber)
      }
    }
  }

  /// The defects of a fix with a valid position; nil if there are none.
  func refusals(of fix: Fix, at position: Coordinate, now: Double?) -> [GateReason]? {
    let isAccurate = fix.accuracy.map { $0 >= 0 && $0 <= policy.worstAccuracy ?? .infinity } ?? true
    if isAccurate, now == nil, policy.region == nil, !(fix.isSimulated && policy.rejectsSimulated) {
      return nil
    }
    var refusals: [GateReason] = []
    if policy.rejectsSimulated, fix.isSimulated { refusals.append(GateReason(.simulated)) }
    if let accuracy = fix.accuracy, !isAccurate {
      refusals.append(GateReason(.accuracy, accuracy, of: policy.worstAccuracy, unit: .meters))
    }
    if let now, let time = fix.time {
      if let greatestAge = policy.greatestAge, now - time > greatestAge {
        refusals.append(GateReason(.tooOld, now - time, of: greatestAge, unit: .seconds))
      }
      if let greatestLead = policy.greatestLead, time - now > greatestLead {
        refusals.append(GateReason(.inFuture, time - now, of: greatestLead, unit: .seconds))
      }
    }
    if let region = policy.region, !region.contains(position) {
      refusals.append(
        GateReason(
          .outsideRegion, region.distance(to: position).meters, of: 0, unit: .meters,
          subject: region.name))
      if let swapped = try? Coordinate(
        latitude: position.longitude, longitude: position.latitude), region.contains(swapped)
      {
        refusals.append(GateReason(.looksSwapped))
      }
    }
    return refusals.isEmpty ? nil : refusals
  }

  /// Why a fix cannot come after another; nil if it can.
  ///
  /// A time may be off by `timeResolution`, so that fixes with equal times have some time to move in.
  func contradictions(of fix: GoodFix, to last: GoodFix) -> [GateReason]? {
    let isMeasured = policy.greatestSpeed != nil || policy.greatestJump != nil
    return contradictions(
      of: fix, to: last, meters: isMeasured ? last.meters(to: fix.position) : 0, at: fix.time)
  }

  /// Why a fix cannot come after another at a geodesic distance of `meters`; nil if it can.
  ///
  /// - Parameter time: The assumed time of the fix.
  func contradictions(
    of fix: GoodFix, to last: GoodFix, meters: Double, at time: Double?
  ) -> [GateReason]? {
    var contradictions: [GateReason]?
    let step = max(0, meters - (fix.accuracy ?? 0) - (last.accuracy ?? 0))
    if let time, let lastTime = last.time {
      if time < lastTime, policy.rejectsOutOfOrder {
        contradictions = [GateReason(.outOfOrder, lastTime - time, of: 0, unit: .seconds)]
      }
      if let greatestSpeed = policy.greatestSpeed {
        // In or out of order, the step took the time between the fixes.
        let speed = step / (abs(time - lastTime) + policy.timeResolution)
        if speed > greatestSpeed {
          contradictions =
            (contradictions ?? [])
            + [GateReason(.speed, speed, of: greatestSpeed, unit: .metersPerSecond)]
        }
      }
    }
    if let greatestJump = policy.greatestJump, step > greatestJump {
      contradictions =
        (contradictions ?? []) + [GateReason(.jump, step, of: greatestJump, unit: .meters)]
    }
    return contradictions
  }

  /// How far a fix has moved, and whether that passes the rule.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - origin: The degrees to measure from.
  ///   - lineFrom: The good fix at `origin`, or the last good one if `origin` was only delivered and may
  ///     not be a position; nil if there is none.
  func move(
    of fix: GoodFix, from origin: Degrees, lineFrom: GoodFix?
  ) -> (reason: GateReason, isPassed: Bool) {
    let north = fix.position.latitude - origin.latitude
    switch policy.movement {
    case nil:
      return (GateReason(.noRule), true)
    case .meters(let threshold, let edge):
      let delivered =
        policy.reference == .lastDelivered ? origin.meters(to: fix.position) : nil
      let meters = delivered ?? lineFrom?.meters(to: fix.position) ?? .infinity
      return (
        GateReason(.moved, meters, of: threshold, unit: .meters),
        edge.isPassed(meters, threshold, resolution: 1e-6)
      )
    case .degrees(let threshold, let axes, let edge):
      let east = Coordinate.wrappedLongitude(fix.position.longitude - origin.longitude)
      let least = min(abs(north), abs(east)), most = max(abs(north), abs(east))
      let degrees = axes == .any ? most : least
      return (
        GateReason(.moved, degrees, of: threshold, unit: .degrees),
        edge.isPassed(degrees, threshold, resolution: 1e-9)
      )
    case .degreesSouthOrWest(let threshold):
      // A difference of nothing is 0, its negation would be −0.
      let south = origin.latitude - fix.position.latitude
      let west = origin.longitude - fix.position.longitude
      // A delivered value may be NaN on one axis; then the other decides.
      let degrees = south > west || west.isNaN ? south : west
      return (GateReason(.moved, degrees, of: threshold, unit: .degrees), degrees > threshold)
    }
  }
}
