import Geodesy

// The chords that correspond to distances on the ground, by `ChordBracket`.

extension ChordBracket {
  /// The total error of chords and geodesics, in meters.
  ///
  /// Positions in space are right to about 2 nm and geodesics to 15 nm. A margin of 100 nm costs
  /// nothing, because whatever lies inside it is measured and compared exactly.
  private static var margin: Double { 1e-7 }

  /// The squared chords that a geodesic of a given length may have.
  ///
  /// Below the range a position is certainly nearer than that length, above it certainly farther;
  /// inside it only the geodesic can tell.
  static func shell(around geodesic: Double) -> ClosedRange<Double> {
    guard geodesic >= 0 else { return -1 ... -1 }
    guard geodesic < NearestRing.longestGeodesic else {
      return Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    }
    let short = max(0, shortestChord(geodesic: geodesic) - margin)
    let long = longestChord(geodesic: geodesic) + margin
    return short * short...long * long
  }

  /// The greatest squared chord of any geodesic no longer than one with this chord.
  ///
  /// With c the chord, the geodesic is at most 2R₁ asin(c/2R₁), and chords of geodesics that long
  /// are at most 2R₂ sin(R₁/R₂ · asin(c/2R₁)) = c (1 + c² (1 − R₁²/R₂²)/24R₁² + …) = c (1 +
  /// 2.072e-17 c² + …). Up to 1,000 km the further terms are under 1 % of that one.
  @inline(__always)
  static func squaredReach(past squaredChord: Double) -> Double {
    let chord = squaredChord.squareRoot()
    let reach =
      squaredChord < 1e12
      ? chord * (1 + 2.2e-17 * squaredChord)
      : longestChord(geodesic: longestGeodesic(chord: chord))
    return (reach + margin) * (reach + margin)
  }
}
