import Geodesy

/// How a device has moved so far, in a few numbers: what the next fix is expected to be like.
///
/// Four things are learned from each good fix. The *velocity* of the last step says where the next
/// fix should be. The *scatter* is how much velocities have differed from one step to the next, on
/// the whole, and the *speed scatter* how much speeds have: a walker turns, a logger writes every
/// other minute. The *peak* is the greatest speed of late; it fades by a tenth in a minute, and by no
/// more than 8 % with a fix.
///
/// A fix objects when it is farther from the last than the peak, a quarter of it and 0.5 m/s allow; where
/// speeds change more, than the peak and their scatter; where they hardly do, than the peak and three
/// times their scatter. One that is farther than the
/// peak allows objects, too, when it is farther than twice the scatter from the way that the device
/// was on. (One that is not may have turned, or stood at a light: changes of velocity are nothing like
/// normally distributed, and what is rare on the whole is common at corners.) That way is one point,
/// where the next fix should be, for a step as long as they usually take. The longer a step takes the
/// less is known of when the device stopped or slowed down; from two usual intervals on it is the whole
/// line from the last fix to where the device would be had it never stopped. Nothing objects to what
/// lies within the accuracies of the two fixes and 20 m, the room that a turn, a stop or a street's
/// other side takes.
///
/// A time may be off by its resolution. What is learned is learned from the times as they are, and
/// what is expected gets the time that there may have been: at a fix a second, speeds that are halved
/// while they are learned would not fit the first step after a pause.
///
/// Two rules more. Before the first step 10 m/s more are believed, after the first a quarter of that,
/// after the second a ninth, and so on: what is not known yet. And silence counts for 45 s, or for three
/// of the usual intervals if that is more, and beyond that by its fourth root: who is not heard of for
/// half an hour stood still as a rule, and a spike behind it would be let through otherwise. Whoever
/// went on instead is expected anywhere along the way; and whoever may have gone as far at the usual
/// speed, in a silence of more than five minutes, is doubted, not refused.
///
/// So a step of 100 m is refused to a walker and not to a car, of which no single limit is capable.
///
/// Sources: the factors were tried on the tracks of `conformance/gpx`, on every second and third fix
/// of them, and on simulated walks, rides and drives; <doc:Faults> says what they give there, and on
/// tracks and faults that they were not tried on. The rule is the innovation test of tracking filters
/// (Y. Bar-Shalom, "Estimation with Applications to Tracking and Navigation", 2001, §5.4), with a
/// scatter that is learned.
struct MotionModel: Hashable {
  /// One step between two good fixes.
  struct Step {
    /// Along the geodesic, and its parts toward east and north.
    let meters, east, north: Double
    /// How long it took by the times of the fixes, or by their resolution where those are the same;
    /// never 0.
    let elapsed: Double
    /// How long it may have taken; never 0.
    let seconds: Double
  }

  /// Steps learned from.
  private(set) var count = 0
  /// The velocity of the last step and its length, in meters a second.
  private var east = 0.0, north = 0.0, speed = 0.0
  private var knowsVelocity = false
  /// In meters a second.
  private var peak = 0.0, scatter = 0.0, speedScatter = 0.0
  /// How long a step takes as a rule, in seconds.
  private var interval = 0.0

  /// Steps before a way is known that a fix could be far from.
  private static let warmUp = 3
  private static let peakFactor = 1.25, peakMargin = 0.5
  private static let speedScatterFactor = 3.0, speedScatterMargin = 0.3
  /// In seconds, were it to fade at one rate; and what is left of it after one fix, at least.
  private static let peakMemory = 600.0, leastLeft = 0.92
  private static let scatterFactor = 2.0, scatterMargin = 0.5
  /// The scatter is the plain mean of the first steps, then each counts a twentieth.
  private static let meanCount = 8, scatterWeight = 0.05
  /// In meters.
  private static let room = 20.0
  /// In meters a second.
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

  /// Takes the next step for the first on a way of which nothing is known.
  mutating func forgetVelocity() { knowsVelocity = false }

