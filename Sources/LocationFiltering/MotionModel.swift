import Geodesy

/// How a device has moved so far, in a few numbers: what the next fix is expected to be like.
///
/// Three things are learned from each good fix. The *velocity* of the last step says where the next
/// fix should be. The *scatter* is how much velocities have differed from one step to the next, on
/// the whole: a walker turns, a logger writes every other minute. The *peak* is the greatest speed of
/// late; it fades by 15 % with each fix. A fix objects when it is farther from the last than
/// 1.6 times the peak allows, or farther from where it should be than four times the scatter, both
/// with the accuracies of the two fixes allowed for.
///
/// Two rules more. Of the first steps, 10 m/s are believed. And silence counts for a minute, beyond
/// that by its fourth root: who is not heard of for half an hour stood still as a rule, and a spike
/// behind it would be let through otherwise.
///
/// So a step of 100 m is refused to a walker and not to a car, of which no single limit is capable.
///
/// Sources: the factors were tried on the tracks of `conformance/gpx` (`Benchmarks/gate_faults.py`
/// says what they give). The rule is the innovation test of tracking filters (Y. Bar-Shalom,
/// "Estimation with Applications to Tracking and Navigation", 2001, §5.4), with a scatter that is
/// learned.
struct MotionModel: Hashable {
  /// One step between two good fixes.
  struct Step {
    /// Along the geodesic, and its parts toward east and north.
    let meters, east, north: Double
    /// Never 0.
    let seconds: Double
  }

  /// Whether it is what the gate began with; a gate that has re-anchored knows that anything goes.
  let isFirst: Bool
  /// Steps learned from.
  private var count = 0
  /// The velocity of the last step, in meters a second.
  private var east = 0.0, north = 0.0
  /// In meters a second.
  private var peak = 0.0, scatter = 0.0

  /// Steps before anything is objected to.
  private static let warmUp = 3
  private static let peakFactor = 1.6, peakMargin = 1.0, peakFading = 0.85
  private static let scatterFactor = 4.0, scatterMargin = 0.5
  /// The scatter is the plain mean of the first steps, then each counts a twentieth.
  private static let meanCount = 8, scatterWeight = 0.05

  /// In meters a second.
  private static let firstSpeed = 10.0
  /// In seconds.
  private static let longestSilence = 60.0

  init(isFirst: Bool) { self.isFirst = isFirst }

  mutating func learn(_ step: Step) {
    let (eastward, northward) = (step.east / step.seconds, step.north / step.seconds)
    if count > 0 {
      let change = MotionModel.length(eastward - east, northward - north)
      let weight =
        count <= MotionModel.meanCount ? 1 / Double(count) : MotionModel.scatterWeight
      scatter += weight * (change - scatter)
    }
    peak = max(MotionModel.length(eastward, northward), peak * MotionModel.peakFading)
    (east, north) = (eastward, northward)
    count += 1
  }

  /// Why a step is not like those before it; nil where it is.
  ///
  /// - Parameter slack: What the step may be wrong by, in meters.
  func objection(to step: Step, slack: Double) -> GateReason? {
    let isWarm = count >= MotionModel.warmUp
    guard isWarm || isFirst else { return nil }
    let seconds = MotionModel.credited(step.seconds)
    var usual = MotionModel.peakFactor * peak + MotionModel.peakMargin
    if !isWarm { usual = max(usual, MotionModel.firstSpeed) }
    let speed = max(0, step.meters - slack) / seconds
    if speed > usual { return GateReason(.unusualSpeed, speed, of: usual, unit: .metersPerSecond) }
    guard isWarm else { return nil }
    let off = MotionModel.length(step.east - east * seconds, step.north - north * seconds)
    let allowed =
      slack + (MotionModel.scatterFactor * scatter + MotionModel.scatterMargin) * seconds
    return off > allowed ? GateReason(.offCourse, off, of: allowed, unit: .meters) : nil
  }

  /// For how long a silence allows somebody to have moved.
  private static func credited(_ seconds: Double) -> Double {
    seconds <= longestSilence
      ? seconds : longestSilence * (seconds / longestSilence).squareRoot().squareRoot()
  }

  private static func length(_ east: Double, _ north: Double) -> Double {
    (east * east + north * north).squareRoot()
  }
}
