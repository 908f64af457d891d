/// The chord from the origin to one position.
///
/// With ρ the distance from the axis and z the height over the equator,
///
///     ρ = a n cos φ,   z = (1 − e²) a n sin φ,   n = (1 − e² sin²φ)^−½,
///     c² = (ρ₂ − ρ₁)² + (z₂ − z₁)² + 4 ρ₁ρ₂ sin²(Δλ/2).
///
/// Where the latitudes differ by at most a degree, the two differences are made of δ = φ₂ − φ₁ and
/// not of ρ₂ and z₂, so that nothing cancels. With S = a n₁ sin φ₁, C = a n₁ cos φ₁ and
/// v = 1 − cos δ,
///
///     ΔS = C sin δ − S v,   ΔC = −S sin δ − C v       (on the circle of radius a n₁),
///     n₂/n₁ = (1 − η)^−½ = 1 + g,   η = (e²/a²) ΔS (2S + ΔS),
///     Δρ = ΔC + g (C + ΔC),   Δz = (1 − e²) (ΔS + g (S + ΔS)).
///
/// Error. Such a chord is right to 5·10⁻¹⁵ of itself and a picometer, wherever on the Earth and
/// whatever the longitudes. A chord to farther latitudes, which is longer than 110 km, is right to
/// 20 nm and 5·10⁻¹⁵ of itself.
///
/// Proof. Every operation is right to u = 2⁻⁵³ of its result, and the sine of the platform, used
/// for S and C only, is taken to be right to 2 u. Products of errors are left out; what is rounded
/// up below is more. For at most a degree:
///
/// 1. δ has a difference, a product and the error of π/180, 0.2 u: 2.2 u. sin δ adds 1 u, what its
///    series leaves out being less than 10⁻³ u: 3.2 u. v has 21 u, 13 of them what its series
///    leaves out, but is less than δ²/2.
/// 2. S and C: angles are reduced to 45° exactly, radians have 1.2 u, the sine 2 u, n with its
///    square, root and quotient 2.6 u, the product 1 u: 7 u. (`UnitAngle` also rounds small angles
///    to 2⁻⁵⁷ degrees, 0.4 pm: the picometer.)
/// 3. The vector (ΔC, ΔS) thus has (7 + 3.2 + 2) u in its part with sin δ and 30 u in its part with
///    v, less than δ/114: 12.5 u a n₁δ. g is less than 0.0068 δ and right to 28 u, and the series
///    leaves out 15 u: with its product 0.4 u a n₁δ. The last operations have 3 u. So (Δρ, Δz) is
///    right to 15.9 u a n₁δ. As the meridian has a radius of curvature of (1 − e²) a n³, a n₁δ is
///    less than 1.008 times its chord: 16.1 u c. Moving an end of a line changes its length by no
///    more than the move.
/// 4. The 7 u of ρ₁ move both ends outward, each on its own meridian, and so apart by 14 u ρ₁ h,
///    h = |sin(Δλ/2)|. That is at most 14 u c: with Δλ ≤ 90° the other end is ρ₁ sin Δλ ≥ √2 ρ₁h
///    away or more, beyond that ρ₁ or more.
/// 5. Δλ/2 in radians has 2.2 u. Where longitudes are folded over ±180°, this is exact from 90° on
///    either side; otherwise Δλ > 90° and a rounding adds 1 u, but of these 3.2 u the sine gets
///    t cot t ≤ 0.79 times: 2.5 u. `quarterTurnSine` has 5.2 u. In the root of the last term of c²,
///    h has 7.7 u and the four other operations half a u each: 9.7 u c.
/// 6. Squares and sums have 3 u, in the root 1.5 u; the root itself 1 u.
///
/// Together 42.3 u = 4.7·10⁻¹⁵. Beyond a degree, the sine of `quarterTurnSine` has 5.2 u and that
/// of its argument's rounding 1.2 u, with the other axis less than 10 u; n and its product 4 u; the
/// origin 7 u: 21 u a = 15 nm, besides 5. and 6. ∎
///
/// Against chords of 45 digits, the worst of 3,000 near chords had 4.5 u, the worst of 8,000 far
/// ones 5.2 nm.
extension LineOrigin {
  /// Whether a difference of latitudes in degrees is too large for `nearStep(degrees:)`.
  @inline(__always)
  static func isFar(_ degrees: Double) -> Bool { degrees * degrees > 1 }

