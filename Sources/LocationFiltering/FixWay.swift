import Geodesy

/// A path through consecutive fixes, and the outliers among them, as <doc:Hindsight> defines them; used by
/// `OutlierFilter`.
struct FixWay {
  private var places: [Place] = []
  /// The index of the first undecided place; earlier places are decided.
  private var firstWaiting = 0
  /// Whether the first place is the first fix of all.
  private var isFromStart = true

  private struct Place {
    let position: ECEFPosition
    let time: Double
    /// In meters.
    let accuracy: Double
    /// The step from the previous place.
    var step = Step()
    /// The distance, in meters, from the point that a steady walk from the previous place to the next would have
    /// reached, divided by the time between them to the power of 3/2.
    ///
    /// A walk whose velocity changes at random has the same value for any length of time.
    var bend: Double?
  }

  private struct Step {
    /// The straight length in meters.
    var length = 0.0
    /// In meters per second.
    var speed = 0.0
  }

  /// Consecutive places that deviate from the path, and by how much.
  private struct Aside {
    let places: ClosedRange<Int>
    /// The deviation of the nearest of them, and its tolerance, in meters.
    let meters, limit: Double

    var weight: Double { meters / limit }
  }

  /// The number of decided places kept, to know how the device moves.
  private static let memory = 20
  /// In meters: the accuracy assumed if a fix has none, and the best accuracy believed.
  private static let usualAccuracy = 10.0, bestAccuracy = 5.0
  /// An outlier deviates by more than this multiple of its accuracy.
  private static let leastErrors = 5.0
  /// A fix at normal speed may deviate by these multiples of its accuracy and of the usual bend.
  private static let usualErrors = 4.0, usualBends = 2.0
  /// The usual bend exceeds three in four bends; the usual speed exceeds nine in ten speeds.
  private static let bendQuantile = 0.75, speedQuantile = 0.9
  private static let speedFactor = 1.25
  /// In meters per second.
  private static let speedMargin = 0.5
  /// The steps to and from a run are faster than those inside it by this factor.
  private static let runFactor = 1.5
  /// A later deviation must be larger by this factor to be removed first: if good and bad fixes
  /// alternate between two places, the place supported by the earlier fixes is right.
  private static let laterFactor = 1.1
  /// A deviation with only one neighbor must be larger by this factor, since the neighbor is just as far from it.
  private static let endFactor = 1.5
  /// The number of other steps needed to know how the device moves.
  private static let fewestSteps = 3

  mutating func append(_ fix: Fix, at position: Coordinate) {
    // A fix without a time is assumed to come one second after the previous one.
    let time = fix.time.flatMap { abs($0) < 1e15 ? $0 : nil } ?? (places.last?.time ?? -1) + 1
    let accuracy = fix.accuracy.map { max($0, FixWay.bestAccuracy) } ?? FixWay.usualAccuracy
    places.append(Place(position: ECEFPosition(position), time: time, accuracy: accuracy))
    measure(to: places.count - 1)
  }

  /// Decides on the oldest undecided place.
  ///
  /// - Returns: Why it is an outlier; nil if it is not.
  mutating func release(longestRun: Int) -> GateReason? {
    if let aside = oldestAside(longestRun: longestRun) {
      remove(firstWaiting...firstWaiting)
      return GateReason(.outlier, aside.meters, of: aside.limit, unit: .meters)
    }
    firstWaiting += 1
    if firstWaiting > FixWay.memory {
      remove(0...0)
      firstWaiting -= 1
      isFromStart = false
    }
    return nil
  }

  private mutating func remove(_ run: ClosedRange<Int>) {
    places.removeSubrange(run)
    measure(to: run.lowerBound)
  }

  /// The deviation of the oldest undecided place, if it is too large.
  private func oldestAside(longestRun: Int) -> Aside? {
    guard mayHoldOutliers else { return nil }
    var way = self
    // The current index of the oldest; it is never after a removed outlier.
    while let aside = way.heaviestAside(longestRun: longestRun) {
      if aside.places.lowerBound == firstWaiting {
        let isLast = aside.places.upperBound == way.places.count - 1
        guard isLast, way.places.count < places.count else { return aside }
        // The oldest is now the last place, and the removed places after it may be where it leads,
        // as for a plane that takes off. So it deviates from no path.
        return asideAlone(firstWaiting)
      }
      way.remove(aside.places)
    }
    return nil
  }

  /// Whether any undecided place is as far from the previous one as an outlier must be.
  private var mayHoldOutliers: Bool {
    places[firstWaiting...].contains { place in
      // A single outlier is no farther from the path than from the previous place. The first of a
      // run is farther by at most what a steady walk covers meanwhile; the step to the run is
      // faster than that walk by `speedFactor`, so that is at most the length of the step again.
      place.step.length > FixWay.leastErrors / 2 * FixWay.bestAccuracy
    }
  }

