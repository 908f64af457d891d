import Geodesy

/// How a device has moved so far, in a few numbers: what the next fix is expected to be like.
///
/// Three things are learned from each good fix. The *velocity* of the last step says where the next
/// fix should be. The *scatter* is how much velocities have differed from one step to the next, on
/// the whole: a walker turns, a logger writes every other minute. The *peak* is the greatest speed of
/// late; it fades by 15 % with each fix. A fix objects when it is farther from the last than
/// 1.6 times the peak allows, or farther from where it should be than three times the scatter, both
/// with the accuracies of the two fixes allowed for. The scatter is a mean: where velocities change
/// like the throws of a normal distribution on both axes, one in a thousand changes is three times as
/// large.
///
/// A time may be off by its resolution. What is learned is learned from the times as they are, and
/// what is expected gets the time that there may have been: at a fix a second, speeds that are halved
/// while they are learned would not fit the first step after a pause.
///
/// Two rules more. Of the first steps, 10 m/s are believed. And silence counts for 45 s, or for three
/// of the usual intervals if that is more, and beyond that by its fourth root: who is not heard of for
/// half an hour stood still as a rule, and a spike behind it would be let through otherwise. Whoever
/// went on instead is expected anywhere along the way.
///
/// So a step of 100 m is refused to a walker and not to a car, of which no single limit is capable.
///
/// Sources: the other factors were tried on the tracks of `conformance/gpx`; <doc:Faults> says what
/// they give there, and on tracks and faults that they were not tried on. The rule is the innovation
/// test of tracking filters (Y. Bar-Shalom, "Estimation with Applications to Tracking and Navigation",
/// 2001, §5.4), with a scatter that is learned.
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

  /// Whether it is what the gate began with; a gate that has re-anchored knows that anything goes.
  let isFirst: Bool
  /// Steps learned from.
  private(set) var count = 0
  /// The velocity of the last step, in meters a second.
  private var east = 0.0, north = 0.0
  private var knowsVelocity = false
  /// In meters a second.
  private var peak = 0.0, scatter = 0.0
  /// How long a step takes as a rule, in seconds.
  private var interval = 0.0

  /// Steps before anything is objected to.
  private static let warmUp = 3
  private static let peakFactor = 1.6, peakMargin = 1.0, peakFading = 0.85
  private static let scatterFactor = 3.0, scatterMargin = 0.5
  /// The scatter is the plain mean of the first steps, then each counts a twentieth.
  private static let meanCount = 8, scatterWeight = 0.05

  /// In meters a second.
  private static let firstSpeed = 10.0
  /// In seconds.
  private static let leastSilence = 45.0
  private static let silentIntervals = 3.0

  init(isFirst: Bool) { self.isFirst = isFirst }

  mutating func learn(_ step: Step) {
    let (eastward, northward) = (step.east / step.elapsed, step.north / step.elapsed)
    if count > 0 {
      if knowsVelocity {
        let change = MotionModel.length(eastward - east, northward - north)
        scatter += weight(ofMean: count) * (change - scatter)
      }
      interval += weight(ofMean: count + 1) * (min(step.seconds, longestSilence) - interval)
    } else {
      interval = step.seconds
    }
    peak = max(MotionModel.length(eastward, northward), peak * MotionModel.peakFading)
    (east, north) = (eastward, northward)
    knowsVelocity = true
    count += 1
  }

  /// Takes the next step for the first on a way of which nothing is known.
  mutating func forgetVelocity() { knowsVelocity = false }

  /// What was learned here, with the velocity of another model, where that has one.
  func headed(like other: MotionModel) -> MotionModel {
    var headed = self
    if other.knowsVelocity { (headed.east, headed.north) = (other.east, other.north) }
    return headed
  }

  /// Why a step is not like those before it; nil where it is.
  ///
  /// - Parameter slack: What the step may be wrong by, in meters.
  func objection(to step: Step, slack: Double) -> GateReason? {
    guard isWarm || isFirst else { return nil }
    let seconds = credited(step.seconds)
    var usual = usualSpeed
    if !isWarm { usual = max(usual, MotionModel.firstSpeed) }
    let speed = max(0, step.meters - slack) / seconds
    if speed > usual { return GateReason(.unusualSpeed, speed, of: usual, unit: .metersPerSecond) }
    guard isWarm else { return nil }
    let expected = secondsUnderWay(step, credited: seconds)
    let off = MotionModel.length(step.east - east * expected, step.north - north * expected)
    let allowed = slack + stray * seconds
    return off > allowed ? GateReason(.offCourse, off, of: allowed, unit: .meters) : nil
  }

  /// Whether enough was learned to object to what does not fit.
  var isWarm: Bool { count >= MotionModel.warmUp }

  /// Whether the device has been as fast of late, all of the time counting.
  func isUsual(_ step: Step, slack: Double) -> Bool {
    max(0, step.meters - slack) <= usualSpeed * step.seconds
  }

  /// How far a step ends from where it should, in meters toward east and north.
  func surprise(in step: Step) -> (east: Double, north: Double) {
    let seconds = credited(step.seconds)
    return (step.east - east * seconds, step.north - north * seconds)
  }

  /// How far a step may end from where it should, in meters.
  func allowance(for step: Step) -> Double { stray * credited(step.seconds) }

  /// The fastest that is not unusual, in meters a second.
  private var usualSpeed: Double { MotionModel.peakFactor * peak + MotionModel.peakMargin }

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

  /// How long somebody kept going who is where a step ends, as nearly as can be: at least as long as
  /// their silence is credited, at most as long as it was.
  private func secondsUnderWay(_ step: Step, credited: Double) -> Double {
    let squared = east * east + north * north
    guard step.seconds > credited, squared > 0 else { return min(step.elapsed, credited) }
    return min(max((step.east * east + step.north * north) / squared, credited), step.seconds)
  }

  /// What the next of some values weighs in their mean, which forgets the oldest.
  private func weight(ofMean count: Int) -> Double {
    count <= MotionModel.meanCount ? 1 / Double(count) : MotionModel.scatterWeight
  }

  private static func length(_ east: Double, _ north: Double) -> Double {
    (east * east + north * north).squareRoot()
  }
}
