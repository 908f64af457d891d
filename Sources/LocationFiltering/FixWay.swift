import Geodesy

/// The way through some fixes one after another, and which of them lie beside it: what an
/// `OutlierFilter` looks at.
///
/// A fix is an outlier if it lies farther from the way between its neighbors than the way bends
/// elsewhere, and was reached or left faster than the device moves elsewhere. The farthest out,
/// beside how far it might be, goes first; then its neighbors are looked at anew, since what is far
/// from an outlier is none. Of a run of fixes, as of a device that is off for some seconds, both the
/// step to it and the step from it are too fast.
///
/// Places are taken in space, where neither a pole nor the antimeridian is special.
struct FixWay {
  private var places: [Place] = []
  /// Those that are decided come before this.
  private var firstWaiting = 0
  /// Whether the first is the first of all, with nothing before it.
  private var isFromStart = true

  private struct Place {
    let position: ECEFPosition
    let time: Double
    /// In meters.
    let accuracy: Double
    /// From the place before.
    var step = Step()
    /// How far it is from where a steady walk from the place before to the one after would be, in
    /// meters, over the time between them to the power of 3/2: what a walk whose velocity changes at
    /// random makes of it, however long it takes.
    var bend: Double?
  }

  private struct Step {
    /// In meters, straight.
    var length = 0.0
    /// In meters a second.
    var speed = 0.0
  }

  /// Some places in a row that lie beside the way, and by how much.
  private struct Aside {
    let places: ClosedRange<Int>
    /// How far the nearest of them is, and how far it might be, in meters.
    let meters, limit: Double

    var weight: Double { meters / limit }
  }

  /// Decided places that are kept, to know how the device moves.
  private static let memory = 20
  /// What a fix is taken to be wrong by that does not say, and none is better than, in meters.
  private static let usualAccuracy = 10.0, bestAccuracy = 5.0
  /// An outlier is off by more than this many times its accuracy.
  private static let leastErrors = 5.0
  /// A fix as fast as usual may be off by so many times its accuracy and the usual bend.
  private static let usualErrors = 4.0, usualBends = 2.0
  /// Of the bends, three in four are less; of the speeds, nine in ten.
  private static let bendQuantile = 0.75, speedQuantile = 0.9
  private static let speedFactor = 1.25
  /// In meters a second.
  private static let speedMargin = 0.5
  /// By how much the steps to and from a run are faster than those in it.
  private static let runFactor = 1.5
  /// By how much a later one must weigh more to go first: of two places where good and bad fixes take
  /// turns, the one that those before speak for is right.
  private static let laterFactor = 1.1
  /// By how much one with a single neighbor must weigh more: the neighbor is as far from it.
  private static let endFactor = 1.5
  /// Steps elsewhere from which it is known how the device moves.
  private static let fewestSteps = 3
}

extension FixWay {
  mutating func append(_ fix: Fix, at position: Coordinate) {
    // Without a time it is taken to come a second after the one before.
    let time = fix.time.flatMap { abs($0) < 1e15 ? $0 : nil } ?? (places.last?.time ?? -1) + 1
    let accuracy = fix.accuracy.map { max($0, FixWay.bestAccuracy) } ?? FixWay.usualAccuracy
    places.append(Place(position: ECEFPosition(position), time: time, accuracy: accuracy))
    measure(to: places.count - 1)
  }

  /// Decides on the oldest place that waits.
  ///
  /// - Returns: Why it is an outlier; nil if it is none.
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

  /// What speaks against the oldest place that waits.
  private func oldestAside(longestRun: Int) -> Aside? {
    guard mayHoldOutliers else { return nil }
    var way = self
    // Where the oldest is now: never behind an outlier that was taken out.
    while let aside = way.heaviestAside(longestRun: longestRun) {
      if aside.places.lowerBound == firstWaiting {
        let isLast = aside.places.upperBound == way.places.count - 1
        guard isLast, way.places.count < places.count else { return aside }
        // It has become the last, and those taken out behind it may be where it leads, as of a plane
        // that takes off: then it is beside no way.
        return asideAlone(firstWaiting)
      }
      way.remove(aside.places)
    }
    return nil
  }