  /// Updates what depends on a place: the step from the previous one, and the bends of both.
  private mutating func measure(to place: Int) {
    if place > 0, place < places.count {
      let length = places[place - 1].position.squaredChord(to: places[place].position).squareRoot()
      places[place].step = Step(length: length, speed: length / seconds(place - 1, place))
    }
    for place in max(place - 1, 0)..<min(place + 1, places.count) {
      places[place].bend = bend(at: place)
    }
  }

  private func bend(at place: Int) -> Double? {
    guard place > 0, place + 1 < places.count else { return nil }
    let meters = places[place].position.distance(
      besideTheWayFrom: places[place - 1].position, to: places[place + 1].position,
      at: share(of: place, from: place - 1, to: place + 1))
    let seconds = seconds(place - 1, place + 1)
    return meters / (seconds * seconds.squareRoot())
  }

  /// The time between two places in seconds, plus one second because times are rounded.
  private func seconds(_ start: Int, _ end: Int) -> Double {
    abs(places[end].time - places[start].time) + 1
  }

  /// The fraction of the time between two places that has passed at a third.
  private func share(of place: Int, from start: Int, to end: Int) -> Double {
    let elapsed = places[end].time - places[start].time
    guard elapsed != 0 else { return Double(place - start) / Double(end - start) }
    return min(max((places[place].time - places[start].time) / elapsed, 0), 1)
  }

  /// The undecided places most likely to be bad; nil if no place deviates.
  private func heaviestAside(longestRun: Int) -> Aside? {
    var heaviest: Aside?
    func weigh(_ aside: Aside?, factor: Double) {
      guard let aside else { return }
      if heaviest.map({ aside.weight > factor * $0.weight }) ?? true { heaviest = aside }
    }
    let start = max(firstWaiting, 1)
    for first in start..<max(places.count - 1, start) {
      weigh(asideAlone(first), factor: FixWay.laterFactor)
      var innerSpeed = 0.0
      for last in first..<min(first + longestRun, places.count - 1) {
        if last > first { innerSpeed = max(innerSpeed, places[last].step.speed) }
        // The steps in a longer run are at least as fast.
        if innerSpeed * FixWay.runFactor >= places[first].step.speed { break }
        weigh(asideTogether(first...last, innerSpeed: innerSpeed), factor: FixWay.laterFactor)
      }
    }
    weigh(firstAside(), factor: FixWay.endFactor)
    weigh(lastAside(), factor: FixWay.endFactor)
    return heaviest
  }

  /// A place far from the whole path between its neighbors, whenever the device was there.
  private func asideAlone(_ place: Int) -> Aside? {
    let before = places[place - 1], after = places[place + 1]
    let accuracy = max(places[place].accuracy, before.accuracy, after.accuracy)
    let meters = places[place].position.distance(
      besideTheWayFrom: before.position, to: after.position, at: nil)
    guard meters > FixWay.leastErrors * accuracy else { return nil }
    guard let usual = usualSpeed(without: place...place, besides: 0) else { return nil }
    return aside(
      place...place, meters: meters, accuracy: accuracy,
      speed: max(places[place].step.speed, after.step.speed), usualSpeed: usual,
      in: seconds(place - 1, place + 1))
  }

  /// A run of places, all far from a steady walk from the place before to the place after; the
  /// device must have reached and left the run faster than that walk.
  private func asideTogether(_ run: ClosedRange<Int>, innerSpeed: Double) -> Aside? {
    let before = run.lowerBound - 1, after = run.upperBound + 1
    let speed = min(places[run.lowerBound].step.speed, places[after].step.speed)
    let direct = places[before].position.squaredChord(to: places[after].position).squareRoot()
    let directSpeed = direct / seconds(before, after)
    guard speed > FixWay.runFactor * innerSpeed, speed > FixWay.speedFactor * directSpeed else {
      return nil
    }
    var meters = Double.infinity
    var accuracy = max(places[before].accuracy, places[after].accuracy)
    for place in run {
      accuracy = max(accuracy, places[place].accuracy)
      meters = min(
        meters,
        places[place].position.distance(
          besideTheWayFrom: places[before].position, to: places[after].position,
          at: share(of: place, from: before, to: after)))
      if meters <= FixWay.leastErrors * accuracy { return nil }
    }
    guard let usual = usualSpeed(without: run, besides: directSpeed) else { return nil }
    return aside(
      run, meters: meters, accuracy: accuracy, speed: speed, usualSpeed: usual,
      in: seconds(before, after))
  }

  /// The first place of all, if it is too far from the second.
  private func firstAside() -> Aside? {
    isFromStart && firstWaiting == 0 && places.count > 2
      ? endAside(0, step: places[1].step, beside: 1, nextSpeed: places[2].step.speed) : nil
  }

