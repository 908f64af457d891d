import Geodesy

/// Why a fix is no position.
struct Refusal: Error {
  let reason: GateReason

  init(_ code: GateReason.Code, _ value: Double? = nil) {
    reason = GateReason(code, value, unit: value == nil ? .none : .degrees)
  }
}

/// A policy with what follows from it.
///
/// It never changes, so that gates share it: neither a copy of a gate nor a look at a rule copies the
/// policy, which with its region is long.
final class Rules: Sendable {
  let policy: GatePolicy
  /// Whether the way from what moves are measured from is measured in meters, each time.
  let measuresMoves: Bool
  /// Whether the way from the last good fix is measured in meters, each time.
  let measuresSteps: Bool
  /// Whether a fix can contradict the last good one.
  let judgesSteps: Bool
  /// Whether every good fix counts, however far and soon after the last.
  let acceptsWhatIsGood: Bool

  /// Both coordinates of what devices send without a fix are smaller than this, in degrees.
  private static let nullIslandReach = 0.0005

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
  /// The way between two fixes that both have a time.
  ///
  /// Its parts are those of the plane that touches the Earth at the start: wrong by the hundredth
  /// part at 100 km, where nothing depends on it any more.
  ///
  /// - Parameters:
  ///   - meters: Along the geodesic.
  ///   - time: When the end is taken to be measured.
  func step(
    from start: GoodFix, to end: GoodFix, meters: Double, at time: Double?
  ) -> MotionModel.Step? {
    guard let time, let lastTime = start.time else { return nil }
    let north = radians(end.position.latitude - start.position.latitude)
    var eastward = end.position.longitude - start.position.longitude
    if abs(eastward) > 180 { eastward = Coordinate.wrappedLongitude(eastward) }
    let east = radians(eastward)
    let elapsed = abs(time - lastTime), timeResolution = policy.timeResolution
    return MotionModel.Step(
      meters: meters, east: east * start.parallelRadius, north: north * WGS84.meanRadius,
      elapsed: max(elapsed, timeResolution, .leastNormalMagnitude),
      seconds: max(elapsed + timeResolution, .leastNormalMagnitude))
  }

  /// The position of a fix.
  func position(of fix: Fix) throws(Refusal) -> Coordinate {
    guard let latitude = fix.latitude, let longitude = fix.longitude else { throw Refusal(.noFix) }
    let reach = Rules.nullIslandReach
    if abs(latitude) < reach, abs(longitude) < reach, !policy.allowsNullIsland {
      throw Refusal(.nullIsland)
    }
    do { return try Coordinate(latitude: latitude, longitude: longitude) } catch {
      switch error {
      case .latitudeOutOfRange(let value): throw Refusal(.latitudeRange, value)
      case .longitudeOutOfRange(let value): throw Refusal(.longitudeRange, value)
      case .looksSwapped: throw Refusal(.looksSwapped)
      case .notANumber, .notAPosition, .boxOrder: throw Refusal(.notANumber)
      }
    }
  }

  /// What is wrong with a fix by itself, its position being legal; nil for nothing.
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

  /// Why a fix cannot come after another; nil for nothing.
  ///
  /// A time may be off by `timeResolution`, so that fixes of one second have some time to move in.
  func contradictions(of fix: GoodFix, to last: GoodFix) -> [GateReason]? {
    let isMeasured = policy.greatestSpeed != nil || policy.greatestJump != nil
    return contradictions(
      of: fix, to: last, meters: isMeasured ? last.meters(to: fix.position) : 0, at: fix.time)
  }

  /// Why a fix cannot come after another, so many meters along the geodesic from it; nil for nothing.
  ///
  /// - Parameter time: When it is taken to be measured.
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
        // Out of order or not, it took as long as lies between them.
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

  /// How far a fix has moved, and whether that is far enough.
  ///
  /// - Parameter lineFrom: The good fix at `origin`, where there is one.
  func move(
    of fix: GoodFix, from origin: Degrees, lineFrom: GoodFix?
  ) -> (reason: GateReason, isPassed: Bool) {
    let north = fix.position.latitude - origin.latitude
    switch policy.movement {
    case nil:
      return (GateReason(.noRule), true)
    case .meters(let threshold, let edge):
      let meters = lineFrom?.meters(to: fix.position) ?? .infinity
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
      let south = -north, west = origin.longitude - fix.position.longitude
      // What was delivered may be no number on one axis, and the other decides.
      let degrees = south > west || west.isNaN ? south : west
      return (GateReason(.moved, degrees, of: threshold, unit: .degrees), degrees > threshold)
    }
  }
}
