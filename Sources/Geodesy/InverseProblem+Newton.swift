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
