/// A point in space, in meters from the center of the Earth: x toward (0°, 0°), y toward (0°, 90°
/// E) and z toward the north pole.
package struct ECEFPosition: BitwiseCopyable, Hashable, Sendable {
  package let x: Double
  package let y: Double
  package let z: Double

  /// Any point, on the ellipsoid or not, in meters.
  package init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }

  /// A position on the ellipsoid, from its reduced latitude β: z = b sin β, √(x² + y²) = a cos β.
  ///
  /// Poles are exact: x = y = 0 whatever the longitude. Rounding moves the position by less than 2
  /// nm.
  package init(_ coordinate: Coordinate) {
    self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }

  /// For bare degrees: latitude −90…90, longitude −180…180.
  package init(latitude: Double, longitude: Double) {
    let beta = UnitAngle(reducedLatitude: latitude)
    let lambda = UnitAngle(degrees: abs(longitude))
    let axisDistance = WGS84.equatorialRadius * beta.cosine
    x = axisDistance * lambda.cosine + 0
    y = axisDistance * (longitude < 0 ? -lambda.sine : lambda.sine) + 0
    z = WGS84.polarRadius * beta.sine
  }

  /// The position on the ground in the direction of this point from the center of the Earth: exact for
  /// a point of the ellipsoid, otherwise approximate; arbitrary for the center itself.
  package var placeUnder: Coordinate {
    Coordinate(
      unchecked: degrees(
        arcTangent(y: z, x: hypotenuse(x, y) * (1 - WGS84.eccentricitySquared))),
      Coordinate.wrappedLongitude(degrees(arcTangent(y: y, x: x))))
  }

  /// The squared length of the straight line to another position, in square meters.
  @inline(__always)
  package func squaredChord(to other: ECEFPosition) -> Double {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    return dx * dx + dy * dy + dz * dz
  }

  /// The distance on the ground between two positions on the ellipsoid, in meters; nil beyond 100 km.
  ///
  /// From `ChordSeries`; add 2 nm for the rounding of each position to its error bound.
  package func groundDistance(to other: ECEFPosition) -> Double? {
    ChordSeries.distance(
      squaredChord: squaredChord(to: other), heightDifference: other.z - z, heightSum: other.z + z)
  }
}

