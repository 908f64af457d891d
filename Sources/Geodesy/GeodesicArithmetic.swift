// What geodesics are computed with: the ellipsoid, and the series along a line.

/// The WGS 84 ellipsoid and the mean sphere, in meters.
///
/// Source: NIMA TR8350.2, third edition (2000), for the two defining parameters; the other values
/// follow from them.
package enum WGS84 {
  /// The equatorial radius a.
  package static let equatorialRadius = 6_378_137.0
  /// The flattening f = (a − b) / a.
  package static let flattening = 1 / 298.257223563
  /// The polar radius b = a (1 − f).
  package static let polarRadius = equatorialRadius * (1 - flattening)
  /// The first eccentricity squared, e² = f (2 − f).
  package static let eccentricitySquared = flattening * (2 - flattening)
  /// The second eccentricity squared, e′² = e² / (1 − e²).
  package static let secondEccentricitySquared = eccentricitySquared / (1 - eccentricitySquared)
  /// The third flattening n = (a − b) / (a + b).
  package static let thirdFlattening = flattening / (2 - flattening)
  /// The mean radius R₁ = (2a + b) / 3, the sphere on which haversine distances are measured.
  package static let meanRadius = 6_371_008.7714
  /// The smallest radius of curvature anywhere, b² / a: along the meridian at the equator.
  package static let smallestCurvatureRadius = polarRadius * polarRadius / equatorialRadius
  /// The largest radius of curvature anywhere, a² / b: at the poles.
  package static let largestCurvatureRadius = equatorialRadius * equatorialRadius / polarRadius
  /// Half the length of a meridian ellipse, the longest geodesic distance on the ellipsoid.
  package static let longestDistance = 20_003_931.458_625_446
}

// MARK: - Series

/// A sum c₁ sin 2σ + c₂ sin 4σ + … + c₆ sin 12σ.
struct SineSeries {
  let c1: Double
  let c2: Double
  let c3: Double
  let c4: Double
  var c5 = 0.0
  var c6 = 0.0

  /// The sum at an angle.
  @inline(__always)
  func value(at angle: UnitAngle) -> Double {
    clenshaw(sine: SIMD2(repeating: angle.sine), cosine: SIMD2(repeating: angle.cosine))[0]
  }

  /// The increase of the sum between two angles; both ends are evaluated at once.
  @inline(__always)
  func increase(from start: UnitAngle, to end: UnitAngle) -> Double {
    let sums = clenshaw(
      sine: SIMD2(start.sine, end.sine), cosine: SIMD2(start.cosine, end.cosine))
    return sums[1] - sums[0]
  }

  /// Clenshaw's recurrence bₗ = cₗ + 2 cos 2σ bₗ₊₁ − bₗ₊₂, unrolled; the sum is b₁ sin 2σ.
  @inline(__always)
  private func clenshaw(sine: SIMD2<Double>, cosine: SIMD2<Double>) -> SIMD2<Double> {
    let factor = 2 * (cosine - sine) * (cosine + sine)
    let b6 = SIMD2(repeating: c6)
    let b5 = c5 + factor * b6
    let b4 = c4 + factor * b5 - b6
    let b3 = c3 + factor * b4 - b5
    let b2 = c2 + factor * b3 - b4
    let b1 = c1 + factor * b2 - b3
    return 2 * sine * cosine * b1
  }
}

/// The three integrals along one geodesic, as series in its ε.
///
/// A geodesic is determined by the azimuth α₀ at which it crosses the equator. On the auxiliary
/// sphere the geodesic is a great circle, and σ is the arc along it, from the equator northward.
/// Each integral has the form A (σ + Σ Cₗ sin 2lσ). With ε ≤ 0.0017 on this ellipsoid, six orders
/// leave errors below those of rounding.
///
/// Source: C. F. F. Karney, "Algorithms for geodesics", J. Geodesy 87, 2013,
/// doi:10.1007/s00190-012-0578-z; equation numbers are those of the paper. All coefficients were
/// derived again from the integrals with a computer algebra system.
struct GeodesicSeries {
  /// The parameter ε of equation 16.
  let epsilon: Double

  /// The series of the geodesic with this cos α₀; equations 9 and 16.
  @inline(__always)
  init(cosineEquatorialAzimuth cosine: Double) {
    let squaredModulus = WGS84.secondEccentricitySquared * (cosine * cosine)
    epsilon = squaredModulus / (2 * (1 + (1 + squaredModulus).squareRoot()) + squaredModulus)
  }

  // MARK: Length, s = b I₁(σ); equation 15

  /// A₁; equation 17.
  @inline(__always)
  var lengthScale: Double {
    let square = epsilon * epsilon
    return (1 + square * (1.0 / 4 + square * (1.0 / 64 + square * (1.0 / 256)))) / (1 - epsilon)
  }