  /// a n in meters, from the sine of a latitude.
  @inline(__always)
  static func normal(sine: Double) -> Double {
    WGS84.equatorialRadius / (1 - WGS84.eccentricitySquared * sine * sine).squareRoot()
  }

  /// z from a n sin φ; also for differences.
  @inline(__always)
  static func flattened(_ sine: Double) -> Double { sine * (1 - WGS84.eccentricitySquared) }

  /// A step from the origin, in meters: outward from the axis, and up from the equator.
  typealias MeridianStep = (axial: Double, height: Double)

  /// The step to a latitude that differs by at most a degree.
  @inline(__always)
  func nearStep(degrees: Double) -> MeridianStep {
    let delta = degrees * (.pi / 180)
    let y = delta * delta
    let sineOfDelta = delta - delta * (y * (1 / 6 - y * (1 / 120 - y * (1 / 5040))))
    let versine = y * (1 / 2 - y * (1 / 24 - y * (1 / 720)))

    let sineChange = cosine * sineOfDelta - sine * versine
    let cosineLoss = sine * sineOfDelta + cosine * versine
    let eta =
      sineChange * (2 * sine + sineChange)
      * (WGS84.eccentricitySquared / (WGS84.equatorialRadius * WGS84.equatorialRadius))
    let growth = eta * (1 / 2 + eta * (3 / 8 + eta * (5 / 16 + eta * (35 / 128))))
    return (
      axial: growth * (cosine - cosineLoss) - cosineLoss,
      height: LineOrigin.flattened(growth * (sine + sineChange) + sineChange)
    )
  }

  /// The step to any latitude; exact at the poles.
  @inline(__always)
  func farStep(latitude: Double) -> MeridianStep {
    let sine = quarterTurnSine(latitude * (.pi / 180))
    let cosine = quarterTurnSine((90 - abs(latitude)) * (.pi / 180))
    let normal = LineOrigin.normal(sine: sine)
    return (
      axial: normal * cosine - self.cosine,
      height: LineOrigin.flattened(normal * sine - self.sine)
    )
  }

  /// The squared chord to the end of a step, rotated to a longitude in degrees.
  @inline(__always)
  func squaredChord(over step: MeridianStep, longitude: Double) -> Double {
    let mirrored = longitude * mirror
    // The origin is east of Greenwich, so only differences below −180° are folded. Both longitudes
    // are first moved by 180°, so that nothing is rounded near ±180°.
    let fold: Double = mirrored - self.longitude < -180 ? 180 : 0
    let turn = (mirrored + fold) - (self.longitude - fold)
    let sine = quarterTurnSine(turn * (.pi / 360))
    let squaredTurn = (cosine + step.axial) * (sine * sine) * (4 * cosine)
    return step.axial * step.axial + step.height * step.height + squaredTurn
  }
}

/// The sine of an angle in radians, −π/2…π/2, without a function call, so that loops compute two at once.
///
/// Relative error at most 5.2 units of 2⁻⁵³: the minimax polynomial of degree 15 contributes less than 1.67 (over 1,000
/// intervals, with Arb), and rounding less than 3.53 (the running error, over 4,000 intervals).
///
/// Source: E. Remez, "Sur la détermination des polynômes d'approximation de degré donnée", 1934, for the coefficients;
/// F. Johansson, "Arb", IEEE Trans. Computers 66(8), 2017, for the bounds.
@inline(__always)
func quarterTurnSine(_ angle: Double) -> Double {
  let z = angle * angle
  var series = 1.6048095406221804e-10 - z * 7.373344542685005e-13
  series = series * z - 2.5051880273921022e-08
  series = series * z + 2.7557316600553843e-06
  series = series * z - 1.9841269825056267e-04
  series = series * z + 8.333333333285542e-03
  series = series * z - 1.6666666666666186e-01
  return angle + angle * (series * z)
}