/// What a chord says for certain about the geodesic over it, and the other way round.
///
/// A bound costs one arcsine or sine. Lower and upper lie about 2·10⁻¹⁷ s³ meters apart: 21 nm at
/// 1 km, 21 µm at 10 km.
///
/// With R₁ = b²/a and R₂ = a²/b, the smallest and the largest radius of curvature of the ellipsoid,
/// every geodesic of length s with chord c satisfies
///
///     2 R₁ sin(s / 2R₁) ≤ c ≤ 2 R₂ sin(s / 2R₂),
///
/// the left for s ≤ π R₁, the right for s ≤ π R₂, which no shortest line exceeds.
///
/// Proof. Let γ be the geodesic from p, at unit speed, and f(t) = |γ(t) − p|². The acceleration of
/// a geodesic is normal to the surface and as large as the normal curvature κ in its direction, so
/// f″ = 2 − 2κh, where h is the height of p over the tangent plane at γ(t), on the inner side. The
/// ellipsoid is convex with 1/R₂ ≤ κ ≤ 1/R₁ everywhere. By Blaschke's rolling theorem it lies
/// inside the ball of radius R₂ that touches it at γ(t), and the touching ball of radius R₁ lies
/// inside it. A point in the first and outside the second ball has f/2R₂ ≤ h ≤ f/2R₁. Therefore
///
///     2 − f/R₁² ≤ f″ ≤ 2 − f/R₂²,   f(0) = f′(0) = 0.
///
/// Equality on either side holds for 2R²(1 − cos(t/R)) = 4R² sin²(t/2R). The difference g of f and
/// that solution has g″ + g/R² ≥ 0 (left; ≤ 0 right), hence g(t) = R ∫₀ᵗ sin((t−u)/R) (g″ + g/R²) du
/// has that sign too while t ≤ πR: Sturm's comparison. ∎
///
/// A shortest line longer than πR₁ has c > 2R₁. The reduced latitudes map the unit sphere onto the
/// ellipsoid, lengthening curves by a at most and chords by b at least. So two points whose
/// distance exceeds πR₁ are more than πR₁/a apart on that sphere, and c ≥ 2b sin(πR₁/2a), some
/// 12,712.8 km, while 2R₁ is 12,670.9 km. Hence c ≤ 2R₁ implies s ≤ πR₁, and the left inequality
/// may be turned into one for s.
///
/// Each bound is moved outward by 10 nm and 10⁻¹⁵ of itself. Rounding moves each position by at most
/// 2 nm and a short geodesic by 5 nm; without the margin the worst contradiction measured was
/// 2.6 nm. From 3 km on the brackets are wider than any rounding.
package enum ChordBracket {
  /// A lower bound in meters: no geodesic with this chord is shorter.
  package static func shortestGeodesic(chord: Double) -> Double {
    max(0, inward(arc(overChord: inward(chord), radius: WGS84.largestCurvatureRadius)))
  }

  /// An upper bound in meters: no shortest line with this chord is longer.
  package static func longestGeodesic(chord: Double) -> Double {
    let chord = outward(chord)
    guard chord < 2 * WGS84.smallestCurvatureRadius else { return outward(WGS84.longestDistance) }
    return min(
      outward(WGS84.longestDistance),
      outward(arc(overChord: chord, radius: WGS84.smallestCurvatureRadius)))
  }

  /// Both bounds in meters: no geodesic with this chord is shorter, and no shortest line longer.
  ///
  /// The same bounds as the two functions above, without an arcsine up to 100 km: for x ≤ 0.0079, x
  /// + x³/6 ≤ arcsin x ≤ x + 1.0001 x³/6.
  package static func geodesics(chord: Double) -> (shortest: Double, longest: Double) {
    guard chord < 100_000 else {
      return (shortestGeodesic(chord: chord), longestGeodesic(chord: chord))
    }
    let cube = chord * chord * chord
    return (
      max(0, inward(chord + cube * leastExcess)), outward(chord + cube * greatestExcess)
    )
  }

  private static var leastExcess: Double {
    1 / (24 * WGS84.largestCurvatureRadius * WGS84.largestCurvatureRadius)
  }

  private static var greatestExcess: Double {
    1.0001 / (24 * WGS84.smallestCurvatureRadius * WGS84.smallestCurvatureRadius)
  }

  /// The longest chord, in meters, between positions at most this far apart on the ground.
  package static func longestChord(geodesic: Double) -> Double {
    outward(
      min(
        2 * WGS84.equatorialRadius,
        chord(underArc: outward(geodesic), radius: WGS84.largestCurvatureRadius)))
  }

  /// The shortest chord, in meters, between positions at least this far apart on the ground.
  package static func shortestChord(geodesic: Double) -> Double {
    max(0, inward(chord(underArc: inward(geodesic), radius: WGS84.smallestCurvatureRadius)))
  }

  /// The arc of a circle over a chord; half the circle for chords of a diameter or more.
  private static func arc(overChord chord: Double, radius: Double) -> Double {
    2 * radius * arcSine(min(1, max(0, chord) / (2 * radius)))
  }

  /// The chord under an arc of a circle; the diameter for arcs of half the circle or more.
  private static func chord(underArc arc: Double, radius: Double) -> Double {
    let half = max(0, arc) / (2 * radius)
    guard half < 0.1 else { return 2 * radius * sine(min(.pi / 2, half)) }
    // Up to 1,000 km the Taylor polynomial has a relative error of 3·10⁻¹⁸ and needs no call.
    let t = half * half
    let series = 1 / 6 - t * (1 / 120 - t * (1 / 5_040 - t * (1 / 362_880)))
    return 2 * radius * (half - half * (t * series))
  }

  /// The margin in meters, in addition to 10⁻¹⁵ of the length.
  private static var margin: Double { 10e-9 }
  private static func outward(_ length: Double) -> Double { length + margin + length * 1e-15 }
  private static func inward(_ length: Double) -> Double { length - margin - length * 1e-15 }
}
