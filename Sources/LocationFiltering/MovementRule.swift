/// How far a fix must be from the last one that counted, so that it counts, too.
public enum MovementRule: Hashable, Sendable {
  /// Meters along the geodesic.
  ///
  /// Lengths are compared as whole micrometers, so that 300 m is 300 m whichever way it was
  /// computed.
  case meters(Double, Edge)
  /// Degrees on each axis for itself, whatever the direction; across ±180° as anywhere.
  ///
  /// A box, not a circle: at 37.5° N 0.0005° is 55 m north and 44 m east. Differences are compared as
  /// whole nanodegrees, 0.1 mm, so that 0.0005 typed is 0.0005 even where its binary value is not.
  case degrees(Double, axes: Axes, Edge)
  /// More degrees to the south or to the west, strictly, and none to the north or east: what the
  /// mart app really does. For comparison only.
  case degreesSouthOrWest(Double)

  /// What a move of exactly the threshold is.
  public enum Edge: Hashable, Sendable {
    /// It does not count: more than the threshold is needed.
    case exclusive
    /// It counts.
    case inclusive
  }

  /// On which axes the threshold must be passed.
  public enum Axes: Hashable, Sendable {
    /// On one of the two.
    case any
    /// On both.
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
  /// Whether a move is far enough, both counted in steps of `resolution`.
  func isPassed(_ move: Double, _ threshold: Double, resolution: Double) -> Bool {
    // Farther apart than a step they are in the same order once rounded, which is a call.
    if abs(move - threshold) > 2 * resolution { return move > threshold }
    let move = (move / resolution).rounded(), threshold = (threshold / resolution).rounded()
    return self == .inclusive ? move >= threshold : move > threshold
  }
}