  /// Whether any place that waits is as far from the one before it as an outlier must be.
  private var mayHoldOutliers: Bool {
    places[firstWaiting...].contains { place in
      // Alone an outlier is no farther from the way than from the place before. The first of a run is
      // farther by how far a steady walk gets meanwhile at most; as the step to the run is faster than
      // that walk by `speedFactor`, that is no more than the step again.
      place.step.length > FixWay.leastErrors / 2 * FixWay.bestAccuracy
    }
  }

  /// Measures what leads to a place anew: the step from the one before it, and the bends of both.
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

  /// The time between two places, in seconds; a second more than it is, because times are rounded.
  private func seconds(_ start: Int, _ end: Int) -> Double {
    abs(places[end].time - places[start].time) + 1
  }

  /// Which part of the time between two places has passed at a third.
  private func share(of place: Int, from start: Int, to end: Int) -> Double {
    let elapsed = places[end].time - places[start].time
    guard elapsed != 0 else { return Double(place - start) / Double(end - start) }
    return min(max((places[place].time - places[start].time) / elapsed, 0), 1)
  }
}

extension FixWay {
  /// Of what waits, what is likeliest to be bad; nil where nothing is beside the way.
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
        // The steps in a longer run are no slower.
        if innerSpeed * FixWay.runFactor >= places[first].step.speed { break }
        weigh(asideTogether(first...last, innerSpeed: innerSpeed), factor: FixWay.laterFactor)
      }
    }
    weigh(firstAside(), factor: FixWay.endFactor)
    weigh(lastAside(), factor: FixWay.endFactor)
    return heaviest
  }

  /// A place that is far from the way between its neighbors, wherever on it the device may have been.
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

  /// A run of places that are all far from where the device would be, going steadily from the place
  /// before to the one after, and that it went to and came from faster than that.
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

  /// The last place so far, if it is too far from the one before.
  ///
  /// It is taken out for the sake of those before it, which it would speak against, and decided on
  /// when others have followed.
  private func lastAside() -> Aside? {
    let last = places.count - 1
    guard last > 1 else { return nil }
    return endAside(
      last, step: places[last].step, beside: last - 1, nextSpeed: places[last - 1].step.speed)
  }

  /// A place with a single neighbor, which it is too far from.
  ///
  /// - Parameter nextSpeed: Of the step between the neighbor and the place behind that: where that is
  ///   unusual, too, and as fast, the device rides.
  private func endAside(
    _ place: Int, step: Step, beside neighbor: Int, nextSpeed: Double
  ) -> Aside? {
    let accuracy = max(places[place].accuracy, places[neighbor].accuracy)
    guard step.length > FixWay.leastErrors * accuracy,
      let usual = usualSpeed(without: place...place, besides: 0),
      nextSpeed <= usual || step.speed > FixWay.runFactor * nextSpeed
    else { return nil }
    // How much farther it is than it could be.
    return aside(
      place...place, meters: step.length * (1 - usual / step.speed), accuracy: accuracy,
      speed: step.speed, usualSpeed: usual, in: seconds(min(place, neighbor), max(place, neighbor)))
  }

  /// Places that are so far beside the way, if that is too far and they were reached too fast.
  ///
  /// - Parameter seconds: How long the way took.
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

  /// The fastest that is usual, in meters a second, by the steps that a run has no part in; nil where
  /// too few are left.
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
    // Some are faster, but by no more than anybody was.
    let fast = min(FixWay.speedFactor * speeds[Int(rank)], speeds[speeds.count - 1])
    return max(fast, FixWay.speedFactor * directSpeed) + FixWay.speedMargin
  }

  /// How much the way bends as a rule, as `Place.bend`, by the bends that a run has no part in.
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
  /// How far a place is from the straight way between two others, in meters on the ground.
  ///
  /// - Parameter share: Where on the way it is measured from, 0 at its start and 1 at its end; nil for
  ///   where that is nearest.
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
    // To the other side of the Earth all of it counts.
    guard length < radius else { return length.squareRoot() }
    // The straight way runs below the ground.
    let height = (px * x + py * y + pz * z) / radius
    (px, py, pz) = (px - height * x, py - height * y, pz - height * z)
    return (px * px + py * py + pz * pz).squareRoot()
  }
}
