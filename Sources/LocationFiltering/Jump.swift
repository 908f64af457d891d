/// A jump that a gate believed because enough fixes agreed with it, and how to tell that it is over.
///
/// A device near a tall building reports itself 200 m aside, five times in a row, and then where it
/// is. From where it seemed to be the first good fix is as impossible as the first bad one was. But it
/// lies where the device would be by now without the jump: beside the hypothesis that the device is
/// where it was believed last there is a second one, that everything since is off by the jump. Like
/// the first it moves with the device, so that it does not matter for how long it stays open.
struct Jump: Hashable, Sendable {
  /// What the jump is beyond the way that the device was on, in meters.
  private let east, north: Double
  /// What it may be wrong by in meters: the errors of its two fixes, and how far the device might
  /// have strayed from its way meanwhile.
  private let tolerance: Double
  /// How the device moved up to the jump.
  let motion: MotionModel
  /// How many good fixes there had been.
  let place: Int

  /// Good fixes after which a jump is final.
  static let longestMemory = 20

  /// Takes a step for a jump.
  ///
  /// - Parameters:
  ///   - error: What the step may be wrong by, in meters.
  ///   - motion: How the device moved before it.
  init(over step: MotionModel.Step, error: Double, after motion: MotionModel, at place: Int) {
    let (east, north) = motion.surprise(in: step)
    let strayed = motion.allowance(for: step)
    (self.east, self.north) = (east, north)
    tolerance = (error * error + strayed * strayed).squareRoot()
    self.motion = motion
    self.place = place
  }

  /// How far it went.
  var meters: Double { (east * east + north * north).squareRoot() }

  /// Whether a step that contradicts what came since would fit without the jump.
  ///
  /// - Parameters:
  ///   - step: From the last good fix.
  ///   - error: What the step may be wrong by, in meters.
  ///   - current: How the device has moved since.
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
