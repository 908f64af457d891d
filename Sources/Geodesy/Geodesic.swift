/// The shortest line between two positions on the WGS 84 ellipsoid.
///
/// Accurate to about 15 nm for every pair, including opposite points.
///
///     let line = Geodesic.inverse(from: cityHall, to: harbor)
///     print(line.distance, line.azimuth1)
///
/// If several lines are equally short (from pole to pole, or between opposite points), the result
/// is one of them. Azimuths have no meaning when the distance is 0.
///
/// Source: C. F. F. Karney, "Algorithms for geodesics", J. Geodesy 87, 2013,
/// doi:10.1007/s00190-012-0578-z, written from its equations; `InverseProblem` lists the departures
/// from the paper.
public struct Geodesic: Hashable, Sendable {
  /// The length of the line.
  public let distance: Distance
  /// The direction at the first end toward the second, in degrees clockwise from north, −180…180.
  public let azimuth1: Double
  /// The direction at the second end, onward from the first, in degrees, −180…180.
  public let azimuth2: Double

  /// The shortest line from one position to another.
  ///
  /// The distance is bit for bit the same when the positions are exchanged, when both latitudes
  /// change sign and when both longitudes do. It does not depend on the longitude of a pole. The
  /// azimuth at a pole is measured from the meridian that the pole was made with.
  ///
  /// - Complexity: O(1): 0.15 µs for neighbors, 0.6 µs for far points. Allocates nothing.
  public static func inverse(from start: Coordinate, to end: Coordinate) -> Geodesic {
    let line = inverse(
      latitude1: start.latitude, longitude1: start.longitude,
      latitude2: end.latitude, longitude2: end.longitude)
    return Geodesic(
      distance: .meters(line.distance), azimuth1: line.azimuth1, azimuth2: line.azimuth2)
  }
}

extension Geodesic {
  /// The geodesic distance in meters between two positions in bare degrees.
  ///
  /// Latitudes −90…90, longitudes −180…180; nothing is checked. Bit for bit the distance of
  /// `inverse(latitude1:longitude1:latitude2:longitude2:)`.
  package static func distance(
    latitude1: Double, longitude1: Double, latitude2: Double, longitude2: Double
  ) -> Double {
    let apart = LongitudeDifference(from: longitude1, to: longitude2)
    return InverseProblem(
      latitude1: latitude1, latitude2: latitude2, longitude: apart.angle
    ).solution().distance
  }

  /// The geodesic distance in meters and both azimuths in degrees, −180…180, pointing onward.
  ///
  /// Latitudes −90…90, any finite longitudes.
  package static func inverse(
    latitude1: Double, longitude1: Double, latitude2: Double, longitude2: Double
  ) -> (distance: Double, azimuth1: Double, azimuth2: Double) {
    let apart = LongitudeDifference(
      from: Coordinate.wrappedLongitude(longitude1), to: Coordinate.wrappedLongitude(longitude2))
    let problem = InverseProblem(
      latitude1: latitude1, latitude2: latitude2, longitude: apart.angle)
    let solution = problem.solution()
    let azimuths = problem.uncanonical(
      solution.azimuth1, solution.azimuth2, isWestward: apart.isWestward)
    return (solution.distance, azimuths.first.inDegrees, azimuths.second.inDegrees)
  }
}

// MARK: - The inverse problem

