import Geodesy

/// The motion of a device so far, in a few numbers that predict the next fix.
///
/// <doc:LocationFiltering> says which numbers are learned from good fixes, and which fixes then object. Here is what
/// that page leaves out.
///
/// A fix that is nearer than the peak allows may be a turn or a stop at a light: changes of velocity are not normally
/// distributed, and what is rare overall is common at corners. For a step of usual length in time, the expected path is
/// one point, where the next fix should be. From two usual intervals on, it is the whole line from the last fix to
/// where the device would be had it never stopped. The 20 m are the room for a turn, a stop or the other side of a
/// street. If a silence counted in full, a spike after it would pass.
///
/// A time may be off by its resolution. The model learns from the times as given, but grants the
/// next fix the longest possible duration: at one fix per second, speeds halved while learning
/// would not fit the first step after a pause.
///
/// Sources: the factors were tuned on the tracks of `conformance/gpx`, on every second and third
/// fix of them, and on simulated walks, rides and drives; <doc:Faults> has the results there, and
/// on other tracks and faults. The rule is the innovation test of tracking filters (Y. Bar-Shalom,
/// "Estimation with Applications to Tracking and Navigation", 2001, §5.4), with a learned scatter.
struct MotionModel: Hashable {
  /// One step between two good fixes.
  struct Step {
    /// The geodesic length, and its components toward east and north.
    let meters, east, north: Double
    /// The duration from the times of the fixes, or their resolution if the times are equal; never
    /// 0.
    let elapsed: Double
    /// The longest possible duration; never 0.
    let seconds: Double
  }

  /// The number of steps learned from.
  private(set) var count = 0
  /// The velocity and the speed of the last step, in meters per second.
  private var east = 0.0, north = 0.0, speed = 0.0
  private var knowsVelocity = false
  /// In meters per second.
  private var peak = 0.0, scatter = 0.0, speedScatter = 0.0
  /// The usual duration of a step, in seconds.
  private var interval = 0.0

  /// The number of steps before the model can say that a fix is off course.
  private static let warmUp = 3
  private static let peakFactor = 1.25, peakMargin = 0.5
  private static let speedScatterFactor = 3.0, speedScatterMargin = 0.3
  /// The time in seconds over which the peak fades, and the least fraction left after one fix.
  private static let peakMemory = 600.0, leastLeft = 0.92
  private static let scatterFactor = 2.0, scatterMargin = 0.5
  /// The scatter is the plain mean of the first steps; then each step counts a twentieth.
  private static let meanCount = 8, scatterWeight = 0.05
  /// In meters.
  private static let room = 20.0
  /// In meters per second.
  private static let firstSpeed = 10.0
  /// In seconds.
  private static let leastSilence = 45.0, longSilence = 300.0
  private static let silentIntervals = 3.0

  mutating func learn(_ step: Step) {
    let (eastward, northward) = (step.east / step.elapsed, step.north / step.elapsed)
    let length = MotionModel.length(eastward, northward)
    if count > 0 {
      if knowsVelocity {
        let weight = weight(ofMean: count)
        scatter += weight * (MotionModel.length(eastward - east, northward - north) - scatter)
        speedScatter += weight * (abs(length - speed) - speedScatter)
      }
      interval += weight(ofMean: count + 1) * (min(step.seconds, longestSilence) - interval)
    } else {
      interval = step.seconds
    }
    let left = max(1 - step.seconds / MotionModel.peakMemory, MotionModel.leastLeft)
    peak = max(length, peak * left)
    (east, north, speed) = (eastward, northward, length)
    knowsVelocity = true
    count += 1
  }

  /// Treats the next step as the first one, with no known velocity.
  mutating func forgetVelocity() { knowsVelocity = false }

  /// This model with the velocity of another, if that has one.
  func headed(like other: MotionModel) -> MotionModel {
    var headed = self
    if other.knowsVelocity {
      (headed.east, headed.north, headed.speed) = (other.east, other.north, other.speed)
    }
    return headed
  }

  /// Why a step does not fit the previous ones; nil if it fits.
  ///
  /// - Parameter error: The possible error of the step, in meters.
  func objection(to step: Step, error: Double) -> GateReason? {
    let slack = error + MotionModel.room
    let seconds = credited(step.seconds)
    let usual = usualSpeed + MotionModel.firstSpeed / Double((count + 1) * (count + 1))
    if step.meters - slack > usual * seconds {
      return GateReason(
        .unusualSpeed, (step.meters - slack) / seconds, of: usual, unit: .metersPerSecond)
    }
    // No faster than recently: the device may have turned, or stopped at a light and moved on.
    let usualWay = peak / MotionModel.leastLeft * min(step.elapsed, seconds)
    guard isWarm, step.meters > usualWay else { return nil }
    let way = secondsUnderWay(step)
    let off = MotionModel.length(step.east - east * way, step.north - north * way)
    let allowed = slack + stray * seconds
    return off > allowed ? GateReason(.offCourse, off, of: allowed, unit: .meters) : nil
  }