  /// C₁; equation 18.
  @inline(__always)
  var lengthSeries: SineSeries {
    let e = epsilon
    let e2 = e * e
    let e4 = e2 * e2
    return SineSeries(
      c1: e * (-1.0 / 2 + e2 * (3.0 / 16 - e2 * (1.0 / 32))),
      c2: e2 * (-1.0 / 16 + e2 * (1.0 / 32 - e2 * (9.0 / 2048))),
      c3: e2 * e * (-1.0 / 48 + e2 * (3.0 / 256)),
      c4: e4 * (-5.0 / 512 + e2 * (3.0 / 512)),
      c5: e4 * e * (-7.0 / 1280),
      c6: e4 * e2 * (-7.0 / 2048))
  }

  /// C₁′, the inverse series from τ = s / (b A₁) to σ = τ + Σ C₁′ₗ sin 2lτ; equations 20 and 21.
  @inline(__always)
  var arcSeries: SineSeries {
    let e = epsilon
    let e2 = e * e
    let e4 = e2 * e2
    return SineSeries(
      c1: e * (1.0 / 2 + e2 * (-9.0 / 32 + e2 * (205.0 / 1536))),
      c2: e2 * (5.0 / 16 + e2 * (-37.0 / 96 + e2 * (1335.0 / 4096))),
      c3: e2 * e * (29.0 / 96 - e2 * (75.0 / 128)),
      c4: e4 * (539.0 / 1536 - e2 * (2391.0 / 2560)),
      c5: e4 * e * (3467.0 / 7680),
      c6: e4 * e2 * (38081.0 / 61440))
  }

  /// The length of the arc from σ₁ to σ₂, in meters; `arc` is σ₂ − σ₁.
  @inline(__always)
  func length(arc: Double, from start: UnitAngle, to end: UnitAngle) -> Double {
    WGS84.polarRadius * lengthScale * (arc + lengthSeries.increase(from: start, to: end))
  }

  // MARK: Longitude, λ = ω − f sin α₀ I₃(σ); equations 8 and 23

  /// A₃; equation 24.
  @inline(__always)
  var longitudeScale: Double {
    let n = WGS84.thirdFlattening
    let a1 = -(1.0 / 2 - n / 2)
    let a2 = -(1.0 / 4 + n / 8 - n * n * (3.0 / 8))
    let a3 = -(1.0 / 16 + n * (3.0 / 16) + n * n / 16)
    let a4 = -(3.0 / 64 + n / 32)
    let a5 = -(3.0 / 128)
    let e = epsilon
    return 1 + e * (a1 + e * (a2 + e * (a3 + e * (a4 + e * a5))))
  }

  /// C₃; equation 25.
  @inline(__always)
  var longitudeSeries: SineSeries {
    let n = WGS84.thirdFlattening
    let e = epsilon
    let e2 = e * e
    let c11 = 1.0 / 4 - n / 4
    let c12 = 1.0 / 8 - n * n / 8
    let c13 = 3.0 / 64 + n * (3.0 / 64) - n * n / 64
    let c14 = 5.0 / 128 + n / 64
    let c22 = 1.0 / 16 - n * (3.0 / 32) + n * n / 32
    let c23 = 3.0 / 64 - n / 32 - n * n * (3.0 / 64)
    let c24 = 3.0 / 128 + n / 128
    let c33 = 5.0 / 192 - n * (3.0 / 64) + n * n * (5.0 / 192)
    let c34 = 3.0 / 128 - n * (5.0 / 192)
    let c44 = 7.0 / 512 - n * (7.0 / 256)
    return SineSeries(
      c1: e * (c11 + e * (c12 + e * (c13 + e * (c14 + e * (3.0 / 128))))),
      c2: e2 * (c22 + e * (c23 + e * (c24 + e * (5.0 / 256)))),
      c3: e2 * e * (c33 + e * (c34 + e * (7.0 / 512))),
      c4: e2 * e2 * (c44 + e * (7.0 / 512)),
      c5: e2 * e2 * e * (21.0 / 2560))
  }

  /// How much smaller the longitude in radians is than the spherical ω between σ₁ and σ₂.
  @inline(__always)
  func longitudeDeficit(
    sineEquatorialAzimuth: Double, arc: Double, from start: UnitAngle, to end: UnitAngle
  ) -> Double {
    WGS84.flattening * sineEquatorialAzimuth * longitudeScale
      * (arc + longitudeSeries.increase(from: start, to: end))
  }

  // MARK: Reduced length; equation 40

  /// The increase of J = I₁ − I₂ = ∫ k² sin²σ / √(1 + k² sin²σ) dσ.
  ///
  /// The difference of equations 15 and 41, with 17, 18, 42 and 43 inserted and multiplied out. It
  /// only steers Newton's method, so four orders (twelve digits) are enough.
  @inline(__always)
  func reducedIntegral(arc: Double, from start: UnitAngle, to end: UnitAngle) -> Double {
    let e = epsilon
    let e2 = e * e
    let scale = e * (2 + e * (1 + e * (3.0 / 2 + e * (9.0 / 8))))
    let series = SineSeries(
      c1: -e * (1 + e2 * (5.0 / 8 + e * (1.0 / 4))),
      c2: e2 * (-1.0 / 4 + e * (1.0 / 8 - e * (1.0 / 8))),
      c3: e2 * e * (-1.0 / 8 + e * (1.0 / 12)),
      c4: e2 * e2 * (-5.0 / 64))
    return scale * arc + series.increase(from: start, to: end)
  }
}