  /// What was learned here, with the velocity of another model, where that has one.
  func headed(like other: MotionModel) -> MotionModel {
    var headed = self
    if other.knowsVelocity {
      (headed.east, headed.north, headed.speed) = (other.east, other.north, other.speed)
    }
    return headed
  }

  /// Why a step is not like those before it; nil where it is.
  ///
  /// - Parameter error: What the step may be wrong by, in meters.
  func objection(to step: Step, error: Double) -> GateReason? {
    let slack = error + MotionModel.room
    let seconds = credited(step.seconds)
    let usual = usualSpeed + MotionModel.firstSpeed / Double((count + 1) * (count + 1))
    if step.meters - slack > usual * seconds {
      return GateReason(
        .unusualSpeed, (step.meters - slack) / seconds, of: usual, unit: .metersPerSecond)
    }
    // No faster than of late, it may have turned, or stood at a light and gone on.
    let usualWay = peak / MotionModel.leastLeft * min(step.elapsed, seconds)
    guard isWarm, step.meters > usualWay else { return nil }
    let way = secondsUnderWay(step)
    let off = MotionModel.length(step.east - east * way, step.north - north * way)
    let allowed = slack + stray * seconds
    return off > allowed ? GateReason(.offCourse, off, of: allowed, unit: .meters) : nil
  }

  /// Whether enough was learned to object to what is far from the way.
  var isWarm: Bool { count >= MotionModel.warmUp }

  /// Whether the device has been as fast of late, all of the time counting.
  func isUsual(_ step: Step, error: Double) -> Bool {
    step.meters - error <= usualSpeed * step.seconds
  }

  /// Whether the device was silent for so long that it may be where a step ends, though silence as a
  /// rule means that it stood still.
  func mayHaveGone(_ step: Step, error: Double) -> Bool {
    isWarm && step.seconds > max(MotionModel.longSilence, longestSilence)
      && step.meters - error <= peak * step.seconds
  }

  /// How far a step ends from where it should, in meters toward east and north.
  func surprise(in step: Step) -> (east: Double, north: Double) {
    let seconds = credited(step.seconds)
    return (step.east - east * seconds, step.north - north * seconds)
  }

  /// How far a step may end from where it should, in meters.
  func allowance(for step: Step) -> Double { stray * credited(step.seconds) }

  /// The fastest that is not unusual, in meters a second.
  private var usualSpeed: Double {
    let margin = max(
      (MotionModel.peakFactor - 1) * peak + MotionModel.peakMargin, speedScatter)
    guard isWarm else { return peak + margin }
    let steady =
      MotionModel.speedScatterFactor * speedScatter + MotionModel.speedScatterMargin
    return peak + min(margin, steady)
  }

  /// By how much a velocity may change from one step to the next, in meters a second.
  private var stray: Double { MotionModel.scatterFactor * scatter + MotionModel.scatterMargin }

  private var longestSilence: Double {
    // Before the first step any interval may be the usual one.
    count == 0
      ? .infinity : max(MotionModel.leastSilence, MotionModel.silentIntervals * interval)
  }

  /// For how long a silence allows somebody to have moved.
  private func credited(_ seconds: Double) -> Double {
    let longest = longestSilence
    return seconds <= longest
      ? seconds : longest * (seconds / longest).squareRoot().squareRoot()
  }

  /// How long somebody kept going who is where a step ends, as nearly as can be: all of a usual
  /// interval, any part of two and more.
  private func secondsUnderWay(_ step: Step) -> Double {
    let squared = speed * speed
    guard squared > 0 else { return 0 }
    let least = max(0, min(step.elapsed, 2 * interval - step.elapsed))
    return min(max((step.east * east + step.north * north) / squared, least), step.seconds)
  }

  /// What the next of some values weighs in their mean, which forgets the oldest.
  private func weight(ofMean count: Int) -> Double {
    count <= MotionModel.meanCount ? 1 / Double(count) : MotionModel.scatterWeight
  }

  private static func length(_ east: Double, _ north: Double) -> Double {
    (east * east + north * north).squareRoot()
  }
}