  /// Whether enough steps were learned to reject a fix that is off course.
  var isWarm: Bool { count >= MotionModel.warmUp }

  /// Whether the device recently moved as fast as this step, with all of the time counted.
  func isUsual(_ step: Step, error: Double) -> Bool {
    step.meters - error <= usualSpeed * step.seconds
  }

  /// Whether the device was silent for long enough to have moved to the end of a step, though
  /// silence usually means that it stood still.
  func mayHaveGone(_ step: Step, error: Double) -> Bool {
    isWarm && step.seconds > max(MotionModel.longSilence, longestSilence)
      && step.meters - error <= peak * step.seconds
  }

  /// The difference between the end of a step and its prediction, in meters toward east and north.
  func surprise(in step: Step) -> (east: Double, north: Double) {
    let seconds = credited(step.seconds)
    return (step.east - east * seconds, step.north - north * seconds)
  }

  /// The tolerance for the end of a step, in meters.
  func allowance(for step: Step) -> Double { stray * credited(step.seconds) }

  /// The highest usual speed, in meters per second.
  private var usualSpeed: Double {
    let margin = max(
      (MotionModel.peakFactor - 1) * peak + MotionModel.peakMargin, speedScatter)
    guard isWarm else { return peak + margin }
    let steady =
      MotionModel.speedScatterFactor * speedScatter + MotionModel.speedScatterMargin
    return peak + min(margin, steady)
  }

  /// The largest expected change of velocity from one step to the next, in meters per second.
  private var stray: Double { MotionModel.scatterFactor * scatter + MotionModel.scatterMargin }

  private var longestSilence: Double {
    // Before the first step, any interval may be the usual one.
    count == 0
      ? .infinity : max(MotionModel.leastSilence, MotionModel.silentIntervals * interval)
  }

  /// The time in which the device may have moved during a silence.
  private func credited(_ seconds: Double) -> Double {
    let longest = longestSilence
    return seconds <= longest
      ? seconds : longest * (seconds / longest).squareRoot().squareRoot()
  }

  /// The time for which the device probably kept moving during a step: all of a usual interval, any
  /// part of two or more.
  private func secondsUnderWay(_ step: Step) -> Double {
    let squared = speed * speed
    guard squared > 0 else { return 0 }
    let least = max(0, min(step.elapsed, 2 * interval - step.elapsed))
    return min(max((step.east * east + step.north * north) / squared, least), step.seconds)
  }

  /// The weight of the next value in a mean that forgets the oldest values.
  private func weight(ofMean count: Int) -> Double {
    count <= MotionModel.meanCount ? 1 / Double(count) : MotionModel.scatterWeight
  }

  private static func length(_ east: Double, _ north: Double) -> Double {
    (east * east + north * north).squareRoot()
  }
}

/// A jump that a gate believed because enough fixes agreed with it, and the test that it is over.
///
/// From the wrong position the first good fix looks as impossible as the first bad one did. But it lies where the
/// device would be now without the jump: the second hypothesis of <doc:StateMachine>. Both move with the device, so it
/// does not matter how long the second stays open.
struct Jump: Hashable, Sendable {
  /// The deviation of the jump from the expected motion, in meters.
  private let east, north: Double
  /// The possible error of the jump in meters: the errors of its two fixes, and how far the device
  /// might have strayed from its course meanwhile.
  private let tolerance: Double
  /// The motion before the jump.
  let motion: MotionModel
  /// The number of good fixes before the jump.
  let place: Int

  /// The number of good fixes after which a jump is final.
  static let longestMemory = 20

  /// Makes a jump from a step.
  ///
  /// - Parameters:
  ///   - error: The possible error of the step, in meters.
  ///   - motion: The motion before the step.
  init(over step: MotionModel.Step, error: Double, after motion: MotionModel, at place: Int) {
    let (east, north) = motion.surprise(in: step)
    let strayed = motion.allowance(for: step)
    (self.east, self.north) = (east, north)
    tolerance = (error * error + strayed * strayed).squareRoot()
    self.motion = motion
    self.place = place
  }

  /// The length of the jump in meters.
  var meters: Double { (east * east + north * north).squareRoot() }

  /// Whether a step that contradicts the later fixes would fit without the jump.
  ///
  /// - Parameters:
  ///   - step: The step from the last good fix.
  ///   - error: The possible error of the step, in meters.
  ///   - current: The motion since the jump.
  func isUndone(
    by step: MotionModel.Step, error: Double, velocityOf current: MotionModel
  ) -> Bool {
    let (east, north) = (step.east + east, step.north + north)
    let rest = MotionModel.Step(
      meters: (east * east + north * north).squareRoot(), east: east, north: north,
      elapsed: step.elapsed, seconds: step.seconds)
    let slack = (error * error + tolerance * tolerance).squareRoot()
    return motion.headed(like: current).objection(to: rest, error: slack) == nil
  }
}
