/// The distance on the ground by its chord, to some nanometers, for lines up to 100 km.
///
/// A line over a chord c on a circle of curvature κ is 2/κ arcsin(cκ/2) long. For κ take the
/// curvature of the ellipsoid in the direction of the chord, at the point over its middle; the
/// change of κ along the line is then all that is missing. In units of the equatorial radius, and
/// with u the points of the unit sphere that the reduced latitudes name, let
///
///     q = |u₂ − u₁|² = c² + e² (Δz/b)²,   Σ = u₁z + u₂z,   ε = e′²,
///     h² = 1 + ε Σ² / (4 − q),   κ = q / (c² h),   x = κ²c²,
///     s = c (1 + x/24 + 3x²/640 + 5x³/7168 + ε c² (c² Σ²/4 − (Δz/b)²) / 160).
///
/// h² is |A⁻¹m|² for the point m of the unit sphere halfway between u₁ and u₂, A = diag(1, 1, b);
/// the curvature at Am in the direction d is |A⁻¹d|² / (|d|² h). The last term is c⁵κκ″/480 to the
/// first order in ε; without it the error is 0.26 µm at 100 km.
///
/// Error. For c ≤ 100 km this s differs from the length of the geodesic by at most
/// 3.6·10⁻³⁴ c⁵ meters, c in meters: 3.6 nm at 100 km, 0.001 nm at 20 km.
///
/// Proof. Let γ be the geodesic from its middle at t = 0, at unit speed, u = A⁻¹γ, w = u_z. A
/// geodesic bends toward the normal, and Joachimsthal's J is constant on it:
///
///     u″ = −λA⁻²u,   λ = J/h⁴,   J = h² |u′|²,   h² = 1 + εw².
///
/// Hence the Taylor coefficients of u at 0 are polynomials in w, w′, J, 1/h² and ε. With
/// t = ±s/2 they make c², q, Σ and Δz power series in s, and the formula a function ŝ(s) with
///
///     r(s) = (ŝ/s)² − 1 = r₄s⁴ + r₆s⁶ + r₈(s) s⁸,
///
/// in which only w² ≤ 1 and w′² ≤ (1 − w²) / (1 − e² (1 − w²)) are free. Computed as rational
/// functions, exactly, r₀ and r₂ vanish, and so does r₄ up to the first order in ε:
///
///     r₄ = ε² (12w⁴ − 61w²w′² + 26w′⁴ + 6w² − 8w′² + ε …) / (720 (1 + ε)⁴ (1 + εw²)³),
///     r₆ = ε (405w′² − 783w² + ε …) / (120960 (1 + ε)⁶ (1 + εw²)⁵).
///
/// Interval arithmetic over a grid of cells that covers all w², w′² gives |r₄| ≤ 1.157·10⁻⁶ (150²
/// cells) and |r₆| ≤ 4.37·10⁻⁵ (20²). r₈ comprises everything beyond, for all s up to 100.1 km: a
/// Taylor model, with u to t⁹ and Lagrange's remainder from the largest |u⁽¹¹⁾| and |w⁽¹⁰⁾| that
/// any geodesic has anywhere. Over 40² cells |r₈| ≤ 0.0303. Therefore, with s ≤ 100.1 km = 0.015695,
///
///     |ŝ − s| ≤ s |r| / 2 ≤ 5.85·10⁻⁷ s⁵ ≤ 5.86·10⁻⁷ c⁵   (and 5.86·10⁻⁷/a⁴ = 3.54·10⁻³⁴ m⁻⁴). ∎
///
/// (Rational functions by SymPy, intervals by Arb, which rounds outward, at 106 bits.) Against
/// geodesics of 45 digits, 3,000 lines of 1 mm to 100 km had at most 83 % of this with
/// 5·10⁻¹⁵ c and a picometer for the chord and rounding: 0.1 nm at 20 km, 4.1 nm at 100 km.
///
/// Source: F. Joachimsthal, "Observationes de lineis brevissimis et curvis curvaturae in
/// superficiebus secundi gradus", J. reine angew. Math. 26, 1843, for J; F. Johansson, "Arb", IEEE
/// Trans. Computers 66(8), 2017. The formula and its bound were worked out for this package.
package enum ChordSeries {
  /// The longest chord for which the series is valid, in meters.
  package static var reach: Double { 100_000 }

  /// The distance on the ground in meters; nil beyond `reach`.
  @inline(__always)
  static func distance(
    squaredChord: Double, heightDifference: Double, heightSum: Double
  ) -> Double? {
    guard squaredChord <= reach * reach else { return nil }
    let chord = squaredChord.squareRoot()
    return chord + chord
      * excess(
        squaredChord: squaredChord, heightDifference: heightDifference, heightSum: heightSum)
  }

  /// The relative excess of the distance over the chord: s/c − 1.
  ///
  /// - Parameters:
  ///   - squaredChord: c² in square meters.
  ///   - heightDifference: z₂ − z₁ in meters.
  ///   - heightSum: z₂ + z₁ in meters.
  @inline(__always)
  static func excess(
    squaredChord: Double, heightDifference: Double, heightSum: Double
  ) -> Double {
    let perSquaredAxis = 1 / (WGS84.polarRadius * WGS84.polarRadius)
    let y = squaredChord * (1 / (WGS84.equatorialRadius * WGS84.equatorialRadius))
    let squaredDifference = heightDifference * heightDifference * perSquaredAxis
    let squaredSum = heightSum * heightSum * perSquaredAxis
    let q = y + WGS84.eccentricitySquared * squaredDifference
    let rest = 4 - q
    // The smallest normal number keeps the quotient 0 for a chord of 0.
    let x =
      q * q * rest
      / (y * (rest + WGS84.secondEccentricitySquared * squaredSum) + .leastNormalMagnitude)
    let change =
      (WGS84.secondEccentricitySquared / 160) * y * (y * squaredSum * 0.25 - squaredDifference)
    return x * (1 / 24 + x * (3 / 640 + x * (5 / 7168))) + change
  }
}