/// The inverse geodesic problem in its canonical form.
///
/// Which azimuth at point 1 leads to point 2, and how far is it?
///
/// Mirroring and exchanging the ends brings every pair to φ₁ ≤ 0, φ₁ ≤ φ₂ ≤ −φ₁, 0 ≤ λ₁₂ ≤ π
/// (equation 44). Mirrored pairs then become one pair, so their distances agree to the last bit.
///
/// The method is Karney's: guess α₁, follow the geodesic to the parallel of point 2, and correct α₁
/// by Newton's method until it arrives at the longitude of point 2. Two departures from the paper
/// save iterations.
///
/// - The guess for far points takes one step of Vincenty's iteration.
/// - The last correction is applied to the answer and not followed again. A geodesic that arrives v
///   radians of longitude east of point 2 is too long by v a sin α₀ (the first variation of length:
///   a cos β₂ v is the way along the parallel, sin α₂ its part along the line, and cos β₂ sin α₂ =
///   sin α₀). The remaining error is at most a v δα₁ / 2, where δα₁ is the correction: a third of a
///   nanometer where it is used.
///
/// Source: C. F. F. Karney, "Algorithms for geodesics", J. Geodesy 87, 2013,
/// doi:10.1007/s00190-012-0578-z; equation numbers are those of the paper.
private struct InverseProblem {
  /// The reduced latitude of point 1; equation 6.
  let beta1: UnitAngle
  /// The reduced latitude of point 2.
  let beta2: UnitAngle
  /// The longitude λ₁₂ from point 1 to point 2.
  let longitude: UnitAngle
  /// Whether point 1 is a pole, from where every line is a meridian.
  let startsAtPole: Bool
  private let isExchanged: Bool
  private let isMirrored: Bool

  struct Solution {
    var distance: Double
    var azimuth1: UnitAngle
    var azimuth2: UnitAngle
  }

  /// `longitude` is the angle between the meridians, 0…π.
  @inline(__always)
  init(latitude1: Double, latitude2: Double, longitude: UnitAngle) {
    isExchanged = abs(latitude1) < abs(latitude2)
    let polar = isExchanged ? latitude2 : latitude1
    let other = isExchanged ? latitude1 : latitude2
    isMirrored = polar >= 0
    beta1 = UnitAngle(reducedLatitudeOffPole: -abs(polar))
    beta2 = UnitAngle(reducedLatitudeOffPole: isMirrored ? -other : other)
    startsAtPole = abs(polar) == 90
    self.longitude = longitude
  }

  /// The azimuths at the ends as they were before the problem was brought to its canonical form.
  @inline(__always)
  func uncanonical(
    _ azimuth1: UnitAngle, _ azimuth2: UnitAngle, isWestward: Bool
  ) -> (first: UnitAngle, second: UnitAngle) {
    let eastward = isWestward ? -1.0 : 1.0
    // Reversing a line turns both azimuths by half a turn, and an exchange also mirrors them in
    // longitude: so only the sign of the cosine changes.
    let northward = isMirrored != isExchanged ? -1.0 : 1.0
    func restored(_ angle: UnitAngle) -> UnitAngle {
      UnitAngle(sine: angle.sine * eastward, cosine: angle.cosine * northward)
    }
    return isExchanged
      ? (restored(azimuth2), restored(azimuth1)) : (restored(azimuth1), restored(azimuth2))
  }

  @inline(__always)
  func solution() -> Solution {
    if startsAtPole || longitude.sine == 0 { return meridian() }
    if beta1.sine == 0, let equator = equator() { return equator }
    switch start() {
    case .line(let short): return short
    case .azimuth(let guess): return shot(at: guess)
    }
  }

  /// The solution along a meridian, over the pole if the points lie on opposite meridians.
  ///
  /// On an oblate ellipsoid this is the shortest line whenever λ₁₂ is 0 or π.
  private func meridian() -> Solution {
    // From a pole, the line to point 2 is the meridian of point 2, whatever the pole's longitude.
    let heading = startsAtPole ? 1 : longitude.cosine
    let sigma1 = UnitAngle(sine: beta1.sine, cosine: beta1.cosine * heading)
    let arc = sigma1.forwardTurn(to: beta2).inRadians
    let series = GeodesicSeries(cosineEquatorialAzimuth: 1)
    // If the latitudes differ by less than rounding, the series may be negative.
    let length = max(0, series.length(arc: arc, from: sigma1, to: beta2))
    return Solution(distance: length, azimuth1: longitude, azimuth2: .zero)
  }

