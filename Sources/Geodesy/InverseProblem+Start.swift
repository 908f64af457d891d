extension InverseProblem {
  /// The starting point of the iteration.
  enum Start {
    /// The points are so near that the spherical answer is right to the last digit.
    case line(Solution)
    /// The first guess for the azimuth at point 1.
    case azimuth(UnitAngle)
  }

  @inline(__always)
  func start() -> Start {
    let sum = beta1.turned(by: beta2)
    let difference = beta1.turn(to: beta2)
    let angle = longitude.inRadians

    if difference.cosine > 0, difference.sine < 0.5, beta2.cosine * angle < 0.5 {
      return nearStart(angle, difference: difference, sum: sum)
    }
    let triangle = SphericalTriangle(self, omega: longitude, difference: difference, sum: sum)
    let reach = 6 * WGS84.thirdFlattening * .pi * beta1.cosine * beta1.cosine
    if triangle.arc.cosine < 0, triangle.arc.sine < reach {
      return .azimuth(antipodalStart(difference: difference, sum: sum))
    }

    // One step of Vincenty's iteration: equation 8 with both series cut off after the first term.
    // It reduces an error of 1/300 in ω₁₂ to about 1/100,000.
    let sineEquatorial = triangle.azimuth1.sine / triangle.arc.sine * beta1.cosine
    let excess = WGS84.flattening * sineEquatorial * triangle.arc.inRadians
    let better = SphericalTriangle(
      self, omega: longitude.turned(by: UnitAngle(radians: excess)), difference: difference,
      sum: sum)
    return .azimuth(better.guess)
  }

  /// The solution on the sphere that fits the ellipsoid at the middle latitude, equation 48.
  ///
  /// Its error is of third order in the arc, so below 10⁻⁵ (about 60 m) it is less than the
  /// rounding error of the general method.
  @inline(__always)
  private func nearStart(_ angle: Double, difference: UnitAngle, sum: UnitAngle) -> Start {
    let sines = beta1.sine + beta2.sine
    let cosines = beta1.cosine + beta2.cosine
    let middleSineSquared = sines * sines / (sines * sines + cosines * cosines)
    // a w = b √(1 + e′² sin²β), a form without cancellation.
    let radius =
      WGS84.polarRadius
      * (1 + WGS84.secondEccentricitySquared * middleSineSquared).squareRoot()
    let omega = UnitAngle(radians: angle * (WGS84.equatorialRadius / radius))
    let triangle = SphericalTriangle(self, omega: omega, difference: difference, sum: sum)
    guard triangle.arc.sine < Self.shortArc else { return .azimuth(triangle.guess) }
    let azimuth1 = UnitAngle(y: triangle.azimuth1.sine, x: triangle.azimuth1.cosine)
    let azimuth2 = UnitAngle(y: triangle.azimuth2.sine, x: triangle.azimuth2.cosine)
    return .line(
      Solution(
        distance: radius * triangle.arc.inRadians, azimuth1: azimuth1, azimuth2: azimuth2))
  }

  /// Arcs whose sine is below this are short.
  private static var shortArc: Double { 1e-5 }

  /// A guess for points near the antipode of point 1, where geodesics from point 1 meet along an astroid.
  ///
  /// In coordinates (x, y) in which the astroid has size 1, equation 53, point 2 sees point 1 along the tangent given
  /// by the positive root μ of the quartic 55; section 5 of the paper.
  private func antipodalStart(difference: UnitAngle, sum: UnitAngle) -> UnitAngle {
    let series = GeodesicSeries(cosineEquatorialAzimuth: beta1.sine)
    let longitudeUnit =
      WGS84.flattening * beta1.cosine * series.longitudeScale * .pi
    let x = -arcTangent(y: longitude.sine, x: -longitude.cosine) / longitudeUnit
    let y = sum.sine / (longitudeUnit * beta1.cosine)
    if y > -1e-13, x > -1 - 1e-5 {
      // On the axis, equation 57.
      let sine = min(1, -x)
      return UnitAngle(sine: sine, cosine: -max(0, 1 - sine * sine).squareRoot())
    }
    // The azimuth from equation 56 is good only where the astroid is a good approximation. The
    // longitude ω₁₂ that belongs to it is good in the whole range.
    let root = astroidRoot(x: x, y: y)
    let short = -x * root / (1 + root) * longitudeUnit
    let omega = UnitAngle(sine: sine(short), cosine: -cosine(short))
    return SphericalTriangle(self, omega: omega, difference: difference, sum: sum).guess
  }
}

/// The triangle of both points and the north pole on the auxiliary sphere, for a known angle ω₁₂
/// at the pole; equations 49 to 51.
private struct SphericalTriangle {
  /// The azimuth at point 1, not normalized.
  let azimuth1: UnitAngle
  /// The arc between the points, not normalized beyond rounding.
  let arc: UnitAngle
  /// The azimuth at point 2, not normalized.
  let azimuth2: UnitAngle

  @inline(__always)
  init(_ problem: InverseProblem, omega: UnitAngle, difference: UnitAngle, sum: UnitAngle) {
    let beta1 = problem.beta1
    let beta2 = problem.beta2
    let product1 = beta1.sine * beta2.cosine
    let product2 = beta1.cosine * beta2.sine
    let square = omega.sine * omega.sine
    // cos β₁ sin β₂ − sin β₁ cos β₂ cos ω and its like for point 2, without cancellation.
    let north1: Double
    let north2: Double
    if omega.cosine >= 0 {
      let versine = square / (1 + omega.cosine)
      north1 = difference.sine + product1 * versine
      north2 = difference.sine - product2 * versine
    } else {
      let coversine = square / (1 - omega.cosine)
      north1 = sum.sine - product1 * coversine
      north2 = product2 * coversine - sum.sine
    }
    azimuth1 = UnitAngle(sine: beta2.cosine * omega.sine, cosine: north1)
    azimuth2 = UnitAngle(sine: beta1.cosine * omega.sine, cosine: north2)
    arc = UnitAngle(
      sine: (azimuth1.sine * azimuth1.sine + north1 * north1).squareRoot(),
      cosine: beta1.sine * beta2.sine + beta1.cosine * beta2.cosine * omega.cosine)
  }

  /// The initial azimuth for Newton's method; always eastward, whatever rounding did.
  @inline(__always)
  var guess: UnitAngle {
    azimuth1.sine > 0 ? UnitAngle(y: azimuth1.sine, x: azimuth1.cosine) : .right
  }
}

/// The positive root of μ⁴ + 2μ³ + (1 − x² − y²) μ² − 2y²μ − y² = 0 (equation 55) for y ≠ 0.
///
/// Written as x² / (1 + μ)² + y² / μ² = 1, the root is where a convex falling curve crosses a line.
/// Newton's method starts on the left, at μ = |y|, and climbs to the root without passing it; far
/// from the root, μ grows by half in each iteration.
private func astroidRoot(x: Double, y: Double) -> Double {
  var root = abs(y)
  for _ in 0..<100 {
    let xTerm = x * x / ((1 + root) * (1 + root))
    let yTerm = y * y / (root * root)
    let step = (xTerm + yTerm - 1) / (2 * (xTerm / (1 + root) + yTerm / root))
    root += step
    // A guess for Newton's method in α₁ needs no more digits than this.
    if step < 1e-6 * root { break }
  }
  return root
}