  /// The last place so far, if it is too far from the previous one.
  ///
  /// That place is removed, so that it does not contradict earlier places. It is decided when other
  /// places have followed.
  private func lastAside() -> Aside? {
    let last = places.count - 1
    guard last > 1 else { return nil }
    return endAside(
      last, step: places[last].step, beside: last - 1, nextSpeed: places[last - 1].step.speed)
  }

  /// A place at an end, if it is too far from its only neighbor.
  ///
  /// - Parameter nextSpeed: The speed of the neighbor's other step. If that is unusual and as fast,
  ///   the device is in a vehicle.
  private func endAside(
    _ place: Int, step: Step, beside neighbor: Int, nextSpeed: Double
  ) -> Aside? {
    let accuracy = max(places[place].accuracy, places[neighbor].accuracy)
    guard step.length > FixWay.leastErrors * accuracy,
      let usual = usualSpeed(without: place...place, besides: 0),
      nextSpeed <= usual || step.speed > FixWay.runFactor * nextSpeed
    else { return nil }
    // The part of the step beyond what the usual speed allows.
    return aside(
      place...place, meters: step.length * (1 - usual / step.speed), accuracy: accuracy,
      speed: step.speed, usualSpeed: usual, in: seconds(min(place, neighbor), max(place, neighbor)))
  }

  /// Places with a deviation, if it is too large and they were reached too fast.
  ///
  /// - Parameter seconds: The duration of the path.
  private func aside(
    _ run: ClosedRange<Int>, meters: Double, accuracy: Double, speed: Double, usualSpeed: Double,
    in seconds: Double
  ) -> Aside? {
    guard speed > usualSpeed else { return nil }
    let bend = usualBend(without: run) * seconds * seconds.squareRoot()
    let usualMeters = FixWay.usualErrors * accuracy + FixWay.usualBends * bend
    let limit = max(FixWay.leastErrors * accuracy, usualMeters * usualSpeed / speed)
    return meters > limit ? Aside(places: run, meters: meters, limit: limit) : nil
  }

  /// The fastest usual speed in meters per second, from steps outside a run; nil if there are too
  /// few.
  private func usualSpeed(without run: ClosedRange<Int>, besides directSpeed: Double) -> Double? {
    var speeds: [Double] = []
    speeds.reserveCapacity(places.count)
    for place in places.indices.dropFirst()
    where place < run.lowerBound || place > run.upperBound + 1 {
      speeds.append(places[place].step.speed)
    }
    guard speeds.count >= FixWay.fewestSteps else { return nil }
    speeds.sort()
    let rank = (Double(speeds.count - 1) * FixWay.speedQuantile).rounded()
    // A few steps are faster, but no faster than the fastest one observed.
    let fast = min(FixWay.speedFactor * speeds[Int(rank)], speeds[speeds.count - 1])
    return max(fast, FixWay.speedFactor * directSpeed) + FixWay.speedMargin
  }

  /// The usual bend, as in `Place.bend`, from the bends outside a run.
  private func usualBend(without run: ClosedRange<Int>) -> Double {
    var bends: [Double] = []
    bends.reserveCapacity(places.count)
    for place in places.indices where place < run.lowerBound - 1 || place > run.upperBound + 1 {
      if let bend = places[place].bend { bends.append(bend) }
    }
    guard !bends.isEmpty else { return 0 }
    bends.sort()
    return bends[Int(Double(bends.count - 1) * FixWay.bendQuantile)]
  }
}

extension ECEFPosition {
  /// The distance of a place from the straight path between two others, in meters on the ground.
  ///
  /// - Parameter share: The point on the path to measure from, 0 at its start and 1 at its end; nil
  ///   for the nearest point.
  fileprivate func distance(
    besideTheWayFrom start: ECEFPosition, to end: ECEFPosition, at share: Double?
  ) -> Double {
    let (dx, dy, dz) = (end.x - start.x, end.y - start.y, end.z - start.z)
    var (px, py, pz) = (x - start.x, y - start.y, z - start.z)
    let squared = dx * dx + dy * dy + dz * dz
    let nearest = squared > 0 ? min(max((px * dx + py * dy + pz * dz) / squared, 0), 1) : 0
    let share = share ?? nearest
    (px, py, pz) = (px - share * dx, py - share * dy, pz - share * dz)
    let length = px * px + py * py + pz * pz, radius = x * x + y * y + z * z
    // Toward the other side of the Earth, the whole length counts.
    guard length < radius else { return length.squareRoot() }
    // The straight path runs below the ground.
    let height = (px * x + py * y + pz * z) / radius
    (px, py, pz) = (px - height * x, py - height * y, pz - height * z)
    return (px * px + py * py + pz * pz).squareRoot()
  }
}