  /// The solution along the equator, the shortest line up to λ₁₂ = (1 − f) π; to farther points a
  /// way through the north or south is shorter.
  private func equator() -> Solution? {
    let angle = longitude.inRadians
    guard angle <= (1 - WGS84.flattening) * .pi else { return nil }
    return Solution(
      distance: WGS84.equatorialRadius * angle, azimuth1: .right, azimuth2: .right)
  }
}

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

extension InverseProblem {
  /// Where the geodesic that leaves point 1 at some azimuth meets the parallel of point 2, going
  /// north.
  struct Arrival {
    let azimuth1: UnitAngle
    let azimuth2: UnitAngle
    /// The arcs σ₁ and σ₂ of the ends on the auxiliary sphere, and σ₂ − σ₁ in radians.
    let sigma1: UnitAngle
    let sigma2: UnitAngle
    let arc: Double
    let sineEquatorialAzimuth: Double
    let series: GeodesicSeries
    /// How far east of point 2 the geodesic arrives, in radians of longitude.
    let overshoot: Double
    /// The derivative of the overshoot by the azimuth at point 1, dλ₁₂/dα₁.
    let slope: Double
  }

  /// Follows the geodesic from point 1; section 4 of the paper.
  @inline(__always)
  func follow(_ departure: UnitAngle) -> Arrival {
    var azimuth1 = departure
    // Along the equator the geodesic would never meet another parallel; turn it very slightly south.
    if beta1.sine == 0, azimuth1.cosine == 0 { azimuth1.cosine = -0x1p-511 }

    // Equations 5 and 10, for the point where the geodesic crosses the equator.
    let sineEquatorial = azimuth1.sine * beta1.cosine
    let polewardSine = azimuth1.sine * beta1.sine
    let cosineEquatorial =
      (azimuth1.cosine * azimuth1.cosine + polewardSine * polewardSine).squareRoot()
    let northward1 = azimuth1.cosine * beta1.cosine
    let northward2 = self.northward2(northward1)

    // Equations 11 and 12.
    let sigma1 = UnitAngle(y: beta1.sine, x: northward1)
    let sigma2 = UnitAngle(y: beta2.sine, x: northward2)
    let arc = sigma1.forwardTurn(to: sigma2).inRadians
    let omega1 = UnitAngle(sine: sineEquatorial * beta1.sine, cosine: northward1)
    let omega2 = UnitAngle(sine: sineEquatorial * beta2.sine, cosine: northward2)
    let omega = omega1.forwardTurn(to: omega2)

    let series = GeodesicSeries(cosineEquatorialAzimuth: cosineEquatorial)
    let deficit = series.longitudeDeficit(
      sineEquatorialAzimuth: sineEquatorial, arc: arc, from: sigma1, to: sigma2)
    return Arrival(
      azimuth1: azimuth1, azimuth2: azimuth2(azimuth1, northward2: northward2), sigma1: sigma1,
      sigma2: sigma2, arc: arc, sineEquatorialAzimuth: sineEquatorial, series: series,
      overshoot: longitude.turn(to: omega).inRadians - deficit,
      slope: slope(
        sigma1, sigma2, series.reducedIntegral(arc: arc, from: sigma1, to: sigma2), northward2))
  }

  /// cos α₂ cos β₂ for a given cos α₁ cos β₁, equation 45, in the form with less cancellation.
  @inline(__always)
  private func northward2(_ northward1: Double) -> Double {
    let gain =
      beta1.cosine < -beta1.sine
      ? (beta2.cosine - beta1.cosine) * (beta2.cosine + beta1.cosine)
      : (beta1.sine - beta2.sine) * (beta1.sine + beta2.sine)
    return max(0, northward1 * northward1 + gain).squareRoot()
  }

  /// The azimuth on arrival, from Clairaut's relation cos β₁ sin α₁ = cos β₂ sin α₂.
  @inline(__always)
  private func azimuth2(_ azimuth1: UnitAngle, northward2: Double) -> UnitAngle {
    UnitAngle(
      sine: azimuth1.sine * beta1.cosine / beta2.cosine, cosine: northward2 / beta2.cosine)
  }

