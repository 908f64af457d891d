import Geodesy

/// Why a fix is no position.
struct Refusal: Error {
  let reasons: [GateReason]

  init(_ code: GateReason.Code, _ value: Double? = nil) {
    reasons = [GateReason(code, value, unit: value == nil ? .none : .degrees)]
  }
}

extension GatePolicy {
  /// Both coordinates of what devices send without a fix are smaller than this, in degrees.
  static let nullIslandReach = 0.0005

  /// Whether the way from what moves are measured from is measured in meters, each time.
  var measuresMoves: Bool {
    if case .meters = movement { return true }
    return needsMoreThanAccuracy
  }

  /// Whether the way from the last good fix is measured in meters, each time.
  var measuresSteps: Bool {
    greatestSpeed != nil || greatestJump != nil || learnsMotion
      || reference != .lastAccepted && measuresMoves
  }

  /// Whether a fix can contradict the last good one.
  var judgesSteps: Bool {
    greatestSpeed != nil || greatestJump != nil || learnsMotion || rejectsOutOfOrder
  }

  /// The way between two fixes that both have a time.
  ///
  /// Its parts are those of the plane that touches the Earth at the start: wrong by the hundredth
  /// part at 100 km, where nothing depends on it any more.
  ///
  /// - Parameter meters: Along the geodesic.
  func step(from start: GoodFix, to end: GoodFix, meters: Double) -> MotionModel.Step? {
    guard let time = end.time, let lastTime = start.time else { return nil }
    let north = radians(end.position.latitude - start.position.latitude)
    let east = radians(
      Coordinate.wrappedLongitude(end.position.longitude - start.position.longitude))
    let elapsed = abs(time - lastTime)
    return MotionModel.Step(
      meters: meters, east: east * start.parallelRadius, north: north * WGS84.meanRadius,
      elapsed: max(elapsed, timeResolution, .leastNormalMagnitude),
      seconds: max(elapsed + timeResolution, .leastNormalMagnitude))
  }

  /// The position of a fix, or what is wrong with its numbers.
  func position(of fix: Fix) -> Result<Coordinate, Refusal> {
    guard let latitude = fix.latitude, let longitude = fix.longitude else {
      return .failure(Refusal(.noFix))
    }
    let position: Coordinate
    do {
      position = try Coordinate(latitude: latitude, longitude: longitude)
    } catch {
      switch error {
      case .latitudeOutOfRange(let value): return .failure(Refusal(.latitudeRange, value))
      case .longitudeOutOfRange(let value): return .failure(Refusal(.longitudeRange, value))
      case .looksSwapped: return .failure(Refusal(.looksSwapped))
      case .notANumber, .boxOrder: return .failure(Refusal(.notANumber))
      }
    }
    let reach = GatePolicy.nullIslandReach
    if !allowsNullIsland, abs(latitude) < reach, abs(longitude) < reach {
      return .failure(Refusal(.nullIsland))
    }
    return .success(position)
  }

  /// What is wrong with a fix by itself, its position being legal.
  func refusals(of fix: Fix, at position: Coordinate, now: Double?) -> [GateReason] {
    var refusals: [GateReason] = []
    if rejectsSimulated, fix.isSimulated { refusals.append(GateReason(.simulated)) }
    if let accuracy = fix.accuracy,
      accuracy.isNaN || accuracy < 0 || accuracy > worstAccuracy ?? .infinity
    {
      refusals.append(GateReason(.accuracy, accuracy, of: worstAccuracy, unit: .meters))
    }
    if let now, let time = fix.time {
      if let greatestAge, now - time > greatestAge {
        refusals.append(GateReason(.tooOld, now - time, of: greatestAge, unit: .seconds))
      }
      if let greatestLead, time - now > greatestLead {
        refusals.append(GateReason(.inFuture, time - now, of: greatestLead, unit: .seconds))
      }
    }
    if let region, !region.contains(position) {
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
    return refusals
  }

  /// Why a fix cannot come after another.
  ///
  /// A time may be off by `timeResolution`, so that fixes of one second have some time to move in.
  func contradictions(of fix: GoodFix, to last: GoodFix) -> [GateReason] {
    let isMeasured = greatestSpeed != nil || greatestJump != nil
    return contradictions(
      of: fix, to: last, meters: isMeasured ? last.meters(to: fix.position) : 0)
  }

  /// Why a fix cannot come after another, so many meters along the geodesic from it.
  func contradictions(of fix: GoodFix, to last: GoodFix, meters: Double) -> [GateReason] {
    var contradictions: [GateReason] = []
    var elapsed: Double?
    if let time = fix.time, let lastTime = last.time {
      elapsed = time - lastTime
      if rejectsOutOfOrder, time < lastTime {
        contradictions.append(GateReason(.outOfOrder, lastTime - time, of: 0, unit: .seconds))
      }
    }
    guard greatestSpeed != nil || greatestJump != nil else { return contradictions }
    let slack = (fix.accuracy ?? 0) + (last.accuracy ?? 0)
    let step = max(0, meters - slack)
    if let greatestSpeed, let elapsed {
      // Out of order or not, it took as long as lies between them.
      let speed = step / (abs(elapsed) + timeResolution)
      if speed > greatestSpeed {
        contradictions.append(GateReason(.speed, speed, of: greatestSpeed, unit: .metersPerSecond))
      }
    }
    if let greatestJump, step > greatestJump {
      contradictions.append(GateReason(.jump, step, of: greatestJump, unit: .meters))
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
    switch movement {
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
      let degrees = max(-north, origin.longitude - fix.position.longitude)
      return (GateReason(.moved, degrees, of: threshold, unit: .degrees), degrees > threshold)
    }
  }
}
