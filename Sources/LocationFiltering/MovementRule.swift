/// How far a fix must be from the reference fix to be accepted.
public enum MovementRule: Hashable, Sendable {
  /// Meters along the geodesic.
  ///
  /// Lengths are compared in whole micrometers, so that 300 m is 300 m however it was computed.
  case meters(Double, Edge)
  /// Degrees on each axis separately, in any direction, and across ±180° too.
  ///
  /// A box, not a circle: at 37.5° N, 0.0005° is 55 m north and 44 m east. Differences are compared in whole
  /// nanodegrees, 0.1 mm, so that a typed 0.0005 is 0.0005 even if its binary value is not.
  case degrees(Double, axes: Axes, Edge)
  /// More degrees to the south or to the west, strictly, and no move north or east counts: what the
  /// mart app really does. For comparison only.
  case degreesSouthOrWest(Double)

  /// Whether a move of exactly the threshold passes.
  public enum Edge: Hashable, Sendable {
    /// Exactly the threshold does not pass.
    case exclusive
    /// Exactly the threshold passes.
    case inclusive
  }

  /// The axes on which the threshold must be passed.
  public enum Axes: Hashable, Sendable {
    /// At least one axis.
    case any
    /// Both axes.
    case all
  }

  /// The threshold, in its unit.
  public var threshold: Double {
    switch self {
    case .meters(let threshold, _), .degrees(let threshold, _, _),
      .degreesSouthOrWest(let threshold):
      threshold
    }
  }
}

extension MovementRule.Edge {
  /// Whether a move passes the threshold, with both rounded to steps of `resolution`.
  func isPassed(_ move: Double, _ threshold: Double, resolution: Double) -> Bool {
    // Rounding is a function call, and cannot change the order of lengths more than a step apart.
    if abs(move - threshold) > 2 * resolution { return move > threshold }
    let move = (move / resolution).rounded(), threshold = (threshold / resolution).rounded()
    return self == .inclusive ? move >= threshold : move > threshold
  }
}