  /// The derivative dλ₁₂/dα₁ = m₁₂ / (a cos α₂ cos β₂), equation 46, with the reduced length m₁₂ of
  /// equation 38; equation 47 where the geodesic touches the parallel of point 2.
  @inline(__always)
  private func slope(
    _ sigma1: UnitAngle, _ sigma2: UnitAngle, _ reducedIntegral: Double, _ northward2: Double
  ) -> Double {
    let e2 = WGS84.secondEccentricitySquared
    // √(1 + k² sin²σ), because k sin σ = e′ sin β.
    let stretch1 = (1 + e2 * (beta1.sine * beta1.sine)).squareRoot()
    if northward2 == 0 { return -2 * (1 - WGS84.flattening) * stretch1 / beta1.sine }
    let stretch2 = (1 + e2 * (beta2.sine * beta2.sine)).squareRoot()
    let reducedLength =
      stretch2 * (sigma1.cosine * sigma2.sine) - stretch1 * (sigma1.sine * sigma2.cosine)
      - sigma1.cosine * sigma2.cosine * reducedIntegral
    return (1 - WGS84.flattening) * reducedLength / northward2
  }

  /// Solves for α₁ by Newton's method on λ₁₂(α₁), inside a bracket that only shrinks.
  ///
  /// λ₁₂ grows from 0 to π while α₁ turns from north to south, and passes the longitude of point 2
  /// once. A step that would leave the bracket is replaced by bisection, so a bad guess or a slope
  /// near zero (between nearly opposite points) costs iterations but never the answer.
  @inline(__always)
  func shot(at guess: UnitAngle) -> Solution {
    var azimuth = guess
    var north = UnitAngle.zero
    var south = UnitAngle(sine: 0, cosine: -1)
    var arrival = follow(azimuth)
    for _ in 0..<Self.maximumRounds {
      let step = -arrival.overshoot / arrival.slope
      if abs(arrival.overshoot) <= Self.negligible, abs(step) <= Self.negligible {
        return corrected(arrival, by: step)
      }
      if abs(arrival.overshoot) <= Self.rounding { break }

      if arrival.overshoot > 0 { south = azimuth } else { north = azimuth }
      var next = azimuth.turned(by: UnitAngle(radians: step))
      let isInside =
        abs(step) < 1 && north.turn(to: next).sine > 0 && next.turn(to: south).sine > 0
      if !isInside {
        next = UnitAngle(sine: north.sine + south.sine, cosine: north.cosine + south.cosine)
      }
      azimuth = UnitAngle(y: next.sine, x: next.cosine)
      arrival = follow(azimuth)
    }
    return Solution(
      distance: length(of: arrival), azimuth1: arrival.azimuth1, azimuth2: arrival.azimuth2)
  }

  /// The length of a geodesic minus the part beyond point 2.
  @inline(__always)
  private func length(of arrival: Arrival) -> Double {
    arrival.series.length(arc: arrival.arc, from: arrival.sigma1, to: arrival.sigma2)
      - arrival.overshoot * WGS84.equatorialRadius * arrival.sineEquatorialAzimuth
  }

  /// The solution with the last, tiny step applied to the azimuths.
  @inline(__always)
  private func corrected(_ arrival: Arrival, by step: Double) -> Solution {
    let azimuth1 = arrival.azimuth1.turned(bySmall: step)
    let azimuth2 = azimuth2(azimuth1, northward2: northward2(azimuth1.cosine * beta1.cosine))
    return Solution(distance: length(of: arrival), azimuth1: azimuth1, azimuth2: azimuth2)
  }

  /// If the overshoot and the step are below this, in radians, another iteration would move the
  /// distance by less than a third of a nanometer.
  private static var negligible: Double { 1e-8 }
  /// The rounding error of an overshoot, in radians.
  private static var rounding: Double { 1e-15 }
  /// The limit of iterations: Newton needs one to four, and bisection alone reaches rounding error within this limit.
  private static var maximumRounds: Int { 60 }
}
