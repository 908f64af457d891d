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
/// - The guess for far points takes one step of Vincenty's iteration (`InverseProblem+Start`).
/// - The last correction is applied to the answer and not followed again. A geodesic that arrives v
///   radians of longitude east of point 2 is too long by v a sin α₀ (the first variation of length:
///   a cos β₂ v is the way along the parallel, sin α₂ its part along the line, and cos β₂ sin α₂ =
///   sin α₀). The remaining error is at most a v δα₁ / 2, where δα₁ is the correction: a third of a
///   nanometer where it is used.
///
/// Source: C. F. F. Karney, "Algorithms for geodesics", J. Geodesy 87, 2013,
/// doi:10.1007/s00190-012-0578-z; equation numbers are those of the paper.
struct InverseProblem {
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
