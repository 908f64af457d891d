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
