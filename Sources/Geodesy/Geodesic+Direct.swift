extension Geodesic {
  /// The end of a geodesic: its position, and the azimuth on arrival, in degrees.
  ///
  /// A negative distance leads backwards. A distance beyond half the Earth is followed to its end,
  /// though such a line is no longer the shortest.
  ///
  /// Source: section 3 of Karney's paper, whose equation numbers these are.
  ///
  /// - Parameters:
  ///   - latitude: −90…90 degrees.
  ///   - longitude: Any finite longitude in degrees.
  ///   - azimuth: Any finite angle in degrees clockwise from north.
  ///   - distance: Any finite length in meters.
  /// - Returns: Latitude −90…90, longitude −180…180 and azimuth −180…180.
  package static func direct(
    latitude: Double, longitude: Double, azimuth: Double, distance: Double
  ) -> (latitude: Double, longitude: Double, azimuth: Double) {
    let beta1 = UnitAngle(reducedLatitudeOffPole: latitude)
    let azimuth1 = UnitAngle(turn: azimuth)

    // The crossing of the equator: equations 5 and 10.
    let sineEquatorial = azimuth1.sine * beta1.cosine
    let cosineEquatorial = hypotenuse(azimuth1.cosine, azimuth1.sine * beta1.sine)
    let series = GeodesicSeries(cosineEquatorialAzimuth: cosineEquatorial)

    // The start on the auxiliary sphere: equations 11 and 12. Along the equator σ is counted from
    // the start itself.
    let northward1 = azimuth1.cosine * beta1.cosine
    let liesOnEquator = beta1.sine == 0 && azimuth1.cosine == 0
    let omega1 = UnitAngle(
      sine: sineEquatorial * beta1.sine, cosine: liesOnEquator ? 1 : northward1)
    let sigma1 = UnitAngle(y: beta1.sine, x: omega1.cosine)

    // The arc, from τ = s / (b A₁): equations 7, 15 and 20. Only differences are computed, so that
    // short distances keep their digits.
    let tau12 = distance / (WGS84.polarRadius * series.lengthScale)
    let offset1 = series.lengthSeries.value(at: sigma1)
    let tau1 = sigma1.turned(by: UnitAngle(radians: offset1))
    let tau2 = tau1.turned(by: UnitAngle(radians: tau12))
    let arc = tau12 + offset1 + series.arcSeries.value(at: tau2)
    let turn = UnitAngle(radians: arc)
    let sigma2 = sigma1.turned(by: turn)

    // The end: equations 13 and 14.
    let azimuth2 = UnitAngle(sine: sineEquatorial, cosine: cosineEquatorial * sigma2.cosine)
    let beta2 = UnitAngle(
      sine: cosineEquatorial * sigma2.sine,
      cosine: hypotenuse(sineEquatorial, azimuth2.cosine))
    let latitude2 = UnitAngle(sine: beta2.sine, cosine: (1 - WGS84.flattening) * beta2.cosine)

    // The longitude, equation 8. With E = ±1 for the sense of rotation about the axis, ω − E σ
    // stays within a half turn, so ω₁₂ is right over any number of turns.
    let sense = sineEquatorial < 0 ? -1.0 : 1.0
    let omega2 = UnitAngle(sine: sineEquatorial * sigma2.sine, cosine: sigma2.cosine)
    let phase1 = UnitAngle(sine: sense * sigma1.sine, cosine: sigma1.cosine).turn(to: omega1)
    let phase2 = UnitAngle(sine: sense * sigma2.sine, cosine: sigma2.cosine).turn(to: omega2)
    let omega12 = sense * arc + phase2.inRadians - phase1.inRadians
    let longitude12 =
      omega12
      - series.longitudeDeficit(
        sineEquatorialAzimuth: sineEquatorial, arc: arc, from: sigma1, to: sigma2)
    return (
      latitude2.inDegrees,
      Coordinate.wrappedLongitude(Coordinate.wrappedLongitude(longitude) + degrees(longitude12)),
      azimuth2.inDegrees
    )
  }
}
